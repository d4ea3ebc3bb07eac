"""The command line: parse, call, print. Importing a module registers its commands."""

from likewise.cli import (
    ask,
    check,
    cluster,
    crowd,
    curves,
    describe,
    exchange,
    hierarchy,
    hits,
    images,
    invite,
    models,
    serve,
    study,
    subcluster,
    tags,
    warm,
)
from likewise.cli.app import app, main

__all__ = [
    "app",
    "ask",
    "check",
    "cluster",
    "crowd",
    "curves",
    "describe",
    "exchange",
    "hierarchy",
    "hits",
    "images",
    "invite",
    "main",
    "models",
    "serve",
    "study",
    "subcluster",
    "tags",
    "warm",
]
