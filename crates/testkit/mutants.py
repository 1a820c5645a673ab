#!/usr/bin/env python3
"""Runs the tests against each mutant of the crates that decide about money: `just mutants`, `just mutants wallet bets`.

cargo-mutants lists the mutants, and builds and tests each one alone, which takes most of a day. This tool builds a copy of
the source in which each changed function has a body for each of its mutants. The environment variable BOLTS_MUTANT chooses the
body, so one build serves all mutants. A mutant whose body does not compile is taken out. cargo-mutants itself tests the few
mutants for which this does not work, for example those of a function that is evaluated during the build.

`mutants.py WORD …` tests only the mutants whose names contain one of the words. The results are in target/mutants. The exit
status is 1 if the tests catch less than 95 % of the mutants that compile.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from source_copy import ROOT, copy_source

FOLDER = ROOT / "target" / "mutants"
COPY = FOLDER / "source"
CONFIG = tomllib.loads((ROOT / ".cargo" / "mutants.toml").read_text())
CARGO = ["--locked", "--target-dir", str(FOLDER / "target"), *CONFIG["additional_cargo_args"], *CONFIG["additional_cargo_test_args"]]

ENOUGH = 0.95
# A mutant may loop for ever, wait for ever, or take all memory. On a busy machine, tests wait long but need no more CPU time.
CPU_SECONDS = 60
WAITING_SECONDS = 300
BYTES = 4 << 30

# The sizes of the model and of the simulation.
SHORT = {"BOLTS_MODEL_CASES": "40", "BOLTS_SIMULATE_SEEDS": "1"}

# This code goes into the crate on which all others depend. A constant function may read a static variable, but no environment. So the
# variable is set before `main`.
CHOICE = """
extern crate self as bolts_kernel;
/// The number of the mutant, or 0.
pub static mut MUTANT: u32 = 0;
/// Returns the number of the mutant.
pub const fn mutant() -> u32 { unsafe { MUTANT } }
extern "C" fn choose() {
    if let Some(number) = std::env::var("BOLTS_MUTANT").ok().and_then(|text| text.parse().ok()) { unsafe { MUTANT = number } }
}
#[used]
#[unsafe(link_section = ".init_array")]
static CHOOSE: extern "C" fn() = choose;
"""


@dataclass
class Mutant:
    """A change of one place in a file. `start` and `end` are offsets in the text."""

    number: int
    name: str
    package: str
    file: str
    start: int
    end: int
    replacement: str
    function: tuple[int, int] | None


@dataclass
class Place:
    """A part of a written file, in bytes: the body of one mutant, or a whole function with the bodies of several."""

    start: int
    end: int
    mutants: list[Mutant]


def listed(words: list[str]) -> list[Mutant]:
    """The mutants that cargo-mutants knows."""
    said = subprocess.run(["cargo", "mutants", "--list", "--json"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    starts: dict[str, list[int]] = {}
    mutants = []
    for number, found in enumerate(json.loads(said), start=1):
        if words and not any(word in found["name"] for word in words):
            continue
        file = found["file"]
        if file not in starts:
            starts[file] = [0, *(match.end() for match in re.finditer("\n", (ROOT / file).read_text()))]
        lines = starts[file]

        def offsets(span: dict[str, dict[str, int]]) -> tuple[int, int]:
            start, end = (lines[span[side]["line"] - 1] + span[side]["column"] - 1 for side in ("start", "end"))
            return start, end

        function = found["function"] and offsets(found["function"]["span"])
        name, package, replacement = found["name"], found["package"], found["replacement"]
        mutants.append(Mutant(number, name, package, file, *offsets(found["span"]), replacement, function))
    return mutants


def body(text: str, function: tuple[int, int]) -> tuple[int, int] | None:
    """The content of the braces of a function."""
    depth = 0
    for at in range(*function):
        if text[at] == "{" and depth == 0:
            return at + 1, function[1] - 1
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[at], 0)
    return None


def bodies(text: str, mutants: list[Mutant]) -> list[tuple[tuple[int, int], list[Mutant]]]:
    """The bodies that have mutants, with the mutants. A function inside another one belongs to the outer one."""
    outer: list[tuple[tuple[int, int], list[Mutant]]] = []
    for mutant in sorted(mutants, key=lambda mutant: (mutant.function[0], -mutant.function[1])):
        if not outer or mutant.function[0] >= outer[-1][0][1]:
            outer.append((mutant.function, []))
        outer[-1][1].append(mutant)
    found = [(body(text, function), inside) for function, inside in outer]
    return [(place, inside) for place, inside in found if place]


def write(file: str, mutants: list[Mutant]) -> list[Place]:
    """Writes a file with the mutants into the copy. Returns their places."""
    text, written, size, at, places = (ROOT / file).read_text(), [], 0, 0, []

    def add(part: str) -> None:
        nonlocal size
        written.append(part)
        size += len(part.encode())

    for (start, end), inside in bodies(text, mutants):
        add(text[at:start])
        whole = Place(size, 0, inside)
        add(" match bolts_kernel::mutant() {\n")
        for mutant in inside:
            began = size
            add(f"{mutant.number} => {{{text[start : mutant.start]}{mutant.replacement} {text[mutant.end : end]}\n}}\n")
            places.append(Place(began, size, [mutant]))
        add(f"_ => {{{text[start:end]}\n}} }} ")
        whole.end, at = size, end
        places.append(whole)
    add(text[at:])
    add(CHOICE if file == "crates/kernel/src/lib.rs" else "")
    (COPY / file).write_text("".join(written))
    return places


def spans(message: dict) -> list[dict]:
    """The places that a message of the compiler names, the most important ones first."""
    own = sorted(message["spans"], key=lambda span: not span["is_primary"])
    return own + [span for child in message["children"] for span in spans(child)]


def blamed(message: dict, places: dict[str, list[Place]]) -> Place | None:
    """The smallest place to which an error belongs."""
    for span in spans(message):
        inside = [place for place in places.get(span["file_name"], []) if place.start <= span["byte_start"] < place.end]
        if inside:
            return min(inside, key=lambda place: place.end - place.start)
    return None


def cargo(*words: str) -> tuple[subprocess.CompletedProcess, list[dict]]:
    """Runs cargo in the copy. Returns the ended process, and the messages that cargo printed."""
    command = ["cargo", *words, "--message-format", "json", *CARGO]
    done = subprocess.run(command, cwd=COPY, capture_output=True, text=True)
    return done, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def errors() -> list[dict]:
    """Checks the copy. Returns the errors of the compiler."""
    done, said = cargo("check", "--keep-going")
    found = [line["message"] for line in said if line["reason"] == "compiler-message" and line["message"]["level"] == "error"]
    if done.returncode and not found:
        sys.exit(done.stderr[-3000:])
    return found


def prepare(mutants: list[Mutant]) -> tuple[list[Mutant], list[Mutant], list[Mutant]]:
    """Writes the copy. Returns the mutants in it, those that do not compile, and those to be tested alone."""
    copy_source(COPY)
    for manifest in COPY.glob("crates/*/Cargo.toml"):
        manifest.write_text(manifest.read_text().replace("[lints]\nworkspace = true\n", ""))
    inside = [mutant for mutant in mutants if mutant.function]
    alone, failed = [mutant for mutant in mutants if not mutant.function], []
    files = {mutant.file for mutant in mutants} | {"crates/kernel/src/lib.rs"}
    while True:
        places = {file: write(file, [mutant for mutant in inside if mutant.file == file]) for file in files}
        found = errors()
        if not found:
            return inside, failed, alone
        taken: set[int] = set()
        for message in found:
            place = blamed(message, places)
            if not place:
                continue
            (failed if len(place.mutants) == 1 else alone).extend(m for m in place.mutants if m.number not in taken)
            taken |= {mutant.number for mutant in place.mutants}
        if not taken:
            sys.exit("\n".join(message["rendered"] for message in found[:5]))
        inside = [mutant for mutant in inside if mutant.number not in taken]
        print(f"{len(inside)} mutants, without {len(failed)} that do not compile and {len(alone)} to be tested alone", flush=True)


def limit() -> None:
    """Limits the process that calls this."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


