//! `bolts withdrawals`: lists, pauses, resumes and settles withdrawals.

use std::time::Duration;

use actix_web::rt::System;
use bolts_kernel::Timestamp;
use bolts_ports::{Clock, PageRequest, StoreError, WithdrawalView};
use bolts_usecases::wallet::Resumed;
use bolts_usecases::{App, Rules};
use bolts_wallet::{Millisats, Withdrawal, WithdrawalStatus};

use crate::commands::settle;
use crate::config::WithdrawalsAction;
use crate::environment::SystemClock;
use crate::store::Database;
use crate::{Failure, commands, wiring};

/// Runs a command of the operator on withdrawals. A running server applies the change at once.
pub(crate) fn run(database_url: &str, action: WithdrawalsAction) -> Result<(), Failure> {
    let database = Database::open_existing(database_url)?;
    match action {
        WithdrawalsAction::Reconcile(options) => commands::reconcile::withdrawals(&database, &options),
        WithdrawalsAction::List { all } => list(&database, all),
        WithdrawalsAction::Pause { reason } => pause(&database, reason),
        WithdrawalsAction::Resume => resume(&database),
        WithdrawalsAction::SameProvider { reason } => same_provider(&database, reason),
        WithdrawalsAction::Settle(options) => settle::run(&database, &options),
    }
}

/// Prints the open withdrawals or all withdrawals, newest first.
fn list(database: &Database, all: bool) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    match app.withdrawals_pause()? {
        Some(pause) => commands::say(&format!("Withdrawals are paused since {}: {}", pause.at, pause.reason)),
        None => commands::say("Withdrawals are not paused."),
    }
    if let Some(stop) = app.sending_stop()? {
        let goes_on = "sending goes on once the provider answers";
        commands::say(&format!("Withdrawals wait since {}, {goes_on}: {}", stop.at, stop.reason));
    }
    warnings(&app)?.iter().for_each(|line| commands::say(line));
    let statuses: &[Option<WithdrawalStatus>] =
        if all { &[None] } else { &[Some(WithdrawalStatus::Held), Some(WithdrawalStatus::Sending)] };
    let now = SystemClock.now();
    for status in statuses {
        let mut after = None;
        loop {
            let page = database.queries().withdrawals(*status, PageRequest { limit: 100, after })?;
            page.items.iter().for_each(|view| commands::say(&line(view, now)));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
    }
    Ok(())
}

fn line(view: &WithdrawalView, now: Timestamp) -> String {
    let withdrawal = &view.withdrawal;
    let doubt = if withdrawal.is_in_doubt(now) { "  IN DOUBT" } else { "" };
    let line = format!(
        "{}  {:<8}  {:>11} sats  fee limit {:>9}  {}  {}  {}{doubt}",
        withdrawal.id,
        withdrawal.status().as_str(),
        withdrawal.amount().get(),
        withdrawal.fee_limit.get(),
        withdrawal.created_at,
        withdrawal.outgoing.payment_hash,
        view.email,
    );
    match withdrawal.status() {
        WithdrawalStatus::Held | WithdrawalStatus::Sending => {
            format!("{line}\n    {}", details(withdrawal, now))
        }
        WithdrawalStatus::Paid | WithdrawalStatus::Refunded => line,
    }
}

/// The details of an open withdrawal that the operator needs for a decision.
fn details(withdrawal: &Withdrawal, now: Timestamp) -> String {
    let whole_seconds = |time: Duration| humantime::format_duration(Duration::from_secs(time.as_secs()));
    let expires_at = withdrawal.outgoing.expires_at;
    let has = if now < expires_at { "expires" } else { "expired" };
    let word = withdrawal.trail.as_ref().and_then(|trail| trail.word.as_ref());
    let said =
        word.map_or_else(|| "nothing yet".to_owned(), |word| format!("{} (at {})", word.text, word.at));
    format!(
        "open for {}; attempts: {}; the invoice {has} at {expires_at}; the provider said: {said}",
        whole_seconds(now.since(withdrawal.created_at)),
        withdrawal.attempts(),
    )
}

/// The warnings about refunded withdrawals that the provider has paid or still lists as pending.
pub(crate) fn warnings(app: &App) -> Result<Vec<String>, StoreError> {
    let lost = app.lost_withdrawals()?;
    let pending = app.still_pending()?;
    let pending = pending.iter().map(|(withdrawal, withheld)| still_pending(withdrawal, *withheld));
    Ok(lost.iter().map(loss).chain(pending).collect())
}

fn still_pending(withdrawal: &Withdrawal, withheld: Millisats) -> String {
    format!(
        "PENDING   withdrawal {} of {} sats: refunded by Bolts, still pending at the provider, which withholds {} sats  {}",
        withdrawal.id,
        withdrawal.amount().get(),
        withheld.ceil_sats().get(),
        withdrawal.outgoing.payment_hash,
    )
}

fn loss(withdrawal: &Withdrawal) -> String {
    format!(
        "LOST      withdrawal {} of {} sats: refunded by Bolts, paid by the provider  {}",
        withdrawal.id,
        withdrawal.amount().get(),
        withdrawal.outgoing.payment_hash,
    )
}

fn pause(database: &Database, reason: String) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    let begun = System::new().block_on(app.pause_withdrawals(reason))?;
    let said = if begun { "are paused now" } else { "were paused before" };
    commands::say(&format!("Withdrawals {said} in {}.", database.describe()));
    Ok(())
}

fn resume(database: &Database) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    match System::new().block_on(app.resume_withdrawals())? {
        Resumed::Yes => commands::say(&format!("Withdrawals go on now in {}.", database.describe())),
        Resumed::NotPaused => {
            commands::say(&format!("Withdrawals were not paused in {}.", database.describe()));
        }
        Resumed::NotReconciled => {
            let line = "this database may have been restored: `bolts deposits reconcile` and then `bolts withdrawals \
                        reconcile` have to find no difference first";
            return Err(Failure::answer(line));
        }
    }
    Ok(())
}

fn same_provider(database: &Database, reason: String) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    System::new().block_on(app.provider_moved(reason))?;
    commands::say("Bolts accepts the provider of the next start.");
    Ok(())
}
