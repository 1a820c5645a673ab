//! Small tables with a key: idempotency, rate limits and settings. Also the record of admin actions.

use bolts_kernel::Timestamp;
use bolts_ports::{
    AdminAction, AdminActionView, AdminActions, Idempotency, IdempotencyKey, Page, PageRequest,
    RateLimitState, Replay, Result, Settings, StoreError, Throttles,
};
use diesel::prelude::*;

use super::rows::{Cells, cut};
use super::transaction::Transaction;
use super::{Conn, prepared, reserve};
use crate::schema::{ADMINS, admin_actions, idempotency, settings, throttles, users};

/// The row of an idempotency key.
macro_rules! row_of {
    ($key:expr) => {
        idempotency::table.find(($key.user.to_string(), $key.route.as_str(), $key.key.as_str()))
    };
}

const ANSWER: &str = "UPDATE idempotency SET answer = ? WHERE user_id = ? AND route = ? AND key = ?";

/// Changes no row if the limit is reached.
const COUNT: &str = "INSERT INTO throttles (bucket, tally, since, last) VALUES (?, 1, ?, ?) \
                     ON CONFLICT (bucket) DO UPDATE SET \
                     tally = CASE WHEN throttles.since <= ? THEN 1 ELSE throttles.tally + 1 END, \
                     since = CASE WHEN throttles.since <= ? THEN excluded.since ELSE throttles.since END, \
                     last = excluded.last \
                     WHERE throttles.since <= ? OR throttles.tally < ?";

/// The hash of the body, the answer, and the time of the request.
type Request = (String, Option<String>, i64);

impl Idempotency for Transaction<'_> {
    fn known(&mut self, key: &IdempotencyKey, since: Timestamp) -> Result<Replay> {
        match self.request(key)? {
            Some(row) if row.2 >= since.micros() => self.replay(key, row),
            Some(_) | None => Ok(Replay::Fresh),
        }
    }

    fn begin(&mut self, key: &IdempotencyKey, since: Timestamp, now: Timestamp) -> Result<Replay> {
        let values = (
            idempotency::user_id.eq(key.user.to_string()),
            idempotency::route.eq(&key.route),
            idempotency::key.eq(&key.key),
            idempotency::body_hash.eq(&key.body_hash),
            idempotency::created_at.eq(now.micros()),
        );
        let added = self.run(|conn| {
            diesel::insert_into(idempotency::table).values(values).on_conflict_do_nothing().execute(conn)
        })?;
        if added == 1 {
            return Ok(Replay::Fresh);
        }
        // The conflicting row may have been deleted as too old. The next run of the job finds the key free.
        let Some(row) = self.request(key)? else {
            return self.remember(Err(StoreError::Contention));
        };
        if row.2 < since.micros() {
            return self.take_over(key, now);
        }
        self.replay(key, row)
    }

    fn finish(&mut self, key: &IdempotencyKey, answer: &str) -> Result<()> {
        let user = key.user.to_string();
        let binds = [answer.into(), (&user).into(), (&key.route).into(), (&key.key).into()];
        let touched = self.run(|conn| prepared::execute(conn, ANSWER, binds))?;
        self.expect_rows(touched, 1, "keeping the answer to a request")
    }

    fn remove_old(&mut self, since: Timestamp) -> Result<()> {
        self.run(|conn| {
            let old = idempotency::table.filter(idempotency::created_at.lt(since.micros()));
            diesel::delete(old).execute(conn)
        })
        .map(drop)
    }
}

impl Transaction<'_> {
    fn request(&mut self, key: &IdempotencyKey) -> Result<Option<Request>> {
        self.run(|conn| {
            let row =
                row_of!(key).select((idempotency::body_hash, idempotency::answer, idempotency::created_at));
            locked!(row).get_result::<Request>(conn).optional()
        })
    }

    fn replay(&mut self, key: &IdempotencyKey, (body_hash, answer, _): Request) -> Result<Replay> {
        if body_hash != key.body_hash {
            return Ok(Replay::Reused);
        }
        let unanswered = || StoreError::Broken(format!("idempotency.answer of {} is missing", key.key));
        let answer = answer.ok_or_else(unanswered);
        self.remember(answer).map(Replay::Answered)
    }

    /// Replaces a key that is too old.
    fn take_over(&mut self, key: &IdempotencyKey, now: Timestamp) -> Result<Replay> {
        let touched = self.run(|conn| {
            diesel::update(row_of!(key))
                .set((
                    idempotency::body_hash.eq(&key.body_hash),
                    idempotency::answer.eq(None::<String>),
                    idempotency::created_at.eq(now.micros()),
                ))
                .execute(conn)
        })?;
        self.expect_rows(touched, 1, "taking an old idempotency key")?;
        Ok(Replay::Fresh)
    }
}

