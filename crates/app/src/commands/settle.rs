//! `bolts withdrawals settle`: ends withdrawals whose result the provider does not know.

use actix_web::rt::System;
use bolts_kernel::{Amount, WithdrawalId};
use bolts_usecases::Rules;
use bolts_usecases::wallet::{Settle, Wallets};
use bolts_wallet::{Millisats, Verdict};

use crate::config::{Outcome, SettleOptions};
use crate::store::Database;
use crate::{Failure, commands, wiring};

/// Settles withdrawals by the operator's decision.
pub(crate) fn run(database: &Database, options: &SettleOptions) -> Result<(), Failure> {
    let fee = Amount::new(options.fee).map_err(|error| Failure::start_up(format!("--fee: {error}")))?;
    let verdict = match options.outcome {
        Outcome::Paid => Verdict::Paid(Millisats::from_sats(fee)),
        Outcome::Refunded => Verdict::Refunded,
    };
    System::new().block_on(async {
        let app = wiring::app(database, Rules::default());
        let ids = if options.all_in_doubt {
            app.sending_withdrawals()?.in_doubt
        } else {
            options.ids.iter().map(|id| parsed(id)).collect::<Result<_, _>>()?
        };
        if ids.is_empty() {
            commands::say("No withdrawal is in doubt.");
            return Ok(());
        }
        let wallets = options.lightning.wallets(app, None)?;
        let mut left = Vec::new();
        for id in &ids {
            left.extend(settle(&wallets, *id, verdict, options).await.err());
        }
        report(left, ids.len())
    })
}

fn parsed(id: &str) -> Result<WithdrawalId, Failure> {
    id.parse().map_err(|_| Failure::start_up(format!("{id:?} is not a withdrawal's id")))
}

async fn settle(
    wallets: &Wallets,
    id: WithdrawalId,
    verdict: Verdict,
    options: &SettleOptions,
) -> Result<(), String> {
    let (reason, despite) = (options.reason.clone(), options.despite.clone());
    let said = wallets.settle(Settle { id, verdict, reason, despite }).await;
    let said = said.map_err(|error| format!("{id}: {error}"))?;
    commands::say(&format!("The withdrawal {id} is settled as {}.", options.outcome.as_str()));
    commands::say(&format!("  The provider says of it: {said}"));
    Ok(())
}

/// Prints one line for each withdrawal that was not settled, and returns the exit status.
fn report(mut left: Vec<String>, of: usize) -> Result<(), Failure> {
    let count = left.len();
    let Some(last) = left.pop() else { return Ok(()) };
    left.iter().for_each(|line| commands::complain(line));
    if count > 1 {
        commands::complain(&last);
        return Err(Failure::answer(format!("{count} of {of} withdrawals were not settled")));
    }
    Err(Failure::answer(last))
}
