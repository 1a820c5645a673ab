//! Records a change of a bet: the bet itself, transfers, notifications and hints.

use std::sync::Arc;

use bolts_bets::{Bet, Change, EscrowEffect, Notice, NoticeKind, Party, Recipient};
use bolts_kernel::{Amount, Money, NotificationId, OperationId, Timestamp, UserId};
use bolts_ledger::{Account, Transfer, TransferError};
use bolts_ports::{About, Hint, Ids, NewNotification, NoticeBody, NoticeParams, Result, StoreError, Tx};
use bolts_resolution::turns;

use super::Shortfall;
use crate::achievements;

/// Records a change of a stored bet, with its transfers and notifications.
pub(crate) fn update(tx: &mut dyn Tx, change: &Change, ids: &Arc<dyn Ids>, now: Timestamp) -> Result<()> {
    tx.bets().update(change)?;
    money(tx, change, ids, now)?;
    let told = notices(tx, change, ids, now)?;
    follow(tx, change, told, ids, now)
}

/// Records the consequences of a change: achievements, and hints to the open pages of all users concerned.
pub(crate) fn follow(
    tx: &mut dyn Tx,
    change: &Change,
    told: Vec<UserId>,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<()> {
    let achieved = achievements::follow(tx, change, ids, now)?;
    let bet = &change.bet;
    let parties = [Party::Creator, Party::Acceptor].into_iter().filter_map(|party| bet.user(party));
    let users = parties.chain(bet.active_arbiter());
    let mut hints: Vec<Hint> = users.map(|user| Hint { user, about: About::Bet(bet.id) }).collect();
    hints.extend(paid(change).into_iter().map(|user| Hint { user, about: About::Balance }));
    hints.extend(told.into_iter().chain(achieved).map(|user| Hint { user, about: About::Notification }));
    tx.outbox().enqueue(&hints, now)
}

/// The users whose balances a change affects.
fn paid(change: &Change) -> Vec<UserId> {
    match change.escrow {
        EscrowEffect::Unchanged => Vec::new(),
        EscrowEffect::Hold(user) | EscrowEffect::PayOut(user) => vec![user],
        EscrowEffect::Refund => {
            [Some(change.bet.creator), change.bet.acceptor()].into_iter().flatten().collect()
        }
    }
}

/// Posts the transfers of a change.
pub(crate) fn money(tx: &mut dyn Tx, change: &Change, ids: &Arc<dyn Ids>, now: Timestamp) -> Result<()> {
    let operation = ids.id::<OperationId>();
    let transfers = transfers(&change.bet, change.escrow, operation, now)
        .map_err(|error| StoreError::Broken(format!("bet {}: {error}", change.bet.id)))?;
    if transfers.is_empty() { Ok(()) } else { tx.ledger().post(&transfers) }
}

fn transfers(
    bet: &Bet,
    effect: EscrowEffect,
    operation: OperationId,
    now: Timestamp,
) -> std::result::Result<Vec<Transfer>, TransferError> {
    match effect {
        EscrowEffect::Unchanged => Ok(Vec::new()),
        EscrowEffect::Hold(user) => {
            // A user without a stake in the bet is an error, because the escrow would get no stake.
            let stake = bet.stake_by(user).ok_or(TransferError::Nothing)?;
            Ok(vec![bolts_ledger::stake(bet.id, user, stake, operation, now)?])
        }
        EscrowEffect::PayOut(winner) => {
            Ok(vec![bolts_ledger::pay_out(bet.id, winner, bet.pot(), operation, now)?])
        }
        EscrowEffect::Refund => bolts_ledger::refund(bet.id, &bet.stakes(), operation, now),
    }
}

/// Locks the user's balance and checks that it covers the stake.
pub(crate) fn cover(
    tx: &mut dyn Tx,
    user: UserId,
    stake: Money,
) -> Result<std::result::Result<(), Shortfall>> {
    let account = Account::Available(user, stake.currency);
    let balances = tx.ledger().lock(&[account])?;
    let have = balances.first().and_then(|balance| Amount::new(*balance).ok()).unwrap_or_default();
    let (need, currency) = (stake.amount, stake.currency);
    Ok(if bolts_ledger::covers(have, need) { Ok(()) } else { Err(Shortfall { need, have, currency }) })
}

/// Writes the notifications of a change, and returns the users who get one.
pub(crate) fn notices(
    tx: &mut dyn Tx,
    change: &Change,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> Result<Vec<UserId>> {
    let mut all = Vec::new();
    for notice in &change.notices {
        let taker = taker(tx, &change.bet, notice.kind)?;
        for reader in readers(tx, &change.bet, notice.to)? {
            all.push(worded_later(&change.bet, notice, taker.clone(), reader, ids, now));
        }
    }
    if !all.is_empty() {
        tx.notifications().insert(&all)?;
    }
    Ok(all.into_iter().map(|notification| notification.user).collect())
}

fn readers(tx: &mut dyn Tx, bet: &Bet, to: Recipient) -> Result<Vec<UserId>> {
    match to {
        // Only a deleted bet can have a party without an account: such a bet ended before.
        Recipient::User(user) if bet.deletion.is_some() && !tx.departures().is_here(user)? => Ok(Vec::new()),
        Recipient::User(user) => Ok(vec![user]),
        Recipient::Admins => {
            let admins = tx.users().admins()?;
            Ok(admins.into_iter().filter(|admin| bet.party(*admin).is_none()).collect())
        }
    }
}

/// The username of the user who took the bet, for the notification about it. The job has read the name before.
fn taker(tx: &mut dyn Tx, bet: &Bet, kind: NoticeKind) -> Result<Option<String>> {
    if kind != NoticeKind::BetAccepted {
        return Ok(None);
    }
    Ok(tx.bets().named(bet.clone())?.acceptor.and_then(|person| person.username))
}

/// The name of the task that the reader of a notification has on a bet that has expired.
fn task(bet: &Bet, kind: NoticeKind, reader: UserId, now: Timestamp) -> Option<String> {
    let is_due = kind == NoticeKind::BetDue;
    let task = is_due.then(|| turns(bet, now).of(bet, reader, false)).flatten();
    task.map(|task| task.to_string())
}

fn worded_later(
    bet: &Bet,
    notice: &Notice,
    taker: Option<String>,
    reader: UserId,
    ids: &Arc<dyn Ids>,
    now: Timestamp,
) -> NewNotification {
    let about = NoticeParams::about(bet, notice.outcome, notice.until, reader);
    let params = NoticeParams { taker, task: task(bet, notice.kind, reader, now), ..about };
    NewNotification {
        id: ids.id::<NotificationId>(),
        user: reader,
        body: NoticeBody::Bet { kind: notice.kind, params },
        // A deleted bet has no page, so the notification links to nothing.
        bet: bet.deletion.is_none().then_some(bet.id),
        at: now,
    }
}
