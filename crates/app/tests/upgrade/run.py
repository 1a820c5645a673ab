"""Serves one PostgreSQL database with an older version and with this one, under load, and compares it with the clients' journals.

`just upgrade-test OLD=COMMIT` calls this program with the binary of the older version, the binary under test, and a program that
creates a database. The older version begins alone. This version migrates the database while the older one serves, and then
both serve. At last this version serves alone. The clients and their journals are those of the failover test.
"""

import contextlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psycopg2

sys.path.insert(0, str(Path(__file__).parent.parent / "ha"))
from clients import Client, Newcomers, Pair, Site, Tally
from common import PATIENCE, broken, check, say, wait

PAIRS = 4

# The confirmed writes that each process must reach in each part of the test.
WRITES = 200


class Run:
    def __init__(self, old, new, folder, url):
        self.url, self.tally, self.go = url, Tally(), threading.Event()
        self.old, self.new = Site(old, folder, "old", url), Site(new, folder, "new", url)
        self.sites = [self.old]
        # The database is removed with the folder, and the clients' failures name the seed.
        self.random = random.Random(int(time.time_ns()))

    def start(self):
        self.old.program.start()
        wait("the older version serves", self.old.is_ready)
        root = Client(self.sites, 0, self.tally, self.go).sign_up("root@example.com")
        self.old.command("admin", "grant", "root@example.com")
        rest = lambda number: (self.sites, number, self.tally, self.go)
        self.pairs = [Pair(number, self.random.random(), root, *rest(number)) for number in range(PAIRS)]
        self.newcomers, self.root = Newcomers(*rest(1)), root
        # A client begins with the process of its number, as soon as there are two.
        for number, client in enumerate((*self.pairs, self.newcomers)):
            client.home = number
            broken.thread(client.run)

    def load(self, *sites):
        """Lets the clients work until each of these processes has confirmed enough writes."""
        goals = [(site, len(site.confirmed) + WRITES) for site in sites]
        self.go.set()
        wait(f"{WRITES} writes by each process", lambda: all(len(site.confirmed) >= goal for site, goal in goals), 10 * PATIENCE)

    def compare(self, auditor):
        """Compares the site with the journals, while the clients rest."""
        self.go.clear()
        for client in (*self.pairs, self.newcomers):
            wait("the clients rest", lambda: client.lock.acquire(timeout=1))
            client.lock.release()
        for site in self.sites:
            for pair in self.pairs:
                pair.home = self.sites.index(site)
                pair.compare()
        for number, pair in enumerate(self.pairs):
            pair.home = number
        with contextlib.closing(psycopg2.connect(self.url)) as connection:
            self.newcomers.compare(connection)
        auditor.command("audit")

    def hints(self):
        """A change at one process reaches an open page of the other one."""
        for here, there in ((self.old, self.new), (self.new, self.old)):
            connection, lines = there.events(self.root)
            with contextlib.closing(connection):
                body = {"userEmail": "root@example.com", "amount": 1}
                check(here.send("POST", "/api/admin/deposit-bolts", self.root, body)[0] == 200, "Bolts for root")
                check(any(line.startswith("event: ") for line in lines), f"an event of {here.name} reaches {there.name}")

    def work(self):
        self.start()
        self.load(self.old)
        self.compare(self.old)
        alone = len(self.old.confirmed)
        missing = subprocess.run([self.new.binary, "migrate", "--check", "--database-url", self.url], capture_output=True, text=True)
        migrations = missing.stdout.count("would apply")
        check(migrations > 0, f"the older version lacks no migration, so this test shows nothing: {missing.stdout}{missing.stderr}")
        self.go.set()
        began = time.monotonic()
        self.new.program.start()
        wait("the new version serves", self.new.is_ready)
        took, meanwhile = time.monotonic() - began, len(self.old.confirmed) - alone
        self.sites.append(self.new)
        self.load(self.old, self.new)
        self.hints()
        self.compare(self.new)
        say(f"ok: {migrations} migrations while the older version served and confirmed {meanwhile} writes in {took:.1f} s; then both "
            f"served: {len(self.old.confirmed) - alone - meanwhile} and {len(self.new.confirmed)} writes, all there, audit clean")
        # Without the older version, the clients go on with the new one.
        self.old.program.kill(signal.SIGTERM)
        check(self.old.program.process.wait(PATIENCE) == 0, "the older version ends cleanly")
        self.sites.remove(self.old)
        self.load(self.new)
        self.compare(self.new)
        tally = self.tally
        say(f"ok: {tally.confirmed} writes confirmed, {tally.had + tally.had_not} of them repeated; {tally.signed_up} sign-ups; none lost, "
            f"none had two effects")


def main():
    old, new, create = (str(Path(word).resolve()) for word in sys.argv[1:])
    versions = [subprocess.run([binary, "--version"], capture_output=True, text=True).stdout.strip() for binary in (old, new)]
    say(f"{versions[0]} beside {versions[1]}")
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen([create], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as database:
        run = Run(old, new, Path(folder), database.stdout.readline().strip())
        try:
            run.work()
        except BaseException:
            for site in (run.old, run.new):
                if site.program.log.exists():
                    say(f"--- the log of {site.name}\n{site.program.log.read_text(errors='replace')[-4000:]}")
            raise
        finally:
            run.go.clear()
            run.old.program.end()
            run.new.program.end()
            database.stdin.close()


if __name__ == "__main__":
    main()
