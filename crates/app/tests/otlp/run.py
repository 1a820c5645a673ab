"""Sends traces of the running binary to a real collector, rotel from PyPI, on SQLite and on PostgreSQL.

`just otlp-test` calls this program with the binary under test and a program that creates a PostgreSQL database. The spans of a
request must be connected from the request to its statements and to the provider. They must contain no data of users. A
collector that is away or never answers must not delay a request.
"""

import contextlib
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from collector import CLIENT, PATIENCE, SERVER, WITHOUT_PROXY, Backend, Collector, Silent, attributes, wait_until

sys.path.insert(0, str(Path(__file__).parent.parent / "api"))
from run import new_bet

# All attributes that spans may have.
ATTRIBUTES = {
    "request.id", "http.request.method", "http.route", "http.response.status_code", "db.system.name", "db.operation.name",
    "db.query.summary", "lightning.call", "delivery.channel",
}

# The trace that a client asks for, in the form of W3C.
FOREIGN = "0af7651916cd43dd8448eb211c80319c"

# The requests after which the queue of a collector that never answers must be full. Each has some 20 spans.
REQUESTS = 900


class Client:
    """A browser that keeps its cookie and the id of its last request."""

    def __init__(self, server, name):
        self.base, self.name, self.cookie, self.id = server.base, name, None, None

    def send(self, method, path, body=None, **headers):
        headers |= {"Origin": self.base, "Content-Type": "application/json"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        data = json.dumps(body).encode() if body is not None else None
        with WITHOUT_PROXY.open(urllib.request.Request(self.base + path, data, headers, method=method)) as answer:
            self.id = answer.headers["X-Request-Id"]
            for cookie in answer.headers.get_all("Set-Cookie", []):
                if cookie.startswith("bolts="):
                    self.cookie = cookie.split(";")[0]
            text = answer.read().decode()
            return json.loads(text) if answer.headers["Content-Type"] == "application/json" else text

    def get(self, path, **headers):
        return self.send("GET", path, **headers)

    def post(self, path, body, method="POST"):
        return self.send(method, path, body)


class Server:
    """The binary on a database."""

    def __init__(self, binary, folder, url, *options):
        lifted = ["--signups-per-hour", "0", "--signins-per-minute", "0", "--bets-per-hour", "0", "--writes-per-minute", "0"]
        command = [
            binary, "serve", "--bind", "127.0.0.1:0", "--metrics-bind", "127.0.0.1:0", "--log", "warn", "--database-url", url,
            *lifted, *options,
        ]
        self.log = open(Path(folder, "log"), "a+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        lines = [self.process.stdout.readline()]
        while lines[-1] and not lines[-1].startswith("  metrics"):
            lines.append(self.process.stdout.readline())
        found = re.findall(r"http://\S+", lines[0] + lines[-1])
        assert len(found) == 2, Path(folder, "log").read_text()
        (self.base, self.metrics), self.said = found, "".join(lines)

    def user(self, name):
        client = Client(self, name)
        client.post("/api/auth/register", {"email": f"{name}@example.com", "password": "hush-password"})
        return client

    def spans(self, result):
        """The number of spans with this result, by the metrics."""
        with WITHOUT_PROXY.open(self.metrics) as answer:
            page = answer.read().decode()
        return int(re.search(rf'^bolts_trace_spans_total{{result="{result}"}} (\d+)$', page, re.MULTILINE).group(1))

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0


@contextlib.contextmanager
def serving(*words):
    server = Server(*words)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


class Hook(ThreadingHTTPServer):
    """A user's server for webhooks."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), HookHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class HookHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def named(trace, name):
    found = [span for span in trace if span.name == name]
    assert found, f"{name} in {[span.name for span in trace]}"
    return found[0]


def check_tree(trace):
    """Every span but the request is in a span of the same trace, and begins after it."""
    by_id = {span.span_id: span for span in trace}
    roots = [span for span in trace if not span.parent_span_id]
    assert len(roots) == 1 and roots[0].kind == SERVER, [span.name for span in roots]
    for span in trace:
        if span.parent_span_id:
            parent = by_id[span.parent_span_id]
            assert span.start_time_unix_nano >= parent.start_time_unix_nano, f"{span.name} before {parent.name}"
    return roots[0]


def check_a_write(backend, request_id, system):
    last = "commit" if system == "sqlite" else "COMMIT"
    trace = backend.trace(request_id, "POST /api/bets", "wait for a writer", "job", last)
    request, job = check_tree(trace), named(trace, "job")
    assert attributes(request) == {
        "request.id": request_id, "http.request.method": "POST", "http.route": "/api/bets", "http.response.status_code": 201,
    }, attributes(request)
    assert job.parent_span_id == named(trace, "wait for a writer").parent_span_id == request.span_id
    assert named(trace, last).parent_span_id == job.span_id
    statements = [span for span in trace if span.parent_span_id == job.span_id and "db.query.summary" in attributes(span)]
    assert len(statements) >= 3 and {span.kind for span in statements} == {CLIENT}, [span.name for span in trace]
    assert {attributes(span)["db.system.name"] for span in statements} == {system}
    assert any("bets" in span.name for span in statements), [span.name for span in statements]


def check_traces(server, backend, hook, system):
    """What users do appears in traces. Returns the data of users that must not appear."""
    ann, bob = server.user("ann"), server.user("bob")
    signed_up = backend.trace(bob.id, "POST /api/auth/register", "password", "job")
    check_tree(signed_up)
    url = f"http://127.0.0.1:{hook.server_port}/hush-hook"
    secret = ann.post("/api/notifications/webhook", {"url": url}, "PUT")["secret"]
    bet = ann.post("/api/bets", new_bet(title="Will the hush-title hold?", isPrivate=True, isPublic=False))
    check_a_write(backend, ann.id, system)
    bob.post("/api/bets/accept", {"betId": bet["id"], "chosenOption": "B", "shareToken": bet["shareToken"]})
    wait_until(lambda: any(span.name == "send webhook" for span in list(backend.spans)), "the call of the webhook")

    bob.get(f"/api/bets/{bet['shareToken']}", traceparent=f"00-{FOREIGN}-b7ad6b7169203331-01")
    read = backend.trace(bob.id, "GET /api/bets/{key}")
    assert check_tree(read).trace_id.hex() != FOREIGN, "a client does not choose its trace"
    wait_until(lambda: any("SELECT bets" in span.name for span in backend.trace(bob.id)), "the statement of a read")

    invoice = ann.post("/api/deposit/create-invoice", {"amount": 1_000})
    deposit = backend.trace(ann.id, "POST /api/deposit/create-invoice", "lightning create_invoice")
    check_tree(deposit)
    assert named(deposit, "lightning create_invoice").kind == CLIENT
    ann.post("/api/deposit/test-add", {"amount": 50_000})
    asked = ann.post("/api/withdrawals/test-invoice", {"amount": 1_000})
    ann.post("/api/withdrawals", {"invoice": asked["invoice"], "password": "hush-password"})
    check_tree(backend.trace(ann.id, "POST /api/withdrawals", "password", "lightning pay"))

    ann.get("/healthz")
    probe = ann.id
    ann.get("/api/bets/stats")
    backend.trace(ann.id, "GET /api/bets/stats")
    assert backend.request(probe) is None, "checks of proxies have no trace"
    return [
        "example.com", "hush", bet["id"], bet["shareToken"], secret, invoice["lightningInvoice"], asked["invoice"],
        *(client.cookie.split("=", 1)[1] for client in (ann, bob)),
    ]


def check_content(backend, secrets):
    """The spans contain nothing but what they may contain."""
    texts = {str(resource) for resource in backend.resources}
    for span in backend.spans:
        found = attributes(span)
        assert set(found) <= ATTRIBUTES, f"{span.name}: {found}"
        assert not span.events and not span.links and not span.status.message, span
        texts |= {span.name, *map(str, found.values())}
    for secret in secrets:
        assert len(secret) >= 4
        leaks = [text for text in texts if secret in text]
        assert not leaks, leaks
    assert all('"bolts"' in text for text in texts if "service.name" in text) and any("service.version" in text for text in texts)


def check_outage(server, backend, collector):
    """While the collector is away, requests are answered and spans are counted. Afterwards traces arrive again."""
    ann, refused = server.user("carl"), server.spans("refused")
    collector.stop()
    wait_until(lambda: ann.get("/api/bets/stats") and server.spans("refused") > refused, "refused spans")
    sent = server.spans("sent")
    assert sent > 0
    collector.start()
    wait_until(lambda: ann.get("/api/bets/stats") and server.spans("sent") > sent, "sent spans")
    ann.get("/api/bets/stats")
    # The end of the server sends the last spans.
    server.stop()
    backend.trace(ann.id, "GET /api/bets/stats")


def check_silence(binary, folder, url, silent):
    """A collector that never answers fills the queue. Requests are answered, and further spans are dropped."""
    with serving(binary, folder, url, "--otlp-endpoint", silent.endpoint) as server:
        user, times = server.user("dora"), []
        while not server.spans("dropped"):
            assert len(times) < REQUESTS, "the queue is not full"
            for _ in range(100):
                begun = time.monotonic()
                user.post("/api/bets", new_bet(stakeAmount=1))
                times.append(time.monotonic() - begun)
        assert server.spans("sent") == 0
    return len(times), max(times)


def check_sampling(binary, folder, url, backend, collector):
    """With one trace in four thousand millions, no trace is sent."""
    with serving(binary, folder, url, "--otlp-endpoint", collector.endpoint, "--otlp-one-in", "4294967295") as server:
        unseen = server.user("ed")
        ids = [unseen.get("/api/bets/stats") and unseen.id for _ in range(50)]
    with serving(binary, folder, url, "--otlp-endpoint", collector.endpoint) as server:
        seen = Client(server, "visitor")
        seen.get("/api/bets/stats")
        backend.trace(seen.id, "GET /api/bets/stats")
    assert not any(map(backend.request, ids))


def check(binary, folder, url, system):
    backend, hook, silent = Backend(), Hook(), Silent()
    collector = Collector(folder, backend)
    collector.start()
    try:
        with serving(binary, folder, url, "--webhook-allow-private", "--otlp-endpoint", collector.endpoint) as server:
            assert f"traces     {collector.endpoint}\n" in server.said, server.said
            secrets = check_traces(server, backend, hook, system)
            check_outage(server, backend, collector)
        check_sampling(binary, folder, url, backend, collector)
        check_content(backend, secrets)
        # The queue does not depend on the database.
        silence = check_silence(binary, folder, url, silent) if system == "sqlite" else None
    finally:
        collector.stop()
        silent.close()
    said = f"; with a silent collector, the longest of {silence[0]} requests took {silence[1] * 1000:.0f} ms" if silence else ""
    print(f"{system}: {len(backend.spans)} spans arrived, connected and without data of users{said}")


@contextlib.contextmanager
def postgres(program):
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip()
        process.stdin.close()


def main():
    binary, create = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        check(binary, folder, f"sqlite://{folder}/bolts.db", "sqlite")
    with tempfile.TemporaryDirectory() as folder, postgres(create) as url:
        check(binary, folder, url, "postgresql")


if __name__ == "__main__":
    main()
