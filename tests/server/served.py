"""A server over vectors that a test put into the store, as a process of its own: ``served.py WHERE FOLDER PORT``."""

import sys

import uvicorn

from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.server.application import create_app
from tests.app.page import NoPictures, put_pictures


def main(where, folder, port):
    live = LiveProject(Location(where, folder, "leaves", "test"))
    if live.project.n_images == 0:
        put_pictures(live.project)
    live.adjust({"strategy": "random", "n_clusters": 4, "kind": "pair"})
    uvicorn.run(create_app(live, NoPictures(live)), port=int(port), log_level="error")


if __name__ == "__main__":
    main(*sys.argv[1:])
