"""A team answers what it is asked, by invitation and cookie, while the server is killed again and again.

As a command: ``python -m tests.server.team_kills`` on SQLite, and with ``--people 50 --answers 200 --postgresql`` on a
PostgreSQL that it starts. Exits with 1 when an answer is lost or stored twice, when a question was answered by more
people than wanted or twice by one, or when the one who errs often is not told apart from the others.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from contextlib import nullcontext
from http.client import HTTPException
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
TOKEN = "the token of this run, long enough"
N_CLASSES = 12
CARELESS, CAREFUL = 0.2, 0.02  # how often the first person is wrong, and the others


def truth(i, j):
    return "same" if i % N_CLASSES == j % N_CLASSES else "different"


class Server:
    """The served project, started, killed and started again."""

    def __init__(self, where, folder, n_images):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        script = [sys.executable, "-m", "tests.server.served_team"]
        self.command = [*script, where, folder, str(self.port), str(n_images)]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, cwd=ROOT, env=os.environ | {"LIKEWISE_TOKEN": TOKEN})

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Client:
    """One person's browser: a cookie, and calls that are None where the server was not there."""

    def __init__(self, server, token):
        self.server = server
        self.token = token
        self.cookie = ""

    def join(self):
        while (done := self.call("join", {"token": self.token})) is None:
            time.sleep(0.1)
        return done

    def call(self, path, form=None, method=None, seconds=60.0):
        body = None if form is None else json.dumps(form).encode()
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        url = f"http://127.0.0.1:{self.server.port}/api/{path}"
        request = urllib.request.Request(url, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                if found := answer.headers["Set-Cookie"]:
                    self.cookie = found.partition(";")[0]
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None
            return {"refused": error.code, "detail": error.read().decode()}
        except (OSError, HTTPException, ValueError):  # it was killed while it answered
            return None

    def insist(self, path, form=None, method=None):
        while (done := self.call(path, form, method)) is None:
            time.sleep(0.2)
        return done


class Annotator(threading.Thread):
    """Answers the questions handed to them until so many are acknowledged, each sent again until it is."""

    def __init__(self, server, token, name, n, error_rate, seed):
        super().__init__(name=name, daemon=True)
        self.client = Client(server, token)
        self.n, self.error_rate = n, error_rate
        self.rng = np.random.default_rng(seed)
        self.acknowledged, self.resent, self.refused = [], 0, []

    def run(self):
        self.client.join()
        question = self.client.insist("question")
        while len(self.acknowledged) < self.n:
            if "items" not in question:
                assert "finished" not in question, "there was too little to ask"
                time.sleep(0.1)
                question = self.client.insist("question")
                continue
            question = self._answer([item["id"] for item in question["items"]])

    def _answer(self, items):
        value = truth(*items)
        if self.rng.random() < self.error_rate:
            value = "same" if value == "different" else "different"
        form = {"key": uuid.uuid4().hex, "items": items, "value": value, "seconds": 0.1}
        while (done := self.client.call("answers", form)) is None:
            self.resent += 1
            time.sleep(0.2)
        if "refused" in done:
            self.refused.append(done)
            return self.client.insist("question")
        self.acknowledged.append((form["key"], self.name, items, value))
        return done["next"]


def set_up(server, people, overlap, gold_rate, n_images):
    """The manager signs in, sets how questions are shared out, gives gold pairs and invites everybody."""
    boss = Client(server, TOKEN)
    boss.join()
    settings = {"overlap": overlap, "gold_rate": gold_rate}
    assert boss.insist("settings", settings, "PUT")["overlap"] == overlap
    rng = np.random.default_rng(1)
    pairs = {tuple(sorted(rng.choice(n_images, 2, replace=False).tolist())) for _ in range(40)}
    alike = [(i, i + N_CLASSES) for i in range(min(40, n_images - N_CLASSES))]
    gold = [[i, j, truth(i, j)] for i, j in sorted({*pairs, *alike})]
    assert "seq" in boss.insist("team/gold", {"key": "gold-of-this-run", "pairs": gold})
    links = [boss.insist("team/invite", {"name": f"person {k:02}"})["link"] for k in range(people)]
    return boss, [link.partition("#")[2] for link in links]


def run(where, folder, *, people, answers, kills, overlap=2, gold_rate=0.1, n_images=600):
    """Let them answer, kill the server on the way, and look at what is stored."""
    server = Server(where, folder, n_images)
    server.start()
    try:
        return _run(server, where, folder, people, answers, kills, overlap, gold_rate, n_images)
    finally:
        server.kill()


def _run(server, where, folder, people, answers, kills, overlap, gold_rate, n_images):
    boss, tokens = set_up(server, people, overlap, gold_rate, n_images)
    rates = [CARELESS] + [CAREFUL] * (people - 1)
    team = [Annotator(server, token, f"person {k:02}", answers, rates[k], k) for k, token in enumerate(tokens)]
    for each in team:
        each.start()
    rng = np.random.default_rng(0)
    for k in range(kills):
        goal = (k + 1) * people * answers // (kills + 1)
        while sum(len(each.acknowledged) for each in team) < goal:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.05)
        server.kill()
        server.start()
    for each in team:
        each.join()
    report = boss.insist("team")
    told = [entry for each in team for entry in each.acknowledged]
    return {
        "people": people,
        "kills": kills,
        "resent": sum(each.resent for each in team),
        "refused": sum(len(each.refused) for each in team),
        "acknowledged": len(told),
        **look(read_events(where, folder), told, overlap),
        **tell_apart(report),
    }


