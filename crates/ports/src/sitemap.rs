//! The list of public bets for search engines.

use bolts_kernel::{BetId, Timestamp};

use crate::error::Result;

/// The positions in the order of creation that one part of the list covers. A part has at most this number of bets.
pub const SITEMAP_PART: u32 = 1_000;

/// A public bet in the list for search engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SitemapEntry {
    /// The bet.
    pub bet: BetId,
    /// The time of the bet's last change.
    pub updated_at: Timestamp,
}

/// The public bets in parts of a fixed size. A bet must stay in its part for ever, and each query must read at most one
/// part, however many bets there are.
pub trait SitemapQueries {
    /// The number of parts that have bets. Parts are counted from 0. A part may be empty.
    fn sitemap_parts(&self) -> Result<u32>;

    /// The public bets of a part, oldest first. Deleted bets are left out.
    fn sitemap_part(&self, part: u32) -> Result<Vec<SitemapEntry>>;
}
