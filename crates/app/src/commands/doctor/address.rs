//! The public address: whether browsers can reach the site there.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::redirect::Policy;

use super::Finding;
use crate::config::ServeOptions;

const SUBJECT: &str = "public address";

/// The maximum time to wait for an answer.
const WITHIN: Duration = Duration::from_secs(10);

pub(super) async fn look(options: &ServeOptions) -> Vec<Finding> {
    let is_local = options.bind().is_ok_and(|bind| bind.ip().is_loopback());
    let Some(origin) = options.public_origin() else {
        return vec![if is_local {
            Finding::fine(SUBJECT, "none is set, and the server listens on this machine alone")
        } else {
            let said = "none is set, and the server listens to other machines without TLS";
            Finding::fault(SUBJECT, said, "put a proxy with TLS before the server, and set --public-url")
        }];
    };
    let mut findings = Vec::new();
    if origin.starts_with("http://") && !is_local_name(&origin) {
        let said = format!("{origin} has no TLS, so anybody on the way can read passwords");
        findings.push(Finding::fault(SUBJECT, said, "put a proxy with TLS before the server, and use https"));
    }
    if origin.starts_with("https://") && !options.has_proxies() {
        let said = "--trusted-proxies is not set, so all visitors share the limits of one address";
        findings.push(Finding::warning(SUBJECT, said, "set --trusted-proxies to the address of the proxy"));
    }
    findings.push(asked(&origin).await);
    findings
}

fn is_local_name(origin: &str) -> bool {
    let host =
        url::Url::parse(origin).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    host == "localhost"
        || host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Asks the site for its health, as the proxy of a visitor would.
async fn asked(origin: &str) -> Finding {
    let fix = "start the server; check DNS, the proxy and the firewall";
    let builder =
        reqwest::Client::builder().redirect(Policy::none()).timeout(WITHIN).user_agent("bolts doctor");
    let answer = match builder.build() {
        Ok(client) => client.get(format!("{origin}/healthz")).send().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(answer) if answer.status() == 200 && answer.headers().contains_key("x-request-id") => {
            Finding::fine(SUBJECT, format!("{origin} answers"))
        }
        Ok(answer) => {
            let said =
                format!("{origin}/healthz is not answered by Bolts, but with status {}", answer.status());
            Finding::fault(SUBJECT, said, "let the proxy send all paths to the server")
        }
        // Browsers refuse the site too. Unlike a server that is not started yet, this does not pass by itself.
        Err(error) if is_of_tls(&error) => {
            let said = format!("{origin} has no TLS that browsers accept: {}", words(&error));
            let fix =
                "give the proxy a certificate of a public authority that names this site and is not expired";
            Finding::fault(SUBJECT, said, fix)
        }
        Err(error) => Finding::warning(SUBJECT, format!("{origin} does not answer: {}", words(&error)), fix),
    }
}

/// The message of the first cause of an error.
fn words(error: &reqwest::Error) -> String {
    causes(error).last().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Whether the server answered, and TLS failed. The TLS library reports this as invalid data, and a connection that cannot be
/// made or breaks off in another way.
fn is_of_tls(error: &reqwest::Error) -> bool {
    let is_invalid = |error: &io::Error| error.kind() == io::ErrorKind::InvalidData;
    causes(error).any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_invalid))
}

/// An error and its causes. The source of an I/O error is that of the error in it, so the error in it would be left out.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |&error| {
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source())
    })
}
