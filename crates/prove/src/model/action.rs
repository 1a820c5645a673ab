//! The actions of a sequence, and their answers.

use super::Money;
use super::bet::{Outcome, Side};

/// The terms of a new bet.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The creator's stake.
    pub stake: i64,
    /// The opponent's stake. Without it both sides stake the same.
    pub opponent_stake: Option<i64>,
    /// The currency of the stake.
    pub currency: Money,
    /// Whether the method is Manual Verification.
    pub is_manual: bool,
    /// The side of the creator.
    pub side: Side,
    /// Whether the bet is private.
    pub is_private: bool,
    /// The expiry.
    pub expiry: Expiry,
    /// Whether both options have the same text, which is refused.
    pub same_options: bool,
    /// The number in the username of the arbiter, if the creator names one. It may be that nobody has this username.
    pub arbiter: Option<u8>,
}

/// The expiry of a new bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// This many microseconds after the creation. 0 and below are refused.
    In(i64),
    /// One day more than 5 calendar years ahead, which is refused.
    TooFar,
}

/// What the user presents besides the id of a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Nothing.
    None,
    /// The token of the bet's link.
    Right,
    /// Another token.
    Wrong,
}

/// The proposal that an answer names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// None.
    None,
    /// The latest proposal of the bet.
    Latest,
    /// A proposal that never was.
    Other,
}

/// The destination of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invoice {
    /// A new invoice of another node that can be paid for an hour.
    Fresh,
    /// The invoice of an earlier withdrawal.
    Again(usize),
    /// The invoice of a deposit of this site.
    Deposit(usize),
    /// An invoice that has expired.
    Expired,
    /// An invoice without an amount.
    NoAmount,
    /// An invoice of another network.
    OtherNetwork,
    /// Text that is no invoice.
    Garbage,
    /// An invoice that the server of a Lightning address gives.
    Address(Host),
}

/// The server of a Lightning address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Gives an invoice of the amount, which can be paid for an hour.
    Right,
    /// Gives an invoice of another amount.
    OtherAmount,
    /// Gives an invoice of another network.
    OtherNetwork,
    /// Gives an invoice that has expired.
    Expired,
    /// Does not answer.
    Away,
    /// The text is no Lightning address.
    Malformed,
}

/// What the provider does with a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The provider's answer before the payment: it may say that the payment cannot be made.
    pub is_possible: bool,
    /// The answer to the call to pay.
    pub said: Say,
    /// The number of look-ups without a clear answer.
    pub unclear: u8,
    /// The answer to all later look-ups.
    pub then: Say,
    /// The cost of the route in millisats, if the payment is made.
    pub fee_msat: i64,
}

/// An answer of the provider about a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// The payment was made.
    Paid,
    /// Nothing was sent.
    NotSent,
    /// The payment failed for good.
    Failed,
    /// The payment is in flight.
    InFlight,
    /// The provider does not know the payment.
    NotFound,
    /// The answer proves nothing.
    Unclear,
}

/// A request that moves money, or decides about it. It can have an idempotency key.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names of the fields say what they mean")]
pub enum Order {
    GrantBolts {
        admin: usize,
        user: u8,
        amount: i64,
    },
    Create {
        user: usize,
        terms: Terms,
    },
    Accept {
        user: usize,
        bet: usize,
        side: Side,
        token: Token,
    },
    Propose {
        user: usize,
        bet: usize,
        outcome: Outcome,
    },
    Respond {
        user: usize,
        bet: usize,
        accepts: bool,
        named: Named,
    },
    Rule {
        user: usize,
        bet: usize,
        outcome: Outcome,
    },
    /// A user rules as the arbiter.
    Arbitrate {
        user: usize,
        bet: usize,
        outcome: Outcome,
    },
    Refund {
        user: usize,
        bet: usize,
    },
    Withdraw {
        user: usize,
        invoice: Invoice,
        msat: i64,
        is_right: bool,
        plan: Plan,
    },
}

impl Order {
    /// The order without an idempotency key.
    pub(crate) const fn plain(self) -> Action {
        Action::Order { order: self, key: None }
    }

    /// The user who sends it.
    pub const fn user(&self) -> usize {
        match *self {
            Self::GrantBolts { admin: user, .. }
            | Self::Create { user, .. }
            | Self::Accept { user, .. }
            | Self::Propose { user, .. }
            | Self::Respond { user, .. }
            | Self::Rule { user, .. }
            | Self::Arbitrate { user, .. }
            | Self::Refund { user, .. }
            | Self::Withdraw { user, .. } => user,
        }
    }

    /// The bet that it names.
    pub const fn bet(&self) -> Option<usize> {
        match *self {
            Self::Accept { bet, .. }
            | Self::Propose { bet, .. }
            | Self::Respond { bet, .. }
            | Self::Rule { bet, .. }
            | Self::Arbitrate { bet, .. }
            | Self::Refund { bet, .. } => Some(bet),
            Self::GrantBolts { .. } | Self::Create { .. } | Self::Withdraw { .. } => None,
        }
    }
}

