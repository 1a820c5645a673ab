//! The session cookie. actix-session only reads and writes the cookie, which contains a signed secret. Each request
//! that needs the session reads session and user from the database in one query.

use std::collections::HashMap;
use std::future::{Future, ready};
use std::pin::Pin;

use actix_session::config::{CookieContentSecurity, PersistentSession};
use actix_session::storage::{LoadError, SaveError, SessionKey, SessionStore, UpdateError};
use actix_session::{Session, SessionExt, SessionMiddleware};
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Key, SameSite};
use actix_web::{FromRequest, HttpRequest, dev::Payload, rt, web};
use bolts_kernel::Code;
use bolts_ports::{StoreError, UserView};
use bolts_usecases::Actor;
use bolts_usecases::accounts::{Access, PasswordOwner, Requester, session_hash};

use crate::error::Problem;
use crate::keys::{hash_of_key, user_of_key};
use crate::lookups;
use crate::reads::read;
use crate::server::State;

/// The name of the secret in actix-session's state.
const SECRET: &str = "secret";

/// The lifetime of the cookie. It equals the maximum lifetime of a session
/// (`docs/product.md#users-and-sessions`).
const MAX_AGE_DAYS: i64 = 90;

/// A session store for actix-session that stores nothing. The cookie contains the session's secret, and the use cases
/// store the session.
#[derive(Clone, Copy, Default)]
pub(crate) struct CookieOnly;

impl SessionStore for CookieOnly {
    async fn load(&self, key: &SessionKey) -> Result<Option<HashMap<String, String>>, LoadError> {
        // actix-session stores each value as JSON.
        let secret = serde_json::to_string(key.as_ref()).map_err(|e| LoadError::Other(e.into()))?;
        Ok(Some(HashMap::from([(SECRET.to_owned(), secret)])))
    }

    async fn save(&self, state: HashMap<String, String>, _: &Duration) -> Result<SessionKey, SaveError> {
        let json = state.get(SECRET).map(String::as_str).unwrap_or("\"\"");
        let secret: String = serde_json::from_str(json).map_err(|e| SaveError::Serialization(e.into()))?;
        SessionKey::try_from(secret).map_err(|e| SaveError::Other(e.into()))
    }

    async fn update(
        &self,
        _: SessionKey,
        state: HashMap<String, String>,
        ttl: &Duration,
    ) -> Result<SessionKey, UpdateError> {
        self.save(state, ttl).await.map_err(|error| UpdateError::Other(error.into()))
    }

    async fn update_ttl(&self, _: &SessionKey, _: &Duration) -> Result<(), anyhow::Error> {
        Ok(())
    }

    async fn delete(&self, _: &SessionKey) -> Result<(), anyhow::Error> {
        Ok(())
    }
}

const NAME: &str = "bolts";
/// With this prefix, browsers accept the cookie only from this host and only over https.
const NAME_ON_HTTPS: &str = "__Host-bolts";

/// Whether a request has a session cookie. The session may be invalid.
pub fn has_session_cookie(request: &HttpRequest) -> bool {
    [NAME, NAME_ON_HTTPS].iter().any(|name| request.cookie(name).is_some())
}

/// The middleware that reads and writes the session cookie.
pub(crate) fn middleware(key: Key, is_https: bool) -> SessionMiddleware<CookieOnly> {
    let lifecycle = PersistentSession::default().session_ttl(Duration::days(MAX_AGE_DAYS));
    SessionMiddleware::builder(CookieOnly, key)
        .cookie_name(if is_https { NAME_ON_HTTPS } else { NAME }.to_owned())
        .cookie_secure(is_https)
        .cookie_http_only(true)
        .cookie_same_site(SameSite::Lax)
        .cookie_path("/".to_owned())
        .cookie_content_security(CookieContentSecurity::Signed)
        .session_lifecycle(lifecycle)
        .build()
}

/// Puts the new secret of a session into the cookie, and replaces the old value.
pub(crate) fn begin(session: &Session, secret: &str) -> Result<(), Problem> {
    session.renew();
    session.insert(SECRET, secret).map_err(|_| Problem::internal())
}

/// The secret in the session cookie.
pub(crate) fn secret_of(session: &Session) -> Option<String> {
    session.get::<String>(SECRET).ok().flatten().filter(|secret| !secret.is_empty())
}

/// The hash under which the session of the cookie is stored. Without a cookie, a hash that no session has.
pub(crate) fn hash_of(session: &Session) -> String {
    session_hash(&secret_of(session).unwrap_or_default())
}

/// The user and the session of a request whose password or second factor is checked.
pub(crate) fn owner(user: UserView, session: &Session) -> PasswordOwner {
    PasswordOwner { user: user.id, email: user.email, session: hash_of(session) }
}

/// The user of a request whose password is checked, and what the request shows: its API key or its session.
pub(crate) fn requester(user: UserView, request: &HttpRequest) -> Requester {
    let session = || Access::Session(hash_of(&request.get_session()));
    let access = hash_of_key(request).map_or_else(session, Access::Key);
    Requester { user: user.id, email: user.email, access }
}

/// The user of the API key or of the session, if there is one. The user may have to change the password first.
struct MaybeUser(Option<UserView>);

/// The signed-in user, if there is one. The request fails with 403 `password_change_required` if the user must change
/// the password first.
pub(crate) struct MaybeSignedIn(pub(crate) Option<UserView>);

