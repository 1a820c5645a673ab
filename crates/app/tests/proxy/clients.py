"""The clients of the proxy test: people with a browser, event streams, and the load."""

import json
import socket
import threading
import time
import uuid
from collections import Counter
from datetime import datetime, timedelta, timezone

import httpx

from servers import NAME, PATIENCE, Failure, need

PASSWORD = "secret-of-the-test"

# The time after which a browser connects an event stream again, as the server's first line says.
RETRY = 2.0

# The statuses with which a proxy or a busy server asks a client to repeat a request.
REPEAT = (502, 503, 504)

_look_up = socket.getaddrinfo


def _know_the_site(host, *more, **options):
    name = host.decode() if isinstance(host, bytes) else host
    return _look_up("127.0.0.1" if name == NAME else host, *more, **options)


socket.getaddrinfo = _know_the_site


class Site:
    """The public address of the site: how a client reaches it."""

    def __init__(self, port, tls):
        self.origin, self.tls = f"https://{NAME}:{port}", tls

    def browser(self, address="127.0.0.1", **headers):
        """A client with a cookie jar. It speaks HTTP/2 and sends from this address of the loopback network."""
        transport = httpx.HTTPTransport(verify=self.tls, http2=True, local_address=address, trust_env=False)
        return httpx.Client(base_url=self.origin, transport=transport, timeout=60,
                            headers={"Origin": self.origin, "Sec-Fetch-Site": "same-origin", **headers})

    def register(self, name):
        browser = self.browser()
        answer = browser.post("/api/auth/register", json={"email": f"{name}@example.com", "password": PASSWORD})
        need(answer.status_code == 201, f"sign-up of {name}: {answer.status_code} {answer.text}")
        return browser


def new_bet(title, stake):
    expiry = datetime.now(timezone.utc) + timedelta(hours=5)
    return {"title": title, "optionA": "Snow", "optionB": "No snow", "stakeAmount": stake, "creatorOption": "A",
            "resolutionMethod": "Mutual Agreement", "expiresAt": expiry.isoformat()}


class Stream(threading.Thread):
    """An event stream of a user. It connects again as a browser does."""

    def __init__(self, site, browser):
        super().__init__(daemon=True)
        # A connection of its own, as a stream does not end.
        self.browser = site.browser()
        self.browser.cookies = browser.cookies
        self.events, self.opened, self.gaps, self.refused = [], 0, [], []
        self.changed, self.ended = threading.Condition(), False
        self.broken_at = None

    def run(self):
        while not self.ended:
            try:
                with self.browser.stream("GET", "/api/events", timeout=httpx.Timeout(30, read=60)) as answer:
                    if answer.status_code != 200:
                        # A browser would not connect again.
                        self.refused.append(answer.status_code)
                    else:
                        self.read(answer)
            except httpx.TransportError:
                pass
            if self.broken_at is None:
                self.broken_at = time.monotonic()
            time.sleep(RETRY)

    def read(self, answer):
        kind = None
        for line in answer.iter_lines():
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                with self.changed:
                    now = time.monotonic()
                    if kind == "last-hint":
                        self.opened += 1
                        if self.broken_at is not None:
                            self.gaps.append(now - self.broken_at)
                            self.broken_at = None
                    self.events.append((now, kind, json.loads(line.removeprefix("data: "))))
                    self.changed.notify_all()

    def wait_open(self):
        with self.changed:
            done = self.changed.wait_for(lambda: self.opened > 0 and self.broken_at is None, PATIENCE)
        need(done, f"the event stream did not open: {self.refused}")

    def wait_for_hint(self, bet, since, limit):
        """Waits for a hint about the bet. Returns the seconds since a time, or `None` after the limit."""
        found = lambda: next((at for at, kind, data in self.events
                              if at >= since and kind == "bet" and data["betId"] == bet), None)
        with self.changed:
            self.changed.wait_for(found, limit)
            at = found()
        return None if at is None else at - since


class Figures:
    """The answers of one phase of the load."""

    def __init__(self, name):
        self.name = name
        self.reads = self.writes = self.bets = self.repeats = 0
        self.longest_read = self.longest_write = 0.0
        self.failures, self.reasons = [], Counter()

    def read(self, took):
        self.reads += 1
        self.longest_read = max(self.longest_read, took)

    def wrote(self, took):
        self.writes += 1
        self.longest_write = max(self.longest_write, took)


