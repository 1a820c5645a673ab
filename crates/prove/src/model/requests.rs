//! Requests that move money, and their repeats with an idempotency key (`docs/http-api.md#repeating-a-request`).

use super::action::{Answer, Expiry, Named, Order, Terms, Token};
use super::bet::{Outcome, Side};
use super::wallet::Call;
use super::withdrawing::Target;
use super::{HOUR, Refusal, Verdict, World, refused};

/// The time for which an answer is kept.
pub(super) const KEPT: i64 = 24 * HOUR;

/// A request as it was sent. It keeps the things that it names, so that a repeat names the same things.
#[derive(Clone, Debug)]
enum Request {
    /// `title` is the number in the title of the bet.
    Create {
        terms: Terms,
        sent_at: i64,
        title: usize,
    },
    Accept {
        bet: usize,
        side: Side,
        token: Token,
    },
    Propose {
        bet: usize,
        outcome: Outcome,
    },
    Respond {
        bet: usize,
        accepts: bool,
        named: Option<u32>,
    },
    Rule {
        bet: usize,
        outcome: Outcome,
    },
    Arbitrate {
        bet: usize,
        outcome: Outcome,
    },
    Refund {
        bet: usize,
    },
    Grant {
        name: u8,
        amount: i64,
    },
    /// `password` is the number of the user's password, or nothing for a wrong one.
    Withdraw {
        target: Target,
        password: Option<u32>,
    },
}

/// A request with a key.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    user: usize,
    key: u8,
    request: Request,
}

/// The answer to a request with a key.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    body: String,
    pub(super) at: i64,
}

/// A user, a path and a key.
pub(super) type Name = (usize, String, u8);

impl Request {
    fn path(&self) -> String {
        match self {
            Self::Create { .. } => "create".to_owned(),
            Self::Accept { .. } => "accept".to_owned(),
            Self::Propose { bet, .. } => format!("propose {bet}"),
            Self::Respond { bet, .. } => format!("respond {bet}"),
            Self::Rule { bet, .. } => format!("rule {bet}"),
            Self::Arbitrate { bet, .. } => format!("arbitrate {bet}"),
            Self::Refund { bet } => format!("refund {bet}"),
            Self::Grant { .. } => "grant".to_owned(),
            Self::Withdraw { .. } => "withdraw".to_owned(),
        }
    }

    /// The password is no part of the body that is compared.
    fn body(&self) -> String {
        match self {
            Self::Withdraw { target: Target::Bill(bill), .. } => {
                format!("{:?}", bill.map(|bill| bill.number))
            }
            Self::Withdraw { target, .. } => format!("{target:?}"),
            Self::Create { terms, sent_at, title } => format!("{terms:?} {sent_at} {title}"),
            Self::Accept { .. }
            | Self::Propose { .. }
            | Self::Respond { .. }
            | Self::Rule { .. }
            | Self::Arbitrate { .. }
            | Self::Refund { .. }
            | Self::Grant { .. } => format!("{self:?}"),
        }
    }

    /// The bet in the path.
    const fn bet(&self) -> Option<usize> {
        match self {
            Self::Propose { bet, .. }
            | Self::Respond { bet, .. }
            | Self::Rule { bet, .. }
            | Self::Arbitrate { bet, .. }
            | Self::Refund { bet } => Some(*bet),
            Self::Create { .. } | Self::Accept { .. } | Self::Grant { .. } | Self::Withdraw { .. } => None,
        }
    }

    const fn is_for_admins(&self) -> bool {
        matches!(self, Self::Rule { .. } | Self::Refund { .. } | Self::Grant { .. })
    }
}

/// The terms as they are at a later time: the expiry has come closer.
fn terms_later(terms: &Terms, passed: i64) -> Terms {
    let expiry = match terms.expiry {
        Expiry::In(wait) => Expiry::In(wait - passed),
        Expiry::TooFar => Expiry::TooFar,
    };
    Terms { expiry, ..terms.clone() }
}

