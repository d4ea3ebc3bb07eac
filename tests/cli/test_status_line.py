"""The line that says what is going on until the first question is there."""

import io
import time
from types import SimpleNamespace

from rich.console import Console

from likewise.cli.status_line import CLEAR, StatusLine, describe_start


class Screen(io.StringIO):
    def isatty(self):
        return True


def console(is_terminal):
    return Console(file=Screen(), force_terminal=is_terminal, width=40, legacy_windows=False)


def wait_for(state, seconds=120):
    until = time.monotonic() + seconds  # only so that what never happens is said
    while not state():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)


def test_it_says_what_is_going_on_and_goes_away():
    where = console(True)
    with StatusLine(where, "Loading") as line:
        wait_for(lambda: "Loading … " in where.file.getvalue())
        line.say("x" * 100)
        wait_for(lambda: "x" * 39 in where.file.getvalue())
    assert "x" * 40 not in where.file.getvalue()  # a line that breaks cannot be taken away
    assert where.file.getvalue().endswith(CLEAR)


def test_it_ends_with_a_word_when_there_is_a_question():
    where = console(True)
    live = SimpleNamespace(
        queue=SimpleNamespace(is_ready=False), index_state={"state": "reading", "done": 32, "total": 600}
    )
    with StatusLine(where, "Loading") as line:
        line.follow(live)
        wait_for(lambda: describe_start(live.index_state)[:30] in where.file.getvalue())
        live.queue.is_ready = True
        wait_for(lambda: "The first question is there" in where.file.getvalue())
    assert where.file.getvalue().endswith(" s.\n")


def test_nothing_is_written_where_there_is_no_terminal():
    where = console(False)
    with StatusLine(where, "Loading") as line:
        line.clear()
        line.end("done")
    assert where.file.getvalue() == ""
