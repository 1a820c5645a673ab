"""The rows on SQLite and PostgreSQL that need up to 250,000 bets. Each measures its limit in the same run."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from common import CONNECTIONS, WITHOUT_HTTP, median, run, say
from data import Lite, Postgres, Requests
from generate import Spec, user_id
from load import Load, load
from pgdata import FRESH, MISSING, SMALL, postgres
from servers import Bolts, Cluster


@dataclass
class Bench:
    """The settings of a run, and what all rows share."""

    seconds: float
    times: int
    is_quick: bool
    cluster: Callable[[], Cluster]
    notes: list[str] = field(default_factory=list)

    def size(self, number: int) -> int:
        """A number of bets, of which the short form takes a tenth."""
        return number // 10 if self.is_quick else number

    def flows(self, open_bets: int = 120_000) -> Spec:
        """10,000 bets of the past, and as many open ones as a measurement can use up."""
        pending = self.size(open_bets)
        return Spec(settled=10_000, pending=pending, awaiting=pending // 2, proposed=pending // 2)

    def plain(self) -> Spec:
        """10,000 bets for reads, of which every fifth waits for an acceptor."""
        return Spec(settled=8_000, pending=2_000)


@dataclass
class Row:
    """A line of the table. `samples` has pairs of our value and the limit, `bar` the wanted ratio."""

    number: str
    what: str
    unit: str
    samples: list[tuple[float, float]]
    bar: float
    limit_is: str
    # Whether a smaller value is better: then our value must be at most the limit times the bar.
    less: bool = False
    extra: dict = field(default_factory=dict)

    @property
    def ours(self) -> float:
        """The median of our values."""
        return median([ours for ours, _ in self.samples])

    @property
    def limit(self) -> float:
        """The median of the limits."""
        return median([limit for _, limit in self.samples])

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return median([ours / limit for ours, limit in self.samples])

    @property
    def holds(self) -> bool:
        """Whether the ratio is at its bar."""
        return self.ratio <= self.bar if self.less else self.ratio >= self.bar


def details(loads: list[Load]) -> dict:
    """The p99 and the CPU times for a request, as medians of our measurements."""
    own, database = (median([done.cpu_us[place] for done in loads]) for place in (0, 1))
    return {"p99_ms": median([done.p99 for done in loads]), "cpu_us": own, "database_cpu_us": database}


Database = Lite | Postgres


@contextmanager
def serving(database: Database, without_audit: bool = False, **options: object) -> Iterator[Bolts]:
    """A server on a database that has done its work after the start. Afterwards the database is removed."""
    try:
        with Bolts(database.url, **options) as server:
            yield server.settle(database.cluster, without_audit)
    finally:
        database.drop()


def databases(bench: Bench, spec: Spec) -> list[tuple[str, Callable[[], Database]]]:
    """Both databases of this size, made when they are needed."""
    return [("SQLite", lambda: Lite(spec)), ("PostgreSQL", lambda: postgres(bench.cluster(), spec))]


def flow(bench: Bench, server: Bolts, file: Path, seconds: float | None = None) -> Load:
    """Sends prepared requests, and notes if they did not last for the whole time."""
    done = load(server, file, seconds or bench.seconds)
    if done.ran_out:
        bench.notes.append(f"{file.name} ended after {done.requests} requests, before the time was over")
    return done


def accept_rate(bench: Bench, database: Database, **options: object) -> Load:
    """The accepts through HTTP."""
    file = Requests(database).accepts()
    with serving(database, **options) as server:
        return flow(bench, server, file)


def without_http(bench: Bench, spec: Spec, in_flight: int) -> float:
    """The accepts a second of the same use case without HTTP, with so many at the same time."""
    database = Lite(spec)
    file = Requests(database).accepts()
    said = json.loads(run([WITHOUT_HTTP, database.file, file, bench.seconds, in_flight]))
    database.drop()
    if said["ran_out"]:
        bench.notes.append(f"the accepts without HTTP ended after {said['requests']}, before the time was over")
    return said["requests"] / said["seconds"]


def best_pgbench(bench: Bench) -> float:
    """pgbench's TPC-B at its best number of clients."""
    seconds = max(2, round(bench.seconds * 0.75))
    return max(bench.cluster().pgbench(clients, seconds) for clients in (8, 16, 32))


def row_1(bench: Bench) -> list[Row]:
    """Accepts on SQLite, beside the same use case without HTTP."""
    spec = bench.flows()
    grouped, alone, loads = [], [], []
    for _ in range(bench.times):
        ours = accept_rate(bench, Lite(spec))
        grouped.append((ours.rate, without_http(bench, spec, CONNECTIONS)))
        alone.append((ours.rate, without_http(bench, spec, 1)))
        loads.append(ours)
    return [
        Row("1", "accept, SQLite", "/s", grouped, 0.7, "the same without HTTP, group commit", extra=details(loads)),
        Row("1", "accept, SQLite", "/s", alone, 3, "the same without HTTP, a commit each"),
    ]


def row_3(bench: Bench) -> list[Row]:
    """Accepts on PostgreSQL, beside pgbench on the same cluster."""
    samples, loads = [], []
    for _ in range(bench.times):
        ours = accept_rate(bench, postgres(bench.cluster(), bench.flows()))
        samples.append((ours.rate, best_pgbench(bench)))
        loads.append(ours)
    limit = "pgbench TPC-B, best of 8, 16, 32 clients"
    return [Row("3", "accept, PostgreSQL", "/s", samples, 0.5, limit, extra=details(loads))]


