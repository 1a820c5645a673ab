"""Uses schemathesis to compare a running server with its OpenAPI document, as a user and as an admin.

`just api-test` calls this program with the binary under test and the number of examples for each call. No request may
cause a 5xx, an undocumented status or content type, or an answer that does not match the document.
"""

import base64
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import urllib.request
import zlib
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

# Schemathesis makes these checks of each answer. The Rust tests check the effects of calls.
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"

# The seed of all random choices. It is fixed, so that a failure can be reproduced. The variable SEED sets another seed.
SEED = os.environ.get("SEED", "20261121")

# Schemathesis keeps requests of earlier runs in a cache and sends them again. One of them is a change of the password, which
# revokes the API keys that the calls need.
CONFIG = "[cache]\nenabled = false\n"

# The number of bets in each status for each pair of users.
ROUNDS = 5

# Calls that need more than this program has. Other tests check their successful answers.
SPARED = {
    "GET /api/events",  # An endless stream.
    "DELETE /api/account",  # The user's open bets prevent it.
    # An authenticator, or the codes of one.
    "POST /api/auth/passkeys", "POST /api/auth/passkeys/options", "PATCH /api/auth/passkeys/{id}",
    "DELETE /api/auth/passkeys/{id}", "POST /api/auth/login/passkey", "POST /api/auth/login/passkey/options",
    "POST /api/auth/login/factor", "POST /api/auth/login/factor/options", "POST /api/auth/step-up",
    "POST /api/auth/step-up/options", "POST /api/auth/totp/confirm", "DELETE /api/auth/totp",
    "POST /api/auth/recovery-codes",
    # A mail server, or the links in its mails.
    "PATCH /api/auth/email", "POST /api/auth/verify-email", "POST /api/auth/verify-email/request",
    "POST /api/auth/password-reset", "POST /api/auth/password-reset/request", "POST /api/unsubscribe/{token}",
}

# Calls to a receiver of notifications. They need one that a preference or another call removes.
TO_RECEIVERS = ["/api/notifications/webhook/test", "/api/notifications/push-subscriptions/test"]

# Calls that a user may make 30 times an hour. They get few examples.
RARE = [*TO_RECEIVERS, "/api/notifications/push-subscriptions", "/api/notifications/webhook"]

# The calls that come first. The wrong passwords of other calls soon stop all that needs the password, and a change of
# the password revokes all API keys.
FIRST = [
    "/api/withdrawals", "/api/auth/keys/{id}", "/api/auth/keys", *TO_RECEIVERS,
    "/api/notifications/push-subscriptions/{id}", "/api/notifications/push-subscriptions",
]

# The calls that come last, in this order. Each ends what calls before it need: the webhook, the notifications, a session, or
# the password. A hundred sign-ins end the oldest session.
LAST = [
    "/api/notifications/webhook", "/api/notifications/clear-all", "/api/auth/login", "/api/auth/sessions/{id}",
    "/api/auth/logout", "/api/auth/password",
]

# All servers are on loopback, so the proxy settings of the environment must not apply.
WITHOUT_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Browser:
    """A client that sends requests like a page and keeps its cookie."""

    def __init__(self, base, name):
        self.base, self.name, self.cookie = base, name, None

    def send(self, method, path, data=None, kind="application/json"):
        headers = {"Origin": self.base, "Content-Type": kind}
        if self.cookie:
            headers["Cookie"] = self.cookie
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with WITHOUT_PROXY.open(request) as response:
            for cookie in response.headers.get_all("Set-Cookie", []):
                if cookie.startswith("bolts="):
                    self.cookie = cookie.split(";")[0]
            return response.read()

    def post(self, path, body=None, method="POST"):
        return json.loads(self.send(method, path, json.dumps(body if body is not None else {}).encode()))

    def get(self, path):
        return self.send("GET", path).decode()


class Server:
    """The binary on a fresh database."""

    def __init__(self, binary, folder, *options):
        self.binary, self.url = binary, f"sqlite://{folder}/bolts.db"
        self.log = open(f"{folder}/log", "w+")
        lifted = [
            "--signups-per-hour", "0", "--signins-per-minute", "0", "--bets-per-hour", "0", "--writes-per-minute", "0",
        ]
        command = [binary, "serve", "--bind", "127.0.0.1:0", "--log", "warn", *lifted, *options]
        command += ["--database-url", self.url]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.base = re.search(r"http://\S+", self.process.stdout.readline()).group()

    def command(self, *arguments):
        return subprocess.run([self.binary, *arguments, "--database-url", self.url], check=True, capture_output=True)

    def user(self, name, path="/api/auth/register"):
        browser = Browser(self.base, name)
        browser.post(path, {"email": f"{name}@example.com", "password": "secret"})
        return browser

    def stop(self):
        self.process.terminate()
        self.process.wait()


