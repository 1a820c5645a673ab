use bolts_kernel::{PictureId, Timestamp, UserId};
use bolts_messages::{Message, Picture};
use bolts_ports::{AdminActionView, Destination, ExportQueries, Page, PageRequest, Result};
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

    fn deposits_of(&self, user: UserId, page: PageRequest) -> Result<Page<Deposit>> {
        let state = self.state();
        let own = (1..).zip(state.deposits.values()).filter(|(_, deposit)| deposit.user == user);
        Ok(cut(own.collect(), page, Deposit::clone))
    }

    fn messages_by(&self, user: UserId, page: PageRequest) -> Result<Page<(Message, Vec<PictureId>)>> {
        let state = self.state();
        let own = (1..).zip(&state.messages).filter(|(_, row)| row.message.author == user);
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
        let own = (1..).zip(&state.admin_actions).filter(|(_, action)| action.user == Some(user));
        let rows = own.map(|(seq, action)| (seq, (seq, action))).collect();
        Ok(cut(rows, page, |(seq, action)| state.action_view(seq, action)))
    }
}
