"""The command line: parse, call, print. One file a group of commands; importing it registers them."""

from likewise.cli import cluster, curves, describe, images, serve
from likewise.cli.app import app, main

__all__ = ["app", "cluster", "curves", "describe", "images", "main", "serve"]
