//! The lists that only the export of an account reads.

use bolts_bets::Event;
use bolts_kernel::{BetId, PictureId, Timestamp, UserId};
use bolts_messages::{Message, Picture};
use bolts_ports::{AdminActionView, Cursor, Destination, ExportQueries, Page, PageRequest, Result};
use bolts_wallet::Deposit;
use diesel::prelude::*;

use super::bets::{self as bet_tables, EventRow};
use super::columns::Columns;
use super::lists::{arbitrated_sql, own_sql};
use super::messages::{self as texts, MessageRow, PictureRow};
use super::prepared::{Select, Sql};
use super::rows::{Cells, cut, cut_at};
use super::{Handle, admin_actions, contacts, deposits as invoices};
use crate::schema::{bets, deposits, destinations, messages, pictures, totp};

/// The page ends before this `seq`.
fn before(page: PageRequest) -> i64 {
    page.after.map_or(i64::MAX, |cursor| cursor.seq)
}

/// One more row than the page has shows whether there is a next page.
fn limit(page: PageRequest) -> i64 {
    i64::from(page.limit) + 1
}

/// The query for a page of the events of a user's bets. `key` of its cursor is the place of a bet, and `seq` the place of an
/// event.
pub(super) fn bet_events_sql(user: UserId, page: PageRequest) -> Sql {
    let rows = limit(page);
    // Each bet has an event. Of the first bet, all events may be on earlier pages.
    let (from, bets) = (page.after.map(|cursor| Cursor { key: 0, seq: cursor.key + 1 }), rows + 1);
    let parts = [own_sql(user, None, from, bets), arbitrated_sql(user, None, from, bets)];
    let part = |sql: Sql| Sql::new(format!("SELECT seq FROM ({}) AS part", sql.text), sql.binds);
    let Sql { text: own, mut binds } = Sql::join(parts.into_iter().map(part).collect(), " UNION ALL ");
    let is_after = match page.after {
        None => "TRUE",
        Some(Cursor { key, seq }) => {
            binds.extend([key.into(), seq.into()]);
            "(bets.seq < ? OR bet_events.seq > ?)"
        }
    };
    let text = format!(
        "FROM ({own}) AS page CROSS JOIN bets CROSS JOIN bet_events \
         WHERE bets.seq = page.seq AND bet_events.bet_seq = bets.seq AND {is_after} \
         ORDER BY bets.seq DESC, bet_events.seq LIMIT {rows}"
    );
    Sql::new(text, binds)
}

impl ExportQueries for Handle {
    fn totp_since(&self, user: UserId) -> Result<Option<Timestamp>> {
        let id = user.to_string();
        let since = self.read(|conn| {
            totp::table.find(&id).select(totp::confirmed_at).get_result::<Option<i64>>(conn).optional()
        })?;
        Cells { table: "totp", id: &id }.maybe_time("confirmed_at", since.flatten())
    }

    fn destinations_of(&self, user: UserId) -> Result<Vec<Destination>> {
        let rows = self.read(|conn| {
            destinations::table
                .filter(destinations::user_id.eq(user.to_string()))
                .order((destinations::confirmed_at, destinations::id))
                .select(contacts::DestinationRow::columns())
                .load(conn)
        })?;
        rows.into_iter().map(contacts::destination).collect()
    }

    fn bet_events_of(&self, user: UserId, page: PageRequest) -> Result<Page<(BetId, Event)>> {
        let columns = (bets::seq, bets::id, EventRow::columns());
        let query = Select { columns, from: bet_events_sql(user, page), is_kept: false };
        let rows = self.read(|conn| query.load::<(i64, String, EventRow)>(conn))?;
        cut_at(
            rows,
            page,
            |(bet, _, event)| Cursor { key: *bet, seq: event.seq() },
            |(_, id, event)| {
                let bet = Cells { table: "bets", id: &id }.parsed("id", &id)?;
                Ok((bet, bet_tables::event(event)?))
            },
        )
    }

    fn deposits_of(&self, user: UserId, page: PageRequest) -> Result<Page<Deposit>> {
        let rows = self.read(|conn| {
            deposits::table
                .filter(deposits::user_id.eq(user.to_string()))
                .filter(deposits::seq.lt(before(page)))
                .order(deposits::seq.desc())
                .limit(limit(page))
                .select((deposits::seq, (invoices::TermsRow::columns(), invoices::StateRow::columns())))
                .load::<(i64, invoices::Row)>(conn)
        })?;
        cut(rows, page, |row| row.0, |(_, row)| invoices::deposit(row))
    }

    fn messages_by(&self, user: UserId, page: PageRequest) -> Result<Page<(Message, Vec<PictureId>)>> {
        let (rows, attached) = self.read(|conn| {
            let rows = messages::table
                .filter(messages::author_id.eq(user.to_string()))
                .filter(messages::seq.lt(before(page)))
                .order(messages::seq.desc())
                .limit(limit(page))
                .select((messages::seq, MessageRow::as_select()))
                .load::<(i64, MessageRow)>(conn)?;
            let ids: Vec<String> = rows.iter().map(|(_, row)| row.id.clone()).collect();
            let attached = texts::attached(conn, &ids)?;
            Ok((rows, attached))
        })?;
        let attached = texts::by_message(attached)?;
        cut(
            rows,
            page,
            |row| row.0,
            |(_, row)| {
                let message = texts::message(row)?;
                let pictures = attached.get(&message.id).into_iter().flatten();
                let ids = pictures.map(|picture| picture.id).collect();
                Ok((message, ids))
            },
        )
    }

    fn pictures_by(&self, user: UserId, page: PageRequest) -> Result<Page<Picture>> {
        let rows = self.read(|conn| {
            pictures::table
                .filter(pictures::author_id.eq(user.to_string()))
                .filter(pictures::seq.lt(before(page)))
                .order(pictures::seq.desc())
                .limit(limit(page))
                .select((pictures::seq, PictureRow::as_select()))
                .load::<(i64, PictureRow)>(conn)
        })?;
        cut(rows, page, |row| row.0, |(_, row)| texts::picture(&row))
    }

    fn actions_on(&self, user: UserId, page: PageRequest) -> Result<Page<AdminActionView>> {
        let rows = self.read(|conn| admin_actions::rows_on(conn, user, page))?;
        admin_actions::page(rows, page)
    }
}
