//! Connects the adapters with the use cases.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bolts_hooks::PushKey;
use bolts_ideas::BuiltIn;
use bolts_pictures::PictureWorker;
use bolts_ports::{Clock, Ideas, Randomness, RelyingParty, Store, StoreError, submit};
use bolts_usecases::{App, Environment, Rules};

use crate::environment::{SystemClock, SystemRandomness, TimeOrderedIds};
use crate::passwords::Argon2Threads;
use crate::store::Database;

/// The setting with the key that signs cookies.
const COOKIE_KEY: &str = "cookie_key";

/// The setting with the key that signs requests to push services.
const PUSH_KEY: &str = "push_key";

/// The use cases on this database, for a command of the operator.
pub(crate) fn app(database: &Database, rules: Rules) -> App {
    app_at(database, rules, Arc::new(SystemClock))
}

/// The use cases on this database with another clock.
pub(crate) fn app_at(database: &Database, rules: Rules, clock: Arc<dyn Clock>) -> App {
    wire(database, rules, clock, Arc::new(BuiltIn), None)
}

/// The use cases on this database, for the server.
pub(crate) fn site(
    database: &Database,
    rules: Rules,
    ideas: Arc<dyn Ideas>,
    passkeys: Option<Arc<dyn RelyingParty>>,
) -> App {
    wire(database, rules, Arc::new(SystemClock), ideas, passkeys)
}

fn wire(
    database: &Database,
    rules: Rules,
    clock: Arc<dyn Clock>,
    ideas: Arc<dyn Ideas>,
    passkeys: Option<Arc<dyn RelyingParty>>,
) -> App {
    let random: Arc<dyn Randomness> = Arc::new(SystemRandomness);
    let environment = Environment {
        clock,
        ids: Arc::new(TimeOrderedIds),
        passwords: Arc::new(Argon2Threads::start(random.clone())),
        random,
        ideas,
        pictures: Arc::new(PictureWorker::start()),
        passkeys,
    };
    App::new(database.store(), database.queries(), environment, rules)
}

/// The key that signs cookies. The first process creates it and stores it in the database, so that all
/// processes share it.
pub(crate) async fn cookie_key(store: &dyn Store) -> Result<Vec<u8>, StoreError> {
    let mut fresh = [0; 64];
    SystemRandomness.fill(&mut fresh);
    let fresh = STANDARD.encode(fresh);
    let kept = submit(store, move |tx| tx.settings().put_first(COOKIE_KEY, &fresh)).await?;
    let key = STANDARD.decode(kept).ok().filter(|key| key.len() == 64);
    key.ok_or_else(|| StoreError::Broken("the cookie key in the database cannot be read".to_owned()))
}

/// The key that signs requests to push services. The first process creates it, so that all processes share it. Browsers
/// bind their subscriptions to it.
pub(crate) async fn push_key(store: &dyn Store) -> Result<PushKey, StoreError> {
    let broken = |error: bolts_hooks::PushKeyError| StoreError::Broken(error.to_string());
    let fresh = PushKey::fresh().map_err(broken)?;
    let kept = submit(store, move |tx| tx.settings().put_first(PUSH_KEY, &fresh)).await?;
    PushKey::read(&kept).map_err(broken)
}
