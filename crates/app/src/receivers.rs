//! The options of messages to servers that users name.

use std::sync::Arc;

use bolts_hooks::{ReceiverOptions, SignedWebhooks};
use bolts_ports::Webhooks;
use clap::Args;

use crate::Failure;
use crate::environment::SystemClock;

/// The servers of users.
#[derive(Args)]
pub(crate) struct ReceiversOptions {
    /// Also send to webhooks on private networks, and over http. Use this only on a private network: users could make the
    /// server send requests behind its firewall.
    #[arg(long, env = "BOLTS_WEBHOOK_ALLOW_PRIVATE")]
    webhook_allow_private: bool,
}

impl ReceiversOptions {
    /// Whether webhooks may be on private networks.
    pub(crate) const fn allow_private(&self) -> bool {
        self.webhook_allow_private
    }

    /// The adapter that sends to webhooks.
    pub(crate) fn webhooks(&self) -> Result<Arc<dyn Webhooks>, Failure> {
        let options = ReceiverOptions { allow_private: self.webhook_allow_private, ..Default::default() };
        let webhooks = SignedWebhooks::new(options, Arc::new(SystemClock));
        Ok(Arc::new(webhooks.map_err(|error| Failure::start_up(error.to_string()))?))
    }
}
