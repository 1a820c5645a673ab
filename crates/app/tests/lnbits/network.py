"""Starts a real LNbits for tests and for experiments: `network.py up` (`just lnbits-up`).

There are two servers on loopback, without real money. The customer's server uses LNbits' FakeWallet. The site's server uses
a wallet on the customer's server as its Lightning node. So a payment between the two leaves one server and reaches the
other, as between two nodes.

When both servers are ready, `up` prints one line of JSON with their addresses and keys. Then `up` reads commands from
standard input and answers each command with a line of JSON. `up` ends when standard input closes, so that no server
outlives a killed test.
"""

import argparse
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO, Any

# The balance of every new wallet, in sats.
BALANCE = 1_000_000

# The time limit of a start, in seconds. A start takes 3 s, and longer on a busy machine.
START_WITHIN = 400

# All servers are on loopback, so the proxy settings of the environment must not apply.
WITHOUT_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))

Json = dict[str, Any]


def call(method: str, url: str, body: Json | None = None, **headers: str) -> Json:
    """Calls LNbits' API and returns the JSON of the answer."""
    data = None if body is None else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, data, named | {"Content-Type": "application/json"}, method=method)
    try:
        with WITHOUT_PROXY.open(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        raise RuntimeError(f"{method} {url}: {refused.code} {refused.read().decode()}") from refused


def environment(folder: Path, node: Json) -> dict[str, str]:
    """The environment of LNbits: its settings, which turn price feeds off, and four variables of the caller."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return kept | node | {
        "LNBITS_DATA_FOLDER": str(folder),
        "LNBITS_EXTENSIONS_PATH": str(folder),
        "LNBITS_ADMIN_UI": "true",
        "AUTH_HTTPS_ONLY": "false",
        # The page of a wallet opens without a password, because its sats have no value.
        "AUTH_ALLOWED_METHODS": '["user-id-only", "username-password"]',
        "LNBITS_RATE_LIMIT_NO": "1000000",
        "LNBITS_RATE_LIMIT_UNIT": "second",
        # Without these settings LNbits refuses webhooks and Lightning addresses on loopback.
        "LNBITS_CALLBACK_URL_RULES": r'["http://127\\.0\\.0\\.1(:\\d+)?"]',
        "LNBITS_CALLBACK_ALLOW_PRIVATE_IPS": "true",
        "LNBITS_LNURL_ALLOW_PRIVATE_IPS": "true",
        "LNBITS_ALLOW_CUSTOM_WALLET_LIGHTNING_ADDRESSES": "true",
        "LNBITS_EXCHANGE_RATE_PROVIDERS": "[]",
        "LNBITS_EXTENSIONS_MANIFESTS": "[]",
        "LNBITS_WASM_EXTENSIONS_MANIFESTS": "[]",
        "LNBITS_PRICE_AGGREGATOR_ENABLED": "false",
        # The interval of checks of open payments, in seconds. The default is half an hour.
        "LNBITS_FUNDING_SOURCE_PENDING_INTERVAL_SECONDS": "2",
        # The time that LNbits waits for its node before it answers 'pending', in seconds. The default is 5.
        "LNBITS_FUNDING_SOURCE_PAY_INVOICE_WAIT_SECONDS": "2",
    }


def serve(port: int) -> None:
    """Runs LNbits in this process until standard input ends. The settings are in the environment."""
    import uvicorn

    def end_with_parent() -> None:
        while os.read(0, 4096):
            pass
        # Ends abruptly, like after a power failure: data that LNbits has not written is lost.
        os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()
    config = uvicorn.Config("lnbits.__main__:app", host="127.0.0.1", port=port, loop="uvloop", access_log=False)
    uvicorn.Server(config).run()


class Server:
    """An LNbits server in its own process."""

    def __init__(self, folder: Path, port: int, node: Json) -> None:
        self.folder, self.node = folder, node
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the server. Does not wait until the server answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        # LNbits looks for its pages in the working directory.
        link_package(self.folder)
        command = [sys.executable, "-B", str(Path(__file__).resolve()), "serve", "--port", str(self.port)]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=environment(self.folder, self.node),
                stdin=subprocess.PIPE, stdout=log, stderr=log,
            )

    def wait(self) -> None:
        """Waits until the server answers."""
        latest = time.monotonic() + START_WITHIN
        while True:
            try:
                # LNbits accepts connections only when it is ready.
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError as problem:
                ended = self.process is None or self.process.poll() is not None
                if ended or time.monotonic() > latest:
                    said = (self.folder / "log").read_text(errors="replace")[-2000:]
                    raise RuntimeError(f"LNbits on {self.url} does not start: {problem}\n{said}") from problem
            time.sleep(0.1)

    def tell(self, which: signal.Signals) -> None:
        """Sends a signal to the server."""
        if self.process is None:
            raise RuntimeError(f"LNbits on {self.url} does not run")
        self.process.send_signal(which)

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Sends a signal and waits for the server's end. The default signal is SIGKILL, as in a crash."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None


# Linux takes the port of a server that asks for any port from above this range.
PORTS = range(20_000, 32_000)
PORT_LOCKS: list[IO[str]] = []


def free_port() -> int:
    """A free port. Until this process ends, no other test gets this port. The Rust tests use the same lock files."""
    folder = Path(tempfile.gettempdir(), f"bolts-test-ports-{os.getuid()}")
    folder.mkdir(exist_ok=True)
    first = os.getpid() * 31 % len(PORTS)
    for port in [*PORTS[first:], *PORTS[:first]]:
        try:
            lock = open(folder / str(port), "w")
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as taken:
                taken.bind(("127.0.0.1", port))
        except OSError:
            continue
        PORT_LOCKS.append(lock)
        return port
    raise RuntimeError("no port is free")


def link_package(folder: Path) -> None:
    """Links the installed package into a folder. Does not import the package, which would take seconds."""
    package = next(Path(entry) / "lnbits" for entry in sys.path if (Path(entry) / "lnbits" / "static").is_dir())
    if not (folder / "lnbits").exists():
        (folder / "lnbits").symlink_to(package)


def provision(server: Server, wallets: list[str]) -> dict[str, Json]:
    """Sets up a new LNbits: its superuser, and an account with a wallet for each name."""
    server.wait()
    password = secrets.token_hex(16)
    first = {"username": "admin", "password": password, "password_repeat": password, "first_install_token": "first"}
    token = call("PUT", f"{server.url}/api/v1/auth/first_install", first)["access_token"]
    made = {}
    for name in wallets:
        wallet = call("POST", f"{server.url}/api/v1/account", {"name": name})
        # If a currency were set, each invoice would cause a request to a price feed.
        named = {"currency": "", "lightning_address": name}
        call("PATCH", f"{server.url}/api/v1/wallet", named, X_Api_Key=wallet["adminkey"])
        credit = {"id": wallet["id"], "amount": BALANCE}
        call("PUT", f"{server.url}/users/api/v1/balance", credit, Authorization=f"Bearer {token}")
        made[name] = {
            "url": server.url, "admin_key": wallet["adminkey"], "invoice_key": wallet["inkey"],
            "page": f"{server.url}/wallet?usr={wallet['user']}",
            "address": f"{name}@{server.url.removeprefix('http://')}",
        }
    return made


def new_secrets() -> Json:
    """The settings that differ between the two servers."""
    return {"AUTH_SECRET_KEY": secrets.token_hex(32), "FIRST_INSTALL_TOKEN": "first"}


def fake_node() -> Json:
    """A node that pays only its own invoices."""
    fake = {"LNBITS_BACKEND_WALLET_CLASS": "FakeWallet", "FAKE_WALLET_SECRET": secrets.token_hex(16)}
    return fake | new_secrets()


def wallet_node(wallet: Json) -> Json:
    """A node that is a wallet on another LNbits."""
    node = {"LNBITS_BACKEND_WALLET_CLASS": "LNbitsWallet", "LNBITS_ENDPOINT": wallet["url"]}
    return node | {"LNBITS_KEY": wallet["admin_key"]} | new_secrets()


class Network:
    """The two servers. A folder keeps their data. `up` creates the servers if the folder is new."""

    def __init__(self, data: Path, port: int, hub_port: int = 0, node_url: str | None = None) -> None:
        self.data, self.port, self.hub_port, self.node_url = data.resolve(), port, hub_port, node_url
        self.servers: dict[str, Server] = {}
        self.wallets: dict[str, Json] = {}

    def up(self) -> None:
        """Starts both servers, the customer's first, and sets them up if they are new."""
        state = self.data / "state.json"
        if state.exists():
            known = json.loads(state.read_text())
            for name, (port, node) in known["servers"].items():
                self.add(name, port, node).wait()
            self.wallets = known["wallets"]
        else:
            self.set_up()
            servers = {name: [server.port, server.node] for name, server in self.servers.items()}
            state.write_text(json.dumps({"servers": servers, "wallets": self.wallets}))

    def set_up(self) -> None:
        """Creates servers and wallets."""
        # Deletes the remains of an interrupted attempt, because LNbits cannot be set up twice.
        shutil.rmtree(self.data, ignore_errors=True)
        self.wallets = provision(self.add("customer", self.hub_port, fake_node()), ["node", "customer"])
        node = self.wallets["node"]
        if self.node_url:
            node = node | {"url": self.node_url}
        self.wallets |= provision(self.add("site", self.port, wallet_node(node)), ["site"])

    def add(self, name: str, port: int, node: Json) -> Server:
        """Starts one more server."""
        server = self.servers[name] = Server(self.data / name, port, node)
        server.start()
        return server

    def down(self) -> None:
        """Ends all servers."""
        for server in self.servers.values():
            server.end()

    def obey(self, command: str, name: str) -> None:
        """Carries out a test's command on a server: kill, stop, start, pause or resume."""
        server = self.servers[name]
        match command:
            case "kill":
                server.end(signal.SIGKILL)
            case "stop":
                server.end(signal.SIGTERM)
            case "start":
                server.start()
                server.wait()
            case "pause":
                server.tell(signal.SIGSTOP)
            case "resume":
                server.tell(signal.SIGCONT)
            case _:
                raise ValueError(f"no command {command!r}")


FOR_PEOPLE = """
LNbits runs. Its sats have no value. To serve Bolts with it, on a separate database:

  bolts serve --database-url sqlite://data/real.db --public-url http://127.0.0.1:8080 --lightning lnbits \\
    --lnbits-url {site[url]} --lnbits-admin-key {site[admin_key]} --lnbits-invoice-key {site[invoice_key]} \\
    --lnurl-allow-private

The site's wallet:      {site[page]}
A customer's wallet:    {customer[page]}
Its Lightning address:  {customer[address]}

Pay an invoice of the site on the page of the customer's wallet, or with:

  curl -H 'X-Api-Key: {customer[admin_key]}' -H 'Content-Type: application/json' \\
    -d '{{"out": true, "bolt11": "lnbc…"}}' {customer[url]}/api/v1/payments

Ctrl-C ends LNbits. Its data stays in {data}.
"""


def up(network: Network, for_people: bool) -> None:
    """Starts all servers and keeps them until standard input ends or Ctrl-C is pressed."""
    try:
        network.up()
        if for_people:
            print(FOR_PEOPLE.format(**network.wallets, data=network.data), flush=True)
            signal.pause()
        print(json.dumps(network.wallets), flush=True)
        for line in sys.stdin:
            network.obey(*line.split())
            print(json.dumps({"done": line.strip()}), flush=True)
    finally:
        network.down()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    started = commands.add_parser("up", help="start LNbits, and say its addresses and keys")
    started.add_argument("--port", type=int, default=0, help="of the site's LNbits, when it is set up; 0 takes a free one (default)")
    started.add_argument("--hub-port", type=int, default=0, help="of the customer's LNbits, when it is set up; 0 takes a free one (default)")
    started.add_argument("--node-url", help="where the site's LNbits finds the customer's, when it is set up: a relay to it (default: its own address)")
    started.add_argument("--data", type=Path, required=True, help="where it keeps what it holds")
    started.add_argument("--for-people", action="store_true", help="say it in words, and serve until Ctrl-C")
    served = commands.add_parser("serve", help="one server, as `up` starts it")
    served.add_argument("--port", type=int, required=True)
    given = parser.parse_args()
    # SIGTERM raises SystemExit, so that the `finally` block ends the servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        if given.command == "serve":
            serve(given.port)
        else:
            up(Network(given.data, given.port, given.hub_port, given.node_url), given.for_people)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
