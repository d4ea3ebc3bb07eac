"""Descriptors and embeddings on labelled pictures."""
