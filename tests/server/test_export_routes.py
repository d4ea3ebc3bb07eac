"""What goes out over the API: every format, before the engine has read anything too; clear words for bad places."""

import csv
import errno
import io
import zipfile

import pytest


def test_formats_are_listed_with_what_they_are_for(page):
    found = page.get("export/formats")
    assert all(each["title"] and each["about"] for each in found)
    assert [each["name"] for each in found][-1] == "archive"
    assert next(each for each in found if each["name"] == "archive")["options"] == ["pictures"]


@pytest.mark.parametrize(
    "target",
    ["/proc/nothing/here", "~nobody-there/x", "/" + "a" * 3000, "/dev/null/x", "/tmp/a\0b", "\ud800", "relative", "/"],
)
def test_places_that_cannot_be_written_to_get_a_word(page, target):
    body = b'{"target": "\\ud800"}' if target == "\ud800" else None
    sent = {"content": body} if body else {"json": {"target": target}}
    refused = page.client.post("/api/export/folders", headers={"Content-Type": "application/json"}, **sent)
    assert refused.status_code == 422
    assert refused.json()["detail"]


def test_a_full_disk_is_said_to_be_full(page, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("likewise.server.routes.export.export", full)
    refused = page.client.get("/api/export", params={"format": "csv"})
    assert refused.status_code == 507
    assert not list(page.live.store.folder.glob(".export-*"))


def test_clusters_go_out_before_the_engine_has_read_them(page, monkeypatch):
    monkeypatch.setattr(type(page.live), "ready", 0)
    rows = list(csv.DictReader(io.StringIO(page.client.get("/api/export").text)))
    assert len(rows) == 24


def test_a_folder_comes_as_a_zip_without_our_mark(page):
    content = page.client.get("/api/export", params={"format": "tables"}).content
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert names == ["annotators.csv", "answers.csv", "clusters.csv", "images.csv"]


def test_names_in_headers_are_safe(page):
    assert page.client.get("/api/export", params={"format": "coco"}).headers["Content-Disposition"] == (
        'attachment; filename="leaves-coco.json"'
    )
    for format in ("../x", "", "csv\r\nX: y", "<b>"):
        assert page.client.get("/api/export", params={"format": format}).status_code == 422
