//! The choices of a user about notifications outside of the site.

use std::sync::Arc;

use bolts_delivery::Preferences;
use bolts_kernel::UserId;
use bolts_ports::{Destination, Ids, Lane, Secret, StoreError, Tx, submit_for};

use super::webhook::{WebhookError, WebhookState, put, remove};
use crate::App;
use crate::accounts::require_here;

/// What a change of the choices does with the user's webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WebhookChoice {
    /// The webhook stays as it is.
    #[default]
    Keep,
    /// The user has no webhook any more.
    Remove,
    /// The webhook has this address. If it has this address already, nothing changes, so its secret stays valid.
    At(String),
}

/// The choices of a user after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The choices for each kind and channel.
    pub preferences: Preferences,
    /// The user's webhook.
    pub webhook: Option<WebhookState>,
    /// The secret of the webhook, if the change made a new one.
    pub secret: Option<Secret>,
}

/// The webhook that a change may need. `new` is an error if its address cannot be a webhook.
#[derive(Clone)]
enum Wanted {
    Keep,
    Remove,
    At { typed: String, new: Box<Result<(Destination, Secret), WebhookError>> },
}

impl Wanted {
    /// Carries out the choice. Returns the user's webhook, and its secret if it is new.
    fn apply(
        &self,
        tx: &mut dyn Tx,
        user: UserId,
        ids: &Arc<dyn Ids>,
    ) -> Result<(Option<Destination>, Option<Secret>), WebhookError> {
        let (typed, new) = match self {
            Self::Keep => return Ok((tx.contacts().webhook_of(user)?, None)),
            Self::Remove => return Ok(remove(tx, user).map(|_| (None, None))?),
            Self::At { typed, new } => (typed, new),
        };
        let address = new.as_ref().as_ref().map_or(typed, |(new, _)| &new.address);
        // An address that is stored already is not judged again: the operator's rules may be stricter now.
        let known = tx.contacts().webhook_of(user)?;
        if let Some(known) = known.filter(|known| known.address == *typed || known.address == *address) {
            return Ok((Some(known), None));
        }
        let (new, secret) = (**new).clone()?;
        put(tx, &new, ids)?;
        Ok((Some(new), Some(secret)))
    }
}

/// Changes the user's choices in a job, and returns them.
pub(crate) fn change_of_preferences(
    tx: &mut dyn Tx,
    user: UserId,
    change: &mut impl FnMut(&mut Preferences),
) -> Result<Preferences, StoreError> {
    require_here(tx, user)?;
    let mut preferences = tx.contacts().preferences(user)?;
    change(&mut preferences);
    tx.contacts().set_preferences(user, &preferences)?;
    Ok(preferences)
}

impl App {
    /// Changes the user's choices and the webhook together: either all of it, or nothing. Two changes at once take turns,
    /// so that both have an effect.
    pub async fn change_choices(
        &self,
        user: UserId,
        webhook: WebhookChoice,
        mut change: impl FnMut(&mut Preferences) + Send + 'static,
    ) -> Result<Choices, WebhookError> {
        let wanted = match webhook {
            WebhookChoice::Keep => Wanted::Keep,
            WebhookChoice::Remove => Wanted::Remove,
            WebhookChoice::At(url) => {
                let typed = url.trim().to_owned();
                Wanted::At { new: Box::new(self.new_webhook(user, &typed)), typed }
            }
        };
        let ids = self.environment.ids.clone();
        submit_for(&*self.store, Lane::User(user), move |tx| {
            // The choices are locked first, so that two changes to the same address make one secret.
            let preferences = change_of_preferences(tx, user, &mut change)?;
            let (webhook, secret) = wanted.apply(tx, user, &ids)?;
            Ok(Choices { preferences, webhook: webhook.map(WebhookState::from), secret })
        })
        .await
    }
}
