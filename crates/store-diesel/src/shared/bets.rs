use bolts_bets::{Bet, By, Change, EscrowEffect, Event, EventKind, State, Visibility};
use bolts_kernel::{BetId, Currency, Money, PerCurrency, UserId};
use bolts_ledger::Account;
use bolts_ports::{BetKey, BetView, Bets, LATEST_EVENTS, MarketStats, Person, Result, StoreError};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::Conn;
use super::bet_rows::{StateRow, TermsRow, bet, insertion, insertion_at};
use super::columns::{Columns, row};
use super::prepared::{self, Bind, Column, Place, Write};
use super::rows::{self, Cells, PersonRow, ViewRow, bet_views};
use super::tile_slot;
use super::transaction::{Counted, LockedAccount, Seen, Transaction};
use super::user_figures::{OF_STAKER, StandingRow, contributions};
use crate::schema::{
    ARBITERS, AVAILABLE, CREATORS, ESCROW, STAKERS, accounts, bet_events, bets, tile_counters, users,
};

pub(super) type LockedRow = (i64, TermsRow, StateRow);

/// The `seq` of a new bet, the names of its creator, and the creator's standing.
type Inserted = (BigInt, Nullable<Text>, Text, Nullable<Text>, Nullable<Text>);
type InsertedRow = (i64, Option<String>, String, Option<String>, Option<String>);

/// A bet to stake in, with its creator and its arbiter.
pub(super) type StakedRow = (LockedRow, PersonRow, Option<PersonRow>);

/// The columns of [`rows_to_stake`]: the bet, its creator, the user, the arbiter, id and balance of two accounts,
/// the user's standing, and the balance that the user had at the begin of the statement.
pub(super) type RowToStake =
    (LockedRow, PersonRow, PersonRow, Option<PersonRow>, (i64, i64), (i64, i64), StandingRow, i64);

/// The tables of [`rows_to_stake`] whose rows are locked, in the order of locking.
const STAKED: &str = "bets, available, escrow";

prepared::column! {
    /// The balance of the user's account without the changes of transactions for which the statement has waited.
    BalanceBefore: BigInt = "(SELECT balance FROM accounts AS before WHERE before.id = available.id)"
}
pub(super) const BALANCE_BEFORE: Column<BalanceBefore> = Column(BalanceBefore);

/// The columns of [`RowToStake`].
macro_rules! stake_columns {
    () => {{
        use $crate::schema::{ARBITERS, AVAILABLE, CREATORS, ESCROW, STAKERS, accounts, bets, users};
        (
            (bets::seq, TermsRow::columns(), StateRow::columns()),
            CREATORS.fields((users::username, users::email)),
            STAKERS.fields((users::username, users::email)),
            ARBITERS.fields((users::username, users::email)).nullable(),
            AVAILABLE.fields((accounts::id, accounts::balance)),
            ESCROW.fields((accounts::id, accounts::balance)),
            OF_STAKER,
            BALANCE_BEFORE,
        )
    }};
}
#[allow(unused_imports, reason = "SQLite reads the rows of one job")]
pub(super) use stake_columns;

/// A query for a bet with the names and accounts that a stake of this user needs.
macro_rules! rows_to_stake {
    ($user:expr) => {{
        let available = AVAILABLE.field(accounts::kind).eq("available");
        let available = available.and(AVAILABLE.field(accounts::owner).eq($user.to_string()));
        let available = available.and(AVAILABLE.field(accounts::currency).eq(bets::currency));
        let escrow = ESCROW.field(accounts::kind).eq("escrow");
        let escrow = escrow.and(ESCROW.field(accounts::owner).eq(bets::id));
        let escrow = escrow.and(ESCROW.field(accounts::currency).eq(bets::currency));
        bets::table
            .inner_join(CREATORS.on(CREATORS.field(users::id).eq(bets::creator_id)))
            .inner_join(STAKERS.on(STAKERS.field(users::id).eq($user.to_string())))
            .inner_join(AVAILABLE.on(available))
            .inner_join(ESCROW.on(escrow))
            .left_join(ARBITERS.on(ARBITERS.field(users::id).nullable().eq(bets::arbiter_id)))
            .filter(bets::deleted_at.is_null())
            .select(stake_columns!())
    }};
}

