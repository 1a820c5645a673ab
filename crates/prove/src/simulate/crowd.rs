//! The users of a simulation: what they know, what they want, and their requests. Some of them are hostile.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bolts_bets::{Outcome, ShareToken, Side, TermsDraft};
use bolts_kernel::{Amount, BetId, Code, DepositId, Timestamp, UserId, sha256_hex};
use bolts_ports::{BetKey, BetView, IdempotencyKey};
use bolts_resolution::Answer;
use bolts_usecases::accounts::{PasswordOwner, session_hash};
use bolts_usecases::bets::{Accept, AcceptKey, Create};
use bolts_usecases::wallet::{Destination, Wallets, Withdraw};
use bolts_usecases::{Actor, App, Idempotent, Refused, Reply};

use super::fate::Fate;

/// The address of all users.
pub(super) const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The password of all users.
pub(super) const PASSWORD: &str = "secret";

/// A user.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) id: UserId,
    pub(super) email: String,
    pub(super) username: String,
    pub(super) is_admin: bool,
}

impl Member {
    pub(super) fn actor(&self) -> Actor {
        Actor { user: self.id, is_admin: self.is_admin }
    }
}

/// What the users know.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    pub(super) members: Vec<Member>,
    /// The bets whose creation was acknowledged, with the token of a private one.
    pub(super) bets: Vec<(BetId, Option<ShareToken>)>,
    pub(super) deposits: Vec<(usize, DepositId)>,
    /// The invoices of withdrawals.
    pub(super) invoices: Vec<String>,
    /// The number of the latest key.
    pub(super) next: u64,
    /// The latest key of each user, with the time of its first request.
    pub(super) keys: BTreeMap<usize, (Timestamp, u64)>,
    /// Requests whose answer was lost, with the time of the first attempt.
    pub(super) unanswered: Vec<(Timestamp, Request)>,
    /// What no user should have seen, in words.
    pub(super) complaints: Vec<String>,
}

impl Crowd {
    /// The number of the user with this id.
    pub(super) fn number(&self, id: UserId) -> Option<usize> {
        self.members.iter().position(|member| member.id == id)
    }
}

/// What a user wants.
#[derive(Clone, Debug)]
pub(super) enum Want {
    Create {
        currency: &'static str,
        stake: i64,
        against: i64,
        is_manual: bool,
        is_private: bool,
        expires_in: Duration,
        /// The username of the arbiter.
        arbiter: Option<String>,
    },
    Accept {
        bet: BetId,
        side: Side,
        token: Option<ShareToken>,
    },
    Delete(BetId),
    EndEarly(BetId),
    Propose(BetId, Outcome),
    Respond(BetId, Answer),
    Dispute(BetId),
    Rule(BetId, Outcome),
    AnswerInvitation {
        bet: BetId,
        accepts: bool,
    },
    Arbitrate(BetId, Outcome),
    Refund(BetId),
    Remove(BetId),
    Claim(&'static str),
    Deposit(i64),
    Poll(DepositId),
    Withdraw {
        invoice: String,
        password: &'static str,
    },
    Grant {
        email: String,
        amount: i64,
    },
}

/// A request of a user, with its key.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) user: usize,
    pub(super) want: Want,
    pub(super) key: String,
}

/// The parts of a process that a request needs.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) app: App,
    pub(super) wallets: Wallets,
    pub(super) fate: Fate,
}

fn key<T: 'static>(request: &Request, member: &Member, render: fn(&T) -> String) -> Idempotent<T> {
    let route = format!("{:?}", std::mem::discriminant(&request.want));
    let body_hash = sha256_hex(format!("{:?}", request.want));
    let key = IdempotencyKey { user: member.id, route, key: request.key.clone(), body_hash };
    Idempotent { key, render: Arc::new(render) }
}

fn code(error: impl Into<Refused>) -> Code {
    error.into().code
}

/// Sends a request. Returns the code of a refusal.
pub(super) async fn send(server: Server, crowd: Rc<RefCell<Crowd>>, request: Request) -> Option<Code> {
    let member = crowd.borrow().members[request.user].clone();
    let done = act(&server, &crowd, &request, &member).await;
    let said = done.err();
    let words = said.map_or("done", Code::as_str);
    server.fate.note(
        server.app.now(),
        &format!("user {} {} {:?}: {words}", request.user, request.key, request.want),
    );
    if said == Some(Code::Internal) {
        crowd.borrow_mut().complaints.push(format!("an internal error at {request:?}"));
    }
    said
}

