"""The lock: one at a time, in the order of asking, also when a thread that waits is interrupted."""

import threading
import time

import pytest

from likewise.store.fair_lock import FairLock


def wait_for(condition):
    for _ in range(5000):
        if condition():
            return
        time.sleep(0.001)
    raise AssertionError("it never happened")


def test_in_the_order_of_asking():
    lock, order = FairLock(), []

    def take(number):
        with lock:
            order.append(number)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(20)]
    with lock:
        for number, thread in enumerate(threads):
            thread.start()
            wait_for(lambda n=number: len(lock._waiting) == n + 1)
    with lock:  # asked for last
        assert order == list(range(20))
    for thread in threads:
        thread.join()


def test_one_at_a_time():
    lock, inside, worst = FairLock(), [0], [0]

    def take():
        for _ in range(300):
            with lock:
                inside[0] += 1
                worst[0] = max(worst[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert worst == [1]
    with lock:
        pass


@pytest.mark.parametrize("handed", [False, True])
def test_an_interrupted_wait_leaves_no_hole(monkeypatch, handed):
    lock = FairLock()

    class Interrupted:
        """A lock whose second acquire is interrupted, before or after it was handed over."""

        def __init__(self):
            self.asked = 0

        def acquire(self):
            self.asked += 1
            if self.asked == 2:
                if handed:
                    lock.__exit__()
                raise KeyboardInterrupt

        def release(self):
            pass

    lock.__enter__()
    monkeypatch.setattr(threading, "Lock", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        lock.__enter__()
    monkeypatch.undo()
    assert not lock._waiting
    assert lock._taken is not handed
    if not handed:
        lock.__exit__()
    with lock:
        pass


def test_an_error_inside_hands_over():
    lock = FairLock()
    with pytest.raises(ZeroDivisionError), lock:
        raise ZeroDivisionError
    with lock:
        pass
