"""A real LNbits, whose internal payments row 11 compares with accepts."""

import json
import shutil
import subprocess
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import ROOT, RUN, TARGET, WEB, Failure

PYTHON = ROOT / "target" / "lnbits" / "bin" / "python"
NETWORK = ROOT / "crates" / "app" / "tests" / "lnbits" / "network.py"


class Lnbits:
    """A running LNbits with two wallets on SQLite. It is a context manager and stops at the end of the block."""

    def __enter__(self) -> "Lnbits":
        if not PYTHON.exists():
            raise Failure(f"{PYTHON} is missing: `just lnbits` installs LNbits")
        self.data = TARGET / "lnbits"
        shutil.rmtree(self.data, ignore_errors=True)
        command = [str(PYTHON), "-B", str(NETWORK), "up", "--data", str(self.data)]
        self.log = open(RUN / "lnbits.log", "w+")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True, start_new_session=True
        )
        try:
            wallets = self.process.stdout.readline()
            if not wallets:
                raise Failure(f"LNbits does not start:\n{self.said()}")
            found = json.loads(wallets)
        except BaseException:
            self.__exit__()
            raise
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.payer, self.payee = found["customer"], found["node"]
        self.base = self.payer["url"]
        return self

    def __exit__(self, *_: object) -> None:
        # The servers end with the standard input of their parent.
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.wait(timeout=60)
        self.log.close()
        shutil.rmtree(self.data, ignore_errors=True)

    def said(self) -> str:
        """The end of the log."""
        files = [Path(self.log.name), self.data / "customer" / "log"]
        return "\n".join(file.read_text(errors="replace")[-2000:] for file in files if file.exists())

    def both_cpu_seconds(self) -> tuple[float, float]:
        """Nothing, because the bench compares only the rate with that of LNbits."""
        return 0.0, 0.0

    def ask(self, method: str, path: str, body: str, header: str) -> tuple[int, str]:
        """Status and text of the answer to a request. `header` has the key of a wallet."""
        name, value = header.split(": ")
        headers = {"Content-Type": "application/json", name: value}
        request = urllib.request.Request(self.base + path, body.encode(), headers, method=method)
        try:
            with WEB.open(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def invoice(self, _: int) -> str:
        """A new invoice over 1 sat of the wallet that is paid."""
        body = json.dumps({"out": False, "amount": 1, "memo": "bench"})
        status, said = self.ask("POST", "/api/v1/payments", body, f"X-Api-Key: {self.payee['admin_key']}")
        if status != 201:
            raise Failure(f"LNbits makes no invoice: {status} {said}")
        return json.loads(said)["bolt11"]

    def payments(self, count: int) -> Path:
        """A file of requests that pay one invoice each."""
        with ThreadPoolExecutor(8) as pool:
            invoices = list(pool.map(self.invoice, range(count)))
        file = RUN / "lnbits.requests"
        header = f"X-Api-Key: {self.payer['admin_key']}"
        bodies = [json.dumps({"out": True, "bolt11": invoice}) for invoice in invoices]
        file.write_text("".join(f"\t{header}\tPOST\t/api/v1/payments\t{body}\n" for body in bodies))
        return file
