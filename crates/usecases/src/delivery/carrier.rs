//! What differs from channel to channel: the port, and the form of its messages.

use std::sync::Arc;

use bolts_delivery::Channel;
use bolts_ports::{Event, Mail, Mailer, PushMessage, Pusher, TRACED, Undelivered, Webhooks};
use tracing::field::Empty;
use tracing::{Instrument, debug_span};

use super::letters::Site;

/// A channel with the port that sends on it.
#[derive(Clone)]
pub(super) enum Carrier {
    Mails(Arc<dyn Mailer>, Arc<Site>),
    Pushes(Arc<dyn Pusher>),
    Webhooks(Arc<dyn Webhooks>),
}

/// A message in the form of its channel.
#[derive(Clone, Debug)]
pub(super) enum Message {
    Mail(Mail),
    Push(PushMessage),
    Event(Event),
}

impl Message {
    /// The address of the recipient. The log must not have it.
    pub(super) fn to(&self) -> &str {
        match self {
            Self::Mail(mail) => &mail.to,
            Self::Push(message) => &message.endpoint,
            Self::Event(event) => &event.url,
        }
    }
}

impl Carrier {
    pub(super) const fn channel(&self) -> Channel {
        match self {
            Self::Mails(..) => Channel::Email,
            Self::Pushes(_) => Channel::Push,
            Self::Webhooks(_) => Channel::Webhook,
        }
    }

    /// Whether all messages go to one server of the operator. Otherwise each destination has a server of its own.
    pub(super) const fn has_one_server(&self) -> bool {
        match self {
            Self::Mails(..) => true,
            Self::Pushes(_) | Self::Webhooks(_) => false,
        }
    }

    /// The maximum number of messages that are being sent at once.
    pub(super) const fn at_once(&self) -> usize {
        if self.has_one_server() { 4 } else { 64 }
    }

    /// Sends a message. The span of a trace names the channel, and nothing of the message.
    pub(super) async fn send(&self, message: Message) -> Result<(), Undelivered> {
        let channel = self.channel().as_str();
        let span = debug_span!(
            target: TRACED,
            "send",
            otel.name = format_args!("send {channel}"),
            otel.kind = "client",
            otel.status_code = Empty,
            delivery.channel = channel,
        );
        let sent = self.hand_over(message).instrument(span.clone()).await;
        if sent.is_err() {
            span.record("otel.status_code", "ERROR");
        }
        sent
    }

    async fn hand_over(&self, message: Message) -> Result<(), Undelivered> {
        match (self, message) {
            (Self::Mails(mailer, _), Message::Mail(mail)) => mailer.send(mail).await,
            (Self::Pushes(pusher), Message::Push(message)) => pusher.send(message).await,
            (Self::Webhooks(webhooks), Message::Event(event)) => webhooks.send(event).await,
            (Self::Mails(..) | Self::Pushes(_) | Self::Webhooks(_), _) => {
                Err(Undelivered::Refused("a message of another channel".to_owned()))
            }
        }
    }
}
