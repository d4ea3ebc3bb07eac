"""A process beside the server: started again when it dies, and given up when it keeps dying."""

import os
import queue
import signal

import pytest

from likewise.app import child_process
from likewise.app.child_process import ChildProcess

WAIT = 240


def echo(pipe, greeting):
    pipe.send((greeting, os.getpid()))
    while (message := pipe.recv()) is not None:
        pipe.send(message)


def die(pipe):
    os._exit(3)


def make(target, *args, **options):
    messages, problems = queue.Queue(), queue.Queue()
    child = ChildProcess("the echo", target, args, messages.put, problems.put, soonest=0.0, **options)
    return child, messages, problems


@pytest.fixture
def few_deaths(monkeypatch):
    monkeypatch.setattr(child_process, "MOST_DEATHS", 3)


def test_messages_go_both_ways_and_it_ends_when_told():
    child, messages, problems = make(echo, "here")
    child.start()
    assert messages.get(timeout=WAIT) == ("here", child.pid)
    child.send("hello")
    assert messages.get(timeout=WAIT) == "hello"
    child.stop(WAIT, message=None)
    assert problems.empty()


def test_a_killed_process_is_started_again_says_so_and_gets_what_it_has_to_know():
    sent = []

    def on_start(pipe):
        sent.append(len(sent))
        pipe.send(sent[-1])

    messages, problems = queue.Queue(), queue.Queue()
    child = ChildProcess("the echo", echo, ("here",), messages.put, problems.put, on_start, soonest=0.0)
    child.start()
    _, first = messages.get(timeout=WAIT)
    assert messages.get(timeout=WAIT) == 0
    os.kill(first, signal.SIGKILL)
    assert problems.get(timeout=WAIT) == "the echo stopped and was started again"
    _, second = messages.get(timeout=WAIT)
    assert second != first
    assert messages.get(timeout=WAIT) == 1
    child.stop()


def test_one_that_keeps_dying_is_given_up_with_a_sentence_and_can_be_revived(few_deaths):
    child, _, problems = make(die)
    child.start()
    words = [problems.get(timeout=WAIT) for _ in range(3)]
    assert words[:2] == ["the echo stopped and was started again"] * 2
    assert "3 times within 10 minutes" in words[2]
    assert "answers are kept" in words[2]
    assert child.gave_up
    child.revive()
    assert problems.get(timeout=WAIT) == "the echo stopped and was started again"
    child.stop()


def test_after_a_stop_nothing_is_started_again():
    child, messages, problems = make(echo, "here")
    child.start()
    messages.get(timeout=WAIT)
    child.stop()
    child.revive()
    child.send("nobody hears this")
    assert problems.empty()
