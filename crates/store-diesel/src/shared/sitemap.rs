use bolts_ports::{Result, SITEMAP_PART, SitemapEntry, SitemapQueries};
use diesel::dsl::max;
use diesel::prelude::*;

use super::Handle;
use super::rows::Cells;
use crate::schema::bets;

impl SitemapQueries for Handle {
    fn sitemap_parts(&self) -> Result<u32> {
        let last = self.read(|conn| {
            let public = bets::table.filter(bets::share_token.is_null()).filter(bets::deleted_at.is_null());
            public.select(max(bets::seq)).get_result::<Option<i64>>(conn)
        })?;
        Ok(last.map_or(0, |seq| u32::try_from(seq / i64::from(SITEMAP_PART)).unwrap_or(u32::MAX - 1) + 1))
    }

    fn sitemap_part(&self, part: u32) -> Result<Vec<SitemapEntry>> {
        let first = i64::from(part) * i64::from(SITEMAP_PART);
        let rows = self.read(|conn| {
            bets::table
                .filter(bets::share_token.is_null())
                .filter(bets::deleted_at.is_null())
                .filter(bets::seq.ge(first))
                .filter(bets::seq.lt(first + i64::from(SITEMAP_PART)))
                .order(bets::seq)
                .select((bets::id, bets::updated_at))
                .load::<(String, i64)>(conn)
        })?;
        let entry = |(id, updated_at): &(String, i64)| {
            let cells = Cells { table: "bets", id };
            Ok(SitemapEntry {
                bet: cells.parsed("id", id)?,
                updated_at: cells.time("updated_at", *updated_at)?,
            })
        };
        rows.iter().map(entry).collect()
    }
}
