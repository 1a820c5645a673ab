//! The client's IP address, for rate limits.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;

use crate::server::State;

/// The IP address that rate limits use for a client. Usually this is the address of the connection. If the
/// connection comes from a trusted proxy, the result is the last address in X-Forwarded-For that is not a
/// trusted proxy. Any client can send this header, so the header counts only if a trusted proxy sent it.
pub(crate) fn address(request: &HttpRequest, state: &State) -> IpAddr {
    let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
    let trusted = &state.settings.trusted_proxies;
    if !trusted.contains(&peer) {
        return peer;
    }
    let headers = request.headers().get_all("X-Forwarded-For").filter_map(|value| value.to_str().ok());
    let hops: Vec<&str> = headers.flat_map(|value| value.split(',')).map(str::trim).collect();
    let mut client = peer;
    for hop in hops.iter().rev() {
        // If an entry is not an address, the entries before it cannot be trusted either.
        let Ok(address) = hop.parse::<IpAddr>() else { break };
        client = address.to_canonical();
        if !trusted.contains(&client) {
            break;
        }
    }
    client
}
