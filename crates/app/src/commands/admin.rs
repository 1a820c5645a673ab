//! `bolts admin`: grants, revokes and lists admins.

use actix_web::rt::System;
use bolts_usecases::Rules;

use crate::config::AdminAction;
use crate::store::Database;
use crate::{Failure, commands, wiring};

/// Grants, revokes or lists admins. A running server applies the change at once.
pub(crate) fn run(database_url: &str, action: AdminAction) -> Result<(), Failure> {
    let database = Database::open_existing(database_url)?;
    match action {
        AdminAction::Grant { email } => set(&database, &email, true),
        AdminAction::Revoke { email } => set(&database, &email, false),
        AdminAction::List => list(&database),
    }
}

fn set(database: &Database, email: &str, is_admin: bool) -> Result<(), Failure> {
    let app = wiring::app(database, Rules::default());
    let user = System::new().block_on(app.set_admin(email, is_admin));
    match user? {
        Some(_) if is_admin => commands::say(&format!("{email} is an admin now.")),
        Some(_) => commands::say(&format!("{email} is no admin any more.")),
        None => return Err(commands::no_user(email)),
    }
    Ok(())
}

fn list(database: &Database) -> Result<(), Failure> {
    for admin in database.queries().admins()? {
        commands::say(&admin.email);
    }
    Ok(())
}
