use bolts_bets::{Bet, By, Change, EscrowEffect, Event, EventKind, ShareToken, State, Status, Visibility};
use bolts_kernel::{BetId, Currency, Money, PerCurrency, UserId};
use bolts_ports::{BetView, Bets, MarketStats, Result, StoreError};
use diesel::prelude::*;

use super::Conn;
use super::rows::{self, Cells, StateRow, TermsRow, ViewRow, bet_views};
use super::transaction::{Seen, Transaction};
use super::user_figures::contributions;
use super::{prepared, tile_slot};
use crate::schema::{bet_events, bets, positions, tile_counters};

type LockedRow = (i64, TermsRow, StateRow);

impl Bets for Transaction<'_> {
    fn lock(&mut self, id: BetId) -> Result<Option<Bet>> {
        let row = self.run(|conn| {
            let live = bets::table.filter(bets::id.eq(id.to_string())).filter(bets::deleted_at.is_null());
            let row = live.select((bets::seq, TermsRow::as_select(), StateRow::as_select()));
            locked!(row).get_result::<LockedRow>(conn).optional()
        })?;
        row.map(|row| self.see(row)).transpose()
    }

    fn lock_by_token(&mut self, token: &ShareToken) -> Result<Option<Bet>> {
        let row = self.run(|conn| {
            let live =
                bets::table.filter(bets::share_token.eq(token.as_str())).filter(bets::deleted_at.is_null());
            let row = live.select((bets::seq, TermsRow::as_select(), StateRow::as_select()));
            locked!(row).get_result::<LockedRow>(conn).optional()
        })?;
        row.map(|row| self.see(row)).transpose()
    }

    fn insert(&mut self, created: &Change) -> Result<()> {
        let values = (TermsRow::of(&created.bet), StateRow::of(&created.bet));
        let seq = self.run(|conn| {
            diesel::insert_into(bets::table).values(values).returning(bets::seq).get_result::<i64>(conn)
        })?;
        let nothing = Seen { seq, market_stats: MarketStats::default(), contributions: Default::default() };
        self.seen.insert(created.bet.id, nothing);
        self.record(seq, created)
    }

    fn update(&mut self, change: &Change) -> Result<()> {
        let seq = self.seq_of(change.bet.id)?;
        let state = StateRow::of(&change.bet);
        let touched = self.run(|conn| state.update(conn, seq))?;
        self.expect_rows(touched, 1, &format!("changing bet {}", change.bet.id))?;
        self.record(seq, change)
    }

    fn is_open_between(&mut self, one: UserId, other: UserId) -> Result<bool> {
        let (one, other) = (one.to_string(), other.to_string());
        self.run(|conn| {
            let there = bets::creator_id.eq(&one).and(bets::acceptor_id.eq(&other));
            let back = bets::creator_id.eq(&other).and(bets::acceptor_id.eq(&one));
            let held =
                bets::status.eq_any(["accepted", "awaiting_resolution"]).and(bets::deleted_at.is_null());
            let open = bets::table.filter(there.or(back)).filter(held);
            diesel::select(diesel::dsl::exists(open)).get_result::<bool>(conn)
        })
    }

    fn view(&mut self, id: BetId) -> Result<Option<BetView>> {
        let row = self.run(|conn| {
            bet_views!().filter(bets::id.eq(id.to_string())).get_result::<ViewRow>(conn).optional()
        })?;
        let view = row.map(rows::view).transpose();
        Ok(self.remember(view)?.map(|(_, view)| view))
    }
}

impl Seen {
    fn of(seq: i64, bet: &Bet) -> Self {
        Self { seq, market_stats: tiles_of(bet), contributions: contributions(bet) }
    }
}

