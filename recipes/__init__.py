"""The components of our images, one recipe a module; which versions they have, releases say."""
