"""Recipes of the layer `serving`."""