impl Transaction<'_> {
    fn see(&mut self, (seq, terms, state): LockedRow) -> Result<Bet> {
        let bet = self.remember(rows::bet(&terms, &state))?;
        self.seen.insert(bet.id, Seen::of(seq, &bet));
        Ok(bet)
    }

    /// The `seq` of a bet. If this job has not locked the bet yet, the method reads and locks its row.
    fn seq_of(&mut self, id: BetId) -> Result<i64> {
        if let Some(seen) = self.seen.get(&id) {
            return Ok(seen.seq);
        }
        let row = self.run(|conn| {
            let row = bets::table.filter(bets::id.eq(id.to_string()));
            let row = row.select((bets::seq, TermsRow::as_select(), StateRow::as_select()));
            locked!(row).get_result::<LockedRow>(conn).optional()
        })?;
        let Some(row) = row else {
            return self.remember(Err(StoreError::Broken(format!("there is no bet {id} to change"))));
        };
        let seq = row.0;
        self.see(row)?;
        Ok(seq)
    }

    /// Writes the parts of a change that are not in the row of the bet: event, positions, statistics and
    /// market figures.
    fn record(&mut self, seq: i64, change: &Change) -> Result<()> {
        if let Some(event) = &change.event {
            self.append(seq, event)?;
        }
        self.move_positions(seq, change)?;
        let after = Seen::of(seq, &change.bet);
        let before = self.seen.insert(change.bet.id, after);
        self.note_figures(before.map(|seen| seen.contributions).unwrap_or_default(), &change.bet);
        self.count(before.map(|seen| seen.market_stats).unwrap_or_default(), after.market_stats)
    }

    fn append(&mut self, seq: i64, event: &Event) -> Result<()> {
        let by_user = match event.by {
            By::Admin(admin) => Some(admin.to_string()),
            By::Creator | By::Acceptor | By::Clock => None,
        };
        let values = (
            bet_events::bet_seq.eq(seq),
            bet_events::at.eq(event.at.micros()),
            bet_events::kind.eq(event.kind.as_str()),
            bet_events::by_role.eq(event.by.as_str()),
            bet_events::by_user.eq(by_user),
            bet_events::detail.eq(event.detail.as_deref()),
        );
        self.run(|conn| diesel::insert_into(bet_events::table).values(values).execute(conn)).map(drop)
    }

    fn move_positions(&mut self, seq: i64, change: &Change) -> Result<()> {
        let bet = &change.bet;
        let what = || format!("the positions of bet {}", bet.id);
        let held = if bet.acceptor().is_some() { 2 } else { 1 };
        match change.escrow {
            EscrowEffect::Unchanged => Ok(()),
            EscrowEffect::Hold(user) => {
                let touched = self.run(|conn| hold(conn, seq, bet, user))?;
                self.expect_rows(touched, 1, &what())
            }
            EscrowEffect::PayOut(winner) => {
                let touched = self.run(|conn| pay_out(conn, seq, bet, winner))?;
                self.expect_rows(touched, held, &what())
            }
            EscrowEffect::Refund => {
                let touched = self.run(|conn| prepared::execute(conn, GIVE_BACK, [seq.into()]))?;
                self.expect_rows(touched, held, &what())
            }
        }
    }

    /// Adds the difference between the two contributions of a bet to the market figures. For most changes the
    /// difference is 0.
    fn count(&mut self, before: MarketStats, after: MarketStats) -> Result<()> {
        let counts = [
            (ACTIVE.to_owned(), after.active_bets - before.active_bets),
            (TOTAL.to_owned(), after.total_bets - before.total_bets),
        ];
        let volumes = after
            .volume
            .iter()
            .map(|(currency, volume)| (format!("{currency}{VOLUME}"), volume - before.volume[currency]));
        for (metric, delta) in counts.into_iter().chain(volumes).filter(|(_, delta)| *delta != 0) {
            let binds = [(&metric).into(), tile_slot().into(), delta.into()];
            self.run(|conn| prepared::execute(conn, COUNT, binds))?;
        }
        Ok(())
    }
}

fn hold(conn: &mut Conn, seq: i64, bet: &Bet, user: UserId) -> QueryResult<usize> {
    let side = bet.side_of(user).ok_or(diesel::result::Error::NotFound)?;
    let values = (
        positions::bet_seq.eq(seq),
        positions::side.eq(side.as_str()),
        positions::user_id.eq(user.to_string()),
        positions::stake.eq(bet.stake_of(side).amount.get()),
    );
    diesel::insert_into(positions::table).values(values).execute(conn)
}

