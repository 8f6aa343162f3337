"""The frozen values that everything else is about."""
