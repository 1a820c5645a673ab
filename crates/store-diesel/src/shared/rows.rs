//! Conversions of stored values to types of the domain, pages of rows, and bets with the names of their users. If a
//! stored value is invalid, the conversion fails with an error that names table, column and id.

use std::str::FromStr;
use std::time::Duration;

use bolts_kernel::{Amount, Timestamp};
use bolts_ports::{BetView, Cursor, Page, PageRequest, Person, Result, StoreError};

use super::bet_rows::{StateRow, TermsRow, bet};
use crate::failure::broken_cell;

/// The columns of a query for bets with their users: seq, terms, state, creator, acceptor, arbiter.
pub(super) type ViewRow = (i64, TermsRow, StateRow, PersonRow, Option<PersonRow>, Option<PersonRow>);

/// Username and email of a user.
pub(super) type PersonRow = (Option<String>, String);

pub(super) fn person((username, email): PersonRow) -> Person {
    Person { username, email }
}

/// Converts the values of one row to types of the domain. An error names the table, the column and the id.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) table: &'static str,
    pub(super) id: &'a str,
}

impl Cells<'_> {
    pub(super) fn broken(self, column: &'static str) -> StoreError {
        broken_cell(self.table, column, self.id)
    }

    pub(super) fn known<T>(self, column: &'static str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| self.broken(column))
    }

    pub(super) fn parsed<T: FromStr>(self, column: &'static str, text: &str) -> Result<T> {
        self.known(column, text.parse().ok())
    }

    pub(super) fn time(self, column: &'static str, micros: i64) -> Result<Timestamp> {
        self.known(column, Timestamp::from_micros(micros).ok())
    }

    pub(super) fn amount(self, column: &'static str, units: i64) -> Result<Amount> {
        self.known(column, Amount::new(units).ok())
    }

    pub(super) fn seconds(self, column: &'static str, seconds: i64) -> Result<Duration> {
        self.known(column, u64::try_from(seconds).ok().map(Duration::from_secs))
    }

    pub(super) fn maybe_time(self, column: &'static str, micros: Option<i64>) -> Result<Option<Timestamp>> {
        micros.map(|micros| self.time(column, micros)).transpose()
    }

    /// Like [`Cells::time`], but fails if the column is NULL.
    pub(super) fn set_time(self, column: &'static str, micros: Option<i64>) -> Result<Timestamp> {
        self.time(column, self.known(column, micros)?)
    }
}

/// Builds a page from rows that are sorted by `seq`. The caller reads one more row than fits on the page. If
/// this row exists, there is a next page.
pub(super) fn cut<R, T>(
    rows: Vec<R>,
    page: PageRequest,
    place: impl Fn(&R) -> i64,
    show: impl Fn(R) -> Result<T>,
) -> Result<Page<T>> {
    cut_at(rows, page, |row| Cursor { key: 0, seq: place(row) }, show)
}

/// Builds a page like [`cut`], from rows that are sorted by two columns.
pub(super) fn cut_at<R, T>(
    mut rows: Vec<R>,
    page: PageRequest,
    place: impl Fn(&R) -> Cursor,
    show: impl Fn(R) -> Result<T>,
) -> Result<Page<T>> {
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().map(place);
    let items = rows.into_iter().map(show).collect::<Result<Vec<_>>>()?;
    Ok(Page { items, next: last.filter(|_| more) })
}

/// Converts a row to the `seq` of a bet and the bet with the names of its users.
pub(super) fn view(row: ViewRow) -> Result<(i64, BetView)> {
    let (seq, terms, state, creator, acceptor, arbiter) = row;
    let bet = bet(terms, &state)?;
    let (acceptor, arbiter) = (acceptor.map(person), arbiter.map(person));
    Ok((seq, BetView { bet, creator: person(creator), acceptor, arbiter }))
}

/// The columns of [`ViewRow`].
macro_rules! view_columns {
    () => {{
        use $crate::schema::{ACCEPTORS, ARBITERS, CREATORS, bets, users};
        (
            bets::seq,
            TermsRow::columns(),
            StateRow::columns(),
            CREATORS.fields((users::username, users::email)),
            ACCEPTORS.fields((users::username, users::email)).nullable(),
            ARBITERS.fields((users::username, users::email)).nullable(),
        )
    }};
}
pub(super) use view_columns;

/// A query for bets that are not deleted, with the names of their users.
macro_rules! bet_views {
    () => {{
        use $crate::schema::{ACCEPTORS, ARBITERS, CREATORS, bets, users};
        bets::table
            .inner_join(CREATORS.on(CREATORS.field(users::id).eq(bets::creator_id)))
            .left_join(ACCEPTORS.on(ACCEPTORS.field(users::id).nullable().eq(bets::acceptor_id)))
            .left_join(ARBITERS.on(ARBITERS.field(users::id).nullable().eq(bets::arbiter_id)))
            .filter(bets::deleted_at.is_null())
            .select(super::rows::view_columns!())
    }};
}
pub(super) use bet_views;
