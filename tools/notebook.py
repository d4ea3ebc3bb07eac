"""Goes through the widget in a real JupyterLab in Chromium: ``python tools/notebook.py [SCREENSHOT]``.

Run by the Python of an environment with likewise[notebook], jupyterlab and playwright; Chromium is the system's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

SETUP = """\
from IPython.display import display
from sklearn.datasets import load_digits
from likewise import Session
from likewise.simulate import SimulatedAnnotator
digits = load_digits()
n = 60
X, images = digits.data[:n] / 16, digits.images[:n] / 16
sessions = [Session(X, random_state=0, forms=forms) for forms in (("pair",), ("triplet",), ("grid",), ("pick",))]
person = SimulatedAnnotator(digits.target[:n])
for _ in range(10):  # picks need groups to choose from
    question = sessions[3].ask()
    sessions[3].answer(question, person.answer(question), annotator="before")
for session in sessions:
    display(session.widget(images, annotator="me"))"""
AFTER = "print('answers', [sum(a.annotator == 'me' for a in session.history) for session in sessions])"
FORMS = ("pair", "triplet", "grid", "pick")
PORT, TOKEN, PATIENCE = 8973, "first-minute", 120_000


def write_notebook(path: Path) -> None:
    """A notebook with a cell that shows the widget and one that tells what was answered."""
    cells = [
        {"cell_type": "code", "id": f"cell-{k}", "metadata": {}, "outputs": [], "execution_count": None, "source": text}
        for k, text in enumerate((SETUP, AFTER))
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    path.write_text(json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """JupyterLab on a folder; its log is shown if it does not start."""
    options = ["--no-browser", "--allow-root", f"--port={PORT}", f"--IdentityProvider.token={TOKEN}"]
    command = [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={folder}"]
    places = {"JUPYTER_CONFIG_DIR": str(folder / ".config"), "JUPYTER_DATA_DIR": str(folder / ".data")}
    with open(folder / "lab.log", "w") as log:
        lab = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | places)
    try:
        wait_until_up(lab, folder)
        yield f"http://127.0.0.1:{PORT}/lab/tree/widget.ipynb?token={TOKEN}"
    finally:
        lab.terminate()
        lab.wait(30)


def wait_until_up(lab: subprocess.Popen[bytes], folder: Path) -> None:
    """Return when JupyterLab answers."""
    for _ in range(120):
        if lab.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/status?token={TOKEN}", timeout=5).close()
            return
        except OSError:
            time.sleep(1)
    raise SystemExit(f"JupyterLab did not start:\n{(folder / 'lab.log').read_text()}")


def go_through(page: Page) -> None:
    """Run the first cell, answer in every form by mouse and key, undo, and let the second cell tell."""
    first, second = page.locator(".jp-CodeCell").nth(0), page.locator(".jp-CodeCell").nth(1)
    expect(page.get_by_text("| Idle")).to_be_visible(timeout=PATIENCE)  # the kernel listens
    first.locator(".cm-content").click(timeout=PATIENCE)
    page.keyboard.press("Shift+Enter")
    widgets = page.locator(".likewise")
    expect(widgets).to_have_count(len(FORMS), timeout=PATIENCE)
    for form, widget in zip(FORMS, widgets.all(), strict=True):
        expect(widget.locator("img").first).to_be_visible(timeout=PATIENCE)
        answer_some(widget, form)
    second.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    expect(second.locator(".jp-OutputArea-output")).to_contain_text("answers [3, 3, 3, 3]", timeout=PATIENCE)


def answer_some(widget: Locator, form: str) -> None:
    """Answer four questions of a form, as often as the asker takes it, and take the last back."""
    said = widget.locator(".said")
    before = int(said.inner_text().split()[0])
    seen = set()
    for count in range(1, 5):
        seen.add(widget.get_attribute("data-kind"))
        answer(widget, by_key=count % 2 == 0)
        expect(said).to_contain_text(f"{before + count} answers", timeout=PATIENCE)
    print(f"asked with forms={form!r}: {', '.join(sorted(seen))}", flush=True)
    if form not in seen:
        raise SystemExit(f"no question was a {form}")
    widget.locator(".undo").click()
    expect(said).to_contain_text(f"{before + 3} answers", timeout=PATIENCE)


def answer(widget: Locator, *, by_key: bool) -> None:
    """Press something that fits the question shown."""
    kind = widget.get_attribute("data-kind")
    if kind in ("pair", "triplet") and by_key:
        widget.press("d" if kind == "pair" else "2")
    elif kind in ("pair", "triplet"):
        widget.locator(f"button[data-value={'different' if kind == 'pair' else 'ab'}]").click()
    elif kind == "grid":
        widget.locator("figure[aria-pressed]").first.click()
        expect(widget.locator("figure[aria-pressed=true]")).to_have_count(1)
        widget.locator("button[data-value=done]").click()
    elif by_key:
        widget.locator("figure[role=button]").first.press("Enter")
    else:
        widget.locator("button[data-value=none]").click()


def main() -> None:
    """Serve, go through, end."""
    folder = Path(tempfile.mkdtemp(prefix="likewise-notebook-"))
    try:
        write_notebook(folder / "widget.ipynb")
        with served(folder) as address, sync_playwright() as playwright:
            chromium = shutil.which("chromium") or "/usr/bin/chromium"
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1200, "height": 1000})
            page.goto(address, timeout=PATIENCE)
            try:
                go_through(page)
            finally:
                if len(sys.argv) > 1:
                    page.screenshot(path=sys.argv[1])
            browser.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("the notebook asks")


if __name__ == "__main__":
    main()
