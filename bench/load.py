"""Runs the load tool wrk and reads its result."""

import json
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from common import CONNECTIONS, RUN, Failure, as_load_tool, run, tool
from servers import Bolts

SCRIPT = Path(__file__).parent / "load.lua"


@dataclass
class Load:
    """The result of a measurement."""

    rate: float
    p50: float
    p99: float
    requests: int
    ran_out: bool
    # The CPU time for each request, in µs, of the server and of PostgreSQL.
    cpu_us: tuple[float, float] = (0.0, 0.0)


def wrk() -> str:
    """The path of wrk."""
    return tool("wrk", "on Debian apt-get install wrk; on other systems see https://github.com/wg/wrk")


def command(server: Bolts, file: Path, seconds: float, connections: int, again: bool) -> list:
    """The command line of wrk."""
    threads = min(2, connections)
    words = [wrk(), f"-t{threads}", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "30s", "-s", SCRIPT]
    return [*words, server.base, "--", file, threads, *(["again"] if again else [])]


def read(said: str, server: Bolts, file: Path) -> Load:
    """The result that the script printed. A refused request fails the row."""
    lines = [line for line in said.splitlines() if line.startswith("RESULT ")]
    if not lines:
        raise Failure(f"wrk printed no result:\n{said}")
    result = json.loads(lines[0].removeprefix("RESULT "))
    if result["refused"] or result["broken"]:
        raise Failure(
            f"of {result['requests']} requests in {file.name}, {result['refused']} were refused and {result['broken']} got "
            f"no answer. One more of them is answered: {example(server, file)}\nThe server's log: {server.said()}"
        )
    if result["requests"] == 0:
        raise Failure(f"no request in {file.name} was answered")
    rate = result["requests"] / result["seconds"]
    return Load(rate, result["p50_ms"], result["p99_ms"], result["requests"], result["ran_out"])


def example(server: Bolts, file: Path) -> str:
    """Status and text of the answer to the last prepared request."""
    _, header, method, path, body = file.read_text().splitlines()[-1].split("\t")
    status, text = server.ask(method, path, body, header)
    return f"{status} {text[:500]}"


def load(server: Bolts, file: Path, seconds: float, again: bool = False, connections: int = CONNECTIONS) -> Load:
    """Sends the prepared requests for some seconds."""
    before = server.both_cpu_seconds()
    said = run(command(server, file, seconds, connections, again), **as_load_tool())
    done, after = read(said, server, file), server.both_cpu_seconds()
    own, database = ((end - start) * 1e6 / done.requests for start, end in zip(before, after, strict=True))
    return replace(done, cpu_us=(own, database))


class Background:
    """Load beside something else. Leaving the block waits for its end; `result` has its numbers."""

    def __init__(self, server: Bolts, file: Path, seconds: float, connections: int = CONNECTIONS) -> None:
        self.server, self.file = server, file
        self.words = [str(word) for word in command(server, file, seconds, connections, True)]

    def __enter__(self) -> "Background":
        self.said = open(RUN / "wrk.out", "w+")
        self.process = subprocess.Popen(self.words, stdout=self.said, stderr=subprocess.STDOUT, text=True, **as_load_tool())
        return self

    def __exit__(self, failure: type | None, *_: object) -> None:
        if failure:
            self.process.terminate()
        self.process.wait()
        self.said.seek(0)
        text = self.said.read()
        self.said.close()
        if not failure:
            self.result = read(text, self.server, self.file)
