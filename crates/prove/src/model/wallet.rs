//! Deposits and withdrawals (`docs/lightning.md`). What becomes of them depends on the provider's answers, so the model
//! gets the calls to the provider and their answers, and computes what each of them proves.

use super::withdrawing::Bill;
use super::{FIRST_SATS, HOUR, SECOND, START, Verdict, World, refused, refused_on};

/// A call of the site to the provider, and the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say what they mean")]
pub enum Call {
    /// Before a payment. `is_possible` is false if the provider cannot make the payment.
    Before { withdrawal: usize, is_possible: bool },
    /// The order to pay.
    Pay { withdrawal: usize, word: Word },
    /// A question about a payment.
    LookUp { withdrawal: usize, word: Word },
    /// A question about a deposit. `None` if the answer was unclear.
    LookUpDeposit { deposit: usize, received: Option<Option<i64>> },
    /// The list of paid invoices names this deposit.
    Listed { deposit: usize, msat: i64 },
    /// The list of paid invoices was read.
    List { is_clear: bool },
}

/// What an answer of the provider says about a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of docs/lightning.md")]
pub enum Word {
    Paid { fee_msat: i64 },
    NotSent,
    Failed,
    InFlight,
    NotFound,
    Unknown,
}

/// A deposit.
#[derive(Clone, Debug)]
pub struct Deposit {
    /// The user who gets the sats.
    pub user: usize,
    /// The amount of the invoice in sats.
    pub(super) amount: i64,
    pub(crate) expires_at: i64,
    /// The millisats that arrived at the provider.
    pub received: Option<i64>,
    /// The millisats that were credited.
    pub credited: Option<i64>,
    asked_at: Option<(i64, i64)>,
    /// The workers do not ask the provider about it any more.
    is_given_up: bool,
}

impl Deposit {
    /// The deposit that every user of the first users has made.
    pub(super) fn first(user: usize) -> Self {
        let msat = Some(FIRST_SATS * 1_000);
        let (amount, expires_at) = (FIRST_SATS, START + HOUR);
        Self { user, amount, expires_at, received: msat, credited: msat, asked_at: None, is_given_up: false }
    }

    /// Whether the workers still ask about it, so that a payment may still arrive.
    pub(super) const fn is_asked_about(&self) -> bool {
        self.credited.is_none() && !self.is_given_up
    }

    fn is_open(&self, now: i64) -> bool {
        self.credited.is_none() && now < self.expires_at
    }

    /// Whether the list of paid invoices is searched for this deposit.
    fn is_listed(&self, now: i64) -> bool {
        self.credited.is_none() && self.expires_at > now - HOUR
    }
}

/// The status of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of docs/http-api.md")]
pub enum Status {
    Held,
    Sending,
    Paid { fee: i64 },
    Refunded,
}

/// A withdrawal.
#[derive(Clone, Debug)]
pub struct Payment {
    /// The user who withdraws.
    pub user: usize,
    /// The amount in sats, without the fee limit.
    pub amount: i64,
    /// The status.
    pub status: Status,
    pub(crate) created_at: i64,
    pub(super) bill: Bill,
    pub(super) attempts: u32,
    pub(super) last_word: Option<Word>,
}

/// The fee limit of a withdrawal: 1 %, at least 10 sats.
pub(super) fn fee_limit(sats: i64) -> i64 {
    ((sats + 99) / 100).max(10)
}

/// Whole sats, rounded up.
pub(super) fn ceil(msat: i64) -> i64 {
    (msat + 999) / 1_000
}

impl Payment {
    fn held(&self) -> i64 {
        self.amount + fee_limit(self.amount)
    }

    /// Whether the withdrawal has not ended.
    pub const fn is_open(&self) -> bool {
        matches!(self.status, Status::Held | Status::Sending)
    }
}

impl World {
    pub(super) fn deposit(&mut self, user: usize, amount: i64, is_silent: bool) -> Verdict {
        if !(100..=50_000).contains(&amount) {
            return refused_on("invalid_fields", "amount");
        }
        let now = self.now;
        if self.deposits.iter().filter(|one| one.user == user && one.is_open(now)).count() >= 20 {
            return refused("too_many_invoices");
        }
        if is_silent {
            return refused("lightning_unavailable");
        }
        let expires_at = now + HOUR;
        self.deposits.push(Deposit {
            user,
            amount,
            expires_at,
            received: None,
            credited: None,
            asked_at: None,
            is_given_up: false,
        });
        Ok(())
    }

