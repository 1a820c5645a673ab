//! Messages and pictures. No query reads the bytes of a picture except the one that serves the picture.

use std::collections::HashMap;

use bolts_bets::{Deletion, Text};
use bolts_kernel::{BetId, MessageId, PictureId, Timestamp, UserId};
use bolts_messages::{Content, Message, Picture, PictureFormat};
use bolts_ports::{
    AttachedPicture, MessageOrder, MessageQueries, MessageView, Messages, Page, PageRequest, Result,
};
use diesel::prelude::*;

use super::rows::{self, Cells, PersonRow, cut};
use super::transaction::Transaction;
use super::{Conn, Handle, remove_some};
use crate::schema::{messages, pictures, users};

/// The columns of a message.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = messages, treat_none_as_default_value = false)]
pub(super) struct MessageRow {
    pub(super) id: String,
    bet_id: String,
    author_id: String,
    body: Option<String>,
    is_evidence: bool,
    created_at: i64,
    deleted_at: Option<i64>,
    deleted_by: Option<String>,
}

/// The columns of a picture without its bytes.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = pictures, treat_none_as_default_value = false)]
pub(super) struct PictureRow {
    id: String,
    bet_id: String,
    author_id: String,
    message_id: Option<String>,
    format: String,
    width: i64,
    height: i64,
    alt: String,
    created_at: i64,
}

impl MessageRow {
    fn of(message: &Message) -> Self {
        let deletion = match &message.content {
            Content::Text(_) => None,
            Content::Deleted(deletion) => Some(deletion),
        };
        Self {
            id: message.id.to_string(),
            bet_id: message.bet.to_string(),
            author_id: message.author.to_string(),
            body: message.text().map(str::to_owned),
            is_evidence: message.is_evidence,
            created_at: message.created_at.micros(),
            deleted_at: deletion.map(|deletion| deletion.at.micros()),
            deleted_by: deletion.map(|deletion| deletion.by.to_string()),
        }
    }
}

impl PictureRow {
    fn of(picture: &Picture) -> Self {
        Self {
            id: picture.id.to_string(),
            bet_id: picture.bet.to_string(),
            author_id: picture.author.to_string(),
            message_id: picture.message.map(|id| id.to_string()),
            format: picture.format.to_string(),
            width: picture.width.into(),
            height: picture.height.into(),
            alt: picture.alt.to_string(),
            created_at: picture.created_at.micros(),
        }
    }
}

pub(super) fn message(row: MessageRow) -> Result<Message> {
    let cells = Cells { table: "messages", id: &row.id };
    let content = match (row.body, row.deleted_at, row.deleted_by) {
        (Some(text), None, None) => Content::Text(Text::from_stored(text)),
        (None, Some(at), Some(by)) => Content::Deleted(Deletion {
            at: cells.time("deleted_at", at)?,
            by: cells.parsed("deleted_by", &by)?,
        }),
        (Some(_) | None, _, _) => return Err(cells.broken("body")),
    };
    Ok(Message {
        id: cells.parsed("id", &row.id)?,
        bet: cells.parsed("bet_id", &row.bet_id)?,
        author: cells.parsed("author_id", &row.author_id)?,
        content,
        is_evidence: row.is_evidence,
        created_at: cells.time("created_at", row.created_at)?,
    })
}

pub(super) fn picture(row: &PictureRow) -> Result<Picture> {
    let cells = Cells { table: "pictures", id: &row.id };
    Ok(Picture {
        id: cells.parsed("id", &row.id)?,
        bet: cells.parsed("bet_id", &row.bet_id)?,
        author: cells.parsed("author_id", &row.author_id)?,
        message: row.message_id.as_deref().map(|id| cells.parsed("message_id", id)).transpose()?,
        format: cells.known("format", PictureFormat::parse(&row.format))?,
        width: cells.known("width", row.width.try_into().ok())?,
        height: cells.known("height", row.height.try_into().ok())?,
        alt: Text::from_stored(row.alt.clone()),
        created_at: cells.time("created_at", row.created_at)?,
    })
}