impl Throttles for Transaction<'_> {
    fn count(
        &mut self,
        bucket: &str,
        limit: u32,
        expired: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        let (limit, expired, now) = (i64::from(limit), expired.micros(), now.micros());
        let binds = [
            bucket.into(),
            now.into(),
            now.into(),
            expired.into(),
            expired.into(),
            expired.into(),
            limit.into(),
        ];
        let full = self.run(|conn| {
            if prepared::execute(conn, COUNT, binds)? == 1 {
                return Ok(None);
            }
            // The statement above has locked the row.
            throttles::table.find(bucket).select(throttles::since).get_result::<i64>(conn).map(Some)
        })?;
        let cells = Cells { table: "throttles", id: bucket };
        full.map(|since| self.remember(cells.time("since", since))).transpose()
    }

    fn lock(&mut self, bucket: &str) -> Result<Option<RateLimitState>> {
        let row = self.run(|conn| {
            reserve(conn, "throttle", bucket)?;
            let row =
                throttles::table.find(bucket).select((throttles::tally, throttles::since, throttles::last));
            locked!(row).get_result::<(i64, i64, i64)>(conn).optional()
        })?;
        let Some((count, since, last)) = row else { return Ok(None) };
        let cells = Cells { table: "throttles", id: bucket };
        let since = self.remember(cells.time("since", since))?;
        let last = self.remember(cells.time("last", last))?;
        Ok(Some(RateLimitState { count, since, last }))
    }

    fn put(&mut self, bucket: &str, known: RateLimitState) -> Result<()> {
        let values = (
            throttles::tally.eq(known.count),
            throttles::since.eq(known.since.micros()),
            throttles::last.eq(known.last.micros()),
        );
        self.run(|conn| {
            diesel::insert_into(throttles::table)
                .values((throttles::bucket.eq(bucket), values))
                .on_conflict(throttles::bucket)
                .do_update()
                .set(values)
                .execute(conn)
        })
        .map(drop)
    }

    fn forget(&mut self, bucket: &str) -> Result<()> {
        self.run(|conn| diesel::delete(throttles::table.find(bucket)).execute(conn)).map(drop)
    }

    fn remove_old(&mut self, since: Timestamp) -> Result<()> {
        self.run(|conn| {
            let old = throttles::table.filter(throttles::last.lt(since.micros()));
            diesel::delete(old).execute(conn)
        })
        .map(drop)
    }
}

impl Settings for Transaction<'_> {
    fn get(&mut self, name: &str) -> Result<Option<String>> {
        self.run(|conn| {
            reserve(conn, "setting", name)?;
            let value = settings::table.find(name).select(settings::value);
            locked!(value).get_result(conn).optional()
        })
    }

    fn put(&mut self, name: &str, value: &str) -> Result<()> {
        self.run(|conn| {
            diesel::insert_into(settings::table)
                .values((settings::name.eq(name), settings::value.eq(value)))
                .on_conflict(settings::name)
                .do_update()
                .set(settings::value.eq(value))
                .execute(conn)
        })
        .map(drop)
    }

    fn put_first(&mut self, name: &str, value: &str) -> Result<String> {
        self.run(|conn| {
            diesel::insert_into(settings::table)
                .values((settings::name.eq(name), settings::value.eq(value)))
                .on_conflict_do_nothing()
                .execute(conn)?;
            settings::table.find(name).select(settings::value).get_result(conn)
        })
    }
}

impl AdminActions for Transaction<'_> {
    fn record(&mut self, action: &AdminAction) -> Result<()> {
        let row = (
            admin_actions::admin_id.eq(action.admin.map(|id| id.to_string())),
            admin_actions::action.eq(action.action),
            admin_actions::user_id.eq(action.user.map(|id| id.to_string())),
            admin_actions::bet_id.eq(action.bet.map(|id| id.to_string())),
            admin_actions::detail.eq(action.detail.as_deref()),
            admin_actions::at.eq(action.at.micros()),
        );
        self.run(|conn| diesel::insert_into(admin_actions::table).values(row).execute(conn)).map(drop)
    }
}

type ActionRow = (i64, Option<String>, String, Option<String>, Option<String>, Option<String>, i64);

/// The rows of a page of admin actions, newest first, and one row more.
pub(super) fn actions(conn: &mut Conn, page: PageRequest) -> QueryResult<Vec<ActionRow>> {
    let before = page.after.map_or(i64::MAX, |cursor| cursor.seq);
    admin_actions::table
        .left_join(ADMINS.on(ADMINS.field(users::id).nullable().eq(admin_actions::admin_id)))
        .left_join(users::table.on(users::id.nullable().eq(admin_actions::user_id)))
        .filter(admin_actions::seq.lt(before))
        .order(admin_actions::seq.desc())
        .limit(i64::from(page.limit) + 1)
        .select((
            admin_actions::seq,
            ADMINS.field(users::email).nullable(),
            admin_actions::action,
            users::email.nullable(),
            admin_actions::bet_id,
            admin_actions::detail,
            admin_actions::at,
        ))
        .load(conn)
}

/// Builds the page of these rows.
pub(super) fn action_page(rows: Vec<ActionRow>, page: PageRequest) -> Result<Page<AdminActionView>> {
    cut(rows, page, |row| row.0, action)
}

fn action((seq, admin, action, user, bet, detail, at): ActionRow) -> Result<AdminActionView> {
    let id = seq.to_string();
    let cells = Cells { table: "admin_actions", id: &id };
    let bet = bet.map(|bet| cells.parsed("bet_id", &bet)).transpose()?;
    Ok(AdminActionView { seq, admin, action, user, bet, detail, at: cells.time("at", at)? })
}
