"""Check questions: drawn by the session, mixed in, and what their answers say of the clusters."""

TRUTH = [kind for kind in range(4) for _ in range(6)]


def answer_until_one_can_stop(page):
    """Right answers until a stop is suggested, 200 at most; the progress then."""
    for _ in range(200):
        question = page.get("question", annotator="ann")
        if "items" in question:
            items = [item["id"] for item in question["items"]]
            value = "same" if TRUTH[items[0]] == TRUTH[items[1]] else "different"
            page.post("answers", items=items, value=value, shown={"check": question["check"]})
        else:
            page.wait()
        progress = page.get("progress")
        if progress["stop"]["hint"]:
            break
    return progress


def test_checks_are_mixed_in_and_give_the_estimate(page):
    page.live.settings["check_rate"] = 0.5
    checks = 0
    for _ in range(40):
        question = page.get("question", annotator="ann")
        if "items" not in question:
            page.wait()
            continue
        assert page.get("question", annotator="ann")["id"] == question["id"]
        items = [item["id"] for item in question["items"]]
        home = page.live.wall.cluster_of
        if question["check"]:
            checks += 1
            assert home[items[0]] == home[items[1]]
        value = "same" if TRUTH[items[0]] == TRUTH[items[1]] else "different"
        page.post("answers", items=items, value=value, shown={"check": question["check"]})
    progress = page.get("progress")
    assert 0 < progress["n_checks"] <= checks  # those of late
    low, middle, high = progress["estimate"]
    assert 0 <= low <= middle <= high <= 1


def test_without_a_rate_there_are_none(page):
    page.live.settings["check_rate"] = 0.0
    for _ in range(15):
        question = page.get("question", annotator="ann")
        if "items" in question:
            assert not question["check"]
            items = [item["id"] for item in question["items"]]
            page.post("answers", items=items, value="unsure")


def test_one_can_stop_when_the_checks_say_so(page):
    page.live.settings["check_rate"] = 1.0
    progress = answer_until_one_can_stop(page)
    assert progress["stop"]["hint"]
    low = progress["estimate"][0] if progress["estimate"] else 1.0
    assert low >= 0.95 or progress["agreeing"] >= 25 or page.live.queue.finished


def test_an_answer_that_is_set_aside_does_not_keep_one_from_stopping(page):
    page.live.settings["check_rate"] = 1.0
    for items, value in (((0, 1), "same"), ((1, 2), "same"), ((0, 2), "different"), ((0, 3), "same"), ((2, 3), "same")):
        page.post("answers", items=list(items), value=value)
    assert page.get("progress")["conflicts"] == 1
    stop = answer_until_one_can_stop(page)["stop"]
    assert stop["hint"]
    assert stop["reason"].endswith("; 1 answer that others contradict is set aside")


def test_where_answers_are_not_weighed_contradictions_come_first(page):
    page.client.put("/api/settings", json={"recheck": False})
    for items, value in (((0, 1), "same"), ((1, 2), "same"), ((0, 2), "different")):
        page.post("answers", items=list(items), value=value)
    assert "look at the conflicts first" in page.get("progress")["stop"]["reason"]
