//! Scenes of deposits and withdrawals.

use std::time::Duration;

use bolts_kernel::{DepositId, OperationId, UserId, WithdrawalId};
use bolts_ledger::Account;
use bolts_wallet::{Deposit, Evidence, HoldEffect, Millisats, Outgoing, Preimage, Waits, Withdrawal};

use crate::Scene;
use crate::fixtures::{HOUR, sats};

/// The time between an attempt to pay and the first look-up of the payment, in a scene.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// The waiting times for the provider in a scene. A call to pay takes at most 5 seconds.
pub const WAITS: Waits = Waits { patience: PATIENCE, call: Duration::from_secs(5) };

/// An amount of `units` millisats.
pub fn msat(units: i64) -> Millisats {
    Millisats::new(units).expect("not below 0")
}

/// A preimage of 32 bytes, each equal to `number`. Different numbers give different preimages.
pub fn preimage(number: u8) -> Preimage {
    Preimage::new([number; 32])
}

/// Deposits and withdrawals, recorded as the use cases record them.
impl Scene<'_> {
    /// An open deposit of 5,000 sats whose invoice expires after an hour. The scene does not store the deposit.
    pub fn invoice(&self, user: UserId, number: u8) -> Deposit {
        let id = self.id::<DepositId>();
        let invoice = (format!("lnbcrt{number}"), preimage(number).payment_hash());
        Deposit::open(id, user, sats(5_000).amount, invoice, (self.now(), self.now().after(HOUR)))
    }

    /// Stores a paid deposit and its transfer. `received` is in millisats.
    pub fn deposited(&self, user: UserId, number: u8, received: i64) -> Deposit {
        let open = self.invoice(user, number);
        let credit = open.clone().paid(msat(received), self.now()).expect("once");
        let operation = self.id::<OperationId>();
        // A deposit of less than 1 sat makes no transfer.
        let moved = bolts_ledger::deposit(open.id, user, credit.amount, operation, self.now()).ok();
        let paid = credit.deposit.clone();
        self.run(move |tx| {
            tx.deposits().insert(&open)?;
            tx.deposits().update(&paid)?;
            moved.as_ref().map_or(Ok(()), |transfer| tx.ledger().post(std::slice::from_ref(transfer)))
        });
        credit.deposit
    }

    /// A new withdrawal of `amount` millisats. The scene does not store the withdrawal.
    pub fn request(&self, user: UserId, number: u8, amount: i64) -> Withdrawal {
        let outgoing = Outgoing {
            invoice: format!("lnbcrt{number}"),
            payment_hash: preimage(number).payment_hash(),
            amount: msat(amount),
            expires_at: self.now().after(HOUR),
            address: number.is_multiple_of(2).then(|| "ann@example.com".to_owned()),
        };
        Withdrawal::request(self.id::<WithdrawalId>(), user, outgoing, self.now())
    }

    /// Stores a withdrawal of `amount` millisats and holds its sats.
    pub fn held(&self, user: UserId, number: u8, amount: i64) -> Withdrawal {
        self.hold(self.request(user, number, amount))
    }

    /// Stores a new withdrawal and holds its sats. Before the hold, a test deposit gives these sats to the user.
    pub fn hold(&self, withdrawal: Withdrawal) -> Withdrawal {
        let (id, user, held, at) = (withdrawal.id, withdrawal.user, withdrawal.held(), self.now());
        let fund = bolts_ledger::test_deposit(user, held, self.id::<OperationId>(), at);
        let hold = bolts_ledger::hold(id, user, held, self.id::<OperationId>(), at);
        let transfers = [fund.expect("more than nothing"), hold.expect("more than nothing")];
        let row = withdrawal.clone();
        self.run(move |tx| {
            assert!(tx.withdrawals().insert(&row)?, "the hash is new");
            tx.ledger().open(&[Account::Hold(id)])?;
            tx.ledger().post(&transfers)
        });
        withdrawal
    }

    /// Stores the next state of a withdrawal and the transfers of this step.
    pub fn step(&self, next: &Withdrawal, effect: Option<HoldEffect>) {
        let (id, user, at) = (next.id, next.user, self.now());
        let operation = self.id::<OperationId>();
        let moved = match effect {
            None => Ok(Vec::new()),
            Some(HoldEffect::Settle { fee }) => {
                let rest = next.fee_limit.checked_sub(fee).expect("a fee within its limit");
                bolts_ledger::settle(id, user, (next.amount(), fee, rest), operation, at)
            }
            Some(HoldEffect::GiveBack) => {
                bolts_ledger::give_back(id, user, next.held(), operation, at).map(|transfer| vec![transfer])
            }
        };
        let (row, moved) = (next.clone(), moved.expect("more than nothing"));
        self.run(move |tx| {
            tx.withdrawals().update(&row)?;
            tx.ledger().post(&moved)
        });
    }

    /// Stores an attempt to pay the withdrawal.
    pub fn sent(&self, withdrawal: Withdrawal) -> Withdrawal {
        let sending = withdrawal.attempt(self.now(), &WAITS).expect("it is to be sent");
        self.step(&sending, None);
        sending
    }

    /// Ends a withdrawal in `sending` with this evidence, and stores the result.
    pub fn ended(&self, sending: Withdrawal, evidence: Evidence) -> Withdrawal {
        let attempts = sending.attempts();
        let (ended, effect) = sending.apply_evidence(evidence, attempts, self.now()).expect("it decides");
        self.step(&ended, Some(effect));
        ended
    }
}
