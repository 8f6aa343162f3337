"""Recipes of the layer `accelerator`."""