impl Messages for Transaction<'_> {
    fn insert(&mut self, message: &Message, chosen: &[PictureId]) -> Result<()> {
        let row = MessageRow::of(message);
        self.run(|conn| diesel::insert_into(messages::table).values(row).execute(conn))?;
        for (place, id) in (0_i64..).zip(chosen) {
            let touched = self.run(|conn| {
                let loose = pictures::table
                    .filter(pictures::id.eq(id.to_string()))
                    .filter(pictures::bet_id.eq(message.bet.to_string()))
                    .filter(pictures::author_id.eq(message.author.to_string()))
                    .filter(pictures::message_id.is_null());
                let attached = (pictures::message_id.eq(message.id.to_string()), pictures::place.eq(place));
                diesel::update(loose).set(attached).execute(conn)
            })?;
            self.expect_rows(touched, 1, "a loose picture")?;
        }
        Ok(())
    }

    fn lock(&mut self, id: MessageId) -> Result<Option<Message>> {
        let row = self.run(|conn| {
            let row = messages::table.filter(messages::id.eq(id.to_string()));
            locked!(row.select(MessageRow::as_select())).get_result(conn).optional()
        })?;
        self.remember(row.map(message).transpose())
    }

    fn delete(&mut self, message: &Message) -> Result<()> {
        let row = MessageRow::of(message);
        let touched = self.run(|conn| {
            diesel::delete(pictures::table.filter(pictures::message_id.eq(&row.id))).execute(conn)?;
            let changed = (
                messages::body.eq(&row.body),
                messages::deleted_at.eq(row.deleted_at),
                messages::deleted_by.eq(&row.deleted_by),
            );
            diesel::update(messages::table.filter(messages::id.eq(&row.id))).set(changed).execute(conn)
        })?;
        self.expect_rows(touched, 1, "a message")
    }

    fn view(&mut self, message: Message) -> Result<MessageView> {
        let author = self.person(message.author)?;
        let id = message.id.to_string();
        let rows = self.run(|conn| attached(conn, std::slice::from_ref(&id)))?;
        let pictures = self.remember(by_message(rows))?.remove(&message.id).unwrap_or_default();
        Ok(MessageView { message, author, pictures })
    }

    fn recent_authors(&mut self, bet: BetId, count: u32) -> Result<Vec<UserId>> {
        let mut ids = self.run(|conn| {
            messages::table
                .filter(messages::bet_id.eq(bet.to_string()))
                .order(messages::seq.desc())
                .limit(count.into())
                .select(messages::author_id)
                .load::<String>(conn)
        })?;
        ids.sort_unstable();
        ids.dedup();
        let parsed = ids.iter().map(|id| Cells { table: "messages", id }.parsed("author_id", id)).collect();
        self.remember(parsed)
    }

    fn insert_picture(&mut self, picture: &Picture, bytes: &[u8]) -> Result<()> {
        let row = (PictureRow::of(picture), pictures::bytes.eq(bytes));
        self.run(|conn| diesel::insert_into(pictures::table).values(row).execute(conn)).map(drop)
    }

    fn lock_picture(&mut self, id: PictureId) -> Result<Option<Picture>> {
        let row = self.run(|conn| {
            let row = pictures::table.filter(pictures::id.eq(id.to_string()));
            locked!(row.select(PictureRow::as_select())).get_result(conn).optional()
        })?;
        self.remember(row.as_ref().map(picture).transpose())
    }

    fn delete_picture(&mut self, id: PictureId) -> Result<()> {
        let touched = self.run(|conn| {
            let row = pictures::table.filter(pictures::id.eq(id.to_string()));
            diesel::delete(row.filter(pictures::message_id.is_null())).execute(conn)
        })?;
        self.expect_rows(touched, 1, "a loose picture")
    }

    fn uploads(&mut self, bet: BetId, user: UserId) -> Result<u32> {
        // A bet has few pictures, and a user may have many. So the database looks only for the bet.
        let authors = self.run(|conn| {
            let of_bet = pictures::table.filter(pictures::bet_id.eq(bet.to_string()));
            of_bet.select(pictures::author_id).load::<String>(conn)
        })?;
        let user = user.to_string();
        let own = authors.iter().filter(|author| **author == user).count();
        Ok(u32::try_from(own).unwrap_or(u32::MAX))
    }

    fn loose_pictures(&mut self, bet: BetId, user: UserId) -> Result<Vec<PictureId>> {
        let ids = self.run(|conn| {
            let loose = pictures::table
                .filter(pictures::bet_id.eq(bet.to_string()))
                .filter(pictures::author_id.eq(user.to_string()))
                .filter(pictures::message_id.is_null())
                .order(pictures::seq)
                .select(pictures::id);
            locked!(loose).load::<String>(conn)
        })?;
        let parsed = ids.iter().map(|id| Cells { table: "pictures", id }.parsed("id", id)).collect();
        self.remember(parsed)
    }

    fn remove_loose_pictures(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        let is_loose = "message_id IS NULL AND created_at < ?";
        self.run(|conn| remove_some(conn, ("pictures", "seq"), is_loose, &[before.micros()], limit))
    }
}