/// An action of a sequence. Every action is possible in every state: an action on something that does not exist is an
/// action on an unknown id.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names of the fields say what they mean")]
pub enum Action {
    /// A user sends an order, perhaps with an idempotency key.
    Order {
        order: Order,
        key: Option<u8>,
    },
    /// A user sends an earlier order with a key once more, unchanged. Orders with a key are numbers in the order in
    /// which they were first sent.
    Repeat {
        user: usize,
        order: usize,
    },
    SignUp {
        name: u8,
    },
    ResetPassword {
        admin: usize,
        user: u8,
    },
    Delete {
        user: usize,
        bet: usize,
    },
    EndEarly {
        user: usize,
        bet: usize,
    },
    Dispute {
        user: usize,
        bet: usize,
    },
    /// A user answers the invitation to be the arbiter, or gives the task up.
    AnswerInvitation {
        user: usize,
        bet: usize,
        accepts: bool,
    },
    Remove {
        user: usize,
        bet: usize,
    },
    Claim {
        user: usize,
        achievement: usize,
    },
    /// Time passes while a server runs and writes heartbeats. No sweep runs.
    Pass {
        micros: i64,
    },
    /// Time passes while no server runs. Then a server starts.
    Outage {
        micros: i64,
    },
    /// The clock is set forward. The server notices it at its next step.
    Jump {
        micros: i64,
    },
    /// The sweep applies all deadlines that are due.
    Sweep,
    /// A user asks for an invoice. A silent provider does not answer.
    Deposit {
        user: usize,
        amount: i64,
        is_silent: bool,
    },
    /// Somebody pays the invoice of a deposit.
    Receive {
        deposit: usize,
        msat: i64,
    },
    /// A user's page asks whether a deposit was paid.
    Poll {
        user: usize,
        deposit: usize,
    },
    /// The workers of deposits and withdrawals run once. `is_unclear`: the provider answers no question of this round
    /// about deposits.
    Work {
        is_unclear: bool,
    },
    DeleteAccount {
        user: usize,
        is_right: bool,
    },
    /// A user makes an API key with the scope `read`.
    MakeKey {
        user: usize,
        days: i64,
        is_right: bool,
    },
    RevokeKey {
        user: usize,
        key: usize,
    },
    /// A program reads the bets of a user with a key.
    UseKey {
        key: usize,
    },
    /// A user reads the notification with this place in the list of [`super::World::news`].
    Read {
        user: usize,
        place: usize,
    },
    ReadAll {
        user: usize,
    },
    Clear {
        user: usize,
    },
}

impl Action {
    /// The name of the action or of its order.
    pub fn name(&self) -> String {
        let words =
            if let Self::Order { order, .. } = self { format!("{order:?}") } else { format!("{self:?}") };
        words.split([' ', '(']).next().unwrap_or_default().to_owned()
    }

    /// The bet that the action names.
    pub const fn bet(&self) -> Option<usize> {
        match *self {
            Self::Order { ref order, .. } => order.bet(),
            Self::Delete { bet, .. }
            | Self::EndEarly { bet, .. }
            | Self::Dispute { bet, .. }
            | Self::AnswerInvitation { bet, .. }
            | Self::Remove { bet, .. } => Some(bet),
            Self::ResetPassword { .. }
            | Self::Claim { .. }
            | Self::Deposit { .. }
            | Self::Poll { .. }
            | Self::Repeat { .. }
            | Self::DeleteAccount { .. }
            | Self::MakeKey { .. }
            | Self::RevokeKey { .. }
            | Self::UseKey { .. }
            | Self::Read { .. }
            | Self::ReadAll { .. }
            | Self::Clear { .. }
            | Self::SignUp { .. }
            | Self::Pass { .. }
            | Self::Outage { .. }
            | Self::Jump { .. }
            | Self::Sweep
            | Self::Receive { .. }
            | Self::Work { .. } => None,
        }
    }

    /// The user who acts. `None` for actions of visitors, of programs, of the clock, of the workers and of payers.
    pub const fn user(&self) -> Option<usize> {
        match *self {
            Self::Order { ref order, .. } => Some(order.user()),
            Self::ResetPassword { admin: user, .. }
            | Self::Delete { user, .. }
            | Self::EndEarly { user, .. }
            | Self::Dispute { user, .. }
            | Self::AnswerInvitation { user, .. }
            | Self::Remove { user, .. }
            | Self::Claim { user, .. }
            | Self::Deposit { user, .. }
            | Self::Poll { user, .. }
            | Self::Repeat { user, .. }
            | Self::DeleteAccount { user, .. }
            | Self::MakeKey { user, .. }
            | Self::RevokeKey { user, .. }
            | Self::Read { user, .. }
            | Self::ReadAll { user }
            | Self::Clear { user } => Some(user),
            Self::SignUp { .. }
            | Self::UseKey { .. }
            | Self::Pass { .. }
            | Self::Outage { .. }
            | Self::Jump { .. }
            | Self::Sweep
            | Self::Receive { .. }
            | Self::Work { .. } => None,
        }
    }
}

/// The answer to an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The action was carried out.
    Done,
    /// The action was carried out on this number of things.
    Counted(usize),
    /// The request was carried out before, and its first answer came again.
    Repeated,
    /// The action was refused.
    Refused {
        /// The code of the refusal.
        code: String,
        /// The field at fault, if the answer names one.
        field: Option<String>,
    },
}

impl Answer {
    pub(super) fn of(answer: Result<Self, super::Refusal>) -> Self {
        answer.unwrap_or_else(|(code, field)| Self::Refused {
            code: code.to_owned(),
            field: field.map(str::to_owned),
        })
    }
}
