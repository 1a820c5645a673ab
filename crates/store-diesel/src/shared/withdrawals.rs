use bolts_kernel::{CLOCK_TOLERANCE, Timestamp, UserId, WithdrawalId};
use bolts_ports::{Page, PageRequest, Result, WithdrawalView, Withdrawals};
use bolts_wallet::{
    EndedBy, Millisats, Outflow, Outgoing, PaymentHash, Trail, Withdrawal, WithdrawalState, WithdrawalStatus,
    Word,
};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::Conn;
use super::columns::{Columns, insert, row, update};
use super::prepared::{self, Column, Select, Sql};
use super::rows::{Cells, cut};
use super::transaction::Transaction;
use crate::schema::{users, withdrawals};

row! {
    /// The columns of a withdrawal that never change.
    TermsRow of "withdrawals" {
        {
            id: String as Text,
            user_id: String as Text,
            invoice: String as Text,
            payment_hash: String as Text,
            amount_msat: i64 as BigInt,
            amount: i64 as BigInt,
            fee_limit: i64 as BigInt,
            expires_at: i64 as BigInt,
            address: Option<String> as Nullable<Text>,
            created_at: i64 as BigInt,
        }
    }
}

row! {
    /// The columns of a withdrawal that may change.
    StateRow of "withdrawals" {
        {
            status: String as Text,
            attempts: i64 as BigInt,
            first_attempt_at: Option<i64> as Nullable<BigInt>,
            questions: i64 as BigInt,
            next_at: Option<i64> as Nullable<BigInt>,
            fee_msat: Option<i64> as Nullable<BigInt>,
            fee: Option<i64> as Nullable<BigInt>,
            dust_msat: Option<i64> as Nullable<BigInt>,
            preimage: Option<String> as Nullable<Text>,
            refund_reason: Option<String> as Nullable<Text>,
            ended_at: Option<i64> as Nullable<BigInt>,
            ended_by: Option<String> as Nullable<Text>,
            last_attempt_at: Option<i64> as Nullable<BigInt>,
            call_until: Option<i64> as Nullable<BigInt>,
            last_word: Option<String> as Nullable<Text>,
            last_word_at: Option<i64> as Nullable<BigInt>,
        }
    }
}

impl TermsRow {
    fn of(withdrawal: &Withdrawal) -> Self {
        let outgoing = &withdrawal.outgoing;
        Self {
            id: withdrawal.id.to_string(),
            user_id: withdrawal.user.to_string(),
            invoice: outgoing.invoice.clone(),
            payment_hash: outgoing.payment_hash.to_string(),
            amount_msat: outgoing.amount.get(),
            amount: withdrawal.amount().get(),
            fee_limit: withdrawal.fee_limit.get(),
            expires_at: outgoing.expires_at.micros(),
            address: outgoing.address.clone(),
            created_at: withdrawal.created_at.micros(),
        }
    }

    fn outgoing(&self, cells: Cells<'_>) -> Result<Outgoing> {
        Ok(Outgoing {
            invoice: self.invoice.clone(),
            payment_hash: cells.parsed("payment_hash", &self.payment_hash)?,
            amount: cells.known("amount_msat", Millisats::new(self.amount_msat).ok())?,
            expires_at: cells.time("expires_at", self.expires_at)?,
            address: self.address.clone(),
        })
    }
}

