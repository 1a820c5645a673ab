//! The public address: whether browsers can reach the site there.

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
    let fix = "start the server; check DNS, the proxy, its certificate and the firewall";
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
        Err(error) => Finding::warning(SUBJECT, format!("{origin} does not answer: {}", words(&error)), fix),
    }
}

/// The message of an error with its causes.
fn words(error: &reqwest::Error) -> String {
    let mut causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    causes.by_ref().last().map_or_else(|| error.to_string(), ToString::to_string)
}
