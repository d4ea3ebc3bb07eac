"""A server with a token and a picture, for the fuzzer: ``served_schema.py FOLDER PORT``."""

import os
import sys
from pathlib import Path

import uvicorn
from PIL import Image

from likewise.app.edits import NotThereError
from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.server.application import create_app
from likewise.server.auth import Auth
from tests.app.page import NoPictures, put_pictures


class SomePictures(NoPictures):
    """One picture for all of them."""

    def open(self, image, size):
        if image >= 24:
            raise NotThereError(f"picture {image} is not in the folder any more")
        return (Path(self.live.location.folder) / "picture.png").open("rb")

    def skipped(self):
        return []


def main(folder, port):
    live = LiveProject(Location(folder, folder, "leaves", "test"))
    if live.project.n_images == 0:
        put_pictures(live.project)
    live.adjust({"strategy": "random", "n_clusters": 4, "kind": "pair"})
    Image.new("RGB", (8, 8)).save(Path(folder) / "picture.png")
    # that a wrong token is answered with 401 is one of the checks; that there are too many of them has its own test
    auth = Auth(live.project, os.environ["LIKEWISE_TOKEN"], failures=1_000_000)
    uvicorn.run(create_app(live, SomePictures(live), auth), port=int(port), log_level="error")


if __name__ == "__main__":
    main(*sys.argv[1:])
