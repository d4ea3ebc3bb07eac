import pytest

from likewise.images import crew, index

FAKE = """
import json, os, sys, time
print("ready", flush=True)
for line in sys.stdin:
    number, path = json.loads(line)
    if "crash" in path:
        os.abort()
    if "hang" in path:
        time.sleep(1000)
    print(json.dumps({"id": number, "reason": "fine"}), flush=True)
"""


def test_a_decoder_that_crashes_or_hangs_costs_one_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(crew, "WORKER", ("-c", FAKE))
    names = ["a", "crash", "b", "hang", "c", "crash too", "d"]
    results = list(crew.read_all(enumerate(names), tmp_path, tmp_path, 2, time_limit=1.0))
    reasons = {names[result["id"]]: result["reason"] for result in results}
    assert reasons == {
        **dict.fromkeys("abcd", "fine"),
        "crash": "the decoder crashed",
        "crash too": "the decoder crashed",
        "hang": "it took longer than 1 seconds",
    }


def test_a_picture_that_took_too_long_is_remembered_until_it_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(crew, "WORKER", ("-c", FAKE))
    monkeypatch.setattr(crew.read_all, "__defaults__", (1.0,))
    for name in ("hang.png", "crash.png"):
        (tmp_path / name).write_bytes(b"some bytes")
    first = index(tmp_path, workers=1)
    assert {each.path: each.reason for each in first.skipped} == {
        b"hang.png": "it took longer than 1 seconds",
        b"crash.png": "the decoder crashed",
    }
    again = index(tmp_path, workers=1)
    assert again.summary.read == 1  # the one that crashed, perhaps of memory
    assert len(again.skipped) == 2
    (tmp_path / "hang.png").write_bytes(b"other bytes now")
    assert index(tmp_path, workers=1).summary.read == 2


def test_a_worker_that_does_not_start_is_one_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr(crew, "WORKER", ("-c", "raise SystemExit('no room')"))
    with pytest.raises(RuntimeError, match="did not start: no room"):
        list(crew.read_all([(0, "a")], tmp_path, tmp_path, 1))


def test_requests_are_taken_no_faster_than_results(tmp_path, monkeypatch):
    monkeypatch.setattr(crew, "WORKER", ("-c", FAKE))
    taken = []

    def requests():
        for number in range(100):
            taken.append(number)
            yield number, "a"

    for done, _ in enumerate(crew.read_all(requests(), tmp_path, tmp_path, 2), 1):
        assert len(taken) - done <= crew.AHEAD * 2
