"""Killed on the way, nothing acknowledged is lost; the full size is a command, see kills.py."""

import sys

from tests.server import kills


def test_nothing_acknowledged_is_lost(tmp_path, capsys):
    result = kills.run(str(tmp_path), str(tmp_path), people=4, answers=15, kills=2)
    with capsys.disabled():
        print(f"\n{result}", file=sys.stderr)
    assert result.pop("resent") > 0, "the server was killed while somebody was answering"
    assert result == {"people": 4, "kills": 2, "acknowledged": 60, "stored": 60, "lost": 0, "doubled": 0}
