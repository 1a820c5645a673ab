#!/usr/bin/env python3
"""Plants bugs in a copy of the source, one at a time, and checks that the test of each bug fails.

`run.py` plants all bugs of list.tsv, and `run.py NAME …` only these. The copy and its target folder are in target/planted.
A bug counts as caught if the copy builds, the test passes without the bug, and the test fails with the bug.
"""

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from source_copy import ROOT, copy_source  # noqa: E402

COPY = ROOT / "target" / "planted" / "source"
TARGET = ROOT / "target" / "planted" / "target"


def run(*command: object, folder: Path = COPY, text: str | None = None) -> tuple[bool, str]:
    """Runs a command. Returns whether it succeeded, and its output."""
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode == 0, done.stdout


def patch(bug: str, *, back: bool = False) -> None:
    """Applies or removes a patch."""
    words = ["--reverse"] if back else []
    succeeded, said = run("patch", "--strip=1", "--force", "--no-backup-if-mismatch", *words, "--input", HERE / f"{bug}.patch")
    if not succeeded:
        sys.exit(f"{bug}: the patch does not apply any more:\n{said}")


def tests(package: str, test: str) -> bool:
    """Builds the tests of a package, then runs one of them. Returns whether it passed."""
    cargo = ["cargo", "test", "--locked", "--target-dir", TARGET, "--package", package]
    built, said = run(*cargo, "--no-run")
    if not built:
        sys.exit(f"{package} does not build:\n{said[-3000:]}")
    passed, said = run(*cargo, test)
    # A run may also fail for another reason than this test.
    has_failed = f"{test} ... FAILED" in said
    if passed == has_failed or f"{test} ... " not in said:
        sys.exit(f"{package}: {test} neither passed nor failed:\n{said[-3000:]}")
    return passed


def main() -> None:
    """Plants the bugs, and prints a line for each."""
    wanted = sys.argv[1:]
    lines = (HERE / "list.tsv").read_text().splitlines()
    bugs = [line.split("\t") for line in lines if not line.startswith("#")]
    bugs = [bug for bug in bugs if not wanted or bug[0] in wanted]
    copy_source(COPY)
    started, escaped = time.monotonic(), []
    for package, test in sorted({(package, test) for _, package, test in bugs}):
        if not tests(package, test):
            sys.exit(f"{test} of {package} fails without a bug")
    for name, package, test in bugs:
        began = time.monotonic()
        patch(name)
        try:
            caught = not tests(package, test)
        finally:
            patch(name, back=True)
        escaped += [] if caught else [name]
        print(f"{'caught ' if caught else 'ESCAPED'} {name} by {test} of {package}, {time.monotonic() - began:.0f} s", flush=True)
    seconds = time.monotonic() - started
    print(f"planted: {len(bugs) - len(escaped)} of {len(bugs)} bugs caught, {seconds:.0f} s")
    if escaped:
        sys.exit(1)


if __name__ == "__main__":
    main()
