//! The types that the read side of the database returns.

use bolts_achievements::Figures;
use bolts_bets::{Bet, Contribution, NoticeKind, Outcome};
use bolts_kernel::{Amount, BetId, Currency, NotificationId, PerCurrency, Timestamp, UserId, sha256_hex};
use serde::{Deserialize, Serialize};

use crate::account_event::AccountEvent;
use crate::factors::SecurityNotice;

/// A user, with the data that the user's own pages show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserView {
    /// The user's id.
    pub id: UserId,
    /// The e-mail address in lower case.
    pub email: String,
    /// The username, if the user chose one.
    pub username: Option<String>,
    /// The first name, if given.
    pub first_name: Option<String>,
    /// The last name, if given.
    pub last_name: Option<String>,
    /// The time of the registration.
    pub created_at: Timestamp,
    /// The user's available balances.
    pub balances: PerCurrency<Amount>,
    /// Whether the user is an admin.
    pub is_admin: bool,
    /// Whether the user has a second factor.
    pub has_second_factor: bool,
    /// Whether the user signed in with a one-time password and must change it first.
    pub must_change_password: bool,
}

/// A live session and its user, read in one query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// The user of the session.
    pub user: UserView,
    /// The time of the last recorded use of the session. It is updated at most once per hour.
    pub last_seen_at: Timestamp,
    /// The time at which the second factor was last proved in this session. `None` if it never was.
    pub proved_at: Option<Timestamp>,
}

/// The stored data against which a sign-in is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The user of the credentials.
    pub user: UserId,
    /// The hash of the user's password.
    pub password_hash: String,
    /// The time of the last change. Together with the hash, this time identifies one version of the credentials.
    pub changed_at: Timestamp,
    /// The expiry of a one-time password. `None` for an ordinary password.
    pub one_time_until: Option<Timestamp>,
}

impl Credentials {
    /// A hash that identifies this version of the credentials. It reveals nothing about the password.
    pub fn version(&self) -> String {
        sha256_hex(format!("{} {}", self.changed_at.micros(), self.password_hash))
    }
}

/// A user, with the data that the pages of other users need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The username, if the user chose one.
    pub username: Option<String>,
    /// The full e-mail address. Code that shows the address to others must mask it.
    pub email: String,
}

/// A user who was found by the username.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedUser {
    /// The user's id.
    pub id: UserId,
    /// The username.
    pub username: String,
}

/// A bet with its creator, its acceptor and its arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetView {
    /// The bet.
    pub bet: Bet,
    /// The creator of the bet.
    pub creator: Person,
    /// The user who accepted the bet.
    pub acceptor: Option<Person>,
    /// The user whom the creator named as the arbiter.
    pub arbiter: Option<Person>,
}

/// The market figures at the top of the marketplace page. They cover public bets that are not deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarketStats {
    /// The number of pending and accepted bets.
    pub active_bets: i64,
    /// The sum of all stakes that both sides ever put into escrow.
    pub volume: PerCurrency<i64>,
    /// The number of bets in all statuses.
    pub total_bets: i64,
}

/// The statistics of a user in one currency (`docs/product.md#statistics-and-achievements`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurrencyStats {
    /// The number of bets won.
    pub wins: i64,
    /// The number of bets lost.
    pub losses: i64,
    /// The sum of the opponents' stakes in the bets won.
    pub winnings: i64,
    /// The sum of the user's stakes in the bets lost.
    pub losings: i64,
    /// The largest stake that the user won from an opponent.
    pub best_win: i64,
    /// The largest stake that the user lost.
    pub biggest_loss: i64,
    /// The number of bets that the user created or accepted. Deleted bets and bets that were cancelled before
    /// acceptance do not count.
    pub total_bets: i64,
    /// The number of bets that are pending, accepted or awaiting resolution.
    pub active_bets: i64,
}

