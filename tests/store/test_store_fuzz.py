"""Whatever the store accepts, the project opens again, exports, archives and restores; the long size is a benchmark."""

from tests.store.fuzz import fuzz


def test_whatever_is_accepted_opens_again_on_sqlite():
    counts = fuzz(None, 25)
    assert counts["accepted"] > 20
    assert counts["accepted"] < counts["sent"]


def test_whatever_is_accepted_opens_again_on_postgresql(server):
    _, url = server.new_database()
    counts = fuzz(url, 12)
    assert counts["accepted"] > 10
