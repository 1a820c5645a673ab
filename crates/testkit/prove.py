#!/usr/bin/env python3
"""Runs the proofs of reliability and security, and prints a line with figures for each: `just prove`, `just prove-long`.

`prove.py NAME …` runs only these proofs. The whole output of each proof is in target/prove.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "target" / "prove"

# The lines of the tests that have figures.
FIGURES = re.compile(
    r"^(\d+ kills .*|.*guesses checked|\d+ samples: .*|\d+ sockets closed .*|\d+ requests of other origins.*"
    r"|\d+ transfers on .*|planted: .*|\d+ checked, .*|\w+ by \w+: \d+ sequences .*|\d+ seeds from .*"
    r"|\d+ mutants tested .*|.*(licenses|bans|sources) ok.*)$"
)
RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed", re.MULTILINE)


def tests(*names: str, binaries: tuple[str, ...] = ("it", "it_pg")) -> list[str]:
    """The command that runs the tests whose names contain one of these texts."""
    chosen = [word for binary in binaries for word in ("--test", binary)]
    return ["cargo", "test", "--locked", "--workspace", "--no-fail-fast", *chosen, "--", "--nocapture", *names]


def just(recipe: str, *words: str) -> list[str]:
    """The command that runs a recipe."""
    program = ["just"] if subprocess.run(["which", "just"], capture_output=True).returncode == 0 else ["npx", "--yes", "rust-just"]
    return [*program, recipe, *words]


# Each proof: its name, its short form, its long form, and the variables of the long form.
PROOFS: list[tuple[str, list[str], list[str], dict[str, str]]] = [
    ("page", tests("reliability::", binaries=("it",)), tests("reliability::", binaries=("it",)), {}),
    ("model", just("model"), just("model", "CASES=10000", "STEPS=100"), {}),
    ("simulation", just("simulate", "SEEDS=20"), just("simulate", "SEEDS=1000"), {}),
    ("crash", just("crash", "KILLS=5"), just("crash", "KILLS=50"), {}),
    ("history", tests("history::", binaries=("it_pg",)), tests("history::", binaries=("it_pg",)), {"BOLTS_HISTORY": "400"}),
    (
        "access",
        tests("ownership::", "origins::", "routes::", "secrets::", "logs::"),
        tests("ownership::", "origins::", "routes::", "secrets::", "logs::", "table::"),
        {},
    ),
    (
        "sign-ins",
        tests("sign_ins::", "alike::"),
        tests("sign_ins::", "alike::", "five_hundred_sign_ins"),
        {"BOLTS_SIGN_INS": "10000", "BOLTS_SAMPLES": "2000"},
    ),
    ("sockets", tests("slow_sockets", binaries=("it",)), tests("slow_sockets", binaries=("it",)), {"BOLTS_SOCKETS": "2000"}),
    ("fuzz", just("fuzz", "CASES=64"), just("fuzz", "CASES=20000"), {}),
    ("supply-chain", just("supply-chain"), just("supply-chain"), {}),
    ("planted", just("planted", "deposit-credited-twice", "unclear-is-failed", "void-stands"), just("planted"), {}),
    ("mutants", [], just("mutants"), {}),
]


def prove(name: str, command: list[str], variables: dict[str, str]) -> bool:
    """Runs a proof and prints its line."""
    started = time.monotonic()
    with (LOGS / f"{name}.log").open("w") as log:
        done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, stdout=log, stderr=subprocess.STDOUT)
    said = (LOGS / f"{name}.log").read_text(errors="replace")
    figures = [line.strip() for line in said.splitlines() if FIGURES.match(line.strip())]
    passed, failed = (sum(int(found[place]) for found in RESULT.findall(said)) for place in (0, 1))
    counted = [f"{passed} tests passed, {failed} failed"] if passed + failed else []
    holds = done.returncode == 0
    line = "; ".join(counted + figures) or "no figures"
    print(f"{'holds' if holds else 'FAILS'} {name}, {time.monotonic() - started:.0f} s: {line}", flush=True)
    return holds


def head() -> str:
    """The commit, the date and the machine, which belong to the figures."""
    describe = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"commit {commit}, {time.strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} cores, {memory:.0f} GiB"


def main() -> None:
    """Runs the proofs."""
    is_long, wanted = "--long" in sys.argv, [word for word in sys.argv[1:] if word != "--long"]
    known = [name for name, *_ in PROOFS]
    unknown = [name for name in wanted if name not in known]
    if unknown:
        sys.exit(f"{', '.join(unknown)}: the proofs are {', '.join(known)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    print(head(), flush=True)
    broken = []
    for name, short, long, variables in PROOFS:
        command = long if is_long else short
        if not command or (wanted and name not in wanted):
            continue
        if not prove(name, command, variables if is_long else {}):
            broken.append(name)
    if broken:
        sys.exit(f"{', '.join(broken)}: see {LOGS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
