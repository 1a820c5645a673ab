"""Takes the primary of a PostgreSQL cluster away under load, again and again, and compares the site with the clients' journals.

`just ha-test` calls this program with the binary under test and the folder of the Debian packages. The cluster has three nodes
of etcd, Patroni and PostgreSQL on loopback, with the settings of `packaging/ha`. One `bolts serve` reaches the primary through
HAProxy, another by several hosts in the URL. `TIMES=20` and `SEED=…` are read from the environment.
"""

import asyncio
import contextlib
import http.client
import json
import os
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

import psycopg2
import yaml

ROOT = Path(__file__).resolve().parents[4]
EXAMPLES = ROOT / "packaging" / "ha"

TIMES = int(os.environ.get("TIMES", "3"))
SEED = int(os.environ.get("SEED", time.time_ns() % 1_000_000))

# The longest time without a confirmed write, in seconds.
BAR = 30

# The patience with everything else, such as the start of a node on a busy machine, in seconds.
PATIENCE = 120

# The clients: pairs of users that bet with each other, half of them at each process.
PAIRS = 4

# The pause of a client between two requests, in seconds. Without it the load would take the processor from the cluster.
BETWEEN = 0.1

# The statement time-out of bolts is 15 s. Without a standby, no write may be confirmed even after this time, in seconds.
WITHOUT_STANDBY = 20

# The fault of each round. The first three are one of each kind, and every fourth freezes the primary.
KINDS = ["kill", "cut off", "switchover", "freeze"]

PASSWORD = "correct horse"
NODES = ["db1", "db2", "db3"]

# All servers are on loopback, so the proxy settings of the environment must not apply.
WITHOUT_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Broken(Exception):
    """A check has failed."""


def say(line):
    print(line, flush=True)


def check(holds, what):
    if not holds:
        raise Broken(what)


def wait(what, condition, patience=PATIENCE):
    """Waits until the condition gives something. An exception of the network counts as nothing."""
    deadline = time.monotonic() + patience
    while True:
        broken.raise_first()
        with contextlib.suppress(OSError, psycopg2.Error, http.client.HTTPException, ValueError):
            if found := condition():
                return found
        if time.monotonic() > deadline:
            raise Broken(f"not within {patience} s: {what}")
        time.sleep(0.1)


class Failures:
    """The failures of the threads. The main thread raises the first one."""

    def __init__(self):
        self.found = []

    def raise_first(self):
        if self.found:
            raise self.found[0]

    def thread(self, work):
        def run():
            try:
                work()
            except Exception as error:
                self.found.append(error)

        started = threading.Thread(target=run, daemon=True)
        started.start()
        return started


broken = Failures()


class Ports:
    """Free ports below the range from which Linux takes the ports of clients."""

    taken = set()

    @classmethod
    def free(cls):
        for port in range(12_000 + os.getpid() % 4_000, 32_000):
            if port in cls.taken:
                continue
            with socket.socket() as probe, contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                cls.taken.add(port)
                return port
        raise Broken("no port is free")


class Links:
    """TCP connections between nodes, which can be cut: a cut link stays open and swallows what is sent."""

    def __init__(self):
        self.loop, self.cut, self.open = asyncio.new_event_loop(), set(), {}
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def to(self, port, name):
        """A new port that leads to this one."""
        here = Ports.free()
        serve = asyncio.start_server(lambda *ends: self.carry(name, port, *ends), "127.0.0.1", here)
        asyncio.run_coroutine_threadsafe(serve, self.loop).result()
        return here

    async def carry(self, name, port, reader, writer):
        ends, me = [writer], asyncio.current_task()
        self.open[me] = name

        async def pump(source, target):
            while data := await source.read(65536):
                if name not in self.cut:
                    target.write(data)
                    await target.drain()

        try:
            while name in self.cut:
                await asyncio.sleep(0.1)
            behind, before = await asyncio.open_connection("127.0.0.1", port)
            ends.append(before)
            pumps = [asyncio.ensure_future(pump(*way)) for way in ((reader, before), (behind, writer))]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                [one.cancel() for one in pumps]
                await asyncio.gather(*pumps, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self.open.pop(me, None)
            [end.close() for end in ends]

    def break_off(self, *names):
        self.cut |= set(names)

    def mend(self):
        """Joins the links again. The connections that lost bytes are closed."""
        names, self.cut = self.cut, set()
        self.loop.call_soon_threadsafe(lambda: [task.cancel() for task, name in list(self.open.items()) if name in names])


class Program:
    """A process with its log."""

    def __init__(self, name, words, folder, **variables):
        self.name, self.words, self.variables, self.log = name, [str(word) for word in words], variables, folder / f"{name}.log"
        self.process = None

    def start(self):
        with self.log.open("a") as log:
            self.process = subprocess.Popen(self.words, env=os.environ | self.variables, stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, start_new_session=True, cwd=self.log.parent)
        return self

    def kill(self, how=signal.SIGKILL):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)

    def end(self, how=signal.SIGKILL):
        self.kill(how)
        if self.process:
            self.process.wait(60)


