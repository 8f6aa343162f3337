"""Recipes of the layer `framework`."""
