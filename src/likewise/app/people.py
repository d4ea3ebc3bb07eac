"""Who asks the app for something: the manager, or an annotator who was invited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["manager", "annotator"]


@dataclass(frozen=True)
class Person:
    """Somebody who asks.

    - `role`, "manager" or "annotator": A manager may do everything; an annotator answers what they are asked.
    - `name`: The annotator's name; empty for a manager, who says under which name they answer.
    - `signed_in`: Whether by a token or an invitation, and not by sitting at the machine.
    - `invite`: The number of an annotator's invitation.
    - `session`: The number of what they signed in to; empty where every request shows the token.
    """

    role: Role
    name: str = ""
    signed_in: bool = False
    invite: str = ""
    session: str = ""

    @property
    def is_annotator(self) -> bool:
        """Whether it is somebody who was invited."""
        return self.role == "annotator"


LOCAL_MANAGER = Person("manager")
