"""Verifies the events of the running binary with the library `standardwebhooks` from PyPI.

`just webhook-test` calls this program with the binary under test. The journey `webhook.spec.ts` does the same with the library from npm.
"""

import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

sys.path.insert(0, str(Path(__file__).parent.parent / "api"))
from run import Server, new_bet

# The time within which an event must arrive, in seconds.
WITHIN = 30


class Receiver(ThreadingHTTPServer):
    """A user's server, which keeps all events."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.events, self.changed = [], threading.Condition()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def wait_for(self, kind):
        with self.changed:
            found = lambda: next((event for event in self.events if f'"type":"{kind}"' in event[1]), None)
            assert self.changed.wait_for(found, WITHIN), f"no event {kind}: {self.events}"
            return found()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        with self.server.changed:
            self.server.events.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.server.changed.notify_all()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def refused(webhook, body, headers):
    try:
        webhook.verify(body, headers)
    except WebhookVerificationError:
        return True
    return False


def check(server, receiver):
    ann, bob = server.user("ann"), server.user("bob")
    url = f"http://127.0.0.1:{receiver.server_port}/hook"
    old = ann.post("/api/notifications/webhook", {"url": url}, "PUT")["secret"]
    secret = ann.post("/api/notifications/webhook", {"url": url}, "PUT")["secret"]
    webhook = Webhook(secret)
    ann.post("/api/notifications/webhook/test")
    headers, body = receiver.wait_for("test")
    assert webhook.verify(body, headers)["data"]["betId"] is None
    assert refused(Webhook(old), body, headers), "the old secret signs nothing any more"
    assert refused(webhook, body.replace("test", "best"), headers), "another body"
    assert refused(webhook, body, headers | {"webhook-id": "msg_other"}), "another id"
    late = str(int(headers["webhook-timestamp"]) + 1)
    assert refused(webhook, body, headers | {"webhook-timestamp": late}), "another time"
    bet = ann.post("/api/bets", new_bet())
    bob.post("/api/bets/accept", {"betId": bet["id"], "chosenOption": "B"})
    headers, body = receiver.wait_for("bet_accepted")
    assert webhook.verify(body, headers)["data"]["betId"] == bet["id"]
    assert bet["title"] not in body, body
    print("The events of the binary are verified by standardwebhooks from PyPI.")


def main():
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(sys.argv[1], folder, "--webhook-allow-private")
        try:
            check(server, Receiver())
        finally:
            server.stop()
    print(f"{time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
