"""The servers of the proxy test: PostgreSQL, two processes of Bolts, Caddy and nginx. All are on loopback."""

import contextlib
import os
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
CONFIGURATIONS = ROOT / "packaging" / "proxy"

# The name in the example configurations. It is not in the DNS: the clients of the test know its address.
NAME = "bets.example.com"

# The time limit for anything that has to happen, in seconds. The machine may be busy.
PATIENCE = 120

# The time between SIGTERM and the end of a process. It is longer than the interval of Caddy's checks.
DRAIN = "3s"

# The number of sign-ins of a network and minute.
SIGNINS = 5

# All servers are on loopback, so the proxy settings of the environment must not apply.
WITHOUT_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Failure(Exception):
    """A check that failed."""


def need(condition, what):
    if not condition:
        raise Failure(what)


def wait_until(condition, what, limit=PATIENCE):
    """Waits until the condition holds. Returns its value."""
    deadline = time.monotonic() + limit
    while not (value := condition()):
        need(time.monotonic() < deadline, f"{what}: not within {limit} s")
        time.sleep(0.05)
    return value


def free_port():
    """A free port that the system gives to no outgoing connection, so that it is still free at a restart."""
    while True:
        port = random.randrange(15_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def is_open(port):
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def run(words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    need(done.returncode == 0, f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


def clean_environment():
    """The environment without settings of Bolts and PostgreSQL."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("BOLTS_", "PG"))}


class Process:
    """A program in the foreground, with its own log. It ends with the test."""

    def __init__(self, name, folder, words):
        self.name, self.path = name, Path(folder, f"{name}.log")
        self.words = [str(word) for word in words]
        self.process = None

    def start(self):
        # A session of its own, so that Ctrl-C reaches only the test, which then stops the program.
        with open(self.path, "a") as log:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=clean_environment(), start_new_session=True
            )

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def log(self):
        return self.path.read_text(errors="replace")

    def stop(self):
        """Ends the program by SIGTERM. Returns its status."""
        if self.runs():
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
        return self.process.wait() if self.process else 0


class Bolts(Process):
    """A process of Bolts on a port that it keeps after a restart."""

    def __init__(self, name, folder, binary, database, public_url):
        self.port = free_port()
        self.base, self.metrics = f"http://127.0.0.1:{self.port}", free_port()
        lifted = ["--signups-per-hour", "0", "--bets-per-hour", "0", "--writes-per-minute", "0"]
        super().__init__(name, folder, [
            binary, "serve", "--bind", f"127.0.0.1:{self.port}", "--database-url", database, "--public-url", public_url,
            "--trusted-proxies", "127.0.0.1", "--signins-per-minute", SIGNINS, "--drain-for", DRAIN,
            "--metrics-bind", f"127.0.0.1:{self.metrics}", *lifted,
        ])

    def ready(self):
        need(self.runs(), f"{self.name} ended:\n{self.log()[-3000:]}")
        try:
            with WITHOUT_PROXY.open(f"{self.base}/readyz", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def begin(self):
        """Starts the process and waits until it is ready. Returns the seconds that this took."""
        started = time.monotonic()
        self.start()
        wait_until(self.ready, f"{self.name} is ready")
        return time.monotonic() - started

    def serves(self, route):
        """Whether the process has answered a request of this route since its start."""
        with WITHOUT_PROXY.open(f"http://127.0.0.1:{self.metrics}/metrics", timeout=30) as answer:
            return f'route="{route}"' in answer.read().decode()

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Cluster:
    """A PostgreSQL cluster in a temporary folder."""

    def __init__(self, folder):
        path = ":".join([os.environ["PATH"], *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))])
        self.programs = {name: shutil.which(name, path=path) for name in ("initdb", "pg_ctl", "psql")}
        need(all(self.programs.values()), f"PostgreSQL's programs are missing: {self.programs}")
        # PostgreSQL refuses to run as root.
        user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        self.prefix = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"] if user else []
        # The path of a socket must be short, and the user of the server must be able to reach it.
        self.folder = Path(tempfile.mkdtemp(prefix="bolts-proxy-"))
        if user:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.data, self.log = self.folder / "data", Path(folder, "postgres.log")
        self.url = f"postgres://bolts@/postgres?host={self.folder}"

    def start(self):
        words = ["--username=bolts", "--auth=trust", "--no-locale", "--encoding=UTF8", "--pgdata", self.data]
        run([*self.prefix, self.programs["initdb"], *words], cwd=self.folder)
        options = f"-c unix_socket_directories={self.folder} -c listen_addresses=''"
        words = ["start", "--silent", "--wait", f"--timeout={PATIENCE}", "--pgdata", self.data, "--log", self.folder / "log"]
        command = [*self.prefix, self.programs["pg_ctl"], *words, "--options", options]
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        done = subprocess.run([str(word) for word in command], cwd=self.folder, start_new_session=True, **quiet)
        need(done.returncode == 0, "PostgreSQL does not start")

    def create(self, name):
        """A new database. Returns its URL."""
        run([self.programs["psql"], "--no-psqlrc", "--quiet", self.url, "--command", f"CREATE DATABASE {name}"])
        return self.url.replace("/postgres?", f"/{name}?")

    def stop(self):
        if (self.data / "postmaster.pid").exists():
            words = ["stop", "--silent", "--wait", f"--timeout={PATIENCE}", "--mode", "fast", "--pgdata", self.data]
            subprocess.run([str(word) for word in [*self.prefix, self.programs["pg_ctl"], *words]], cwd=self.folder)
        if (self.folder / "log").exists():
            shutil.copyfile(self.folder / "log", self.log)
        shutil.rmtree(self.folder, ignore_errors=True)


def certificate(folder):
    """A certificate for the name of the site, and its key."""
    pair = Path(folder, "cert.pem"), Path(folder, "key.pem")
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-out", pair[0], "-keyout", pair[1]])
    return pair


def adapted(file, changes):
    """The text of an example, with other ports and paths. Each text that is replaced must be in the example."""
    text = (CONFIGURATIONS / file).read_text()
    for old, new in changes.items():
        need(text.count(old) == 1, f"{file} contains {old!r} {text.count(old)} times")
        text = text.replace(old, new)
    return text


def program(name):
    """The program of the system, or the one that `just proxy-test` unpacked from its package."""
    places = [ROOT / "target" / "proxies" / "usr" / part for part in ("bin", "sbin")]
    path = ":".join([os.environ["PATH"], "/usr/sbin", *map(str, places)])
    return shutil.which(name, path=path) or need(False, f"{name} is missing: `just proxy-test` gets it")


class Proxy(Process):
    """A proxy with the example configuration of its kind."""

    def __init__(self, folder, words, https, http):
        super().__init__(self.kind, folder, words)
        self.https, self.http = https, http

    def begin(self):
        self.start()
        wait_until(lambda: is_open(self.https) or not self.runs(), f"{self.kind} answers")
        need(self.runs(), f"{self.kind} does not start:\n{self.log()[-3000:]}")


class Caddy(Proxy):
    kind = "Caddy"

    def __init__(self, folder, pair, https, http, backends):
        own = [f"storage file_system {folder}/caddy", "admin off", "default_bind 127.0.0.1", "skip_install_trust"]
        own += [f"https_port {https}", f"http_port {http}"]
        text = adapted("Caddyfile", {
            "\n{\n": "\n{\n" + "".join(f"\t{line}\n" for line in own),
            f"\n{NAME} {{\n": f"\n{NAME} {{\n\ttls {pair[0]} {pair[1]}\n",
            "127.0.0.1:8080": f"127.0.0.1:{backends[0].port}", "127.0.0.1:8081": f"127.0.0.1:{backends[1].port}",
        })
        (path := Path(folder, "Caddyfile")).write_text(text)
        super().__init__(folder, ["env", f"HOME={folder}", program("caddy"), "run", "--config", path,
                                  "--adapter", "caddyfile"], https, http)
        self.version = run([program("caddy"), "version"]).split()[0]


class Nginx(Proxy):
    kind = "nginx"

    def __init__(self, folder, pair, https, http, backends):
        site = adapted("nginx.conf", {
            "listen 80;": f"listen 127.0.0.1:{http};", "listen 443 ": f"listen 127.0.0.1:{https} ",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(pair[0]),
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(pair[1]),
            "/var/log/nginx/access.log": f"{folder}/nginx-access.log", "/var/log/nginx/error.log": f"{folder}/nginx-error.log",
            "127.0.0.1:8080": f"127.0.0.1:{backends[0].port}", "127.0.0.1:8081": f"127.0.0.1:{backends[1].port}",
        })
        Path(folder, "bolts.conf").write_text(site)
        places = "".join(f"{what}_temp_path {folder}/nginx-{what};\n" for what in ("proxy", "fastcgi", "scgi", "uwsgi"))
        # The folder of the test belongs to its user, so the workers must not be another user.
        who = "user root;\n" if os.getuid() == 0 else ""
        (path := Path(folder, "nginx-main.conf")).write_text(
            f"{who}daemon off;\npid {folder}/nginx.pid;\nerror_log stderr info;\nworker_processes 2;\nevents {{}}\nhttp {{\n"
            f"client_body_temp_path {folder}/nginx-body;\n{places}include {folder}/bolts.conf;\n}}\n")
        super().__init__(folder, [program("nginx"), "-e", "stderr", "-p", folder, "-c", path], https, http)
        said = subprocess.run([program("nginx"), "-v"], capture_output=True, text=True).stderr
        self.version = re.search(r"nginx/(\S+)", said)[1]
