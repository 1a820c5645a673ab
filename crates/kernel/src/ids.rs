//! Ids. Each kind of id has its own type, so the id of a user cannot be used as the id of a bet.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

/// The text is not an id. An id has 32 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an id")]
pub struct IdError;

macro_rules! id_types {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// Users cannot read anything from an id. An id begins with the time of its creation, so a newer id
        /// sorts after an older one.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(Uuid);

        /// Converts a number from the port `Ids` to a typed id.
        impl From<u128> for $name {
            fn from(number: u128) -> Self {
                Self(Uuid::from_u128(number))
            }
        }

        impl $name {
            /// The id as 16 bytes.
            pub fn to_bytes(self) -> [u8; 16] {
                self.0.into_bytes()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self.0.as_simple(), f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0.as_simple())
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                // `parse` accepts only the form that `Display` writes, so an id has exactly one spelling.
                let lower_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                if text.len() != 32 || !text.bytes().all(lower_hex) {
                    return Err(IdError);
                }
                Uuid::try_parse(text).map(Self).map_err(|_| IdError)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.as_simple().encode_lower(&mut [0; 32]))
            }
        }
    )*};
}

id_types! {
    /// The id of a user.
    UserId,
    /// The id of a bet.
    BetId,
    /// The id of a proposed outcome. A user's answer to a proposal contains this id, so the answer cannot apply to a
    /// newer proposal by mistake.
    ProposalId,
    /// The id of a session, for lists and logs. This id is not the secret in the session cookie.
    SessionId,
    /// The id of a notification.
    NotificationId,
    /// The id of one action that moves money. All transfers of this action share the id.
    OperationId,
    /// The id of a deposit over Lightning.
    DepositId,
    /// The id of a withdrawal over Lightning.
    WithdrawalId,
    /// The id of a message on a bet.
    MessageId,
    /// The id of a picture in a message.
    PictureId,
    /// The id of a destination of notifications.
    DestinationId,
    /// The id of a passkey. This id is not the credential id, which the authenticator chooses.
    PasskeyId,
    /// The id of an API key, for lists. This id is not the key.
    ApiKeyId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        let id = UserId::from(0xabc);
        let text = id.to_string();
        assert_eq!(text, "00000000000000000000000000000abc");
        assert_eq!(text.parse(), Ok(id));
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{text}\""));
        for other in ["", "abc", "00000000000000000000000000000ABC", "00000000-0000-0000-0000-000000000abc"] {
            assert_eq!(other.parse::<UserId>(), Err(IdError), "{other}");
        }
    }

    #[test]
    fn ids_sort_like_their_texts() {
        let (a, b) = (BetId::from(9), BetId::from(10));
        assert!(a < b && a.to_string() < b.to_string());
    }
}
