//! A message, and the rules about its deletion.

use bolts_bets::{Bet, Deletion, Text};
use bolts_kernel::{BetId, FieldError, MessageId, Timestamp, UserId};

use crate::limits::{DELETABLE_FOR, MAX_TEXT};
use crate::refusal::Refusal;
use crate::role::{Role, is_disputed};

/// A message on a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The id of the message.
    pub id: MessageId,
    /// The bet that the message belongs to.
    pub bet: BetId,
    /// The user who wrote the message.
    pub author: UserId,
    /// The text, or the deletion.
    pub content: Content,
    /// Whether a party wrote the message while the bet was in dispute.
    pub is_evidence: bool,
    /// The time at which the message was written.
    pub created_at: Timestamp,
}

/// The text of a message, or its deletion. A deleted message keeps its author and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The text.
    Text(Text),
    /// The message was deleted. Its text and its pictures are gone.
    Deleted(Deletion),
}

/// The data of a new message.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// An id that no other message has.
    pub id: MessageId,
    /// The user who writes.
    pub author: UserId,
    /// The text, which has passed [`message_text`].
    pub text: Text,
}

/// The right by which a user deletes a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeletedBy {
    /// The author.
    Author,
    /// An admin. The deletion is recorded in the list of actions of admins.
    Admin,
}

/// Checks the text of a message: 1 to 1,000 characters.
pub fn message_text(typed: &str) -> Result<Text, FieldError> {
    Text::parse("text", "Message", typed, 1..=MAX_TEXT)
}

impl Message {
    /// A new message of a user who may see the bet.
    ///
    /// # Errors
    /// [`Refusal::MayNotWrite`].
    pub fn write(new: NewMessage, bet: &Bet, now: Timestamp) -> Result<Self, Refusal> {
        let role = Role::of(bet, new.author)?;
        Ok(Self {
            id: new.id,
            bet: bet.id,
            author: new.author,
            content: Content::Text(new.text),
            is_evidence: role.writes_evidence(bet),
            created_at: now,
        })
    }

    /// The text. `None` if the message was deleted.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) => Some(text),
            Content::Deleted(_) => None,
        }
    }

    /// The time of the deletion, if the message was deleted.
    pub fn deleted_at(&self) -> Option<Timestamp> {
        match &self.content {
            Content::Text(_) => None,
            Content::Deleted(deletion) => Some(deletion.at),
        }
    }

    /// Checks that a user who may see the bet may delete the message now. Returns the user's right.
    ///
    /// # Errors
    /// The user is not the author, or the author's time is over, or the message is evidence. An admin is refused only
    /// as a party of the bet.
    pub fn check_delete(
        &self,
        bet: &Bet,
        user: UserId,
        is_admin: bool,
        now: Timestamp,
    ) -> Result<DeletedBy, Refusal> {
        let is_party = bet.party(user).is_some();
        let as_author = self.check_author(bet, user, now);
        match as_author {
            Ok(()) => Ok(DeletedBy::Author),
            Err(_) if is_admin && !is_party => Ok(DeletedBy::Admin),
            Err(Refusal::NotAllowed) if is_admin => Err(Refusal::ConflictOfInterest),
            Err(refusal) => Err(refusal),
        }
    }

    fn check_author(&self, bet: &Bet, user: UserId, now: Timestamp) -> Result<(), Refusal> {
        if user != self.author {
            Err(Refusal::NotAllowed)
        } else if self.is_evidence || (bet.party(user).is_some() && is_disputed(bet)) {
            Err(Refusal::Evidence)
        } else if now >= self.created_at.after(DELETABLE_FOR) {
            Err(Refusal::TooOld)
        } else {
            Ok(())
        }
    }

    /// The message after its deletion.
    #[must_use]
    pub fn deleted(self, user: UserId, now: Timestamp) -> Self {
        Self { content: Content::Deleted(Deletion { at: now, by: user }), ..self }
    }
}
