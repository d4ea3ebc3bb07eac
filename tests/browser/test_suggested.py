"""What is suggested for a confirmed cluster, on a project of its own: what other tests did there would matter."""

from playwright.sync_api import expect

from tests.browser.test_screens import prepared, say

__all__ = ["prepared"]  # the fixture


def test_what_is_suggested_for_a_confirmed_cluster_is_accepted_by_a_press(prepared):
    person = prepared()
    page = person.page
    wall = person.get("clusters")["clusters"]
    confirmed = next(cluster for cluster in wall if cluster["confirmed"])
    other = next(cluster for cluster in wall if not cluster["confirmed"] and not cluster["name"])
    last = say(person, "clusters/merge", clusters=[confirmed["id"], other["id"]])
    person.wait_for_clusters(last["seq"])
    person.go(f"clusters/{confirmed['id']}")
    page.reload()
    page.wait_for_selector(".suggested img")
    page.get_by_role("button", name="Accept picture").first.click()
    expect(page.get_by_text("Accepted 1 picture")).to_be_visible()
    expect(page.get_by_text(f"{confirmed['size'] + 1} pictures", exact=True)).to_be_visible()
    for _ in range(2):
        say(person, "undo")
