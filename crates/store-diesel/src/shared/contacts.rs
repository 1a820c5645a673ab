//! Destinations and preferences of users, and the tokens in mails.

use std::collections::BTreeMap;

use bolts_delivery::{Channel, Digest, Preferences, Wants};
use bolts_kernel::{DestinationId, Timestamp, UserId};
use bolts_ports::{Browser, Contacts, Destination, Purpose, Result, Secret, StoreError, Token, Tokens};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::columns::{Columns, row};
use super::rows::Cells;
use super::transaction::Transaction;
use super::{Conn, remove_some, reserve};
use crate::schema::{destinations, mail_tokens, notification_preferences, users};

row! {
    /// The columns of a destination.
    DestinationRow of "destinations" {
        {
            id: String as Text,
            user_id: String as Text,
            channel: String as Text,
            address: String as Text,
            secret: Option<String> as Nullable<Text>,
            confirmed_at: i64 as BigInt,
            stopped: Option<String> as Nullable<Text>,
            session_hash: Option<String> as Nullable<Text>,
            device: Option<String> as Nullable<Text>,
        }
    }
}

/// Converts a row.
pub(super) fn destination(row: DestinationRow) -> Result<Destination> {
    let cells = Cells { table: "destinations", id: &row.id };
    let device = row.device;
    Ok(Destination {
        id: cells.parsed("id", &row.id)?,
        user: cells.parsed("user_id", &row.user_id)?,
        channel: cells.known("channel", Channel::parse(&row.channel))?,
        address: row.address,
        secret: row.secret.map(Secret::new),
        browser: row.session_hash.map(|session| Browser { session, device }),
        confirmed_at: cells.time("confirmed_at", row.confirmed_at)?,
        stopped: row.stopped,
    })
}

/// The row of the user's only destination on this channel.
pub(super) fn single_row(
    conn: &mut Conn,
    user: UserId,
    channel: Channel,
) -> QueryResult<Option<DestinationRow>> {
    let own = destinations::table.filter(destinations::user_id.eq(user.to_string()));
    let single = own.filter(destinations::channel.eq(channel.as_str()));
    single.select(DestinationRow::columns()).get_result(conn).optional()
}

/// Removes the browser with this address from all other users. Two users who subscribe in one browser take turns.
fn take_browser(conn: &mut Conn, user: &str, address: &str) -> QueryResult<()> {
    reserve(conn, "browser", address)?;
    let browser = destinations::table.filter(destinations::channel.eq(Channel::Push.as_str()));
    let of_others = browser.filter(destinations::address.eq(address)).filter(destinations::user_id.ne(user));
    diesel::delete(of_others).execute(conn).map(drop)
}

row! {
    /// The columns of a user's preferences.
    PreferencesRow of "notification_preferences" {
        {
            chosen: String as Text,
            digest: String as Text,
            time_zone: String as Text,
            shows_private_titles: bool as Bool,
        }
    }
}

/// The row of the user's preferences.
pub(super) fn preferences_row(conn: &mut Conn, user: UserId) -> QueryResult<Option<PreferencesRow>> {
    let row = notification_preferences::table.find(user.to_string());
    row.select(PreferencesRow::columns()).get_result(conn).optional()
}

/// Converts a row. Without a row, the default. The default also replaces each value that this program does not know: another
/// version of the program has stored it. Otherwise one user's choice would keep back the deliveries of all users, because
/// one job plans many of them.
pub(super) fn preferences(user: UserId, row: Option<PreferencesRow>) -> Preferences {
    let Some(row) = row else { return Preferences::default() };
    let id = user.to_string();
    let cells = Cells { table: "notification_preferences", id: &id };
    let chosen = known(cells.known("chosen", serde_json::from_str(&row.chosen).ok()));
    let chosen: BTreeMap<String, serde_json::Value> = chosen.unwrap_or_default();
    let wants = |wants| known(cells.known("chosen", serde_json::from_value::<Wants>(wants).ok()));
    let chosen = chosen.into_iter().filter_map(|(topic, stored)| Some((topic, wants(stored)?)));
    let mut preferences = Preferences::default().with_stored(chosen.collect());
    preferences.digest = known(cells.known("digest", Digest::parse(&row.digest))).unwrap_or_default();
    preferences.time_zone = known(cells.parsed("time_zone", &row.time_zone)).unwrap_or_default();
    preferences.shows_private_titles = row.shows_private_titles;
    preferences
}

