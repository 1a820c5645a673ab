//! Links that unsubscribe without a sign-in (RFC 8058). A link is signed and works for one user and one topic. It never
//! expires, because old mails stay in mailboxes.

use std::net::IpAddr;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_delivery::{Channel, Digest, Preferences, Topic};
use bolts_kernel::{Code, UserId};
use bolts_ports::{Lane, Network, StoreError, submit_for};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::accounts::{TooMany, count_network};
use crate::notifications::change_of_preferences;
use crate::{App, Refused};

/// The maximum length of a token. A longer one is not looked at.
pub const LONGEST_TOKEN: usize = 200;

/// The maximum number of unsubscriptions from a network within a minute. A mail provider may send the requests of many readers.
const PER_MINUTE: u32 = 300;

/// What a link stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The mails about a topic. Its notifications come in the digest from then on.
    Topic(Topic),
    /// The digest.
    Digest,
}

const DIGEST: &str = "digest";

impl What {
    fn stop(self, preferences: &mut Preferences) {
        match self {
            Self::Topic(topic) => preferences.turn_off(topic, Channel::Email),
            Self::Digest => preferences.digest = Digest::Off,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Topic(topic) => topic.as_str(),
            Self::Digest => DIGEST,
        }
    }

    fn parse(name: &str) -> Option<Self> {
        if name == DIGEST { Some(Self::Digest) } else { Topic::parse(name).map(Self::Topic) }
    }
}

/// The result of an unsubscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Mails about this topic have stopped.
    Topic(Topic),
    /// The digest has stopped.
    Digest,
}

/// The reason why a link did not unsubscribe.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsubscribeError {
    /// The link was not made by this site.
    #[error("This link is not valid. You can choose your mails in your account.")]
    Invalid,
    /// There were too many unsubscriptions from the network.
    #[error(transparent)]
    TooMany(#[from] TooMany),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<UnsubscribeError> for Refused {
    fn from(error: UnsubscribeError) -> Self {
        match error {
            UnsubscribeError::Invalid => Self::new(Code::NotFound, error.to_string()),
            UnsubscribeError::TooMany(error) => error.into(),
            UnsubscribeError::Store(error) => error.into(),
        }
    }
}

job_error!(UnsubscribeError);

fn mac(key: &str, signed: &str) -> Hmac<Sha256> {
    // A key of any length is valid.
    let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(key.as_bytes()).expect("any key fits");
    mac.update(b"unsubscribe ");
    mac.update(signed.as_bytes());
    mac
}

/// The token of a link.
pub(super) fn signed(key: &str, user: UserId, what: What) -> String {
    let content = format!("{user}.{}", what.name());
    let signature = URL_SAFE_NO_PAD.encode(mac(key, &content).finalize().into_bytes());
    format!("{content}.{signature}")
}

/// The content of a token, if this site signed it.
fn verified(key: &str, token: &str) -> Option<(UserId, What)> {
    if token.len() > LONGEST_TOKEN {
        return None;
    }
    let (content, signature) = token.rsplit_once('.')?;
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    mac(key, content).verify_slice(&signature).ok()?;
    let (user, what) = content.split_once('.')?;
    Some((user.parse().ok()?, What::parse(what)?))
}

impl App {
    /// Stops the mails that the link names. A repeat changes nothing. The job waits in the lane of the network: anybody with the
    /// mail may send the request.
    pub async fn unsubscribe(&self, token: &str, from: IpAddr) -> Result<Stopped, UnsubscribeError> {
        let key = self.mail_key().await?;
        let (user, what) = verified(&key, token).ok_or(UnsubscribeError::Invalid)?;
        let (now, network) = (self.now(), Network::of(from));
        let changed = submit_for(&*self.store, Lane::visitor(from), move |tx| {
            count_network(tx, "unsubscribe", network, PER_MINUTE, Duration::from_mins(1), now)??;
            change_of_preferences(tx, user, &mut |own: &mut Preferences| what.stop(own))?;
            Ok::<_, UnsubscribeError>(())
        });
        // A deleted account gets no mails.
        if let Err(error) = changed.await
            && error != UnsubscribeError::Store(StoreError::UserGone)
        {
            return Err(error);
        }
        Ok(match what {
            What::Topic(topic) => Stopped::Topic(topic),
            What::Digest => Stopped::Digest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_only_as_it_was_signed() {
        let (ann, bob) = (UserId::from(1), UserId::from(2));
        let token = signed("key", ann, What::Topic(Topic::Accepted));
        assert_eq!(verified("key", &token), Some((ann, What::Topic(Topic::Accepted))));
        let signature = token.rsplit_once('.').expect("signed").1;
        for forged in [
            format!("{bob}.accepted.{signature}"),
            format!("{ann}.digest.{signature}"),
            format!("{ann}.accepted."),
            format!("{ann}.accepted.{}", &signature[..20]),
            String::new(),
            "..".to_owned(),
        ] {
            assert_eq!(verified("key", &forged), None, "{forged}");
        }
        assert_eq!(verified("another key", &token), None);
    }
}