def ask(port, path):
    """The JSON of Patroni's REST API, also with a status such as 503."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    with contextlib.closing(connection):
        connection.request("GET", path)
        return json.loads(connection.getresponse().read() or b"null")


class Node:
    """A machine: etcd, Patroni and PostgreSQL."""

    def __init__(self, cluster, name):
        self.cluster, self.name, self.folder = cluster, name, cluster.folder / name
        self.folder.mkdir()
        self.sql, self.rest, self.etcd, self.peer = (Ports.free() for _ in range(4))
        # The other nodes reach this node through links, and this node reaches each etcd through a link of its own.
        self.sql_link, self.rest_link = (cluster.links.to(port, f"to {name}") for port in (self.sql, self.rest))

    def prepare(self):
        nodes = self.cluster.nodes
        here = f"http://127.0.0.1:{self.etcd}"
        words = [
            "etcd", "--name", self.name, "--data-dir", self.folder / "etcd", "--listen-client-urls", here,
            "--advertise-client-urls", here, "--listen-peer-urls", f"http://127.0.0.1:{self.peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{self.peer}", "--initial-cluster-token", "bolts",
            "--initial-cluster", ",".join(f"{node.name}=http://127.0.0.1:{node.peer}" for node in nodes),
            "--enable-v2=true",
            # A busy machine answers late.
            "--heartbeat-interval", "200", "--election-timeout", "2000", "--log-level", "warn",
        ]
        self.keeper = Program(f"etcd-{self.name}", words, self.cluster.folder)
        etcds = [f"127.0.0.1:{self.cluster.links.to(node.etcd, f'etcd of {self.name}')}" for node in nodes]
        config = yaml.safe_load((EXAMPLES / "patroni.yml").read_text())
        config["name"] = self.name
        config["restapi"] = {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.rest_link}"}
        # Patroni must keep to the links instead of the addresses that etcd names.
        config["etcd"] = {"hosts": etcds, "use_proxies": True}
        # A test has no watchdog: it would restart this machine.
        config["watchdog"] = {"mode": "off"}
        sql = config["postgresql"]
        sql |= {
            "listen": f"127.0.0.1:{self.sql}", "connect_address": f"127.0.0.1:{self.sql_link}", "data_dir": f"{self.folder}/data",
            "bin_dir": str(self.cluster.bin), "pgpass": f"{self.folder}/pgpass",
            "parameters": {"unix_socket_directories": str(self.folder)},
            "pg_hba": [line.replace("10.0.0.0/24", "127.0.0.1/32") for line in sql["pg_hba"]],
        }
        self.config = self.folder / "patroni.yml"
        self.config.write_text(yaml.safe_dump(config))
        self.passwords = sql["authentication"]
        self.patroni = Program(f"patroni-{self.name}", ["/usr/bin/python3", self.cluster.programs / "usr/bin/patroni", self.config],
                               self.cluster.folder)

    def postgres(self):
        """The processes of PostgreSQL, the main process first."""
        try:
            main = (self.folder / "data/postmaster.pid").read_text().split()[0]
        except (OSError, IndexError):
            return []
        try:
            # The number may belong to another process after PostgreSQL's end.
            if "postgres" not in Path(f"/proc/{main}/cmdline").read_text():
                return []
        except OSError:
            return []
        said = subprocess.run(["ps", "--no-headers", "-o", "pid", "--ppid", main], capture_output=True, text=True).stdout
        return [int(one) for one in [main, *said.split()]]

    def signal_postgres(self, how):
        for process in self.postgres():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, how)

    def kill(self):
        """The machine is gone."""
        self.keeper.end()
        self.patroni.end()
        self.signal_postgres(signal.SIGKILL)
        wait(f"PostgreSQL of {self.name} has ended", lambda: not self.postgres())

    def start(self):
        self.keeper.start()
        self.patroni.start()

    def freeze(self, how=signal.SIGSTOP):
        self.patroni.kill(how)
        self.signal_postgres(how)

    def connect(self, database="probe"):
        login = self.passwords["superuser"]
        connection = psycopg2.connect(host="127.0.0.1", port=self.sql, dbname=database, user=login["username"],
                                      password=login["password"], connect_timeout=2)
        connection.autocommit = True
        return connection


class Watch:
    """Asks every node all the time if it is a primary, and writes to every node that says so.

    A row of the probe has an effect if its INSERT was confirmed. So two nodes are writable at once if rows are confirmed on
    both in turn.
    """

    def __init__(self, nodes):
        self.nodes, self.asked, self.written, self.over = nodes, [], [], False
        self.threads = [broken.thread(lambda work=work, node=node: self.repeat(work, node))
                        for node in nodes for work in (self.look, self.write)]

    def repeat(self, work, node):
        while not self.over:
            with contextlib.suppress(psycopg2.Error, ValueError):
                with contextlib.closing(node.connect()) as connection:
                    work(node, connection)
            time.sleep(0.1)

    def look(self, node, connection):
        with connection.cursor() as cursor:
            while not self.over:
                began = time.monotonic()
                cursor.execute("SELECT pg_is_in_recovery()")
                self.asked.append((node.name, began, time.monotonic(), not cursor.fetchone()[0]))
                time.sleep(0.1)

    def write(self, node, connection):
        with connection.cursor() as cursor:
            while not self.over:
                cursor.execute("SELECT pg_is_in_recovery()")
                if not cursor.fetchone()[0]:
                    began = time.monotonic()
                    cursor.execute("INSERT INTO probe (node) VALUES (%s) RETURNING number", (node.name,))
                    self.written.append((node.name, began, cursor.fetchone()[0]))
                time.sleep(0.1)

    def spells(self, samples):
        """For each node and each time as primary: its name, the begin of its first and the begin of its last sample."""
        spells, current = [], {}
        for name, began, is_primary in sorted(samples, key=lambda sample: sample[1]):
            if not is_primary:
                current.pop(name, None)
            elif name in current:
                current[name][2] = began
            else:
                current[name] = [name, began, began]
                spells.append(current[name])
        return spells

    def doubled(self, since):
        """The seconds after this moment in which two nodes said that they are a primary."""
        spells = self.spells([(name, ended, primary) for name, _, ended, primary in list(self.asked) if ended >= since])
        pairs = [(one, other) for place, one in enumerate(spells) for other in spells[:place] if one[0] != other[0]]
        return max([0, *(min(one[2], other[2]) - max(one[1], other[1]) for one, other in pairs)])

    def check_writes(self, since):
        """After the first row on a new primary, the one before confirms no row that was sent later."""
        spells, order = [], []
        for name, began, _ in sorted((row for row in list(self.written) if row[1] >= since), key=lambda row: row[1]):
            if not order or order[-1] != name:
                order.append(name)
                spells.append((name, began))
        check(len(order) == len(set(order)), f"two nodes confirmed writes in turn: {spells}")

    def check_rows(self, connection):
        # The list is older than the query: rows that are confirmed meanwhile are not in its result.
        confirmed = list(self.written)
        with connection.cursor() as cursor:
            cursor.execute("SELECT number FROM probe")
            there = {row[0] for row in cursor.fetchall()}
        lost = [row for row in confirmed if row[2] not in there]
        check(not lost, f"confirmed rows of the probe are lost: {lost[:5]}")
        return len(there)


class Cluster:
    """The three nodes, HAProxy, and what is known of them."""

    def __init__(self, folder, programs):
        self.folder, self.programs, self.links = folder, programs, Links()
        versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        check(versions, "there is no PostgreSQL in /usr/lib/postgresql")
        self.bin = versions[-1]
        self.nodes = [Node(self, name) for name in NODES]
        self.by_name = {node.name: node for node in self.nodes}
        self.watch, self.proxy_port = None, Ports.free()

    def start(self):
        [node.prepare() for node in self.nodes]
        [node.start() for node in self.nodes]
        wait("the cluster is whole", self.is_whole)
        with contextlib.closing(self.primary().connect("postgres")) as connection, connection.cursor() as cursor:
            cursor.execute(f"CREATE ROLE bolts LOGIN PASSWORD '{PASSWORD}'")
            cursor.execute("CREATE DATABASE bolts OWNER bolts TEMPLATE template0")
            cursor.execute("CREATE DATABASE probe")
        with contextlib.closing(self.primary().connect()) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE TABLE probe (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, node TEXT NOT NULL)")
        config = (EXAMPLES / "haproxy.cfg").read_text().replace("bind 127.0.0.1:5000", f"bind 127.0.0.1:{self.proxy_port}")
        for node in self.nodes:
            config, found = re.subn(rf"server {node.name} \S+ check port \d+",
                                    f"server {node.name} 127.0.0.1:{node.sql} check port {node.rest}", config)
            check(found == 1, f"haproxy.cfg has no line for {node.name}")
        (path := self.folder / "haproxy.cfg").write_text(config)
        self.proxy = Program("haproxy", ["haproxy", "-db", "-f", path], self.folder).start()
        # HAProxy takes every node for a primary until its first checks.
        wait("HAProxy knows the primary", lambda: self.proxy.log.read_text().count("is DOWN") == 2)
        self.watch = Watch(self.nodes)

    def members(self, node):
        return {one["name"]: one for one in ask(node.rest, "/cluster")["members"]}

    def primary(self, without=None):
        """The node that is the leader in the eyes of Patroni and a primary in its own."""
        for node in self.nodes:
            if node is without:
                continue
            with contextlib.suppress(OSError, KeyError, ValueError, http.client.HTTPException):
                leaders = [name for name, one in self.members(node).items() if one["role"] == "leader"]
                if len(leaders) == 1 and self.by_name[leaders[0]] is not without:
                    leader = self.by_name[leaders[0]]
                    with contextlib.closing(leader.connect("postgres")) as connection, connection.cursor() as cursor:
                        cursor.execute("SELECT NOT pg_is_in_recovery()")
                        if cursor.fetchone()[0]:
                            return leader
        return None

    def is_whole(self):
        """Three nodes run on one timeline, and one of them is a synchronous standby."""
        members = self.members(self.nodes[0])
        return (
            sorted(members) == NODES and {one["state"] for one in members.values()} <= {"running", "streaming"}
            and sorted(one["role"] for one in members.values()) == ["leader", "replica", "sync_standby"]
            and len({one.get("timeline") for one in members.values()}) == 1 and self.primary()
        )

    def urls(self):
        """The URL through HAProxy, and the URL with several hosts."""
        login = f"bolts:{PASSWORD.replace(' ', '%20')}"
        hosts = ",".join(f"127.0.0.1:{node.sql}" for node in self.nodes)
        return [f"postgres://{login}@127.0.0.1:{self.proxy_port}/bolts?target_session_attrs=read-write",
                f"postgres://{login}@{hosts}/bolts?target_session_attrs=read-write"]

    def switch_over(self, leader):
        words = ["/usr/bin/python3", self.programs / "usr/bin/patronictl", "-c", leader.config, "switchover", "bolts",
                 "--leader", leader.name, "--force"]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE)
        check(done.returncode == 0 and "Successfully" in done.stdout, f"patronictl: {done.stdout}{done.stderr}")

    def stop(self):
        if self.watch:
            self.watch.over = True
        for node in self.nodes:
            with contextlib.suppress(AttributeError):
                node.freeze(signal.SIGCONT)
                node.patroni.end()
                node.keeper.end()
            node.signal_postgres(signal.SIGKILL)
        with contextlib.suppress(AttributeError):
            self.proxy.end()


class Site:
    """A `bolts serve` and the time of each write that it confirmed."""

    def __init__(self, binary, folder, name, url):
        self.binary, self.url, self.name, self.port, self.confirmed = binary, url, name, Ports.free(), []
        # True while a frozen primary wakes up: for a moment it answers reads with what it knew before.
        self.may_be_stale = False
        words = [binary, "serve", "--bind", f"127.0.0.1:{self.port}", "--log", "info", "--signups-per-hour", "0",
                 "--signins-per-minute", "0", "--bets-per-hour", "0", "--writes-per-minute", "0", "--workers", "2"]
        self.program = Program(f"bolts-{name}", words, folder, BOLTS_DATABASE_URL=url)

    def is_ready(self):
        return self.send("GET", "/readyz", None)[0] == 200

    def command(self, *words):
        done = subprocess.run([self.binary, *words], env=os.environ | {"BOLTS_DATABASE_URL": self.url}, capture_output=True, text=True)
        check(done.returncode == 0, f"bolts {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def send(self, method, path, cookie, body=None, key=None, timeout=8):
        """The status, the headers and the JSON of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        headers |= {"Cookie": cookie} if cookie else {}
        headers |= {"Idempotency-Key": key} if key else {}
        with contextlib.closing(connection):
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            said = answer.read()
            is_json = "json" in (answer.headers.get("Content-Type") or "")
            return answer.status, answer.headers, json.loads(said) if is_json else said

    def events(self, cookie):
        """An open stream of events, after its greeting."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=15)
        connection.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {cookie}\r\n\r\n".encode())
        lines = connection.makefile("r")
        check(any(line.startswith("event: last-hint") for line in lines), "the stream of events begins")
        return connection, lines


class Tally:
    def __init__(self):
        self.confirmed = self.had = self.had_not = self.signed_up = self.stale = 0


class Client:
    """What all clients have in common: a request is repeated until it is confirmed, in turn at both processes."""

    def __init__(self, sites, home, tally, go):
        self.sites, self.home, self.tally, self.go, self.lock = sites, home, tally, go, threading.Lock()

    def until_confirmed(self, method, path, cookie, body, key=None, fine=()):
        """The answer, and whether it is the stored answer of an earlier request."""
        tries, deadline = 0, time.monotonic() + PATIENCE
        while True:
            site = self.sites[(self.home + tries) % len(self.sites)]
            sent, tries = time.monotonic(), tries + 1
            try:
                status, headers, answer = site.send(method, path, cookie, body, key)
            except (OSError, http.client.HTTPException):
                status = None
            if status is not None and (200 <= status < 300 or status in fine and tries > 1):
                site.confirmed.append((sent, time.monotonic()))
                self.tally.confirmed += 1
                had = "Idempotent-Replayed" in headers or status in fine
                check(tries > 1 or not had, f"the first {path} with {key} had happened before")
                if tries > 1:
                    self.tally.had += had
                    self.tally.had_not += not had
                return answer, headers
            if site.may_be_stale and status in (404, 409):
                self.tally.stale += 1
                status = None
            check(status in (None, 503), f"{method} {path} {body}, try {tries} at {site.name}: {status} {answer if status else ''}")
            check(time.monotonic() < deadline, f"{path} is not confirmed within {PATIENCE} s")
            time.sleep(0.2)

    def sign_up(self, email):
        # The password hash takes long in a debug build. A repeat finds the account if the first try had happened.
        answer, headers = self.until_confirmed("POST", "/api/auth/register", None, {"email": email, "password": PASSWORD}, fine=(409,))
        cookies = [cookie.split(";")[0] for cookie in headers.get_all("Set-Cookie") or []]
        return next((cookie for cookie in cookies if cookie.startswith("bolts=")), None)

    def run(self):
        while True:
            self.go.wait()
            with self.lock:
                if self.go.is_set():
                    self.step()
            time.sleep(BETWEEN)


class Newcomers(Client):
    """Signs up one user after the other."""

    def __init__(self, *rest):
        super().__init__(*rest)
        self.emails = []

    def step(self):
        email = f"newcomer{len(self.emails)}@example.com"
        self.sign_up(email)
        self.emails.append(email)
        self.tally.signed_up += 1
        time.sleep(0.5)

    def compare(self, connection):
        with connection.cursor() as cursor:
            cursor.execute("SELECT email FROM users WHERE email LIKE 'newcomer%'")
            there = sorted(row[0] for row in cursor.fetchall())
        check(there == sorted(self.emails), f"sign-ups: {set(self.emails) ^ set(there)}")


class Pair(Client):
    """Two users who bet with each other. Nobody else moves their Bolts, so their journal says all of their state."""

    def __init__(self, number, seed, root, *rest):
        super().__init__(*rest)
        self.random, self.root, self.name, self.requests = random.Random(seed), root, f"maker{number}@example.com", 0
        self.maker, self.taker = (self.sign_up(f"{role}{number}@example.com") for role in ("maker", "taker"))
        check(self.maker and self.taker, "the first users are signed in")
        self.bets, self.ids, self.current = {}, {}, None
        self.balances = self.observe()[0]

    def step(self):
        self.requests += 1
        key, money = f"{self.name} {self.requests}", {}
        send = lambda path, cookie, body: self.until_confirmed("POST", path, cookie, body, key)[0]
        title = self.current
        stage = self.bets[title][1] if title else None
        # Some bets are left as they are, so that there are bets in every status.
        if title is None or stage == "resolved" or self.random.random() < 0.1:
            poor = next((place for place in (0, 1) if self.balances[place] < 20), None)
            if poor is not None:
                amount, email = self.random.randint(50, 200), self.name.replace("maker", ("maker", "taker")[poor])
                send("/api/admin/deposit-bolts", self.root, {"userEmail": email, "amount": amount})
                money[poor] = amount
            else:
                stake, title = self.random.randint(1, 5), f"Bet {self.requests} of {self.name}"
                self.ids[title] = send("/api/bets", self.maker, new_bet(title, stake))["id"]
                self.bets[title], self.current, money[0] = [stake, "pending"], title, -stake
        elif stage == "pending":
            send("/api/bets/accept", self.taker, {"betId": self.ids[title], "chosenOption": "B"})
            self.bets[title][1], money[1] = "accepted", -against(self.bets[title][0])
        elif stage == "accepted":
            send(f"/api/bets/{self.ids[title]}/propose-resolution", self.maker, {"winningOption": "A"})
            self.bets[title][1] = "awaiting_resolution"
        else:
            send(f"/api/bets/{self.ids[title]}/respond-resolution", self.taker, {"accept": True})
            stake = self.bets[title][0]
            self.bets[title][1], money[0] = "resolved", stake + against(stake)
        for place, amount in money.items():
            self.balances[place] += amount

    def get(self, path, cookie):
        status, headers, answer = self.sites[self.home].send("GET", path, cookie, timeout=60)
        check(status == 200, f"{path}: {status} {answer}")
        return answer, headers

    def observe(self):
        """The balances and the bets, as the server says."""
        balances = [self.get("/api/auth/user", cookie)[0]["boltsBalance"] for cookie in (self.maker, self.taker)]
        bets, path = {}, "/api/bets/my?limit=100"
        while path:
            page, headers = self.get(path, self.maker)
            for bet in page:
                check(bet["title"] not in bets, f"{bet['title']} was created twice")
                bets[bet["title"]] = [bet["stakeAmount"], bet["status"]]
            path = next(iter(re.findall(r"<([^>]+)>", headers.get("Link") or "")), None)
        return balances, bets

    def compare(self):
        balances, bets = self.observe()
        other = {title: (self.bets.get(title), bets.get(title)) for title in self.bets | bets if self.bets.get(title) != bets.get(title)}
        check(not other, f"{self.name}, by the journal and by the site: {other}")
        check(balances == self.balances, f"the balances of {self.name}: {self.balances} by the journal, {balances} by the site")


def against(stake):
    """The taker's stake. It differs from the maker's, so that no stake can stand for the other one."""
    return 2 * stake + 1


def new_bet(title, stake):
    expires = datetime.now(timezone.utc) + timedelta(hours=12)
    return {"title": title, "optionA": "Snow", "optionB": "No snow", "stakeAmount": stake, "opponentStake": against(stake),
            "resolutionMethod": "Mutual Agreement", "creatorOption": "A", "expiresAt": expires.isoformat()}


class Run:
    def __init__(self, binary, folder, programs):
        self.binary, self.folder, self.cluster = binary, folder, Cluster(folder, programs)
        self.sites, self.tally, self.go, self.random = [], Tally(), threading.Event(), random.Random(SEED)
        self.gaps = {}

    def start(self):
        self.cluster.start()
        for name, url in zip(("haproxy", "hosts"), self.cluster.urls()):
            site = Site(self.binary, self.folder, name, url)
            site.program.start()
            self.sites.append(site)
        for site in self.sites:
            wait(f"bolts by {site.name} serves", site.is_ready, 60)
        first = Client(self.sites, 0, self.tally, self.go)
        self.root = first.sign_up("root@example.com")
        self.sites[0].command("admin", "grant", "root@example.com")
        rest = lambda number: (self.sites, number % 2, self.tally, self.go)
        self.pairs = [Pair(number, self.random.random(), self.root, *rest(number)) for number in range(PAIRS)]
        self.newcomers = Newcomers(*rest(1))
        for client in (*self.pairs, self.newcomers):
            broken.thread(client.run)
        self.load()

    def load(self, since=None, sites=None):
        """Lets the clients work until each process has confirmed writes that were sent after this time."""
        self.go.set()
        since = since or time.monotonic()
        wait("writes are confirmed", lambda: all(len(sent_after(site, since)) >= 5 for site in sites or self.sites))

    def pause(self):
        """Stops the clients. Returns after their last request is confirmed."""
        self.go.clear()
        for client in (*self.pairs, self.newcomers):
            wait("the clients rest", lambda: client.lock.acquire(timeout=1))
            client.lock.release()

    def compare(self):
        """Compares the site with the journals."""
        self.pause()
        for pair in self.pairs:
            pair.compare()
        primary = wait("there is a primary", self.cluster.primary)
        with contextlib.closing(primary.connect("bolts")) as connection:
            self.newcomers.compare(connection)
        with contextlib.closing(primary.connect()) as connection:
            self.cluster.watch.check_rows(connection)
        self.hints()
        self.sites[0].command("audit")
        self.go.set()

    def hints(self):
        """A change at one process reaches an open page of the other one."""
        for here, there in (self.sites, self.sites[::-1]):
            def arrives():
                connection, lines = there.events(self.root)
                with contextlib.closing(connection):
                    body = {"userEmail": "root@example.com", "amount": 1}
                    check(here.send("POST", "/api/admin/deposit-bolts", self.root, body)[0] == 200, "Bolts for root")
                    return any(line.startswith("event: ") for line in lines)

            wait(f"an event reaches {there.name}", arrives, 60)

    def without_standby(self):
        """Without a standby no write is confirmed, also after the statement time-out of bolts."""
        leader, links = self.cluster.primary(), self.cluster.links
        links.break_off(f"to {leader.name}")
        # The bytes under way arrive meanwhile.
        time.sleep(1)
        cut = time.monotonic()
        while time.monotonic() < cut + WITHOUT_STANDBY:
            broken.raise_first()
            check(not any(sent_after(site, cut) for site in self.sites), "a write was confirmed without a standby")
            time.sleep(0.5)
        links.mend()
        self.load(time.monotonic())
        wait("the cluster is whole again", self.cluster.is_whole)
        self.compare()
        say(f"ok: without a standby, no write was confirmed for {WITHOUT_STANDBY} s; afterwards all there, audit clean")

    def newcomer_process(self, name):
        """Starts a process while there is no primary, as systemd does: again after each failure."""
        site, starts = Site(self.binary, self.folder, name, self.cluster.urls()[1]), 0
        deadline = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < deadline:
                if site.program.process is None or site.program.process.poll() is not None:
                    starts += 1
                    site.program.start()
                with contextlib.suppress(OSError, http.client.HTTPException):
                    if site.is_ready():
                        return starts
                time.sleep(0.5)
            raise Broken("a process that started during the outage does not serve")
        finally:
            site.program.end()

    def round(self, number, kind):
        cluster, old, links = self.cluster, self.cluster.primary(), self.cluster.links
        self.load()
        time.sleep(self.random.random())
        began, late = time.monotonic(), []
        awake = began
        match kind:
            case "kill":
                old.kill()
                if number == 0:
                    late.append(broken.thread(lambda: late.append(self.newcomer_process("started-during-the-outage"))))
            case "cut off":
                links.break_off(f"etcd of {old.name}", f"to {old.name}")
            case "freeze":
                old.freeze()
            case "switchover":
                cluster.switch_over(old)
        new = wait("there is another primary", lambda: cluster.primary(without=old))
        there = time.monotonic() - began
        # A frozen server keeps connections open and silent, so only HAProxy can know that they are dead.
        first = self.sites[:1] if kind == "freeze" else self.sites
        self.load(time.monotonic(), first)
        match kind:
            case "kill":
                old.start()
            case "cut off":
                links.mend()
            case "freeze":
                self.sites[1].may_be_stale = True
                awake = time.monotonic()
                old.freeze(signal.SIGCONT)
        self.load(time.monotonic())
        wait("the cluster is whole again", cluster.is_whole)
        self.sites[1].may_be_stale = False
        ended = time.monotonic()
        gaps = [longest_gap(site, began, ended) for site in self.sites]
        doubled = cluster.watch.doubled(awake)
        cluster.watch.check_writes(began)
        for site, gap in zip(self.sites, gaps):
            check(gap < BAR or site not in first, f"{kind}: no confirmed write for {gap:.1f} s by {site.name}, the limit is {BAR} s")
            self.gaps.setdefault((kind, site.name), []).append(gap)
        check(doubled == 0 or kind == "freeze", f"{kind}: two nodes were primaries for {doubled:.1f} s")
        self.gaps.setdefault((kind, "doubled"), []).append(doubled)
        if late:
            late[0].join(PATIENCE)
            broken.raise_first()
            say(f"ok: a process that was started during the outage served after {late[1]} starts")
        self.compare()
        twice = f"; two nodes said 'primary' for {doubled:.1f} s" if doubled else ""
        say(f"ok: {number + 1} of {TIMES}, {kind}: {old.name} to {new.name} in {there:.1f} s; longest time without a confirmed write "
            f"{gaps[0]:.1f} s by HAProxy, {gaps[1]:.1f} s by hosts{twice}; whole after {ended - began:.0f} s; "
            f"{self.tally.confirmed} writes confirmed, all there, audit clean")

    def work(self):
        self.start()
        say(f"ok: three nodes, HAProxy, two processes of bolts; SEED={SEED}")
        self.without_standby()
        for number in range(TIMES):
            self.round(number, KINDS[number % len(KINDS)])
        tally = self.tally
        self.compare()
        with contextlib.closing(self.cluster.primary().connect()) as connection:
            rows = self.cluster.watch.check_rows(connection)
        lines = self.sites[1].command("audit").splitlines()
        check(all(line.startswith("ok") for line in lines), f"bolts audit: {lines}")
        say(f"ok: bolts audit, {len(lines)} checks")
        say("| fault | times | longest time without a confirmed write by HAProxy, median and maximum | by several hosts | two primaries |")
        say("|---|---|---|---|---|")
        for kind in KINDS:
            if found := self.gaps.get((kind, "haproxy")):
                middle = lambda gaps: f"{sorted(gaps)[len(gaps) // 2]:.1f} s, {max(gaps):.1f} s"
                say(f"| {kind} | {len(found)} | {middle(found)} | {middle(self.gaps[kind, 'hosts'])} "
                    f"| {max(self.gaps[kind, 'doubled']):.1f} s |")
        say(f"{TIMES} faults: {tally.confirmed} writes confirmed, {tally.signed_up} of them sign-ups; {tally.had + tally.had_not} "
            f"repeated without an answer ({tally.had} had happened, {tally.had_not} had not); {tally.stale} stale refusals by a "
            f"primary that woke up; {rows} rows of the probe; nothing lost, nothing twice, audit clean")

    def stop(self):
        for site in self.sites:
            site.program.end()
        self.cluster.stop()


def sent_after(site, since):
    """The writes that this process confirmed and that were sent after this time. The latest come last."""
    found = []
    for sent, confirmed in reversed(site.confirmed):
        if confirmed < since:
            break
        if sent >= since:
            found.append(confirmed)
    return found[::-1]


def longest_gap(site, began, ended):
    """The longest time without a confirmed write between these two."""
    moments = [began, *sorted(at for _, at in list(site.confirmed) if began <= at <= ended), ended]
    return max(later - earlier for earlier, later in zip(moments, moments[1:]))


def main(binary, programs, folder):
    check(os.access(binary, os.X_OK) and os.access(EXAMPLES / "patroni.yml", os.R_OK),
          f"the user {pwd.getpwuid(os.getuid()).pw_name} cannot read {ROOT}: PostgreSQL does not run as root, so this user runs the test")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    run = Run(binary, folder, programs)
    try:
        run.work()
    except Broken as error:
        sys.exit(f"FAILS: {error}\nThe logs are in {folder}.")
    finally:
        run.stop()
    shutil.rmtree(folder)


if __name__ == "__main__":
    BINARY, PROGRAMS, FOLDER = (Path(word).resolve() for word in sys.argv[1:4])
    if os.geteuid() == 0:
        # PostgreSQL does not run as root.
        os.chmod(FOLDER, 0o711)
        owner = next(pwd.getpwnam(name) for name in ("postgres", "nobody") if name in [one.pw_name for one in pwd.getpwall()])
        os.chown(FOLDER, owner.pw_uid, owner.pw_gid)
        os.chdir(FOLDER)
        os.execvp("setpriv", ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", sys.executable,
                              "-B", __file__, *map(str, (BINARY, PROGRAMS, FOLDER))])
    main(BINARY, PROGRAMS, FOLDER)
