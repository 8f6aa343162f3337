"""Recipes of the layer `toolkit`."""
