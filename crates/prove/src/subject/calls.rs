//! The requests that take an idempotency key, as calls of the use cases.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

use bolts_bets::{Bet, Outcome as Ending};
use bolts_kernel::{Amount, BetId, Code, ProposalId, UserId, sha256_hex};
use bolts_ports::{BetKey, BetView, IdempotencyKey};
use bolts_resolution::Answer as Response;
use bolts_usecases::admin::grant_amount;
use bolts_usecases::bets::{Accept, AcceptKey, Create};
use bolts_usecases::wallet::{Destination, Withdraw};
use bolts_usecases::{Actor, Idempotent, Refused, Reply};
use bolts_wallet::withdrawal_amount;
use futures_executor::block_on;

use super::site::{KnownBet, Site, email, username};
use super::use_cases::{UseCases, draft, ending, half, invalid, refused, wrong_token};
use crate::model::{Answer, Invoice, Named, Order, Plan, Terms, Token};

/// A request with all of its values. A repeat has the same values.
#[derive(Clone, Debug)]
pub(super) enum Call {
    Create(Box<Create>),
    Accept(Accept),
    Propose(BetId, Ending),
    Respond(BetId, Response, Option<ProposalId>),
    Rule(BetId, Ending),
    Arbitrate(BetId, Ending),
    Refund(BetId),
    Grant(String, i64),
    Withdraw { to: Destination, password: String, plan: Plan },
}

/// A call of a user, with its idempotency key if it has one.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) user: usize,
    pub(super) key: Option<u8>,
    pub(super) call: Call,
}

/// The first answers to calls with keys.
pub(super) type Answers = HashMap<(UserId, String, String), String>;

impl Call {
    /// The call of an order.
    pub(super) fn of(site: &Site, order: &Order) -> Self {
        let id = |bet| site.bet_id(bet);
        match *order {
            Order::Create { ref terms, .. } => Self::Create(Box::new(create(site, terms))),
            Order::Accept { bet, side, token, .. } => {
                let key = AcceptKey::Id(id(bet), site.token(bet, token));
                Self::Accept(Accept { key, option: half(side) })
            }
            Order::Propose { bet, outcome, .. } => Self::Propose(id(bet), ending(outcome)),
            Order::Respond { bet, accepts, named, .. } => {
                let response = if accepts { Response::Accept } else { Response::Reject };
                Self::Respond(id(bet), response, site.proposal(bet, named))
            }
            Order::Rule { bet, outcome, .. } => Self::Rule(id(bet), ending(outcome)),
            Order::Arbitrate { bet, outcome, .. } => Self::Arbitrate(id(bet), ending(outcome)),
            Order::Refund { bet, .. } => Self::Refund(id(bet)),
            Order::GrantBolts { user, amount, .. } => Self::Grant(email(user), amount),
            Order::Withdraw { user, invoice, msat, is_right, plan } => {
                let (text, password) = (site.invoice(invoice, msat), site.password(user, is_right));
                let to = match invoice {
                    Invoice::Address(_) => {
                        Destination::Address(text, Amount::new(msat / 1_000).unwrap_or_default())
                    }
                    Invoice::Fresh
                    | Invoice::Again(_)
                    | Invoice::Deposit(_)
                    | Invoice::Expired
                    | Invoice::NoAmount
                    | Invoice::OtherNetwork
                    | Invoice::Garbage => Destination::Invoice(text),
                };
                Self::Withdraw { to, password, plan }
            }
        }
    }

    /// The bet in the path of the HTTP request.
    const fn bet(&self) -> Option<BetId> {
        match self {
            Self::Propose(bet, _)
            | Self::Respond(bet, _, _)
            | Self::Rule(bet, _)
            | Self::Arbitrate(bet, _)
            | Self::Refund(bet) => Some(*bet),
            Self::Create(_) | Self::Accept(_) | Self::Grant(_, _) | Self::Withdraw { .. } => None,
        }
    }

    const fn is_for_admins(&self) -> bool {
        matches!(self, Self::Rule(_, _) | Self::Refund(_) | Self::Grant(_, _))
    }

    /// What the HTTP adapter compares with the body of an earlier request with the same key.
    fn body(&self) -> String {
        match self {
            Self::Withdraw { to, .. } => format!("{to:?}"),
            // The token's own `Debug` hides the token.
            Self::Accept(Accept { key: AcceptKey::Token(token) | AcceptKey::Id(_, Some(token)), .. }) => {
                format!("{self:?} {}", token.as_str())
            }
            Self::Create(_)
            | Self::Accept(_)
            | Self::Propose(_, _)
            | Self::Respond(_, _, _)
            | Self::Rule(_, _)
            | Self::Arbitrate(_, _)
            | Self::Refund(_)
            | Self::Grant(_, _) => format!("{self:?}"),
        }
    }

