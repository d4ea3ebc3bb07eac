"""People who answer, edit, tag, undo and redo over HTTP, each thing sent with its key until the server replies."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

import numpy as np

from benchmarks.hostile._made_up import N_CLUSTERS
from tests.server.kills import Server

THINKING = 0.1  # seconds at most between two things that somebody does
AGAIN = 0.1  # seconds until something is sent again
GROUP_EDITS = (
    "clusters/name", "clusters/merge", "clusters/split", "clusters/move", "clusters/confirm", "clusters/unconfirm",
    "clusters/reject", "clusters/open", "grid",
)  # fmt: skip
STEPS = ("undo", "redo", "steps/take-back", "steps/again")
OTHERS = ("tags", "bad", "restore", "team/gold", "adjudicate", "conflicts/resolve")
# three of five things are edits of groups
ALL = (*GROUP_EDITS * 3, *STEPS, "undo", *OTHERS, *("answers",) * 6)


@dataclass(frozen=True)
class Told:
    """Something that the server acknowledged."""

    action: str
    key: str
    seq: int
    annotator: str
    form: dict[str, Any]


class Person(threading.Thread):
    """Does one thing after another, each sent again with its key until the server says yes or no.

    - `server`: Whom they talk to.
    - `name`: Their name.
    - `seed`: Of what they do.
    - `ended`: Set when they are to end.
    - `actions`: What they do, drawn from these.
    - `n_pictures`: Pictures of the project.
    """

    def __init__(
        self,
        server: Server,
        name: str,
        seed: int,
        ended: threading.Event,
        *,
        actions: Sequence[str] = ALL,
        n_pictures: int,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.server, self.ended, self.actions, self.n_pictures = server, ended, actions, n_pictures
        self.rng = np.random.default_rng(seed)
        self.done: list[Told] = []
        self.refused: list[tuple[str, str]] = []
        self.resent = 0

    def run(self) -> None:
        """Until it is told to end."""
        while not self.ended.wait(THINKING * self.rng.random()):
            self.act(str(self.rng.choice(self.actions)))

    def act(self, action: str) -> None:
        """Do one thing; half of the edits that contradict answers are done with these taken back."""
        if (form := self.form(action)) is None:
            return
        reply = self.insist(action, form)
        if action == "undo" and self.rng.random() < 0.4:
            self.insist("redo", {})
        if (breaks := reply.get("breaks")) and self.rng.random() < 0.5:
            against = {link["seq"] for each in breaks for link in each["chain"] if link["seq"]}
            self.insist(action, form | {"withdraw": sorted(against)})

    def insist(self, action: str, form: dict[str, Any]) -> dict[str, Any]:
        """Send it under a new key until there is a reply, and note what it says."""
        form = form | {"key": uuid.uuid4().hex, "annotator": self.name}
        while (reply := self.send(action, form)) is None:
            self.resent += 1
            time.sleep(AGAIN)
        if "seq" in reply:
            self.done.append(Told(action, form["key"], reply["seq"], self.name, form))
        else:
            self.refused.append((action, form["key"]))
        return reply

    def send(self, path: str, form: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """A reply, or None where there was none."""
        url = f"http://127.0.0.1:{self.server.port}/api/{path}"
        body = None if form is None else json.dumps(form).encode()
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                reply: dict[str, Any] = json.load(answer)
                return reply
        except urllib.error.HTTPError as error:
            return self.refusal(path, error)
        except (OSError, HTTPException, ValueError):  # it was killed while it answered
            return None

    def refusal(self, path: str, error: urllib.error.HTTPError) -> dict[str, Any] | None:
        """What was said instead of yes; None where it is to be sent again, an error where the server failed."""
        try:
            said = json.loads(error.read())
        except (OSError, HTTPException, ValueError):  # it was killed while it answered
            return None
        if error.code == 503:
            return None
        assert error.code < 500, f"{path}: {error.code} {said}"
        return {"refused": error.code, "breaks": said.get("breaks")}

    def form(self, action: str) -> dict[str, Any] | None:
        """What to send; None where there is nothing to do it to."""
        rng = self.rng
        pair = rng.choice(self.n_pictures, 2, replace=False).tolist()
        if action == "adjudicate" and (asked := [told for told in self.done if told.action == "answers"]):
            pair = asked[int(rng.integers(len(asked)))].form["items"]
        if action in ("answers", "adjudicate"):
            return {"items": pair, "value": self.value(pair)}
        if action in ("bad", "restore"):
            return {"item": pair[0]}
        if action == "tags":
            return {"items": pair, "name": f"tag {rng.integers(5)}", "value": str(rng.choice(["yes", "no", "open"]))}
        if action == "team/gold":
            return {"pairs": [[*pair, str(rng.choice(["same", "different"]))]]}
        if action in ("undo", "redo"):
            return {}
        if action.startswith("steps/"):
            return self.form_of_step(action)
        if action == "conflicts/resolve":
            found: Any = self.send("conflicts") or []
            return {"withdraw": [found[0]["statement"]["seq"]]} if found else None
        return self.form_of_edit(action)

    def value(self, pair: Sequence[int]) -> str:
        """What they say of two pictures: right for nine in ten."""
        if self.rng.random() < 0.1:
            return str(self.rng.choice(["same", "different", "unsure"]))
        return "same" if pair[0] % N_CLUSTERS == pair[1] % N_CLUSTERS else "different"

    def form_of_step(self, action: str) -> dict[str, Any] | None:
        """One of the last steps, whoever did it: one in force to take back, one that is not to do again."""
        listed = (self.send("steps?limit=40") or {}).get("steps", [])
        some = [each["seq"] for each in listed if each["in_force"] == (action == "steps/take-back")]
        return {"seq": int(self.rng.choice(some))} if some else None

    def form_of_edit(self, action: str) -> dict[str, Any] | None:
        """An edit of clusters that are on the wall."""
        rng, clusters = self.rng, (self.send("clusters") or {}).get("clusters", [])
        if not clusters:
            return None
        one, other = (clusters[int(k)] for k in rng.integers(len(clusters), size=2))
        some = [int(each) for each in one["cover"][: 1 + int(rng.integers(3))]]
        forms: dict[str, dict[str, Any]] = {
            "grid": {"cluster": one["id"], "items": one["cover"], "odd": some[1:]},
            "clusters/name": {"cluster": one["id"], "name": f"name {rng.integers(9)}"},
            "clusters/merge": {"clusters": sorted({one["id"], other["id"]})},
            "clusters/split": {"cluster": one["id"], "items": some, "as_group": bool(rng.integers(2))},
            "clusters/move": {"items": some, "to": other["id"]},
            "clusters/confirm": {"cluster": one["id"]},
            "clusters/unconfirm": {"cluster": one["id"]},
            "clusters/reject": {"cluster": other["id"], "items": some},
            "clusters/open": {"cluster": one["id"], "items": some},
        }
        return forms[action]


def n_done(people: Sequence[Person], *under: str) -> int:
    """How many things were acknowledged, of all kinds or of those that begin so."""
    return sum(told.action.startswith(under or ("",)) for each in people for told in list(each.done))
