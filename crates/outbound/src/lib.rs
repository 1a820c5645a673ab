//! The HTTP client for servers that may be slow, broken or hostile: it follows no redirect, uses no proxy, and its
//! resolver refuses private addresses. [`bolts_kernel::may_call`] checks a URL before it is called.

use std::error::Error as _;
use std::net::SocketAddr;
use std::time::Duration;

use bolts_kernel::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

/// Builds an HTTP client. The client opens a new connection for each request. A reused connection might be closed by
/// the server just while the client sends, and then the client could not know whether the request arrived. The client
/// uses no proxy, because a proxy would resolve host names without our checks.
///
/// # Errors
/// The builder has an invalid option.
pub fn client(builder: ClientBuilder, connect: Duration) -> reqwest::Result<Client> {
    builder
        .redirect(Policy::none())
        .connect_timeout(connect)
        .pool_max_idle_per_host(0)
        .no_proxy()
        .referer(false)
        .user_agent("bolts")
        .build()
}

/// The text of an error with its causes. The URL is left out, because it may contain a secret.
pub fn words(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    words
}

/// Resolves host names to public IP addresses only, unless private ones are allowed. The connection uses the address
/// that this resolver returns, so a later, different DNS answer has no effect.
#[derive(Clone, Copy, Debug)]
pub struct PublicOnly {
    /// Whether private addresses are allowed.
    pub allow_private: bool,
}

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let fits: Vec<SocketAddr> =
                found.filter(|address| allow_private || is_public(address.ip())).collect();
            if fits.is_empty() {
                return Err("its server is not on the public internet".into());
            }
            Ok(Box::new(fits.into_iter()) as Addrs)
        })
    }
}
