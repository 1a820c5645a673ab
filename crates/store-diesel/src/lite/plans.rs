//! Tests of SQLite's query plans. A list must be read from an index that has the order of the list. No query
//! may read a complete table.

use bolts_bets::{Category, Status};
use bolts_kernel::{Currency, UserId};
use bolts_ports::{Cursor, ListFilter, ListStatus, PageRequest, Sort};
use diesel::prelude::*;
use diesel::sql_types::Text;

use super::{
    Conn, PAGE_JOINS, SqliteOptions, accounts, deliveries, departures, exports, history, lists, open, search,
    user_figures, withdrawals,
};

const SORTS: [Sort; 6] =
    [Sort::Newest, Sort::Oldest, Sort::StakeDesc, Sort::StakeAsc, Sort::EndingSoon, Sort::PotDesc];
const CURRENCIES: [Option<Currency>; 2] = [None, Some(Currency::Sats)];
const CURSORS: [Option<Cursor>; 2] = [None, Some(Cursor { key: 5, seq: 9 })];
const STATUSES: [Option<ListStatus>; 3] =
    [None, Some(ListStatus::Active), Some(ListStatus::Only(Status::Pending))];

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

fn database() -> (tempfile::TempDir, Conn) {
    let folder = tempfile::tempdir().unwrap();
    let conn = open::migrated(&folder.path().join("bolts.db"), &SqliteOptions::default()).unwrap();
    (folder, conn)
}

fn plan(conn: &mut Conn, sql: impl AsRef<str>) -> Vec<String> {
    let sql = format!("EXPLAIN QUERY PLAN {}", sql.as_ref().replace("$1", "'x'"));
    let steps: Vec<Step> = diesel::sql_query(sql).load(conn).unwrap();
    steps.into_iter().map(|step| step.detail).collect()
}

/// Asserts that each part of a list searches an index by `columns` and needs no sort, because the index has
/// the order of the list. Only the few rows that the parts return are sorted.
fn assert_runs(plan: &[String], columns: &str) {
    let runs: Vec<_> = plan.iter().enumerate().filter(|(_, step)| step.contains(" bets ")).collect();
    assert!(!runs.is_empty(), "{plan:?}");
    for (at, step) in runs {
        assert!(step.starts_with("SEARCH bets USING") && step.contains(columns), "{step}");
        assert_eq!(plan[at - 1], "CO-ROUTINE arm");
        assert_eq!(plan[at + 1], "SCAN arm", "the run itself is sorted: {plan:?}");
    }
}

/// SQLite builds a temporary table for IN with more than two constants, also in a CHECK.
#[test]
fn no_check_of_a_frequent_statement_builds_a_table() {
    #[derive(QueryableByName)]
    struct Operation {
        #[diesel(sql_type = Text)]
        opcode: String,
    }
    let (_folder, mut conn) = database();
    let mut operations = |sql: &str| -> Vec<String> {
        let found: Vec<Operation> = diesel::sql_query(format!("EXPLAIN {sql}")).load(&mut conn).unwrap();
        found.into_iter().map(|operation| operation.opcode).collect()
    };
    let builds = |operations: &[String]| operations.iter().any(|opcode| opcode == "OpenEphemeral");
    assert!(builds(&operations("UPDATE bets SET room = 'a' WHERE seq IN (1, 2, 3)")));
    for sql in [
        "INSERT INTO bets DEFAULT VALUES",
        "UPDATE bets SET status = 'x', acceptor_id = 'x', proposed_outcome = 'x', arbiter_status = 'x' WHERE seq = 1",
        "INSERT INTO accounts DEFAULT VALUES",
        "INSERT INTO bet_events DEFAULT VALUES",
        "INSERT INTO positions DEFAULT VALUES",
        "INSERT INTO transfers DEFAULT VALUES",
        "UPDATE user_figures SET wins = 1 WHERE user_id = 'x' AND currency = 'x'",
    ] {
        let found = operations(sql);
        assert!(found.len() > 10 && !builds(&found), "{sql}: {found:?}");
    }
}