impl MessageQueries for Handle {
    fn messages(&self, bet: BetId, order: MessageOrder, page: PageRequest) -> Result<Page<MessageView>> {
        let (rows, pictures) = self.read(|conn| {
            let rows = list(conn, bet, order, page)?;
            let ids: Vec<String> = rows.iter().map(|(_, message, _)| message.id.clone()).collect();
            let pictures = attached(conn, &ids)?;
            Ok((rows, pictures))
        })?;
        let pictures = by_message(pictures)?;
        cut(
            rows,
            page,
            |row| row.0,
            |(_, row, author)| {
                let message = message(row)?;
                let pictures = pictures.get(&message.id).cloned().unwrap_or_default();
                Ok(MessageView { message, author: rows::person(author), pictures })
            },
        )
    }

    fn bet_of_message(&self, id: MessageId) -> Result<Option<BetId>> {
        let id = id.to_string();
        let bet = self.read(|conn| {
            let row = messages::table.filter(messages::id.eq(&id));
            row.select(messages::bet_id).get_result::<String>(conn).optional()
        })?;
        bet.map(|bet| Cells { table: "messages", id: &id }.parsed("bet_id", &bet)).transpose()
    }

    fn picture(&self, id: PictureId) -> Result<Option<Picture>> {
        let row = self.read(|conn| {
            let row = pictures::table.filter(pictures::id.eq(id.to_string()));
            row.select(PictureRow::as_select()).get_result(conn).optional()
        })?;
        row.as_ref().map(picture).transpose()
    }

    fn picture_bytes(&self, id: PictureId) -> Result<Option<Vec<u8>>> {
        self.read(|conn| {
            let row = pictures::table.filter(pictures::id.eq(id.to_string()));
            row.select(pictures::bytes).get_result(conn).optional()
        })
    }
}

type ListRow = (i64, MessageRow, PersonRow);

/// The rows of a page of messages. An additional row shows whether there is a next page.
fn list(conn: &mut Conn, bet: BetId, order: MessageOrder, page: PageRequest) -> QueryResult<Vec<ListRow>> {
    let query = messages::table
        .inner_join(users::table.on(users::id.eq(messages::author_id)))
        .filter(messages::bet_id.eq(bet.to_string()))
        .limit(i64::from(page.limit) + 1)
        .select((messages::seq, MessageRow::as_select(), (users::username, users::email)));
    let after = page.after.map(|cursor| cursor.seq);
    match order {
        MessageOrder::OldestFirst => {
            query.filter(messages::seq.gt(after.unwrap_or(0))).order(messages::seq.asc()).load(conn)
        }
        MessageOrder::NewestFirst => {
            query.filter(messages::seq.lt(after.unwrap_or(i64::MAX))).order(messages::seq.desc()).load(conn)
        }
    }
}

/// The pictures of these messages, those of one message in their order.
pub(super) fn attached(conn: &mut Conn, messages: &[String]) -> QueryResult<Vec<PictureRow>> {
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    pictures::table
        .filter(pictures::message_id.eq_any(messages))
        .order((pictures::message_id, pictures::place))
        .select(PictureRow::as_select())
        .load(conn)
}

pub(super) fn by_message(rows: Vec<PictureRow>) -> Result<HashMap<MessageId, Vec<AttachedPicture>>> {
    let mut found: HashMap<MessageId, Vec<AttachedPicture>> = HashMap::new();
    for row in rows {
        let picture = picture(&row)?;
        if let Some(message) = picture.message {
            found.entry(message).or_default().push(AttachedPicture::from(&picture));
        }
    }
    Ok(found)
}
