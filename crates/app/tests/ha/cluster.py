"""The three nodes with etcd, Patroni and PostgreSQL, the links between them, and HAProxy."""

import asyncio
import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import psycopg2
import yaml

from common import PASSWORD, PATIENCE, Ports, Program, broken, check, wait

ROOT = Path(__file__).resolve().parents[4]
EXAMPLES = ROOT / "packaging" / "ha"

NODES = ["db1", "db2", "db3"]


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
