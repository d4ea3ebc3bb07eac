"""A small team while the server is killed: no answer lost, no question to more people than wanted."""

import sys

from tests.server import team_kills


def test_a_killed_server_loses_nothing_and_asks_nobody_too_many(tmp_path, capsys):
    result = team_kills.run(str(tmp_path), str(tmp_path), people=4, answers=12, kills=1, n_images=60)
    with capsys.disabled():
        print(f"\n{result}", file=sys.stderr)
    assert team_kills.is_right(result), result
    assert result["stored"] == 48
    assert result["refused"] == 0
    assert result["by_as_many_as_wanted"] > 0
