//! API keys.

use bolts_kernel::{ApiKeyId, Timestamp, UserId};
use bolts_keys::{KeyName, Scopes};
use bolts_ports::{KeyQueries, KeyView, Keys, Result, StoredKey};
use diesel::prelude::*;

use super::prepared::{Select, Sql};
use super::rows::Cells;
use super::transaction::Transaction;
use super::user_views::{self, UserRow, user_columns, with_balances};
use super::{Handle, remove_some};
use crate::schema::api_keys;

const TABLE: &str = "api_keys";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = api_keys, treat_none_as_default_value = false)]
struct KeyRow {
    id: String,
    user_id: String,
    hash: String,
    beginning: String,
    name: String,
    scopes: String,
    created_at: i64,
    expires_at: i64,
    last_used_at: Option<i64>,
    proved_at: Option<i64>,
}

impl KeyRow {
    fn of(key: &StoredKey) -> Self {
        Self {
            id: key.id.to_string(),
            user_id: key.user.to_string(),
            hash: key.hash.clone(),
            beginning: key.beginning.clone(),
            name: key.name.to_string(),
            scopes: key.scopes.to_string(),
            created_at: key.created_at.micros(),
            expires_at: key.expires_at.micros(),
            last_used_at: key.last_used_at.map(Timestamp::micros),
            proved_at: key.proved_at.map(Timestamp::micros),
        }
    }

    fn stored(self) -> Result<StoredKey> {
        let cells = Cells { table: TABLE, id: &self.id };
        Ok(StoredKey {
            id: cells.parsed("id", &self.id)?,
            user: cells.parsed("user_id", &self.user_id)?,
            name: cells.known("name", KeyName::parse(&self.name).ok())?,
            scopes: cells.known("scopes", Scopes::stored(&self.scopes))?,
            created_at: cells.time("created_at", self.created_at)?,
            expires_at: cells.time("expires_at", self.expires_at)?,
            last_used_at: cells.maybe_time("last_used_at", self.last_used_at)?,
            proved_at: cells.maybe_time("proved_at", self.proved_at)?,
            hash: self.hash,
            beginning: self.beginning,
        })
    }
}

impl Keys for Transaction<'_> {
    fn insert_key(&mut self, key: &StoredKey) -> Result<()> {
        let row = KeyRow::of(key);
        self.run(|conn| diesel::insert_into(api_keys::table).values(row).execute(conn)).map(drop)
    }

    fn count_keys(&mut self, user: UserId, now: Timestamp) -> Result<u32> {
        let count = self.run(|conn| {
            let own = api_keys::table.filter(api_keys::user_id.eq(user.to_string()));
            own.filter(api_keys::expires_at.gt(now.micros())).count().get_result::<i64>(conn)
        })?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn lock_key(&mut self, hash: &str, now: Timestamp) -> Result<Option<StoredKey>> {
        let row = self.run(|conn| {
            let valid = api_keys::table
                .filter(api_keys::hash.eq(hash))
                .filter(api_keys::expires_at.gt(now.micros()))
                .select(KeyRow::as_select());
            locked!(valid).get_result::<KeyRow>(conn).optional()
        })?;
        self.remember(row.map(KeyRow::stored).transpose())
    }

    fn key_used(&mut self, hash: &str, at: Timestamp) -> Result<()> {
        self.run(|conn| {
            diesel::update(api_keys::table.filter(api_keys::hash.eq(hash)))
                .set(api_keys::last_used_at.eq(at.micros()))
                .execute(conn)
        })
        .map(drop)
    }

    fn revoke_key(&mut self, user: UserId, id: ApiKeyId) -> Result<Option<KeyName>> {
        let id = id.to_string();
        let (name, revoked) = self.run(|conn| {
            let own = api_keys::table.find(&id).filter(api_keys::user_id.eq(user.to_string()));
            let name = own.clone().select(api_keys::name).get_result::<String>(conn).optional()?;
            Ok((name, diesel::delete(own).execute(conn)?))
        })?;
        let Some(name) = name.filter(|_| revoked == 1) else { return Ok(None) };
        self.remember(Cells { table: TABLE, id: &id }.known("name", KeyName::parse(&name).ok())).map(Some)
    }

    fn revoke_keys(&mut self, user: UserId) -> Result<()> {
        self.run(|conn| {
            let own = api_keys::table.filter(api_keys::user_id.eq(user.to_string()));
            diesel::delete(own).execute(conn)
        })
        .map(drop)
    }

    fn remove_expired_keys(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        self.run(|conn| remove_some(conn, (TABLE, "id"), "expires_at <= ?", &[now.micros()], limit))
    }
}

/// Id, scopes, last use.
type Found = (String, String, Option<i64>);

impl KeyQueries for Handle {
    fn keys_of(&self, user: UserId, now: Timestamp) -> Result<Vec<StoredKey>> {
        let rows = self.read(|conn| {
            api_keys::table
                .filter(api_keys::user_id.eq(user.to_string()))
                .filter(api_keys::expires_at.gt(now.micros()))
                .order(api_keys::id)
                .select(KeyRow::as_select())
                .load::<KeyRow>(conn)
        })?;
        rows.into_iter().map(KeyRow::stored).collect()
    }

    fn key(&self, hash: &str, now: Timestamp) -> Result<Option<KeyView>> {
        let rows = self.read(|conn| {
            let text = with_balances!(
                "FROM api_keys JOIN users ON users.id = api_keys.user_id",
                "WHERE api_keys.hash = ? AND api_keys.expires_at > ?"
            );
            let from = Sql::new(text, [hash.to_owned().into(), now.micros().into()]);
            let columns = ((api_keys::id, api_keys::scopes, api_keys::last_used_at), user_columns!());
            Select { columns, from, is_kept: true }.load::<(Found, UserRow)>(conn)
        })?;
        let (keys, rows): (Vec<Found>, Vec<UserRow>) = rows.into_iter().unzip();
        let (Some(user), Some((id, scopes, last_used_at))) =
            (user_views::users(rows)?.pop(), keys.into_iter().next())
        else {
            return Ok(None);
        };
        let cells = Cells { table: TABLE, id: &id };
        Ok(Some(KeyView {
            user,
            scopes: cells.known("scopes", Scopes::stored(&scopes))?,
            last_used_at: cells.maybe_time("last_used_at", last_used_at)?,
        }))
    }
}
