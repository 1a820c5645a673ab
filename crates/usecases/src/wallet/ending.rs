//! The end of a withdrawal: paid or refunded.

use std::sync::Arc;

use bolts_kernel::{OperationId, Timestamp};
use bolts_ports::{Ids, NoticeBody, StoreError, Tx};
use bolts_wallet::{HoldEffect, Withdrawal};

use crate::notifications::tell_of_money;

/// Records the end of a withdrawal, moves the held sats, and notifies the user.
pub(super) fn record(
    tx: &mut dyn Tx,
    ended: &Withdrawal,
    effect: HoldEffect,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (id, user, amount) = (ended.id, ended.user, ended.amount());
    let operation = ids.id::<OperationId>();
    let (moved, body) = match effect {
        HoldEffect::Settle { fee } => {
            let rest = ended.fee_limit.checked_sub(fee).unwrap_or_default();
            let moved = bolts_ledger::settle(id, user, (amount, fee, rest), operation, now);
            (moved, NoticeBody::WithdrawalPaid { amount, fee })
        }
        HoldEffect::GiveBack => {
            let held = ended.held();
            let moved =
                bolts_ledger::give_back(id, user, held, operation, now).map(|transfer| vec![transfer]);
            (moved, NoticeBody::WithdrawalRefunded { amount: held })
        }
    };
    let moved = moved.map_err(|error| StoreError::Broken(format!("withdrawal {id}: {error}")))?;
    tx.withdrawals().update(ended)?;
    tx.ledger().post(&moved)?;
    tell_of_money(tx, user, body, ids, now)
}
