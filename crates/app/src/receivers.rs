//! The options of messages to servers that users name: webhooks, and the push services of browsers.

use std::sync::Arc;

use bolts_hooks::{BadOption, EncryptedPushes, PushKey, ReceiverOptions, SignedWebhooks};
use bolts_ports::{Pusher, Webhooks};
use clap::Args;

use crate::Failure;
use crate::environment::SystemClock;

/// The servers of users.
#[derive(Args)]
pub(crate) struct ReceiversOptions {
    /// Also send to webhooks and push services on private networks, and over http. Use this only on a private network: users could make the
    /// server send requests behind its firewall.
    #[arg(long, env = "BOLTS_WEBHOOK_ALLOW_PRIVATE")]
    webhook_allow_private: bool,
}

impl ReceiversOptions {
    /// Whether webhooks and push services may be on private networks.
    pub(crate) const fn allow_private(&self) -> bool {
        self.webhook_allow_private
    }

    /// The adapter that sends to webhooks.
    pub(crate) fn webhooks(&self) -> Result<Arc<dyn Webhooks>, Failure> {
        let webhooks = SignedWebhooks::new(self.receiver(), Arc::new(SystemClock));
        Ok(Arc::new(webhooks.map_err(unusable)?))
    }

    /// The adapter that sends push messages, signed with this key. Push services learn the site's public address, if browsers
    /// reach it on https.
    pub(crate) fn pusher(&self, key: PushKey, origin: Option<String>) -> Result<Arc<dyn Pusher>, Failure> {
        let contact = origin.filter(|origin| origin.starts_with("https://"));
        let clock = Arc::new(SystemClock);
        let pusher = EncryptedPushes::new(self.receiver(), clock, Arc::new(key), contact);
        Ok(Arc::new(pusher.map_err(unusable)?))
    }

    fn receiver(&self) -> ReceiverOptions {
        ReceiverOptions { allow_private: self.webhook_allow_private, ..Default::default() }
    }
}

fn unusable(error: BadOption) -> Failure {
    Failure::start_up(error.to_string())
}
