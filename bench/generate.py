"""Generates databases: users with sessions, and bets in every state. Each database is made once and kept in the cache."""

import hashlib
import json
import sqlite3
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from common import CACHE, ROOT, RUN, Failure, copy_file, fingerprint, say
from servers import PASSWORD, Bolts, command
from story import BET_COLUMNS, DAY, HOUR, Person, Story, new_id

# The sessions that a database has at most.
SESSIONS = 5_000


@dataclass(frozen=True)
class Spec:
    """The size of a database. `heavy` names the numbers of settled bets of single users, who come last."""

    users: int = 1_500
    settled: int = 0
    pending: int = 0
    awaiting: int = 0
    proposed: int = 0
    transfers: int = 0
    heavy: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The name in the cache. It changes with the size, the migrations and the generator."""
        size = hashlib.sha256(repr(self).encode()).hexdigest()[:8]
        return f"data_{size}_{version()}"


@cache
def version() -> str:
    """A name for the migrations and the generator together."""
    here = Path(__file__).parent
    sources = [here / "generate.py", here / "story.py", here / "pgdata.py"]
    return fingerprint([*sources, *(ROOT / "migrations").glob("*/*/up.sql")])


def forget_others() -> None:
    """Removes kept databases of other migrations or another generator."""
    for file in CACHE.glob("data_*"):
        if not file.stem.endswith(version()):
            file.unlink()


def now() -> int:
    """The time in microseconds."""
    return time.time_ns() // 1_000


def user_id(number: int) -> str:
    """The id of a generated user. It is the same in every database."""
    return new_id((1 << 52) + number, 1_700_000_000_000_000)


def email(number: int) -> str:
    """The e-mail address of a generated user."""
    return f"user{number}@example.com"


def secret(user: str) -> str:
    """The secret of a user's session."""
    return f"bench-session-of-{user}"


def prepare(spec: Spec) -> Path:
    """The database file of this size from the cache. Makes it if it is missing."""
    kept = CACHE / f"{spec.name}.db"
    if not kept.exists():
        started = time.monotonic()
        say(f"making a database: {spec}")
        CACHE.mkdir(parents=True, exist_ok=True)
        fresh = copy_file(empty(), RUN / "making.db")
        fill(fresh, spec)
        # The first write of a server brings the full text up to date.
        with Bolts(f"sqlite://{fresh}") as server:
            server.settle()
        audit(f"sqlite://{fresh}")
        merge_log(fresh)
        fresh.rename(kept)
        say(f"made it in {time.monotonic() - started:.0f} s, {kept.stat().st_size / 1e6:.0f} MB, and its audit is clean")
    return kept


def audit(url: str) -> None:
    """Checks every invariant. A violation ends the bench."""
    command(url, "audit")


def merge_log(file: Path) -> None:
    """Moves everything from the write-ahead log to the database file."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    for leftover in (Path(f"{file}-wal"), Path(f"{file}-shm")):
        leftover.unlink(missing_ok=True)


def empty() -> Path:
    """A database that a server made, with one user who signed up. The generated users get the password of this user."""
    file = RUN / "empty.db"
    for leftover in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        leftover.unlink(missing_ok=True)
    with Bolts(f"sqlite://{file}") as server:
        status, said = server.post("/api/auth/register", json.dumps({"email": "first@example.com", "password": PASSWORD}))
        if status != 201:
            raise Failure(f"the first user cannot sign up: {status} {said}")
    merge_log(file)
    return file


def schema_of(connection: sqlite3.Connection, kind: str, tables: set[str]) -> list[tuple[str, str]]:
    """Name and statement of the triggers or indexes of tables."""
    rows = connection.execute("SELECT name, sql, tbl_name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL", (kind,))
    return [(name, sql) for name, sql, table in rows if table in tables]


def fill(file: Path, spec: Spec) -> None:
    """Writes users and bets. Meanwhile the triggers of the ledger and the indexes are gone, which saves most of the time."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -1000000", "foreign_keys = OFF"):
        connection.execute(f"PRAGMA {setting}")
    triggers = schema_of(connection, "trigger", {"accounts", "transfers"})
    tables = {"bets", "positions", "bet_events", "transfers", "notifications", "users", "sessions"}
    indexes = schema_of(connection, "index", tables)
    for kind, dropped in (("TRIGGER", triggers), ("INDEX", indexes)):
        for name, _ in dropped:
            connection.execute(f"DROP {kind} {name}")
    connection.execute("BEGIN")
    write_story(connection, spec)
    connection.execute("COMMIT")
    for _, statement in (*indexes, *triggers):
        connection.execute(statement)
    connection.close()


def insert(connection: sqlite3.Connection, table: str, columns: list[str], rows: list) -> None:
    """Inserts rows into a table."""
    places = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)


def write_story(connection: sqlite3.Connection, spec: Spec) -> None:
    """Users, then bets from the past to now, then what depends on all of them."""
    (password,) = connection.execute("SELECT password_hash FROM credentials").fetchone()
    (first_account,) = connection.execute("SELECT MAX(id) + 1 FROM accounts").fetchone()
    (issuance,) = connection.execute("SELECT id FROM accounts WHERE kind = 'issuance'").fetchone()
    born, count = now() - 320 * DAY, spec.users + len(spec.heavy)
    people = [Person(user_id(number), first_account + 2 * number) for number in range(count)]
    story = Story(people, first_account + 2 * count)
    write_people(connection, people, password, born)
    for person in people:
        story.grant(issuance, person, 1_000, born, is_sign_up=True)
        story.grant(issuance, person, 10_000_000, born + HOUR)
    tell(connection, story, spec)
    gifts = spec.transfers - connection.execute("SELECT COUNT(*) FROM transfers").fetchone()[0]
    for number in range(max(0, gifts)):
        story.grant(issuance, people[number % count], 1, now() - 20 * DAY + number)
        if number % 50_000 == 0:
            write_rows(connection, story)
    write_rows(connection, story)
    write_sums(connection, story, issuance)


