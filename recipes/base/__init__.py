"""Recipes of the layer `base`."""
