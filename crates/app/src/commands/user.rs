//! `bolts user`: removes a user's second factors.

use actix_web::rt::System;
use bolts_usecases::Rules;

use crate::config::UserAction;
use crate::store::Database;
use crate::{Failure, commands, wiring};

/// Acts on a user. A running server applies the change at once.
pub(crate) fn run(database_url: &str, action: &UserAction) -> Result<(), Failure> {
    let database = Database::open_existing(database_url)?;
    match action {
        UserAction::ResetSecondFactor { email } => reset(&database, email),
    }
}

fn reset(database: &Database, email: &str) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    let user = System::new().block_on(app.reset_second_factors(email));
    if user?.is_none() {
        return Err(commands::no_user(email));
    }
    commands::say(&format!(
        "{email} has no second factor any more. All sessions have ended, and the user can neither withdraw nor stake sats \
         for 24 hours."
    ));
    Ok(())
}