@dataclass
class Tests:
    """A program with tests."""

    package: str
    program: str
    folder: Path

    def fail(self, mutant: int) -> str | None:
        """Runs the tests. Returns how they fail."""
        variables = SHORT | {"BOLTS_MUTANT": str(mutant), "RUST_BACKTRACE": "0"}
        try:
            done = subprocess.run(
                [self.program, "--quiet", "--test-threads", "1"],
                cwd=self.folder,
                env=os.environ | variables,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=WAITING_SECONDS,
                preexec_fn=limit,
            )
        except subprocess.TimeoutExpired:
            return "timeout"
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return "timeout"
        return "caught" if done.returncode else None


def built() -> list[Tests]:
    """Builds the tests, and checks that they pass without a mutant."""
    done, said = cargo("test", "--no-run")
    if done.returncode:
        sys.exit(done.stderr[-3000:])
    programs = []
    for line in said:
        if line["reason"] == "compiler-artifact" and line["profile"]["test"] and line["executable"]:
            folder = Path(line["manifest_path"]).parent
            programs.append(Tests(tomllib.loads((folder / "Cargo.toml").read_text())["package"]["name"], line["executable"], folder))
    for tests in programs:
        if tests.fail(0):
            sys.exit(f"the tests of {tests.package} fail without a mutant: {tests.program}")
    return programs


