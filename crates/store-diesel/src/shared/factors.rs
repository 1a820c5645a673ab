//! Second factors, the sign-ins that wait for one, and the list of a user's sessions.

use bolts_factors::{Step, Totp, TotpSecret};
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{
    Challenge, FactorQueries, Factors, FactorsView, Origin, OwnSession, PasskeyView, Result, StoredTotp,
};
use diesel::prelude::*;

use super::passkeys::PasskeyRow;
use super::rows::Cells;
use super::transaction::Transaction;
use super::{Handle, remove_some};
use crate::schema::{challenges, passkeys, recovery_codes, sessions, totp, users};

/// Secret, last step, time of the first code.
type TotpRow = (String, Option<i64>, Option<i64>);

fn stored_totp(user: UserId, (secret, last_step, confirmed_at): TotpRow) -> Result<StoredTotp> {
    let id = user.to_string();
    let cells = Cells { table: "totp", id: &id };
    let secret = cells.known("secret", TotpSecret::parse(&secret))?;
    let last_step = last_step.map(|step| cells.known("last_step", Step::from_number(step))).transpose()?;
    let confirmed_at = cells.maybe_time("confirmed_at", confirmed_at)?;
    Ok(StoredTotp { totp: Totp { secret, last_step }, confirmed_at })
}

/// User, version of the credentials, attempts, expiry.
type ChallengeRow = (String, String, i64, i64);

fn challenge(hash: &str, (user, credentials, attempts, expires_at): ChallengeRow) -> Result<Challenge> {
    let cells = Cells { table: "challenges", id: hash };
    Ok(Challenge {
        hash: hash.to_owned(),
        user: cells.parsed("user_id", &user)?,
        credentials,
        attempts: cells.known("attempts", attempts.try_into().ok())?,
        expires_at: cells.time("expires_at", expires_at)?,
    })
}

impl Factors for Transaction<'_> {
    fn totp(&mut self, user: UserId) -> Result<Option<StoredTotp>> {
        let row = self.run(|conn| {
            let row = totp::table.find(user.to_string());
            let row = row.select((totp::secret, totp::last_step, totp::confirmed_at));
            locked!(row).get_result::<TotpRow>(conn).optional()
        })?;
        self.remember(row.map(|row| stored_totp(user, row)).transpose())
    }

    fn put_totp(&mut self, user: UserId, stored: &StoredTotp) -> Result<()> {
        let values = (
            totp::secret.eq(stored.totp.secret.base32()),
            totp::last_step.eq(stored.totp.last_step.map(Step::number)),
            totp::confirmed_at.eq(stored.confirmed_at.map(Timestamp::micros)),
        );
        self.run(|conn| {
            diesel::insert_into(totp::table)
                .values((totp::user_id.eq(user.to_string()), values.clone()))
                .on_conflict(totp::user_id)
                .do_update()
                .set(values)
                .execute(conn)
        })
        .map(drop)
    }

    fn remove_totp(&mut self, user: UserId) -> Result<bool> {
        let removed = self.run(|conn| diesel::delete(totp::table.find(user.to_string())).execute(conn))?;
        Ok(removed == 1)
    }

    fn set_second_factor(&mut self, user: UserId, has_one: bool) -> Result<()> {
        let touched = self.run(|conn| {
            let row = users::table.find(user.to_string());
            diesel::update(row).set(users::has_second_factor.eq(has_one)).execute(conn)
        })?;
        self.expect_rows(touched, 1, "recording a second factor")
    }

    fn put_recovery_codes(&mut self, user: UserId, hashes: &[String]) -> Result<()> {
        let id = user.to_string();
        let row = |hash| (recovery_codes::user_id.eq(&id), recovery_codes::hash.eq(hash));
        let rows: Vec<_> = hashes.iter().map(row).collect();
        self.run(|conn| {
            let own = recovery_codes::table.filter(recovery_codes::user_id.eq(&id));
            diesel::delete(own).execute(conn)?;
            if rows.is_empty() {
                return Ok(0);
            }
            diesel::insert_into(recovery_codes::table).values(&rows).execute(conn)
        })
        .map(drop)
    }

    fn take_recovery_code(&mut self, user: UserId, hash: &str) -> Result<bool> {
        let removed = self
            .run(|conn| diesel::delete(recovery_codes::table.find((user.to_string(), hash))).execute(conn))?;
        Ok(removed == 1)
    }

    fn recovery_codes_left(&mut self, user: UserId) -> Result<u32> {
        let left = self.run(|conn| {
            let own = recovery_codes::table.filter(recovery_codes::user_id.eq(user.to_string()));
            own.count().get_result::<i64>(conn)
        })?;
        Ok(u32::try_from(left).unwrap_or_default())
    }

    fn insert_challenge(&mut self, challenge: &Challenge) -> Result<()> {
        let row = (
            challenges::hash.eq(&challenge.hash),
            challenges::user_id.eq(challenge.user.to_string()),
            challenges::credentials.eq(&challenge.credentials),
            challenges::attempts.eq(i64::from(challenge.attempts)),
            challenges::expires_at.eq(challenge.expires_at.micros()),
        );
        self.run(|conn| diesel::insert_into(challenges::table).values(row).execute(conn)).map(drop)
    }

    fn challenge(&mut self, hash: &str) -> Result<Option<Challenge>> {
        let row = self.run(|conn| {
            let columns =
                (challenges::user_id, challenges::credentials, challenges::attempts, challenges::expires_at);
            challenges::table.find(hash).select(columns).get_result::<ChallengeRow>(conn).optional()
        })?;
        self.remember(row.map(|row| challenge(hash, row)).transpose())
    }

    fn count_wrong_proof(&mut self, hash: &str) -> Result<()> {
        self.run(|conn| {
            diesel::update(challenges::table.find(hash))
                .set(challenges::attempts.eq(challenges::attempts + 1_i64))
                .execute(conn)
        })
        .map(drop)
    }

    fn remove_challenge(&mut self, hash: &str) -> Result<()> {
        self.run(|conn| diesel::delete(challenges::table.find(hash)).execute(conn)).map(drop)
    }

    fn remove_expired_challenges(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        let table = ("challenges", "hash");
        self.run(|conn| remove_some(conn, table, "expires_at <= ?", &[now.micros()], limit))
    }

    fn set_proved(&mut self, session: &str, at: Timestamp) -> Result<()> {
        self.run(|conn| {
            diesel::update(sessions::table.filter(sessions::hash.eq(session)))
                .set(sessions::proved_at.eq(at.micros()))
                .execute(conn)
        })
        .map(drop)
    }

    fn proved_at(&mut self, session: &str) -> Result<Option<Timestamp>> {
        let at = self.run(|conn| {
            let row = sessions::table.filter(sessions::hash.eq(session));
            row.select(sessions::proved_at).get_result::<Option<i64>>(conn).optional()
        })?;
        let cells = Cells { table: "sessions", id: "by hash" };
        self.remember(cells.maybe_time("proved_at", at.flatten()))
    }
}

