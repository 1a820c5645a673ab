use bolts_bets::{Bet, ShareToken, Text};
use bolts_kernel::{FieldError, PictureId, Timestamp};
use bolts_messages::{Picture, check_attach, check_upload};
use bolts_ports::{BetKey, CleanPicture, CleaningFailed, Lane, StoreError, Tx, submit_for};

use super::{MessageError, On, lock_seen};
use crate::accounts::require_here;
use crate::{Actor, App, Hourly, Reply};

/// An uploaded file that may be a picture.
#[derive(Clone, Debug)]
pub struct NewPicture {
    /// The file, at most `MAX_PICTURE_BYTES` long.
    pub file: Vec<u8>,
    /// The alternative text, which has passed `bolts_messages::alternative_text`.
    pub alt: Text,
}

impl App {
    /// The picture with this id, if the viewer may see its bet. Before a message attaches the picture, only its author
    /// sees it. Blocks on the database.
    pub fn see_picture(
        &self,
        id: PictureId,
        viewer: Option<Actor>,
        token: Option<&ShareToken>,
    ) -> Result<Option<Picture>, StoreError> {
        let is_author = |picture: &Picture| viewer.is_some_and(|actor| actor.user == picture.author);
        let picture = self.queries.picture(id)?.filter(|one| one.message.is_some() || is_author(one));
        let Some(picture) = picture else { return Ok(None) };
        let seen = self.see_bet(&BetKey::Id(picture.bet), viewer, token)?;
        Ok(seen.map(|_| picture))
    }

    /// Checks, before the file arrives, that a user who sees the bet may upload pictures to it. So a user without
    /// this right cannot make the server wait for a file. It reads nothing, and [`Self::upload_picture`] checks all of it again.
    ///
    /// # Errors
    /// The user may not attach pictures, or this process knows that the user has reached the hourly limit.
    pub fn check_upload_begins(&self, actor: Actor, bet: &Bet) -> Result<(), MessageError> {
        check_attach(bet, actor.user)?;
        let limit = self.limits.reached(actor.user, Hourly::Pictures, self.now());
        limit.map_or(Ok(()), |limit| Err(limit.into()))
    }

    /// Stores a picture, encoded anew, until its author attaches it to a message on the bet.
    pub async fn upload_picture(
        &self,
        actor: Actor,
        on: On,
        new: NewPicture,
    ) -> Result<Picture, MessageError> {
        // The limits come first, because decoding a picture is expensive. So a file that is no picture also counts.
        self.admit_picture(actor, on.clone()).await?;
        let cleaned = self.environment.pictures.clean(Lane::User(actor.user), new.file).await;
        let cleaned = cleaned.map_err(|error| match error {
            CleaningFailed::Bad(bad) => MessageError::Invalid(FieldError::new("picture", bad.to_string())),
            CleaningFailed::Busy(busy) => busy.into(),
        })?;
        self.store_picture(actor, on, cleaned, new.alt).await
    }

    /// Deletes a picture of the user that no message has. The picture takes no place on its bet any more.
    pub async fn delete_picture(&self, actor: Actor, id: PictureId) -> Result<(), MessageError> {
        // A message may attach the picture at the same time. The lock makes one of the two wait for the other.
        submit_for(&*self.store, Lane::User(actor.user), move |tx| {
            let picture = tx.messages().lock_picture(id)?.filter(|picture| picture.author == actor.user);
            picture.ok_or(MessageError::PictureNotFound)?.check_delete()?;
            Ok(tx.messages().delete_picture(id)?)
        })
        .await
    }

    async fn admit_picture(&self, actor: Actor, on: On) -> Result<(), MessageError> {
        let attempt = self.past_deadlines(MessageError::overdue, async || {
            let (on, now, rules) = (on.clone(), self.now(), self.rules);
            submit_for(&*self.store, Lane::User(actor.user), move |tx| {
                check(tx, actor, &on, now)?;
                Ok::<_, MessageError>(Reply::Done(Hourly::Pictures.count(tx, actor.user, rules, now)??))
            })
            .await
        });
        self.within_hourly(actor.user, Hourly::Pictures, None, MessageError::hourly_limit, attempt)
            .await
            .map(drop)
    }

    async fn store_picture(
        &self,
        actor: Actor,
        on: On,
        cleaned: CleanPicture,
        alt: Text,
    ) -> Result<Picture, MessageError> {
        let id = self.id::<PictureId>();
        let cleaned = std::sync::Arc::new(cleaned);
        self.past_deadlines(MessageError::overdue, async || {
            let (on, cleaned, alt, now) = (on.clone(), cleaned.clone(), alt.clone(), self.now());
            submit_for(&*self.store, Lane::User(actor.user), move |tx| {
                require_here(tx, actor.user)?;
                let bet = check(tx, actor, &on, now)?;
                let picture = Picture {
                    id,
                    bet: bet.id,
                    author: actor.user,
                    message: None,
                    format: cleaned.format,
                    width: cleaned.width,
                    height: cleaned.height,
                    alt: alt.clone(),
                    created_at: now,
                };
                tx.messages().insert_picture(&picture, &cleaned.bytes)?;
                Ok(picture)
            })
            .await
        })
        .await
    }
}

/// Locks the bet, and checks that the user may upload one more picture to it.
fn check(tx: &mut dyn Tx, actor: Actor, on: &On, now: Timestamp) -> Result<Bet, MessageError> {
    let bet = lock_seen(tx, on, actor, now)?;
    let uploads = tx.messages().uploads(bet.id, actor.user)?;
    check_upload(&bet, actor.user, uploads)?;
    Ok(bet)
}