    /// Somebody pays an invoice. A second payment of one invoice is refused by Lightning.
    pub(super) fn receive(&mut self, deposit: usize, msat: i64) {
        if let Some(one) = self.deposits.get_mut(deposit) {
            one.received = one.received.or(Some(msat));
        }
    }

    pub(super) fn poll(&mut self, user: usize, deposit: usize, heard: &[Call]) -> Verdict {
        let now = self.now;
        let Some(one) = self.deposits.get_mut(deposit).filter(|one| one.user == user) else {
            return refused("deposit_not_found");
        };
        let may_ask = one.asked_at.is_none_or(|(at, wait)| now - at >= wait);
        let must_ask = one.credited.is_none() && may_ask;
        let has_asked = heard.iter().any(|call| matches!(call, Call::LookUpDeposit { .. }));
        if must_ask {
            // Once a second, and once a minute after the expiry.
            one.asked_at = Some((now, if now < one.expires_at { SECOND } else { 60 * SECOND }));
        }
        self.hear(heard);
        if must_ask != has_asked {
            self.complain(format!(
                "the page's question about deposit {deposit}: asked {has_asked}, due {must_ask}"
            ));
        }
        Ok(())
    }

    /// The workers run once. A withdrawal that was never sent is refunded when its invoice expires.
    pub(super) fn work(&mut self, heard: &[Call]) {
        let is_due = self.listed_at.is_none_or(|at| self.now - at >= 10 * SECOND);
        let must_list = is_due && self.deposits.iter().any(|one| one.is_listed(self.now));
        if must_list != heard.iter().any(|call| matches!(call, Call::List { .. })) {
            self.complain(format!("the question for the list of paid invoices is due: {must_list}"));
        }
        for number in 0..self.withdrawals.len() {
            let one = &self.withdrawals[number];
            if one.status == Status::Held && self.now >= one.bill.expires_at {
                self.give_back(number);
            }
        }
        self.hear(heard);
        self.give_up(heard);
    }

    /// The workers stop to ask about an unpaid deposit 24 hours after its expiry, and 30 days after it if the provider
    /// gave no clear answer.
    fn give_up(&mut self, heard: &[Call]) {
        for call in heard {
            let Call::LookUpDeposit { deposit, received } = *call else { continue };
            let wait = if received.is_some() { 24 * HOUR } else { 30 * 24 * HOUR };
            let one = &mut self.deposits[deposit];
            one.is_given_up |= self.now >= one.expires_at + wait;
        }
    }

    /// Applies the answers of the provider, in their order.
    pub(super) fn hear(&mut self, heard: &[Call]) {
        let mut unknown = None;
        for call in heard {
            match *call {
                Call::Before { withdrawal, is_possible } => {
                    // What was requested before a cooldown is not sent, and the sats go back.
                    if !is_possible || self.cooldown_began_since(withdrawal) {
                        self.give_back(withdrawal);
                    }
                }
                Call::List { is_clear } => self.note_list(is_clear, heard),
                Call::Pay { withdrawal, word } => {
                    self.check_order(withdrawal, unknown);
                    self.withdrawals[withdrawal].status = Status::Sending;
                    self.withdrawals[withdrawal].attempts += 1;
                    self.learn(withdrawal, word);
                }
                Call::LookUp { withdrawal, word } => self.learn(withdrawal, word),
                Call::LookUpDeposit { deposit, received: Some(Some(msat)) }
                | Call::Listed { deposit, msat } => {
                    self.credit(deposit, msat);
                }
                Call::LookUpDeposit { .. } => {}
            }
            unknown = if let Call::LookUp { withdrawal, word: Word::NotFound } = *call {
                Some(withdrawal)
            } else {
                None
            };
        }
    }

    /// Whether a cooldown of the user has begun since the request.
    fn cooldown_began_since(&self, withdrawal: usize) -> bool {
        let payment = &self.withdrawals[withdrawal];
        payment.created_at < self.users[payment.user].cooldown_until
    }

