use std::fmt;

use bolts_bets::{Action, Bet, CancelReason, Odds, SettledBy, Side, State, Visibility};
use bolts_kernel::{BetId, ProposalId, Timestamp, UserId};
use bolts_ports::{BetView, Person};
use bolts_resolution::{Task, Turns, acceptor_may_propose_at, actions, deadlines, turns};
use bolts_usecases::Actor;
use bolts_usecases::bets::is_concerned;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::arbiter::ArbiterJson;
use super::schemas::{
    actions_schema, cancel_reason_schema, currency_schema, list_of, method_schema, outcome_schema,
    settled_by_schema, side_schema, status_schema, task_schema, winning_schema,
};
use super::timeline::NextJson;

/// The viewer of an answer. The viewer decides which parts of a bet the answer contains.
#[derive(Clone, Copy)]
pub(crate) struct Viewer {
    /// The signed-in user, if any.
    pub(crate) actor: Option<Actor>,
    /// The time at which the answer is created. The viewer's possible actions depend on the time.
    pub(crate) now: Timestamp,
    /// Whether the request contained the token of the bet's link.
    pub(crate) with_token: bool,
    /// Whether the bet is part of a list. Lists mask every e-mail address, so that nobody can collect
    /// addresses from them.
    pub(crate) in_list: bool,
}

impl Viewer {
    /// A signed-in user who opens one bet.
    pub(crate) fn user(actor: Actor, now: Timestamp) -> Self {
        Self { actor: Some(actor), now, with_token: false, in_list: false }
    }

    /// A user or a visitor who opens a list.
    pub(crate) fn of_list(actor: Option<Actor>, now: Timestamp) -> Self {
        Self { actor, now, with_token: false, in_list: true }
    }

    /// The actions that this viewer may do on the bet. A visitor may do none.
    fn actions(self, bet: &Bet) -> Vec<Action> {
        self.actor.map_or_else(Vec::new, |actor| actions(bet, actor.user, actor.is_admin, self.now))
    }

    /// The task of this viewer, if the bet waits for the viewer.
    fn task(self, bet: &Bet, turns: Turns) -> Option<Task> {
        self.actor.and_then(|actor| turns.of(bet, actor.user, actor.is_admin))
    }

    fn is(self, user: UserId) -> bool {
        self.actor.is_some_and(|actor| actor.user == user)
    }

    fn sees_email_of(self, user: UserId) -> bool {
        !self.in_list && (self.is(user) || self.actor.is_some_and(|actor| actor.is_admin))
    }
}

/// A party of a bet.
#[derive(Serialize, ToSchema)]
#[schema(as = Person)]
pub(crate) struct PersonJson<'a> {
    #[schema(required)]
    username: Option<&'a str>,
    /// Masked, e.g. `a•••@example.com`. Only the user and admins see it in full, and not in lists.
    #[schema(value_type = String)]
    email: Email<'a>,
}

