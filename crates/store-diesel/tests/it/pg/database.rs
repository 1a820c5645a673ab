//! The rules that only the PostgreSQL schema has, or in words of its own. `rules.rs` has those of both databases.

use super::rules::{filled, refused};
use super::support::Raw;

#[test]
fn history_cannot_be_truncated() {
    let (_store, mut raw) = filled();
    for table in ["transfers", "bet_events", "admin_actions", "accounts", "bets"] {
        refused(&mut raw, &format!("TRUNCATE {table} CASCADE"), "never removed");
    }
}

#[test]
fn the_full_text_follows_the_bets() {
    let (_store, mut raw) = filled();
    let hits = |raw: &mut Raw, words: &str, tags: &str| {
        raw.values(&format!(
            "SELECT CAST(seq AS TEXT) AS value FROM bets_search
             WHERE words @@ search_of('{words}', $$':public'{tags}$$) ORDER BY seq"
        ))
    };
    assert_eq!(hits(&mut raw, "rain paris", ""), ["1", "2"]);
    assert_eq!(hits(&mut raw, "rain", " & ':Weather'"), ["1", "2"]);
    assert_eq!(hits(&mut raw, "weather", ""), Vec::<String>::new());
}

/// The schemas of the two databases are written separately, but both must match the same `schema.rs`. Only SQLite's bets
/// have `room`.
#[test]
fn both_databases_have_the_same_columns() {
    let (_store, mut raw) = filled();
    let postgres = raw.values(
        "SELECT table_name || '.' || column_name AS value FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name NOT IN ('bets_search', '__diesel_schema_migrations')
         ORDER BY table_name COLLATE \"C\", column_name COLLATE \"C\"",
    );
    let sqlite = crate::support::TestStore::new().raw().values(
        "SELECT t.name || '.' || c.name AS value FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c
         WHERE t.type = 'table' AND t.name NOT LIKE 'bets_fts%' AND t.name NOT LIKE 'sqlite_%'
            AND t.name <> '__diesel_schema_migrations' AND (t.name, c.name) <> ('bets', 'room')
         ORDER BY t.name, c.name",
    );
    assert_eq!(postgres, sqlite);
}

/// A copy of the pending bet with another stake of its opponent.
fn at_odds(columns: &str, units: &str) -> String {
    let id = "e".repeat(32);
    format!(
        "INSERT INTO bets (id, opponent_stake, {columns})
         SELECT '{id}', {units}, {columns} FROM bets WHERE status = 'pending'"
    )
}

#[test]
fn odds_are_at_most_100_to_1() {
    let (_store, mut raw) = filled();
    let columns = raw
        .values(
            "SELECT string_agg(column_name, ', ') AS value FROM information_schema.columns
             WHERE table_name = 'bets' AND is_generated = 'NEVER'
                AND column_name NOT IN ('seq', 'id', 'opponent_stake')",
        )
        .remove(0);
    for units in ["0", "-100", "10001", "9223372036854775807"] {
        refused(&mut raw, &at_odds(&columns, units), "at most 100 times the smaller one");
    }
    raw.run(&at_odds(&columns, "10000"));
}
