"""Starts and stops the servers: Bolts, and a PostgreSQL cluster with its databases."""

import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

from common import BINARY, TARGET, WEB, Failure, as_load_tool, run, say, tool

# No request may be refused for its number. The limits are very high and not lifted, because a lifted limit saves the
# statement that counts.
UNLIMITED = "100000000"
LIMITS = ["--signups-per-hour", "--signins-per-minute", "--bets-per-hour", "--writes-per-minute"]

PASSWORD = "bench-password"


def clean_environment() -> dict[str, str]:
    """The environment without settings of Bolts and PostgreSQL."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("BOLTS_", "PG"))}


def cpu_of(pid: int, with_ended_children: bool = False) -> float:
    """The CPU time of a process so far, in seconds, also of the children that it has waited for if wanted."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15 if with_ended_children else 13])) / os.sysconf("SC_CLK_TCK")


class Bolts:
    """A running server. It is a context manager and stops at the end of the block."""

    def __init__(self, url: str, preload: Path | None = None) -> None:
        self.url, self.preload = url, preload
        self.base = ""
        self.start_seconds = 0.0
        self.cluster: Cluster | None = None

    def __enter__(self) -> "Bolts":
        environment = clean_environment()
        if self.preload:
            environment["LD_PRELOAD"] = str(self.preload)
        command = [str(BINARY), "serve", "--bind", "127.0.0.1:0", "--log", "warn", "--database-url", self.url]
        for limit in LIMITS:
            command += [limit, UNLIMITED]
        started = time.monotonic()
        self.log = tempfile.TemporaryFile()
        # A session of its own, so that Ctrl-C reaches only the bench, which then stops the server.
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=self.log, text=True, start_new_session=True
        )
        try:
            first = self.process.stdout.readline()
            found = re.search(r"http://\S+", first)
            if not found:
                raise Failure(f"the server does not start on {self.url}:\n{self.said()}")
            self.base = found[0]
            threading.Thread(target=self.process.stdout.read, daemon=True).start()
            self.get("/healthz")
            self.start_seconds = time.monotonic() - started
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=40)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()

    def said(self) -> str:
        """The end of the server's log."""
        self.log.seek(0)
        return self.log.read().decode(errors="replace")[-3000:]

    def get(self, path: str) -> bytes:
        """The answer to a GET request of a visitor."""
        with WEB.open(self.base + path, timeout=30) as answer:
            return answer.read()

    def post(self, path: str, body: str) -> tuple[int, str]:
        """Status and text of the answer to a visitor's POST request."""
        return self.ask("POST", path, body)

    def ask(self, method: str, path: str, body: str = "", header: str = "") -> tuple[int, str]:
        """Status and text of the answer to a request of the site's pages. `header` is a line such as that of the cookie."""
        headers = {"Origin": self.base, "Content-Type": "application/json"}
        headers |= dict([header.split(": ", 1)]) if header else {}
        request = urllib.request.Request(self.base + path, body.encode() or None, headers, method=method)
        try:
            with WEB.open(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def memory_kb(self, field: str = "VmRSS") -> int:
        """The memory of the process, in KB: VmRSS now, VmHWM at most so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+)", status, re.MULTILINE)[1])

    def cpu_seconds(self) -> float:
        """The CPU time of the process so far."""
        return cpu_of(self.process.pid)

    def both_cpu_seconds(self) -> tuple[float, float]:
        """The CPU time so far of the server and of PostgreSQL, which is 0 if the server uses SQLite."""
        return self.cpu_seconds(), self.cluster.cpu_seconds() if self.cluster else 0.0

    def settle(self, cluster: "Cluster | None" = None, without_audit: bool = False, limit: float = 1_800) -> "Bolts":
        """Waits until the work after the start, such as the audit, is done. Or cancels the audit, which may take very long
        on tables without statistics."""
        self.cluster = cluster
        until, quiet = time.monotonic() + limit, 0
        while quiet < 3:
            before = self.cpu_seconds()
            time.sleep(0.3)
            if without_audit:
                cluster.cancel_audit()
            is_quiet = self.cpu_seconds() - before < 0.03 and not (cluster and cluster.is_busy())
            quiet = quiet + 1 if is_quiet else 0
            if time.monotonic() > until:
                raise Failure(f"the server is still busy {limit:.0f} s after its start")
        return self


def command(url: str, *words: str) -> str:
    """Runs a command of the operator on a database, and returns its output."""
    return run([BINARY, *words, "--database-url", url], env=clean_environment())


class Cluster:
    """A PostgreSQL cluster with default settings and fsync. It is kept in target/bench, so that databases are made once."""

    def __init__(self) -> None:
        folders = [*os.environ["PATH"].split(":"), *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))]
        path = ":".join(folders)
        self.programs = {name: shutil.which(name, path=path) for name in ("initdb", "pg_ctl", "psql", "pgbench", "postgres")}
        missing = [name for name, program in self.programs.items() if not program]
        if missing:
            raise Failure(f"{', '.join(missing)} missing: install PostgreSQL, on Debian by apt-get install postgresql")
        self.version = int(re.search(r"(\d+)", run([self.programs["postgres"], "--version"]))[1])
        self.user = None
        if os.getuid() == 0:
            names = [name for name in ("postgres", "nobody") if self.known(name)]
            self.user = pwd.getpwnam(names[0])
        self.folder = TARGET / f"postgres-{self.version}"

    @staticmethod
    def known(name: str) -> bool:
        """Whether the system has this user."""
        try:
            pwd.getpwnam(name)
        except KeyError:
            return False
        return True

    def as_user(self, program: str, *words: object) -> list:
        """A command line that runs one of the programs as an unprivileged user. PostgreSQL refuses to run as root."""
        prefix = []
        if self.user:
            prefix = ["setpriv", f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"]
        return [*prefix, self.programs[program], *words]

    def own(self, folder: Path) -> None:
        """Makes a folder that belongs to the user of the server."""
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)

    def __enter__(self) -> "Cluster":
        if self.user:
            tool("setpriv", "it is part of util-linux")
        self.own(self.folder)
        # The path of a socket must be short.
        self.sockets = Path(tempfile.mkdtemp(prefix="bolts-bench-"))
        self.own(self.sockets)
        data = self.folder / "data"
        try:
            if not (data / "complete").exists():
                shutil.rmtree(data, ignore_errors=True)
                words = ["--username=bolts", "--auth=trust", "--no-locale", "--encoding=UTF8", "--pgdata", data]
                run(self.as_user("initdb", *words), cwd=self.folder)
                (data / "complete").touch()
            self.stop()
            options = f"-c unix_socket_directories={self.sockets} -c listen_addresses=''"
            words = ["start", "--silent", "--wait", "--timeout=300", "--pgdata", data, "--log", self.folder / "log"]
            started = subprocess.run(
                [str(word) for word in self.as_user("pg_ctl", *words, "--options", options)],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            if started.returncode != 0:
                log = self.folder / "log"
                raise Failure(f"PostgreSQL does not start:\n{log.read_text()[-2000:] if log.exists() else ''}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.sockets, ignore_errors=True)

    def stop(self) -> None:
        """Stops the cluster if it runs, perhaps since a bench that was killed."""
        if (self.folder / "data" / "postmaster.pid").exists():
            words = ["stop", "--silent", "--wait", "--timeout=300", "--mode", "fast", "--pgdata", self.folder / "data"]
            stopped = subprocess.run([str(word) for word in self.as_user("pg_ctl", *words)], cwd=self.folder, capture_output=True)
            if stopped.returncode != 0:
                say(f"PostgreSQL in {self.folder} did not stop: {stopped.stderr.decode()}")

    def url(self, database: str) -> str:
        """The URL of a database."""
        return f"postgres://bolts@/{database}?host={self.sockets}"

    def psql(self, database: str, sql: str) -> str:
        """Runs statements, each in its own transaction, and returns the output."""
        words = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--file", "-"]
        url = self.url(database)
        return run([self.programs["psql"], *words, url], input=sql, env=clean_environment()).strip()

    def has(self, database: str) -> bool:
        """Whether the database exists."""
        return self.psql("postgres", f"SELECT 1 FROM pg_database WHERE datname = '{database}'") == "1"

    def drop(self, database: str) -> None:
        """Removes a database."""
        self.psql("postgres", f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def forget_others(self, version: str) -> None:
        """Removes kept databases of other migrations or another generator, and those of an interrupted bench."""
        named = f"SELECT datname FROM pg_database WHERE (datname LIKE 'data%' AND datname NOT LIKE '%{version}%') OR "
        named += "datname LIKE 'bench%' OR datname LIKE '%new'"
        for database in self.psql("postgres", named).splitlines():
            self.drop(database)

    def clone(self, database: str, source: str = "template0") -> str:
        """A new database with the content of another one. Returns its URL."""
        self.drop(database)
        strategy = " STRATEGY FILE_COPY" if self.version >= 15 else ""
        self.psql("postgres", f"CREATE DATABASE {database} TEMPLATE {source}{strategy}")
        self.psql("postgres", "CHECKPOINT")
        return self.url(database)

    def is_busy(self) -> bool:
        """Whether a statement runs that is not a look at this view."""
        busy = "SELECT count(*) FROM pg_stat_activity WHERE datname IS NOT NULL AND state <> 'idle' AND pid <> pg_backend_pid()"
        return self.psql("postgres", busy) != "0"

    def cpu_seconds(self) -> float:
        """The CPU time of all processes of the cluster so far."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        total = cpu_of(first, with_ended_children=True)
        for child in Path(f"/proc/{first}/task/{first}/children").read_text().split():
            # A process may have ended since the list was read. Its time is then part of the first process.
            with suppress(FileNotFoundError, ProcessLookupError):
                total += cpu_of(int(child))
        return total

    def cancel_audit(self) -> None:
        """Cancels the running statement of an audit. The audit then ends."""
        running = "state = 'active' AND query LIKE 'SELECT violation%'"
        self.psql("postgres", f"SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE {running}")

    def pgbench(self, clients: int, seconds: int, scale: int = 32) -> float:
        """The transactions a second of pgbench's TPC-B with prepared statements."""
        name = f"pgbench_{scale}"
        environment = clean_environment() | {"PGHOST": str(self.sockets), "PGUSER": "bolts"}
        if not self.has(name):
            say(f"making pgbench's database with scale {scale}")
            self.clone(f"{name}_new")
            run([self.programs["pgbench"], "-i", "-q", "-s", scale, f"{name}_new"], env=environment)
            self.psql("postgres", f"ALTER DATABASE {name}_new RENAME TO {name}")
        self.psql("postgres", "CHECKPOINT")
        words = ["-n", "-M", "prepared", "-c", clients, "-j", 2, "-T", seconds, name]
        said = run([self.programs["pgbench"], *words], env=environment, **as_load_tool())
        return float(re.search(r"tps = ([\d.]+)", said)[1])
