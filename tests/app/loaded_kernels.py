"""Imported by the process that engines are forked from: those of the tests find the kernels they use loaded.

Each would read them from Numba's cache otherwise, a second of work in every test that has a project served. Servers in
processes of their own, as in the tests with a browser, start without this, as everybody's do.
"""

import numpy as np

from likewise import Session

session = Session(np.random.default_rng(0).normal(size=(24, 4)), random_state=0, forms="auto", recheck=True)
for number in range(6):
    question = session.ask()
    value = "same" if number % 2 else "different"
    session.answer(question.items[:2], value, annotator="ann")
session.labels_  # noqa: B018
