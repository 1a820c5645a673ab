//! Deliveries: mails and other messages to send. A trigger writes the deliveries of notifications.

use bolts_delivery::Channel;
use bolts_kernel::{BetId, NotificationId, Timestamp, UserId};
use bolts_ports::{
    Backlog, Cause, Deliveries, Delivery, DeliveryQueries, Destination, Fate, NewDelivery, Recipient, Result,
};
use diesel::dsl::{count_star, exists, min, sql};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};

use super::columns::{Columns, insert_into, row};
use super::prepared::{self, Bind};
use super::rows::Cells;
use super::transaction::Transaction;
use super::{Conn, Handle, contacts, remove_some};
use crate::schema::{bets, deliveries, notifications};

row! {
    /// The columns of a delivery that its worker needs.
    Row of "deliveries" {
        {
            seq: i64 as BigInt,
            name: String as Text,
            channel: String as Text,
            user_id: Option<String> as Nullable<Text>,
            destination_id: Option<String> as Nullable<Text>,
            address: Option<String> as Nullable<Text>,
            cause: String as Text,
            notification_id: Option<String> as Nullable<Text>,
            kind: Option<String> as Nullable<Text>,
            params: Option<String> as Nullable<Text>,
            bet_id: Option<String> as Nullable<Text>,
            created_at: i64 as BigInt,
            attempts: i64 as BigInt,
        }
    }
}

/// The name of a cause in the database.
const fn name_of(cause: &Cause) -> &'static str {
    match cause {
        Cause::Notification { .. } => "notification",
        Cause::Digest => "digest",
        Cause::ConfirmAddress => "confirm_address",
        Cause::ResetPassword => "reset_password",
        Cause::AddressChanging => "address_changing",
        Cause::AddressChanged => "address_changed",
        Cause::AccountDeleted => "account_deleted",
    }
}

fn cause(row: &Row, cells: Cells<'_>) -> Result<Cause> {
    Ok(match row.cause.as_str() {
        "notification" => Cause::Notification {
            id: cells.parsed("notification_id", row.notification_id.as_deref().unwrap_or_default())?,
            kind: cells.known("kind", row.kind.clone())?,
            params: cells.known("params", row.params.clone())?,
            bet: row.bet_id.as_deref().map(|bet| cells.parsed("bet_id", bet)).transpose()?,
        },
        "digest" => Cause::Digest,
        "confirm_address" => Cause::ConfirmAddress,
        "reset_password" => Cause::ResetPassword,
        "address_changing" => Cause::AddressChanging,
        "address_changed" => Cause::AddressChanged,
        "account_deleted" => Cause::AccountDeleted,
        _ => return Err(cells.broken("cause")),
    })
}

fn delivery(row: Row) -> Result<Delivery> {
    let id = row.seq.to_string();
    let cells = Cells { table: "deliveries", id: &id };
    let cause = cause(&row, cells)?;
    let to = match (row.destination_id, row.address) {
        (Some(destination), _) => Recipient::Destination(cells.parsed("destination_id", &destination)?),
        (None, address) => Recipient::Address(cells.known("address", address)?),
    };
    Ok(Delivery {
        id: row.seq,
        name: row.name,
        channel: cells.known("channel", Channel::parse(&row.channel))?,
        user: row.user_id.as_deref().map(|user| cells.parsed("user_id", user)).transpose()?,
        to,
        cause,
        created_at: cells.time("created_at", row.created_at)?,
        attempts: cells.known("attempts", row.attempts.try_into().ok())?,
    })
}

/// A condition on the state as fixed text. With a parameter, no database would use the index of this state.
macro_rules! is_in_state {
    ($state:literal) => {
        sql::<Bool>(concat!("deliveries.state = '", $state, "'"))
    };
}

/// The condition on the cause of mails with a link and of notices to an address. The index `deliveries_account` has it too.
pub(super) const IS_OF_AN_ACCOUNT: &str = "deliveries.cause NOT IN ('notification', 'digest')";

/// The condition on the cause of notifications and digests.
pub(super) const IS_A_NOTIFICATION: &str = "deliveries.cause IN ('notification', 'digest')";

/// No condition on the cause.
pub(super) const IS_ANY: &str = "TRUE";

/// The deliveries that are due on a channel.
macro_rules! due {
    ($channel:expr, $now:expr) => {
        deliveries::table
            .filter(is_in_state!("queued"))
            .filter(deliveries::channel.eq($channel.as_str()))
            .filter(deliveries::next_at.le($now.micros()))
    };
}

/// The maximum number of pages that a call reads because rows cannot be read. A job with more of them would hold up the jobs of
/// users.
const PAGES: usize = 10;

