"""Says that kernels are being compiled, where that takes a while: the first time only, and never in silence."""

from __future__ import annotations

import sys
import time
from typing import Any

from numba.core import event

PATIENCE = 1.0  # seconds of compiling before anything is said
MESSAGE = "likewise: compiling kernels, once for this machine: half a minute or so ('likewise warm' does it ahead)"


class CompilingNotice(event.Listener):
    """Writes one line to standard error when compiling has taken a second.

    Numba tells of every function it compiles, those inside others too, and of none that it finds in its cache.
    """

    def __init__(self) -> None:
        self.told = False
        self._depth = 0
        self._start = 0.0
        self._spent = 0.0

    def on_start(self, event: Any) -> None:
        """A function is going to be compiled."""
        self._depth += 1
        if self._depth == 1:
            self._start = time.monotonic()

    def on_end(self, event: Any) -> None:
        """A function is compiled."""
        self._depth = max(0, self._depth - 1)
        spent = self._spent + time.monotonic() - self._start
        if self._depth == 0:
            self._spent = spent
        if spent >= PATIENCE and not self.told and sys.stderr is not None:
            self.told = True
            print(MESSAGE, file=sys.stderr, flush=True)


notice = CompilingNotice()
event.register("numba:compile", notice)
