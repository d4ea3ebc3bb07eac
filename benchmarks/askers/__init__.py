"""Askers beside each other: clusters after so many answers, and the time a question takes."""