    fn key(&self, user: UserId, key: u8) -> IdempotencyKey {
        let bet = self.bet().map(|bet| bet.to_string()).unwrap_or_default();
        let route = format!("{:?} {bet}", std::mem::discriminant(self));
        IdempotencyKey { user, route, key: key.to_string(), body_hash: sha256_hex(self.body()) }
    }
}

fn create(site: &Site, terms: &Terms) -> Create {
    Create {
        draft: draft(site, terms),
        side: half(terms.side),
        is_private: terms.is_private,
        arbiter: terms.arbiter.map(username),
    }
}

impl Site {
    /// The token that a user shows for a bet.
    pub(super) fn token(&self, bet: usize, token: Token) -> Option<bolts_bets::ShareToken> {
        match token {
            Token::None => None,
            Token::Right => self.bets.get(bet).and_then(|bet| bet.token.clone()),
            Token::Wrong => Some(wrong_token()),
        }
    }

    /// The proposal that an answer names.
    pub(super) fn proposal(&self, bet: usize, named: Named) -> Option<ProposalId> {
        match named {
            Named::None => None,
            Named::Latest => self.bets.get(bet).and_then(|bet| bet.latest_proposal),
            Named::Other => Some(ProposalId::from(0xdead_u128)),
        }
    }

    /// The user's password, or a wrong one.
    pub(super) fn password(&self, user: usize, is_right: bool) -> String {
        if is_right { self.accounts[user].password.clone() } else { "wrong-one".to_owned() }
    }

    /// Notes the proposal that now waits for an answer.
    pub(super) fn note_proposal(&mut self, bet: BetId, proposal: Option<ProposalId>) {
        if let Some(bet) = self.bets.iter_mut().find(|known| known.id == bet) {
            bet.latest_proposal = proposal.or(bet.latest_proposal);
        }
    }
}

/// The result of a call that was not refused.
enum Told<T> {
    Done(T),
    Answer(Answer),
}

impl UseCases {
    /// Makes a call. The HTTP adapter checks before the key whether the user sees the bet in the path.
    pub(super) fn call(&mut self, site: &mut Site, sent: &Sent) -> Result<Answer, String> {
        let actor = Self::actor(site, sent.user);
        let sees = |bet| site.app.see_bet(&BetKey::Id(bet), Some(actor), None);
        if let Some(bet) = sent.call.bet().filter(|_| actor.is_admin || !sent.call.is_for_admins())
            && sees(bet).map_err(|error| error.to_string())?.is_none()
        {
            return refused(Refused::new(Code::BetNotFound, ""));
        }
        match &sent.call {
            Call::Create(create) => self.create(site, sent, Create::clone(create), actor),
            Call::Grant(email, amount) => self.grant(site, sent, (email, *amount), actor),
            Call::Withdraw { to, password, plan } => self.withdraw(site, sent, (to, password, *plan)),
            Call::Accept(_)
            | Call::Propose(_, _)
            | Call::Respond(_, _, _)
            | Call::Rule(_, _)
            | Call::Arbitrate(_, _)
            | Call::Refund(_) => self.on_bet(site, sent, actor),
        }
    }

