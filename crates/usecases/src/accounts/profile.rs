//! The names of a user.

use bolts_bets::Text;
use bolts_kernel::{Code, FieldError, UserId};
use bolts_ports::{Lane, Profile, StoreError, UserView, submit_for};

use super::require_here;
use crate::{App, Refused};

/// The names of a user as the user typed them.
#[derive(Clone, Debug, Default)]
pub struct ProfileDraft {
    /// The username: 3 to 20 letters, digits and underscores.
    pub username: String,
    /// The first name: at most 50 characters. Empty means no first name.
    pub first_name: String,
    /// The last name: at most 50 characters. Empty means no last name.
    pub last_name: String,
}

/// The reason why a profile was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// Some names are not valid.
    #[error("Some fields need another look.")]
    Invalid(Vec<FieldError>),
    /// Another user has this username. Upper and lower case count as the same.
    #[error("This username is already taken.")]
    UsernameTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ProfileError> for Refused {
    fn from(error: ProfileError) -> Self {
        let detail = error.to_string();
        match error {
            ProfileError::Invalid(errors) => Self::invalid(errors),
            ProfileError::UsernameTaken => Self::new(Code::UsernameTaken, detail).on("username"),
            ProfileError::Store(error) => error.into(),
        }
    }
}

job_error!(ProfileError);

impl ProfileDraft {
    /// Checks the names (`docs/product.md#limits`).
    ///
    /// # Errors
    /// One error for each field that is not valid.
    pub fn judge(&self) -> Result<Profile, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut keep = |judged: Result<Option<String>, FieldError>| {
            judged.map_err(|error| errors.push(error)).ok().flatten()
        };
        let username = keep(username(&self.username).map(Some));
        let first_name = keep(name("firstName", "First name", &self.first_name));
        let last_name = keep(name("lastName", "Last name", &self.last_name));
        match username {
            Some(username) if errors.is_empty() => Ok(Profile { username, first_name, last_name }),
            Some(_) | None => Err(errors),
        }
    }
}

fn username(text: &str) -> Result<String, FieldError> {
    let text = text.trim();
    let message = if text.chars().count() < 3 {
        "Username must be at least 3 characters"
    } else if text.chars().count() > 20 {
        "Username must be less than 20 characters"
    } else if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Ok(text.to_owned());
    } else {
        "Username can only contain letters, numbers, and underscores"
    };
    Err(FieldError::new("username", message))
}

fn name(field: &'static str, label: &str, text: &str) -> Result<Option<String>, FieldError> {
    let text = Text::parse_line(field, label, text, 0..=50)?;
    Ok((!text.is_empty()).then(|| text.to_string()))
}

impl App {
    /// Sets the names of the user.
    pub async fn set_profile(&self, user: UserId, draft: &ProfileDraft) -> Result<UserView, ProfileError> {
        let profile = draft.judge().map_err(ProfileError::Invalid)?;
        submit_for(&*self.store, Lane::User(user), move |tx| {
            require_here(tx, user)?;
            if !tx.users().set_profile(user, &profile)? {
                return Err(ProfileError::UsernameTaken);
            }
            let view = tx.users().view(user)?;
            view.ok_or_else(|| StoreError::Broken(format!("user {user} vanished")).into())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(username: &str, first_name: &str) -> ProfileDraft {
        ProfileDraft {
            username: username.to_owned(),
            first_name: first_name.to_owned(),
            ..Default::default()
        }
    }

    #[test]
    fn names_are_checked_against_their_limits() {
        let profile = draft(" Ann_1 ", " Ann ").judge().unwrap();
        assert_eq!(
            (profile.username.as_str(), profile.first_name.as_deref(), profile.last_name),
            ("Ann_1", Some("Ann"), None)
        );
        for (username, message) in [
            ("ab", "Username must be at least 3 characters"),
            ("a23456789012345678901", "Username must be less than 20 characters"),
            ("ann-1", "Username can only contain letters, numbers, and underscores"),
            ("änn", "Username can only contain letters, numbers, and underscores"),
        ] {
            assert_eq!(draft(username, "").judge().unwrap_err(), [FieldError::new("username", message)]);
        }
        assert!(draft("a2345678901234567890", &"é".repeat(50)).judge().is_ok());
        let long = draft("ann_1", &"é".repeat(51)).judge().unwrap_err();
        assert_eq!(long.iter().map(|error| error.field).collect::<Vec<_>>(), ["firstName"]);
        let both = draft("x", &"é".repeat(51)).judge().unwrap_err();
        assert_eq!(both.iter().map(|error| error.field).collect::<Vec<_>>(), ["username", "firstName"]);
    }
}
