"""Extension of the reference: roles of reStructuredText in docstrings become what Markdown has for them."""

from __future__ import annotations

import re
from typing import Any

import griffe

MATHS = re.compile(r":math:`([^`]+)`")
NAME = re.compile(r":(?:attr|class|data|func|meth|mod):`~?([^`]+)`")


def markdown(text: str) -> str:
    """Formulas between dollars, and names as code, without the rooms they are in.

    >>> markdown("With :math:`d_0`, see :func:`~likewise.crowd.majority` and :meth:`fit`.")
    'With $d_0$, see `majority` and `fit`.'
    """
    text = MATHS.sub(lambda found: f"${' '.join(found[1].split())}$", text)
    return NAME.sub(lambda found: f"`{found[1].rpartition('.')[2]}`", text)


class Roles(griffe.Extension):
    """Rewrites every docstring before it is parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite one."""
        if obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)
