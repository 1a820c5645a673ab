"""Takes the primary of a PostgreSQL cluster away under load, again and again, and compares the site with the clients' journals.

`just ha-test` calls this program with the binary under test and the folder of the Debian packages. The cluster has three nodes
of etcd, Patroni and PostgreSQL on loopback, with the settings of `packaging/ha`. One `bolts serve` reaches the primary through
HAProxy, another by several hosts in the URL. `TIMES=20` and `SEED=…` are read from the environment.
"""

import contextlib
import http.client
import os
import pwd
import random
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

from clients import Client, Newcomers, Pair, Site, Tally
from cluster import EXAMPLES, ROOT, Cluster
from common import PATIENCE, Broken, broken, check, say, wait

TIMES = int(os.environ.get("TIMES", "3"))
SEED = int(os.environ.get("SEED", time.time_ns() % 1_000_000))

# The longest time without a confirmed write, in seconds.
BAR = 30

# The clients: pairs of users that bet with each other, half of them at each process.
PAIRS = 4

# The statement time-out of bolts is 15 s. Without a standby, no write may be confirmed even after this time, in seconds.
WITHOUT_STANDBY = 20

# The fault of each round. The first three are one of each kind, and every fourth freezes the primary.
KINDS = ["kill", "cut off", "switchover", "freeze"]


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
