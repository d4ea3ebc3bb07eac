"""Asking only about some pictures: a filter that is kept, and the pictures that it lets through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likewise.app.engine_process import Orders
from likewise.app.facts import Filter, matching

if TYPE_CHECKING:
    from likewise.app.live import LiveProject

FEWEST = 2  # pictures that something can be asked about


class Focus:
    """The only pictures that are asked about. All others stay where they are, and their answers count.

    - `live`: The project; its setting ``focus`` is the filter.
    - `images`, list of int: What it lets through; empty for all.
    - `number`: How often that changed.
    """

    def __init__(self, live: LiveProject) -> None:
        self.live = live
        self.images: list[int] = []
        self.number = 0
        self._seen: Any = None

    @property
    def order(self) -> tuple[int, list[int]]:
        """What the engine has to know: the pictures, and a number by which its questions about them are known."""
        return self.number, self.images

    @property
    def wanted(self) -> Filter:
        """The filter; an empty one where all pictures are asked about."""
        return Filter.read(self.live.settings.get("focus") or {})

    def follow(self, *, anew: bool = False) -> None:
        """Let the engine know of other pictures, when some were read or the filter changed.

        What is asked meanwhile does not change what the filter lets through: a picture that is settled by an answer
        stays until the filter is set again.
        """
        wanted = self.wanted
        state = self.live.index_state
        seen = (wanted, self.live.project.n_items, state.get("state"), bool(self.live.wall.cluster_of))
        if seen == self._seen and not anew:
            return
        self._seen = seen
        images = [] if wanted.is_empty else matching(self.live, wanted)
        if images != self.images:
            self.images, self.number = images, self.number + 1
            self.live.engine.order(Orders(focus=self.order))


def focus_of(live: LiveProject) -> tuple[Filter, list[int]]:
    """The filter, and the pictures that it lets through; all where there is none."""
    wanted = live.focus.wanted
    return wanted, live.focus.images if not wanted.is_empty else matching(live, wanted)


def set_focus(live: LiveProject, wanted: Filter) -> None:
    """Ask only about what a filter lets through, from now on and at the next start; an empty one asks about all."""
    if not wanted.is_empty and len(matching(live, wanted)) < FEWEST:
        raise ValueError("fewer than two pictures are wanted: there is nothing to ask about them")
    live.change_settings({"focus": wanted.data()})
    live.focus.follow(anew=True)
    live.queue.clear()
