"""Very many pictures: the page holds what is in sight, and no more (a hundred thousand: benchmarks/speed/wall.py)."""

from tests.browser.large_wall import measure, served


def test_a_wall_of_very_many_pictures_is_light(browser):
    with served(20_000, 4_000) as address:
        found = measure(browser, address, places=(0.0, 0.6))
    for where in (found["wall"], found["largest_cluster"]):
        assert where["heap_mb"] < 60, found
        assert where["private_mb"] < 200, found
        assert where["nodes"] < 30_000, found
        assert where["shown"] < 120, found