def beside_hello(bench: Bench, database: Database, file: Callable[[Requests], Path]) -> tuple[list, dict]:
    """Pairs of a read's rate and that of /healthz, and the details of the reads."""
    requests = Requests(database)
    read, hello, pairs, loads = file(requests), requests.visits("hello", ["/healthz"]), [], []
    with serving(database) as server:
        load(server, read, 1, again=True)
        for _ in range(bench.times):
            ours = load(server, read, bench.seconds, again=True)
            pairs.append((ours.rate, load(server, hello, bench.seconds, again=True).rate))
            loads.append(ours)
    return pairs, details(loads)


def row_4(bench: Bench) -> list[Row]:
    """The signed-in user."""
    rows = []
    for (name, make), bar in zip(databases(bench, bench.plain()), (0.4, 0.2), strict=True):
        pairs, extra = beside_hello(bench, make(), lambda requests: requests.reads("user", "/api/auth/user"))
        rows.append(Row("4", f"GET /api/auth/user, {name}", "/s", pairs, bar, "/healthz", extra=extra))
    return rows


def row_15(bench: Bench) -> list[Row]:
    """The first marketplace page. Its bar is a share of the rate of /healthz, so that it holds on any machine."""
    rows = []
    for (name, make), wanted in zip(databases(bench, bench.plain()), (10_000, 5_000), strict=True):
        pairs, extra = beside_hello(bench, make(), lambda requests: requests.visits("page", ["/api/bets/public"]))
        bar = wanted / 74_000
        rows.append(Row("15", f"first marketplace page, {name}", "/s", pairs, bar, "/healthz", extra=extra))
    return rows


def row_12(bench: Bench) -> list[Row]:
    """Create, propose and settle, beside accept and pgbench."""
    rows = []
    for name, make in databases(bench, bench.flows()):
        lives, beside_pgbench = [], []
        for _ in range(bench.times):
            lives.append(life(bench, make()))
            if name == "PostgreSQL":
                beside_pgbench.append((lives[-1]["create"].rate, best_pgbench(bench)))
        for what in ("create", "propose", "settle"):
            pairs = [(found[what].rate, found["accept"].rate) for found in lives]
            extra = details([found[what] for found in lives])
            rows.append(Row("12", f"{what}, {name}", "/s", pairs, 0.5, "accept", extra=extra))
        if beside_pgbench:
            limit = "pgbench TPC-B, best of 8, 16, 32 clients"
            rows.append(Row("12", f"create, {name}", "/s", beside_pgbench, 0.5, limit))
    return rows


def life(bench: Bench, database: Database) -> dict[str, Load]:
    """The loads of the steps of a bet's life, one after another on one server."""
    requests = Requests(database)
    files = {"accept": requests.accepts(), "create": requests.creates(bench.size(120_000))}
    files |= {"propose": requests.proposals(), "settle": requests.settlements()}
    with serving(database) as server:
        return {what: flow(bench, server, file) for what, file in files.items()}


HISTORIES = (10, 1_000, 100_000)
TURNS = 4


def row_13(bench: Bench) -> list[Row]:
    """Accepts by one user with a short and a long history. The ratio compares the slowest with the fastest."""
    histories = tuple(number if number < 100_000 else bench.size(number) for number in HISTORIES)
    spec = Spec(settled=1_000, pending=bench.size(150_000), heavy=histories)
    rows = []
    for name, make in databases(bench, spec):
        samples, rates = [], []
        for _ in range(bench.times):
            found = by_history(bench, make(), spec)
            samples.append((min(found), max(found)))
            rates.append(dict(zip(map(str, histories), found, strict=True)))
        what = f"accept by a user with {', '.join(f'{number:,}' for number in histories)} bets, {name}: slowest"
        rows.append(Row("13", what, "/s", samples, 0.9, "the fastest of the three", extra={"rates": rates}))
    return rows


def by_history(bench: Bench, database: Database, spec: Spec) -> list[float]:
    """The accepts a second by each of the heavy users. They take turns, so a change of the machine's speed affects all of them."""
    requests, heavy = Requests(database), len(spec.heavy)
    turns = [user_id(spec.users + number) for number in range(heavy)] * TURNS
    files = [requests.accepts(f"history{n}", user, (n, len(turns))) for n, user in enumerate(turns)]
    with serving(database) as server:
        rates = [flow(bench, server, file, bench.seconds / TURNS).rate for file in files]
    return [sum(rates[n::heavy]) / TURNS for n in range(heavy)]


def row_14(bench: Bench) -> list[Row]:
    """Accepts and first pages on PostgreSQL whose tables have no statistics, or those of a hundredth of the rows."""
    spec = bench.flows()
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for _ in range(bench.times):
        rates = {kind: accepts_and_pages(bench, spec, kind) for kind in (FRESH, MISSING, SMALL)}
        for kind in (MISSING, SMALL):
            for what in ("accept", "first marketplace page"):
                found.setdefault((what, kind), []).append((rates[kind][what], rates[FRESH][what]))
    of = {MISSING: "without statistics", SMALL: "with statistics of a hundredth of the rows"}
    return [
        Row("14", f"{what}, PostgreSQL {of[kind]}", "/s", pairs, 0.8, "with fresh statistics")
        for (what, kind), pairs in found.items()
    ]


def accepts_and_pages(bench: Bench, spec: Spec, statistics: str) -> dict[str, float]:
    """The accepts and the first pages a second."""
    say(f"measuring with {statistics} statistics")
    database = postgres(bench.cluster(), spec, statistics)
    requests = Requests(database)
    accepts, page = requests.accepts(), requests.visits("page", ["/api/bets/public"])
    # The audit needs statistics: with those of a hundredth of the rows it takes minutes.
    with serving(database, without_audit=True) as server:
        pages = load(server, page, bench.seconds, again=True).rate
        return {"accept": flow(bench, server, accepts).rate, "first marketplace page": pages}
