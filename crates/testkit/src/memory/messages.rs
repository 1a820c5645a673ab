use std::sync::Arc;

use bolts_kernel::{BetId, MessageId, PictureId, Timestamp, UserId};
use bolts_messages::{Message, Picture};
use bolts_ports::{
    AttachedPicture, Cursor, MessageOrder, MessageQueries, MessageView, Messages, Page, PageRequest, Result,
};

use super::MemoryStore;
use super::removal::Removal;
use super::state::{State, broken};
use super::tx::MemoryTx;

#[derive(Clone, Debug)]
pub(super) struct MessageRow {
    pub(super) message: Message,
    /// The pictures of the message, in their order.
    pub(super) pictures: Vec<PictureId>,
}

#[derive(Clone, Debug)]
pub(super) struct PictureRow {
    pub(super) picture: Picture,
    bytes: Arc<Vec<u8>>,
}

impl State {
    fn pictures_on(&self, bet: BetId) -> impl Iterator<Item = &Picture> {
        self.pictures.values().map(|row| &row.picture).filter(move |picture| picture.bet == bet)
    }

    /// Removes the pictures of this user that belong to no message.
    pub(super) fn remove_loose_pictures_of(&mut self, user: UserId) {
        self.pictures.retain(|_, row| row.picture.author != user || row.picture.message.is_some());
    }

    fn message_view(&self, row: &MessageRow) -> Result<MessageView> {
        let pictures = row.pictures.iter().filter_map(|id| self.pictures.get(id));
        Ok(MessageView {
            message: row.message.clone(),
            author: self.person(row.message.author)?,
            pictures: pictures.map(|row| AttachedPicture::from(&row.picture)).collect(),
        })
    }
}

impl Messages for MemoryTx {
    fn insert(&mut self, message: &Message, pictures: &[PictureId]) -> Result<()> {
        for id in pictures {
            let row = self.state.pictures.get_mut(id).filter(|row| {
                let Picture { bet, author, message: used, .. } = row.picture;
                used.is_none() && bet == message.bet && author == message.author
            });
            let row = row.ok_or_else(|| broken(format!("picture {id} is not loose")))?;
            row.picture.message = Some(message.id);
        }
        self.state.messages.push(MessageRow { message: message.clone(), pictures: pictures.to_vec() });
        Ok(())
    }

    fn lock(&mut self, id: MessageId) -> Result<Option<Message>> {
        Ok(self.state.messages.iter().find(|row| row.message.id == id).map(|row| row.message.clone()))
    }

    fn delete(&mut self, message: &Message) -> Result<()> {
        let row = self.state.messages.iter_mut().find(|row| row.message.id == message.id);
        let row = row.ok_or_else(|| broken(format!("no message {}", message.id)))?;
        row.message = message.clone();
        for id in std::mem::take(&mut row.pictures) {
            self.state.pictures.remove(&id);
        }
        Ok(())
    }

    fn view(&mut self, message: Message) -> Result<MessageView> {
        let row = self.state.messages.iter().find(|row| row.message.id == message.id);
        let pictures = row.map(|row| row.pictures.clone()).unwrap_or_default();
        self.state.message_view(&MessageRow { message, pictures })
    }

    fn recent_authors(&mut self, bet: BetId, count: u32) -> Result<Vec<UserId>> {
        let of_bet = self.state.messages.iter().rev().filter(|row| row.message.bet == bet);
        let mut authors: Vec<UserId> = of_bet.take(count as usize).map(|row| row.message.author).collect();
        authors.sort_unstable();
        authors.dedup();
        Ok(authors)
    }

    fn insert_picture(&mut self, picture: &Picture, bytes: &[u8]) -> Result<()> {
        let row = PictureRow { picture: picture.clone(), bytes: Arc::new(bytes.to_vec()) };
        self.state.pictures.insert(picture.id, row);
        Ok(())
    }

    fn lock_picture(&mut self, id: PictureId) -> Result<Option<Picture>> {
        Ok(self.state.pictures.get(&id).map(|row| row.picture.clone()))
    }

    fn delete_picture(&mut self, id: PictureId) -> Result<()> {
        let is_loose = self.state.pictures.get(&id).is_some_and(|row| row.picture.message.is_none());
        if !is_loose {
            return Err(broken(format!("picture {id} is not loose")));
        }
        self.state.pictures.remove(&id);
        Ok(())
    }

    fn uploads(&mut self, bet: BetId, user: UserId) -> Result<u32> {
        Ok(self.state.pictures_on(bet).map(|picture| u32::from(picture.author == user)).sum())
    }

    fn loose_pictures(&mut self, bet: BetId, user: UserId) -> Result<Vec<PictureId>> {
        let is_loose = |picture: &&Picture| picture.message.is_none() && picture.author == user;
        Ok(self.state.pictures_on(bet).filter(is_loose).map(|picture| picture.id).collect())
    }

    fn remove_loose_pictures(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        let is_kept = |picture: &Picture| picture.message.is_some() || picture.created_at >= before;
        let mut some = Removal::of(limit);
        self.state.pictures.retain(|_, row| some.keeps(is_kept(&row.picture)));
        Ok(some.removed())
    }
}

impl MessageQueries for MemoryStore {
    fn messages(&self, bet: BetId, order: MessageOrder, page: PageRequest) -> Result<Page<MessageView>> {
        let state = self.state();
        let mut rows: Vec<_> =
            (1..).zip(state.messages.iter()).filter(|(_, row)| row.message.bet == bet).collect();
        if order == MessageOrder::NewestFirst {
            rows.reverse();
        }
        let is_after = |seq: i64| match (page.after, order) {
            (None, _) => true,
            (Some(after), MessageOrder::OldestFirst) => seq > after.seq,
            (Some(after), MessageOrder::NewestFirst) => seq < after.seq,
        };
        rows.retain(|(seq, _)| is_after(*seq));
        let more = rows.len() > page.limit as usize;
        rows.truncate(page.limit as usize);
        let next = rows.last().map(|(seq, _)| Cursor { key: 0, seq: *seq }).filter(|_| more);
        let items = rows.into_iter().map(|(_, row)| state.message_view(row)).collect::<Result<_>>()?;
        Ok(Page { items, next })
    }

    fn bet_of_message(&self, id: MessageId) -> Result<Option<BetId>> {
        let state = self.state();
        Ok(state.messages.iter().find(|row| row.message.id == id).map(|row| row.message.bet))
    }

    fn picture(&self, id: PictureId) -> Result<Option<Picture>> {
        Ok(self.state().pictures.get(&id).map(|row| row.picture.clone()))
    }

    fn picture_bytes(&self, id: PictureId) -> Result<Option<Vec<u8>>> {
        Ok(self.state().pictures.get(&id).map(|row| row.bytes.to_vec()))
    }
}
