//! Checks whether IP addresses and hosts are on the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// The IPv4 networks that are not on the public internet, with the lengths of their prefixes. The list contains IANA's
/// registry of special-purpose addresses, and multicast.
const SPECIAL_V4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The part of IPv6 that is assigned to the public internet. Translated IPv4 addresses (mapped, NAT64), local
/// addresses and multicast addresses lie outside this part.
const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Special-purpose networks inside `PUBLIC_V6`: protocol assignments (with Teredo), two networks for
/// documentation, and 6to4, which embeds IPv4.
const SPECIAL_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address is on the public internet. The server calls addresses from users only if they are public, unless
/// an option allows private ones.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|(network, length)| {
            let differs = address.to_bits() ^ network.to_bits();
            differs.leading_zeros() >= *length
        }),
        IpAddr::V6(address) => {
            let lies_in = |(network, length): &(Ipv6Addr, u32)| {
                let differs = address.to_bits() ^ network.to_bits();
                differs.leading_zeros() >= *length
            };
            lies_in(&PUBLIC_V6) && !SPECIAL_V6.iter().any(lies_in)
        }
    }
}

/// Whether the host of a URL counts as private, according to its name or IP address. Such hosts can rarely get a
/// public certificate, so plain http may be used for them.
pub fn is_own(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => !is_public(address.into()),
        Some(Host::Ipv6(address)) => !is_public(address.into()),
        Some(Host::Domain(name)) => {
            let ending = name.rsplit('.').next().unwrap_or_default();
            !name.contains('.') || ["localhost", "local", "internal", "lan", "onion"].contains(&ending)
        }
        None => false,
    }
}

/// Whether the server may call this URL, which a user or a stranger's server named: only https to a host on the public
/// internet, so that nobody can make this server send requests behind its firewall. With `allow_private` also hosts in
/// private networks, and http. The resolver of the crate `outbound` checks what a host name resolves to.
pub fn may_call(url: &Url, allow_private: bool) -> bool {
    let has_user = !url.username().is_empty() || url.password().is_some();
    let is_right_kind = match (url.scheme(), url.host()) {
        ("https", Some(Host::Ipv4(address))) => allow_private || is_public(address.into()),
        ("https", Some(Host::Ipv6(address))) => allow_private || is_public(address.into()),
        ("https", Some(Host::Domain(_))) => true,
        ("http", Some(_)) => allow_private,
        _ => false,
    };
    is_right_kind && !has_user
}
