"""Copies generated databases to PostgreSQL, with statistics that are fresh, missing, or those of much smaller tables."""

import sqlite3
import subprocess
import time
from pathlib import Path

from common import Failure, say
from data import Postgres
from generate import Spec, audit, prepare
from servers import Bolts, Cluster, clean_environment

# The statistics of the tables: from ANALYZE after the last row, none at all, or from ANALYZE after a hundredth of the rows.
FRESH, MISSING, SMALL = "fresh", "missing", "small"

# Tables that only SQLite has, or that belong to the migrations.
SKIPPED = "name NOT LIKE 'bets_fts%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_\\_%' ESCAPE '\\'"


def postgres(cluster: Cluster, spec: Spec, statistics: str = FRESH, name: str = "run") -> Postgres:
    """A copy of a generated database on PostgreSQL. The original is made once and kept in the cluster."""
    original = f"{spec.name}_{statistics}"
    if not cluster.has(original):
        started = time.monotonic()
        file = prepare(spec)
        say(f"copying it to PostgreSQL with {statistics} statistics")
        fresh = f"{original}_new"
        migrate(cluster, fresh)
        fill(cluster, fresh, file, statistics)
        if statistics == FRESH:
            audit(cluster.url(fresh))
        cluster.psql("postgres", f"ALTER DATABASE {fresh} RENAME TO {original}")
        clean = ", and its audit is clean" if statistics == FRESH else ""
        say(f"copied it in {time.monotonic() - started:.0f} s{clean}")
    return Postgres(cluster, original, spec, f"bench_{name}")


def migrate(cluster: Cluster, database: str) -> None:
    """An empty database with the schema of the binary."""
    with Bolts(cluster.clone(database)):
        pass


def fill(cluster: Cluster, database: str, file: Path, statistics: str) -> None:
    """Copies all rows. Triggers and foreign keys are off meanwhile, except the trigger that writes the full text."""
    source = sqlite3.connect(file)
    tables = shared_tables(cluster, database, source)
    each = lambda statement: "\n".join(statement.format(table) for table in tables)  # noqa: E731
    cluster.psql(database, "SET session_replication_role = replica;\n" + each("DELETE FROM {0};"))
    cluster.psql(database, each("ALTER TABLE {0} SET (autovacuum_enabled = false);"))
    # Without indexes the copy is much faster. CREATE INDEX counts the rows, so the other statistics do without this.
    indexes = take_indexes(cluster, database) if statistics == FRESH else []
    words = insert_triggers(cluster, database)
    set_triggers(cluster, database, words, "ENABLE ALWAYS")
    for table, columns in tables.items():
        rows = source.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
        first = rows // 100 if statistics == SMALL else rows
        copy(cluster, database, source, table, columns, f"LIMIT {first}")
        if statistics == SMALL:
            cluster.psql(database, f"ANALYZE {table}")
            if table == "bets":
                cluster.psql(database, "ANALYZE bets_search")
            copy(cluster, database, source, table, columns, f"LIMIT -1 OFFSET {first}")
    set_triggers(cluster, database, words, "ENABLE")
    cluster.psql(database, NEXT_NUMBERS)
    source.close()
    if statistics == FRESH:
        cluster.psql(database, "SET maintenance_work_mem = '512MB';\n" + ";\n".join(indexes))
        cluster.psql(database, each("ALTER TABLE {0} RESET (autovacuum_enabled);"))
        cluster.psql(database, "VACUUM ANALYZE")


def shared_tables(cluster: Cluster, database: str, source: sqlite3.Connection) -> dict[str, list[str]]:
    """The tables that both databases have, with their columns. Foreign keys are not checked, so any order will do."""
    found = {}
    for (table,) in source.execute(f"SELECT name FROM sqlite_schema WHERE type = 'table' AND {SKIPPED}"):
        here = [row[1] for row in source.execute(f"PRAGMA table_info({table})")]
        there = cluster.psql(database, f"SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('{table}') AND attnum > 0")
        columns = [column for column in here if column in there.split()]
        if columns:
            found[table] = columns
    return found


def take_indexes(cluster: Cluster, database: str) -> list[str]:
    """Removes the indexes that belong to no constraint, and returns the statements that make them."""
    plain = """SELECT replace(pg_get_indexdef(indexrelid), chr(10), ' ') FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)"""
    statements = cluster.psql(database, plain).splitlines()
    names = ", ".join(statement.split(" INDEX ", 1)[1].split(" ", 1)[0] for statement in statements)
    cluster.psql(database, f"DROP INDEX {names}")
    return statements


def insert_triggers(cluster: Cluster, database: str) -> list[str]:
    """The triggers after an INSERT on bets, which write the full text."""
    # Bit 2 of the type stands for INSERT, bit 1 for BEFORE.
    named = "SELECT tgname FROM pg_trigger WHERE tgrelid = 'bets'::regclass AND NOT tgisinternal AND tgtype & 6 = 4"
    return cluster.psql(database, named).split()


def set_triggers(cluster: Cluster, database: str, names: list[str], how: str) -> None:
    """Sets whether triggers on bets also run while rows are copied."""
    cluster.psql(database, "\n".join(f"ALTER TABLE bets {how} TRIGGER {name};" for name in names) or "SELECT 1")


# The numbers of new rows continue after those of the copied rows.
NEXT_NUMBERS = """
DO $$
DECLARE
    owned RECORD;
BEGIN
    FOR owned IN SELECT attrelid::regclass::text AS tab, attname AS col FROM pg_attribute
        WHERE attidentity <> '' AND attrelid::regclass::text NOT LIKE 'pg\\_%' LOOP
        EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), COALESCE(MAX(%I), 0) + 1, false) FROM %I',
            owned.tab, owned.col, owned.col, owned.tab);
    END LOOP;
END
$$
"""


def text(cell: object) -> str:
    """A cell in the format of COPY."""
    if cell is None:
        return "\\N"
    return str(cell).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def copy(
    cluster: Cluster, database: str, source: sqlite3.Connection, table: str, columns: list[str], part: str
) -> None:
    """Copies a part of a table by COPY."""
    names = ", ".join(columns)
    environment = clean_environment() | {"PGOPTIONS": "-c session_replication_role=replica"}
    statement = f"COPY {table} ({names}) FROM STDIN"
    words = [cluster.programs["psql"], "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--command", statement]
    copying = subprocess.Popen(
        [*words, cluster.url(database)], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        for row in source.execute(f"SELECT {names} FROM {table} {part}"):
            copying.stdin.write("\t".join(map(text, row)) + "\n")
    except BrokenPipeError:
        pass
    _, said = copying.communicate()
    if copying.returncode != 0:
        raise Failure(f"{table} cannot be copied to PostgreSQL: {said}")