impl StateRow {
    fn of(withdrawal: &Withdrawal) -> Self {
        let trail = withdrawal.trail.as_ref();
        let word = trail.and_then(|trail| trail.word.as_ref());
        let begun = Self {
            status: withdrawal.status().as_str().to_owned(),
            attempts: trail.map_or(0, |trail| i64::from(trail.attempts)),
            first_attempt_at: trail.map(|trail| trail.since.micros()),
            questions: 0,
            next_at: withdrawal.next_at().map(Timestamp::micros),
            fee_msat: None,
            fee: None,
            dust_msat: None,
            preimage: None,
            refund_reason: None,
            ended_at: None,
            ended_by: None,
            last_attempt_at: trail.map(|trail| trail.latest.micros()),
            call_until: trail.and_then(|trail| trail.call_until).map(Timestamp::micros),
            last_word: word.map(|word| word.text.clone()),
            last_word_at: word.map(|word| word.at.micros()),
        };
        match &withdrawal.state {
            WithdrawalState::Held => begun,
            WithdrawalState::Sending { questions, .. } => Self { questions: i64::from(*questions), ..begun },
            WithdrawalState::Paid { fee, preimage, at, by } => Self {
                fee_msat: Some(fee.get()),
                fee: withdrawal.fee().map(|fee| fee.get()),
                dust_msat: Some(withdrawal.dust()),
                preimage: preimage.map(|preimage| preimage.to_string()),
                ended_at: Some(at.micros()),
                ended_by: Some(by.as_str().to_owned()),
                ..begun
            },
            WithdrawalState::Refunded { reason, at, by } => Self {
                refund_reason: Some(reason.clone()),
                ended_at: Some(at.micros()),
                ended_by: Some(by.as_str().to_owned()),
                ..begun
            },
        }
    }

    fn trail(&self, cells: Cells<'_>) -> Result<Option<Trail>> {
        let Some(since) = cells.maybe_time("first_attempt_at", self.first_attempt_at)? else {
            return Ok(None);
        };
        let word_at = cells.maybe_time("last_word_at", self.last_word_at)?;
        Ok(Some(Trail {
            attempts: cells.known("attempts", u32::try_from(self.attempts).ok())?,
            since,
            // Old rows have no `last_attempt_at`, because a later migration added this column. The time of
            // the first attempt replaces it.
            latest: cells.maybe_time("last_attempt_at", self.last_attempt_at)?.unwrap_or(since),
            call_until: cells.maybe_time("call_until", self.call_until)?,
            word: self.last_word.clone().zip(word_at).map(|(text, at)| Word { text, at }),
        }))
    }

    fn state(&self, cells: Cells<'_>) -> Result<WithdrawalState> {
        let ended_at = || cells.time("ended_at", cells.known("ended_at", self.ended_at)?);
        let by = || cells.known("ended_by", self.ended_by.as_deref().and_then(EndedBy::parse));
        Ok(match cells.known("status", WithdrawalStatus::parse(&self.status))? {
            WithdrawalStatus::Held => WithdrawalState::Held,
            WithdrawalStatus::Sending => WithdrawalState::Sending {
                questions: cells.known("questions", u32::try_from(self.questions).ok())?,
                next_ask_at: cells.time("next_at", cells.known("next_at", self.next_at)?)?,
            },
            WithdrawalStatus::Paid => WithdrawalState::Paid {
                fee: cells.known("fee_msat", self.fee_msat.and_then(|msat| Millisats::new(msat).ok()))?,
                preimage: self.preimage.as_deref().map(|text| cells.parsed("preimage", text)).transpose()?,
                at: ended_at()?,
                by: by()?,
            },
            WithdrawalStatus::Refunded => WithdrawalState::Refunded {
                reason: cells.known("refund_reason", self.refund_reason.clone())?,
                at: ended_at()?,
                by: by()?,
            },
        })
    }
}

pub(super) type Row = (TermsRow, StateRow);

/// Converts a row to a withdrawal.
pub(super) fn withdrawal((terms, state): Row) -> Result<Withdrawal> {
    let cells = Cells { table: "withdrawals", id: &terms.id };
    Ok(Withdrawal {
        id: cells.parsed("id", &terms.id)?,
        user: cells.parsed("user_id", &terms.user_id)?,
        outgoing: terms.outgoing(cells)?,
        fee_limit: cells.amount("fee_limit", terms.fee_limit)?,
        created_at: cells.time("created_at", terms.created_at)?,
        trail: state.trail(cells)?,
        state: state.state(cells)?,
    })
}

const WITHDRAWN: &str = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM withdrawals
    WHERE status <> 'refunded' AND created_at >= ? AND user_id = ?";

/// The statement for the net outflow of the users that meet a condition: their withdrawals minus their
/// deposits since a time. In the condition, `net` is the net outflow of one user.
macro_rules! outflow_of {
    ($whose:literal) => {
        concat!(
            "SELECT CAST(COALESCE(SUM(net), 0) AS BIGINT) FROM (
                SELECT user_id, SUM(amount) AS net FROM (
                    SELECT user_id, amount FROM withdrawals WHERE status <> 'refunded' AND created_at >= ?
                    UNION ALL
                    SELECT user_id, 0 - credited FROM deposits WHERE paid_at >= ?
                ) AS moved GROUP BY user_id
            ) AS nets WHERE ",
            $whose
        )
    };
}

