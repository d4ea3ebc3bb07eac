"""The history: what was done, step by step."""

from __future__ import annotations

from datetime import datetime

from likewise.server.schemas.fields import Form, Seq, View


class StepForm(Form):
    """A step, by the number of its event."""

    seq: Seq


class StepView(View):
    """Something that somebody did; `n` is the number of pictures, `in_force` whether it was not taken back."""

    seq: int
    annotator: str
    at: datetime
    kind: str
    text: str
    n: int
    in_force: bool
    mine: bool


class StepsView(View):
    """Some steps, newest first, and whether there are more."""

    steps: list[StepView]
    more: bool
