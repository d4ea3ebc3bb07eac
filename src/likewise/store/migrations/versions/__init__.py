"""One file a step, numbered; a step that has been released is never changed.

A step names all its constraints. On SQLite, replacing the table of events drops its triggers (0002): such a step
makes them again.
"""