impl Bets for Transaction<'_> {
    fn lock(&mut self, id: BetId) -> Result<Option<Bet>> {
        let statement = |conn: &mut Conn, waits| {
            // The names come with the bet, because each statement costs a round trip on PostgreSQL.
            let row = bet_views!().filter(bets::id.eq(id.to_string()));
            locked_of!(row, "bets", waits).get_result::<ViewRow>(conn).optional()
        };
        self.flush_alone()?;
        let row = match self.ahead.bet(id) {
            Some(None) => return self.missed(),
            Some(Some(row)) if !self.has_changed(row.0) => Some(row),
            _ => self.lock_ahead(statement, |(seq, ..), place| *place == Place::Bet(*seq))?,
        };
        let Some((seq, terms, state, creator, acceptor, arbiter)) = row else { return Ok(None) };
        let bet = self.see((seq, terms, state))?;
        self.know(Some(bet.creator), Some(creator));
        self.know(bet.acceptor(), acceptor);
        self.know(bet.arbiter.map(|arbiter| arbiter.user), arbiter);
        Ok(Some(bet))
    }

    fn lock_to_stake(&mut self, key: &BetKey, user: UserId) -> Result<Option<Bet>> {
        let statement = |conn: &mut Conn, waits| {
            let rows = rows_to_stake!(user);
            match key {
                BetKey::Id(id) => {
                    let row = rows.filter(bets::id.eq(id.to_string()));
                    locked_of!(row, STAKED, waits).get_result::<RowToStake>(conn).optional()
                }
                BetKey::Token(token) => {
                    let row = rows.filter(bets::share_token.eq(token.as_str()));
                    locked_of!(row, STAKED, waits).get_result::<RowToStake>(conn).optional()
                }
            }
        };
        self.flush_alone()?;
        match self.ahead.stake(key, user) {
            Some(None) => return self.missed(),
            Some(Some((row, creator, arbiter))) if !self.has_changed(row.0) => {
                // The accounts and the standing of the user were read too.
                let bet = self.see(row)?;
                self.know(Some(bet.creator), Some(creator));
                self.know(bet.arbiter.map(|arbiter| arbiter.user), arbiter);
                return Ok(Some(bet));
            }
            _ => {}
        }
        if self.figures_wait(user) {
            // The stake of an earlier job waits too, so the row would be stale.
            self.flush()?;
        }
        let row = self.lock_ahead(statement, |row, place| {
            let ((seq, ..), _, _, _, (available, _), (escrow, _), ..) = row;
            *place == Place::Bet(*seq) || place.moves(*available) || place.moves(*escrow)
        })?;
        let Some((row, creator, staker, arbiter, available, escrow, standing, before)) = row else {
            return Ok(None);
        };
        let bet = self.see(row)?;
        // If the statement has waited for another transaction of the user, it has read the standing before this transaction.
        if before == available.1 {
            self.keep_standing(user, standing);
        }
        self.know(Some(bet.creator), Some(creator));
        self.know(Some(user), Some(staker));
        self.know(bet.arbiter.map(|arbiter| arbiter.user), arbiter);
        let currency = bet.terms.stake.currency;
        let accounts =
            [(Account::Available(user, currency), available), (Account::Escrow(bet.id, currency), escrow)];
        for (account, (id, balance)) in accounts {
            self.accounts.insert(account, LockedAccount { id, balance: Some(balance) });
        }
        Ok(Some(bet))
    }

    fn insert(&mut self, created: &Change) -> Result<()> {
        let state = StateRow::of(&created.bet);
        let seq = match self.ahead.new_bet() {
            Some(seq) => {
                self.write(insertion_at(seq, &TermsRow::of(&created.bet), &state))?;
                seq
            }
            None => self.insert_now(&created.bet, &state)?,
        };
        self.record(Counted::default(), Seen::of(seq, state, &created.bet), created)
    }

    fn update(&mut self, change: &Change) -> Result<()> {
        let before = self.before(change.bet.id)?;
        let after = Seen::of(before.seq, StateRow::of(&change.bet), &change.bet);
        self.write(after.state.update(after.seq, &before.state))?;
        self.record(before.counted, after, change)
    }

    fn depends_on(&mut self, user: UserId, other: UserId) -> Result<bool> {
        let (user, other) = (user.to_string(), other.to_string());
        self.run(|conn| {
            let there = bets::creator_id.eq(&user).and(bets::acceptor_id.eq(&other));
            let back = bets::creator_id.eq(&other).and(bets::acceptor_id.eq(&user));
            // The indexes of open bets have the bets that are not settled.
            let held =
                bets::status.eq_any(["accepted", "awaiting_resolution"]).and(bets::settled_at.is_null());
            let open = bets::table.filter(there.or(back)).filter(held);
            if diesel::select(diesel::dsl::exists(open)).get_result::<bool>(conn)? {
                return Ok(true);
            }
            let created = bets::creator_id.eq(&user).and(bets::arbiter_id.eq(&other));
            let accepted = bets::acceptor_id.eq(&user).and(bets::arbiter_id.eq(&other));
            let may_rule = bets::arbiter_status.eq("invited").or(bets::arbiter_status.eq("accepted"));
            let of_arbiter = bets::table.filter(created.or(accepted)).filter(may_rule);
            let open = of_arbiter.filter(bets::settled_at.is_null());
            diesel::select(diesel::dsl::exists(open)).get_result::<bool>(conn)
        })
    }

    fn named(&mut self, bet: Bet) -> Result<BetView> {
        let creator = self.person(bet.creator)?;
        let acceptor = bet.acceptor().map(|acceptor| self.person(acceptor)).transpose()?;
        let arbiter = bet.arbiter.map(|arbiter| self.person(arbiter.user)).transpose()?;
        Ok(BetView { bet, creator, acceptor, arbiter })
    }
}

