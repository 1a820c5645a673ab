//! `bolts deposits late`: lists the deposits that arrived after their users had deleted their accounts, and books them as the
//! operator decides.

use actix_web::rt::System;
use bolts_kernel::DepositId;
use bolts_ports::{LateDeposit, name_of_deleted};
use bolts_usecases::{App, Rules};
use clap::Args;

use crate::store::Database;
use crate::{Failure, commands, wiring};

/// The options of a booking.
#[derive(Args)]
pub(crate) struct LateOptions {
    /// The id of the deposit to book. Without an id the command lists all such deposits.
    id: Option<String>,

    /// Give the sats to the user with this email.
    #[arg(long, requires = "id", value_name = "EMAIL")]
    user: Option<String>,

    /// Keep the sats, because you pay the person in another way. They then count as yours.
    #[arg(long, requires = "id", conflicts_with = "user")]
    own: bool,

    /// The reason, for the record.
    #[arg(long, requires = "id")]
    reason: Option<String>,
}

/// Lists the late deposits, or books one.
pub(crate) fn run(database_url: &str, options: LateOptions) -> Result<(), Failure> {
    let database = Database::open_existing(database_url)?;
    let app = wiring::app(&database, Rules::default());
    match options.id.clone() {
        Some(id) => book(&app, &id, options),
        None => list(&app),
    }
}

fn list(app: &App) -> Result<(), Failure> {
    let late = app.late_deposits()?;
    if late.is_empty() {
        commands::say("No deposit has arrived for a deleted user.");
    }
    late.iter().for_each(|one| commands::say(&line(one)));
    Ok(())
}

fn line(late: &LateDeposit) -> String {
    let LateDeposit { id, user, amount, paid_at, booked_at } = late;
    let state = booked_at.map_or_else(|| "NOT BOOKED".to_owned(), |at| format!("booked at {at}"));
    format!("{id}  {:>11} sats  {paid_at}  {}  {state}", amount.get(), name_of_deleted(*user))
}

fn book(app: &App, id: &str, LateOptions { user, own, reason, .. }: LateOptions) -> Result<(), Failure> {
    let wrong = |_| Failure::start_up(format!("{id:?} is not a deposit's id"));
    let parsed = id.parse::<DepositId>().map_err(wrong)?;
    let reason =
        reason.ok_or_else(|| Failure::start_up("a deposit is booked with --reason TEXT, for the record"))?;
    System::new().block_on(async {
        let to = match &user {
            Some(email) => Some(app.user_of_email(email).await?.ok_or_else(|| commands::no_user(email))?),
            None if own => None,
            None => return Err(Failure::start_up("say who gets the sats: --user EMAIL, or --own")),
        };
        let booked = app.book_late_deposit(parsed, to, reason).await;
        let amount = booked.map_err(|error| Failure::answer(format!("{id}: {error}")))?;
        let whose = user.unwrap_or_else(|| "the operator".to_owned());
        commands::say(&format!("{} sats of deposit {id} now belong to {whose}.", amount.grouped()));
        Ok(())
    })
}
