"""The live project: the engine has every answer once, whatever happens to its process."""

import os
import signal
import threading
import time
import uuid

import numpy as np

from likewise.app.engine_process import Orders
from likewise.app.engine_worker import Worker
from likewise.app.people import Person
from likewise.app.settings import ENGINE_SETTINGS
from tests.app.page import TRUTH


def fresh_labels(live):
    worker = Worker(live.project, live.location.model)
    options = {name: live.settings[name] for name in ENGINE_SETTINGS}
    worker.follow(Orders.of_log(live.log(), options))
    return worker.engine.cluster().labels.tolist()


def answer_some(live, name, seed, n):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        i, j = rng.choice(24, 2, replace=False).tolist()
        value = "same" if TRUTH[i] == TRUTH[j] else "different"
        live.answer(Person("manager", name), (i, j), value, key=uuid.uuid4().hex)


def wait_for_engine(live):
    for _ in range(6000):
        if live.clustering.version == len(live.events):
            return
        time.sleep(0.02)
    raise TimeoutError(live.problem)


def test_an_engine_killed_while_people_answer_has_every_answer_once(page):
    live = page.live
    people = [threading.Thread(target=answer_some, args=(live, f"p{k}", k, 25)) for k in range(4)]
    for k, person in enumerate(people):
        person.start()
        if k == 1:
            os.kill(live.engine.pid, signal.SIGKILL)
    for person in people:
        person.join()
    wait_for_engine(live)
    assert live.events.n_answers == 100
    assert live.clustering.labels.tolist() == fresh_labels(live)


def test_two_posts_of_one_persons_question_at_once_are_stored_once(page):
    person, key = Person("annotator", "bob"), [uuid.uuid4().hex for _ in range(4)]
    for _ in range(6):
        question = live_question(page.live, person)
        items = [picture.id for picture in question.items]
        before, refused = len(page.live.events), []

        def post(k, items=items, refused=refused):
            try:
                page.live.answer(person, items, "same" if k % 2 else "different", key=f"{key[k]}-{items}")
            except Exception as error:
                refused.append(type(error).__name__)

        posts = [threading.Thread(target=post, args=(k,)) for k in range(4)]
        for each in posts:
            each.start()
        for each in posts:
            each.join()
        assert len(page.live.events) == before + 1
        assert refused == ["NotYoursError"] * 3


def live_question(live, person):
    for _ in range(6000):
        screen = live.next_for(person)
        if hasattr(screen, "items"):
            return screen
        time.sleep(0.02)
    raise TimeoutError(live.problem)
