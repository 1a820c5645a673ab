//! Rows of bets, and their conversion to types of the domain. If a stored value is invalid, the
//! conversion fails with an error that names table, column and id.

use std::str::FromStr;
use std::time::Duration;

use bolts_bets::{
    Arbiter, ArbiterStatus, Bet, CancelReason, Category, Challenge, Deletion, Dispute, Marks, Method,
    Negotiation, Outcome, Proposal, Rejections, SettledBy, Settlement, ShareToken, Side, SourceUrl, State,
    Status, Terms, Text, Visibility, Waits,
};
use bolts_kernel::{Amount, Currency, Money, Timestamp};
use bolts_ports::{BetView, Cursor, Page, PageRequest, Person, Result, StoreError};
use bolts_resolution::deadlines;
use diesel::prelude::*;

use super::prepared::{Bind, Place, Write};
use crate::failure::broken_cell;
use crate::schema::bets;

/// The columns of a bet that never change.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = bets, treat_none_as_default_value = false)]
pub(super) struct TermsRow {
    id: String,
    creator_id: String,
    creator_side: String,
    title: String,
    description: String,
    option_a: String,
    option_b: String,
    stake: i64,
    /// NULL means the same as `stake`.
    opponent_stake: Option<i64>,
    currency: String,
    category: String,
    method: String,
    source_url: Option<String>,
    expires_at: i64,
    resolution_date: Option<i64>,
    time_zone: Option<String>,
    share_token: Option<String>,
    stand_seconds: i64,
    lapse_seconds: i64,
    dispute_lapse_seconds: i64,
    reminder_seconds: i64,
    arbiter_seconds: i64,
    arbiter_id: Option<String>,
    created_at: i64,
}

/// The columns of a bet that a transition may write.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = bets, treat_none_as_default_value = false)]
pub(super) struct StateRow {
    updated_at: i64,
    status: String,
    acceptor_id: Option<String>,
    accepted_at: Option<i64>,
    proposal_id: Option<String>,
    proposed_outcome: Option<String>,
    proposed_by: Option<String>,
    proposed_at: Option<i64>,
    last_proposed_at: Option<i64>,
    rejection_count: i64,
    last_rejected_at: Option<i64>,
    disputed_by: Option<String>,
    disputed_at: Option<i64>,
    dispute_reason: Option<String>,
    winning_side: Option<String>,
    settled_at: Option<i64>,
    settled_by: Option<String>,
    cancel_reason: Option<String>,
    due_told: bool,
    reminded_of: Option<i64>,
    deferred_until: Option<i64>,
    deleted_at: Option<i64>,
    deleted_by: Option<String>,
    next_deadline_at: Option<i64>,
    next_deadline_kind: Option<String>,
    arbiter_status: Option<String>,
}

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

    fn seconds(self, column: &'static str, seconds: i64) -> Result<Duration> {
        self.known(column, u64::try_from(seconds).ok().map(Duration::from_secs))
    }

    pub(super) fn maybe_time(self, column: &'static str, micros: Option<i64>) -> Result<Option<Timestamp>> {
        micros.map(|micros| self.time(column, micros)).transpose()
    }

    /// Like [`Cells::time`], but fails if the column is NULL.
    fn set_time(self, column: &'static str, micros: Option<i64>) -> Result<Timestamp> {
        self.time(column, self.known(column, micros)?)
    }
}

impl TermsRow {
    pub(super) fn of(bet: &Bet) -> Self {
        let terms = &bet.terms;
        let seconds = |wait: Duration| i64::try_from(wait.as_secs()).unwrap_or(i64::MAX);
        Self {
            id: bet.id.to_string(),
            creator_id: bet.creator.to_string(),
            creator_side: bet.creator_side.to_string(),
            title: terms.title.to_string(),
            description: terms.description.to_string(),
            option_a: terms.option_a.to_string(),
            option_b: terms.option_b.to_string(),
            stake: terms.stake.amount.get(),
            opponent_stake: Some(terms.opponent_stake.get()),
            currency: terms.stake.currency.to_string(),
            category: terms.category.to_string(),
            method: terms.method.to_string(),
            source_url: terms.source_url.as_deref().map(str::to_owned),
            expires_at: terms.expires_at.micros(),
            resolution_date: terms.resolution_date.map(Timestamp::micros),
            time_zone: terms.time_zone.as_deref().map(str::to_owned),
            share_token: match &terms.visibility {
                Visibility::Public => None,
                Visibility::Private(token) => Some(token.as_str().to_owned()),
            },
            stand_seconds: seconds(bet.waits.stand),
            lapse_seconds: seconds(bet.waits.lapse),
            dispute_lapse_seconds: seconds(bet.waits.dispute_lapse),
            reminder_seconds: seconds(bet.waits.reminder),
            arbiter_seconds: seconds(bet.waits.arbiter),
            arbiter_id: bet.arbiter.map(|arbiter| arbiter.user.to_string()),
            created_at: bet.created_at.micros(),
        }
    }

