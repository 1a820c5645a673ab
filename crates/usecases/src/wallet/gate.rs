//! Whether anything may be sent at all, beside the operator's pause.

use std::sync::atomic::{AtomicBool, Ordering};

use bolts_ports::{StoreError, Tx};

use super::{pause, solvency};

/// Opens once this process has seen, after its start, that the provider is the one that the database belongs to, that it
/// holds the users' sats, and that its lists name nothing that the ledger does not know. Until then the ledger may be a
/// restored one.
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

/// What is not done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restraint {
    /// Nothing.
    None,
    /// Nothing is sent.
    NotSent,
    /// Nothing is sent, nor refunded because its invoice expired: it may have been paid all the same.
    NotEnded,
}

/// What is not done now. Holds every other withdrawal until the transaction ends.
pub(super) fn restraint(tx: &mut dyn Tx, is_open: bool) -> Result<Restraint, StoreError> {
    let pause = pause::standing(tx)?;
    if !is_open || pause.as_ref().is_some_and(|pause| pause.needs_reconciling) {
        return Ok(Restraint::NotEnded);
    }
    let is_held_back = pause.is_some() || solvency::is_suspect(tx)?;
    Ok(if is_held_back { Restraint::NotSent } else { Restraint::None })
}
