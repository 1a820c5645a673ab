//! `bolts mail test`: sends a mail, to check the options of the relay.

use actix_web::rt::System;
use bolts_ports::{Mail, Mailer};
use bolts_usecases::delivery::test_letter;

use crate::config::MailAction;
use crate::environment::TimeOrderedIds;
use crate::{Failure, commands};

/// Sends a mail to the address, and says what the relay answered.
pub(crate) fn run(action: MailAction) -> Result<(), Failure> {
    let MailAction::Test { address, mail } = action;
    let relay = mail.relay()?.ok_or_else(|| Failure::start_up("--smtp-url is not set"))?;
    let name = format!("test.{:032x}", bolts_ports::Ids::next(&TimeOrderedIds));
    let mail = Mail { name, to: address.clone(), letter: test_letter(None), unsubscribe: None };
    let sent = System::new().block_on(async {
        let sent = relay.send(mail).await;
        relay.close().await;
        sent
    });
    sent.map_err(|why| Failure::answer(format!("{}: {why}", relay.describe())))?;
    commands::say(&format!("The relay {} has taken a mail to {address}.", relay.describe()));
    Ok(())
}