impl CurrencyStats {
    /// The statistics of a user who has only one bet, with this contribution.
    pub const fn of(contribution: Contribution) -> Self {
        let none = Self {
            wins: 0,
            losses: 0,
            winnings: 0,
            losings: 0,
            best_win: 0,
            biggest_loss: 0,
            total_bets: 0,
            active_bets: 0,
        };
        let one = Self { total_bets: 1, ..none };
        match contribution {
            Contribution::None => none,
            Contribution::Open => Self { active_bets: 1, ..one },
            Contribution::Void => one,
            Contribution::Won(amount) => {
                Self { wins: 1, winnings: amount.get(), best_win: amount.get(), ..one }
            }
            Contribution::Lost(amount) => {
                Self { losses: 1, losings: amount.get(), biggest_loss: amount.get(), ..one }
            }
        }
    }
}

/// The statistics of a user, one set for each currency.
pub type Stats = PerCurrency<CurrencyStats>;

/// The statistics and the unlocked achievements of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The statistics.
    pub stats: Stats,
    /// The ids of the unlocked achievements, in their alphabetical order.
    pub unlocked: Vec<String>,
}

/// The figures that achievements depend on, from a user's statistics and current streak of wins.
pub fn figures_of(stats: &Stats, win_streak: i64) -> Figures {
    Figures {
        total_bets: stats.sum(|figures| figures.total_bets),
        wins: stats.sum(|figures| figures.wins),
        win_streak,
        total_winnings_sats: stats[Currency::Sats].winnings,
    }
}

/// The content of a notification. The server writes the text only when a user reads the notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeBody {
    /// A notification about a bet.
    Bet {
        /// The kind of the notification.
        kind: NoticeKind,
        /// The values for the text of the notification.
        params: NoticeParams,
    },
    /// An achievement was unlocked.
    AchievementUnlocked {
        /// The id of the achievement.
        achievement: String,
    },
    /// An admin gave Bolts to the user.
    BoltsGranted {
        /// The number of Bolts that the user got.
        amount: Amount,
    },
    /// A deposit arrived.
    DepositReceived {
        /// The amount of the deposit, in sats.
        amount: Amount,
    },
    /// A withdrawal was paid.
    WithdrawalPaid {
        /// The amount that was paid, in sats.
        amount: Amount,
        /// The fee of the route, in sats.
        fee: Amount,
    },
    /// A withdrawal was not paid. The user got the whole hold back.
    WithdrawalRefunded {
        /// The sats that the user got back.
        amount: Amount,
    },
    /// Something happened to the account.
    Account {
        /// The event.
        event: AccountEvent,
    },
    /// Something changed that matters for the security of the account.
    Security(SecurityNotice),
}

/// The stored parameters of `AchievementUnlocked`.
#[derive(Serialize, Deserialize)]
struct Unlocking {
    achievement: String,
}

/// The stored parameters of a notification with a single amount.
#[derive(Serialize, Deserialize)]
struct Moved {
    amount: Amount,
}

/// The stored parameters of `WithdrawalPaid`.
#[derive(Serialize, Deserialize)]
struct PaidOut {
    amount: Amount,
    fee: Amount,
}

impl NoticeBody {
    /// The name of the kind in the database.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Bet { kind, .. } => kind.as_str(),
            Self::AchievementUnlocked { .. } => "achievement_unlocked",
            Self::BoltsGranted { .. } => "bolts_granted",
            Self::DepositReceived { .. } => "deposit_received",
            Self::WithdrawalPaid { .. } => "withdrawal_paid",
            Self::WithdrawalRefunded { .. } => "withdrawal_refunded",
            Self::Account { event } => event.as_str(),
            Self::Security(notice) => notice.kind(),
        }
    }

    /// The parameters as JSON. The database stores them next to the kind.
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
            Self::Account { .. } => Ok("{}".to_owned()),
            Self::Security(notice) => notice.params(),
        };
        // The serialization of texts and numbers cannot fail.
        json.unwrap_or_default()
    }

    /// Reads the output of [`NoticeBody::kind`] and [`NoticeBody::params`].
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
            _ if AccountEvent::parse(kind).is_some() => {
                AccountEvent::parse(kind).map(|event| Self::Account { event })
            }
            _ => {
                if let Some(notice) = SecurityNotice::parse(kind, params) {
                    return Some(Self::Security(notice));
                }
                let kind = NoticeKind::parse(kind)?;
                Some(Self::Bet { kind, params: serde_json::from_str(params).ok()? })
            }
        }
    }
}

