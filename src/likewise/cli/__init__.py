"""The command line: parse, call, print. One file a group of commands; importing it registers them."""

from likewise.cli import cluster, crowd, curves, describe, hierarchy, images, serve, subcluster
from likewise.cli.app import app, main

__all__ = [
    "app",
    "cluster",
    "crowd",
    "curves",
    "describe",
    "hierarchy",
    "images",
    "main",
    "serve",
    "subcluster",
]
