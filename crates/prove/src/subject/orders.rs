//! The orders of users as HTTP requests. A repeat sends the same text again.

use std::collections::HashMap;

use bolts_bets::ShareToken;
use bolts_kernel::BetId;
use serde_json::{Value, json};

use super::http::{Http, text};
use super::site::{KnownBet, Site, email, username};
use super::use_cases::{draft, ending, half};
use super::wire::Reply;
use crate::model::{Answer, Invoice, Order, Plan, Terms};

/// What the sequence has to note after a success.
#[derive(Clone, Debug)]
pub(super) enum After {
    Nothing,
    Bet,
    Proposal(BetId),
    Withdrawal(String, Plan),
}

/// A request of a user, with its idempotency key if it has one.
#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) user: usize,
    pub(super) key: Option<u8>,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    pub(super) after: After,
}

/// The first answers to requests with keys: by user, path and key.
pub(super) type Answers = HashMap<(usize, String, u8), (u16, Value)>;

fn new_bet(site: &Site, terms: &Terms) -> Value {
    let draft = draft(site, terms);
    json!({
        "title": draft.title, "optionA": draft.option_a, "optionB": draft.option_b,
        "stakeAmount": draft.stake_amount, "opponentStake": draft.opponent_stake, "currencyType": draft.currency,
        "isPrivate": terms.is_private,
        "resolutionMethod": draft.method, "creatorOption": half(terms.side).as_str(), "expiresAt": draft.expires_at,
        "arbiter": terms.arbiter.map(username),
    })
}

impl Post {
    pub(super) fn of(site: &Site, order: &Order, key: Option<u8>) -> Self {
        let on_bet = |bet, action: &str| format!("/api/bets/{}/{action}", site.bet_id(bet));
        let by_admin = |bet, action: &str| format!("/api/admin/bets/{}/{action}", site.bet_id(bet));
        let id = |text: Option<String>| text.map_or(Value::Null, Value::String);
        let ruling = |outcome, note: &str| json!({"outcome": ending(outcome).as_str(), "note": note});
        let nothing = After::Nothing;
        let (path, body, after) = match *order {
            Order::Create { ref terms, .. } => {
                ("/api/bets".to_owned(), Some(new_bet(site, terms)), After::Bet)
            }
            Order::Accept { bet, side, token, .. } => {
                let token = id(site.token(bet, token).map(|token| token.as_str().to_owned()));
                let (bet, side) = (site.bet_id(bet).to_string(), half(side).as_str());
                let body = json!({"betId": bet, "chosenOption": side, "shareToken": token});
                ("/api/bets/accept".to_owned(), Some(body), nothing)
            }
            Order::Propose { bet, outcome, .. } => {
                let body = json!({"winningOption": ending(outcome).as_str()});
                (on_bet(bet, "propose-resolution"), Some(body), After::Proposal(site.bet_id(bet)))
            }
            Order::Respond { bet, accepts, named, .. } => {
                let named = id(site.proposal(bet, named).map(|id| id.to_string()));
                let body = json!({"accept": accepts, "proposalId": named});
                (on_bet(bet, "respond-resolution"), Some(body), nothing)
            }
            Order::Rule { bet, outcome, .. } => {
                (by_admin(bet, "rule"), Some(ruling(outcome, "As the sources say.")), nothing)
            }
            Order::Arbitrate { bet, outcome, .. } => {
                (on_bet(bet, "rule"), Some(ruling(outcome, "As both said.")), nothing)
            }
            Order::Refund { bet, .. } => (by_admin(bet, "refund"), None, nothing),
            Order::GrantBolts { user, amount, .. } => {
                let body = json!({"userEmail": email(user), "amount": amount});
                ("/api/admin/deposit-bolts".to_owned(), Some(body), nothing)
            }
            Order::Withdraw { user, invoice, msat, is_right, plan } => {
                let (text, password) = (site.invoice(invoice, msat), site.password(user, is_right));
                let mut body = json!({"invoice": text, "password": password});
                if matches!(invoice, Invoice::Address(_)) {
                    let amount = msat / 1_000;
                    body = json!({"lightningAddress": text, "amount": amount, "password": password});
                }
                ("/api/withdrawals".to_owned(), Some(body), After::Withdrawal(text, plan))
            }
        };
        Self { user: order.user(), key, path, body, after }
    }

    /// Notes the ids of the things that a successful order has made.
    pub(super) fn note(&self, site: &mut Site, body: &Value) -> Result<(), String> {
        match &self.after {
            After::Nothing => {}
            After::Bet => {
                let id = text(body, "id")?.parse().map_err(|error| format!("{error:?}"))?;
                let token = body["shareToken"].as_str().map(|token| ShareToken::new(token.to_owned()));
                site.bets.push(KnownBet { id, token, latest_proposal: None });
            }
            After::Proposal(bet) => {
                let proposal = body["bet"]["proposalId"].as_str();
                site.note_proposal(*bet, proposal.and_then(|id| id.parse().ok()));
            }
            After::Withdrawal(..) => {
                let id = text(body, "id")?.parse().map_err(|error| format!("{error:?}"))?;
                site.withdrawals.push((id, text(body, "invoice")?));
            }
        }
        Ok(())
    }
}

impl Http {
    /// Compares the answer to a repeated request with the first one.
    pub(super) fn compare(&mut self, post: &Post, reply: &Reply, answer: Answer) -> Result<Answer, String> {
        let Some(key) = post.key else { return Ok(answer) };
        let (name, text) = ((post.user, post.path.clone(), key), (reply.status, reply.body.clone()));
        if answer == Answer::Repeated && self.answers.get(&name) != Some(&text) {
            return Err(format!("the answer to {name:?} is not the first: {text:?}"));
        }
        if answer == Answer::Done {
            self.answers.insert(name, text);
        }
        Ok(answer)
    }
}
