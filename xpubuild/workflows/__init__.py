"""The verbs: each composes the pure core with ports."""