    fn terms(self, cells: Cells<'_>) -> Result<Terms> {
        let currency: Currency = cells.parsed("currency", &self.currency)?;
        Ok(Terms {
            title: Text::from_stored(self.title),
            description: Text::from_stored(self.description),
            option_a: Text::from_stored(self.option_a),
            option_b: Text::from_stored(self.option_b),
            stake: Money::new(cells.amount("stake", self.stake)?, currency),
            opponent_stake: cells.amount("opponent_stake", self.opponent_stake.unwrap_or(self.stake))?,
            category: cells.known("category", Category::parse(&self.category))?,
            method: cells.known("method", Method::parse(&self.method))?,
            source_url: self.source_url.map(SourceUrl::from_stored),
            expires_at: cells.time("expires_at", self.expires_at)?,
            resolution_date: cells.maybe_time("resolution_date", self.resolution_date)?,
            time_zone: self.time_zone.map(Text::from_stored),
            visibility: self
                .share_token
                .map_or(Visibility::Public, |token| Visibility::Private(ShareToken::new(token))),
        })
    }

    fn waits(&self, cells: Cells<'_>) -> Result<Waits> {
        Ok(Waits {
            stand: cells.seconds("stand_seconds", self.stand_seconds)?,
            lapse: cells.seconds("lapse_seconds", self.lapse_seconds)?,
            dispute_lapse: cells.seconds("dispute_lapse_seconds", self.dispute_lapse_seconds)?,
            reminder: cells.seconds("reminder_seconds", self.reminder_seconds)?,
            arbiter: cells.seconds("arbiter_seconds", self.arbiter_seconds)?,
        })
    }
}

impl StateRow {
    pub(super) fn of(bet: &Bet) -> Self {
        let challenge = bet.state.challenge();
        let negotiation = bet.state.negotiation();
        let standing = negotiation.and_then(|n| n.standing);
        let dispute = negotiation.and_then(|n| n.dispute.as_ref());
        let rejections = negotiation.map(|n| n.rejections).unwrap_or_default();
        let (winning, settled_at, settled_by, cancel_reason) = end_of(&bet.state);
        let next = deadlines::next(bet);
        Self {
            updated_at: bet.updated_at.micros(),
            status: bet.status().to_string(),
            acceptor_id: challenge.map(|c| c.acceptor.to_string()),
            accepted_at: challenge.map(|c| c.accepted_at.micros()),
            proposal_id: standing.map(|p| p.id.to_string()),
            proposed_outcome: standing.map(|p| p.outcome.to_string()),
            proposed_by: standing.map(|p| p.by.to_string()),
            proposed_at: standing.map(|p| p.at.micros()),
            last_proposed_at: negotiation.and_then(|n| n.last_proposed_at).map(Timestamp::micros),
            rejection_count: i64::from(rejections.count),
            last_rejected_at: rejections.last_at.map(Timestamp::micros),
            disputed_by: dispute.map(|d| d.by.to_string()),
            disputed_at: dispute.map(|d| d.at.micros()),
            dispute_reason: dispute.map(|d| d.reason.clone()),
            winning_side: winning.map(|side| side.to_string()),
            settled_at: settled_at.map(Timestamp::micros),
            settled_by: settled_by.map(|by| by.to_string()),
            cancel_reason: cancel_reason.map(|reason| reason.to_string()),
            due_told: bet.marks.due_told,
            reminded_of: bet.marks.reminded_of.map(Timestamp::micros),
            deferred_until: bet.marks.deferred_until.map(Timestamp::micros),
            deleted_at: bet.deletion.map(|d| d.at.micros()),
            deleted_by: bet.deletion.map(|d| d.by.to_string()),
            next_deadline_at: next.map(|deadline| deadline.at.micros()),
            next_deadline_kind: next.map(|deadline| deadline.step.as_str().to_owned()),
            arbiter_status: bet.arbiter.map(|arbiter| arbiter.status.to_string()),
        }
    }

