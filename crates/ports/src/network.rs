//! The networks of clients, for rate limits, and the lanes of waiting work.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use bolts_kernel::UserId;

/// The addresses that one customer of an internet provider has: one IPv4 address (/32), or an IPv6 /64. Rate limits
/// count per network and not per address, because the holder of a /64 has 2^64 addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// The network of an address. An IPv4-mapped IPv6 address counts as IPv4.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            address @ IpAddr::V4(_) => Self { address, prefix: 32 },
            IpAddr::V6(address) => Self::cut(address, 64),
        }
    }

    /// The IPv6 /48 that contains this network. An internet provider gives one customer at most a /48. `None` for
    /// IPv4.
    pub fn site(self) -> Option<Self> {
        match self.address {
            IpAddr::V4(_) => None,
            IpAddr::V6(address) => Some(Self::cut(address, 48)),
        }
    }

    /// The beginning of an address, which shows roughly where a client is: an IPv4 /24 or an IPv6 /48.
    pub fn place_of(address: IpAddr) -> String {
        match address.to_canonical() {
            IpAddr::V4(address) => {
                let [a, b, c, _] = address.octets();
                format!("{a}.{b}.{c}.0/24")
            }
            IpAddr::V6(address) => Self::cut(address, 48).to_string(),
        }
    }

    fn cut(address: Ipv6Addr, prefix: u8) -> Self {
        let mask = u128::MAX << (128 - u32::from(prefix));
        Self { address: Ipv6Addr::from_bits(address.to_bits() & mask).into(), prefix }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            IpAddr::V4(address) => write!(f, "{address}"),
            IpAddr::V6(address) => write!(f, "{address}/{}", self.prefix),
        }
    }
}

/// A group of waiting work: the work of the server, of one user or of one visitor's network. The lanes take turns, so
/// that a long lane cannot delay the other lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    /// The work of the server itself.
    Site,
    /// The work for a signed-in user.
    User(UserId),
    /// The work for visitors from one network, who are not signed in.
    Visitors(Network),
}

impl Lane {
    /// The lane of a visitor: one for each IPv4 address or IPv6 /48. So a customer with many /64 networks has only one
    /// lane.
    pub fn visitor(address: IpAddr) -> Self {
        let network = Network::of(address);
        Self::Visitors(network.site().unwrap_or(network))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> Network {
        Network::of(address.parse().unwrap())
    }

    #[test]
    fn ipv4_counts_by_address_and_ipv6_by_64_bits() {
        for (address, shown) in [
            ("203.0.113.7", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("::1", "::/64"),
        ] {
            assert_eq!(network(address).to_string(), shown);
        }
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("203.0.113.7"), network("203.0.113.8"));
    }

    #[test]
    fn a_place_is_24_bits_of_ipv4_and_48_of_ipv6() {
        for (address, place) in [
            ("203.0.113.7", "203.0.113.0/24"),
            ("::ffff:203.0.113.7", "203.0.113.0/24"),
            ("2001:db8:1:2::1", "2001:db8:1::/48"),
        ] {
            assert_eq!(Network::place_of(address.parse().unwrap()), place);
        }
    }

    #[test]
    fn a_site_is_48_bits_of_ipv6() {
        assert_eq!(network("203.0.113.7").site(), None);
        let site = network("2001:db8:1:2::1").site().unwrap();
        assert_eq!(site.to_string(), "2001:db8:1::/48");
        assert_eq!(network("2001:db8:1:ffff::1").site(), Some(site));
        assert_ne!(network("2001:db8:2::1").site(), Some(site));
        let lane = |address: &str| Lane::visitor(address.parse().unwrap());
        assert_eq!(lane("2001:db8:1:2::1"), lane("2001:db8:1:3::1"));
        assert_ne!(lane("203.0.113.7"), lane("203.0.113.8"));
    }
}
