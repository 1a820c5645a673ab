"""Many connections at once by asyncio: sign-ins, event streams, and the requests that cause events."""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from common import Failure
from servers import Bolts


class Connection:
    """A connection that is kept open between requests."""

    def __init__(self, server: Bolts) -> None:
        address = urlsplit(server.base)
        self.host, self.port = address.hostname, address.port

    async def __aenter__(self) -> "Connection":
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    def send(self, method: str, path: str, cookie: str, body: dict | None = None) -> None:
        """Sends a request in the way of the site's pages."""
        text = "" if body is None else json.dumps(body)
        head = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", "Sec-Fetch-Site: same-origin"]
        head += [f"Cookie: {cookie}"] if cookie else []
        head += ["Content-Type: application/json", f"Content-Length: {len(text)}"] if text else []
        self.writer.write(("\r\n".join(head) + "\r\n\r\n" + text).encode())

    async def head(self) -> tuple[int, dict[str, str]]:
        """Status and headers of an answer."""
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        return int(lines[0].split()[1]), headers

    async def ask(self, method: str, path: str, cookie: str, wanted: int, body: dict | None = None) -> dict:
        """A request and its answer, which must have this status."""
        self.send(method, path, cookie, body)
        status, headers = await self.head()
        text = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if status != wanted:
            raise Failure(f"{method} {path}: {status} {text.decode()[:500]}")
        return json.loads(text or b"{}")


async def each(server: Bolts, count: int, jobs: list, work: Callable) -> list:
    """Runs the work for all jobs on some connections at once, and returns the results in the order of the jobs."""
    waiting, results = list(enumerate(jobs)), [None] * len(jobs)
    waiting.reverse()

    async def worker() -> None:
        async with Connection(server) as connection:
            while waiting:
                number, job = waiting.pop()
                results[number] = await work(connection, job)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(count, len(jobs))):
            group.create_task(worker())
    return results


def unpack(failures: ExceptionGroup) -> Exception:
    """The first failure of a group of tasks."""
    first = failures.exceptions[0]
    return unpack(first) if isinstance(first, ExceptionGroup) else first


def run_all(work: object) -> object:
    """Runs a coroutine. A failure in one of its tasks becomes a plain failure."""
    try:
        return asyncio.run(work)
    except ExceptionGroup as failures:
        first = unpack(failures)
        raise first if isinstance(first, Failure) else Failure(f"a connection failed: {first!r}") from failures


async def sign_in_for(server: Bolts, seconds: float, emails: list[str], password: str) -> int:
    """Each user signs in again and again. Returns the number of sign-ins."""
    until, count = time.monotonic() + seconds, 0

    async def one(address: str) -> None:
        nonlocal count
        async with Connection(server) as connection:
            while time.monotonic() < until:
                await connection.ask("POST", "/api/auth/login", "", 200, {"email": address, "password": password})
                count += 1

    async with asyncio.TaskGroup() as group:
        for address in emails:
            group.create_task(one(address))
    return count


NEW_BET = {
    "title": "Will the stream carry it?", "optionA": "Yes", "optionB": "No", "stakeAmount": 1, "creatorOption": "A",
    "resolutionMethod": "Mutual Agreement",
}


async def create(connection: Connection, cookie: str) -> str:
    """A new bet of this user. Returns its id."""
    expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400))
    return (await connection.ask("POST", "/api/bets", cookie, 201, NEW_BET | {"expiresAt": expires}))["id"]


async def accept(connection: Connection, job: tuple[str, str]) -> float:
    """The user accepts the bet. Returns the time at which the request was sent."""
    cookie, bet = job
    sent = time.monotonic()
    await connection.ask("POST", "/api/bets/accept", cookie, 200, {"betId": bet, "chosenOption": "B"})
    return sent


@dataclass
class Streams:
    """Open event streams. `first` has the time of the first event of each stream, `bets` that of the first event of each bet."""

    server: Bolts
    first: dict[int, float] = field(default_factory=dict)
    bets: dict[str, float] = field(default_factory=dict)
    ended: int = 0
    tasks: list[asyncio.Task] = field(default_factory=list)

    async def open(self, cookies: list[str]) -> None:
        """Opens a stream for each cookie, some at a time."""
        for begin in range(0, len(cookies), 100):
            part = cookies[begin : begin + 100]
            opened = [self.listen(begin + number, cookie) for number, cookie in enumerate(part)]
            self.tasks += await asyncio.gather(*opened)

    async def listen(self, number: int, cookie: str) -> asyncio.Task:
        """Opens one stream."""
        connection = await Connection(self.server).__aenter__()
        connection.send("GET", "/api/events", cookie)
        status, _ = await connection.head()
        if status != 200:
            raise Failure(f"an event stream was refused: {status}")
        return asyncio.create_task(self.read(number, connection))

    async def read(self, number: int, connection: Connection) -> None:
        """Notes the times of the events of one stream."""
        try:
            while text := await connection.reader.readline():
                if text.startswith(b"event:"):
                    self.first.setdefault(number, time.monotonic())
                if b"betId" in text:
                    bet = text.split(b'"')[3].decode()
                    self.bets.setdefault(bet, time.monotonic())
            self.ended += 1
        except OSError:
            self.ended += 1
        finally:
            connection.writer.close()

    async def close(self) -> None:
        """Closes all streams."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def wait_for(is_done: Callable[[], bool], seconds: float, what: str) -> None:
    """Waits until something has happened."""
    until = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > until:
            raise Failure(f"{what} within {seconds:.0f} s")
        await asyncio.sleep(0.01)


async def reach_all(server: Bolts, cookies: list[str], total: int) -> tuple[float, float]:
    """Opens `total` streams, at most 16 a user. Then each user becomes a party of a new bet. Returns the KB of memory of a
    stream, and the seconds from the first accept until the last stream has an event."""
    pairs = -(-total // 32)
    users = cookies[: 2 * pairs]
    bets = await each(server, 16, users[::2], create)
    await asyncio.sleep(1)
    before = server.memory_kb()
    streams = Streams(server)
    try:
        await streams.open([user for user in users for _ in range(16)][:total])
        await asyncio.sleep(2)
        kb = (server.memory_kb() - before) / total
        streams.first.clear()
        jobs = list(zip(users[1::2], bets, strict=True))
        sent = await each(server, 16, jobs, accept)
        await wait_for(lambda: len(streams.first) == total, 30, "some streams got no event")
        if streams.ended:
            raise Failure(f"{streams.ended} of {total} streams ended")
        return kb, max(streams.first.values()) - min(sent)
    finally:
        await streams.close()


async def from_commit(server: Bolts, cookies: list[str], total: int, a_second: int) -> list[float]:
    """Opens a stream for each creator of a bet. Others accept the bets, some in each second. Returns the seconds from the
    request of each accept until its event arrives."""
    creators, acceptors = cookies[:total], cookies[total:]
    bets = await each(server, 16, creators, create)
    await asyncio.sleep(1)
    streams = Streams(server)
    try:
        await streams.open(creators)
        begin = time.monotonic()

        async def paced(connection: Connection, job: tuple[int, str]) -> float:
            number, bet = job
            await asyncio.sleep(max(0, begin + number / a_second - time.monotonic()))
            return await accept(connection, (acceptors[number % len(acceptors)], bet))

        streams.bets.clear()
        sent = await each(server, 16, list(enumerate(bets)), paced)
        await wait_for(lambda: all(bet in streams.bets for bet in bets), 30, "some accepts caused no event")
        return [streams.bets[bet] - at for bet, at in zip(bets, sent, strict=True)]
    finally:
        await streams.close()
