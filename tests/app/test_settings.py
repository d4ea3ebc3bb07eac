"""The askers that people choose from."""

from likewise.app.settings import ASKERS, DEFAULTS
from likewise.query import strategies

BASELINES = {"asc", "ffqs", "pknn-al", "quire"}  # only there to be compared with


def test_the_menu_offers_a_handful_of_askers_each_with_a_sentence(page):
    offered = page.get("askers")
    assert [each["name"] for each in offered] == list(ASKERS)
    assert set(ASKERS) <= set(strategies()) - BASELINES
    assert next(iter(ASKERS)) == DEFAULTS["strategy"]
    assert len(ASKERS) <= 6
    assert all(each["when"].endswith(".") for each in offered)


def test_an_asker_that_is_not_offered_can_be_set_by_name(page):
    assert "quire" in page.get("strategies")
    answer = page.client.put("/api/settings", json={"strategy": "quire"})
    assert answer.status_code == 200
    assert page.get("settings")["strategy"] == "quire"
