"""The command-line application: an error is one line and an exit code, a result is JSON on request."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

Seed = Annotated[int, typer.Option("--seed", min=0, max=2**32 - 1, help="Seed of the random numbers.")]
OldSeed = Annotated[int | None, typer.Option("--random-state", min=0, hidden=True, help="Old name of --seed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
app = typer.Typer(name="likewise", no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False)
console = Console(stderr=True)  # progress and notes; results go to standard output


def _print_version(wanted: bool) -> None:
    if wanted:
        from likewise import __version__

        print(f"likewise {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Group pictures by asking people the few questions that matter: same or different?"""


def fail(message: str, *, code: int = 2) -> NoReturn:
    """Print one line on standard error and exit with a code."""
    print(f"likewise: {message}", file=sys.stderr)
    raise typer.Exit(code)


def one_seed(seed: int, random_state: int | None) -> int:
    """The seed, which may still be given by its old name; then a line says what it is called now."""
    if random_state is None:
        return seed
    print("likewise: --random-state is now called --seed, and will be gone in a later version", file=sys.stderr)
    return random_state


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    print(json.dumps(value, indent=2))


def main() -> None:
    """Entry point of the ``likewise`` command: a user's mistake gives one line, not a traceback."""
    if len(sys.argv) == 1 and sys.stdin.isatty() and has_screen():
        from likewise.cli.choose import choose_folder

        if (chosen := choose_folder()) is None:
            _end("no folder was chosen")
        sys.argv += ["serve", os.fspath(chosen)]
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    if first and not first.startswith("-") and first not in commands:
        if not os.path.isdir(first):
            _end(_unknown(first, commands))
        sys.argv.insert(1, "serve")  # likewise FOLDER; a folder named like a command needs ./ before it
    if os.environ.get("LIKEWISE_DEBUG"):
        app()
    try:
        app()
    except (ValueError, OSError) as error:
        _end(str(error))
    except MemoryError as error:
        _end(f"memory ran out: {error}" if str(error) else "memory ran out")
    except KeyboardInterrupt:
        print("likewise: interrupted", file=sys.stderr)
        raise SystemExit(130) from None


def has_screen() -> bool:
    """Whether a browser can be opened here."""
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )


def _end(message: str) -> NoReturn:
    print(f"likewise: {message}", file=sys.stderr)
    raise SystemExit(2) from None


def _unknown(word: str, commands: Iterable[str]) -> str:
    """What is said of a first word that is neither a command nor a folder."""
    if os.path.exists(word):
        return f"{word} is a file: give the folder of pictures, or a command ('likewise --help' lists them)"
    near = get_close_matches(word, commands, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "'likewise --help' lists the commands"
    return f"there is no folder and no command {word!r}: {hint}"