/// Due deliveries without a worker, the oldest first. `page` has the number of rows to skip and the number of rows to read.
fn free(
    conn: &mut Conn,
    channel: Channel,
    causes: &str,
    now: Timestamp,
    page: (i64, i64),
) -> QueryResult<Vec<Row>> {
    let free =
        due!(channel, now).filter(sql::<Bool>(causes)).filter(deliveries::leased_until.le(now.micros()));
    let oldest = free.order((deliveries::next_at, deliveries::seq)).offset(page.0).limit(page.1);
    unclaimed!(oldest.select(Row::columns())).load::<Row>(conn)
}

impl Transaction<'_> {
    /// Reads pages until `limit` rows are converted or no row is left. `page` gets the number of rows that are converted. It reads
    /// the rows behind them, at most `limit`.
    fn readable(
        &mut self,
        limit: u32,
        now: Timestamp,
        page: impl Fn(&mut Conn, i64) -> QueryResult<Vec<Row>>,
    ) -> Result<Vec<Delivery>> {
        let mut readable = Vec::new();
        for _ in 0..PAGES {
            let skipped = readable.len() as i64;
            let rows = self.run(|conn| page(conn, skipped))?;
            let count = rows.len();
            let converted = self.convert(rows, now)?;
            let is_whole = converted.len() == count;
            readable.extend(converted);
            // A page without unreadable rows is full, or the last one.
            if is_whole || readable.len() >= limit as usize {
                break;
            }
        }
        readable.truncate(limit as usize);
        Ok(readable)
    }

    /// Converts rows. Settles each row that cannot be read, because another version of the program has written it. If such a row
    /// stayed, each worker would claim it first, and no other delivery would be sent.
    fn convert(&mut self, rows: Vec<Row>, now: Timestamp) -> Result<Vec<Delivery>> {
        let mut converted = Vec::new();
        for row in rows {
            // A row that was never claimed has no attempt that `PutOff` could take back.
            let waits_since = Timestamp::from_micros(row.created_at).ok().filter(|_| row.attempts > 0);
            let id = row.seq;
            match delivery(row) {
                Ok(delivery) => converted.push(delivery),
                Err(why) => {
                    let why = why.to_string();
                    let fate = match waits_since {
                        Some(since) => Fate::of_other_version(since, now, why.as_str()),
                        None => Fate::GivenUp(why.clone()),
                    };
                    if matches!(fate, Fate::PutOff(_)) {
                        tracing::info!(why, "a delivery cannot be read and waits for another version");
                    } else {
                        tracing::warn!(why, "a delivery cannot be read and is given up");
                    }
                    self.settle(id, &fate, now)?;
                }
            }
        }
        Ok(converted)
    }
}

