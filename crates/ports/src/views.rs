use bolts_bets::{Bet, NoticeKind, Outcome};
use bolts_kernel::{Amount, BetId, Currency, NotificationId, Timestamp, UserId};
use serde::{Deserialize, Serialize};

/// A user as the current-user call shows one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserView {
    /// The user's id.
    pub id: UserId,
    /// Lower case.
    pub email: String,
    /// Chosen name, if any.
    pub username: Option<String>,
    /// First name, if any.
    pub first_name: Option<String>,
    /// Last name, if any.
    pub last_name: Option<String>,
    /// When the user registered.
    pub created_at: Timestamp,
    /// Available Bolts.
    pub bolts: Amount,
    /// Available sats.
    pub sats: Amount,
    /// Whether the admin panel is open to this user.
    pub is_admin: bool,
    /// Signed in with a one-time password.
    pub must_change_password: bool,
}

/// A live session and its user, read in one query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// Whose session it is.
    pub user: UserView,
    /// When the session was last known to be used; written at most once an hour.
    pub last_seen_at: Timestamp,
}

/// What a sign-in is checked against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// Whose they are.
    pub user: UserId,
    /// The password's hash.
    pub password_hash: String,
}

/// How others see a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Chosen name, if any.
    pub username: Option<String>,
    /// In full; whoever shows it masks it.
    pub email: String,
}

/// A bet with the people on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetView {
    /// The bet.
    pub bet: Bet,
    /// Who made it.
    pub creator: Person,
    /// Who took the other side.
    pub acceptor: Option<Person>,
}

/// The marketplace's four tiles: public bets that are not deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tiles {
    /// Pending or accepted.
    pub active_bets: i64,
    /// Both sides' stakes ever escrowed, in Bolts.
    pub bolts_volume: i64,
    /// Both sides' stakes ever escrowed, in sats.
    pub sats_volume: i64,
    /// All of them.
    pub total_bets: i64,
}

/// A user's figures in one currency (decisions, section 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurrencyStats {
    /// Bets won.
    pub wins: i64,
    /// Bets lost.
    pub losses: i64,
    /// What winning added: the opponents' stakes.
    pub winnings: i64,
    /// What losing cost: the user's own stakes.
    pub losings: i64,
    /// The largest stake won from an opponent.
    pub best_win: i64,
    /// The largest stake lost.
    pub biggest_loss: i64,
    /// Created or accepted; deleted ones and those cancelled before acceptance left out.
    pub total_bets: i64,
    /// Pending, accepted or awaiting resolution.
    pub active_bets: i64,
}

/// A user's figures, over all bets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// In Bolts.
    pub bolts: CurrencyStats,
    /// In sats.
    pub sats: CurrencyStats,
}

/// What a notification is worded from when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeParams {
    /// The bet's title.
    pub title: String,
    /// `A`, `B` or `void`, where an outcome is spoken of.
    pub outcome: Option<String>,
    /// What that outcome is called on the bet.
    pub outcome_text: Option<String>,
    /// Whether the reader won, where the bet was resolved.
    pub won: Option<bool>,
    /// The stake of each side, in the currency's units.
    pub stake: Amount,
    /// The stake's currency.
    pub currency: Currency,
    /// The deadline spoken of.
    pub until: Option<Timestamp>,
}

impl NoticeParams {
    /// What a notice about `bet` is worded from.
    pub fn about(bet: &Bet, outcome: Option<Outcome>, until: Option<Timestamp>, reader: UserId) -> Self {
        Self {
            title: bet.terms.title.to_string(),
            outcome: outcome.map(|o| o.to_string()),
            outcome_text: outcome.map(|o| bet.outcome_text(o).to_owned()),
            won: bet.winner().map(|winner| winner == reader),
            stake: bet.terms.stake.amount,
            currency: bet.terms.stake.currency,
            until,
        }
    }
}

/// A notification, before it is worded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationView {
    /// Its id.
    pub id: NotificationId,
    /// What it is about.
    pub kind: NoticeKind,
    /// What it is worded from.
    pub params: NoticeParams,
    /// Where a click on it leads.
    pub bet: Option<BetId>,
    /// Whether its user has clicked it.
    pub is_read: bool,
    /// When it was written.
    pub created_at: Timestamp,
}
