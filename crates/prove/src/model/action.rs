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

/// The invoice that a user wants to withdraw to.
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

/// An action of a sequence. Every action is possible in every state: an action on something that does not exist is an
/// action on an unknown id.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names of the fields say what they mean")]
pub enum Action {
    SignUp {
        name: u8,
    },
    GrantBolts {
        admin: usize,
        user: u8,
        amount: i64,
    },
    ResetPassword {
        admin: usize,
        user: u8,
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
    Delete {
        user: usize,
        bet: usize,
    },
    EndEarly {
        user: usize,
        bet: usize,
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
    Dispute {
        user: usize,
        bet: usize,
    },
    Rule {
        user: usize,
        bet: usize,
        outcome: Outcome,
    },
    /// A user answers the invitation to be the arbiter, or gives the task up.
    AnswerInvitation {
        user: usize,
        bet: usize,
        accepts: bool,
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
    Withdraw {
        user: usize,
        invoice: Invoice,
        msat: i64,
        is_right: bool,
        plan: Plan,
    },
    /// The workers of deposits and withdrawals run once. `is_unclear`: the provider answers no question of this round
    /// about deposits.
    Work {
        is_unclear: bool,
    },
}

/// The answer to an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The action was carried out.
    Done,
    /// The action was refused.
    Refused {
        /// The code of the refusal.
        code: String,
        /// The field at fault, if the answer names one.
        field: Option<String>,
    },
}
