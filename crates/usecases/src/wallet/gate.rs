//! The steps of withdrawals that are allowed now. They depend on the gate of the process, on a pause, and on missing
//! sats.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bolts_kernel::WithdrawalId;
use bolts_ports::{StoreError, Tx};
use bolts_wallet::Withdrawal;

use super::{pause, solvency};

/// The setting with the number of all attempts to pay a withdrawal. The number only grows, unless the database loses
/// commits.
const ATTEMPTS: &str = "withdrawal_attempts";

/// While the gate is closed, this process sends no payment. The gate opens when a check after the start of the
/// process is clean: the provider is the one that the database belongs to, it holds the users' sats, and its lists
/// contain nothing that the ledger does not know. Before such a check, the database may be a restored backup.
///
/// The gate closes again if the database goes back while the process runs. This happens if a standby takes over that
/// lacks the latest commits, or if a backup is restored at the same address.
#[derive(Debug, Default)]
pub(super) struct Gate(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_open: bool,
    /// The number of attempts that the database had when this process last looked.
    attempts: u64,
    /// The latest attempt of this process. Other processes may have made as many attempts as the database lost, so the
    /// number alone does not show every loss.
    own: Option<Own>,
    /// The number of times that the database went back.
    generation: u32,
}

/// An attempt of this process whose record was committed.
#[derive(Clone, Copy, Debug)]
struct Own {
    /// The number of all attempts, with this one.
    number: u64,
    withdrawal: WithdrawalId,
    /// The number of attempts to pay this withdrawal, with this one.
    attempts: u32,
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of times that the database went back. A check of the provider begins with this call.
    pub(super) fn generation(&self) -> u32 {
        self.state().generation
    }

    /// Opens the gate after a clean check that began in this generation. A check during which the database went back
    /// proves nothing.
    pub(super) fn open(&self, generation: u32) {
        let mut state = self.state();
        if state.generation == generation {
            state.is_open = true;
        }
    }

    pub(super) fn close(&self) {
        self.state().is_open = false;
    }

    pub(super) fn is_open(&self) -> bool {
        self.state().is_open
    }

    /// Remembers a committed number of attempts.
    pub(super) fn know(&self, attempts: u64) {
        let mut state = self.state();
        state.attempts = state.attempts.max(attempts);
    }

    /// Remembers a committed attempt of this process. `number` is the number of all attempts, with this one.
    pub(super) fn know_own(&self, sending: &Withdrawal, number: u64) {
        self.know(number);
        let own = Own { number, withdrawal: sending.id, attempts: sending.attempts() };
        let mut state = self.state();
        // Two attempts may arrive here in another order than their commits.
        if state.own.is_none_or(|known| known.number < number) {
            state.own = Some(own);
        }
    }

    /// The number of attempts in the database. If the number is smaller than a number that this process knows, or the
    /// latest attempt of this process is missing, the database went back: the gate closes, and the result is `None`.
    ///
    /// The caller must have read the pause in this transaction, so that no other process records an attempt meanwhile.
    pub(super) fn attempts(&self, tx: &mut dyn Tx) -> Result<Option<u64>, StoreError> {
        let (known, own) = {
            let state = self.state();
            (state.attempts, state.own)
        };
        let stored = stored_attempts(tx)?;
        if stored >= known && has(tx, own)? {
            return Ok(Some(stored));
        }
        let mut state = self.state();
        let generation = state.generation.saturating_add(1);
        *state = State { is_open: false, attempts: stored, own: None, generation };
        tracing::error!(
            known,
            stored,
            "the database went back: nothing is sent before a clean check of the provider"
        );
        Ok(None)
    }
}

/// Whether the database has this attempt.
fn has(tx: &mut dyn Tx, own: Option<Own>) -> Result<bool, StoreError> {
    let Some(own) = own else { return Ok(true) };
    Ok(tx.withdrawals().attempts(own.withdrawal)? >= own.attempts)
}

fn stored_attempts(tx: &mut dyn Tx) -> Result<u64, StoreError> {
    Ok(tx.settings().get(ATTEMPTS)?.and_then(|text| text.parse().ok()).unwrap_or_default())
}

/// Counts an attempt. Returns the new number of attempts.
pub(super) fn count_attempt(tx: &mut dyn Tx) -> Result<u64, StoreError> {
    let attempts = stored_attempts(tx)?.saturating_add(1);
    tx.settings().put(ATTEMPTS, &attempts.to_string())?;
    Ok(attempts)
}

/// The steps that are not allowed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restraint {
    /// All steps are allowed.
    None,
    /// Nothing may be sent.
    NotSent,
    /// Nothing may be sent, and no withdrawal may be refunded when its invoice expires, because the withdrawal may
    /// have been paid.
    NotEnded,
}

/// The steps that are not allowed now. Blocks all other withdrawal jobs until the transaction ends.
pub(super) fn restraint(tx: &mut dyn Tx, gate: &Gate) -> Result<Restraint, StoreError> {
    let pause = pause::standing(tx)?;
    // This closes the gate if the database went back.
    gate.attempts(tx)?;
    if !gate.is_open() || pause.as_ref().is_some_and(|pause| pause.needs_reconciling) {
        return Ok(Restraint::NotEnded);
    }
    let is_held_back = pause.is_some() || solvency::is_suspect(tx)?;
    Ok(if is_held_back { Restraint::NotSent } else { Restraint::None })
}
