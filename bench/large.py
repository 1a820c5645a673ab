"""The rows with a million bets, with a slow disk, and with another program beside Bolts."""

from collections.abc import Callable
from pathlib import Path

from common import TARGET, median, run, tool
from data import Lite, Requests
from generate import Spec
from lnbits import Lnbits
from load import load
from pgdata import postgres
from rows import Bench, Database, Row, accept_rate, flow, serving
from story import COMMON, MEDIUM, RARE


def row_2(bench: Bench) -> list[Row]:
    """Accepts on SQLite with a disk that needs 2 ms more for each fsync."""
    source, shim = Path(__file__).parent / "slow_fsync.c", TARGET / "slow_fsync.so"
    run([tool("cc", "install a C compiler"), "-O2", "-shared", "-fPIC", "-o", shim, source, "-ldl"])
    samples = []
    for _ in range(bench.times):
        slow = accept_rate(bench, Lite(bench.flows()), preload=shim).rate
        samples.append((slow, accept_rate(bench, Lite(bench.flows())).rate))
    return [Row("2", "accept, SQLite, each fsync 2 ms slower", "/s", samples, 0.5, "without the delay")]


def million(bench: Bench) -> Spec:
    """A million bets and ten million transfers."""
    size = bench.size
    return Spec(users=size(100_000), settled=size(800_000), pending=size(200_000), transfers=size(10_000_000))


def both(bench: Bench) -> list[tuple[str, Callable[[Spec, str], Database]]]:
    """How to make a database of some size, for SQLite and PostgreSQL."""
    return [("SQLite", Lite), ("PostgreSQL", lambda spec, name: postgres(bench.cluster(), spec, name=name))]


def title(bench: Bench) -> str:
    """The number of bets in words of the table."""
    return f"{bench.size(1_000_000):,} bets"


def row_5(bench: Bench) -> list[Row]:
    """The first marketplace page of a million bets, beside that of 10,000."""
    rows = []
    for name, make in both(bench):
        rates, latency = [], []
        large, small = make(million(bench), "large"), make(bench.plain(), "small")
        page = Requests(large).visits("page", ["/api/bets/public"])
        with serving(small) as few, serving(large) as many:
            load(many, page, 1, again=True)
            for _ in range(bench.times):
                ours = load(many, page, bench.seconds, again=True)
                rates.append((ours.rate, load(few, page, bench.seconds, again=True).rate))
                latency.append((ours.p99, 25))
        what = f"first marketplace page, {title(bench)}, {name}"
        rows.append(Row("5", what, "/s", rates, 0.85, "with 10,000 bets"))
        rows.append(Row("5", f"p99 of the {what}", "ms", latency, 1, "allowed", less=True))
    return rows


def row_6(bench: Bench) -> list[Row]:
    """Searches for a common, a medium and a rare word in a million bets."""
    rows = []
    for name, make in both(bench):
        database = make(million(bench), "large")
        words = {"common": COMMON, "medium": MEDIUM, "rare": RARE}
        files = {kind: Requests(database).visits(kind, [f"/api/bets/public?q={word}"]) for kind, word in words.items()}
        with serving(database) as server:
            for kind, file in files.items():
                load(server, file, 1, again=True)
                found = [load(server, file, bench.seconds, again=True) for _ in range(bench.times)]
                samples = [(done.p99, 50) for done in found]
                extra = {"rate": median([done.rate for done in found])}
                what = f"p99 of a search for a {kind} word, {title(bench)}, {name}"
                rows.append(Row("6", what, "ms", samples, 1, "allowed", less=True, extra=extra))
    return rows


def row_7(bench: Bench) -> list[Row]:
    """Accepts with a million bets and ten million transfers behind them, beside 10,000 bets."""
    rows = []
    for name, make in both(bench):
        samples: list[tuple[float, float]] = []
        large, small = make(million(bench), "large"), make(bench.flows(), "small")
        # Each measurement takes its own part of the pending bets. What one measurement adds is little beside the history.
        parts = [(number, bench.times) for number in range(bench.times)]
        files = [
            (Requests(large).accepts(f"large{part[0]}", part=part), Requests(small).accepts(f"small{part[0]}", part=part))
            for part in parts
        ]
        with serving(small) as few, serving(large) as many:
            for ours, limit in files:
                samples.append((flow(bench, many, ours).rate, flow(bench, few, limit).rate))
        what = f"accept, {title(bench)} and {bench.size(10_000_000):,} transfers, {name}"
        rows.append(Row("7", what, "/s", samples, 0.8, "with 10,000 bets of the past"))
    return rows


def row_11(bench: Bench) -> list[Row]:
    """Accepts beside internal payments of LNbits, both on SQLite."""
    # With 64 connections an answer of LNbits takes seconds, so a shorter measurement would count too few of them.
    seconds, samples = max(8, bench.seconds), []
    for _ in range(bench.times):
        ours = accept_rate(bench, Lite(bench.flows())).rate
        with Lnbits() as lnbits:
            file = lnbits.payments(round(150 * seconds))
            samples.append((ours, flow(bench, lnbits, file, seconds).rate))
    return [Row("11", "accept, SQLite", "/s", samples, 100, "internal payment of LNbits on SQLite")]