fn moved(params: &str) -> Option<Amount> {
    serde_json::from_str::<Moved>(params).ok().map(|moved| moved.amount)
}

/// The values for the text of a notification about a bet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeParams {
    /// The bet's title.
    pub title: String,
    /// `A`, `B` or `void`, if the notification names an outcome.
    pub outcome: Option<String>,
    /// The text that the bet gives to this outcome.
    pub outcome_text: Option<String>,
    /// Whether the reader won, if the bet was resolved.
    pub won: Option<bool>,
    /// The reader's stake, in whole units of the currency. For admins, the creator's stake.
    pub stake: Amount,
    /// The stake against it. `None` means the same stake: earlier releases stored no second stake.
    #[serde(default)]
    pub opponent_stake: Option<Amount>,
    /// The currency of the stake.
    pub currency: Currency,
    /// The username of the user who took the bet, if the notification tells of it and the user has a username.
    pub taker: Option<String>,
    /// The deadline that the notification names.
    pub until: Option<Timestamp>,
    /// The name of the task that the reader has, in the notification that a bet has expired. Earlier releases stored none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
}

impl NoticeParams {
    /// The values for a notification of `reader` about `bet`.
    pub fn about(bet: &Bet, outcome: Option<Outcome>, until: Option<Timestamp>, reader: UserId) -> Self {
        let side = bet.side_of(reader).unwrap_or(bet.creator_side);
        Self {
            title: bet.terms.title.to_string(),
            outcome: outcome.map(|o| o.to_string()),
            outcome_text: outcome.map(|o| bet.outcome_text(o).to_owned()),
            won: bet.winner().map(|winner| winner == reader),
            stake: bet.stake_of(side).amount,
            opponent_stake: Some(bet.stake_of(side.opposite()).amount),
            currency: bet.terms.stake.currency,
            taker: None,
            until,
            task: None,
        }
    }
}

/// A notification without its text. The use case writes the text from the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationView {
    /// The id of the notification.
    pub id: NotificationId,
    /// The content of the notification.
    pub body: NoticeBody,
    /// The bet that the notification links to.
    pub bet: Option<BetId>,
    /// Whether the user has marked the notification as read.
    pub is_read: bool,
    /// The time at which the notification was written.
    pub created_at: Timestamp,
}

/// An achievement that a user has unlocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlocked {
    /// The id of the achievement.
    pub achievement: String,
    /// The time at which the achievement was unlocked.
    pub unlocked_at: Timestamp,
    /// The time at which the reward was claimed.
    pub claimed_at: Option<Timestamp>,
}

/// The data for the achievements page of a user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AchievementsView {
    /// The figures that the conditions of achievements use.
    pub figures: Figures,
    /// The unlocked achievements, oldest first.
    pub unlocked: Vec<Unlocked>,
}

/// A recorded action of an admin, with the users and the bet that it affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminActionView {
    /// The position in the order of actions.
    pub seq: i64,
    /// The e-mail address of the admin. `None` for the operator at the command line.
    pub admin: Option<String>,
    /// The name of the action in snake case.
    pub action: String,
    /// The e-mail address of the affected user, if any.
    pub user: Option<String>,
    /// The affected bet, if any.
    pub bet: Option<BetId>,
    /// Further details about the action, in words.
    pub detail: Option<String>,
    /// The time of the action.
    pub at: Timestamp,
}
