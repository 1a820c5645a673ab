"""`just bench`: measures what the site promises about its speed, each figure beside its limit, and prints a table."""

import sys

if sys.version_info < (3, 11):
    sys.exit("bench: this needs Python 3.11 or later")

import argparse
import fcntl
import json
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path

import large
import load
import rows
import sessions
from common import BINARY, CACHE, ROOT, RUN, TARGET, WITHOUT_HTTP, Failure, run, say
from generate import forget_others, version
from servers import Cluster

# The rows in the order of the work: those that need small databases first.
ROWS = {
    "4": rows.row_4, "15": rows.row_15, "1": rows.row_1, "11": large.row_11, "3": rows.row_3, "12": rows.row_12,
    "13": rows.row_13, "14": rows.row_14, "10": sessions.row_10, "8": sessions.row_8, "16": sessions.row_16,
    "9": sessions.row_9, "2": large.row_2, "5": large.row_5, "6": large.row_6, "7": large.row_7,
}


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="just bench", description=__doc__)
    parser.add_argument("row", nargs="*", metavar="ROW", help="rows of docs/performance.md, by default all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep all numbers in this file")
    parser.add_argument("--quick", action="store_true", help="small data, 2 s a measurement, once: only to try the bench")
    parser.add_argument("--seconds", type=float, help="the length of a measurement (8, with --quick 2)")
    parser.add_argument("--times", type=int, help="the number of measurements of a row (3, with --quick 1)")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.row if name not in ROWS]
    if unknown:
        parser.error(f"there is no row {', '.join(unknown)}: the rows are {', '.join(sorted(ROWS, key=int))}")
    return chosen


def stop(*_: object) -> None:
    """Ends the bench on SIGTERM as on Ctrl-C. Further signals do not disturb the stop of the servers."""
    for other in (signal.SIGINT, signal.SIGTERM):
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt


def load_of_machine() -> float:
    """The number of processes that wanted a core in the last minute."""
    return os.getloadavg()[0]


def machine() -> dict:
    """What the figures depend on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    commit = run(["git", "-C", ROOT, "rev-parse", "HEAD"]).strip()
    changed = bool(run(["git", "-C", ROOT, "status", "--porcelain"]).strip())
    return {
        "commit": commit + (" with changes" if changed else ""), "cores": os.cpu_count(), "memory_gib": round(memory / 2**30, 1),
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"), "load_before": load_of_machine(),
    }


def number(value: float, unit: str) -> str:
    """A value with as many digits as it deserves."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}{unit if unit == '/s' else ' ' + unit}"


def line(row: rows.Row) -> list[str]:
    """The cells of a row."""
    sign = "≤" if row.less else "≥"
    ratio, bar = (f"{value:.2f}" if value >= 0.1 else f"{value:.3f}" for value in (row.ratio, row.bar))
    ours = number(row.ours, row.unit) + (f", p99 {row.extra['p99_ms']:.1f} ms" if "p99_ms" in row.extra else "")
    if "cpu_us" in row.extra:
        ours += f", CPU {row.extra['cpu_us']:.0f} + {row.extra['database_cpu_us']:.0f} µs"
    limit = f"{number(row.limit, row.unit)} ({row.limit_is})"
    return [row.number, row.what, ours, limit, ratio, f"{sign} {bar}", "yes" if row.holds else "NO"]


def show(found: list[rows.Row]) -> str:
    """The table in Markdown, with aligned columns."""
    cells = [["row", "what", "ours", "limit", "ratio", "bar", "holds"], *map(line, found)]
    widths = [max(len(row[column]) for row in cells) for column in range(7)]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def keep(file: Path, about: dict, found: list[rows.Row], failed: dict, notes: list[str]) -> None:
    """Writes all numbers as JSON."""
    kept = [vars(row) | {"ours": row.ours, "limit": row.limit, "ratio": row.ratio, "holds": row.holds} for row in found]
    file.write_text(json.dumps(about | {"rows": kept, "failed": failed, "notes": notes}, indent=1) + "\n")


def measure(bench: rows.Bench, names: list[str]) -> tuple[list[rows.Row], dict[str, str]]:
    """Measures the rows. A row that fails does not stop the others."""
    found, failed = [], {}
    for name in names:
        started = time.monotonic()
        say(f"row {name}: {ROWS[name].__doc__.splitlines()[0]}")
        try:
            new = ROWS[name](bench)
        except Failure as failure:
            failed[name] = str(failure)
            say(f"row {name} failed: {failure}")
            continue
        found += new
        say(f"row {name} took {time.monotonic() - started:.0f} s\n" + show(new))
    return found, failed


def check_programs() -> None:
    """Says what is missing before the first measurement."""
    for program in (BINARY, WITHOUT_HTTP):
        if not program.exists():
            raise Failure(f"{program} is missing: `just bench` builds it")
    load.wrk()


def make_room(stack: ExitStack) -> None:
    """Makes the folders of the bench. A second bench at the same time would spoil the figures of both."""
    CACHE.mkdir(parents=True, exist_ok=True)
    lock = stack.enter_context(open(TARGET / "lock", "w"))
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Failure("another bench runs in this folder") from None
    shutil.rmtree(RUN, ignore_errors=True)
    RUN.mkdir()
    stack.callback(shutil.rmtree, RUN, ignore_errors=True)
    forget_others()
    # The event streams need a file descriptor each, here and in the server.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def one_cluster(stack: ExitStack) -> Callable[[], Cluster]:
    """Starts the PostgreSQL cluster at its first use, and stops it at the end."""
    clusters: list[Cluster] = []

    def cluster() -> Cluster:
        if not clusters:
            clusters.append(stack.enter_context(Cluster()))
            clusters[0].forget_others(version())
        return clusters[0]

    return cluster


def report(chosen: argparse.Namespace, about: dict, bench: rows.Bench, found: list[rows.Row], failed: dict) -> None:
    """Prints the table and what belongs to it, and keeps the numbers."""
    found.sort(key=lambda row: int(row.number))
    print(show(found))
    for note in dict.fromkeys(bench.notes):
        print(f"note: {note}")
    for name, why in failed.items():
        print(f"row {name} could not be measured: {why}")
    busy = f"load {about['load_before']:.1f} before and {about['load_after']:.1f} after"
    print(f"commit {about['commit']}, {about['cores']} cores, {about['memory_gib']} GiB, {about['date']}, {busy}")
    if chosen.quick:
        print("short form: not for comparison")
    if chosen.json:
        keep(chosen.json, about, found, failed, bench.notes)


def main() -> int:
    """Runs the bench. The exit status is 1 if a row misses its bar or fails."""
    chosen = options()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, stop)
    names = [name for name in ROWS if not chosen.row or name in chosen.row]
    with ExitStack() as stack:
        check_programs()
        make_room(stack)
        seconds = chosen.seconds or (2 if chosen.quick else 8)
        bench = rows.Bench(seconds, chosen.times or (1 if chosen.quick else 3), chosen.quick, one_cluster(stack))
        about = machine()
        found, failed = measure(bench, names)
        about["load_after"] = load_of_machine()
    report(chosen, about, bench, found, failed)
    return 0 if not failed and all(row.holds for row in found) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"bench: {failure}")
    except KeyboardInterrupt:
        sys.exit("bench: stopped")
