"""A server with a token for a team, over vectors in the store: ``served_team.py WHERE FOLDER PORT N_IMAGES``."""

import os
import sys

import numpy as np
import uvicorn

from likewise.app.live import LiveProject
from likewise.app.location import Location
from likewise.server.application import create_app
from likewise.server.auth import Auth
from tests.app.page import NoPictures

N_CLASSES = 12


def class_of(image):
    return image % N_CLASSES


def put_pictures(project, n):
    rng = np.random.default_rng(0)
    project.add_images([f"{k}.jpg" for k in range(n)])
    centres = rng.normal(size=(N_CLASSES, 8))
    with project.vectors("test", 8, write=True) as vectors:
        vectors.append(centres[np.arange(n) % N_CLASSES] + 0.3 * rng.normal(size=(n, 8)))


def main(where, folder, port, n):
    live = LiveProject(Location(where, folder, "leaves", "test"))
    if live.project.n_images == 0:
        put_pictures(live.project, int(n))
    live.adjust({"strategy": "random", "n_clusters": N_CLASSES, "check_rate": 0.0, "kind": "pair"})
    auth = Auth(live.project, os.environ["LIKEWISE_TOKEN"])
    uvicorn.run(create_app(live, NoPictures(live), auth), port=int(port), log_level="error")


if __name__ == "__main__":
    main(*sys.argv[1:])
