"""Keeps small databases of a release, for the test that migrates them to the newest schema.

    python3 packaging/released.py target/release/bolts target/debug/examples/postgres

Makes the demo, a deposit and a withdrawal of test sats, and stores a SQLite file and a dump of PostgreSQL in
crates/app/tests/released/VERSION. Run it once for each release, with the program of the release.
"""

import gzip
import http.cookiejar
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


class Browser:
    """Requests of a signed-in user."""

    def __init__(self, base):
        self.base = base
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Origin": self.base}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with self.opener.open(request, timeout=30) as answer:
            return json.load(answer)

    def wait(self, path, is_done):
        until = time.monotonic() + 60
        while not is_done(found := self.ask("GET", path)):
            assert time.monotonic() < until, f"{path}: {found}"
            time.sleep(0.2)


def sats(base, password):
    """A paid deposit, an unpaid one, and a withdrawal."""
    ada = Browser(base)
    ada.ask("POST", "/api/auth/login", {"email": "ada@example.com", "password": password})
    deposit = ada.ask("POST", "/api/deposit/create-invoice", {"amount": 5000})
    ada.wait(f"/api/deposit/check-status/{deposit['invoiceId']}", lambda found: found["credited"])
    invoice = ada.ask("POST", "/api/withdrawals/test-invoice", {"amount": 1200})["invoice"]
    withdrawal = ada.ask("POST", "/api/withdrawals", {"invoice": invoice, "password": password})
    ada.wait(f"/api/withdrawals/{withdrawal['id']}", lambda found: found["status"] == "paid")
    ada.ask("POST", "/api/deposit/create-invoice", {"amount": 700})


def fill(bolts, url):
    """The demo with sats. Returns the password of its users."""
    password = re.search(r"password\s+(\S+)", run(bolts, "demo", "--database-url", url)).group(1)
    command = [bolts, "serve", "--bind", "127.0.0.1:0", "--lightning-test-settle-after", "1s", "--database-url", url]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        sats(re.search(r"http://\S+", server.stdout.readline()).group(0), password)
    finally:
        server.terminate()
        server.wait()
    return password


def stored(path, data):
    with gzip.GzipFile(path, "wb", 9, mtime=0) as file:
        file.write(data)
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} KB")


def main():
    bolts, postgres = (os.path.abspath(path) for path in sys.argv[1:3])
    version = run(bolts, "--version").split()[1]
    to = ROOT / "crates" / "app" / "tests" / "released" / version
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bolts.db"
        url = f"sqlite://{file}"
        (to / "password").write_text(fill(bolts, url) + "\n")
        small = Path(folder) / "small.db"
        connection = sqlite3.connect(file)
        connection.execute("VACUUM INTO ?", (str(small),))
        connection.close()
        stored(to / "sqlite.db.gz", small.read_bytes())
        # `copy` refuses a source that was served in the last minute.
        time.sleep(61)
        cluster = subprocess.Popen([postgres], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        target = cluster.stdout.readline().strip()
        run(bolts, "copy", "--from", url, "--to", target)
        dump = run("pg_dump", "--no-owner", "--no-privileges", target)
        cluster.communicate()
    # Newer versions of pg_dump write \\restrict and SET commands that older programs refuse.
    refused = ("\\restrict", "\\unrestrict", "SET transaction_timeout")
    lines = [line for line in dump.splitlines() if not line.startswith(refused)]
    stored(to / "postgresql.sql.gz", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
