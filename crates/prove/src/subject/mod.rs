//! The product as the model's opponent: the same actions, done by the use cases or over HTTP.

mod http;
mod provider;
mod site;
mod use_cases;

pub(crate) use site::Site;

use crate::backend::Backend;
use crate::model::{Action, Answer, Figures, Status};

/// The way on which users reach the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The methods of the use cases.
    UseCases,
    /// Requests to an HTTP server in this process.
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
            Way::UseCases => Box::new(use_cases::UseCases),
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
}
