//! The list of the transfers to and from a user, in pages, and the sum of all users' sats.

use bolts_kernel::{Currency, Money, UserId};
use bolts_ledger::TransferKind;
use bolts_ports::{MovedFor, Movement, Page, PageRequest, Result};
use bolts_wallet::Reserves;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::Conn;
use super::rows::{Cells, cut};

/// The statement for a page of a user's transfers. `$1` stands for the user's id. One index has the outgoing
/// transfers of an account and one has the incoming transfers, both in the order of the list. The second one has no stakes,
/// because a stake goes into an escrow. A user has an account for each of the two currencies, so the statement reads at most
/// four pages of rows.
pub(super) fn history_sql(page: PageRequest) -> String {
    let before = page.after.map_or(i64::MAX, |cursor| cursor.seq);
    let limit = i64::from(page.limit) + 1;
    let arm = |currency: Currency, side: &str, incoming: &str| {
        format!(
            "SELECT * FROM (SELECT t.id, {incoming} AS incoming FROM transfers t WHERE {side} = (SELECT id \
             FROM accounts WHERE kind = 'available' AND owner = $1 AND currency = '{currency}') \
             AND t.id < {before} ORDER BY t.id DESC LIMIT {limit}) AS arm"
        )
    };
    let arms: Vec<String> = Currency::ALL
        .into_iter()
        .flat_map(|currency| {
            [
                arm(currency, "t.from_account", "FALSE"),
                arm(currency, "t.kind <> 'stake' AND t.to_account", "TRUE"),
            ]
        })
        .collect();
    format!(
        "SELECT t.id AS seq, t.created_at, t.kind, t.amount, t.currency, moved.incoming, t.deposit_id, \
             t.withdrawal_id, t.bet_id, bets.title, bets.deleted_at \
         FROM (SELECT id, incoming FROM ({}) AS arms ORDER BY id DESC LIMIT {limit}) AS moved \
         JOIN transfers t ON t.id = moved.id LEFT JOIN bets ON bets.id = t.bet_id ORDER BY t.id DESC",
        arms.join(" UNION ALL ")
    )
}

#[derive(QueryableByName)]
pub(super) struct MovementRow {
    #[diesel(sql_type = BigInt)]
    seq: i64,
    #[diesel(sql_type = BigInt)]
    created_at: i64,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = BigInt)]
    amount: i64,
    #[diesel(sql_type = Text)]
    currency: String,
    #[diesel(sql_type = Bool)]
    incoming: bool,
    #[diesel(sql_type = Nullable<Text>)]
    deposit_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    withdrawal_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    bet_id: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    title: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    deleted_at: Option<i64>,
}

/// The rows of a page of a user's transfers, newest first. An additional row shows whether there is a next
/// page.
pub(super) fn rows(conn: &mut Conn, user: UserId, page: PageRequest) -> QueryResult<Vec<MovementRow>> {
    diesel::sql_query(history_sql(page)).bind::<Text, _>(user.to_string()).load(conn)
}

/// Converts the result of [`rows`] to a page.
pub(super) fn page(rows: Vec<MovementRow>, page: PageRequest) -> Result<Page<Movement>> {
    cut(rows, page, |row| row.seq, movement)
}

fn movement(row: MovementRow) -> Result<Movement> {
    let id = row.seq.to_string();
    let cells = Cells { table: "transfers", id: &id };
    let currency: Currency = cells.parsed("currency", &row.currency)?;
    let bet = match (&row.bet_id, row.title) {
        (Some(bet), Some(title)) => {
            let id = cells.parsed("bet_id", bet)?;
            Some(MovedFor { id, title, has_page: row.deleted_at.is_none() })
        }
        (Some(_), None) | (None, _) => None,
    };
    Ok(Movement {
        seq: row.seq,
        at: cells.time("created_at", row.created_at)?,
        kind: cells.known("kind", TransferKind::parse(&row.kind))?,
        money: Money::new(cells.amount("amount", row.amount)?, currency),
        is_incoming: row.incoming,
        bet,
        deposit: row.deposit_id.map(|id| cells.parsed("deposit_id", &id)).transpose()?,
        withdrawal: row.withdrawal_id.map(|id| cells.parsed("withdrawal_id", &id)).transpose()?,
    })
}

/// The sum of all users' sats, and the part of this sum that is held for payments under way.
const RESERVES: &str = "
    SELECT
        (SELECT CAST(COALESCE(SUM(balance), 0) AS BIGINT) FROM accounts
            WHERE currency = 'sats' AND kind IN ('available', 'escrow', 'hold')) AS owed,
        (SELECT CAST(COALESCE(SUM(amount + fee_limit), 0) AS BIGINT) FROM withdrawals
            WHERE status = 'sending') AS in_flight";

#[derive(QueryableByName)]
pub(super) struct ReservesRow {
    #[diesel(sql_type = BigInt)]
    owed: i64,
    #[diesel(sql_type = BigInt)]
    in_flight: i64,
}

/// Reads the two sums of [`RESERVES`]. One statement reads both, so that they belong to the same moment.
pub(super) fn reserves_row(conn: &mut Conn) -> QueryResult<ReservesRow> {
    diesel::sql_query(RESERVES).get_result(conn)
}

pub(super) fn reserves(row: &ReservesRow) -> Result<Reserves> {
    let cells = Cells { table: "accounts", id: "all users" };
    Ok(Reserves {
        owed: cells.amount("balance", row.owed)?,
        in_flight: cells.amount("balance", row.in_flight)?,
    })
}
