"""What touches the world: each module is one port made real."""