fn pay_out(conn: &mut Conn, seq: i64, bet: &Bet, winner: UserId) -> QueryResult<usize> {
    let (winner, pot) = (winner.to_string(), bet.pot().amount.get());
    prepared::execute(conn, PAY_OUT, [(&winner).into(), pot.into(), seq.into()])
}

const PAY_OUT: &str = "UPDATE positions SET payout = CASE WHEN user_id = ? THEN ? ELSE 0 END WHERE bet_seq = ? AND payout IS NULL";
const GIVE_BACK: &str = "UPDATE positions SET payout = stake WHERE bet_seq = ? AND payout IS NULL";
const COUNT: &str = "INSERT INTO tile_counters (metric, slot, value) VALUES (?, ?, ?)
    ON CONFLICT (metric, slot) DO UPDATE SET value = tile_counters.value + excluded.value";

const ACTIVE: &str = "active_bets";
const TOTAL: &str = "total_bets";
/// The last part of the name of a volume counter. The first part is the currency: `sats_volume`.
const VOLUME: &str = "_volume";

/// The contribution of one bet to the market figures. Only public bets that are not deleted count.
fn tiles_of(bet: &Bet) -> MarketStats {
    if bet.deletion.is_some() || bet.terms.visibility != Visibility::Public {
        return MarketStats::default();
    }
    let Money { amount, currency } = bet.staked();
    let active_bets = match bet.state {
        State::Pending | State::Accepted(_) => 1,
        State::AwaitingResolution(_) | State::Resolved { .. } | State::Cancelled { .. } => 0,
    };
    MarketStats { active_bets, volume: PerCurrency::only(currency, amount.get()), total_bets: 1 }
}

/// The market figures. Each figure is the sum of its slots.
pub(super) fn market_stats(conn: &mut Conn) -> QueryResult<MarketStats> {
    let counters = tile_counters::table.select((tile_counters::metric, tile_counters::value));
    let mut market_stats = MarketStats::default();
    for (metric, value) in counters.load::<(String, i64)>(conn)? {
        let volume_of = metric.strip_suffix(VOLUME).and_then(Currency::parse);
        match (metric.as_str(), volume_of) {
            (ACTIVE, _) => market_stats.active_bets += value,
            (TOTAL, _) => market_stats.total_bets += value,
            (_, Some(currency)) => market_stats.volume[currency] += value,
            (_, None) => {}
        }
    }
    Ok(market_stats)
}

type EventRow = (i64, i64, String, String, Option<String>, Option<String>);

/// The events of a bet, oldest first.
pub(super) fn events(conn: &mut Conn, bet: BetId) -> QueryResult<Vec<EventRow>> {
    bet_events::table
        .inner_join(bets::table)
        .filter(bets::id.eq(bet.to_string()))
        .filter(bets::deleted_at.is_null())
        .order(bet_events::seq)
        .select((
            bet_events::seq,
            bet_events::at,
            bet_events::kind,
            bet_events::by_role,
            bet_events::by_user,
            bet_events::detail,
        ))
        .load(conn)
}

/// Converts a row to an event.
pub(super) fn event((seq, at, kind, by_role, by_user, detail): EventRow) -> Result<Event> {
    let id = seq.to_string();
    let cells = Cells { table: "bet_events", id: &id };
    let by = match (by_role.as_str(), &by_user) {
        ("creator", None) => By::Creator,
        ("acceptor", None) => By::Acceptor,
        ("clock", None) => By::Clock,
        ("admin", Some(admin)) => By::Admin(cells.parsed("by_user", admin)?),
        _ => return Err(cells.broken("by_role")),
    };
    let kind = cells.known("kind", EventKind::parse(&kind))?;
    Ok(Event { at: cells.time("at", at)?, kind, by, detail })
}

/// The statuses that count as active.
pub(super) fn active() -> [Status; 2] {
    [Status::Pending, Status::Accepted]
}