    /// The statement that writes the columns that differ from `before`. An UPDATE of a column writes every index
    /// that contains it, even if the value stays.
    pub(super) fn update(&self, seq: i64, before: &Self) -> Write {
        let mut names = Vec::new();
        let mut binds = Vec::new();
        for ((name, now), (_, then)) in self.columns().into_iter().zip(before.columns()) {
            if now != then || name == "updated_at" {
                names.push(format!("{name} = ?"));
                binds.push(now.into_owned());
            }
        }
        binds.push(seq.into());
        Write {
            sql: format!("UPDATE bets SET {} WHERE seq = ?", names.join(", ")).into(),
            binds,
            place: Place::Bets,
            rows: 1,
        }
    }

    fn columns(&self) -> [(&'static str, Bind<'_>); 26] {
        [
            ("updated_at", self.updated_at.into()),
            ("status", (&self.status).into()),
            ("acceptor_id", (&self.acceptor_id).into()),
            ("accepted_at", self.accepted_at.into()),
            ("proposal_id", (&self.proposal_id).into()),
            ("proposed_outcome", (&self.proposed_outcome).into()),
            ("proposed_by", (&self.proposed_by).into()),
            ("proposed_at", self.proposed_at.into()),
            ("last_proposed_at", self.last_proposed_at.into()),
            ("rejection_count", self.rejection_count.into()),
            ("last_rejected_at", self.last_rejected_at.into()),
            ("disputed_by", (&self.disputed_by).into()),
            ("disputed_at", self.disputed_at.into()),
            ("dispute_reason", (&self.dispute_reason).into()),
            ("winning_side", (&self.winning_side).into()),
            ("settled_at", self.settled_at.into()),
            ("settled_by", (&self.settled_by).into()),
            ("cancel_reason", (&self.cancel_reason).into()),
            ("due_told", self.due_told.into()),
            ("reminded_of", self.reminded_of.into()),
            ("deferred_until", self.deferred_until.into()),
            ("deleted_at", self.deleted_at.into()),
            ("deleted_by", (&self.deleted_by).into()),
            ("next_deadline_at", self.next_deadline_at.into()),
            ("next_deadline_kind", (&self.next_deadline_kind).into()),
            ("arbiter_status", (&self.arbiter_status).into()),
        ]
    }

    fn state(&self, cells: Cells<'_>) -> Result<State> {
        let status = cells.known("status", Status::parse(&self.status))?;
        let challenge = self.challenge(cells)?;
        let challenged = || cells.known("acceptor_id", challenge);
        Ok(match status {
            Status::Pending => State::Pending,
            Status::Accepted => State::Accepted(challenged()?),
            Status::AwaitingResolution => State::AwaitingResolution(self.negotiation(cells, challenged()?)?),
            Status::Resolved => State::Resolved {
                negotiation: self.negotiation(cells, challenged()?)?,
                winning: cells.known("winning_side", self.winning_side.as_deref().and_then(Side::parse))?,
                settlement: Settlement {
                    at: cells.set_time("settled_at", self.settled_at)?,
                    by: cells.known("settled_by", self.settled_by(cells)?)?,
                },
            },
            Status::Cancelled => State::Cancelled {
                negotiation: challenge.map(|challenge| self.negotiation(cells, challenge)).transpose()?,
                reason: cells
                    .known("cancel_reason", self.cancel_reason.as_deref().and_then(CancelReason::parse))?,
                at: cells.set_time("settled_at", self.settled_at)?,
                settled_by: self.settled_by(cells)?,
            },
        })
    }

    fn arbiter(&self, cells: Cells<'_>, user: Option<&str>) -> Result<Option<Arbiter>> {
        let Some(user) = user else { return Ok(None) };
        let status = self.arbiter_status.as_deref().and_then(ArbiterStatus::parse);
        Ok(Some(Arbiter {
            user: cells.parsed("arbiter_id", user)?,
            status: cells.known("arbiter_status", status)?,
        }))
    }

    fn settled_by(&self, cells: Cells<'_>) -> Result<Option<SettledBy>> {
        let by = |name: &String| cells.known("settled_by", SettledBy::parse(name));
        self.settled_by.as_ref().map(by).transpose()
    }

    fn challenge(&self, cells: Cells<'_>) -> Result<Option<Challenge>> {
        let Some(acceptor) = &self.acceptor_id else { return Ok(None) };
        Ok(Some(Challenge {
            acceptor: cells.parsed("acceptor_id", acceptor)?,
            accepted_at: cells.set_time("accepted_at", self.accepted_at)?,
        }))
    }

