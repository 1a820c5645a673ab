"""Copies of generated databases for one measurement each, and the files of requests for the load tool."""

import base64
import hmac
import json
import random
import sqlite3
import time
from pathlib import Path

from common import RUN, Failure, copy_file
from generate import SESSIONS, Spec, merge_log, now, prepare, secret, user_id
from servers import Cluster


def key_of(stored: str) -> bytes:
    """The part of the stored cookie key that signs cookies."""
    return base64.b64decode(stored)[:32]


def cookie(user: str, key: bytes) -> str:
    """The session cookie of a user, signed as the server signs it."""
    signature = hmac.digest(key, secret(user).encode(), "sha256")
    return f"bolts={base64.b64encode(signature).decode()}{secret(user)}"


class Lite:
    """A copy of a generated SQLite database, for one measurement."""

    cluster = None

    def __init__(self, spec: Spec, name: str = "bolts") -> None:
        self.spec, self.file = spec, RUN / f"{name}.db"
        copy_file(prepare(spec), self.file)
        self.url = f"sqlite://{self.file}"
        self.query(f"UPDATE sessions SET created_at = {now()}, last_seen_at = {now()}")
        merge_log(self.file)

    def query(self, sql: str) -> list[tuple]:
        """Runs a statement, and returns its rows as texts."""
        connection = sqlite3.connect(self.file)
        with connection:
            rows = connection.execute(sql).fetchall()
        connection.close()
        return [tuple("" if cell is None else str(cell) for cell in row) for row in rows]

    def drop(self) -> None:
        """Removes the copy."""
        for file in (self.file, Path(f"{self.file}-wal"), Path(f"{self.file}-shm")):
            file.unlink(missing_ok=True)


class Postgres:
    """A copy of a generated PostgreSQL database, for one measurement."""

    def __init__(self, cluster: Cluster, source: str, spec: Spec, name: str) -> None:
        self.cluster, self.spec, self.name = cluster, spec, name
        self.url = cluster.clone(self.name, source)
        self.query(f"UPDATE sessions SET created_at = {now()}, last_seen_at = {now()}")

    def query(self, sql: str) -> list[tuple]:
        """Runs a statement, and returns its rows as texts."""
        said = self.cluster.psql(self.name, f"\\pset fieldsep '\\t'\n{sql};")
        return [tuple(line.split("\t")) for line in said.splitlines()]

    def drop(self) -> None:
        """Removes the copy."""
        self.cluster.drop(self.name)


class Requests:
    """Writes files of prepared requests for the load tool."""

    def __init__(self, database: Lite | Postgres) -> None:
        self.database = database
        self.key = key_of(database.query("SELECT value FROM settings WHERE name = 'cookie_key'")[0][0])
        self.users = [user_id(number) for number in range(min(database.spec.users, SESSIONS))]

    def line(self, user: str, method: str, path: str, body: dict | None = None) -> str:
        """One request. Without a user it is a visitor's."""
        text = "" if body is None else json.dumps(body, separators=(",", ":"))
        header = f"Cookie: {cookie(user, self.key)}" if user else ""
        return "\t".join((user, header, method, path, text))

    def write(self, name: str, lines: list[str]) -> Path:
        """Writes the file."""
        if not lines:
            raise Failure(f"there is no request for {name}")
        file = RUN / f"{name}.requests"
        file.write_text("\n".join(lines) + "\n")
        return file

    def visits(self, name: str, paths: list[str]) -> Path:
        """GET requests of a visitor."""
        return self.write(name, [self.line("", "GET", path) for path in paths])

    def reads(self, name: str, path: str) -> Path:
        """The same GET request by each signed-in user."""
        return self.write(name, [self.line(user, "GET", path) for user in self.users])

    def accepts(self, name: str = "accept", by: str | None = None, part: tuple[int, int] = (0, 1)) -> Path:
        """An accept of each pending bet, by one user or by all in turn. `part` takes every n-th bet from a first one."""
        rows = self.database.query("SELECT id, creator_id, creator_side FROM bets WHERE status = 'pending' ORDER BY seq")
        random.Random(1).shuffle(rows)
        lines = []
        for number, (bet, creator, side) in enumerate(rows[part[0] :: part[1]]):
            user = by or self.users[number % len(self.users)]
            if user == creator:
                user = self.users[(number + 1) % len(self.users)]
            body = {"betId": bet, "chosenOption": "B" if side == "A" else "A"}
            lines.append(self.line(user, "POST", "/api/bets/accept", body))
        return self.write(name, lines)

    def creates(self, count: int) -> Path:
        """New bets, by all users in turn."""
        lines = []
        for number in range(count):
            body = {
                "title": f"Will the new team {number} win the cup?", "description": "Settled by the first official report.",
                "optionA": "Yes", "optionB": "No", "stakeAmount": 1, "currencyType": "bolts", "category": "Sports",
                "resolutionMethod": "Mutual Agreement", "creatorOption": "A",
                "expiresAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400)),
            }
            lines.append(self.line(self.users[number % len(self.users)], "POST", "/api/bets", body))
        return self.write("create", lines)

    def proposals(self) -> Path:
        """A proposal of the creator for each bet whose resolution is open and that has none."""
        rows = self.database.query(
            "SELECT id, creator_id FROM bets WHERE status = 'awaiting_resolution' AND proposal_id IS NULL ORDER BY seq")
        path = "/api/bets/{}/propose-resolution"
        return self.write("propose", [self.line(user, "POST", path.format(bet), {"winningOption": "A"}) for bet, user in rows])

    def settlements(self) -> Path:
        """The acceptor's consent to each proposal, which settles the bet."""
        rows = self.database.query("SELECT id, acceptor_id FROM bets WHERE proposal_id IS NOT NULL ORDER BY seq")
        path = "/api/bets/{}/respond-resolution"
        return self.write("settle", [self.line(user, "POST", path.format(bet), {"accept": True}) for bet, user in rows])