impl World {
    /// The request of an order. It names the things that the order names now.
    fn request(&mut self, order: &Order) -> Request {
        // An order may name a bet that does not exist. A bet that is created later must not take its place.
        let known = |bet: usize| if bet < self.bets.len() { bet } else { usize::MAX };
        match *order {
            Order::Create { ref terms, .. } => {
                Request::Create { terms: terms.clone(), sent_at: self.now, title: self.bets.len() }
            }
            Order::Accept { bet, side, token, .. } => {
                let has_token = self.bets.get(bet).is_some_and(|bet| bet.is_private);
                let token = if token == Token::Right && !has_token { Token::None } else { token };
                Request::Accept { bet: known(bet), side, token }
            }
            Order::Propose { bet, outcome, .. } => Request::Propose { bet: known(bet), outcome },
            Order::Respond { bet, accepts, named, .. } => {
                let latest = self.bets.get(bet).map(|bet| bet.proposals).filter(|number| *number > 0);
                let named = match named {
                    Named::None => None,
                    Named::Latest => latest,
                    Named::Other => Some(0),
                };
                Request::Respond { bet: known(bet), accepts, named }
            }
            Order::Rule { bet, outcome, .. } => Request::Rule { bet: known(bet), outcome },
            Order::Arbitrate { bet, outcome, .. } => Request::Arbitrate { bet: known(bet), outcome },
            Order::Refund { bet, .. } => Request::Refund { bet: known(bet) },
            Order::GrantBolts { user, amount, .. } => Request::Grant { name: user, amount },
            Order::Withdraw { user, invoice, msat, is_right, .. } => {
                let password = Some(self.users[user].password).filter(|_| is_right);
                Request::Withdraw { target: self.target(invoice, msat), password }
            }
        }
    }

    pub(super) fn order(
        &mut self,
        order: &Order,
        key: Option<u8>,
        heard: &[Call],
    ) -> Result<Answer, Refusal> {
        let (user, request) = (order.user(), self.request(order));
        let Some(key) = key else {
            return self.carry_out(user, &request, heard).map(|()| Answer::Done);
        };
        self.sent.push(Sent { user, key, request });
        self.send(self.sent.len() - 1, heard)
    }

    /// Sends an order with a key once more. A user has no orders of others.
    pub(super) fn repeat(&mut self, user: usize, number: usize, heard: &[Call]) -> Result<Answer, Refusal> {
        if self.sent.get(number).is_some_and(|sent| sent.user == user) {
            self.send(number, heard)
        } else {
            Ok(Answer::Done)
        }
    }

    fn send(&mut self, number: usize, heard: &[Call]) -> Result<Answer, Refusal> {
        let Sent { user, key, request } = self.sent[number].clone();
        self.may_send(user, &request)?;
        let (name, body) = ((user, request.path(), key), request.body());
        let kept = self.answers.get(&name).filter(|kept| self.now - kept.at <= KEPT);
        match kept.map(|kept| kept.body == body) {
            Some(true) => return Ok(Answer::Repeated),
            Some(false) => {
                self.judge_fields(&request)?;
                refused("idempotency_key_reused")?;
            }
            None => {}
        }
        self.carry_out(user, &request, heard)?;
        self.answers.insert(name, Kept { body, at: self.now });
        Ok(Answer::Done)
    }

    /// The checks that come before the key: the rights of an admin, and whether the bet in the path exists for the user.
    fn may_send(&self, user: usize, request: &Request) -> Verdict {
        if request.is_for_admins() {
            self.only_admins(user)?;
        }
        match request.bet() {
            Some(bet) if !self.may_see(user, bet, Token::None) => refused("bet_not_found"),
            Some(_) | None => Ok(()),
        }
    }

    /// The checks that need only the fields of the request and the time.
    fn judge_fields(&self, request: &Request) -> Verdict {
        match request {
            Request::Create { terms, sent_at, .. } => Self::judge(&terms_later(terms, self.now - sent_at)),
            Request::Grant { amount, .. } => Self::judge_grant(*amount),
            Request::Withdraw { target, .. } => target.judge(),
            Request::Accept { .. }
            | Request::Propose { .. }
            | Request::Respond { .. }
            | Request::Rule { .. }
            | Request::Arbitrate { .. }
            | Request::Refund { .. } => Ok(()),
        }
    }

    fn carry_out(&mut self, user: usize, request: &Request, heard: &[Call]) -> Verdict {
        match *request {
            Request::Create { ref terms, sent_at, .. } => {
                self.create(user, &terms_later(terms, self.now - sent_at))
            }
            Request::Accept { bet, side, token } => self.accept(user, bet, side, token),
            Request::Propose { bet, outcome } => self.propose(user, bet, outcome),
            Request::Respond { bet, accepts, named } => self.respond(user, bet, accepts, named),
            Request::Rule { bet, outcome } => self.rule(user, bet, outcome),
            Request::Arbitrate { bet, outcome } => self.arbitrate(user, bet, outcome),
            Request::Refund { bet } => self.refund(user, bet),
            Request::Grant { name, amount } => self.grant(user, name, amount),
            Request::Withdraw { target, password } => {
                let is_right = password == Some(self.users[user].password);
                self.withdraw(user, target, is_right, heard)
            }
        }
    }

    /// The user of each order with a key.
    pub(super) fn senders(&self) -> impl Iterator<Item = usize> + '_ {
        self.sent.iter().map(|sent| sent.user)
    }

    /// The times at which the answers stop being kept.
    pub(super) fn ends_of_answers(&self) -> impl Iterator<Item = i64> + '_ {
        self.answers.values().map(|kept| kept.at + KEPT)
    }
}