impl Withdrawals for Transaction<'_> {
    fn insert(&mut self, new: &Withdrawal) -> Result<bool> {
        let (terms, state) = (TermsRow::of(new), StateRow::of(new));
        // If the payment hash exists already, the result is `false`. An id that exists already is an error,
        // because new ids must be unique.
        let once = "ON CONFLICT (payment_hash) DO NOTHING";
        let added = self.run(|conn| insert(conn, (&terms, &state), once))?;
        Ok(added == 1)
    }

    fn lock(&mut self, id: WithdrawalId) -> Result<Option<Withdrawal>> {
        let row = self.run(|conn| {
            let row = withdrawals::table.filter(withdrawals::id.eq(id.to_string()));
            locked!(row.select((TermsRow::columns(), StateRow::columns()))).get_result::<Row>(conn).optional()
        })?;
        self.remember(row.map(withdrawal).transpose())
    }

    fn attempts(&mut self, id: WithdrawalId) -> Result<u32> {
        let attempts = self.run(|conn| {
            let row = withdrawals::table.filter(withdrawals::id.eq(id.to_string()));
            row.select(withdrawals::attempts).get_result::<i64>(conn).optional()
        })?;
        Ok(u32::try_from(attempts.unwrap_or_default()).unwrap_or(u32::MAX))
    }

    fn update(&mut self, changed: &Withdrawal) -> Result<()> {
        let (id, state) = (changed.id.to_string(), StateRow::of(changed));
        let touched = self.run(|conn| update(conn, &state, &id))?;
        self.expect_rows(touched, 1, "recording a withdrawal")
    }

    fn any_sending(&mut self) -> Result<bool> {
        self.run(|conn| {
            let sending = withdrawals::table
                .filter(withdrawals::next_at.is_not_null())
                .filter(withdrawals::status.eq(WithdrawalStatus::Sending.as_str()));
            diesel::select(diesel::dsl::exists(sending)).get_result(conn)
        })
    }

    fn calls_under_way(&mut self, now: Timestamp) -> Result<u32> {
        let count = self.run(|conn| {
            let open = withdrawals::table.filter(withdrawals::next_at.is_not_null());
            open.filter(withdrawals::call_until.gt(now.micros())).count().get_result::<i64>(conn)
        })?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn in_flight(&mut self, user: UserId) -> Result<u32> {
        let count = self.run(|conn| {
            let open = withdrawals::table.filter(withdrawals::user_id.eq(user.to_string()));
            open.filter(withdrawals::next_at.is_not_null()).count().get_result::<i64>(conn)
        })?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn withdrawn(&mut self, user: UserId, since: Timestamp) -> Result<i64> {
        let id = user.to_string();
        let binds = [since.micros().into(), (&id).into()];
        let sums = self.run(|conn| prepared::numbers(conn, WITHDRAWN, binds))?;
        Ok(sums.first().copied().unwrap_or_default())
    }

    fn outflow(&mut self, user: UserId, since: Timestamp) -> Result<Outflow> {
        let (id, since) = (user.to_string(), since.micros());
        let sums = self.run(|conn| {
            let own = [since.into(), since.into(), (&id).into()];
            let own = prepared::numbers(conn, outflow_of!("user_id = ?"), own)?;
            let all = prepared::numbers(conn, outflow_of!("net > 0"), [since.into(), since.into()])?;
            Ok((own, all))
        });
        let (own, all) = sums?;
        Ok(Outflow { own: own.into_iter().sum(), all: all.into_iter().sum() })
    }
}

/// The withdrawal with this id.
pub(super) fn find(conn: &mut Conn, id: WithdrawalId) -> QueryResult<Option<Row>> {
    withdrawals::table
        .filter(withdrawals::id.eq(id.to_string()))
        .select((TermsRow::columns(), StateRow::columns()))
        .get_result::<Row>(conn)
        .optional()
}

/// The withdrawal that pays the invoice with this payment hash.
pub(super) fn find_by_hash(conn: &mut Conn, hash: PaymentHash) -> QueryResult<Option<Row>> {
    withdrawals::table
        .filter(withdrawals::payment_hash.eq(hash.to_string()))
        .select((TermsRow::columns(), StateRow::columns()))
        .get_result::<Row>(conn)
        .optional()
}

/// The withdrawals that were refunded at `since` or later, although the provider may have been told to pay
/// them. The latest refund comes first.
pub(super) fn refunded_after_attempts(
    conn: &mut Conn,
    since: Timestamp,
    limit: u32,
) -> QueryResult<Vec<Row>> {
    withdrawals::table
        // Only refunded withdrawals have a reason. With exactly this condition SQLite can use the index
        // `withdrawals_refunded`.
        .filter(withdrawals::refund_reason.is_not_null())
        .filter(withdrawals::attempts.gt(0))
        .filter(withdrawals::ended_at.ge(since.micros()))
        .order(withdrawals::ended_at.desc())
        .limit(i64::from(limit))
        .select((TermsRow::columns(), StateRow::columns()))
        .load(conn)
}

/// The due withdrawals in their order. The turn of a withdrawal grows with the number of older open withdrawals of the same
/// user. The index `withdrawals_due` finds the open withdrawals, which are few enough to sort. With `next_at IS NOT NULL`
/// instead of the range, SQLite would read all withdrawals in the order of their users. `FALSE` sorts before `TRUE`. A step whose
/// time is too far ahead is due, because a wrong clock has given this time.
pub(super) const DUE: &str = "FROM (
        SELECT id, status, expires_at, next_at, RANK() OVER (PARTITION BY user_id ORDER BY created_at) AS turn
        FROM withdrawals WHERE next_at > 0
    ) AS waiting
    WHERE next_at <= ? OR next_at > ? ORDER BY status DESC, status = 'held' AND expires_at > ?, turn, next_at LIMIT ?";