impl Deliveries for Transaction<'_> {
    fn enqueue(&mut self, new: &NewDelivery) -> Result<()> {
        let (destination, address) = match &new.to {
            Recipient::Destination(id) => (Some(id.to_string()), None),
            Recipient::Address(address) => (None, Some(address.to_string())),
        };
        let (id, kind, params, bet) = match &new.cause {
            Cause::Notification { id, kind, params, bet } => (
                Some(id.to_string()),
                Some(kind.clone()),
                Some(params.clone()),
                bet.map(|bet| bet.to_string()),
            ),
            Cause::Digest
            | Cause::ConfirmAddress
            | Cause::ResetPassword
            | Cause::AddressChanging
            | Cause::AddressChanged
            | Cause::AccountDeleted => Default::default(),
        };
        let columns: [(&str, Bind<'_>); 12] = [
            ("name", (&new.name).into()),
            ("channel", new.channel.as_str().into()),
            ("user_id", new.user.map(|user| user.to_string()).into()),
            ("destination_id", destination.into()),
            ("address", address.into()),
            ("cause", name_of(&new.cause).into()),
            ("notification_id", id.into()),
            ("kind", kind.into()),
            ("params", params.into()),
            ("bet_id", bet.into()),
            ("created_at", new.at.micros().into()),
            ("next_at", new.due_at.micros().into()),
        ];
        let (names, binds): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let sql = format!("{} ON CONFLICT (name) DO NOTHING", insert_into("deliveries", &names));
        self.run(|conn| prepared::execute(conn, &sql, &binds)).map(drop)
    }

    fn claim(
        &mut self,
        channel: Channel,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<Delivery>> {
        self.readable(limit, now, |conn, claimed| {
            // A claimed row is not free any more.
            let limit = i64::from(limit) - claimed;
            let mut rows = free(conn, channel, IS_OF_AN_ACCOUNT, now, (0, limit))?;
            let rest = limit - rows.len() as i64;
            if rest > 0 {
                rows.extend(free(conn, channel, IS_A_NOTIFICATION, now, (0, rest))?);
            }
            if rows.is_empty() {
                return Ok(rows);
            }
            let taken = deliveries::table.filter(deliveries::seq.eq_any(rows.iter().map(|row| row.seq)));
            diesel::update(taken)
                .set((
                    deliveries::leased_until.eq(until.micros()),
                    deliveries::attempts.eq(deliveries::attempts + 1),
                ))
                .execute(conn)?;
            rows.iter_mut().for_each(|row| row.attempts += 1);
            Ok(rows)
        })
    }

    fn settle(&mut self, id: i64, fate: &Fate, now: Timestamp) -> Result<()> {
        let (state, error, next, is_end) = match fate {
            Fate::Sent => ("sent", None, None, true),
            Fate::Held => ("held", None, None, false),
            Fate::Dropped => ("dropped", None, None, true),
            Fate::GivenUp(why) => ("given_up", Some(why.as_str()), None, true),
            Fate::Again(at, why) => ("queued", Some(why.as_str()), Some(at.micros()), false),
            Fate::PutOff(at) => ("queued", None, Some(at.micros()), false),
        };
        let uncounted = matches!(fate, Fate::PutOff(_));
        self.run(|conn| {
            let open = deliveries::table.find(id).filter(deliveries::ended_at.is_null());
            diesel::update(open)
                .set((
                    deliveries::state.eq(state),
                    deliveries::leased_until.eq(0),
                    error.map(|error| deliveries::last_error.eq(error)),
                    next.map(|at| deliveries::next_at.eq(at)),
                    uncounted.then(|| deliveries::attempts.eq(deliveries::attempts - 1)),
                    is_end.then(|| deliveries::ended_at.eq(now.micros())),
                ))
                .execute(conn)
        })
        .map(drop)
    }

    fn held(&mut self, user: UserId, limit: u32, now: Timestamp) -> Result<Vec<Delivery>> {
        self.readable(limit, now, |conn, skipped| {
            let held = deliveries::table.filter(is_in_state!("held"));
            let own = held.filter(deliveries::user_id.eq(user.to_string())).order(deliveries::seq);
            own.offset(skipped).limit(limit.into()).select(Row::columns()).load::<Row>(conn)
        })
    }

    fn unread(&mut self, user: UserId) -> Result<Vec<NotificationId>> {
        let ids = self.run(|conn| {
            let own = notifications::table.filter(notifications::user_id.eq(user.to_string()));
            let unread = own.filter(notifications::read_at.is_null());
            unread.select(notifications::id).load::<String>(conn)
        })?;
        let parsed = |id: &String| Cells { table: "notifications", id }.parsed("id", id);
        self.remember(ids.iter().map(parsed).collect())
    }

    fn is_public(&mut self, bet: BetId) -> Result<bool> {
        self.run(|conn| {
            let public = bets::table
                .filter(bets::id.eq(bet.to_string()))
                .filter(bets::share_token.is_null())
                .filter(bets::deleted_at.is_null());
            diesel::select(exists(public)).get_result(conn)
        })
    }

    fn untaken(
        &mut self,
        channel: Channel,
        due_at: Timestamp,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<Delivery>> {
        self.readable(limit, now, |conn, skipped| {
            free(conn, channel, IS_ANY, due_at, (skipped, limit.into()))
        })
    }

    fn remove_ended(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        self.run(|conn| remove_some(conn, ("deliveries", "seq"), "ended_at < ?", &[before.micros()], limit))
    }
}

impl DeliveryQueries for Handle {
    fn is_delivery_due(&self, channel: Channel, now: Timestamp) -> Result<bool> {
        self.read(|conn| {
            let free = due!(channel, now).filter(deliveries::leased_until.le(now.micros()));
            // For the smallest value PostgreSQL reads the index, whatever it believes of the table's size. It may read the
            // table for `EXISTS`.
            let first = free.select(min(deliveries::next_at)).get_result::<Option<i64>>(conn)?;
            Ok(first.is_some())
        })
    }

    fn backlogs(&self, now: Timestamp) -> Result<Vec<Backlog>> {
        let mut found = Vec::new();
        for channel in Channel::ALL {
            let (count, oldest) = self.read(|conn| {
                let figures = due!(channel, now).select((count_star(), min(deliveries::next_at)));
                figures.get_result::<(i64, Option<i64>)>(conn)
            })?;
            if let Some(oldest) = oldest {
                let cells = Cells { table: "deliveries", id: channel.as_str() };
                found.push(Backlog { channel, due: count, oldest: cells.time("next_at", oldest)? });
            }
        }
        Ok(found)
    }

    fn email_destination(&self, user: UserId) -> Result<Option<Destination>> {
        let row = self.read(|conn| contacts::single_row(conn, user, Channel::Email))?;
        row.map(contacts::destination).transpose()
    }

    fn webhook(&self, user: UserId) -> Result<Option<Destination>> {
        let row = self.read(|conn| contacts::single_row(conn, user, Channel::Webhook))?;
        row.map(contacts::destination).transpose()
    }

    fn address_to_confirm(&self, user: UserId, own: &str, now: Timestamp) -> Result<Option<String>> {
        self.read(|conn| contacts::requested_address(conn, user, own, now))
    }

    fn preferences_of(&self, user: UserId) -> Result<bolts_delivery::Preferences> {
        Ok(contacts::preferences(user, self.read(|conn| contacts::preferences_row(conn, user))?))
    }
}
