//! Scenes of deposits and withdrawals.

use std::time::Duration;

use bolts_kernel::{DepositId, OperationId, UserId, WithdrawalId};
use bolts_ledger::Account;
use bolts_wallet::{Deposit, Evidence, HoldEffect, Millisats, Outgoing, Preimage, Waits, Withdrawal};

use crate::Scene;
use crate::fixtures::{HOUR, sats};

/// The patience with a provider in a scene.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// The same, and how long a call to pay can take.
pub const WAITS: Waits = Waits { patience: PATIENCE, call: Duration::from_secs(5) };

/// An amount of `units` millisats.
pub fn msat(units: i64) -> Millisats {
    Millisats::new(units).expect("not below 0")
}

/// A preimage. Each number gives another one.
pub fn preimage(number: u8) -> Preimage {
    Preimage::new([number; 32])
}

/// Deposits and withdrawals, recorded as the use cases record them.
impl Scene<'_> {
    /// An invoice for 5,000 sats that can be paid for an hour. It is not recorded.
    pub fn invoice(&self, user: UserId, number: u8) -> Deposit {
        let id = self.id::<DepositId>();
        let invoice = (format!("lnbcrt{number}"), preimage(number).payment_hash());
        Deposit::open(id, user, sats(5_000).amount, invoice, (self.now(), self.now().after(HOUR)))
    }

    /// A paid deposit. `received` is in millisats.
    pub fn deposited(&self, user: UserId, number: u8, received: i64) -> Deposit {
        let open = self.invoice(user, number);
        let credit = open.clone().paid(msat(received), self.now()).expect("once");
        let operation = self.id::<OperationId>();
        // An amount below 1 sat moves nothing.
        let moved = bolts_ledger::deposit(open.id, user, credit.amount, operation, self.now()).ok();
        let paid = credit.deposit.clone();
        self.run(move |tx| {
            tx.deposits().insert(&open)?;
            tx.deposits().update(&paid)?;
            moved.as_ref().map_or(Ok(()), |transfer| tx.ledger().post(std::slice::from_ref(transfer)))
        });
        credit.deposit
    }

    /// A withdrawal of `amount` millisats. It is not recorded.
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

    /// A recorded withdrawal whose sats are held. The user first gets these sats.
    pub fn held(&self, user: UserId, number: u8, amount: i64) -> Withdrawal {
        let withdrawal = self.request(user, number, amount);
        let (id, held, at) = (withdrawal.id, withdrawal.held(), self.now());
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

    /// Records a step of a withdrawal and its transfers.
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

    /// Records that the provider is told to pay the withdrawal.
    pub fn sent(&self, withdrawal: Withdrawal) -> Withdrawal {
        let sending = withdrawal.attempt(self.now(), &WAITS).expect("it is to be sent");
        self.step(&sending, None);
        sending
    }

    /// Ends the withdrawal with this evidence.
    pub fn ended(&self, sending: Withdrawal, evidence: Evidence) -> Withdrawal {
        let attempts = sending.attempts();
        let (ended, effect) = sending.apply_evidence(evidence, attempts, self.now()).expect("it decides");
        self.step(&ended, Some(effect));
        ended
    }
}