/// The reader of a public list: the signed-in user, if any. A user who must change the password first counts as a
/// visitor, because public lists are open to everybody.
pub(crate) struct Reader(Option<UserView>);

/// A signed-in user, who may have to change the password first. The request fails with 401 if nobody is signed in.
pub(crate) struct AnyUser(pub(crate) UserView);

/// A signed-in user, who may have to verify the e-mail address first. The request fails with 401 if nobody is signed in,
/// and with 403 `password_change_required` if the user must change the password first.
pub(crate) struct OwnPassword(pub(crate) UserView);

/// A signed-in user. The request fails like for [`OwnPassword`]. If the site requires verified e-mail addresses, a request
/// with an unsafe method (e.g. POST) also fails with 403 `email_not_verified` without one.
pub(crate) struct SignedIn(pub(crate) UserView);

/// A signed-in admin. The request fails like for [`SignedIn`], and with 403 if the user is no admin.
pub(crate) struct Admin(pub(crate) UserView);

impl SignedIn {
    pub(crate) fn actor(&self) -> Actor {
        Actor::from(&self.0)
    }
}

impl Admin {
    pub(crate) fn actor(&self) -> Actor {
        Actor::from(&self.0)
    }
}

impl MaybeSignedIn {
    pub(crate) fn actor(&self) -> Option<Actor> {
        self.0.as_ref().map(Actor::from)
    }
}

impl Reader {
    pub(crate) fn actor(&self) -> Option<Actor> {
        self.0.as_ref().map(Actor::from)
    }
}

type Extracted<T> = Pin<Box<dyn Future<Output = Result<T, Problem>>>>;

impl FromRequest for MaybeUser {
    type Error = Problem;
    type Future = Extracted<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        if let Some(user) = user_of_key(request) {
            return Box::pin(ready(user.map(|user| Self(Some(user)))));
        }
        let (session, state) = (request.get_session(), request.app_data::<web::Data<State>>().cloned());
        Box::pin(async move {
            let (Some(secret), Some(state)) = (secret_of(&session), state) else { return Ok(Self(None)) };
            look_up(&state, secret).await.map(Self)
        })
    }
}

async fn look_up(state: &web::Data<State>, secret: String) -> Result<Option<UserView>, Problem> {
    let Some(found) = lookups::session(state, secret.clone()).await? else { return Ok(None) };
    if state.app.wants_touch(&found) {
        let app = state.app.clone();
        record_use("a session", async move { app.touch_session(&secret).await });
    }
    Ok(Some(found.user))
}

/// Records the use of a session or key. The answer does not depend on this write, so the request does not wait for it.
pub(crate) fn record_use(
    what: &'static str,
    touched: impl Future<Output = Result<(), StoreError>> + 'static,
) {
    rt::spawn(async move {
        if let Err(error) = touched.await {
            tracing::warn!(%error, "the use of {what} was not recorded");
        }
    });
}

/// Refuses a user who must first replace a one-time password (`docs/http-api.md#errors`).
fn with_own_password(user: UserView) -> Result<UserView, Problem> {
    if user.must_change_password {
        let detail = "Please choose a new password first.";
        return Err(Problem::new(Code::PasswordChangeRequired, detail));
    }
    Ok(user)
}

impl FromRequest for AnyUser {
    type Error = Problem;
    type Future = Extracted<Self>;

    /// Each request of a signed-in user with an unsafe method (e.g. POST) counts towards the user's limit per minute.
    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let found = MaybeUser::from_request(request, payload);
        let state = request.app_data::<web::Data<State>>().filter(|_| !request.method().is_safe()).cloned();
        Box::pin(async move {
            let user = found.await?.0.ok_or_else(Problem::not_signed_in)?;
            if let Some(state) = state {
                state.app.count_write(user.id)?;
            }
            Ok(Self(user))
        })
    }
}

impl FromRequest for SignedIn {
    type Error = Problem;
    type Future = Extracted<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let user = OwnPassword::from_request(request, payload);
        let state = request.app_data::<web::Data<State>>().filter(|_| !request.method().is_safe()).cloned();
        Box::pin(async move {
            let user = user.await?.0;
            let needs = |state: &web::Data<State>| state.app.requires_confirmed_email();
            if let Some(state) = state.filter(needs) {
                let (app, id) = (state.app.clone(), user.id);
                if !read(&state, move |_| app.has_confirmed_email(id)).await? {
                    let detail = "Please verify your email address first. Our mail contains the link.";
                    return Err(Problem::new(Code::EmailNotConfirmed, detail));
                }
            }
            Ok(Self(user))
        })
    }
}

/// Implements an extractor that calls another extractor and then checks or changes its value.
macro_rules! extract_through {
    ($outer:ident from $inner:ident, $judge:expr) => {
        impl FromRequest for $outer {
            type Error = Problem;
            type Future = Extracted<Self>;

            fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
                let inner = $inner::from_request(request, payload);
                Box::pin(async move { $judge(inner.await?.0).map(Self) })
            }
        }
    };
}

extract_through!(MaybeSignedIn from MaybeUser, |user: Option<UserView>| user.map(with_own_password).transpose());
extract_through!(Reader from MaybeUser, |user: Option<UserView>| {
    Ok::<_, Problem>(user.filter(|user| !user.must_change_password))
});
extract_through!(OwnPassword from AnyUser, with_own_password);
extract_through!(Admin from SignedIn, |user: UserView| {
    if user.is_admin { Ok(user) } else { Err(Problem::not_allowed()) }
});
