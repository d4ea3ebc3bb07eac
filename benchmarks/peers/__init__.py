"""The same work on peers, each in its own environment."""