/// A bet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bet)]
pub(crate) struct BetJson<'a> {
    #[schema(value_type = String)]
    id: BetId,
    title: &'a str,
    #[schema(required)]
    description: Option<&'a str>,
    category: &'static str,
    #[schema(value_type = String)]
    creator_id: UserId,
    #[schema(value_type = Option<String>, required)]
    acceptor_id: Option<UserId>,
    creator: PersonJson<'a>,
    #[schema(required)]
    acceptor: Option<PersonJson<'a>>,
    #[schema(schema_with = side_schema)]
    creator_choice: &'static str,
    option_a: &'a str,
    option_b: &'a str,
    /// The creator's stake, in whole units.
    stake_amount: i64,
    /// The stake of the user who takes the other side.
    opponent_stake: i64,
    /// The stake of side A.
    stake_a: i64,
    /// The stake of side B.
    stake_b: i64,
    /// Both stakes together: what the winner gets.
    pot: i64,
    #[schema(schema_with = currency_schema)]
    currency_type: &'static str,
    #[schema(schema_with = status_schema)]
    status: &'static str,
    is_private: bool,
    is_public: bool,
    /// Only for the creator of a private bet, and for users who presented the token.
    #[schema(required)]
    share_token: Option<&'a str>,
    /// Decimal odds: the pot divided by the stake of side A, rounded half up to 2 places.
    odds_a: f64,
    /// The same for side B.
    odds_b: f64,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    accepted_at: Option<Timestamp>,
    #[schema(schema_with = method_schema)]
    resolution_method: &'static str,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    resolution_date: Option<Timestamp>,
    #[schema(required)]
    source_url: Option<&'a str>,
    #[schema(value_type = Option<String>, required)]
    winner_id: Option<UserId>,
    #[schema(required, schema_with = winning_schema)]
    winning_option: Option<&'static str>,
    #[schema(required, schema_with = outcome_schema)]
    proposed_winning_option: Option<&'static str>,
    #[schema(value_type = Option<String>, required)]
    proposal_id: Option<ProposalId>,
    #[schema(value_type = Option<String>, required)]
    proposed_by: Option<UserId>,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    proposed_at: Option<Timestamp>,
    rejection_count: u32,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    last_rejected_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    disputed_at: Option<Timestamp>,
    #[schema(required)]
    dispute_reason: Option<&'a str>,
    #[schema(value_type = Option<String>, required, format = DateTime)]
    settled_at: Option<Timestamp>,
    #[schema(required, schema_with = settled_by_schema)]
    settled_by: Option<&'static str>,
    #[schema(required, schema_with = cancel_reason_schema)]
    cancel_reason: Option<&'static str>,
    /// The time from which the acceptor may also propose, if the rules set one.
    #[schema(value_type = Option<String>, required, format = DateTime)]
    acceptor_may_propose_at: Option<Timestamp>,
    /// The next step of the clock if nobody acts.
    #[schema(required)]
    next: Option<NextJson>,
    /// The actions that this viewer may do now. Empty for visitors.
    #[schema(schema_with = actions_schema)]
    actions: Vec<&'static str>,
    /// The roles that the bet waits for. Empty unless the bet has expired or awaits its resolution.
    #[schema(schema_with = roles_schema)]
    waits_for: Vec<&'static str>,
    /// The user who rules on a dispute, if the creator named one. Without `status: accepted` the admins rule.
    #[schema(required)]
    arbiter: Option<ArbiterJson<'a>>,
    /// The time until which the arbiter can rule, if a dispute waits for the arbiter.
    #[schema(value_type = Option<String>, required, format = DateTime)]
    arbiter_deadline: Option<Timestamp>,
    /// The viewer's task, if the bet waits for this viewer.
    #[schema(required, schema_with = task_schema)]
    turn: Option<&'static str>,
}

fn roles_schema() -> utoipa::openapi::schema::Array {
    list_of(&ROLES)
}

/// The roles that a bet may wait for.
const ROLES: [&str; 4] = ["creator", "acceptor", "admin", "arbiter"];

fn roles(turns: Turns) -> Vec<&'static str> {
    let arbiter = turns.arbiter == Some(Task::Rule);
    let waits = [turns.creator.is_some(), turns.acceptor.is_some(), turns.admins, arbiter];
    ROLES.into_iter().zip(waits).filter(|(_, waits)| *waits).map(|(role, _)| role).collect()
}

impl<'a> BetJson<'a> {
    /// The bet as this viewer sees it.
    pub(crate) fn of(view: &'a BetView, viewer: Viewer) -> Self {
        let bet = &view.bet;
        let terms = &bet.terms;
        let is_private = matches!(terms.visibility, Visibility::Private(_));
        let negotiation = bet.state.negotiation();
        let standing = negotiation.and_then(|n| n.standing);
        let rejections = negotiation.map(|n| n.rejections).unwrap_or_default();
        let dispute = negotiation.and_then(|n| n.dispute.as_ref());
        let end = End::of(&bet.state);
        let turns = turns(bet, viewer.now);
        Self {
            id: bet.id,
            title: &terms.title,
            description: Some(&*terms.description).filter(|text| !text.is_empty()),
            category: terms.category.as_str(),
            creator_id: bet.creator,
            acceptor_id: bet.acceptor(),
            creator: person(&view.creator, bet.creator, viewer),
            acceptor: view.acceptor.as_ref().zip(bet.acceptor()).map(|(p, id)| person(p, id, viewer)),
            creator_choice: bet.creator_side.as_str(),
            option_a: &terms.option_a,
            option_b: &terms.option_b,
            stake_amount: terms.stake.amount.get(),
            opponent_stake: terms.opponent_stake.get(),
            stake_a: bet.stake_of(Side::A).amount.get(),
            stake_b: bet.stake_of(Side::B).amount.get(),
            pot: bet.pot().amount.get(),
            currency_type: terms.stake.currency.as_str(),
            status: bet.status().as_str(),
            is_private,
            is_public: !is_private,
            share_token: share_token(bet, viewer),
            odds_a: decimal(bet.odds_of(Side::A)),
            odds_b: decimal(bet.odds_of(Side::B)),
            expires_at: terms.expires_at,
            created_at: bet.created_at,
            updated_at: bet.updated_at,
            accepted_at: bet.state.challenge().map(|c| c.accepted_at),
            resolution_method: terms.method.as_str(),
            resolution_date: terms.resolution_date,
            source_url: terms.source_url.as_deref(),
            winner_id: bet.winner(),
            winning_option: end.winning.map(Side::as_str),
            proposed_winning_option: standing.map(|p| p.outcome.as_str()),
            proposal_id: standing.map(|p| p.id),
            proposed_by: standing.map(|p| p.by),
            proposed_at: standing.map(|p| p.at),
            rejection_count: rejections.count,
            last_rejected_at: rejections.last_at,
            disputed_at: dispute.map(|d| d.at),
            dispute_reason: dispute.filter(|_| is_concerned(bet, viewer.actor)).map(|d| d.reason.as_str()),
            settled_at: end.at,
            settled_by: end.settled_by.map(SettledBy::as_str),
            cancel_reason: end.cancelled.map(CancelReason::as_str),
            acceptor_may_propose_at: acceptor_may_propose_at(bet),
            next: deadlines::decision(bet).map(NextJson::from),
            actions: viewer.actions(bet).into_iter().map(Action::as_str).collect(),
            waits_for: roles(turns),
            arbiter: view.arbiter.as_ref().zip(bet.arbiter).map(|(p, a)| ArbiterJson::of(a, p, viewer)),
            arbiter_deadline: deadlines::arbiter_deadline(bet),
            turn: viewer.task(bet, turns).map(Task::as_str),
        }
    }
}

