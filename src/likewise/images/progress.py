"""A progress bar on the terminal: how many, how fast, how long still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Report", "progress_bar"]

Report: TypeAlias = Callable[[int, int | None], None]


@contextmanager
def progress_bar(label: str, *, unit: str = "pictures", console: Console | None = None) -> Iterator[Report]:
    """Show a progress bar on standard error, and take it away at the end.

    - `label`: What is going on.
    - `unit`: What is counted.
    - `console`, rich.console.Console or None: Where to show it.
    - Yields: To be called with how many are done and how many there are, None while that is unknown.

    Examples
    --------
    >>> from rich.console import Console
    >>> with progress_bar("Reading", console=Console(quiet=True)) as report:
    ...     report(0, None)
    ...     report(5, 10)
    """
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
    )
    with progress.Progress(*columns, console=console or Console(stderr=True), transient=True) as bar:
        shown = bar.add_task(label, total=None, rate="")

        def report(done: int, total: int | None) -> None:
            speed = bar.tasks[shown].speed
            rate = f"{speed:,.0f} {unit}/s" if speed else ""
            bar.update(shown, completed=done, total=total, rate=rate)

        yield report
