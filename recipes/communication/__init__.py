"""Recipes of the layer `communication`."""