#[test]
fn public_lists_are_read_in_order() {
    let (_folder, mut conn) = database();
    let lists = SORTS.into_iter().flat_map(|sort| CURRENCIES.map(|currency| (sort, currency)));
    for ((sort, currency), after) in lists.flat_map(|list| CURSORS.map(|after| (list, after))) {
        for (status, category) in
            STATUSES.into_iter().flat_map(|s| [None, Some(Category::Sports)].map(|c| (s, c)))
        {
            let filter = ListFilter { words: Vec::new(), category, status, currency, sort };
            let plan = plan(&mut conn, lists::public_sql(&filter, after, 25).text);
            let by_place = matches!(sort, Sort::Newest | Sort::Oldest);
            if by_place && status.is_none() && category.is_none() {
                let read = if after.is_some() {
                    "SEARCH bets USING INDEX bets_public (seq"
                } else {
                    "SCAN bets USING INDEX bets_public"
                };
                assert!(plan[1].starts_with(read), "{plan:?}");
                assert_eq!(plan.len(), 3, "{plan:?}");
            } else {
                assert_runs(&plan, "(status=? AND category=?");
            }
        }
    }
}

#[test]
fn a_users_bets_and_disputes_are_read_in_order() {
    let (_folder, mut conn) = database();
    let ann = UserId::from(1);
    let ended = Some(ListStatus::Only(Status::Resolved));
    for (after, status) in CURSORS.into_iter().flat_map(|after| STATUSES.map(|status| (after, status))) {
        let plan = plan(&mut conn, lists::own_sql(ann, status, after, 25).text);
        assert_runs(&plan, "or_id=?");
        assert!(plan.iter().any(|step| step.contains("bets_created_open (creator_id=?")), "{plan:?}");
    }
    for after in CURSORS {
        let plan = plan(&mut conn, lists::own_sql(ann, ended, after, 25).text);
        assert_runs(&plan, "_ended (");
        assert_runs(&plan, "or_id=? AND status=?");
    }
    for after in CURSORS {
        let plan = plan(&mut conn, lists::arbitrated_sql(ann, None, after, 25).text);
        assert_runs(&plan, "bets_arbitrated (arbiter_id=? AND status=?");
    }
    let plan = plan(&mut conn, lists::disputes_sql(CURSORS[1], 25).text);
    assert_runs(&plan, "bets_disputed (disputed_at");
}

#[test]
fn the_events_of_a_users_bets_are_found_by_indexes() {
    let (_folder, mut conn) = database();
    for after in CURSORS {
        let page = PageRequest { limit: 25, after };
        let sql = exports::bet_events_sql(UserId::from(1), page).text;
        let plan = plan(&mut conn, format!("SELECT bet_events.kind {sql}"));
        for step in [
            "SEARCH bets USING INTEGER PRIMARY KEY",
            "SEARCH bet_events USING INDEX bet_events_bet (bet_seq=?",
        ] {
            assert!(plan.iter().any(|found| found.starts_with(step)), "{step}: {plan:?}");
        }
        let is_whole = |step: &&String| step.starts_with("SCAN bet");
        assert_eq!(plan.iter().find(is_whole), None, "{plan:?}");
    }
}

#[test]
fn the_bets_that_may_wait_for_a_user_are_read_in_order() {
    let (_folder, mut conn) = database();
    let plan = plan(&mut conn, lists::unsettled_sql(UserId::from(1), 25, 9).text);
    assert_runs(&plan, " (");
    for index in [
        "bets_arbiters_turn (arbiter_id=?",
        "bets_created_unsettled (creator_id=?",
        "bets_accepted_unsettled (acceptor_id=?",
    ] {
        assert!(plan.iter().any(|step| step.contains(index)), "{plan:?}");
    }
}

fn with_words(sort: Sort) -> ListFilter {
    ListFilter { words: vec!["snow".to_owned()], sort, ..ListFilter::default() }
}

#[test]
fn searches_by_words_come_in_order() {
    let (_folder, mut conn) = database();
    for after in CURSORS {
        for sort in [Sort::Newest, Sort::Oldest] {
            let plan = plan(&mut conn, search::sql(&with_words(sort), after, 25).text);
            assert!(
                plan.iter().any(|step| step.starts_with("SCAN bets_fts VIRTUAL TABLE INDEX")),
                "{plan:?}"
            );
            assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:?}");
        }
        for sort in [Sort::Newest, Sort::Oldest] {
            let status = Some(ListStatus::Only(Status::Resolved));
            let filter = ListFilter { status, ..with_words(sort) };
            let plan = plan(&mut conn, search::sql(&filter, after, 25).text);
            assert!(plan.iter().any(|step| step.contains("SCAN bets_fts VIRTUAL TABLE INDEX")), "{plan:?}");
            assert!(plan.iter().any(|step| step.contains("bets_public_newest (status=?")), "{plan:?}");
        }
        let by_property = [Sort::StakeDesc, Sort::StakeAsc, Sort::EndingSoon, Sort::PotDesc].map(with_words);
        let in_sats = ListFilter { currency: Some(Currency::Sats), ..with_words(Sort::Newest) };
        for filter in by_property.into_iter().chain([in_sats]) {
            let plan = plan(&mut conn, search::sql(&filter, after, 25).text);
            let bets = plan.iter().find(|step| step.contains(" bets ")).unwrap();
            assert!(bets.starts_with("SEARCH bets USING INDEX bets_public (seq=?"), "{plan:?}");
        }
    }
}