/// The choice, or `None` and a warning if this program does not know it.
fn known<T>(choice: Result<T>) -> Option<T> {
    let warn = |why: &StoreError| tracing::warn!(%why, "the default replaces a choice about notifications");
    choice.inspect_err(warn).ok()
}

impl Contacts for Transaction<'_> {
    fn destination(&mut self, id: DestinationId) -> Result<Option<Destination>> {
        let row = self.run(|conn| {
            let row = destinations::table.find(id.to_string());
            row.select(DestinationRow::columns()).get_result(conn).optional()
        })?;
        self.remember(row.map(destination).transpose())
    }

    fn email_of(&mut self, user: UserId) -> Result<Option<Destination>> {
        let row = self.run(|conn| single_row(conn, user, Channel::Email))?;
        self.remember(row.map(destination).transpose())
    }

    fn webhook_of(&mut self, user: UserId) -> Result<Option<Destination>> {
        let row = self.run(|conn| single_row(conn, user, Channel::Webhook))?;
        self.remember(row.map(destination).transpose())
    }

    fn browsers_of(&mut self, user: UserId) -> Result<Vec<Destination>> {
        let rows = self.run(|conn| {
            let own = destinations::table.filter(destinations::user_id.eq(user.to_string()));
            let browsers = own.filter(destinations::channel.eq(Channel::Push.as_str()));
            let in_order = browsers.order((destinations::confirmed_at, destinations::id));
            in_order.select(DestinationRow::columns()).load::<DestinationRow>(conn)
        })?;
        self.remember(rows.into_iter().map(destination).collect())
    }

    fn remove(&mut self, id: DestinationId) -> Result<()> {
        self.run(|conn| diesel::delete(destinations::table.find(id.to_string())).execute(conn)).map(drop)
    }

    fn put(&mut self, new: &Destination) -> Result<()> {
        let (user, channel) = (new.user.to_string(), new.channel.as_str());
        let values = (
            destinations::address.eq(&new.address),
            destinations::secret.eq(new.secret.as_ref().map(Secret::reveal)),
            destinations::confirmed_at.eq(new.confirmed_at.micros()),
            destinations::stopped.eq(new.stopped.as_deref()),
            destinations::session_hash.eq(new.browser.as_ref().map(|browser| &browser.session)),
            destinations::device.eq(new.browser.as_ref().and_then(|browser| browser.device.as_deref())),
        );
        self.run(|conn| {
            reserve(conn, "destination", &user)?;
            if new.channel == Channel::Push {
                take_browser(conn, &user, &new.address)?;
            }
            let same = destinations::table
                .filter(destinations::user_id.eq(&user))
                .filter(destinations::channel.eq(channel));
            let changed = match new.channel {
                Channel::Email | Channel::Webhook => diesel::update(same).set(values).execute(conn)?,
                Channel::Push => {
                    let same = same.filter(destinations::address.eq(&new.address));
                    diesel::update(same).set(values).execute(conn)?
                }
            };
            if changed == 0 {
                let keys = (
                    destinations::id.eq(new.id.to_string()),
                    destinations::user_id.eq(&user),
                    destinations::channel.eq(channel),
                );
                diesel::insert_into(destinations::table).values((keys, values)).execute(conn)?;
            }
            Ok(())
        })
    }

    fn stop(&mut self, id: DestinationId, address: &str, reason: &str) -> Result<bool> {
        let stopped = self.run(|conn| {
            let same = destinations::table.find(id.to_string()).filter(destinations::address.eq(address));
            let working = same.filter(destinations::stopped.is_null());
            diesel::update(working).set(destinations::stopped.eq(reason)).execute(conn)
        })?;
        Ok(stopped == 1)
    }

    fn preferences(&mut self, user: UserId) -> Result<Preferences> {
        let row = self.run(|conn| {
            reserve(conn, "preferences", &user.to_string())?;
            preferences_row(conn, user)
        })?;
        Ok(preferences(user, row))
    }

    fn set_preferences(&mut self, user: UserId, preferences: &Preferences) -> Result<()> {
        // The serialization of texts and truth values cannot fail.
        let chosen = serde_json::to_string(&preferences.stored()).unwrap_or_default();
        let values = (
            notification_preferences::chosen.eq(&chosen),
            notification_preferences::digest.eq(preferences.digest.as_str()),
            notification_preferences::time_zone.eq(preferences.time_zone.to_string()),
            notification_preferences::shows_private_titles.eq(preferences.shows_private_titles),
        );
        self.run(|conn| {
            diesel::insert_into(notification_preferences::table)
                .values((notification_preferences::user_id.eq(user.to_string()), values.clone()))
                .on_conflict(notification_preferences::user_id)
                .do_update()
                .set(values)
                .execute(conn)
        })
        .map(drop)
    }

    fn set_email(&mut self, user: UserId, email: &str) -> Result<bool> {
        let id = user.to_string();
        let taken = self.run(|conn| {
            reserve(conn, "email", email)?;
            let same = users::table.filter(users::email.eq(email)).filter(users::id.ne(&id));
            diesel::select(diesel::dsl::exists(same)).get_result::<bool>(conn)
        })?;
        if taken {
            return Ok(false);
        }
        let touched = self
            .run(|conn| diesel::update(users::table.find(&id)).set(users::email.eq(email)).execute(conn))?;
        self.expect_rows(touched, 1, "setting an e-mail address").map(|()| true)
    }
}

