"""Reading pictures ahead of their use: in threads, in order, and never more than a few at once."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Literal, TypeAlias, TypeVar

from likewise.images.progress import Report, progress_bar
from likewise.images.reading import Path, UnreadableImage

__all__ = ["OnError", "Unreadable", "map_ahead", "reporter"]

T = TypeVar("T")
S = TypeVar("S")
OnError: TypeAlias = Literal["warn", "raise"] | Callable[[UnreadableImage], None]


def map_ahead(function: Callable[[S], T], values: Iterable[S], *, threads: int, ahead: int) -> Generator[T, None, None]:
    """Apply a function in threads and give the results in order, at most ``ahead`` of them waiting.

    - `function`: Of one value; what it raises is raised when its turn in the order comes.
    - `values`: Drawn from as there is room.
    - `threads`: How many values are worked on at once.
    - `ahead`: How many values may be begun before the first result is taken.
    - Yields object: The results.

    Examples
    --------
    >>> list(map_ahead(abs, [-1, 2, -3], threads=2, ahead=2))
    [1, 2, 3]
    """
    source = iter(values)
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[T]] = deque(pool.submit(function, value) for value in islice(source, ahead))
        try:
            while waiting:
                result = waiting.popleft().result()
                waiting.extend(pool.submit(function, value) for value in islice(source, 1))
                yield result
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class Unreadable:
    """What is done about pictures that cannot be read: nothing else stops, and each is reported.

    - `on_error`, "warn", "raise" or callable: Collect them for one warning at the end, raise the first, or call
      this with each :class:`~likewise.images.UnreadableImage`.

    Examples
    --------
    >>> seen = []
    >>> unreadable = Unreadable(lambda error: seen.append(error.reason))
    >>> unreadable.meet(UnreadableImage("a.jpg", "the file is empty"))
    >>> seen
    ['the file is empty']
    """

    def __init__(self, on_error: OnError) -> None:
        if on_error not in ("warn", "raise") and not callable(on_error):
            raise ValueError(f"on_error must be 'warn', 'raise' or a callable, got {on_error!r}")
        self.on_error = on_error
        self.met: list[UnreadableImage] = []

    def meet(self, error: UnreadableImage) -> None:
        """Take note of one."""
        if callable(self.on_error):
            self.on_error(error)
        elif self.on_error == "raise":
            raise error
        else:
            self.met.append(error)

    def warn(self) -> None:
        """Warn of those collected, if any."""
        if self.met:
            named = "; ".join(str(error) for error in self.met[:5]) + ("; …" if len(self.met) > 5 else "")
            warnings.warn(f"{len(self.met)} pictures are rows of NaN: {named}", UserWarning, stacklevel=3)


def attempt(function: Callable[[Path], T], path: Path) -> T | UnreadableImage:
    """Give what a function makes of a picture, or the error when it cannot be read."""
    try:
        return function(path)
    except UnreadableImage as error:
        return error


@contextmanager
def reporter(label: str, progress: bool | Report, total: int) -> Iterator[Callable[[int], None]]:
    """Give what to call with the number done: a bar, the caller's own function, or nothing."""
    with ExitStack() as stack:
        report: Report | None = None
        if callable(progress):
            report = progress
        elif progress:
            report = stack.enter_context(progress_bar(label))
        if report is not None:
            report(0, total)
        yield lambda done: report(done, total) if report is not None else None


def as_paths(paths: Sequence[Path]) -> list[Path]:
    """Check that several paths were given: a single one is a frequent slip, and is a sequence of letters too."""
    if isinstance(paths, str | bytes):
        raise TypeError("a list of paths is expected, got a single path")
    return list(paths)
