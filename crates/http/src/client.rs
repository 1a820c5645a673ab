use std::net::{IpAddr, Ipv4Addr};

use actix_web::HttpRequest;

use crate::server::State;

/// The address that limits count for: the connection's, or, where that is a trusted proxy's, the last address in
/// X-Forwarded-For that is not one. Anybody can write the header, so nobody else is believed.
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
        // Behind something that is no address nothing can be believed.
        let Ok(address) = hop.parse::<IpAddr>() else { break };
        client = address.to_canonical();
        if !trusted.contains(&client) {
            break;
        }
    }
    client
}
