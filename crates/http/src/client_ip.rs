//! The client's IP address, for rate limits.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;
use actix_web::http::header::HeaderValue;

use crate::server::State;

/// The IP address that rate limits use for a client. Usually this is the address of the connection. If the
/// connection comes from a trusted proxy, the result is the last address in X-Forwarded-For that is not a
/// trusted proxy. Any client can send this header, so the header counts only if a trusted proxy sent it.
pub(crate) fn address(request: &HttpRequest, state: &State) -> IpAddr {
    let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
    let lines = request.headers().get_all("X-Forwarded-For").map(HeaderValue::as_bytes);
    behind_proxies(peer, lines, |address| state.settings.trusted_proxies.contains(&address))
}

/// The lines are bytes and not text, because a proxy may add its entry to a line of the client. So an entry that is no text does
/// not hide the entries after it.
fn behind_proxies<'a>(
    peer: IpAddr,
    lines: impl Iterator<Item = &'a [u8]>,
    is_trusted: impl Fn(IpAddr) -> bool,
) -> IpAddr {
    let hops: Vec<&[u8]> = lines.flat_map(|line| line.split(|byte| *byte == b',')).collect();
    let mut client = peer;
    for hop in hops.into_iter().rev() {
        if !is_trusted(client) {
            break;
        }
        // If an entry is not an address, the entries before it cannot be trusted either.
        let Some(address) = parsed(hop) else { break };
        client = address.to_canonical();
    }
    client
}

fn parsed(hop: &[u8]) -> Option<IpAddr> {
    std::str::from_utf8(hop).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_address_that_is_no_proxy_counts() {
        let cases: [(&str, &[&[u8]], &str); 8] = [
            ("203.0.113.1", &[b"198.51.100.9"], "203.0.113.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &[b"198.51.100.9"], "198.51.100.9"),
            ("10.0.0.1", &[b"192.0.2.1, 198.51.100.9", b"10.0.0.2"], "198.51.100.9"),
            ("10.0.0.1", &[b"::ffff:198.51.100.9"], "198.51.100.9"),
            ("10.0.0.1", &[b"192.0.2.1, unknown"], "10.0.0.1"),
            ("10.0.0.1", &[b"192.0.2.1, \xe9, 198.51.100.9"], "198.51.100.9"),
            ("10.0.0.1", &[b"192.0.2.1, \xe9, 10.0.0.2"], "10.0.0.2"),
        ];
        for (peer, lines, client) in cases {
            let peer = peer.parse().expect("an address");
            let is_trusted = |address: IpAddr| address.to_string().starts_with("10.0.0.");
            let found = behind_proxies(peer, lines.iter().copied(), is_trusted);
            assert_eq!(found.to_string(), client, "{lines:?}");
        }
    }
}
