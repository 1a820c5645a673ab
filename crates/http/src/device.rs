//! The device cookie. It shows that a user has signed in with this browser before. Sign-ins with this browser
//! have their own rate limit, so that other people's attempts with wrong passwords do not lock the user out. The
//! cookie does not sign the user in.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::cookie::{Cookie, CookieJar, Key, SameSite, time};
use bolts_kernel::Timestamp;
use bolts_usecases::accounts::{Device, Visitor};

use crate::client_ip::address;
use crate::server::State;
use crate::user_agent;

const NAME: &str = "bolts-device";
/// With this prefix, browsers accept the cookie only from this host and only over https.
const NAME_ON_HTTPS: &str = "__Host-bolts-device";

/// The beginning of every cookie value. It distinguishes device cookies from session cookies, because the same
/// key signs both.
const PREFIX: &str = "device";

/// A device stays known for this time after its last sign-in.
const KNOWN_FOR: Duration = Duration::from_hours(180 * 24);

const fn name(is_https: bool) -> &'static str {
    if is_https { NAME_ON_HTTPS } else { NAME }
}

/// The sender of a request without a session: the client's address, and the device if its cookie is valid.
pub(crate) fn visitor(request: &HttpRequest, state: &State) -> Visitor {
    let cookie = request.cookie(name(state.settings.is_https()));
    let device = cookie.and_then(|cookie| known(cookie, &state.cookie_key, state.app.now()));
    Visitor { address: address(request, state), device, browser: user_agent::in_words(request) }
}

fn known(cookie: Cookie<'static>, key: &Key, now: Timestamp) -> Option<Device> {
    let (name, mut jar) = (cookie.name().to_owned(), CookieJar::new());
    jar.add_original(cookie);
    let cookie = jar.signed(key).get(&name)?;
    let mut parts = cookie.value().split('.');
    let (prefix, id, user, since) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let since = Timestamp::from_micros(since.parse().ok()?).ok()?;
    let is_known = prefix == PREFIX && parts.next().is_none() && now.since(since) < KNOWN_FOR;
    Some(Device { id: id.to_owned(), user: user.parse().ok()? }).filter(|_| is_known)
}

/// The device cookie that the server sets after a sign-in.
pub(crate) fn cookie(state: &State, device: &Device) -> Cookie<'static> {
    let is_https = state.settings.is_https();
    let value = format!("{PREFIX}.{}.{}.{}", device.id, device.user, state.app.now().micros());
    let value = signed(name(is_https), value, &state.cookie_key).value().to_owned();
    let mut cookie = with_value(value, is_https);
    cookie.set_max_age(time::Duration::seconds(KNOWN_FOR.as_secs().cast_signed()));
    cookie
}

/// The cookie that removes the device cookie, if the request has one.
pub(crate) fn forgotten(request: &HttpRequest, state: &State) -> Option<Cookie<'static>> {
    let is_https = state.settings.is_https();
    request.cookie(name(is_https))?;
    let mut cookie = with_value(String::new(), is_https);
    cookie.make_removal();
    Some(cookie)
}

fn with_value(value: String, is_https: bool) -> Cookie<'static> {
    Cookie::build(name(is_https), value)
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(is_https)
        .finish()
}

fn signed(name: &'static str, value: String, key: &Key) -> Cookie<'static> {
    let mut jar = CookieJar::new();
    jar.signed_mut(key).add(Cookie::new(name, value));
    jar.get(name).cloned().unwrap_or_else(|| Cookie::new(name, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: &str = "01980000000070008000000000000001";

    fn at(day: i64) -> Timestamp {
        Timestamp::from_micros(1_800_000_000_000_000 + day * 86_400_000_000).unwrap()
    }

    fn read(cookie: Cookie<'static>, key: &Key, day: i64) -> Option<Device> {
        known(cookie, key, at(day))
    }

    #[test]
    fn a_device_is_known_for_180_days() {
        let key = Key::generate();
        let cookie = signed(NAME, format!("device.abc.{USER}.{}", at(0).micros()), &key);
        let device = Device { id: "abc".to_owned(), user: USER.parse().unwrap() };
        for day in [0, 1, 179] {
            assert_eq!(read(cookie.clone(), &key, day), Some(device.clone()), "day {day}");
        }
        assert_eq!(read(cookie.clone(), &key, 180), None);
        assert_eq!(read(cookie, &Key::generate(), 1), None, "signed by somebody else");
    }

    #[test]
    fn what_is_no_device_is_none() {
        let (key, now) = (Key::generate(), at(0).micros());
        for value in [
            String::new(),
            format!("device.abc.{USER}"),
            format!("device.abc.{USER}.{now}.x"),
            format!("session.abc.{USER}.{now}"),
            format!("device.abc.nobody.{now}"),
            format!("device.abc.{USER}.then"),
        ] {
            assert_eq!(read(signed(NAME, value.clone(), &key), &key, 0), None, "{value}");
        }
        let unsigned = Cookie::new(NAME, format!("device.abc.{USER}.{now}"));
        assert_eq!(read(unsigned, &key, 0), None);
    }
}
