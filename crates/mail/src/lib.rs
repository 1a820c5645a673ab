//! The adapter that sends mails by SMTP, and the form of the mails.

mod letter;
mod options;
mod smtp;

pub use letter::{html, text};
pub use options::{BadOptions, Limits, SmtpOptions};
pub use smtp::Smtp;
