"""Asking in a notebook."""