/// The details of a bet's end. All fields are empty if the bet has not ended.
#[derive(Default)]
struct End {
    at: Option<Timestamp>,
    winning: Option<Side>,
    settled_by: Option<SettledBy>,
    cancelled: Option<CancelReason>,
}

impl End {
    fn of(state: &State) -> Self {
        match state {
            State::Pending | State::Accepted(_) | State::AwaitingResolution(_) => Self::default(),
            State::Resolved { winning, settlement, .. } => Self {
                at: Some(settlement.at),
                winning: Some(*winning),
                settled_by: Some(settlement.by),
                cancelled: None,
            },
            State::Cancelled { reason, at, settled_by, .. } => {
                Self { at: Some(*at), winning: None, settled_by: *settled_by, cancelled: Some(*reason) }
            }
        }
    }
}

/// Odds as a JSON number. The nearest `f64` of a number with 2 places is written with these places.
pub(super) fn decimal(odds: Odds) -> f64 {
    odds.hundredths() as f64 / 100.0
}

fn person(person: &Person, id: UserId, viewer: Viewer) -> PersonJson<'_> {
    PersonJson { username: person.username.as_deref(), email: email(person, id, viewer) }
}

/// The e-mail address of a user as this viewer sees it.
pub(super) fn email(person: &Person, id: UserId, viewer: Viewer) -> Email<'_> {
    if viewer.sees_email_of(id) { Email::Full(&person.email) } else { Email::Masked(&person.email) }
}

fn share_token(bet: &Bet, viewer: Viewer) -> Option<&str> {
    match &bet.terms.visibility {
        Visibility::Private(token) if viewer.with_token || viewer.is(bet.creator) => Some(token.as_str()),
        Visibility::Private(_) | Visibility::Public => None,
    }
}

/// An e-mail address as the viewer sees it.
pub(super) enum Email<'a> {
    Full(&'a str),
    /// Only the first letter and the domain are visible, e.g. `a•••@example.com`.
    Masked(&'a str),
}

impl fmt::Display for Email<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(email) => f.write_str(email),
            Self::Masked(email) => {
                // The name of a deleted user, which is public.
                let Some((local, domain)) = email.split_once('@') else { return f.write_str(email) };
                let first = local.chars().next().map_or("", |first| &local[..first.len_utf8()]);
                write!(f, "{first}•••@{domain}")
            }
        }
    }
}

impl Serialize for Email<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Email;

    #[test]
    fn a_masked_email_shows_its_first_letter_and_domain() {
        assert_eq!(Email::Masked("ann@example.com").to_string(), "a•••@example.com");
        assert_eq!(Email::Masked("é@example.com").to_string(), "é•••@example.com");
        assert_eq!(Email::Masked("deleted-0123456789ab").to_string(), "deleted-0123456789ab");
        assert_eq!(Email::Full("ann@example.com").to_string(), "ann@example.com");
    }
}
