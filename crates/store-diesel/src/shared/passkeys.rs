//! Passkeys and the ceremonies that wait for an authenticator.

use bolts_factors::PasskeyName;
use bolts_kernel::{PasskeyId, Timestamp, UserId};
use bolts_ports::{Ceremony, CeremonyPurpose, Credential, Passkeys, Result, StoredPasskey};
use diesel::prelude::*;

use super::remove_some;
use super::rows::Cells;
use super::transaction::Transaction;
use crate::schema::{ceremonies, passkeys};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = passkeys, treat_none_as_default_value = false)]
pub(super) struct PasskeyRow {
    id: String,
    user_id: String,
    name: String,
    credential_id: String,
    credential: String,
    version: i64,
    counter: i64,
    created_at: i64,
    last_used_at: Option<i64>,
    disabled_at: Option<i64>,
}

impl PasskeyRow {
    fn of(passkey: &StoredPasskey) -> Self {
        Self {
            id: passkey.id.to_string(),
            user_id: passkey.user.to_string(),
            name: passkey.name.to_string(),
            credential_id: passkey.credential.id.clone(),
            credential: passkey.credential.data.clone(),
            version: passkey.credential.version.into(),
            counter: passkey.counter.into(),
            created_at: passkey.created_at.micros(),
            last_used_at: passkey.last_used_at.map(Timestamp::micros),
            disabled_at: passkey.disabled_at.map(Timestamp::micros),
        }
    }

    pub(super) fn stored(self) -> Result<StoredPasskey> {
        let cells = Cells { table: "passkeys", id: &self.id };
        Ok(StoredPasskey {
            id: cells.parsed("id", &self.id)?,
            user: cells.parsed("user_id", &self.user_id)?,
            name: cells.known("name", PasskeyName::parse(&self.name).ok())?,
            counter: cells.known("counter", self.counter.try_into().ok())?,
            created_at: cells.time("created_at", self.created_at)?,
            last_used_at: cells.maybe_time("last_used_at", self.last_used_at)?,
            disabled_at: cells.maybe_time("disabled_at", self.disabled_at)?,
            credential: Credential {
                version: cells.known("version", self.version.try_into().ok())?,
                id: self.credential_id,
                data: self.credential,
            },
        })
    }
}

/// Purpose, session or challenge, state, expiry.
type CeremonyRow = (String, String, String, i64);

fn ceremony(hash: &str, (purpose, bound_to, state, expires_at): CeremonyRow) -> Result<Ceremony> {
    let cells = Cells { table: "ceremonies", id: hash };
    Ok(Ceremony {
        hash: hash.to_owned(),
        purpose: cells.known("purpose", CeremonyPurpose::parse(&purpose))?,
        bound_to,
        state,
        expires_at: cells.time("expires_at", expires_at)?,
    })
}

impl Passkeys for Transaction<'_> {
    fn of_user(&mut self, user: UserId) -> Result<Vec<StoredPasskey>> {
        let rows = self.run(|conn| {
            let own = passkeys::table.filter(passkeys::user_id.eq(user.to_string())).order(passkeys::id);
            own.select(PasskeyRow::as_select()).load::<PasskeyRow>(conn)
        })?;
        self.remember(rows.into_iter().map(PasskeyRow::stored).collect())
    }

    fn with_credential(&mut self, credential: &str) -> Result<Option<StoredPasskey>> {
        let row = self.run(|conn| {
            let row = passkeys::table.filter(passkeys::credential_id.eq(credential));
            row.select(PasskeyRow::as_select()).get_result::<PasskeyRow>(conn).optional()
        })?;
        self.remember(row.map(PasskeyRow::stored).transpose())
    }

    fn lock_passkey(&mut self, id: PasskeyId) -> Result<Option<StoredPasskey>> {
        let row = self.run(|conn| {
            let row = passkeys::table.find(id.to_string()).select(PasskeyRow::as_select());
            locked!(row).get_result::<PasskeyRow>(conn).optional()
        })?;
        self.remember(row.map(PasskeyRow::stored).transpose())
    }

    fn insert_passkey(&mut self, passkey: &StoredPasskey) -> Result<bool> {
        let added = self.run(|conn| {
            let row = PasskeyRow::of(passkey);
            let insert = diesel::insert_into(passkeys::table).values(row);
            insert.on_conflict(passkeys::credential_id).do_nothing().execute(conn)
        })?;
        Ok(added == 1)
    }

    fn rename_passkey(&mut self, user: UserId, id: PasskeyId, name: &PasskeyName) -> Result<bool> {
        let renamed = self.run(|conn| {
            let own = passkeys::table.find(id.to_string()).filter(passkeys::user_id.eq(user.to_string()));
            diesel::update(own).set(passkeys::name.eq(name.as_str())).execute(conn)
        })?;
        Ok(renamed == 1)
    }

    fn passkey_used(&mut self, id: PasskeyId, counter: u32, at: Timestamp) -> Result<()> {
        let touched = self.run(|conn| {
            let values =
                (passkeys::counter.eq(i64::from(counter)), passkeys::last_used_at.eq(Some(at.micros())));
            diesel::update(passkeys::table.find(id.to_string())).set(values).execute(conn)
        })?;
        self.expect_rows(touched, 1, "recording the use of a passkey")
    }

    fn disable_passkey(&mut self, id: PasskeyId, at: Timestamp) -> Result<()> {
        let touched = self.run(|conn| {
            let row = passkeys::table.find(id.to_string());
            diesel::update(row).set(passkeys::disabled_at.eq(Some(at.micros()))).execute(conn)
        })?;
        self.expect_rows(touched, 1, "disabling a passkey")
    }

    fn remove_passkey(&mut self, user: UserId, id: PasskeyId) -> Result<bool> {
        let removed = self.run(|conn| {
            let own = passkeys::table.find(id.to_string()).filter(passkeys::user_id.eq(user.to_string()));
            diesel::delete(own).execute(conn)
        })?;
        Ok(removed == 1)
    }

    fn insert_ceremony(&mut self, ceremony: &Ceremony) -> Result<()> {
        let row = (
            ceremonies::hash.eq(&ceremony.hash),
            ceremonies::purpose.eq(ceremony.purpose.as_str()),
            ceremonies::bound_to.eq(&ceremony.bound_to),
            ceremonies::state.eq(&ceremony.state),
            ceremonies::expires_at.eq(ceremony.expires_at.micros()),
        );
        self.run(|conn| diesel::insert_into(ceremonies::table).values(row).execute(conn)).map(drop)
    }

    fn take_ceremony(&mut self, hash: &str) -> Result<Option<Ceremony>> {
        let row = self.run(|conn| {
            let columns =
                (ceremonies::purpose, ceremonies::bound_to, ceremonies::state, ceremonies::expires_at);
            diesel::delete(ceremonies::table.find(hash))
                .returning(columns)
                .get_result::<CeremonyRow>(conn)
                .optional()
        })?;
        self.remember(row.map(|row| ceremony(hash, row)).transpose())
    }

    fn remove_expired_ceremonies(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        let table = ("ceremonies", "hash");
        self.run(|conn| remove_some(conn, table, "expires_at <= ?", &[now.micros()], limit))
    }
}
