"""``likewise serve`` and ``status``: a folder of pictures as a project."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from likewise.cli.app import app, console, fail, has_screen, print_json
from likewise.cli.images import printable
from likewise.cli.machines import Dask, scheduler
from likewise.cli.status_line import StatusLine

if TYPE_CHECKING:
    from likewise.app.live import LiveProject
    from likewise.app.location import Location
    from likewise.app.pictures import Pictures

Folder = Annotated[Path, typer.Argument(help="The folder of pictures.")]
Database = Annotated[
    str | None, typer.Option(help="PostgreSQL URL for a team; SQLite in the project folder otherwise.")
]
ProjectFolder = Annotated[
    Path | None, typer.Option("--project", help="Where everything is kept; .likewise in the folder by default.")
]
Model = Annotated[
    str | None,
    typer.Option(
        help="The embedder: a known name ('likewise models' lists them), a registered one, an .onnx file, timm:NAME,"
        " open_clip:NAME/WEIGHTS, or the name of imported vectors; by default what the project was served with last."
    ),
]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")]
DEFAULT_MODEL = "efficientnet-lite0"
Faces = Annotated[
    bool | None,
    typer.Option(
        "--faces/--no-faces",
        help="Ask about the faces in the pictures instead of the pictures (extra faces); kept by the project.",
    ),
]
Learned = Annotated[
    Path | None,
    typer.Option(
        help="Start from a distance that another project learned: its folder, or a file of 'likewise head'; kept."
    ),
]
FORMS = {"all": "auto", "pairs": "pair", "triplets": "triplet"}
Forms = Annotated[
    Literal["all", "pairs", "triplets"] | None,
    typer.Option(help="Forms of the questions: all (whatever settles most in your time), pairs or triplets only."),
]
Examples = Annotated[
    list[str] | None,
    typer.Option(help="Pictures that are the same or different, to show what is meant: a.jpg=b.jpg or a.jpg!=c.jpg."),
]


@app.command()
def serve(
    folder: Folder,
    port: Port = 8117,
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but this machine's own needs a token.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None, typer.Option(envvar="LIKEWISE_TOKEN", help="The manager's token; 'auto' makes and prints one.")
    ] = None,
    token_file: Annotated[Path | None, typer.Option(help="File that holds the manager's token.")] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Ask for no token: everybody on this machine is the manager.")
    ] = False,
    model: Model = None,
    database: Database = None,
    project: ProjectFolder = None,
    n_clusters: Annotated[
        int | None, typer.Option("--n-clusters", "-k", help="Number of clusters, when it is known.")
    ] = None,
    strategy: Annotated[str | None, typer.Option(help="Who asks; 'likewise strategies' lists the names.")] = None,
    forms: Forms = None,
    prompt: Annotated[str | None, typer.Option(help="What is asked, in your words: 'the same *species*?'")] = None,
    instruction: Annotated[str | None, typer.Option(help="A line of instruction, shown with every question.")] = None,
    example: Examples = None,
    stacks: Annotated[
        bool | None, typer.Option("--stacks/--no-stacks", help="Whether copies and bursts are shown as one.")
    ] = None,
    faces: Faces = None,
    learned: Learned = None,
    dask: Dask = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Open a page that asks about the pictures of a folder; 'likewise FOLDER' is short for it."""
    if console.is_terminal and folder.is_dir():
        console.print(f"Opening {printable(str(folder))} …", highlight=False, markup=False)
    with ExitStack() as stack:
        line = stack.enter_context(StatusLine(console, "Loading"))
        if folder.is_dir():
            from likewise.app.child_process import start_early

            start_early()
        secret = _token(host, token, token_file, not no_token)
        check_strategy(strategy)
        address = stack.enter_context(scheduler(dask))
        if faces is not None:
            model = choose_model(model, faces, locate_project(folder, None, database, project).model)
        if learned is not None:
            from likewise.app.learned import take_start

            take_start(locate_project(folder, model, database, project), learned)
        live, shown = open_project(folder, model, database, project, address)
        wanted = {"n_clusters": n_clusters, "strategy": strategy, "kind": None if forms is None else FORMS[forms]}
        live.adjust({name: value for name, value in wanted.items() if value is not None})
        keep_wording(live, prompt, instruction, example)
        if stacks is not None:
            live.change_settings({"stacks": stacks})
        tell = {"tell_token": token == "auto", "ask_token": not no_token}
        run_server(live, shown, port, browser, host=host, token=secret, line=line, **tell)