/// Id, hash, device, network, time of the sign-in, last use.
type OwnSessionRow = (String, String, Option<String>, Option<String>, i64, i64);

fn own_session(row: OwnSessionRow, current: &str) -> Result<OwnSession> {
    let (id, hash, device, network, created_at, last_seen_at) = row;
    let cells = Cells { table: "sessions", id: &id };
    Ok(OwnSession {
        id: cells.parsed("id", &id)?,
        is_current: hash == current,
        origin: Origin { device, network },
        created_at: cells.time("created_at", created_at)?,
        last_seen_at: cells.time("last_seen_at", last_seen_at)?,
    })
}

impl FactorQueries for Handle {
    fn factors(&self, user: UserId) -> Result<FactorsView> {
        let id = user.to_string();
        let (apps, left, rows) = self.read(|conn| {
            let app = totp::table.find(&id).filter(totp::confirmed_at.is_not_null());
            let codes = recovery_codes::table.filter(recovery_codes::user_id.eq(&id));
            let own = passkeys::table.filter(passkeys::user_id.eq(&id)).order(passkeys::id);
            Ok((
                app.count().get_result::<i64>(conn)?,
                codes.count().get_result::<i64>(conn)?,
                own.select(PasskeyRow::as_select()).load::<PasskeyRow>(conn)?,
            ))
        })?;
        let passkeys = rows.into_iter().map(|row| row.stored().map(PasskeyView::from));
        Ok(FactorsView {
            has_totp: apps > 0,
            passkeys: passkeys.collect::<Result<_>>()?,
            recovery_codes_left: u32::try_from(left).unwrap_or_default(),
        })
    }

    fn sessions_of(
        &self,
        user: UserId,
        current: &str,
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Vec<OwnSession>> {
        let rows = self.read(|conn| {
            sessions::table
                .filter(sessions::user_id.eq(user.to_string()))
                .filter(sessions::last_seen_at.ge(idle_after.micros()))
                .filter(sessions::created_at.ge(born_after.micros()))
                .order((sessions::last_seen_at.desc(), sessions::id.desc()))
                .select((
                    sessions::id,
                    sessions::hash,
                    sessions::device,
                    sessions::network,
                    sessions::created_at,
                    sessions::last_seen_at,
                ))
                .load::<OwnSessionRow>(conn)
        })?;
        rows.into_iter().map(|row| own_session(row, current)).collect()
    }
}
