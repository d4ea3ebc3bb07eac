"""The image and the compose file name what is there: files, extras, options, variables, ports."""

import re
import tomllib
from pathlib import Path

import pytest
import typer

from likewise.cli import app

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
PAGE = (ROOT / "docs" / "deploy.md").read_text()
SERVE = typer.main.get_command(app).commands["serve"]
OPTIONS = {
    name for each in SERVE.params if each.param_type_name == "option" for name in [*each.opts, *each.secondary_opts]
}


@pytest.fixture(scope="module")
def compose():
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


def instructions(name):
    whole = DOCKERFILE.replace("\\\n", " ")
    return [line.partition(" ")[2].strip() for line in whole.splitlines() if line.startswith(f"{name} ")]


def listed(text):
    return re.findall(r'"([^"]*)"', text)


def test_what_is_copied_is_there_and_not_ignored():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    sources = [part for line in instructions("COPY") if "--from" not in line for part in line.split()[:-1]]
    assert sources
    for source in sources:
        assert (ROOT / source).exists()
        assert source.split("/")[0] in kept
    hook = (ROOT / "hatch_build.py").read_text()
    assert "hatch_build.py" in sources
    assert '"web"' in hook  # the hook looks into it, so that it must be in the image that builds
    assert "web/" in sources


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = ("build", "container", "dev")


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(lock):
    """The versions of a lock file by name, each with how many hashes it has."""
    blocks = re.split(r"\n(?=\S)", (ROOT / "requirements" / f"{lock}.txt").read_text().strip())
    found = {}
    for block in blocks:
        name, version = re.match(r"([\w.-]+)==([\w.!+]+)", block).groups()
        found[plain(name)] = (version, len(re.findall(r"--hash=sha256:[0-9a-f]{64}", block)))
    return found


def needed(*extras):
    """Names that the package asks for, with some of its extras."""
    wanted = [*PROJECT["dependencies"], *(each for extra in extras for each in PROJECT["optional-dependencies"][extra])]
    names = set()
    for each in wanted:
        name, more = re.match(r"([\w.-]+)(?:\[([\w,-]+)\])?", each).groups()
        names |= needed(*more.split(",")) if name == "likewise" else {plain(name)}
    return names


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_has_exact_versions_and_hashes_and_names_no_host(lock):
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    assert all(hashes for _, hashes in locked(lock).values())


def test_the_locks_hold_what_the_package_asks_for():
    extras = re.findall(r"--extra (\w+)", (ROOT / "tools" / "lock").read_text())
    assert extras == ["heic", "video", "parquet", "postgres", "scale", "dev"]
    assert needed(*extras[:5]) <= set(locked("container"))
    assert needed("dev") <= set(locked("dev"))
    assert {"hatchling", "editables"} <= set(locked("build")) & set(locked("dev"))


def test_the_container_and_ci_install_what_is_locked():
    for line in re.findall(r"pip install ([^\n&]*)", DOCKERFILE):
        assert line.startswith(("--require-hashes -r requirements/", "--no-deps --no-build-isolation .")), line
    assert set(re.findall(r"requirements/(\w+)\.txt", DOCKERFILE)) == {"build", "container"}
    assert "LOCKED=1" in (ROOT / ".ci" / "run").read_text()
    assert "--require-hashes -r requirements/dev.txt" in (ROOT / "Makefile").read_text()


def test_it_runs_as_somebody_without_rights_and_says_whether_it_is_well():
    last = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
    assert re.search(r"^USER (?!root)\w+$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert "--no-cache-dir" in DOCKERFILE or "PIP_NO_CACHE_DIR=1" in DOCKERFILE
    for image in instructions("FROM"):
        assert re.match(r"[a-z]+:[\w.-]+", image), "an image has its version"
    assert not re.search(r"(?i)^(ENV|ARG) .*(token|password)", DOCKERFILE, re.MULTILINE)


def test_the_command_has_only_options_that_are_there(compose):
    (start,) = instructions("ENTRYPOINT")
    words = [*listed(start), *compose["services"]["app"]["command"]]
    assert words[:2] == ["likewise", "serve"]
    given = {word for word in words if word.startswith("--")}
    assert given <= OPTIONS
    assert {"--database", "--project", "--host", "--no-browser"} <= given
    default = next(each.default for each in SERVE.params if each.name == "port")
    assert instructions("EXPOSE") == [str(default)]
    assert f"127.0.0.1:{default}/" in DOCKERFILE


def test_the_compose_file_keeps_secrets_outside_and_the_port_inside(compose):
    services = compose["services"]
    assert set(services) == {"app", "db"}
    variables = {each.envvar for each in SERVE.params if each.envvar}
    assert variables & set(services["app"]["environment"]) == {"LIKEWISE_TOKEN"}
    for service in services.values():
        for name, value in service["environment"].items():
            if re.search("TOKEN|PASSWORD", name):
                assert re.fullmatch(r"\$\{\w+:\?.*\}", value), f"{name} is wanted, and never written down"
    assert all(port.startswith("127.0.0.1:") for port in services["app"]["ports"])
    assert "ports" not in services["db"]
    assert services["app"]["depends_on"]["db"]["condition"] == "service_healthy"
    assert services["app"]["read_only"] is True


def test_volumes_are_declared_and_meet_the_image(compose):
    services = compose["services"]
    named = set()
    for service in services.values():
        for volume in service["volumes"]:
            source, target = re.fullmatch(r"(.+?):(/[^:]+)(?::ro)?", volume).groups()
            if re.fullmatch(r"\w+", source):
                named.add(source)
            if service is services["app"] and not source.startswith("$"):
                assert target in listed(instructions("VOLUME")[0])
    assert named == set(compose["volumes"])
    assert any(volume.endswith(":/pictures:ro") for volume in services["app"]["volumes"])


def test_the_page_names_variables_and_options_that_are_there():
    text = (ROOT / "compose.yaml").read_text()
    for name in re.findall(r"^([A-Z_]+)=", PAGE, re.MULTILINE):
        assert f"${{{name}" in text or name == "LIKEWISE_TOKEN"
    serving = re.findall(r"likewise serve ([^\n`]*)", PAGE)
    assert serving
    for line in serving:
        assert set(re.findall(r"(?<= )--[a-z-]+", line)) <= OPTIONS
