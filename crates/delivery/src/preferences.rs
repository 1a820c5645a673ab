use std::collections::BTreeMap;

use bolts_kernel::TimeZone;
use serde::{Deserialize, Serialize};

use crate::{Channel, Digest, Topic};

/// The channels by which a user gets the notifications of a topic at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wants {
    /// By e-mail.
    pub email: bool,
    /// By web push.
    pub push: bool,
    /// By the user's webhook.
    pub webhook: bool,
}

impl Wants {
    /// The channels of a topic for a user who has chosen nothing.
    pub const fn at_first(topic: Topic) -> Self {
        Self {
            email: topic.is_on_at_first(Channel::Email),
            push: topic.is_on_at_first(Channel::Push),
            webhook: topic.is_on_at_first(Channel::Webhook),
        }
    }

    /// Whether this channel is on.
    pub const fn has(self, channel: Channel) -> bool {
        match channel {
            Channel::Email => self.email,
            Channel::Push => self.push,
            Channel::Webhook => self.webhook,
        }
    }

    fn channel(&mut self, channel: Channel) -> &mut bool {
        match channel {
            Channel::Email => &mut self.email,
            Channel::Push => &mut self.push,
            Channel::Webhook => &mut self.webhook,
        }
    }
}

/// The choices of a user about notifications outside of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    /// The user's choices. A topic without an entry has the channels of [`Wants::at_first`].
    chosen: BTreeMap<Topic, Wants>,
    /// How often the digest comes.
    pub digest: Digest,
    /// The time zone of the digest.
    pub time_zone: TimeZone,
    /// Whether mails may contain the titles of private bets.
    pub shows_private_titles: bool,
}

impl Preferences {
    /// The channels of this topic.
    pub fn wants(&self, topic: Topic) -> Wants {
        self.chosen.get(&topic).copied().unwrap_or_else(|| Wants::at_first(topic))
    }

    /// Chooses the channels of a topic. A channel that cannot be turned off stays on.
    pub fn choose(&mut self, topic: Topic, mut wants: Wants) {
        for channel in Channel::ALL {
            *wants.channel(channel) |= !topic.can_be_turned_off(channel);
        }
        self.chosen.insert(topic, wants);
    }

    /// Turns a topic off on one channel, if this is allowed.
    pub fn turn_off(&mut self, topic: Topic, channel: Channel) {
        let mut wants = self.wants(topic);
        *wants.channel(channel) = false;
        self.choose(topic, wants);
    }

    /// The user's choices by the names of the topics, as the database stores them.
    pub fn stored(&self) -> BTreeMap<String, Wants> {
        self.chosen.iter().map(|(topic, wants)| (topic.as_str().to_owned(), *wants)).collect()
    }

    /// Reads the output of [`Preferences::stored`]. Topics that this version does not have are ignored.
    #[must_use]
    pub fn with_stored(mut self, stored: BTreeMap<String, Wants>) -> Self {
        for (name, wants) in stored {
            if let Some(topic) = Topic::parse(&name) {
                self.choose(topic, wants);
            }
        }
        self
    }
}
