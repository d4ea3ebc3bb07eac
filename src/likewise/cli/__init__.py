"""The command line: parse, call, print. One file a group of commands; importing it registers them."""

from likewise.cli import (
    cluster,
    crowd,
    curves,
    describe,
    exchange,
    hierarchy,
    hits,
    images,
    invite,
    serve,
    study,
    subcluster,
    tags,
)
from likewise.cli.app import app, main

__all__ = [
    "app",
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
    "serve",
    "study",
    "subcluster",
    "tags",
]
