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


def test_settings_for_this_time_outlast_the_change_of_others_and_are_not_kept(page):
    assert page.get("settings")["n_clusters"] == 4  # as on the command line
    page.client.put("/api/settings", json={"keys": {"same": "w"}})
    assert page.get("settings")["n_clusters"] == 4
    assert "n_clusters" not in page.live.project.settings()
    page.client.put("/api/settings", json={"n_clusters": 5})
    assert page.get("settings")["n_clusters"] == page.live.project.settings()["n_clusters"] == 5


def test_a_clusterer_is_chosen_by_name_and_an_unknown_one_refused(page):
    assert page.get("settings")["clusterer"] is None
    assert "pckmeans" in page.get("clusterers")
    assert page.client.put("/api/settings", json={"clusterer": "pckmeans"}).status_code == 200
    assert page.get("settings")["clusterer"] == "pckmeans"
    refused = page.client.put("/api/settings", json={"clusterer": "nosuch"})
    assert refused.status_code == 422
    assert "there is no clusterer 'nosuch'" in refused.json()["detail"]
    assert page.client.put("/api/settings", json={"clusterer": None}).status_code == 200
    assert page.get("settings")["clusterer"] is None