def judge(mutant: Mutant, programs: list[Tests]) -> str:
    """Runs the tests of the mutant's own crate, then the others, until one fails."""
    for tests in sorted(programs, key=lambda tests: (tests.package != mutant.package, tests.package == "bolts-prove")):
        failure = tests.fail(mutant.number)
        if failure:
            return failure
    return "missed"


def judge_alone(mutants: list[Mutant]) -> list[tuple[Mutant, str]]:
    """Lets cargo-mutants build and test each mutant. Returns the results."""
    if not mutants:
        return []
    chosen = [word for mutant in mutants for word in ("--re", f"^{re.escape(mutant.name)}$")]
    # `--re` does not apply to the mutants of fields. Without the file of settings, those of other files are left out.
    chosen += ["--no-config", *(f"--file={file}" for file in sorted({mutant.file for mutant in mutants}))]
    chosen += [f"--cargo-arg={word}" for word in CONFIG["additional_cargo_args"]]
    chosen += [f"--cargo-test-arg={word}" for word in CONFIG["additional_cargo_test_args"]]
    limits = ["--baseline", "skip", "--timeout", str(WAITING_SECONDS)]
    command = ["cargo", "mutants", *limits, "--output", str(FOLDER / "alone"), *chosen]
    subprocess.run(command, cwd=ROOT, env=os.environ | SHORT, stdout=subprocess.DEVNULL)
    results = {}
    for result in ("caught", "missed", "timeout", "unviable"):
        lines = (FOLDER / "alone" / "mutants.out" / f"{result}.txt").read_text().splitlines()
        results |= dict.fromkeys(lines, result)
    lost = [mutant.name for mutant in mutants if mutant.name not in results]
    if lost:
        sys.exit("cargo-mutants did not test these:\n" + "\n".join(lost))
    return [(mutant, results[mutant.name]) for mutant in mutants]


def main() -> None:
    """Tests the mutants, and prints those that no test notices."""
    started = time.monotonic()
    mutants = listed(sys.argv[1:])
    inside, failed, alone = prepare(mutants)
    programs = built()
    print(f"{len(programs)} programs with tests, built after {time.monotonic() - started:.0f} s", flush=True)
    count = Counter(unviable=len(failed))
    with (FOLDER / "results.tsv").open("w") as results, ThreadPoolExecutor(os.cpu_count()) as pool:

        def note(mutant: Mutant, result: str) -> None:
            count[result] += 1
            print(f"{result}\t{mutant.name}", file=results, flush=True)
            if result == "missed":
                print(f"missed {mutant.name}", flush=True)

        for mutant, result in zip(inside, pool.map(lambda mutant: judge(mutant, programs), inside)):
            note(mutant, result)
        for mutant, result in judge_alone(alone):
            note(mutant, result)
    caught, tested = count["caught"] + count["timeout"], len(mutants) - count["unviable"]
    print(
        f"{tested} mutants tested in {time.monotonic() - started:.0f} s: {caught} caught, {count['timeout']} of them by a "
        f"time-out, {count['missed']} missed ({100 * caught / max(tested, 1):.1f} % caught); {count['unviable']} more do not compile"
    )
    if caught < ENOUGH * tested:
        sys.exit(1)


if __name__ == "__main__":
    main()
