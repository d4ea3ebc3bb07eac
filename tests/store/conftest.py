"""Every test that asks for `where` runs on SQLite and on a PostgreSQL that is started for it."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
import pytest

from likewise.store import Store

MEMORY = "/dev/shm"


def postgresql_programs():
    """The folder of initdb: on the path, or where Debian keeps it, the newest version first."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: -float(p.parts[-3]))
    return places[0].parent if places else None


class Server:
    """A PostgreSQL of its own in a temporary folder, reached by a socket there and by nothing else."""

    def __init__(self, programs, *options):
        self.programs = programs
        self.options = options
        # PostgreSQL refuses to run as root.
        names = {user.pw_name for user in pwd.getpwall()}
        self.user = ("postgres" if "postgres" in names else "nobody") if os.getuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="likewise-pg-", dir="/tmp"))
        self.count = 0
        if self.user:
            shutil.chown(self.folder, self.user)
        self.run("initdb", "-D", "data", "-A", "trust", "-U", "likewise", "-E", "UTF8", "--locale=C", "-N")
        self.start()

    def run(self, program, *arguments):
        done = subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.folder,
            user=self.user,
            extra_groups=[] if self.user else None,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"

    def start(self):
        settings = ["-c", "listen_addresses=", "-c", "max_connections=200", *self.options]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", "data", "-k", self.folder, *settings],
                cwd=self.folder,
                user=self.user,
                extra_groups=[] if self.user else None,
                stdout=log,
                stderr=log,
            )
        for _ in range(600):
            with contextlib.suppress(psycopg.OperationalError), self.connect():
                return
            assert self.process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)
        raise AssertionError("PostgreSQL did not start")

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def connect(self, name="postgres"):
        return psycopg.connect(host=str(self.folder), user="likewise", dbname=name, autocommit=True)

    def new_database(self, encoding="UTF8"):
        self.count += 1
        name = f"test{self.count}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}'")
        return name, f"postgresql://likewise@/{name}?host={self.folder}"

    def drop(self, name):
        with self.connect() as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)


@pytest.fixture(scope="session")
def server():
    programs = postgresql_programs()
    if programs is None:
        missing = "PostgreSQL is not installed (Debian: apt-get install postgresql)"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    # What is tested is that the clients lose nothing; the server's own safety from power cuts is its own.
    server = Server(programs, "-c", "fsync=off")
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request, tmp_path):
    """Where to open a store: a folder, or the URL of a new database."""
    if request.param == "sqlite":
        # In memory where that can be had: a kill loses nothing there, and thousands of syncs take no time.
        with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else tmp_path) as folder:
            yield os.path.join(folder, "project")
        return
    server = request.getfixturevalue("server")
    name, url = server.new_database()
    yield url
    server.drop(name)


@pytest.fixture
def store(where, tmp_path):
    with Store.open(where, folder=tmp_path / "files") as store:
        yield store


@pytest.fixture
def project(store):
    """A project with ten images."""
    project = store.create_project("leaves")
    project.add_items(f"{i}.jpg" for i in range(10))
    return project