    /// The call's key for the use case. The answer of the use case is its debug output.
    fn once<T: Debug + 'static>(site: &Site, sent: &Sent) -> Option<Idempotent<T>> {
        let key = sent.call.key(site.accounts[sent.user].id, sent.key?);
        Some(Idempotent { key, render: Arc::new(|value: &T| format!("{value:?}")) })
    }

    /// Compares the answer to a repeated call with the first one.
    fn told<T: Debug>(
        &mut self,
        site: &Site,
        sent: &Sent,
        reply: Result<Reply<T>, impl Into<Refused>>,
    ) -> Result<Told<T>, String> {
        let key = sent.key.map(|key| sent.call.key(site.accounts[sent.user].id, key));
        let name = key.map(|key| (key.user, key.route, key.key));
        match (reply, name) {
            (Ok(Reply::Done(value)), name) => {
                name.and_then(|name| self.answers.insert(name, format!("{value:?}")));
                Ok(Told::Done(value))
            }
            (Ok(Reply::Replayed(text)), Some(name)) if self.answers.get(&name) == Some(&text) => {
                Ok(Told::Answer(Answer::Repeated))
            }
            (Ok(Reply::Replayed(text)), name) => {
                Err(format!("the answer to {name:?} is not the first: {text}"))
            }
            (Err(error), _) => refused(error).map(Told::Answer),
        }
    }

    fn create(
        &mut self,
        site: &mut Site,
        sent: &Sent,
        create: Create,
        actor: Actor,
    ) -> Result<Answer, String> {
        let reply = block_on(site.app.create_bet(actor, create, Self::once(site, sent)));
        match self.told(site, sent, reply)? {
            Told::Answer(answer) => Ok(answer),
            Told::Done(view) => {
                site.bets.push(known(&view.bet));
                Ok(Answer::Done)
            }
        }
    }

    fn on_bet(&mut self, site: &mut Site, sent: &Sent, actor: Actor) -> Result<Answer, String> {
        let (app, once) = (&site.app, Self::once::<BetView>(site, sent));
        let note = "As the sources say.".to_owned();
        let told = match sent.call.clone() {
            Call::Accept(accept) => {
                let reply = block_on(app.accept_bet(actor, accept, once));
                self.told(site, sent, reply)?
            }
            Call::Propose(bet, outcome) => {
                let reply = block_on(app.propose_outcome(actor, bet, outcome, once));
                self.told(site, sent, reply)?
            }
            Call::Respond(bet, response, named) => {
                let reply = block_on(app.respond_to_proposal(actor, bet, response, named, once));
                self.told(site, sent, reply)?
            }
            Call::Rule(bet, outcome) => {
                let reply = block_on(app.rule_on_bet(actor, bet, outcome, note, once));
                self.told(site, sent, reply)?
            }
            Call::Arbitrate(bet, outcome) => {
                let reply = block_on(app.rule_as_arbiter(actor, bet, outcome, note, once));
                self.told(site, sent, reply)?
            }
            Call::Refund(bet) => {
                let reply = block_on(app.refund_bet(actor, bet, once));
                self.told(site, sent, reply)?
            }
            Call::Create(_) | Call::Grant(_, _) | Call::Withdraw { .. } => {
                return Err(format!("{sent:?} is not about a bet"));
            }
        };
        match told {
            Told::Answer(answer) => Ok(answer),
            Told::Done(view) => {
                let standing = view.bet.state.negotiation().and_then(|one| one.standing);
                site.note_proposal(view.bet.id, standing.map(|one| one.id));
                Ok(Answer::Done)
            }
        }
    }

    fn grant(
        &mut self,
        site: &mut Site,
        sent: &Sent,
        (email, amount): (&str, i64),
        actor: Actor,
    ) -> Result<Answer, String> {
        let amount = match grant_amount(amount) {
            Err(field) if actor.is_admin => return invalid(field),
            judged => judged.unwrap_or_default(),
        };
        let reply = block_on(site.app.grant_bolts(actor, email, amount, Self::once(site, sent)));
        match self.told(site, sent, reply)? {
            Told::Answer(answer) => Ok(answer),
            Told::Done(_) => Ok(Answer::Done),
        }
    }

    fn withdraw(
        &mut self,
        site: &mut Site,
        sent: &Sent,
        (to, password, plan): (&Destination, &str, Plan),
    ) -> Result<Answer, String> {
        Self::renew(site, sent.user)?;
        match to {
            Destination::Invoice(text) | Destination::Address(text, _) => site.plan(text, plan),
        }
        // The HTTP adapter checks the amount for a Lightning address before it calls the use case.
        if let Destination::Address(_, amount) = to
            && let Err(field) = withdrawal_amount(amount.get())
        {
            return invalid(field);
        }
        let (owner, password) = (Self::owner(site, sent.user).into(), password.to_owned());
        let withdraw = Withdraw { owner, password, destination: to.clone() };
        let reply = block_on(site.wallets.withdraw(withdraw, Self::once(site, sent)));
        match self.told(site, sent, reply)? {
            Told::Answer(answer) => Ok(answer),
            Told::Done(withdrawal) => {
                site.withdrawals.push((withdrawal.id, withdrawal.outgoing.invoice));
                // The HTTP adapter begins to pay at once.
                block_on(site.wallets.move_on(withdrawal.id)).map_err(|error| error.to_string())?;
                Ok(Answer::Done)
            }
        }
    }
}

/// What the site knows about a new bet.
fn known(bet: &Bet) -> KnownBet {
    let token = match &bet.terms.visibility {
        bolts_bets::Visibility::Public => None,
        bolts_bets::Visibility::Private(token) => Some(token.clone()),
    };
    KnownBet { id: bet.id, token, latest_proposal: None }
}