def choose_model(model: str | None, faces: bool, last: str) -> str | None:
    """The model to serve with: of the faces in the pictures or of the pictures, where that is said.

    - `last`: The model that the project was served with last.
    """
    from likewise.images.faces import FACES, is_of_faces

    if faces and model is not None and not is_of_faces(model):
        fail(f"{model!r} finds no faces: leave --model out, or name a plug-in of the group likewise.faces")
    if not faces and model is not None and is_of_faces(model):
        fail(f"{model!r} finds faces: leave --no-faces out, or name another model")
    if faces:
        return model or (last if is_of_faces(last) else FACES)
    return DEFAULT_MODEL if model is None and is_of_faces(last) else model


def check_strategy(name: str | None) -> None:
    """Refuse an asker that is not there before anything is started."""
    if name is not None:
        from likewise.query.registry import make_strategy

        make_strategy(name)


def keep_wording(live: LiveProject, prompt: str | None, instruction: str | None, examples: list[str] | None) -> None:
    """Keep what is asked in the project: for everybody, and for the next time."""
    from likewise.store.settings import check_settings

    kept: dict[str, Any] = {} if prompt is None else {"prompt": prompt.strip()}
    kept |= {} if instruction is None else {"instruction": instruction.strip()}
    if examples:
        kept["examples"] = [_example(live, text) for text in examples]
    try:
        check_settings(kept)
    except ValueError as error:
        fail(str(error).removeprefix("settings.json: "))
    if kept:
        live.change_settings(kept)


def _example(live: LiveProject, text: str) -> dict[str, Any]:
    """Two pictures by their names in the folder, with = or != between them."""
    number_of = {os.fspath(item.path): item.id for item in live.project.items()}
    for sign, value in (("!=", "different"), ("=", "same")):
        for place in range(len(text)):
            names = (text[:place].strip(), text[place + len(sign) :].strip())
            if text.startswith(sign, place) and set(names) <= set(number_of) and names[0] != names[1]:
                return {"items": [number_of[name] for name in names], "value": value}
    return fail(f"{text!r} is no example: name two pictures that were read before, as a.jpg=b.jpg or a.jpg!=b.jpg")


def _token(host: str, token: str | None, file: Path | None, ask: bool) -> str | None:
    """The manager's token, or None where only this machine is served; a clear word where one is missing."""
    from likewise.server.auth import is_loopback, new_token, token_problem

    if token is not None and file is not None:
        fail("give --token or --token-file, not both")
    if not ask and (token or file):
        fail("give a token or --no-token, not both")
    found = token if file is None else file.read_text(encoding="utf-8").strip()
    if found == "auto":
        return new_token()
    if not found and not is_loopback(host):
        fail(
            f"{host} can be reached by others: give a token with --token, --token-file or LIKEWISE_TOKEN"
            " ('--token auto' makes one)"
        )
    if found is not None and (problem := token_problem(found)):
        fail(problem)
    return found


def run_server(
    live: LiveProject,
    shown: Pictures,
    port: int,
    browser: bool,
    seconds: float | None = None,
    *,
    host: str = "127.0.0.1",
    token: str | None = None,
    tell_token: bool = False,
    ask_token: bool = True,
    line: StatusLine | None = None,
) -> None:
    """Serve the page until Ctrl-C, or for so many seconds; without a token, to the person at the machine."""
    from likewise.server.local import local_token, tell_local

    home = Path(live.location.folder)
    local = token is None
    if local and ask_token:
        token = local_token(home)
    listener = _listen(host, port)
    shown_host = f"[{host}]" if ":" in host else host
    address = f"http://{shown_host}:{listener.getsockname()[1]}/"
    line = line or StatusLine(console, "Loading")
    line.clear()
    _say_where(address, home, token, tell_token=tell_token or local)
    threading.Thread(target=_begin, args=[shown], name="begin", daemon=True).start()
    # imported when the address is printed: they take a second, and who comes meanwhile waits for it
    from likewise.server.application import create_app
    from likewise.server.auth import Auth
    from likewise.server.connections import make_server
    from likewise.server.middleware import keep_tokens_out

    auth = Auth(live.project, token, local=local, folder=home)
    server = make_server(create_app(live, shown, auth), live.stream.close, proxy_headers=not local)
    keep_tokens_out()
    live.claim.listeners += [console.print, lambda _: server.handle_exit(signal.SIGINT, None)]
    if seconds is not None:
        timer = threading.Timer(seconds, server.handle_exit, [signal.SIGINT, None])
        timer.daemon = True
        timer.start()
    # an answer takes the interpreter's lock a dozen times; it must not wait 5 ms each time for the clusters' thread
    sys.setswitchinterval(0.0005)
    with ExitStack() as stack:
        first = address
        if token is not None and (local or browser):
            told = stack.enter_context(tell_local(home, token, address, keep=local))
            first = told.absolute().as_uri()
        if browser and has_screen():
            threading.Thread(target=webbrowser.open, args=[first], daemon=True).start()
        stack.enter_context(suppress(KeyboardInterrupt))
        line.follow(live)
        stack.callback(line.end)
        server.run(sockets=[listener])
    console.print(f"Ended. All answers are in {live.location.answers}; start it again to go on.")