async fn act(
    server: &Server,
    crowd: &Rc<RefCell<Crowd>>,
    request: &Request,
    member: &Member,
) -> Result<(), Code> {
    let (app, wallets, actor) = (&server.app, &server.wallets, member.actor());
    let once = || Some(key(request, member, |view: &BetView| view.bet.id.to_string()));
    match request.want.clone() {
        Want::Create { .. } => create(server, crowd, request, member).await,
        Want::Accept { bet, side, token } => {
            let accept = Accept { key: AcceptKey::Id(bet, token), option: side };
            app.accept_bet(actor, accept, once()).await.map(drop).map_err(code)
        }
        Want::Delete(bet) => app.delete_bet(actor, bet).await.map(drop).map_err(code),
        Want::EndEarly(bet) => app.end_bet_early(actor, bet).await.map(drop).map_err(code),
        Want::Propose(bet, outcome) => {
            app.propose_outcome(actor, bet, outcome, once()).await.map(drop).map_err(code)
        }
        Want::Respond(bet, answer) => {
            app.respond_to_proposal(actor, bet, answer, None, once()).await.map(drop).map_err(code)
        }
        Want::Dispute(bet) => app.dispute_bet(actor, bet, "Not so.".to_owned()).await.map(drop).map_err(code),
        Want::Rule(bet, outcome) => {
            app.rule_on_bet(actor, bet, outcome, String::new(), once()).await.map(drop).map_err(code)
        }
        Want::AnswerInvitation { bet, accepts } => {
            app.answer_invitation(actor, bet, accepts).await.map(drop).map_err(code)
        }
        Want::Arbitrate(bet, outcome) => {
            let note = "As both said.".to_owned();
            app.rule_as_arbiter(actor, bet, outcome, note, once()).await.map(drop).map_err(code)
        }
        Want::Refund(bet) => app.refund_bet(actor, bet, once()).await.map(drop).map_err(code),
        Want::Remove(bet) => app.remove_bet(actor, bet).await.map(drop).map_err(code),
        Want::Claim(id) => app.claim_reward(member.id, id, None).await.map(drop).map_err(code),
        Want::Deposit(amount) => {
            let amount = Amount::new(amount).unwrap_or_default();
            let deposit = wallets.create_deposit(member.id, amount).await.map_err(code)?;
            crowd.borrow_mut().deposits.push((request.user, deposit.id));
            Ok(())
        }
        Want::Poll(id) => {
            let found = app.queries().deposit(id).map_err(code)?;
            wallets.check_deposit(member.id, found).await.map(drop).map_err(code)
        }
        Want::Withdraw { invoice, password } => withdraw(server, request, member, invoice, password).await,
        Want::Grant { email, amount } => {
            let amount = Amount::new(amount).unwrap_or_default();
            app.grant_bolts(actor, &email, amount, None).await.map(drop).map_err(code)
        }
    }
}

async fn create(
    server: &Server,
    crowd: &Rc<RefCell<Crowd>>,
    request: &Request,
    member: &Member,
) -> Result<(), Code> {
    let Want::Create { currency, stake, against, is_manual, is_private, expires_in, arbiter } =
        request.want.clone()
    else {
        return Ok(());
    };
    let method = if is_manual { "Manual Verification" } else { "Mutual Agreement" };
    let draft = TermsDraft {
        // The title names the key, so that a request with two effects shows.
        title: format!("Bet of user {} by request {}", request.user, request.key),
        option_a: "Yes".to_owned(),
        option_b: "No".to_owned(),
        stake_amount: stake,
        opponent_stake: Some(against),
        currency: currency.to_owned(),
        method: method.to_owned(),
        expires_at: server.app.now().after(expires_in).to_string(),
        ..TermsDraft::default()
    };
    let create = Create { draft, side: Side::A, is_private, arbiter };
    let once = key(request, member, |view: &BetView| view.bet.id.to_string());
    let id = match server.app.create_bet(member.actor(), create, Some(once)).await.map_err(code)? {
        Reply::Done(view) => view.bet.id,
        Reply::Replayed(id) => id.parse().map_err(|_| Code::Internal)?,
    };
    let token = match server.app.queries().bet(&BetKey::Id(id)).map_err(code)? {
        Some(BetView { bet, .. }) => match bet.terms.visibility {
            bolts_bets::Visibility::Private(token) => Some(token),
            bolts_bets::Visibility::Public => None,
        },
        None => None,
    };
    let mut crowd = crowd.borrow_mut();
    if crowd.bets.iter().all(|(known, _)| *known != id) {
        crowd.bets.push((id, token));
    }
    Ok(())
}

async fn withdraw(
    server: &Server,
    request: &Request,
    member: &Member,
    invoice: String,
    password: &str,
) -> Result<(), Code> {
    let signed_in = server.app.sign_in(&member.email, PASSWORD.to_owned(), ADDRESS).await.map_err(code)?;
    let session = session_hash(&signed_in.secret);
    let owner = PasswordOwner { user: member.id, email: member.email.clone(), session };
    let destination = Destination::Invoice(invoice);
    let withdraw = Withdraw { owner: owner.into(), password: password.to_owned(), destination };
    let once = key(request, member, |withdrawal: &bolts_wallet::Withdrawal| withdrawal.id.to_string());
    match server.wallets.withdraw(withdraw, Some(once)).await.map_err(code)? {
        // The HTTP adapter begins to pay at once, in a task of its own. Here it is the same task.
        Reply::Done(withdrawal) => server.wallets.move_on(withdrawal.id).await.map_err(code),
        Reply::Replayed(_) => Ok(()),
    }
}
