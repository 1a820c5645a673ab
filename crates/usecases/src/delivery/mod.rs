//! Everything that leaves the site: the worker that sends it, and the content of mails and push messages.

mod carrier;
mod courier;
mod drain;
mod events;
mod letters;
mod lifetime;
mod plan;
mod pushes;
mod servers;
mod texts;
pub(crate) mod tokens;
mod unsubscribe;

pub use courier::{Courier, Route};
pub(crate) use events::TEST as TEST_EVENT;
pub use unsubscribe::{LONGEST_TOKEN, Stopped, UnsubscribeError};

use bolts_ports::{Letter, StoreError, submit};

use crate::App;
use crate::secret::random_text;

/// The setting with the key that signs the links that unsubscribe.
const KEY: &str = "mail_key";

impl App {
    /// The key that signs the links that unsubscribe. The first process creates it, so that all processes share it. Each
    /// process reads it once, so that a stranger's request with a wrong token submits no job.
    pub(crate) async fn mail_key(&self) -> Result<String, StoreError> {
        if let Some(key) = self.mail_key.get() {
            return Ok(key.clone());
        }
        let fresh = random_text::<32>(&*self.environment.random);
        let key = submit(&*self.store, move |tx| tx.settings().put_first(KEY, &fresh)).await?;
        Ok(self.mail_key.get_or_init(|| key).clone())
    }
}

/// The mail of `bolts mail test`.
pub fn test_letter(origin: Option<&str>) -> Letter {
    letters::test(origin)
}