#[test]
fn frequent_look_ups_use_an_index() {
    let (_folder, mut conn) = database();
    for (sql, index) in [
        (
            "SELECT id FROM bets WHERE next_deadline_at <= 5 ORDER BY next_deadline_at LIMIT 9",
            "bets_deadline",
        ),
        ("SELECT seq FROM bets WHERE share_token = $1 AND deleted_at IS NULL", "share_token=?"),
        ("SELECT seq FROM bet_events WHERE bet_seq = 5 ORDER BY seq", "bet_events_bet (bet_seq=?"),
        ("SELECT seq FROM notifications WHERE user_id = $1 ORDER BY seq DESC LIMIT 9", "notifications_user"),
        ("SELECT user_id FROM sessions WHERE hash = $1", "(hash=?"),
        ("SELECT balance FROM accounts WHERE kind = 'available' AND owner = $1", "(kind=? AND owner=?"),
        ("DELETE FROM sessions WHERE last_seen_at < 5 OR created_at < 5", "MULTI-INDEX OR"),
        ("DELETE FROM idempotency WHERE created_at < 5", "idempotency_age"),
        ("DELETE FROM throttles WHERE last < 5", "throttles_age"),
        ("SELECT id FROM users WHERE lower(username) = $1", "users_username"),
        (
            "SELECT id FROM users WHERE lower(username) >= $1 AND lower(username) < $1 ORDER BY lower(username) LIMIT 9",
            "users_username",
        ),
        ("SELECT id FROM transfers WHERE from_account = 5 ORDER BY id DESC LIMIT 9", "transfers_from"),
        (
            "SELECT id FROM transfers WHERE kind <> 'stake' AND to_account = 5 ORDER BY id DESC LIMIT 9",
            "transfers_to",
        ),
        (
            "SELECT id FROM withdrawals WHERE refund_reason IS NOT NULL AND attempts > 0 AND ended_at >= 5
                ORDER BY ended_at DESC LIMIT 9",
            "withdrawals_refunded",
        ),
        ("SELECT id FROM deposits WHERE next_check_at IS NOT NULL AND expires_at > 5", "deposits_due"),
        ("SELECT id FROM deposits WHERE next_check_at <= 5 OR next_check_at > 9", "deposits_due"),
        ("SELECT id FROM messages WHERE bet_id = $1 AND seq > 5 ORDER BY seq LIMIT 9", "messages_bet"),
        ("SELECT id FROM messages WHERE bet_id = $1 AND seq < 5 ORDER BY seq DESC LIMIT 9", "messages_bet"),
        (
            "SELECT id FROM pictures WHERE message_id IN ($1, $1) ORDER BY message_id, place",
            "pictures_message",
        ),
        ("SELECT author_id FROM pictures WHERE bet_id = $1", "pictures_bet"),
        ("DELETE FROM pictures WHERE message_id = $1", "pictures_message"),
        ("DELETE FROM pictures WHERE id = $1 AND message_id IS NULL", "(id=?)"),
        ("DELETE FROM pictures WHERE message_id IS NULL AND created_at < 5", "pictures_loose"),
        ("SELECT id FROM outbox WHERE next_at <= 5 ORDER BY next_at LIMIT 9", "outbox_next"),
        (
            "SELECT id FROM messages WHERE author_id = $1 AND seq < 5 ORDER BY seq DESC LIMIT 9",
            "messages_author",
        ),
        (
            "SELECT id FROM pictures WHERE author_id = $1 AND seq < 5 ORDER BY seq DESC LIMIT 9",
            "pictures_author",
        ),
        ("SELECT id FROM deposits WHERE user_id = $1 AND seq < 5 ORDER BY seq DESC LIMIT 9", "deposits_user"),
        (
            "SELECT action FROM admin_actions WHERE user_id = $1 AND seq < 5 ORDER BY seq DESC LIMIT 9",
            "admin_actions_user",
        ),
    ] {
        let plan = plan(&mut conn, sql).join("; ");
        assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
    }
}

