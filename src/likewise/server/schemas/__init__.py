"""Requests (forms) and replies (views, results) of the API: one file a subject."""
