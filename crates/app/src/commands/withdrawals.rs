use actix_web::rt::System;
use bolts_kernel::{Amount, Timestamp, WithdrawalId};
use bolts_ports::{Clock, PageRequest, WithdrawalView};
use bolts_usecases::Rules;
use bolts_usecases::wallet::{Resumed, SettleError};
use bolts_wallet::{Millisats, WithdrawalStatus};

use crate::config::{Outcome, WithdrawalsAction};
use crate::environment::SystemClock;
use crate::store::Database;
use crate::{Failure, commands, wiring};

/// The operator's hand on withdrawals; a running server obeys at once.
pub(crate) fn run(database_url: &str, action: WithdrawalsAction) -> Result<(), Failure> {
    let database = Database::open(database_url)?;
    match action {
        WithdrawalsAction::Reconcile(options) => commands::reconcile::withdrawals(database_url, &options),
        WithdrawalsAction::List { all } => list(&database, all),
        WithdrawalsAction::Pause { reason } => pause(&database, reason),
        WithdrawalsAction::Resume => resume(&database),
        WithdrawalsAction::SameProvider { reason } => same_provider(&database, reason),
        WithdrawalsAction::Settle { id, outcome, fee, reason } => {
            settle(&database, &id, outcome, fee, reason)
        }
    }
}

fn failed(error: bolts_ports::StoreError) -> Failure {
    Failure::answer(error.to_string())
}

/// The open withdrawals, or all, latest first.
fn list(database: &Database, all: bool) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    match app.withdrawals_pause().map_err(failed)? {
        Some(pause) => commands::say(&format!("Withdrawals are paused since {}: {}", pause.at, pause.reason)),
        None => commands::say("Withdrawals are not paused."),
    }
    let statuses: &[Option<WithdrawalStatus>] =
        if all { &[None] } else { &[Some(WithdrawalStatus::Held), Some(WithdrawalStatus::Sending)] };
    let now = SystemClock.now();
    for status in statuses {
        let mut after = None;
        loop {
            let page = database.queries().withdrawals(*status, PageRequest { limit: 100, after });
            let page = page.map_err(failed)?;
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
    format!(
        "{}  {:<8}  {:>11} sats  fee limit {:>9}  {}  {}  {}{doubt}",
        withdrawal.id,
        withdrawal.status().as_str(),
        withdrawal.amount().get(),
        withdrawal.fee_limit.get(),
        withdrawal.created_at,
        withdrawal.outgoing.payment_hash,
        view.email,
    )
}

fn pause(database: &Database, reason: String) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    let begun = System::new().block_on(app.pause_withdrawals(reason)).map_err(failed)?;
    let said = if begun { "Withdrawals are paused now." } else { "Withdrawals were paused before." };
    commands::say(said);
    Ok(())
}

fn resume(database: &Database) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    match System::new().block_on(app.resume_withdrawals()).map_err(failed)? {
        Resumed::Yes => commands::say("Withdrawals go on now."),
        Resumed::NotPaused => commands::say("Withdrawals were not paused."),
        Resumed::NotReconciled => {
            let line = "this database may have been restored: `bolts withdrawals reconcile` and `bolts deposits reconcile` \
                        have to find no difference first";
            return Err(Failure::answer(line));
        }
    }
    Ok(())
}

fn same_provider(database: &Database, reason: String) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    System::new().block_on(app.provider_moved(reason)).map_err(failed)?;
    commands::say("The provider with which the server starts next is taken for the one before.");
    Ok(())
}

fn settle(database: &Database, id: &str, outcome: Outcome, fee: i64, reason: String) -> Result<(), Failure> {
    let id: WithdrawalId =
        id.parse().map_err(|_| Failure::start_up(format!("{id:?} is not a withdrawal's id")))?;
    let fee = Amount::new(fee).map_err(|error| Failure::start_up(format!("--fee: {error}")))?;
    let paid = match outcome {
        Outcome::Paid => Some(Millisats::from_sats(fee)),
        Outcome::Refunded => None,
    };
    let app = wiring::app(database, Rules::default());
    let settled: Result<(), SettleError> = System::new().block_on(app.settle_withdrawal(id, paid, reason));
    settled.map_err(|error| Failure::answer(error.to_string()))?;
    commands::say(&format!("The withdrawal {id} is settled as {}.", outcome.as_str()));
    Ok(())
}
