use bolts_kernel::{CLOCK_TOLERANCE, DepositId, Timestamp, UserId};
use bolts_ports::{Deposits, OpenInvoices, Result};
use bolts_wallet::{Deposit, DepositState, Millisats, PaymentHash, Receipt};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::columns::{Columns, insert, row, update};
use super::rows::Cells;
use super::transaction::Transaction;
use super::{Conn, reserve};
use crate::schema::deposits;

row! {
    /// The columns of a deposit that never change.
    TermsRow of "deposits" {
        {
            id: String as Text,
            user_id: String as Text,
            asked: i64 as BigInt,
            invoice: String as Text,
            payment_hash: String as Text,
            created_at: i64 as BigInt,
            expires_at: i64 as BigInt,
        }
    }
}

row! {
    /// The columns of a deposit that may change.
    StateRow of "deposits" {
        {
            status: String as Text,
            checks: i64 as BigInt,
            next_check_at: Option<i64> as Nullable<BigInt>,
            received_msat: Option<i64> as Nullable<BigInt>,
            credited: Option<i64> as Nullable<BigInt>,
            dust_msat: Option<i64> as Nullable<BigInt>,
            paid_at: Option<i64> as Nullable<BigInt>,
        }
    }
}

impl TermsRow {
    fn of(deposit: &Deposit) -> Self {
        Self {
            id: deposit.id.to_string(),
            user_id: deposit.user.to_string(),
            asked: deposit.asked.get(),
            invoice: deposit.invoice.clone(),
            payment_hash: deposit.payment_hash.to_string(),
            created_at: deposit.created_at.micros(),
            expires_at: deposit.expires_at.micros(),
        }
    }
}

impl StateRow {
    fn of(deposit: &Deposit) -> Self {
        let (status, checks, next_check_at, receipt) = match deposit.state {
            DepositState::Open { checks, next_check_at } => ("open", checks, Some(next_check_at), None),
            DepositState::Lapsed => ("lapsed", 0, None, None),
            DepositState::Paid(receipt) => ("paid", 0, None, Some(receipt)),
        };
        Self {
            status: status.to_owned(),
            checks: i64::from(checks),
            next_check_at: next_check_at.map(Timestamp::micros),
            received_msat: receipt.map(|receipt| receipt.received.get()),
            credited: receipt.map(|receipt| receipt.credited().get()),
            dust_msat: receipt.map(|receipt| receipt.received.dust()),
            paid_at: receipt.map(|receipt| receipt.at.micros()),
        }
    }

    fn state(&self, cells: Cells<'_>) -> Result<DepositState> {
        Ok(match self.status.as_str() {
            "open" => DepositState::Open {
                checks: cells.known("checks", u32::try_from(self.checks).ok())?,
                next_check_at: cells
                    .time("next_check_at", cells.known("next_check_at", self.next_check_at)?)?,
            },
            "lapsed" => DepositState::Lapsed,
            "paid" => {
                let received = self.received_msat.and_then(|msat| Millisats::new(msat).ok());
                DepositState::Paid(Receipt {
                    received: cells.known("received_msat", received)?,
                    at: cells.time("paid_at", cells.known("paid_at", self.paid_at)?)?,
                })
            }
            _ => return Err(cells.broken("status")),
        })
    }
}

/// Converts a row to a deposit.
pub(super) fn deposit((terms, state): (TermsRow, StateRow)) -> Result<Deposit> {
    let cells = Cells { table: "deposits", id: &terms.id };
    Ok(Deposit {
        id: cells.parsed("id", &terms.id)?,
        user: cells.parsed("user_id", &terms.user_id)?,
        asked: cells.amount("asked", terms.asked)?,
        invoice: terms.invoice.clone(),
        payment_hash: cells.parsed("payment_hash", &terms.payment_hash)?,
        created_at: cells.time("created_at", terms.created_at)?,
        expires_at: cells.time("expires_at", terms.expires_at)?,
        state: state.state(cells)?,
    })
}

pub(super) type Row = (TermsRow, StateRow);

