"""`just bench`: measures what the site promises about its speed, each figure beside its limit, and prints a table."""

import argparse
import json
import os
import shutil
import signal
import sys
import time
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path

import rows
from common import BINARY, CACHE, ROOT, RUN, WITHOUT_HTTP, Failure, run, say
from servers import Cluster

# The rows in the order of the work: those that need small databases first.
ROWS = {
    "4": rows.row_4, "15": rows.row_15, "1": rows.row_1, "3": rows.row_3, "12": rows.row_12, "13": rows.row_13,
    "14": rows.row_14,
}


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="just bench", description=__doc__)
    parser.add_argument("row", nargs="*", choices=[[], *ROWS], metavar="ROW", help=f"rows of docs/performance.md: {', '.join(ROWS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep all numbers in this file")
    parser.add_argument("--quick", action="store_true", help="small data, 2 s a measurement, once: only to try the bench")
    parser.add_argument("--seconds", type=float, help="the length of a measurement (8, with --quick 2)")
    parser.add_argument("--times", type=int, help="the number of measurements of a row (3, with --quick 1)")
    return parser.parse_args()


def stop(*_: object) -> None:
    """Ends the bench on SIGTERM as on Ctrl-C, so that all servers are stopped."""
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


def main() -> int:
    """Runs the bench. The exit status is 1 if a row misses its bar or fails."""
    chosen = options()
    signal.signal(signal.SIGTERM, stop)
    names = chosen.row or sorted(ROWS, key=int)
    with ExitStack() as stack:
        clusters: list[Cluster] = []

        def cluster() -> Cluster:
            if not clusters:
                clusters.append(stack.enter_context(Cluster()))
            return clusters[0]

        check_programs()
        shutil.rmtree(RUN, ignore_errors=True)
        RUN.mkdir(parents=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        stack.callback(shutil.rmtree, RUN, ignore_errors=True)
        seconds = chosen.seconds or (2 if chosen.quick else 8)
        bench = rows.Bench(seconds, chosen.times or (1 if chosen.quick else 3), chosen.quick, cluster)
        about = machine()
        found, failed = measure(bench, [name for name in ROWS if name in names])
        about["load_after"] = load_of_machine()
    found.sort(key=lambda row: int(row.number))
    print(show(found))
    for note in dict.fromkeys(bench.notes):
        print(f"note: {note}")
    for name, why in failed.items():
        print(f"row {name} could not be measured: {why}")
    details = f"{about['cores']} cores, {about['memory_gib']} GiB, {about['date']}, load {about['load_before']:.1f} before"
    print(f"commit {about['commit']}, {details}{', short form: not for comparison' if chosen.quick else ''}")
    if chosen.json:
        keep(chosen.json, about, found, failed, bench.notes)
    return 0 if not failed and all(row.holds for row in found) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"bench: {failure}")
    except KeyboardInterrupt:
        sys.exit("bench: stopped")
