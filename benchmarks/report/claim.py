"""Claims with a bar, and the sections of the page that carry them."""

from __future__ import annotations

from dataclasses import dataclass, field

NOT_FOUND = "no cause was found"


@dataclass(frozen=True)
class Claim:
    """What ought to hold, what was measured, and whether it does; `holds` is None when it was not run.

    `reason` says why it does not hold, where an experiment shows that the paper's method, data or setting is the cause; or it
    begins with `NOT_FOUND` and says what was looked at.
    """

    about: str
    says: str
    holds: bool | None = None
    measured: str = ""
    detail: str = ""
    partly: bool = False
    reason: str = ""

    @property
    def is_explained(self) -> bool:
        """Whether an experiment shows why it does not hold."""
        return bool(self.reason) and not self.reason.startswith(NOT_FOUND)

    @property
    def verdict(self) -> str:
        """The word in the table; `partly` is what holds as far as it was run."""
        if self.holds and self.partly:
            return "holds as far as run"
        return {True: "holds", False: "**does not hold**", None: "not run"}[self.holds]


@dataclass(frozen=True)
class Panel:
    """One small plot: lines by name, each a list of (x, y)."""

    title: str
    x: str
    y: str
    lines: dict[str, list[tuple[float, float]]]


@dataclass
class Section:
    """A part of the page."""

    key: str
    title: str
    text: str
    page: str = ""
    blocks: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)


def at_most(about: str, says: str, value: float | None, bar: float, measured: str) -> Claim:
    """A claim that holds when a value is not above a bar."""
    if value is None:
        return Claim(about, says)
    return Claim(about, says, value <= bar, measured)


def at_least(about: str, says: str, value: float | None, bar: float, measured: str) -> Claim:
    """A claim that holds when a value is not below a bar."""
    if value is None:
        return Claim(about, says)
    return Claim(about, says, value >= bar, measured)
