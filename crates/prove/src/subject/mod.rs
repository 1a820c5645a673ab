//! The product as the model's opponent: the same actions, done by the use cases or over HTTP.

mod calls;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod orders;
mod provider;
mod site;
mod use_cases;
#[cfg(feature = "http")]
mod wire;

pub(crate) use site::Site;

use bolts_kernel::BetId;

use crate::backend::Backend;
use crate::model::{Action, Answer, Figures, News, Status};

/// The way on which users reach the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The methods of the use cases.
    UseCases,
    /// Requests to an HTTP server in this process.
    #[cfg(feature = "http")]
    Http,
}

/// What a user sees of the own account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenUser {
    pub(crate) bolts: i64,
    pub(crate) sats: i64,
    /// The ids of the unlocked achievements, and whether the reward was claimed.
    pub(crate) unlocked: Vec<(String, bool)>,
    pub(crate) figures: [Figures; 2],
    /// The current value of the figure of each achievement.
    pub(crate) progress: Vec<i64>,
}

/// What a user sees of a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenBet {
    pub(crate) status: String,
    pub(crate) acceptor: Option<usize>,
    pub(crate) winner: Option<usize>,
    pub(crate) proposed: Option<(String, usize)>,
    pub(crate) rejections: u32,
    pub(crate) is_disputed: bool,
    pub(crate) cancel_reason: Option<String>,
    /// The number of the arbiter, and the status.
    pub(crate) arbiter: Option<(usize, String)>,
    pub(crate) actions: Vec<String>,
}

/// The notifications of a user in the order of the model, each with its id.
type SeenNews = Vec<(News, String)>;

/// The words of a notification, and the bet that it leads to.
struct Notice {
    id: String,
    title: String,
    message: String,
    bet: Option<BetId>,
    is_read: bool,
    at: i64,
}

/// The titles of the notifications about money, whose text names nothing but amounts.
const ABOUT_MONEY: [&str; 4] =
    ["Bolts Received", "Deposit Received", "Withdrawal Paid", "Withdrawal Refunded"];

/// The amounts that a text names. A comma separates the thousands of a number.
fn amounts(text: &str) -> Vec<i64> {
    let digits = text.replace(',', "");
    digits.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// Brings the notifications of a list, which has the newest first, into the order of the model.
fn seen_news(site: &Site, list: Vec<Notice>) -> Result<SeenNews, String> {
    if !list.is_sorted_by(|one, next| one.at >= next.at) {
        return Err("the newest notification is not the first".to_owned());
    }
    let seen = |notice: Notice| {
        let number = |bet: BetId| site.bets.iter().position(|known| known.id == bet);
        let bet =
            notice.bet.map(|bet| number(bet).ok_or("a notification about an unknown bet")).transpose()?;
        let is_about_money = ABOUT_MONEY.contains(&notice.title.as_str());
        let amounts = if is_about_money { amounts(&notice.message) } else { Vec::new() };
        let Notice { id, title, is_read, at, .. } = notice;
        Ok((News { at, title, bet, amounts, is_read }, id))
    };
    let mut seen: SeenNews = list.into_iter().map(seen).collect::<Result<_, String>>()?;
    seen.sort();
    Ok(seen)
}

/// The id of the notification with this place, or an id that no notification has.
fn notice_id(news: &SeenNews, place: usize) -> String {
    news.get(place).map_or_else(|| format!("{:032x}", 0xdead), |(_, id)| id.clone())
}

/// A user's way to the product.
trait Door {
    /// Does a user's action.
    ///
    /// # Errors
    /// An answer that no user should get, in words.
    fn act(&mut self, site: &mut Site, action: &Action) -> Result<Answer, String>;

    fn user(&mut self, site: &mut Site, user: usize) -> Result<SeenUser, String>;

    /// `None` if the viewer may not see the bet.
    fn bet(&mut self, site: &mut Site, viewer: usize, bet: usize) -> Result<Option<SeenBet>, String>;

    fn withdrawal(&mut self, site: &mut Site, user: usize, withdrawal: usize) -> Result<Status, String>;

    fn news(&mut self, site: &mut Site, user: usize) -> Result<SeenNews, String>;

    /// What keeps the user from deleting the account.
    fn obstacles(&mut self, site: &mut Site, user: usize) -> Result<Vec<(String, i64)>, String>;

    /// The ends of the user's valid API keys, the oldest key first.
    fn keys(&mut self, site: &mut Site, user: usize) -> Result<Vec<i64>, String>;
}

/// The product under test.
pub(crate) struct Subject {
    site: Site,
    door: Box<dyn Door>,
}

impl Subject {
    /// A new site with the users of the model's start.
    ///
    /// # Errors
    /// The site cannot be set up.
    pub(crate) fn new(backend: Backend, way: Way, is_lnd: bool) -> Result<Self, String> {
        let mut site = Site::open(backend, is_lnd)?;
        let mut door: Box<dyn Door> = match way {
            Way::UseCases => Box::new(use_cases::UseCases::default()),
            #[cfg(feature = "http")]
            Way::Http => Box::new(http::Http::start(&site)?),
        };
        site.set_up(&mut *door)?;
        Ok(Self { site, door })
    }

    /// Does an action: of a user at the door, of the clock and the workers on the site.
    ///
    /// # Errors
    /// An answer that no user should get, in words.
    pub(crate) fn act(&mut self, action: &Action) -> Result<Answer, String> {
        match self.site.act(action) {
            Some(done) => done.map(|()| Answer::Done),
            None => self.door.act(&mut self.site, action),
        }
    }

    /// The site.
    pub(crate) fn site(&self) -> &Site {
        &self.site
    }

    /// What a user sees of the own account.
    ///
    /// # Errors
    /// The answer cannot be read.
    pub(crate) fn user(&mut self, user: usize) -> Result<SeenUser, String> {
        self.door.user(&mut self.site, user)
    }

    /// What a user sees of a bet.
    ///
    /// # Errors
    /// The answer cannot be read.
    pub(crate) fn bet(&mut self, viewer: usize, bet: usize) -> Result<Option<SeenBet>, String> {
        self.door.bet(&mut self.site, viewer, bet)
    }

    /// The status of a withdrawal.
    ///
    /// # Errors
    /// The answer cannot be read.
    pub(crate) fn withdrawal(&mut self, user: usize, withdrawal: usize) -> Result<Status, String> {
        self.door.withdrawal(&mut self.site, user, withdrawal)
    }

    /// The notifications of a user, in the order of the model.
    ///
    /// # Errors
    /// The answer cannot be read.
    pub(crate) fn news(&mut self, user: usize) -> Result<Vec<News>, String> {
        let seen = self.door.news(&mut self.site, user)?;
        Ok(seen.into_iter().map(|(news, _)| news).collect())
    }

    /// What keeps a user from deleting the account.
    ///
    /// # Errors
    /// The answer cannot be read.
    pub(crate) fn obstacles(&mut self, user: usize) -> Result<Vec<(String, i64)>, String> {
        self.door.obstacles(&mut self.site, user)
    }

    /// The ends of a user's valid API keys, the oldest key first.
    ///
    /// # Errors
    /// The answer cannot be read.
    pub(crate) fn keys(&mut self, user: usize) -> Result<Vec<i64>, String> {
        self.door.keys(&mut self.site, user)
    }
}
