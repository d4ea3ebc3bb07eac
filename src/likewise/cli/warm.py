"""``likewise warm``: what the first question would wait for, done ahead."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from likewise.cli.app import app, console, print_json


@app.command()
def warm(as_json: Annotated[bool, typer.Option("--json", help="Print the seconds as JSON.")] = False) -> None:
    """Compile the kernels and write the network's file, so that the first question comes at once."""
    from likewise.kernels.compiling import notice

    notice.told = True  # this says it better
    start = time.monotonic()
    with console.status("compiling kernels, once for this machine"):
        compile_kernels()
    compiled = time.monotonic() - start
    with console.status("writing the network's file"):
        _write_network()
    summary = {"kernels": round(compiled, 1), "network": round(time.monotonic() - start - compiled, 1)}
    if as_json:
        print_json(summary)
    else:
        typer.echo(f"ready: kernels {summary['kernels']} s, network {summary['network']} s")


def compile_kernels() -> None:
    """Compare two pictures; ask and answer a little, with vectors and with distances."""
    from likewise.kernels.kernel import compiling_all

    with compiling_all():
        _compare_ask_and_answer()


def _compare_ask_and_answer() -> None:
    import numpy as np

    from likewise.images.duplicates import FEW, group_near
    from likewise.images.stacks import SIDE, open_stacks
    from likewise.kernels.pictures.alignment import align_pictures
    from likewise.session import Session

    rng = np.random.default_rng(0)
    align_pictures(rng.random((SIDE, SIDE)), rng.random((SIDE, SIDE)), 0.5)
    group_near(rng.integers(0, 256, (FEW + 1, 4), np.uint8), 1)
    open_stacks([(0, 1)])

    truth = np.arange(90) % 3
    X = rng.normal(size=(90, 4)) + 2 * truth[:, None]
    for metric in ("euclidean", "precomputed"):
        data = X if metric == "euclidean" else np.linalg.norm(X[:, None] - X, axis=2)
        session = Session(data, metric=metric, random_state=0, recheck=True)
        for _ in range(60):
            question = session.ask()
            if question is None:
                break
            i, j = question.items
            session.answer(question, "same" if truth[i] == truth[j] else "different")
        session.check()
        session.quality()


def _write_network() -> None:
    from likewise.images.efficientnet import efficientnet_lite0

    efficientnet_lite0()