prepared::column!(Id: Text = "id");

/// The ids of the withdrawals that need a step at `now`. Withdrawals with the status `sending` come first, then held
/// withdrawals whose invoice has expired, then the other held ones. Within each group, users take turns.
pub(super) fn due(conn: &mut Conn, now: Timestamp, limit: u32) -> QueryResult<Vec<String>> {
    let (at, ahead) = (now.micros(), now.after(CLOCK_TOLERANCE).micros());
    let binds = [at.into(), ahead.into(), at.into(), i64::from(limit).into()];
    Select { columns: Column(Id), from: Sql::new(DUE, binds), is_kept: true }.load(conn)
}

type Listed = (i64, TermsRow, StateRow, String);

/// The withdrawals that a list shows.
pub(super) enum Whose {
    /// The withdrawals of one user.
    User(UserId),
    /// All withdrawals with one status.
    Status(WithdrawalStatus),
    /// All withdrawals.
    Anybody,
}

/// The rows of a page of withdrawals, newest first. An additional row shows whether there is a next page.
pub(super) fn list(conn: &mut Conn, whose: &Whose, page: PageRequest) -> QueryResult<Vec<Listed>> {
    let before = page.after.map_or(i64::MAX, |cursor| cursor.seq);
    let rows = withdrawals::table
        .inner_join(users::table)
        .filter(withdrawals::seq.lt(before))
        .order(withdrawals::seq.desc())
        .limit(i64::from(page.limit) + 1)
        .select((withdrawals::seq, TermsRow::columns(), StateRow::columns(), users::email));
    match whose {
        Whose::User(user) => rows.filter(withdrawals::user_id.eq(user.to_string())).load(conn),
        Whose::Status(status) => rows.filter(withdrawals::status.eq(status.as_str())).load(conn),
        Whose::Anybody => rows.load(conn),
    }
}

/// Converts the result of [`list`] to a page.
pub(super) fn page(rows: Vec<Listed>, page: PageRequest) -> Result<Page<WithdrawalView>> {
    cut(
        rows,
        page,
        |(seq, ..)| *seq,
        |(_, terms, state, email)| Ok(WithdrawalView { withdrawal: withdrawal((terms, state))?, email }),
    )
}
