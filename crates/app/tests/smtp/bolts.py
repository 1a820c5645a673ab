"""The process of Bolts on one of the two databases, and its users."""

import contextlib
import http.client
import itertools
import json
import os
import re
import signal
import sqlite3
import subprocess
from datetime import datetime, timedelta, timezone
from urllib.parse import quote

from postfix import PASSWORD, SENDER, plain
from servers import PATIENCE, Process, clean_environment, free_port, need, run, wait_until

USER = "bolts@relay.example.com"


class Sqlite:
    name = "SQLite"

    def __init__(self, folder):
        self.path = folder / "bolts.db"
        self.url = f"sqlite://{self.path}"

    def rows(self, statement):
        with contextlib.closing(sqlite3.connect(self.path, timeout=PATIENCE)) as connection, connection:
            return [tuple("" if value is None else str(value) for value in row) for row in connection.execute(statement)]


class Postgres:
    name = "PostgreSQL"

    def __init__(self, cluster):
        self.cluster, self.url = cluster, cluster.create("mails")

    def rows(self, statement):
        said = run([self.cluster.programs["psql"], "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
                    "--field-separator", "\t", self.url, "--command", statement])
        return [tuple(line.split("\t")) for line in said.splitlines()]


class Site(Process):
    """A `bolts serve` that keeps its port and its database."""

    def __init__(self, folder, binary, database, authority):
        self.port, self.metrics_port, self.database, self.binary = free_port(), free_port(), database, binary
        self.origin, self.authority = f"http://127.0.0.1:{self.port}", authority
        super().__init__(f"bolts-{database.name}", folder, [])

    def mail_options(self, relay):
        return ["--smtp-url", relay, "--mail-from", f"Bolts <bolts@{SENDER}>", "--smtp-ca", self.authority]

    def begin(self, relay=None):
        """Starts the process with this relay, or without mails."""
        options = {
            "--bind": f"127.0.0.1:{self.port}", "--metrics-bind": f"127.0.0.1:{self.metrics_port}", "--public-url": self.origin,
            "--database-url": self.database.url, "--signups-per-hour": 0, "--signins-per-minute": 0, "--bets-per-hour": 0,
            "--writes-per-minute": 0,
        }
        words = [self.binary, "serve", *(word for option in options.items() for word in option)]
        self.words = [str(word) for word in [*words, *(self.mail_options(relay) if relay else [])]]
        self.start()
        wait_until(self.ready, "bolts is ready")

    def again(self, relay=None):
        self.stop()
        self.begin(relay)

    def ready(self):
        need(self.runs(), f"bolts ended:\n{self.log()[-3000:]}")
        with contextlib.suppress(OSError):
            return self.send("GET", "/readyz")[0] == 200

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def mail_test(self, relay, to, authority=True):
        """Sends a mail by `bolts mail test`. Returns the exit status and the text."""
        options = self.mail_options(relay)
        words = [self.binary, "mail", "test", to, *(options if authority else options[:-2])]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=clean_environment())
        return done.returncode, (done.stdout + done.stderr).strip()

    def command(self, *words):
        return run([self.binary, *words, "--database-url", self.database.url], env=clean_environment())

    def send(self, method, path, body=None, cookie=None, **headers):
        """The status, the headers and the JSON of the answer. A header that is None is not sent."""
        headers = {"Origin": self.origin, "Content-Type": "application/json", "Cookie": cookie} | headers
        headers = {name: value for name, value in headers.items() if value is not None}
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request(method, path, json.dumps(body) if isinstance(body, dict) else body, headers)
            answer = connection.getresponse()
            said = answer.read()
            is_json = "json" in (answer.headers.get("Content-Type") or "")
            return answer.status, answer.headers, json.loads(said) if is_json else said

    def metrics(self):
        """The metrics of mails: the attempts by their outcome, and the gauges."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.metrics_port, timeout=PATIENCE)) as connection:
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
        found = re.findall(r'^bolts_deliveries_(\w+)\{channel="email"(?:,outcome="(\w+)")?\} (\S+)$', text, re.M)
        return {outcome or name: float(value) for name, outcome, value in found}

    def memory(self):
        """The memory of the process now and at most, in MB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            found = dict(line.split(":", 1) for line in status)
        return tuple(int(found[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))

    def deliveries(self, address, columns="state, attempts, last_error"):
        """The rows of the mails to this address."""
        return self.database.rows(
            f"SELECT {columns} FROM deliveries WHERE address = '{address}' OR user_id = (SELECT id FROM users "
            f"WHERE email = '{address}') ORDER BY seq")


class User:
    """A user of a site, with a session."""

    numbers = itertools.count(1)

    def __init__(self, site, name):
        self.site, self.address = site, f"{name}@example.com"
        status, headers, said = site.send("POST", "/api/auth/register", {"email": self.address, "password": "correct horse"})
        need(status == 201, f"sign-up of {name}: {status} {said}")
        self.cookie = next(cookie.split(";")[0] for cookie in headers.get_all("Set-Cookie") if cookie.startswith("bolts="))

    def call(self, method, path, body=None, status=200):
        got, _, said = self.site.send(method, path, body, self.cookie)
        need(got == status, f"{method} {path} {body}: {got} {said}")
        return said

    def verify(self, postfix):
        """Opens the link of the latest mail that verifies the address, and lets mails come about Bolts."""
        mails = wait_until(lambda: postfix.find(self.address, "Confirm your email address"), f"the first mail to {self.address}")
        token = re.search(r"/mail/verify#([\w-]{43})", plain(mails[-1]))[1]
        status, _, said = self.site.send("POST", "/api/auth/verify-email", {"token": token})
        need(status == 200, f"the link of the mail: {status} {said}")
        self.wants("money", True)

    def wants(self, kind, email):
        kinds = {kind: {"email": email, "push": False, "webhook": False}}
        return self.call("PUT", "/api/notifications/preferences", {"kinds": kinds})

    def email(self):
        return self.call("GET", "/api/auth/email")


class Admin(User):
    """The admin. Each gift of Bolts has another amount, so that its mail can be recognised."""

    def __init__(self, site, name):
        super().__init__(site, name)
        site.command("admin", "grant", self.address)

    def give(self, user):
        """Gives Bolts to a user. Returns the text of the mail."""
        amount = next(self.numbers)
        body = {"userEmail": user.address, "amount": amount}
        self.call("POST", "/api/admin/deposit-bolts", body)
        return f"An admin added {amount:,} Bolts to your balance."


def relay(postfix, port, scheme="smtp", password=PASSWORD, query="?tls=required"):
    """The address of a relay with a sign-in."""
    host = f"localhost:{postfix.ports[port] if isinstance(port, str) else port}"
    return f"{scheme}://{quote(USER, safe='')}:{quote(password, safe='')}@{host}{query if scheme == 'smtp' else ''}"


def plain_relay(port):
    return f"smtp://127.0.0.1:{port}"


def new_bet(title, private=False):
    expiry = datetime.now(timezone.utc) + timedelta(hours=5)
    return {"title": title, "optionA": "Snow", "optionB": "No snow", "stakeAmount": 1, "creatorOption": "A", "isPrivate": private,
            "isPublic": not private, "resolutionMethod": "Mutual Agreement", "expiresAt": expiry.isoformat()}
