"""How events and reports look on a terminal, in CI and as JSON."""
