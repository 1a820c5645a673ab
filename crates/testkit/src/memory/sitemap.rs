use bolts_bets::Visibility;
use bolts_ports::{Result, SITEMAP_PART, SitemapEntry, SitemapQueries};

use super::MemoryStore;
use super::state::{BetRow, State};

fn public(state: &State) -> impl Iterator<Item = &BetRow> {
    state.live_bets().filter(|row| row.bet.terms.visibility == Visibility::Public)
}

fn part_of(row: &BetRow) -> u32 {
    u32::try_from(row.seq / i64::from(SITEMAP_PART)).expect("a test has few bets")
}

impl SitemapQueries for MemoryStore {
    fn sitemap_parts(&self) -> Result<u32> {
        Ok(public(&self.state()).map(part_of).max().map_or(0, |last| last + 1))
    }

    fn sitemap_part(&self, part: u32) -> Result<Vec<SitemapEntry>> {
        let state = self.state();
        let mut rows: Vec<_> = public(&state).filter(|row| part_of(row) == part).collect();
        rows.sort_by_key(|row| row.seq);
        let entry = |row: &BetRow| SitemapEntry { bet: row.bet.id, updated_at: row.bet.updated_at };
        Ok(rows.into_iter().map(entry).collect())
    }
}
