//! The use cases and the ports that they need.

use std::sync::{Arc, OnceLock};

use bolts_bets::{MethodPolicy, Waits};
use bolts_kernel::{Timestamp, UserId};
use bolts_ports::{
    Clock, Ideas, Ids, Passwords, PictureCleaner, Queries, Randomness, RelyingParty, Store, UserView,
};

use crate::user_limits::UserLimits;

/// The signed-in user who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The id of the user.
    pub user: UserId,
    /// Whether the user is an admin at this moment.
    pub is_admin: bool,
}

impl From<&UserView> for Actor {
    fn from(user: &UserView) -> Self {
        Self { user: user.id, is_admin: user.is_admin }
    }
}

/// The operator's options for bets and rate limits.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The waiting times of new bets.
    pub waits: Waits,
    /// The currencies for which Manual Verification is allowed.
    pub methods: MethodPolicy,
    /// The maximum number of sign-ups per client network and hour. An IPv6 /48 may do ten times as many. 0 means
    /// no limit.
    pub signups_per_hour: u32,
    /// The maximum number of sign-ins per client network and minute. An IPv6 /48 may do ten times as many. 0
    /// means no limit.
    pub signins_per_minute: u32,
    /// The maximum number of bets that a user may create in an hour. 0 means no limit.
    pub bets_per_hour: u32,
    /// The maximum number of writes of a user in a minute on one process. 0 lifts this limit, and also the hourly
    /// limits on proposals, answers and disputes, on messages, and on pictures.
    pub writes_per_minute: u32,
    /// Whether the site sends mails.
    pub sends_mail: bool,
    /// Whether a user may only read until the e-mail address is confirmed.
    pub requires_confirmed_email: bool,
    /// Whether webhooks and push services may be on private networks, also over http.
    pub calls_private_receivers: bool,
    /// Whether admin rights need a second factor. An admin without one acts as an ordinary user.
    pub require_admin_factor: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            waits: Waits::default(),
            methods: MethodPolicy::default(),
            signups_per_hour: 20,
            signins_per_minute: 60,
            bets_per_hour: 60,
            writes_per_minute: 300,
            sends_mail: false,
            requires_confirmed_email: false,
            calls_private_receivers: false,
            require_admin_factor: false,
        }
    }
}

/// The ports for time, ids, random bytes, password hashes, ideas and pictures.
#[derive(Clone)]
pub struct Environment {
    /// Tells the current time.
    pub clock: Arc<dyn Clock>,
    /// Creates ids.
    pub ids: Arc<dyn Ids>,
    /// Gives unpredictable random bytes.
    pub random: Arc<dyn Randomness>,
    /// Hashes and checks passwords.
    pub passwords: Arc<dyn Passwords>,
    /// Gives ideas for bets.
    pub ideas: Arc<dyn Ideas>,
    /// Decodes pictures and encodes them anew.
    pub pictures: Arc<dyn PictureCleaner>,
    /// Checks passkeys. `None` if the site has none, because it knows no address of its own with a domain.
    pub passkeys: Option<Arc<dyn RelyingParty>>,
}

/// The use cases that need no Lightning provider. Each use case is a method.
#[derive(Clone)]
pub struct App {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) queries: Arc<dyn Queries>,
    pub(crate) environment: Environment,
    pub(crate) rules: Rules,
    pub(crate) limits: Arc<UserLimits>,
    /// The key of [`App::mail_key`], once this process has read it.
    pub(crate) mail_key: Arc<OnceLock<String>>,
}

impl App {
    /// Connects the use cases with their ports.
    pub fn new(
        store: Arc<dyn Store>,
        queries: Arc<dyn Queries>,
        environment: Environment,
        rules: Rules,
    ) -> Self {
        Self { store, queries, environment, rules, limits: Arc::default(), mail_key: Arc::default() }
    }

    /// The queries for requests that only read.
    pub fn queries(&self) -> &Arc<dyn Queries> {
        &self.queries
    }

    /// The same use cases, which read from other queries.
    #[must_use]
    pub fn reading_from(&self, queries: Arc<dyn Queries>) -> Self {
        Self { queries, ..self.clone() }
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }

    pub(crate) fn id<T: From<u128>>(&self) -> T {
        self.environment.ids.id()
    }
}
