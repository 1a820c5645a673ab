//! The rows of bets, and their conversion to types of the domain.

use std::time::Duration;

use bolts_bets::{
    Arbiter, ArbiterStatus, Bet, CancelReason, Category, Challenge, Deletion, Dispute, Marks, Method,
    Negotiation, Outcome, Proposal, Rejections, SettledBy, Settlement, ShareToken, Side, SourceUrl, State,
    Status, Terms, Text as Words, Visibility, Waits,
};
use bolts_kernel::{Currency, Money, Timestamp};
use bolts_ports::Result;
use bolts_resolution::deadlines;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::columns::{Columns, insert_into, row};
use super::prepared::{Bind, Fixed, Place, Sql, Write};
use super::rows::Cells;
use super::user_figures::{FiguresOfCreator, UnlockedByCreator};

row! {
    /// The columns of a bet that never change.
    TermsRow of "bets" {
        {
            id: String as Text,
            creator_id: String as Text,
            creator_side: String as Text,
            title: String as Text,
            description: String as Text,
            option_a: String as Text,
            option_b: String as Text,
            stake: i64 as BigInt,
            /// NULL means the same as `stake`.
            opponent_stake: Option<i64> as Nullable<BigInt>,
            currency: String as Text,
            category: String as Text,
            method: String as Text,
            source_url: Option<String> as Nullable<Text>,
        }
        {
            expires_at: i64 as BigInt,
            resolution_date: Option<i64> as Nullable<BigInt>,
            time_zone: Option<String> as Nullable<Text>,
            share_token: Option<String> as Nullable<Text>,
            stand_seconds: i64 as BigInt,
            lapse_seconds: i64 as BigInt,
            dispute_lapse_seconds: i64 as BigInt,
            reminder_seconds: i64 as BigInt,
            arbiter_seconds: i64 as BigInt,
            arbiter_id: Option<String> as Nullable<Text>,
            created_at: i64 as BigInt,
        }
    }
}

row! {
    /// The columns of a bet that a transition may write.
    StateRow of "bets" {
        {
            updated_at: i64 as BigInt,
            status: String as Text,
            acceptor_id: Option<String> as Nullable<Text>,
            accepted_at: Option<i64> as Nullable<BigInt>,
            proposal_id: Option<String> as Nullable<Text>,
            proposed_outcome: Option<String> as Nullable<Text>,
            proposed_by: Option<String> as Nullable<Text>,
            proposed_at: Option<i64> as Nullable<BigInt>,
            last_proposed_at: Option<i64> as Nullable<BigInt>,
            rejection_count: i64 as BigInt,
            last_rejected_at: Option<i64> as Nullable<BigInt>,
            disputed_by: Option<String> as Nullable<Text>,
            disputed_at: Option<i64> as Nullable<BigInt>,
            dispute_reason: Option<String> as Nullable<Text>,
        }
        {
            winning_side: Option<String> as Nullable<Text>,
            settled_at: Option<i64> as Nullable<BigInt>,
            settled_by: Option<String> as Nullable<Text>,
            cancel_reason: Option<String> as Nullable<Text>,
            due_told: bool as Bool,
            reminded_of: Option<i64> as Nullable<BigInt>,
            deferred_until: Option<i64> as Nullable<BigInt>,
            deleted_at: Option<i64> as Nullable<BigInt>,
            deleted_by: Option<String> as Nullable<Text>,
            next_deadline_at: Option<i64> as Nullable<BigInt>,
            next_deadline_kind: Option<String> as Nullable<Text>,
            arbiter_status: Option<String> as Nullable<Text>,
        }
    }
}

/// The statement that stores a new bet. It returns the `seq` of the bet, the names of its creator, and the creator's standing.
pub(super) fn insertion(terms: &TermsRow, state: &StateRow) -> Sql {
    let (names, values) = cells(terms, state);
    let returned = format!(
        "seq, (SELECT username FROM users WHERE id = bets.creator_id), \
         (SELECT email FROM users WHERE id = bets.creator_id), {}, {}",
        FiguresOfCreator::SQL,
        UnlockedByCreator::SQL
    );
    Sql::new(format!("{} RETURNING {returned}", insert_into("bets", &names)), values)
}

/// The statement that stores a new bet whose `seq` is known.
pub(super) fn insertion_at(seq: i64, terms: &TermsRow, state: &StateRow) -> Write {
    let (mut names, mut values) = cells(terms, state);
    names.push("seq");
    values.push(seq.into());
    Write {
        sql: insert_into("bets", &names).into(),
        binds: values,
        place: Place::Parent,
        rows: 1,
        otherwise: None,
    }
}

/// The names and the values of all columns beside `seq`.
fn cells(terms: &TermsRow, state: &StateRow) -> (Vec<&'static str>, Vec<Bind<'static>>) {
    let mut names = [TermsRow::NAMES, StateRow::NAMES].concat();
    let (terms, states) = (terms.values(), state.values());
    let room = state.room(&states);
    let mut values: Vec<_> = terms.into_iter().chain(states).map(Bind::into_owned).collect();
    if let Some(room) = room {
        names.push("room");
        values.push(room);
    }
    (names, values)
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
            title: Words::from_stored(self.title),
            description: Words::from_stored(self.description),
            option_a: Words::from_stored(self.option_a),
            option_b: Words::from_stored(self.option_b),
            stake: Money::new(cells.amount("stake", self.stake)?, currency),
            opponent_stake: cells.amount("opponent_stake", self.opponent_stake.unwrap_or(self.stake))?,
            category: cells.known("category", Category::parse(&self.category))?,
            method: cells.known("method", Method::parse(&self.method))?,
            source_url: self.source_url.map(SourceUrl::from_stored),
            expires_at: cells.time("expires_at", self.expires_at)?,
            resolution_date: cells.maybe_time("resolution_date", self.resolution_date)?,
            time_zone: self.time_zone.map(Words::from_stored),
            visibility: self
                .share_token
                .map_or(Visibility::Public, |token| Visibility::Private(ShareToken::new(token))),
        })
    }

    #[allow(dead_code, reason = "SQLite reads the bets of one job")]
    pub(super) fn currency(&self) -> Option<Currency> {
        Currency::parse(&self.currency)
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
        let values = self.values();
        let room = self.room(&values);
        for ((name, now), then) in Self::NAMES.iter().zip(values).zip(before.values()) {
            if now != then || *name == "updated_at" {
                names.push(format!("{name} = ?"));
                binds.push(now.into_owned());
            }
        }
        if let Some(room) = room {
            names.push("room = ?".to_owned());
            binds.push(room);
        }
        binds.push(seq.into());
        Write {
            sql: format!("UPDATE bets SET {} WHERE seq = ?", names.join(", ")).into(),
            binds,
            place: Place::Bet(seq),
            rows: 1,
            otherwise: None,
        }
    }

    /// The value of the column `room` beside these values of the state, if the database has this column. The room of an
    /// open bet becomes shorter when the state becomes longer. A bet that has ended needs no room.
    fn room(&self, values: &[Bind<'_>]) -> Option<Bind<'static>> {
        let length = super::STATE_LENGTH?;
        let used: usize = values.iter().map(Bind::length).sum();
        Some(self.settled_at.is_none().then(|| " ".repeat(length.saturating_sub(used))).into())
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
