"""What pictures carry when cameras lie: any date that a file can hold is shown, and none stops anything."""

import pytest

from likewise.app.facts import Filter, _text
from likewise.images.exif import _moment


@pytest.mark.parametrize("year", ["0001:01:01 00:00:00", "9999:12:31 23:59:59", "1969:07:20 20:17:40"])
def test_days_of_any_year_are_shown(year):
    at = _moment(year, None)
    assert at is not None
    assert _text(at) == year.replace(":", "-", 2)


@pytest.mark.parametrize(
    "values", [{"odd": "x"}, {"q": 1}, {"since": "2024-02-30"}, {"state": "none"}, {"q": "a" * 5000}]
)
def test_what_is_no_filter_is_refused(values):
    with pytest.raises(ValueError, match=r"no filter|no day|state must be"):
        Filter.read(values)


def test_a_filter_is_kept_as_what_it_wants():
    wanted = Filter.read({"folder": "a", "since": "2024-02-29"})
    assert Filter.read(wanted.data()) == wanted
    assert Filter().is_empty
    assert not wanted.is_empty
