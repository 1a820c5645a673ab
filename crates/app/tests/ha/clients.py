"""The processes of bolts, and the clients that keep a journal of each confirmed write."""

import contextlib
import http.client
import json
import os
import random
import re
import socket
import subprocess
import threading
import time
from datetime import datetime, timedelta, timezone

from common import PASSWORD, PATIENCE, Ports, Program, check

# The pause of a client between two requests, in seconds. Without it the load would take the processor from the cluster.
BETWEEN = 0.1


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
        status, headers, answer = self.sites[self.home % len(self.sites)].send("GET", path, cookie, timeout=60)
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