impl Seen {
    fn of(seq: i64, state: StateRow, bet: &Bet) -> Self {
        let counted = Counted { market_stats: tiles_of(bet), contributions: contributions(bet) };
        Self { seq, state, counted }
    }
}

impl Transaction<'_> {
    /// Stores a new bet at once, and returns its `seq`.
    fn insert_now(&mut self, bet: &Bet, state: &StateRow) -> Result<i64> {
        let insertion = insertion(&TermsRow::of(bet), state);
        let (seq, username, email, figures, unlocked) = self.change_ahead(|conn| {
            prepared::row::<Inserted, InsertedRow>(conn, &insertion.text, &insertion.binds)
        })?;
        self.know(Some(bet.creator), Some((username, email)));
        self.keep_standing(bet.creator, (figures, unlocked));
        Ok(seq)
    }

    fn see(&mut self, (seq, terms, state): LockedRow) -> Result<Bet> {
        let bet = self.remember(bet(terms, &state))?;
        self.seen.insert(bet.id, Seen::of(seq, state, &bet));
        Ok(bet)
    }

    /// Whether the bet has changed since a statement before the job has read it.
    fn has_changed(&self, seq: i64) -> bool {
        self.writes.has_touched(|place| *place == Place::Bet(seq))
    }

    /// Keeps the name of a user that came with a bet.
    fn know(&mut self, user: Option<UserId>, row: Option<PersonRow>) {
        if let (Some(user), Some(row)) = (user, row) {
            self.people.insert(user, rows::person(row));
        }
    }

    pub(super) fn person(&mut self, user: UserId) -> Result<Person> {
        if let Some(person) = self.people.get(&user) {
            return Ok(person.clone());
        }
        let row = match self.ahead.person(user) {
            Some(row) => row,
            None => self.read_ahead(|conn| {
                let row = users::table.find(user.to_string()).select((users::username, users::email));
                row.get_result::<PersonRow>(conn)
            })?,
        };
        let person = rows::person(row);
        self.people.insert(user, person.clone());
        Ok(person)
    }

    /// The stored data of a bet before a change. If this job has not locked the bet yet, the method reads and locks
    /// its row.
    fn before(&mut self, id: BetId) -> Result<Seen> {
        if let Some(seen) = self.seen.remove(&id) {
            return Ok(seen);
        }
        let row = self.run(|conn| {
            let row = bets::table.filter(bets::id.eq(id.to_string()));
            let row = row.select((bets::seq, TermsRow::columns(), StateRow::columns()));
            locked!(row).get_result::<LockedRow>(conn).optional()
        })?;
        let Some(row) = row else {
            return self.remember(Err(StoreError::Broken(format!("there is no bet {id} to change"))));
        };
        let (seq, terms, state) = row;
        let bet = self.remember(bet(terms, &state))?;
        Ok(Seen::of(seq, state, &bet))
    }

    /// Writes the parts of a change that are not in the row of the bet: event, positions, statistics and market
    /// figures.
    fn record(&mut self, before: Counted, after: Seen, change: &Change) -> Result<()> {
        if let Some(event) = &change.event {
            self.append(after.seq, event)?;
        }
        self.move_positions(after.seq, change)?;
        self.note_figures(&change.bet, before.contributions, after.counted.contributions);
        self.count(before.market_stats, after.counted.market_stats)?;
        self.seen.insert(change.bet.id, after);
        Ok(())
    }

    fn append(&mut self, seq: i64, event: &Event) -> Result<()> {
        let by_user = match event.by {
            By::Admin(admin) => Some(admin.to_string()),
            By::Creator | By::Acceptor | By::Arbiter | By::Clock => None,
        };
        let binds = [
            seq.into(),
            event.at.micros().into(),
            event.kind.as_str().into(),
            event.by.as_str().into(),
            by_user.into(),
            event.detail.clone().into(),
        ];
        self.write(Write::one(APPEND, Place::New, binds))
    }

    fn move_positions(&mut self, seq: i64, change: &Change) -> Result<()> {
        let bet = &change.bet;
        let rows = if bet.acceptor().is_some() { 2 } else { 1 };
        let parties = [Some(bet.creator), bet.acceptor()];
        let write = |sql, binds| Write::one(sql, Place::Positions(seq, parties), binds);
        match change.escrow {
            EscrowEffect::Unchanged => Ok(()),
            EscrowEffect::Hold(user) => {
                let unknown = || StoreError::Broken(format!("user {user} has no side in bet {}", bet.id));
                let side = self.remember(bet.side_of(user).ok_or_else(unknown))?;
                let stake = bet.stake_of(side).amount.get();
                self.write(write(
                    HOLD,
                    vec![seq.into(), side.as_str().into(), user.to_string().into(), stake.into()],
                ))
            }
            EscrowEffect::PayOut(winner) => {
                let results = parties.into_iter().flatten().map(|user| (user, seq, user == winner));
                self.results.extend(results);
                let pot = bet.pot().amount.get();
                let binds = vec![winner.to_string().into(), pot.into(), seq.into()];
                self.write(Write { rows, ..write(PAY_OUT, binds) })
            }
            EscrowEffect::Refund => self.write(Write { rows, ..write(GIVE_BACK, vec![seq.into()]) }),
        }
    }

    /// Adds the difference between the two contributions of a bet to the market figures. For most changes the
    /// difference is 0.
    fn count(&mut self, before: MarketStats, after: MarketStats) -> Result<()> {
        let counts = [
            (ACTIVE.into(), after.active_bets - before.active_bets),
            (TOTAL.into(), after.total_bets - before.total_bets),
        ];
        let volumes = after.volume.iter().map(|(currency, volume)| {
            (format!("{currency}{VOLUME}").into(), volume - before.volume[currency])
        });
        let changed: Vec<(Bind<'static>, i64)> =
            counts.into_iter().chain(volumes).filter(|(_, delta)| *delta != 0).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let rows = changed.len();
        let row = |(metric, delta): (Bind<'static>, i64)| [metric, tile_slot().into(), delta.into()];
        let binds = changed.into_iter().flat_map(row).collect();
        let sql = COUNT.replace("(?, ?, ?)", &["(?, ?, ?)"].repeat(rows).join(", "));
        self.write(Write { sql: sql.into(), binds, place: Place::Tiles, rows, otherwise: None })
    }
}

const APPEND: &str =
    "INSERT INTO bet_events (bet_seq, at, kind, by_role, by_user, detail) VALUES (?, ?, ?, ?, ?, ?)";
const HOLD: &str = "INSERT INTO positions (bet_seq, side, user_id, stake) VALUES (?, ?, ?, ?)";
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

row! {
    /// The columns of an event.
    EventRow of "bet_events" {
        {
            seq: i64 as BigInt,
            at: i64 as BigInt,
            kind: String as Text,
            by_role: String as Text,
            by_user: Option<String> as Nullable<Text>,
            detail: Option<String> as Nullable<Text>,
        }
    }
}

impl EventRow {
    pub(super) fn seq(&self) -> i64 {
        self.seq
    }
}

/// The latest events of a bet, oldest first.
pub(super) fn events(conn: &mut Conn, bet: BetId) -> QueryResult<Vec<EventRow>> {
    let mut latest = bet_events::table
        .inner_join(bets::table)
        .filter(bets::id.eq(bet.to_string()))
        .filter(bets::deleted_at.is_null())
        .order(bet_events::seq.desc())
        .limit(LATEST_EVENTS.into())
        .select(EventRow::columns())
        .load::<EventRow>(conn)?;
    latest.reverse();
    Ok(latest)
}

/// Converts a row to an event.
pub(super) fn event(row: EventRow) -> Result<Event> {
    let id = row.seq.to_string();
    let cells = Cells { table: "bet_events", id: &id };
    let by = match (row.by_role.as_str(), &row.by_user) {
        ("creator", None) => By::Creator,
        ("acceptor", None) => By::Acceptor,
        ("arbiter", None) => By::Arbiter,
        ("clock", None) => By::Clock,
        ("admin", Some(admin)) => By::Admin(cells.parsed("by_user", admin)?),
        _ => return Err(cells.broken("by_role")),
    };
    let kind = cells.known("kind", EventKind::parse(&row.kind))?;
    Ok(Event { at: cells.time("at", row.at)?, kind, by, detail: row.detail })
}