def new_bet(**fields):
    expiry = datetime.now(timezone.utc) + timedelta(hours=1)
    bet = {
        "title": "Will it snow on Friday?", "optionA": "Snow", "optionB": "No snow", "stakeAmount": 5,
        "resolutionMethod": "Mutual Agreement", "expiresAt": expiry.isoformat(),
    }
    return bet | fields


def key(**fields):
    return {"scopes": ["read", "bet"], "password": "secret"} | fields


def bets_in_every_status(user, other):
    """Creates a bet of the user in each status, so that calls find existing bets."""
    made = {}
    for status in ["pending", "private", "accepted", "awaiting", "proposed", "disputed", "resolved"]:
        bet = user.post("/api/bets", new_bet(isPrivate=status == "private"))
        path = f"/api/bets/{bet['id']}"
        if status not in ("pending", "private"):
            other.post("/api/bets/accept", {"betId": bet["id"], "chosenOption": "B"})
        if status in ("awaiting", "disputed"):
            user.post(f"{path}/early-resolution")
        if status == "disputed":
            user.post(f"{path}/dispute", {"reason": "Please look."})
        if status in ("proposed", "resolved"):
            user.post(f"{path}/propose-resolution", {"winningOption": "A"})
        if status == "resolved":
            other.post(f"{path}/respond-resolution", {"accept": True})
        made[status] = bet
    return made


def wallet(user, elsewhere):
    """Creates sats, a deposit invoice, invoices of another site, and a withdrawal to one of these invoices."""
    user.post("/api/deposit/test-add", {"amount": 50_000})
    deposit = user.post("/api/deposit/create-invoice", {"amount": 100})
    invoices = [elsewhere.post("/api/deposit/create-invoice", {"amount": 100})["lightningInvoice"] for _ in range(20)]
    withdrawal = user.post("/api/withdrawals", {"invoice": invoices.pop(), "password": "secret"})
    return {"deposits": [deposit["invoiceId"]], "withdrawals": [withdrawal["id"]], "invoices": invoices}


def png():
    """A picture of 8 × 8 pixels."""
    part = lambda kind, data: (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    )
    rows = zlib.compress(b"".join(b"\0" + bytes([row * 30, 90, 200] * 8) for row in range(8)))
    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", rows) + part(b"IEND", b"")


def upload(user, bet):
    """Uploads a picture to the bet, and returns the picture's id."""
    head = b'--edge\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    form = head + png() + b"\r\n--edge--\r\n"
    made = user.send("POST", f"/api/bets/{bet['id']}/pictures", form, "multipart/form-data; boundary=edge")
    return json.loads(made)["id"]


def talk(user, rounds):
    """Messages of the user on own bets, pictures to look at, and pictures to delete."""
    bets = [made["accepted"] for made in rounds]
    messages = [user.post(f"/api/bets/{bet['id']}/messages", {"text": "Good luck!"})["id"] for bet in bets]
    pictures, wrong = ([upload(user, bet) for bet in bets] for _ in "12")
    return {"messages": messages, "pictures": pictures, "wrong": wrong}


def arbitrated(arbiter, creator, taker):
    """Bets that the user was asked to judge, and disputed bets that the user may judge now."""
    username = f"{arbiter.name}_judge"
    arbiter.post("/api/auth/profile", {"username": username}, method="PATCH")
    invited, disputed = [[creator.post("/api/bets", new_bet(arbiter=username))["id"] for _ in range(8)] for _ in "12"]
    for bet in disputed:
        arbiter.post(f"/api/bets/{bet}/arbiter", {"accept": True})
        taker.post("/api/bets/accept", {"betId": bet, "chosenOption": "B"})
        creator.post(f"/api/bets/{bet}/early-resolution")
        creator.post(f"/api/bets/{bet}/dispute", {"reason": "Please look."})
    return {"invited": invited, "disputed": disputed}


def cards(user, rounds):
    """The keys of the cards of public bets."""
    pages = [user.get(f"/bet/{made['pending']['id']}") for made in rounds]
    return [key for page in pages for key in re.findall(r"/og/([^\"/]+)\.png", page)]


def other_sessions(server, user):
    """Signs the user in on other devices. Returns the ids of those sessions."""
    for _ in range(ROUNDS):
        server.user(user.name, "/api/auth/login")
    return [session["id"] for session in json.loads(user.get("/api/auth/sessions")) if not session["isCurrent"]]


def names(user, rounds):
    """Existing ids and tokens for the parameters of paths."""
    return {
        "key": [bet["id"] for made in rounds for bet in made.values()],
        "token": [made["private"]["shareToken"] for made in rounds],
        "id": [note["id"] for note in json.loads(user.get("/api/notifications"))],
        "part": ["0", "1"],
    }


