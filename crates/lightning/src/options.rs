//! Checks of the provider's options: URL and secrets.

use bolts_kernel::is_own;
use reqwest::header::HeaderValue;
use url::Url;

use crate::BadOption;

/// Parses a provider's URL. The URL must be https, or http inside a private network, because each call sends the
/// secret key.
///
/// # Errors
/// One sentence that names the option (`what`) and the problem.
pub(crate) fn base(what: &str, text: &str) -> Result<Url, BadOption> {
    let bad = |why: &str| BadOption(format!("{what} {why}"));
    let mut url = Url::parse(text.trim()).map_err(|error| bad(&format!("is not an address: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("must not hold a user or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad("must end with the path"));
    }
    match url.scheme() {
        "https" => {}
        "http" if is_own(&url) => {}
        "http" => {
            let why = "must be https, because each request contains the key. Only hosts in a private network may use http";
            return Err(bad(why));
        }
        _ => return Err(bad("must begin with https:// or http://")),
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

/// A header value with a secret, which is sent with each call. The value is marked as sensitive, so that no log shows
/// it.
///
/// # Errors
/// One sentence that names the option (`what`) and the problem. The sentence does not contain the secret.
pub(crate) fn secret(what: &str, text: &str) -> Result<HeaderValue, BadOption> {
    let text = text.trim();
    let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    let header = if fits { HeaderValue::from_str(text).ok() } else { None };
    let mut header =
        header.ok_or_else(|| BadOption(format!("{what} is empty or holds what no key holds")))?;
    header.set_sensitive(true);
    Ok(header)
}
