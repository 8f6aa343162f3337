"""What the workflows ask of the world: one protocol a module, values in and out."""
