use bolts_achievements::Figures;
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
    /// When they were written last: with the hash it tells one state of the row from every other.
    pub changed_at: Timestamp,
    /// Until when it opens the account, where it is a one-time password.
    pub one_time_until: Option<Timestamp>,
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

/// What a notification says, before it is worded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeBody {
    /// Something about a bet.
    Bet {
        /// What.
        kind: NoticeKind,
        /// What it is worded from.
        params: NoticeParams,
    },
    /// An achievement was unlocked.
    AchievementUnlocked {
        /// Its id.
        achievement: String,
    },
    /// An admin gave Bolts.
    BoltsGranted {
        /// How many.
        amount: Amount,
    },
    /// A deposit arrived.
    DepositReceived {
        /// How many sats.
        amount: Amount,
    },
    /// A withdrawal was paid.
    WithdrawalPaid {
        /// How many sats left.
        amount: Amount,
        /// What the route cost, in sats.
        fee: Amount,
    },
    /// A withdrawal was not paid, and everything is back.
    WithdrawalRefunded {
        /// How many sats are back.
        amount: Amount,
    },
}

/// The parameters of an unlocked achievement, as they are stored.
#[derive(Serialize, Deserialize)]
struct Unlocking {
    achievement: String,
}

/// The parameters of what moved a single amount, as they are stored.
#[derive(Serialize, Deserialize)]
struct Moved {
    amount: Amount,
}

/// The parameters of a paid withdrawal, as they are stored.
#[derive(Serialize, Deserialize)]
struct PaidOut {
    amount: Amount,
    fee: Amount,
}

impl NoticeBody {
    /// The name of its kind in the database.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Bet { kind, .. } => kind.as_str(),
            Self::AchievementUnlocked { .. } => "achievement_unlocked",
            Self::BoltsGranted { .. } => "bolts_granted",
            Self::DepositReceived { .. } => "deposit_received",
            Self::WithdrawalPaid { .. } => "withdrawal_paid",
            Self::WithdrawalRefunded { .. } => "withdrawal_refunded",
        }
    }

    /// Its parameters as JSON, as they are stored beside the kind.
    pub fn params(&self) -> String {
        let json = match self {
            Self::Bet { params, .. } => serde_json::to_string(params),
            Self::AchievementUnlocked { achievement } => {
                serde_json::to_string(&Unlocking { achievement: achievement.clone() })
            }
            Self::BoltsGranted { amount }
            | Self::DepositReceived { amount }
            | Self::WithdrawalRefunded { amount } => serde_json::to_string(&Moved { amount: *amount }),
            Self::WithdrawalPaid { amount, fee } => {
                serde_json::to_string(&PaidOut { amount: *amount, fee: *fee })
            }
        };
        // Plain structs of texts and numbers always have a JSON form.
        json.unwrap_or_default()
    }

    /// Reads what [`NoticeBody::kind`] and [`NoticeBody::params`] wrote.
    pub fn parse(kind: &str, params: &str) -> Option<Self> {
        match kind {
            "achievement_unlocked" => {
                let Unlocking { achievement } = serde_json::from_str(params).ok()?;
                Some(Self::AchievementUnlocked { achievement })
            }
            "bolts_granted" => moved(params).map(|amount| Self::BoltsGranted { amount }),
            "deposit_received" => moved(params).map(|amount| Self::DepositReceived { amount }),
            "withdrawal_refunded" => moved(params).map(|amount| Self::WithdrawalRefunded { amount }),
            "withdrawal_paid" => {
                let PaidOut { amount, fee } = serde_json::from_str(params).ok()?;
                Some(Self::WithdrawalPaid { amount, fee })
            }
            _ => {
                let kind = NoticeKind::parse(kind)?;
                Some(Self::Bet { kind, params: serde_json::from_str(params).ok()? })
            }
        }
    }
}

fn moved(params: &str) -> Option<Amount> {
    serde_json::from_str::<Moved>(params).ok().map(|moved| moved.amount)
}

/// What a notification about a bet is worded from when it is read.
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
    /// What it says.
    pub body: NoticeBody,
    /// Where a click on it leads.
    pub bet: Option<BetId>,
    /// Whether its user has clicked it.
    pub is_read: bool,
    /// When it was written.
    pub created_at: Timestamp,
}

/// An achievement that a user has unlocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlocked {
    /// Its id.
    pub achievement: String,
    /// When it was unlocked.
    pub unlocked_at: Timestamp,
    /// When its reward was claimed.
    pub claimed_at: Option<Timestamp>,
}

/// What a user's progress is shown from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AchievementsView {
    /// What the user has done.
    pub figures: Figures,
    /// What is unlocked, oldest first.
    pub unlocked: Vec<Unlocked>,
}

/// Something an admin did, with the people and the bet it was about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminActionView {
    /// Its place in the order of actions.
    pub seq: i64,
    /// The admin's email; `None` for the operator at the command line.
    pub admin: Option<String>,
    /// What, in snake case.
    pub action: String,
    /// The email of whom it was about.
    pub user: Option<String>,
    /// Which bet it was about.
    pub bet: Option<BetId>,
    /// Further words.
    pub detail: Option<String>,
    /// When.
    pub at: Timestamp,
}