#[test]
fn the_transfers_and_the_results_of_a_user_are_found_by_indexes() {
    let (_folder, mut conn) = database();
    let page = PageRequest { limit: 25, after: CURSORS[1] };
    let history = plan(&mut conn, history::history_sql(page)).join("; ");
    for index in ["transfers_from (from_account=? AND id<?", "transfers_to (to_account=? AND id<?"] {
        assert!(history.contains(index) && !history.contains("SCAN t"), "{history}");
    }
    let extremes = plan(&mut conn, user_figures::FIND_EXTREMES).join("; ");
    assert_eq!(extremes.matches("positions_results (<expr>=?").count(), 2, "{extremes}");
}

/// The audit reads each transfer a fixed number of times.
#[test]
fn balances_are_added_up_by_indexes() {
    let (_folder, mut conn) = database();
    let plan = plan(&mut conn, accounts::UNBALANCED).join("; ");
    for index in [
        "transfers_to (to_account=?",
        "transfers_from (from_account=?",
        "sqlite_autoindex_transfers_1 (key>? AND key<?",
        "SEARCH strays USING AUTOMATIC",
    ] {
        assert!(plan.contains(index), "{index}: {plan}");
    }
    assert_eq!(plan.matches("SCAN t").count(), 1, "{plan}");
}

/// The turns of users need all open withdrawals. A site has many that have ended.
#[test]
fn due_withdrawals_are_found_without_reading_ended_ones() {
    let (_folder, mut conn) = database();
    let plan = plan(&mut conn, format!("SELECT id {}", withdrawals::DUE));
    let reads: Vec<_> = plan.iter().filter(|step| step.contains(" withdrawals ")).collect();
    assert_eq!(reads, ["SEARCH withdrawals USING INDEX withdrawals_due (next_at>?)"], "{plan:?}");
}

#[test]
fn what_keeps_an_account_is_found_by_indexes() {
    let (_folder, mut conn) = database();
    for sql in [departures::TIES, departures::INVITATIONS] {
        let plan = plan(&mut conn, sql);
        let is_whole = |step: &&String| step.starts_with("SCAN ") && *step != "SCAN CONSTANT ROW";
        assert_eq!(plan.iter().find(is_whole), None, "{plan:?}");
        assert!(plan.iter().any(|step| step.contains("bets_arbitrated (arbiter_id=?")), "{plan:?}");
    }
    let plan = plan(&mut conn, departures::TIES);
    for index in ["bets_created_open (creator_id=?", "bets_accepted_open (acceptor_id=?"] {
        assert!(plan.iter().any(|step| step.contains(index)), "{plan:?}");
    }
}

#[test]
fn a_page_reads_its_bets_and_names_by_their_keys() {
    let (_folder, mut conn) = database();
    let page = lists::public_sql(&ListFilter::default(), None, 25).text;
    let plan = plan(&mut conn, format!("SELECT * FROM ({page}) AS page {PAGE_JOINS}"));
    for step in [
        "SEARCH bets USING INTEGER PRIMARY KEY",
        "SEARCH creators USING INDEX",
        "SEARCH acceptors USING INDEX",
        "SEARCH arbiters USING INDEX",
    ] {
        assert!(plan.iter().any(|found| found.starts_with(step)), "{step}: {plan:?}");
    }
}

/// Two indexes have the columns of this query. SQLite takes the one that was created last.
#[test]
fn mails_of_accounts_are_found_without_reading_the_others() {
    let (_folder, mut conn) = database();
    for (causes, index) in [
        (deliveries::IS_OF_AN_ACCOUNT, "deliveries_account"),
        (deliveries::IS_A_NOTIFICATION, "deliveries_due"),
        (deliveries::IS_ANY, "deliveries_due"),
    ] {
        let sql = format!(
            "SELECT * FROM deliveries WHERE deliveries.state = 'queued' AND channel = $1 AND next_at <= 5 AND {causes} \
             AND leased_until <= 5 ORDER BY next_at, seq LIMIT 9"
        );
        let plan = plan(&mut conn, sql);
        let wanted = format!("SEARCH deliveries USING INDEX {index} (channel=? AND next_at<?)");
        assert_eq!(plan, [wanted]);
    }
}

/// No query uses Diesel's `first`, because it binds LIMIT as a parameter. `shared/prepared.rs` says why this
/// is slow.
#[test]
fn no_look_up_binds_its_limit() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shared");
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains(".first(conn)") && !text.contains(".first::<"), "{}", path.display());
    }
}