type TokenRow = (String, String, String, i64);

/// The address of the latest valid token for confirming an address other than `own`.
pub(super) fn requested_address(
    conn: &mut Conn,
    user: UserId,
    own: &str,
    now: Timestamp,
) -> QueryResult<Option<String>> {
    let valid = mail_tokens::table
        .filter(mail_tokens::user_id.eq(user.to_string()))
        .filter(mail_tokens::purpose.eq(Purpose::ConfirmAddress.as_str()))
        .filter(mail_tokens::address.ne(own))
        .filter(mail_tokens::expires_at.gt(now.micros()));
    let latest = valid.order(mail_tokens::expires_at.desc()).select(mail_tokens::address);
    latest.get_result(conn).optional()
}

impl Tokens for Transaction<'_> {
    fn insert(&mut self, token: &Token) -> Result<()> {
        let row = (
            mail_tokens::hash.eq(&token.hash),
            mail_tokens::purpose.eq(token.purpose.as_str()),
            mail_tokens::user_id.eq(token.user.to_string()),
            mail_tokens::address.eq(&token.address),
            mail_tokens::expires_at.eq(token.expires_at.micros()),
        );
        self.run(|conn| diesel::insert_into(mail_tokens::table).values(row).execute(conn)).map(drop)
    }

    fn lock(&mut self, hash: &str, purpose: Purpose) -> Result<Option<Token>> {
        let row = self.run(|conn| {
            let row = mail_tokens::table
                .filter(mail_tokens::hash.eq(hash))
                .filter(mail_tokens::purpose.eq(purpose.as_str()));
            let row = row.select((
                mail_tokens::hash,
                mail_tokens::user_id,
                mail_tokens::address,
                mail_tokens::expires_at,
            ));
            locked!(row).get_result::<TokenRow>(conn).optional()
        })?;
        let Some((hash, user, address, expires_at)) = row else { return Ok(None) };
        // The hash of a token is no secret, but a log does not need it either.
        let cells = Cells { table: "mail_tokens", id: &user };
        let user = self.remember(cells.parsed("user_id", &user))?;
        let expires_at = self.remember(cells.time("expires_at", expires_at))?;
        Ok(Some(Token { hash, purpose, user, address, expires_at }))
    }

    fn remove(&mut self, user: UserId, purpose: Purpose) -> Result<()> {
        self.run(|conn| {
            let own = mail_tokens::table.filter(mail_tokens::user_id.eq(user.to_string()));
            diesel::delete(own.filter(mail_tokens::purpose.eq(purpose.as_str()))).execute(conn)
        })
        .map(drop)
    }

    fn requested_address(&mut self, user: UserId, own: &str, now: Timestamp) -> Result<Option<String>> {
        self.run(|conn| requested_address(conn, user, own, now))
    }

    fn remove_requested(&mut self, user: UserId, own: &str) -> Result<()> {
        self.run(|conn| {
            let requested = mail_tokens::table
                .filter(mail_tokens::user_id.eq(user.to_string()))
                .filter(mail_tokens::purpose.eq(Purpose::ConfirmAddress.as_str()))
                .filter(mail_tokens::address.ne(own));
            diesel::delete(requested).execute(conn)
        })
        .map(drop)
    }

    fn remove_expired(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        let table = ("mail_tokens", "hash");
        self.run(|conn| remove_some(conn, table, "expires_at < ?", &[before.micros()], limit))
    }
}
