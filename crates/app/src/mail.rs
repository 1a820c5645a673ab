//! The options of mails.

use std::path::PathBuf;
use std::sync::Arc;

use bolts_mail::{Smtp, SmtpOptions};
use clap::Args;

use crate::Failure;

/// The relay for mails.
#[derive(Args)]
pub(crate) struct MailOptions {
    /// The relay for mails: smtps://user:password@host:465, or smtp://user:password@host:587 with STARTTLS. Without it the
    /// site sends no mails, and the pages offer nothing that needs them.
    #[arg(long, env = "BOLTS_SMTP_URL", hide_env_values = true)]
    smtp_url: Option<String>,

    /// The sender of the mails, such as 'Bolts <bolts@example.com>'.
    #[arg(long, env = "BOLTS_MAIL_FROM")]
    mail_from: Option<String>,

    /// A PEM file with a certificate authority that is trusted for the relay, in addition to the public ones.
    #[arg(long, env = "BOLTS_SMTP_CA", value_name = "FILE")]
    smtp_ca: Option<PathBuf>,
}

impl MailOptions {
    /// The relay, if the options name one.
    ///
    /// # Errors
    /// An option is wrong, or the sender is missing. clap cannot check that the sender is there: for clap, a value of the
    /// configuration file or of a credential is a default, and it sees relations only between flags and variables.
    pub(crate) fn relay(&self) -> Result<Option<Arc<Smtp>>, Failure> {
        let Some(url) = &self.smtp_url else { return Ok(None) };
        let lacks_sender = || Failure::start_up("--smtp-url needs --mail-from, the sender of the mails");
        let from = self.mail_from.as_ref().ok_or_else(lacks_sender)?;
        let authority = self.smtp_ca.as_ref().map(|file| {
            std::fs::read(file)
                .map_err(|error| Failure::start_up(format!("cannot read {}: {error}", file.display())))
        });
        let bad = |error: bolts_mail::BadOptions| Failure::start_up(error.to_string());
        let options = SmtpOptions::parse(url, from, authority.transpose()?).map_err(bad)?;
        Ok(Some(Arc::new(Smtp::new(options).map_err(bad)?)))
    }

    /// Whether the options name a relay.
    pub(crate) fn is_set(&self) -> bool {
        self.smtp_url.is_some()
    }
}