    fn negotiation(&self, cells: Cells<'_>, challenge: Challenge) -> Result<Negotiation> {
        let count = u32::try_from(self.rejection_count).ok();
        Ok(Negotiation {
            challenge,
            standing: self.proposal(cells)?,
            last_proposed_at: cells.maybe_time("last_proposed_at", self.last_proposed_at)?,
            rejections: Rejections {
                count: cells.known("rejection_count", count)?,
                last_at: cells.maybe_time("last_rejected_at", self.last_rejected_at)?,
            },
            dispute: self.dispute(cells)?,
        })
    }

    fn proposal(&self, cells: Cells<'_>) -> Result<Option<Proposal>> {
        let Some(id) = &self.proposal_id else { return Ok(None) };
        let by = cells.known("proposed_by", self.proposed_by.as_deref())?;
        Ok(Some(Proposal {
            id: cells.parsed("proposal_id", id)?,
            outcome: cells
                .known("proposed_outcome", self.proposed_outcome.as_deref().and_then(Outcome::parse))?,
            by: cells.parsed("proposed_by", by)?,
            at: cells.set_time("proposed_at", self.proposed_at)?,
        }))
    }

    fn dispute(&self, cells: Cells<'_>) -> Result<Option<Dispute>> {
        let Some(by) = &self.disputed_by else { return Ok(None) };
        Ok(Some(Dispute {
            by: cells.parsed("disputed_by", by)?,
            at: cells.set_time("disputed_at", self.disputed_at)?,
            reason: cells.known("dispute_reason", self.dispute_reason.clone())?,
        }))
    }

    fn deletion(&self, cells: Cells<'_>) -> Result<Option<Deletion>> {
        let Some(by) = &self.deleted_by else { return Ok(None) };
        let at = cells.set_time("deleted_at", self.deleted_at)?;
        Ok(Some(Deletion { at, by: cells.parsed("deleted_by", by)? }))
    }
}

type End = (Option<Side>, Option<Timestamp>, Option<SettledBy>, Option<CancelReason>);

fn end_of(state: &State) -> End {
    match state {
        State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => (None, None, None, None),
        State::Resolved { winning, settlement, .. } => {
            (Some(*winning), Some(settlement.at), Some(settlement.by), None)
        }
        State::Cancelled { reason, at, settled_by, .. } => (None, Some(*at), *settled_by, Some(*reason)),
    }
}

/// Converts a row to a bet.
pub(super) fn bet(mut terms: TermsRow, state: &StateRow) -> Result<Bet> {
    let id = std::mem::take(&mut terms.id);
    let cells = Cells { table: "bets", id: &id };
    Ok(Bet {
        id: cells.parsed("id", &id)?,
        creator: cells.parsed("creator_id", &terms.creator_id)?,
        creator_side: cells.known("creator_side", Side::parse(&terms.creator_side))?,
        waits: terms.waits(cells)?,
        arbiter: state.arbiter(cells, terms.arbiter_id.as_deref())?,
        created_at: cells.time("created_at", terms.created_at)?,
        terms: terms.terms(cells)?,
        updated_at: cells.time("updated_at", state.updated_at)?,
        state: state.state(cells)?,
        marks: Marks {
            due_told: state.due_told,
            reminded_of: cells.maybe_time("reminded_of", state.reminded_of)?,
            deferred_until: cells.maybe_time("deferred_until", state.deferred_until)?,
        },
        deletion: state.deletion(cells)?,
    })
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

/// A query for bets that are not deleted, with the names of their users.
macro_rules! bet_views {
    () => {{
        use $crate::schema::{ACCEPTORS, ARBITERS, CREATORS, bets, users};
        bets::table
            .inner_join(CREATORS.on(CREATORS.field(users::id).eq(bets::creator_id)))
            .left_join(ACCEPTORS.on(ACCEPTORS.field(users::id).nullable().eq(bets::acceptor_id)))
            .left_join(ARBITERS.on(ARBITERS.field(users::id).nullable().eq(bets::arbiter_id)))
            .filter(bets::deleted_at.is_null())
            .select((
                bets::seq,
                TermsRow::as_select(),
                StateRow::as_select(),
                CREATORS.fields((users::username, users::email)),
                ACCEPTORS.fields((users::username, users::email)).nullable(),
                ARBITERS.fields((users::username, users::email)).nullable(),
            ))
    }};
}
pub(super) use bet_views;
