//! The steps of withdrawals that are allowed now. They depend on the gate of the process, on a pause, and on missing
//! sats.

use std::sync::atomic::{AtomicBool, Ordering};

use bolts_ports::{StoreError, Tx};

use super::{pause, solvency};

/// While the gate is closed, this process sends no payment. The gate opens when a check after the start of the
/// process is clean: the provider is the one that the database belongs to, it holds the users' sats, and its lists
/// contain nothing that the ledger does not know. Before such a check, the database may be a restored backup.
#[derive(Debug, Default)]
pub(super) struct Gate(AtomicBool);

impl Gate {
    pub(super) fn open(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub(super) fn close(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    pub(super) fn is_open(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
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
pub(super) fn restraint(tx: &mut dyn Tx, is_open: bool) -> Result<Restraint, StoreError> {
    let pause = pause::standing(tx)?;
    if !is_open || pause.as_ref().is_some_and(|pause| pause.needs_reconciling) {
        return Ok(Restraint::NotEnded);
    }
    let is_held_back = pause.is_some() || solvency::is_suspect(tx)?;
    Ok(if is_held_back { Restraint::NotSent } else { Restraint::None })
}