def subscription(number):
    """A subscription of a browser. Its key is the base point of P-256, so the private key is 1 (SEC 2, section 2.4.2)."""
    point = bytes.fromhex(
        "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    )
    text = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    return {"endpoint": f"https://example.com/push/{number}", "keys": {"p256dh": text(point), "auth": text(bytes(16))}}


def subscribed(user):
    """Subscribes browsers of the user. Returns their ids."""
    for number in range(ROUNDS):
        user.post("/api/notifications/push-subscriptions", subscription(number))
    return [one["id"] for one in json.loads(user.get("/api/notifications/push-subscriptions"))["subscriptions"]]


def fitting(rounds, sats, said, judged, more):
    """Ids for calls that succeed with few ids only. The random calls change these bets during the run, in any order."""
    first, second, third = rounds
    ids = lambda status, of: [made[status]["id"] for made in of]
    return {
        "DELETE /api/bets/{key}": ids("pending", first),
        "POST /api/bets/{key}/early-resolution": ids("accepted", first),
        "POST /api/bets/{key}/respond-resolution": ids("proposed", second),
        "POST /api/bets/{key}/propose-resolution": ids("awaiting", first),
        "POST /api/bets/{key}/dispute": ids("awaiting", second),
        "DELETE /api/admin/bets/{key}": ids("resolved", third),
        "POST /api/admin/bets/{key}/refund": ids("accepted", third),
        "POST /api/admin/bets/{key}/rule": ids("disputed", third),
        "GET /api/deposit/check-status/{id}": sats["deposits"],
        "GET /api/withdrawals/{id}": sats["withdrawals"],
        "POST /api/bets/{key}/pictures": ids("accepted", first),
        "POST /api/bets/{key}/arbiter": judged["invited"],
        "POST /api/bets/{key}/rule": judged["disputed"],
        "DELETE /api/messages/{id}": said["messages"],
        "GET /api/pictures/{id}": said["pictures"],
        "DELETE /api/pictures/{id}": said["wrong"],
    } | more


def bodies(name, rounds, sats):
    """Bodies with a valid form. The server may still refuse a body for another reason."""
    pending = [bet for made in rounds for bet in (made["pending"], made["private"])]
    takes = [{"betId": bet["id"], "chosenOption": "B", "shareToken": bet["shareToken"]} for bet in pending]
    links = [{"shareToken": made["private"]["shareToken"], "option": "B"} for made in rounds]
    victim = {"userEmail": f"{name}s_victim@example.com"}
    return {
        "POST /api/bets": [new_bet(isPrivate=private, stakeAmount=1) for private in (True, False)] + [
            new_bet(resolutionMethod="Manual Verification", category="Sports", creatorOption="B"),
            new_bet(stakeAmount=100_000_000), new_bet(stakeAmount=100, currencyType="sats"),
        ],
        "POST /api/bets/accept": takes + links,
        "POST /api/bets/{key}/propose-resolution": [{"winningOption": side} for side in ("A", "B", "void")],
        "POST /api/bets/{key}/respond-resolution": [{"accept": True}, {"accept": False}],
        "POST /api/bets/{key}/dispute": [{"reason": "Please look."}],
        "POST /api/bets/{key}/arbiter": [{"accept": True}],
        "POST /api/bets/{key}/rule": [{"outcome": side, "note": "So be it."} for side in ("A", "B", "void")],
        "PUT /api/notifications/webhook": [{"url": "https://example.com/hook"}],
        "POST /api/notifications/push-subscriptions": [subscription(number) for number in range(2 * ROUNDS)],
        "POST /api/auth/totp": [{"password": "secret"}],
        "POST /api/achievements/claim-reward": [{"achievementId": "first_bet"}, {"achievementId": "whale"}],
        "POST /api/admin/bets/{key}/rule": [{"outcome": side, "note": "So be it."} for side in ("A", "B", "void")],
        "POST /api/admin/deposit-bolts": [victim | {"amount": 5}],
        "POST /api/admin/reset-password": [victim],
        "POST /api/auth/register": [{"email": f"{name}{n}@example.com", "password": "secret"} for n in range(9)],
        "POST /api/auth/login": [{"email": f"{name}@example.com", "password": "secret"}],
        "POST /api/withdrawals/quote": [{"invoice": invoice} for invoice in sats["invoices"]],
        "POST /api/withdrawals": [{"invoice": invoice, "password": "secret"} for invoice in sats["invoices"]],
        "POST /api/auth/keys": [key(name="Bot")],
        "PATCH /api/auth/password": [{"currentPassword": "secret", "newPassword": "secret"}],
    }


def run_schemathesis(folder, document, browser, examples, known, further):
    """Runs schemathesis. Returns whether it found no problem, and all answers."""
    (config := Path(folder, "schemathesis.toml")).write_text(CONFIG)
    (values := Path(folder, "known.json")).write_text(json.dumps(known))
    har = Path(folder, "answers.har")
    command = [
        Path(sys.executable).with_name("schemathesis"), "--config-file", config, "--no-color",
        "run", document, "--url", browser.base, "--checks", CHECKS, "--seed", SEED,
        "--max-examples", examples, "--phases", "examples,coverage,fuzzing", "--continue-on-failure",
        "--warnings", "off", "--suppress-health-check", "all", "--generation-database", "none",
        "--exclude-path", "/api/events",  # This stream does not end. The Rust tests read it.
        "--report", "har", "--report-har-path", har,
        "-H", f"Cookie: {browser.cookie}", "-H", f"Origin: {browser.base}", *further,
    ]
    here = str(Path(__file__).parent)
    told = {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": here, "KNOWN": str(values), "SEED": SEED}
    told |= {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    ran = subprocess.run([str(part) for part in command], cwd=folder, env=os.environ | told)
    answers = json.loads(har.read_text())["log"]["entries"]
    return ran.returncode == 0, answers


def counted(document, answers):
    """How often each call of the document had each status."""
    paths = {path: re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + r"(\?.*)?$") for path in document["paths"]}
    found = Counter()
    for answer in answers:
        url = "/" + answer["request"]["url"].split("/", 3)[3]
        # Paths without parameters come before paths with parameters that also match.
        path = min((path for path, known in paths.items() if known.match(url)), key=lambda p: p.count("{"), default=url)
        found[f"{answer['request']['method']} {path}", answer["response"]["status"]] += 1
    return found


def main(binary, examples):
    with tempfile.TemporaryDirectory() as folder:
        (second := Path(folder, "elsewhere")).mkdir()
        server, elsewhere = [Server(str(Path(binary).resolve()), place) for place in (folder, second)]
        try:
            passed = check(server, elsewhere, folder, examples)
            server.command("audit")
        finally:
            server.stop()
            elsewhere.stop()
        server.log.seek(0)
        said = server.log.read()
    # An error in the server's log counts as a finding too.
    print(said, end="")
    return 0 if passed and "ERROR" not in said and "panicked" not in said else 1


def check(server, elsewhere, folder, examples):
    (document := Path(folder, "openapi.json")).write_bytes(server.command("openapi").stdout)
    calls, passed = json.loads(document.read_text()), True
    for name in ("user", "admin"):
        browser, other, third, _ = [server.user(name + suffix) for suffix in ("", "s_opponent", "s_third", "s_victim")]
        if name == "admin":
            server.command("admin", "grant", f"{name}@example.com")
        pairs = [(browser, other), (other, browser), (other, third)]
        rounds = [[bets_in_every_status(*pair) for _ in range(ROUNDS)] for pair in pairs]
        whole = sum(rounds, [])
        sats = wallet(browser, elsewhere.user(name))
        keys = [browser.post("/api/auth/keys", key(name=f"Bot {n}"))["key"]["id"] for n in range(ROUNDS)]
        more = {
            "GET /og/{key}.png": cards(browser, rounds[0]), "DELETE /api/auth/keys/{id}": keys,
            "DELETE /api/notifications/push-subscriptions/{id}": subscribed(browser),
        }
        known = {
            "self": f"{name}@example.com", "names": names(browser, whole), "bodies": bodies(name, whole, sats),
            "fitting": fitting(rounds, sats, talk(browser, rounds[0]), arbitrated(browser, other, third), more),
        }
        seen = Counter()
        browser.post("/api/notifications/webhook", {"url": "https://example.com/hook"}, method="PUT")
        most = [word for path in (*FIRST, *LAST) for word in ("--exclude-path", path)]
        alone = lambda path: (["--include-path", path], 8 if path in RARE else examples)
        passes = [*map(alone, FIRST), (most, examples), *map(alone, LAST)]
        for further, count in passes:
            # The calls of the pass before may have ended the session.
            browser.cookie = server.user(name, "/api/auth/login").cookie
            known["fitting"]["DELETE /api/auth/sessions/{id}"] = other_sessions(server, browser)
            print(f"\n== Signed in as {name}: {' '.join(further)}", flush=True)
            ok, answers = run_schemathesis(folder, document, browser, count, known, further)
            passed &= ok
            seen += counted(calls, answers)
        passed &= reached(name, calls, seen)
    return passed


def reached(name, document, seen):
    """Fails if a call never succeeded, because then the run has not checked its successful answers."""
    every = {f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item}
    spared = {call for call in every if name == "user" and "/admin/" in call} | SPARED
    missed = sorted(every - spared - {call for call, status in seen if status < 400})
    for call in missed:
        statuses = {status: count for (of, status), count in sorted(seen.items()) if of == call}
        print(f"{call} never succeeded; how often it had which status: {statuses}", flush=True)
    return not missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
