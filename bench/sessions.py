"""The rows about users at rest and many users at once: memory, start, sign-ins and event streams."""

import time

from common import BINARY, median
from data import Lite, Postgres, Requests, cookie
from generate import email, user_id
from load import Background
from rows import Bench, Row, databases, serving
from servers import PASSWORD, Bolts
from streams import from_commit, reach_all, run_all, sign_in_for


def row_10(bench: Bench) -> list[Row]:
    """Memory when idle, start on an existing database, and the size of the binary."""
    memory, start = [], []
    for _ in range(bench.times):
        database = Lite(bench.plain())
        with serving(database) as server:
            time.sleep(2)
            memory.append((server.memory_kb() / 1024, 40))
        database = Lite(bench.plain())
        with Bolts(database.url) as server:
            start.append((server.start_seconds, 0.3))
        database.drop()
    size = BINARY.stat().st_size / 1e6
    return [
        Row("10", "memory when idle, SQLite", "MB", memory, 1, "allowed", less=True),
        Row("10", "start on 10,000 bets until the first answer, SQLite", "s", start, 1, "allowed", less=True),
        Row("10", "size of the binary", "MB", [(size, 30)], 1, "allowed", less=True),
    ]


def row_8(bench: Bench) -> list[Row]:
    """64 sign-ins at once beside GET /api/auth/user."""
    latency, memory, signed_in = [], [], []
    for _ in range(bench.times):
        database = Lite(bench.plain())
        file = Requests(database).reads("user", "/api/auth/user")
        with serving(database) as server:
            with Background(server, file, bench.seconds) as reading:
                emails = [email(number) for number in range(64)]
                count = run_all(sign_in_for(server, bench.seconds, emails, PASSWORD))
            latency.append((reading.result.p99, 25))
            memory.append((server.memory_kb("VmHWM") / 1024, 150))
            signed_in.append(count / bench.seconds)
    extra = {"sign_ins_a_second": median(signed_in)}
    what = "GET /api/auth/user during 64 sign-ins at once, SQLite"
    return [
        Row("8", f"p99 of {what}", "ms", latency, 1, "allowed", less=True, extra=extra),
        Row("8", f"memory at most, {what}", "MB", memory, 1, "allowed", less=True),
    ]


def row_9(bench: Bench) -> list[Row]:
    """Event streams: the memory of each, and an event at all of them."""
    total = 500 if bench.is_quick else 5_000
    kb, seconds = [], []
    for _ in range(bench.times):
        database = Lite(bench.plain())
        cookies = all_cookies(database)
        with serving(database) as server:
            each, last = run_all(reach_all(server, cookies, total))
        kb.append((each, 20))
        seconds.append((last, 1))
    return [
        Row("9", f"memory of each of {total:,} event streams, SQLite", "KB", kb, 1, "allowed", less=True),
        Row("9", f"an event at all {total:,} streams, SQLite", "s", seconds, 1, "allowed", less=True),
    ]


def row_16(bench: Bench) -> list[Row]:
    """The time from an accept to the creator's browser, with many open streams."""
    total = 200 if bench.is_quick else 1_000
    rows = []
    for name, make in databases(bench, bench.plain()):
        samples, halves = [], []
        for _ in range(bench.times):
            database = make()
            cookies = all_cookies(database)
            with serving(database) as server:
                times = sorted(run_all(from_commit(server, cookies, total, 100)))
            samples.append((times[len(times) * 99 // 100] * 1_000, 100))
            halves.append(median(times) * 1_000)
        what = f"p99 from an accept to the other browser, {total:,} event streams, {name}"
        rows.append(Row("16", what, "ms", samples, 1, "allowed", less=True, extra={"p50_ms": median(halves)}))
    return rows


def all_cookies(database: Lite | Postgres) -> list[str]:
    """The cookies of all users with a session."""
    requests = Requests(database)
    return [cookie(user_id(number), requests.key) for number in range(database.spec.users)]