def _begin(shown: Pictures) -> None:
    """Start the engine and the reading beside the server's imports; what goes wrong is met when the server does it."""
    with suppress(Exception):
        shown.start()


def _say_where(address: str, home: Path, token: str | None, *, tell_token: bool) -> None:
    """Print the address; with the token where nobody else has it."""
    console.print(f"likewise is at {address} - Ctrl-C ends it; everything is kept in {home}")
    if token is None:
        console.print("No token is asked for: everybody on this machine can see the pictures and change everything.")
    elif tell_token:
        console.print(f"Sign in as the manager at {address}join#{token}", soft_wrap=True, highlight=False)
    else:
        console.print(f"Sign in as the manager with your token at {address}join")


@app.command()
def status(
    folder: Folder,
    database: Database = None,
    project: ProjectFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Say how far a project is, also while it is being served."""
    location = locate_project(folder, DEFAULT_MODEL, database, project)
    with location.open_store(create=False) as store:
        found = location.find(store)
        log = found.log()
        summary = {
            "project": found.name,
            "images": found.n_images,
            "bad": len(log.bad()),
            "answers": sum(answer.kind != "membership" for _, answer in log.said()),
            "names": sorted(name.name for name in log.names()),
            "confirmed": len(log.confirmed()),
            "annotators": [each.name for each in found.annotators()],
        }
    if as_json:
        print_json(summary)
    else:
        for key, value in summary.items():
            typer.echo(f"{key}: {', '.join(value) if isinstance(value, list) else value}")


def locate_project(folder: Path, model: str | None, database: str | None, project: Path | None) -> Location:
    """Where the project of a folder of pictures is; without a model, with the one it was served with last."""
    from likewise.app.location import Location
    from likewise.images.indexing import default_project

    if not folder.is_dir():
        fail(f"{folder} is not a folder")
    home = default_project(folder) if project is None else project.absolute()
    where = Location(database or str(home), str(home), folder.resolve().name or "pictures", DEFAULT_MODEL)
    return where.with_model(model)


def open_project(
    folder: Path, model: str | None, database: str | None, project: Path | None, dask: str | None = None
) -> tuple[LiveProject, Pictures]:
    """A project ready to be started; a clear word where the app's packages or the model are missing."""
    from likewise.images.private import OWNER_ONLY

    os.umask(OWNER_ONLY)  # what is made from now on is of the project
    try:
        from likewise.app.live import LiveProject
        from likewise.app.pictures import Pictures
        from likewise.server.local import served_at
        from likewise.store import ProjectInUseError, StoreError
    except ImportError as error:
        fail(f"{error.name} is missing: install likewise again (pip install likewise)")
    location = locate_project(folder, model, database, project)
    try:
        location.require_vectors()
        live = LiveProject(location)
        location.remember_model(live.project)
    except ProjectInUseError as error:
        at = served_at(Path(location.folder))
        fail(f"{error}; it is served at {at}" if at else str(error))
    except (StoreError, ImportError) as error:
        fail(str(error))
    return live, Pictures(live, folder.resolve(), dask)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror:
        fail(f"{host} is no address of this machine")
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(128)  # who comes before the server is up waits, and is not turned away
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            fail(f"{host} is no address of this machine")
        fail(f"port {port} is taken: choose another with --port, or 0 for any")
    return listener