    /// An order to pay is allowed for a held withdrawal whose invoice can still be paid, and never after a cooldown has begun. A second
    /// order is allowed only if the provider pays a hash at most once and has just said that it does not know the payment.
    fn check_order(&mut self, withdrawal: usize, unknown: Option<usize>) {
        let one = &self.withdrawals[withdrawal];
        let is_again = self.is_lnd && unknown == Some(withdrawal) && one.status == Status::Sending;
        let can_be_paid = self.now < one.bill.expires_at && !self.cooldown_began_since(withdrawal);
        if !(one.status == Status::Held || is_again) || !can_be_paid {
            self.complain(format!("an order to pay withdrawal {withdrawal}: {one:?}"));
        }
    }

    /// A list that was read names every paid invoice that it should name.
    fn note_list(&mut self, is_clear: bool, heard: &[Call]) {
        self.listed_at = Some(self.now);
        let is_named = |deposit| {
            heard.iter().any(|call| matches!(call, Call::Listed { deposit: it, .. } if *it == deposit))
        };
        let missed = |(number, one): &(usize, &Deposit)| {
            one.is_listed(self.now) && one.received.is_some() && !is_named(*number)
        };
        if is_clear && let Some((number, _)) = self.deposits.iter().enumerate().find(missed) {
            self.complain(format!("the list was not searched for deposit {number}"));
        }
    }

    /// Applies an answer about a payment (`docs/lightning.md#what-each-answer-proves`).
    fn learn(&mut self, number: usize, word: Word) {
        let (now, is_lnd) = (self.now, self.is_lnd);
        self.withdrawals[number].last_word = Some(word);
        let one = &self.withdrawals[number];
        let can_never_be_paid = is_lnd && now >= one.bill.expires_at + HOUR;
        match word {
            Word::Paid { fee_msat } => self.pay(number, fee_msat),
            Word::Failed => self.give_back(number),
            Word::NotSent if one.attempts == 1 => self.give_back(number),
            Word::NotFound if can_never_be_paid => self.give_back(number),
            Word::NotSent | Word::NotFound | Word::InFlight | Word::Unknown => {}
        }
    }

    fn pay(&mut self, number: usize, fee_msat: i64) {
        let one = &mut self.withdrawals[number];
        if one.is_open() {
            let fee = ceil(fee_msat).min(fee_limit(one.amount));
            let back = fee_limit(one.amount) - fee;
            one.status = Status::Paid { fee };
            let (user, amount) = (one.user, one.amount);
            self.users[user].sats += back;
            self.tell_alone(user, "Withdrawal Paid", vec![amount, fee]);
        }
    }

    fn give_back(&mut self, number: usize) {
        let one = &mut self.withdrawals[number];
        if one.is_open() {
            one.status = Status::Refunded;
            let (user, held) = (one.user, one.held());
            self.users[user].sats += held;
            self.tell_alone(user, "Withdrawal Refunded", vec![held]);
        }
    }

    fn credit(&mut self, number: usize, msat: i64) {
        let one = &mut self.deposits[number];
        if one.credited.is_none() {
            one.credited = Some(msat);
            let (user, sats) = (one.user, msat / 1_000);
            self.users[user].sats += sats;
            if sats > 0 {
                self.tell_alone(user, "Deposit Received", vec![sats]);
            }
        }
    }

    /// What has not come to rest although nobody acted for days. A withdrawal may stay open only if the provider cannot
    /// say what became of it: it is in flight, or a provider that may forget payments does not know it.
    pub fn not_at_rest(&self) -> Vec<String> {
        let bets = self.bets.iter().enumerate().filter(|(_, bet)| bet.is_open());
        let mut open: Vec<String> = bets.map(|(number, bet)| format!("bet {number} {bet:?}")).collect();
        let may_stay = |one: &Payment| match one.last_word {
            Some(Word::InFlight) => true,
            Some(Word::NotFound) => !self.is_lnd,
            _ => false,
        };
        for (number, one) in self.withdrawals.iter().enumerate().filter(|(_, one)| one.is_open()) {
            if one.status == Status::Held || !may_stay(one) {
                open.push(format!("withdrawal {number} {one:?}"));
            }
        }
        open
    }
}
