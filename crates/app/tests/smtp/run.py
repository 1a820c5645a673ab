"""Tests mails with Debian's Postfix on loopback, on SQLite and PostgreSQL.

`just smtp-test` calls this program with the binary under test, the folder of the unpacked package, and the number of mails that
are due at once. Postfix runs with its own configuration, queue and mailbox in a temporary folder. Its master process has to run as
root. The logs of all processes are in target/smtp-test-logs.
"""

import os
import shutil
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "proxy"))

import attempts
import content
import crowd
import encryption
from answers import Passwords, Policy, Wire
from postfix import PASSWORD, Postfix
from servers import ROOT, Cluster, Failure, need
from bolts import USER, Admin, Postgres, Site, Sqlite, User, relay

LOGS = ROOT / "target" / "smtp-test-logs"

# From this number of mails on, the test also waits for the lease of a killed process.
LONG = 10_000


class Stage:
    """What the checks use: the relay, the site, its admin, and two users."""

    def __init__(self, stack, folder, binary, programs, database, count):
        self.database, self.count, self.is_long = database, count, count >= LONG
        # The Message-IDs of mails that may come twice.
        self.may_come_twice = set()
        self.policy, self.passwords = Policy(), Passwords(USER, PASSWORD)
        self.postfix = Postfix(folder, programs, self.passwords, self.policy)
        stack.callback(self.postfix.stop)
        self.postfix.begin()
        self.wire = Wire(self.postfix.ports["starttls"])
        self.site = Site(folder, binary, database, self.postfix.authority)
        stack.callback(self.site.stop)
        self.site.begin(relay(self.postfix, self.wire.port))
        self.admin = Admin(self.site, "root")

    def ok(self, what):
        print(f"ok: {self.database.name}: {what}", flush=True)

    def user(self, name):
        """A user whose address is verified."""
        user = User(self.site, name)
        user.verify(self.postfix)
        return user

    def row(self, user):
        """The row of the latest mail to this user."""
        columns = "name", "state", "attempts", "last_error"
        rows = self.site.deliveries(user.address, ", ".join(columns))
        return SimpleNamespace(**dict(zip(columns, rows[-1])))


def checks(stage):
    encryption.check(stage)
    attempts.check(stage)
    content.check(stage)
    crowd.check(stage)
    twice = [name for name in stage.postfix.twice() if name not in stage.may_come_twice]
    need(not twice, f"mails that came twice: {twice}")
    said = stage.site.command("audit").splitlines()
    need(all(line.startswith("ok") for line in said), f"bolts audit: {said}")
    stage.ok(f"{len(stage.postfix.mails()):,} mails in the mailbox, none twice but that of kill -9; audit clean")


def main(binary, programs, count):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    need(os.getuid() == 0, "Postfix needs root to start. It changes nothing on the machine")
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    with ExitStack() as stack:
        cluster = Cluster(LOGS)
        stack.callback(cluster.stop)
        cluster.start()
        for kind in ("sqlite", "postgres"):
            with ExitStack() as inner:
                # The users of Postfix must be able to enter the folder.
                folder = Path(tempfile.mkdtemp(prefix="bolts-smtp-"))
                os.chmod(folder, 0o711)
                inner.callback(keep, folder, kind)
                database = Sqlite(folder) if kind == "sqlite" else Postgres(cluster)
                stage = Stage(inner, folder, binary, programs, database, count)
                print(f"{database.name}: Postfix {stage.postfix.version}, {count:,} due mails", flush=True)
                checks(stage)


def keep(folder, kind):
    """Keeps the logs and the configuration of Postfix."""
    for log in [*folder.glob("*.log"), *folder.glob("etc/*.cf")]:
        shutil.copyfile(log, LOGS / f"{kind}-{log.name}")
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), int(sys.argv[3]))
    except Failure as error:
        sys.exit(f"FAILS: {error}\nThe logs are in {LOGS}.")
