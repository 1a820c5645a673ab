//! The lists of a user's own things that only the export of the account needs. All lists are read in pages, because a
//! user may have any number of rows.

use bolts_bets::Event;
use bolts_kernel::{BetId, PictureId, Timestamp, UserId};
use bolts_messages::{Message, Picture};
use bolts_wallet::Deposit;

use crate::deliveries::Destination;
use crate::error::Result;
use crate::queries::{Page, PageRequest};
use crate::views::AdminActionView;

/// The read side of the export.
pub trait ExportQueries {
    /// The time at which the user confirmed the authenticator app.
    fn totp_since(&self, user: UserId) -> Result<Option<Timestamp>>;

    /// The places to which the user's notifications are sent, in the order of their confirmation.
    fn destinations_of(&self, user: UserId) -> Result<Vec<Destination>>;

    /// A page of the events of the bets that [`Queries::bets_of`](crate::Queries::bets_of) and
    /// [`Queries::bets_arbitrated_by`](crate::Queries::bets_arbitrated_by) list for the user. The newest bet comes first, and
    /// of each bet the oldest event.
    fn bet_events_of(&self, user: UserId, page: PageRequest) -> Result<Page<(BetId, Event)>>;

    /// A page of the user's deposits, newest first.
    fn deposits_of(&self, user: UserId, page: PageRequest) -> Result<Page<Deposit>>;

    /// A page of the messages that the user wrote, newest first, with the ids of their pictures. Deleted messages are
    /// included.
    fn messages_by(&self, user: UserId, page: PageRequest) -> Result<Page<(Message, Vec<PictureId>)>>;

    /// A page of the pictures that the user uploaded, newest first, without their bytes.
    fn pictures_by(&self, user: UserId, page: PageRequest) -> Result<Page<Picture>>;

    /// A page of the recorded actions that affected the user, newest first.
    fn actions_on(&self, user: UserId, page: PageRequest) -> Result<Page<AdminActionView>>;
}