class Load:
    """Threads that read pages, and pairs of users who place and settle bets, until they are told to stop."""

    def __init__(self, site, readers, pairs, pages):
        self.site, self.pages, self.lock = site, pages, threading.Lock()
        self.ending = threading.Event()
        self.phase = Figures("before")
        self.phases = [self.phase]
        self.faults = []
        self.pairs = [Pair(self, number) for number in range(pairs)]
        self.threads = [threading.Thread(target=self.watched, args=(self.read_pages, number)) for number in range(readers)]
        self.threads += [threading.Thread(target=self.watched, args=(pair.bet,)) for pair in self.pairs]
        for thread in self.threads:
            thread.daemon = True

    def watched(self, work, *arguments):
        """Does the work of a thread. Its end before time is a fault."""
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001
            self.faults.append(f"{work.__name__}: {type(error).__name__}: {error}")

    def start(self):
        for thread in self.threads:
            thread.start()

    def begin(self, name):
        """Begins a phase. Requests belong to the phase in which they end."""
        with self.lock:
            self.phase = Figures(name)
            self.phases.append(self.phase)
        return self.phase

    def check(self):
        """Fails if a read of any phase failed."""
        with self.lock:
            failed = [f"{phase.name}: {what}" for phase in self.phases for what in phase.failures]
            reads = sum(phase.reads for phase in self.phases)
        need(not failed, f"{len(failed)} reads failed beside {reads}: {failed[:5]}")

    def wait_for_more(self, reads, bets):
        """Waits until the load has had so many further answers."""
        phase = self.phase
        reads, bets, deadline = phase.reads + reads, phase.bets + bets, time.monotonic() + PATIENCE
        while phase.reads < reads or phase.bets < bets:
            need(not self.faults, f"the load stopped: {self.faults}")
            need(time.monotonic() < deadline, f"{phase.name}: the load does not get on: {vars(phase)}")
            time.sleep(0.05)

    def stop(self):
        self.ending.set()
        for thread in self.threads:
            thread.join(PATIENCE)
            need(not thread.is_alive(), "a thread of the load does not end")
        need(not self.faults, f"the load stopped: {self.faults}")

    def read_pages(self, number):
        """Reads pages as a signed-in user, one after the other. Nothing is repeated: each failure counts."""
        account, turn = self.site.register(f"reader{number}"), number
        browser = account
        while not self.ending.is_set():
            turn += 1
            if turn % 200 == 0:
                # Proxies close a connection after a number of requests, which a browser handles and httpx does not.
                browser = self.site.browser()
                browser.cookies = account.cookies
            path, part = self.pages[turn % len(self.pages)]
            started, what = time.monotonic(), None
            try:
                answer = browser.get(path)
                if answer.status_code != 200 or part not in answer.text or answer.http_version != "HTTP/2":
                    what = f"{answer.http_version} {answer.status_code} {answer.text[:200]!r}"
            except httpx.TransportError as error:
                what = repr(error)
            with self.lock:
                if what is None:
                    self.phase.read(time.monotonic() - started)
                else:
                    self.phase.failures.append(f"{path} after {time.monotonic() - started:.2f} s: {what}")

    def write(self, browser, path, body):
        """Sends a request that moves money, and repeats it with the same key until it gets an answer."""
        started, key = time.monotonic(), uuid.uuid4().hex
        while True:
            try:
                answer = browser.post(path, json=body, headers={"Idempotency-Key": key})
                if answer.status_code < 300:
                    break
                if answer.status_code not in REPEAT:
                    raise Failure(f"POST {path}: {answer.status_code} {answer.text}")
                reason = str(answer.status_code)
            except httpx.TransportError as error:
                reason = type(error).__name__
            if time.monotonic() - started > PATIENCE:
                raise Failure(f"POST {path}: no answer within {PATIENCE} s, at last {reason}")
            with self.lock:
                self.phase.repeats += 1
                self.phase.reasons[reason] += 1
            time.sleep(0.1)
        with self.lock:
            self.phase.wrote(time.monotonic() - started)
        return answer.json()


class Pair:
    """Two users who bet against each other, and the journal of their bets."""

    def __init__(self, load, number):
        self.load, self.number = load, number
        self.people = [load.site.register(f"{name}{number}") for name in ("maker", "taker")]
        self.settled = []

    def bet(self):
        maker, taker = self.people
        write = self.load.write
        while not self.load.ending.is_set():
            stake, winner = len(self.settled) % 5 + 1, "AB"[len(self.settled) % 2]
            bet = write(maker, "/api/bets", new_bet(f"Snow, bet {len(self.settled)} of pair {self.number}?", stake))["id"]
            write(taker, "/api/bets/accept", {"betId": bet, "chosenOption": "B"})
            write(maker, f"/api/bets/{bet}/propose-resolution", {"winningOption": winner})
            write(taker, f"/api/bets/{bet}/respond-resolution", {"accept": True})
            self.settled.append((bet, stake, winner))
            with self.load.lock:
                self.load.phase.bets += 1

    def check(self):
        """Compares bets and balances of the site with the journal."""
        won = sum(stake if winner == "A" else -stake for _, stake, winner in self.settled)
        for browser, expected in zip(self.people, (1000 + won, 1000 - won), strict=True):
            found, path = {}, "/api/bets/my?limit=100"
            while path:
                answer = browser.get(path)
                page = answer.json()
                need(not set(found) & {bet["id"] for bet in page}, "a bet is on two pages")
                found |= {bet["id"]: (bet["status"], bet["stakeAmount"], bet["winningOption"]) for bet in page}
                path = answer.links.get("next", {}).get("url")
            journal = {bet: ("resolved", stake, winner) for bet, stake, winner in self.settled}
            need(found == journal, f"pair {self.number}: the bets differ from the journal: {found} and {journal}")
            balance = browser.get("/api/auth/user").json()["boltsBalance"]
            need(balance == expected, f"pair {self.number}: a balance of {balance} instead of {expected}")
        return len(self.settled)