impl Deposits for Transaction<'_> {
    fn insert(&mut self, new: &Deposit) -> Result<()> {
        let (terms, state) = (TermsRow::of(new), StateRow::of(new));
        self.run(|conn| insert(conn, (&terms, &state), "")).map(drop)
    }

    fn lock(&mut self, id: DepositId) -> Result<Option<Deposit>> {
        let row = self.run(|conn| {
            let row = deposits::table.filter(deposits::id.eq(id.to_string()));
            locked!(row.select((TermsRow::columns(), StateRow::columns()))).get_result::<Row>(conn).optional()
        })?;
        self.remember(row.map(deposit).transpose())
    }

    fn update(&mut self, changed: &Deposit) -> Result<()> {
        let (id, state) = (changed.id.to_string(), StateRow::of(changed));
        let touched = self.run(|conn| update(conn, &state, &id))?;
        self.expect_rows(touched, 1, "recording a deposit")
    }

    fn open_invoices(&mut self, user: UserId, now: Timestamp) -> Result<OpenInvoices> {
        let user = user.to_string();
        let expiries = self.run(|conn| {
            reserve(conn, "invoices of", &user)?;
            deposits::table
                .filter(deposits::user_id.eq(&user))
                .filter(deposits::status.eq("open"))
                .filter(deposits::expires_at.gt(now.micros()))
                .order(deposits::expires_at)
                .select(deposits::expires_at)
                .load::<i64>(conn)
        })?;
        let cells = Cells { table: "deposits", id: &user };
        let next_expiry = self.remember(cells.maybe_time("expires_at", expiries.first().copied()))?;
        Ok(OpenInvoices { count: u32::try_from(expiries.len()).unwrap_or(u32::MAX), next_expiry })
    }

    fn is_ours(&mut self, hash: PaymentHash) -> Result<bool> {
        self.run(|conn| {
            let same = deposits::table.filter(deposits::payment_hash.eq(hash.to_string()));
            diesel::select(diesel::dsl::exists(same)).get_result(conn)
        })
    }
}

/// The deposit with this id.
pub(super) fn find(conn: &mut Conn, id: DepositId) -> QueryResult<Option<Result<Deposit>>> {
    let row = deposits::table
        .filter(deposits::id.eq(id.to_string()))
        .select((TermsRow::columns(), StateRow::columns()))
        .get_result::<Row>(conn)
        .optional()?;
    Ok(row.map(deposit))
}

/// The deposit whose invoice has this payment hash.
pub(super) fn find_by_hash(conn: &mut Conn, hash: PaymentHash) -> QueryResult<Option<Result<Deposit>>> {
    let row = deposits::table
        .filter(deposits::payment_hash.eq(hash.to_string()))
        .select((TermsRow::columns(), StateRow::columns()))
        .get_result::<Row>(conn)
        .optional()?;
    Ok(row.map(deposit))
}

/// The paid deposits that were created at `since` or later. The newest deposit comes first.
pub(super) fn paid_since(conn: &mut Conn, since: Timestamp) -> QueryResult<Vec<Result<Deposit>>> {
    let rows = deposits::table
        .filter(deposits::status.eq("paid"))
        .filter(deposits::created_at.ge(since.micros()))
        .order(deposits::seq.desc())
        .select((TermsRow::columns(), StateRow::columns()))
        .load::<Row>(conn)?;
    Ok(rows.into_iter().map(deposit).collect())
}

/// The ids of the deposits for which the provider should be asked at `now`. A deposit whose time is too far
/// ahead is due, because a wrong clock has given this time.
pub(super) fn due(conn: &mut Conn, now: Timestamp, limit: u32) -> QueryResult<Vec<String>> {
    let ahead = now.after(CLOCK_TOLERANCE).micros();
    deposits::table
        .filter(deposits::next_check_at.le(now.micros()).or(deposits::next_check_at.gt(ahead)))
        .order(deposits::next_check_at)
        .limit(i64::from(limit))
        .select(deposits::id)
        .load(conn)
}

/// The open deposits whose invoice expires after `then`.
pub(super) fn open_expiring_after(conn: &mut Conn, then: Timestamp) -> QueryResult<Vec<Result<Deposit>>> {
    let rows = deposits::table
        // Only open deposits have a time of the next check. With this condition the database can use the
        // index `deposits_due`, which contains only the few open deposits.
        .filter(deposits::next_check_at.is_not_null())
        .filter(deposits::expires_at.gt(then.micros()))
        .select((TermsRow::columns(), StateRow::columns()))
        .load::<Row>(conn)?;
    Ok(rows.into_iter().map(deposit).collect())
}

/// The number of open deposits whose invoice expired before `then`.
pub(super) fn open_expired_before(conn: &mut Conn, then: Timestamp) -> QueryResult<i64> {
    deposits::table
        .filter(deposits::status.eq("open"))
        .filter(deposits::expires_at.lt(then.micros()))
        .count()
        .get_result(conn)
}
