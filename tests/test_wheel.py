"""What the wheel holds: the package with its page, kernels and types, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: info.file_size for info in archive.infolist()}


def test_the_page_and_the_types_are_in_it(contents):
    assert contents["likewise/server/static/index.html"] > 0
    assert any(name.startswith("likewise/server/static/assets/") and name.endswith(".js") for name in contents)
    assert "likewise/py.typed" in contents
    assert any(name.endswith("licenses/LICENSE") for name in contents)
    assert any(name.startswith("likewise/store/") and "versions" in name for name in contents) or any(
        name.startswith("likewise/store/") and "migration" in name for name in contents
    )


def test_every_module_is_in_it(contents):
    modules = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src" / "likewise").rglob("*.py")}
    assert modules <= set(contents)


def test_nothing_else_is_in_it(contents):
    for name in contents:
        top = name.split("/")[0]
        assert top == "likewise" or top.endswith(".dist-info"), name
        assert "__pycache__" not in name, name
        assert not name.endswith((".nbi", ".nbc", ".onnx", ".npy", ".map")), name


def test_it_is_small(contents):
    assert sum(contents.values()) < 6_000_000
