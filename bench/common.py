"""Paths, failures and small helpers that all modules of the bench share."""

import hashlib
import os
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "target" / "bench"
CACHE = TARGET / "cache"
RUN = TARGET / "run"
BINARY = ROOT / "target" / "release" / "bolts"
WITHOUT_HTTP = ROOT / "target" / "release" / "examples" / "accept_without_http"

# The number of connections of the load tool, as in the figures.
CONNECTIONS = 64

# All servers are on loopback, so proxies in the environment do not apply.
WEB = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Failure(Exception):
    """A failure with a message for the person who runs the bench."""


def say(text: str) -> None:
    """Prints a line about the progress on standard error. Standard output has only the table."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def run(command: list, **options) -> str:
    """Runs a program to its end, and returns its standard output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(words[:6])} … failed with status {done.returncode}:\n{done.stderr or done.stdout}")
    return done.stdout


def as_load_tool() -> dict:
    """Options of `subprocess` for a program that only makes load. With the policy SCHED_BATCH of Linux, the program does not
    interrupt the server when an answer arrives."""
    if not hasattr(os, "SCHED_BATCH"):
        return {}
    return {"preexec_fn": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))}


def tool(name: str, install: str) -> str:
    """The path of a program."""
    found = shutil.which(name)
    if not found:
        raise Failure(f"{name} is missing: {install}")
    return found


def fingerprint(files: list[Path]) -> str:
    """A short hash of the contents of files."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def median(values: list[float]) -> float:
    """The median of at least one value."""
    return statistics.median(values)


def copy_file(source: Path, target: Path) -> Path:
    """A plain copy of a file, on the disk before a measurement begins."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for leftover in (target, Path(f"{target}-wal"), Path(f"{target}-shm")):
        leftover.unlink(missing_ok=True)
    shutil.copyfile(source, target)
    run(["sync", target])
    return target