def look(events, told, overlap):
    """What is stored, against what was acknowledged and what was wanted."""
    stored = [event for event in events if event["kind"] == "answer"]
    by_key = {event["key"]: event for event in stored}
    same = [(e["key"], e["annotator"], list(e["payload"]["items"]), e["payload"]["value"]) for e in stored]
    tests = [event for event in stored if "gold" in event["payload"]["shown"]]
    people = {}
    twice = Counter()
    for event in stored:
        subject = tuple(sorted(event["payload"]["items"]))
        twice[event["annotator"], subject] += 1
        if "gold" not in event["payload"]["shown"]:
            people.setdefault(subject, set()).add(event["annotator"])
    counts = Counter(map(len, people.values()))
    return {
        "stored": len(stored),
        "lost": len([entry for entry in told if entry not in same]),
        "doubled": len(stored) - len(by_key),
        "asked_twice": sum(n > 1 for n in twice.values()),
        "questions": len(people),
        "by_more_than_wanted": sum(n for size, n in counts.items() if size > overlap),
        "by_as_many_as_wanted": counts[overlap],
        "gold_share": round(len(tests) / max(1, len(stored)), 3),
        "gold_wrongly_kept": sum(
            event["payload"]["shown"]["gold"] != truth(*event["payload"]["items"]) for event in tests
        ),
    }


def tell_apart(report):
    """The reliability of the careless one, and of the worst of the others, where there is enough to tell."""
    rows = {row["name"]: row for row in report["people"]}
    if report["alpha"] is None or any(row["reliability"] is None for row in rows.values()):
        return {"apart": False}
    careless = rows.pop("person 00")
    worst = min(rows.values(), key=lambda row: row["reliability"][1])
    lowest = min(row["reliability"][0] for row in rows.values())
    return {
        "alpha": round(report["alpha"], 3),
        "disputes": report["disputes"],
        "careless": [round(x, 3) for x in careless["reliability"]],
        "careless_on_gold": [round(x, 3) for x in careless["accuracy"] or ()],
        "worst_of_others": [round(x, 3) for x in worst["reliability"]],
        "apart": careless["reliability"][2] < lowest,
        "ranked_last": careless["reliability"][1] < worst["reliability"][1],
    }


def read_events(where, folder):
    from likewise.app.location import Location

    location = Location(where, folder, "leaves", "test")
    with location.open_store() as store:
        return [event.as_dict() for event in location.find(store).events()]


def is_right(result):
    """Whether all that was promised holds."""
    wrong = ("lost", "doubled", "asked_twice", "by_more_than_wanted", "gold_wrongly_kept")
    return result["stored"] == result["acknowledged"] and not any(result[name] for name in wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=5)
    parser.add_argument("--answers", type=int, default=40)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    from tests.server.kills import postgresql

    start = time.monotonic()
    with tempfile.TemporaryDirectory() as home, postgresql() if options.postgresql else nullcontext(home) as where:
        result = run(
            where, home, people=options.people, answers=options.answers, kills=options.kills, n_images=options.images
        )
    result["seconds"] = round(time.monotonic() - start)
    print(json.dumps(result))
    return not (is_right(result) and result["apart"])


if __name__ == "__main__":
    sys.exit(main())