def write_people(connection: sqlite3.Connection, people: list[Person], password: str, born: int) -> None:
    """Users with the password of the first user, and a session for the first of them and for the heavy ones."""
    at = [born + number for number in range(len(people))]
    rows = [(person.id, email(number), f"user{number}", at[number]) for number, person in enumerate(people)]
    insert(connection, "users", ["id", "email", "username", "created_at"], rows)
    rows = [(person.id, password, born) for person in people]
    insert(connection, "credentials", ["user_id", "password_hash", "changed_at"], rows)
    signed_in = people[:SESSIONS] + people[SESSIONS:][-8:]
    digest = lambda person: hashlib.sha256(secret(person.id).encode()).hexdigest()  # noqa: E731
    rows = [(person.id, digest(person), person.id, now(), now()) for person in signed_in]
    insert(connection, "sessions", ["id", "hash", "user_id", "created_at", "last_seen_at"], rows)


def plan(spec: Spec, story: Story) -> list[tuple]:
    """Kind, creator and acceptor of each bet, from the oldest to the newest."""
    usual, dice = story.people[: spec.users], story.dice
    settled = ["resolved"] * (spec.settled * 8 // 10) + ["expired"] * (spec.settled // 10)
    settled += ["void"] * (spec.settled - len(settled))
    bets = [(kind, *dice.sample(usual, 2)) for kind in settled]
    for person, number in zip(story.people[spec.users:], spec.heavy, strict=True):
        other = lambda: dice.choice(usual)  # noqa: E731
        bets += [("resolved", person, other()) if turn % 2 else ("resolved", other(), person) for turn in range(number)]
    dice.shuffle(bets)
    for kind in ("awaiting", "proposed", "pending"):
        bets += [(kind, *dice.sample(usual, 2)) for _ in range(getattr(spec, kind))]
    return bets


def tell(connection: sqlite3.Connection, story: Story, spec: Spec) -> None:
    """Writes all bets."""
    bets = plan(spec, story)
    begin, step = now() - 310 * DAY, 300 * DAY // max(1, len(bets))
    for number, (kind, creator, acceptor) in enumerate(bets):
        is_alone = kind in ("pending", "expired")
        story.tell(kind, creator, None if is_alone else acceptor, story.dice.randint(1, 10), begin + number * step)
        if number % 20_000 == 0:
            write_rows(connection, story)
    write_rows(connection, story)


def write_rows(connection: sqlite3.Connection, story: Story) -> None:
    """Writes the rows that the story has told since the last call."""
    rows = story.take()
    insert(connection, "bets", BET_COLUMNS, rows.bets)
    insert(connection, "positions", ["bet_seq", "side", "user_id", "stake", "payout"], rows.positions)
    insert(connection, "bet_events", ["bet_seq", "at", "kind", "by_role", "detail"], rows.bet_events)
    insert(connection, "accounts", ["id", "kind", "owner", "currency", "balance"], rows.accounts)
    columns = "key operation_id from_account to_account amount currency kind bet_id created_at".split()
    insert(connection, "transfers", columns, rows.transfers)
    insert(connection, "notifications", ["id", "user_id", "kind", "params", "bet_id", "created_at"], rows.notifications)


def write_sums(connection: sqlite3.Connection, story: Story, issuance: int) -> None:
    """Balances, statistics, achievements and market figures."""
    accounts, figures, unlocked = [], [], []
    for person in story.people:
        accounts.append((person.account, "available", person.id, "bolts", person.balance))
        accounts.append((person.account + 1, "available", person.id, "sats", 0))
        figures += [(person.id, "bolts", *vars(person.figures).values()), (person.id, "sats", *[0] * 8)]
        unlocked += [(person.id, name, now()) for name in achievements(person)]
    insert(connection, "accounts", ["id", "kind", "owner", "currency", "balance"], accounts)
    insert(connection, "user_figures", ["user_id", "currency", *vars(story.people[0].figures)], figures)
    insert(connection, "achievements", ["user_id", "achievement", "unlocked_at"], unlocked)
    insert(connection, "tile_counters", ["metric", "slot", "value"], [(name, 0, value) for name, value in story.tiles.items()])
    issued = "(SELECT SUM(amount) FROM transfers WHERE from_account = ?)"
    connection.execute(f"UPDATE accounts SET balance = -{issued} WHERE id = ?", (issuance, issuance))


def achievements(person: Person) -> list[str]:
    """The achievements that such a user has unlocked. As for most users, some are missing."""
    figures = person.figures
    reached = {
        "first_bet": figures.total_bets >= 1, "high_roller": figures.total_bets >= 10,
        "betting_master": figures.total_bets >= 50, "first_win": figures.wins >= 1,
        "win_streak_3": figures.wins >= 8, "win_streak_5": figures.wins >= 32, "win_streak_10": figures.wins >= 1_000,
    }
    return [name for name, is_reached in reached.items() if is_reached]
