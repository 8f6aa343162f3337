"""Recipes of the layer `debug`."""
