use bolts_bets::Event;
use bolts_kernel::{BetId, PictureId, Timestamp, UserId};
use bolts_messages::{Message, Picture};
use bolts_ports::{AdminActionView, Cursor, Destination, ExportQueries, Page, PageRequest, Result};
use bolts_wallet::Deposit;

use super::MemoryStore;
use super::wallet::cut;

impl ExportQueries for MemoryStore {
    fn totp_since(&self, user: UserId) -> Result<Option<Timestamp>> {
        Ok(self.state().totp.get(&user).and_then(|totp| totp.confirmed_at))
    }

    fn destinations_of(&self, user: UserId) -> Result<Vec<Destination>> {
        Ok(self.state().outgoing.destinations_of(user))
    }

    fn bet_events_of(&self, user: UserId, page: PageRequest) -> Result<Page<(BetId, Event)>> {
        let state = self.state();
        let mut rows = Vec::new();
        for row in state.live_bets().filter(|row| row.bet.concerns(user)) {
            let events = (1..).zip(&row.events);
            rows.extend(
                events.map(|(seq, event)| (Cursor { key: row.seq, seq }, (row.bet.id, event.clone()))),
            );
        }
        rows.sort_by_key(|(place, _)| (-place.key, place.seq));
        rows.retain(|(place, _)| {
            page.after.is_none_or(|after| (-after.key, after.seq) < (-place.key, place.seq))
        });
        let more = rows.len() > page.limit as usize;
        rows.truncate(page.limit as usize);
        let next = rows.last().map(|(place, _)| *place).filter(|_| more);
        Ok(Page { items: rows.into_iter().map(|(_, item)| item).collect(), next })
    }

    fn deposits_of(&self, user: UserId, page: PageRequest) -> Result<Page<Deposit>> {
        let state = self.state();
        let own = (1..).zip(state.deposits.values()).filter(|(_, deposit)| deposit.user == user);
        Ok(cut(own.collect(), page, Deposit::clone))
    }

    fn messages_by(&self, user: UserId, page: PageRequest) -> Result<Page<(Message, Vec<PictureId>)>> {
        let state = self.state();
        let own = (1..).zip(state.messages.iter()).filter(|(_, row)| row.message.author == user);
        Ok(cut(own.collect(), page, |row| (row.message.clone(), row.pictures.clone())))
    }

    fn pictures_by(&self, user: UserId, page: PageRequest) -> Result<Page<Picture>> {
        let state = self.state();
        let pictures = state.pictures.values().map(|row| &row.picture);
        let own = (1..).zip(pictures).filter(|(_, picture)| picture.author == user);
        Ok(cut(own.collect(), page, Picture::clone))
    }

    fn actions_on(&self, user: UserId, page: PageRequest) -> Result<Page<AdminActionView>> {
        let state = self.state();
        let own = (1..).zip(state.admin_actions.iter()).filter(|(_, action)| action.user == Some(user));
        let rows = own.map(|(seq, action)| (seq, (seq, action))).collect();
        Ok(cut(rows, page, |(seq, action)| state.action_view(seq, action)))
    }
}
