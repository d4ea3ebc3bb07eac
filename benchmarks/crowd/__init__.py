"""Real answers of paid workers."""
