//! Rows that a batch reads and locks for its jobs before they run, with one statement for many rows.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::Hash;

use bolts_achievements::LONGEST_STREAK;
use bolts_kernel::{BetId, Currency, UserId};
use bolts_ledger::Account;
use bolts_ports::{BetKey, Need, Standing};
use diesel::QueryResult;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::achievements::{LATEST_OF_WANTED, add, result};
use super::bet_rows::{StateRow, TermsRow, bet};
use super::bets::{BALANCE_BEFORE, RowToStake, StakedRow, stake_columns};
use super::columns::Columns;
use super::prepared::{self, Column, Select, Sql};
use super::rows::{PersonRow, ViewRow, view_columns};
use super::transaction::Found;
use super::user_figures::{Change, OF_STAKER, OF_USER, StandingRow, standing_of};
use super::{Conn, accounts as accounts_of};
use crate::schema::users;

/// The rows that were read and locked for the jobs of a batch. Balances and users are kept as the jobs change them, so each job
/// finds them as the jobs before it left them. A bet is as it was at the begin, so `Transaction` checks that no job has changed it.
#[derive(Default)]
pub(super) struct Ahead {
    /// Nothing for a row that is missing or locked.
    stakes: HashMap<(BetId, UserId), Option<StakedRow>>,
    bets: HashMap<BetId, Option<ViewRow>>,
    accounts: HashMap<Account, Option<(i64, i64)>>,
    users: HashMap<UserId, User>,
    /// Free values of `bets.seq` and of `accounts.id`.
    new_bets: VecDeque<i64>,
    new_accounts: VecDeque<i64>,
}

struct User {
    names: PersonRow,
    standing: Standing,
    /// The latest results, if a payout may need them.
    results: Option<Vec<(i64, bool)>>,
}

/// What a batch wants to know about users: whether their latest results too.
type Wanted = BTreeMap<UserId, bool>;

impl Ahead {
    /// Reads and locks the rows that the jobs name. Rows that another transaction has locked are missing.
    pub(super) fn of(conn: &mut Conn, needs: &[Need]) -> QueryResult<Self> {
        let (mut stakes, mut changed) = (BTreeSet::new(), BTreeSet::new());
        let (mut new, mut users, mut accounts) = (0, Wanted::new(), BTreeSet::new());
        for need in needs {
            match *need {
                Need::Stake(bet, user) => drop(stakes.insert((bet, user))),
                Need::Bet(bet) => drop(changed.insert(bet)),
                Need::NewBet(user, currency) => {
                    new += 1;
                    users.insert(user, false);
                    accounts.insert(Account::Available(user, currency));
                }
            }
        }
        let bets = lock_bets(conn, changed)?;
        for row in bets.values().flatten() {
            answer_needs(row, &mut accounts, &mut users);
        }
        let (new_bets, new_accounts) = reserve(conn, new)?;
        let mut ahead = Self {
            stakes: HashMap::new(),
            bets,
            accounts: lock_accounts(conn, accounts)?,
            users: read_users(conn, users)?,
            new_bets,
            new_accounts,
        };
        for ((bet, user), row) in lock_stakes(conn, stakes)? {
            let row = row.and_then(|row| ahead.keep_stake(bet, user, row));
            ahead.stakes.insert((bet, user), row);
        }
        Ok(ahead)
    }

    /// Keeps the accounts and the user of a row. Returns the bet.
    fn keep_stake(&mut self, bet: BetId, user: UserId, row: RowToStake) -> Option<StakedRow> {
        let (row, creator, names, arbiter, available, escrow, standing, before) = row;
        let currency = row.1.currency()?;
        self.keep_available(user, currency, available);
        self.accounts.insert(Account::Escrow(bet, currency), Some(escrow));
        // If a transaction of the user has ended since the begin of the statement, the standing may be older than the balance.
        if before == available.1
            && let Ok(standing) = standing_of(user, standing)
        {
            self.users.entry(user).or_insert(User { names, standing, results: None });
        }
        Some((row, creator, arbiter))
    }

    /// Keeps a locked account of a user. If the account was not locked when the user was read, another transaction may have
    /// changed the user's standing since then, so it is forgotten.
    fn keep_available(&mut self, user: UserId, currency: Currency, row: (i64, i64)) {
        let before = self.accounts.insert(Account::Available(user, currency), Some(row));
        if !matches!(before, Some(Some(_))) {
            self.users.remove(&user);
        }
    }

    /// Keeps what a job adds to balances, to results and to unlocked achievements.
    pub(super) fn keep(
        &mut self,
        moved: &[(Account, i64)],
        results: &[(UserId, i64, bool)],
        unlocked: &[(UserId, String)],
    ) {
        for (account, amount) in moved {
            if let Some(Some((_, balance))) = self.accounts.get_mut(account) {
                *balance += amount;
            }
        }
        for (user, seq, won) in results {
            if let Some(results) = self.users.get_mut(user).and_then(|user| user.results.as_mut()) {
                add(results, (*seq, *won));
            }
        }
        for (user, achievement) in unlocked {
            if let Some(user) = self.users.get_mut(user) {
                user.standing.unlocked.push(achievement.clone());
                user.standing.unlocked.sort_unstable();
            }
        }
    }

    pub(super) fn note_figures(&mut self, user: UserId, currency: Currency, change: &Change) {
        if let Some(user) = self.users.get_mut(&user) {
            change.add_to(&mut user.standing.stats[currency]);
        }
    }

    /// Forgets the rows, because they may have changed. The free numbers stay.
    pub(super) fn clear(&mut self) {
        self.stakes.clear();
        self.bets.clear();
        self.accounts.clear();
        self.users.clear();
    }

    pub(super) fn stake(&mut self, key: &BetKey, user: UserId) -> Found<StakedRow> {
        match key {
            BetKey::Id(bet) => self.stakes.remove(&(*bet, user)),
            BetKey::Token(_) => None,
        }
    }

    pub(super) fn bet(&mut self, bet: BetId) -> Found<ViewRow> {
        self.bets.remove(&bet)
    }

    /// Id and balance of these accounts, if all of them were looked for.
    pub(super) fn accounts(&self, wanted: &[Account]) -> Option<Vec<Option<(i64, i64)>>> {
        wanted.iter().map(|account| self.accounts.get(account).copied()).collect()
    }

    pub(super) fn person(&self, user: UserId) -> Option<PersonRow> {
        self.users.get(&user).map(|user| user.names.clone())
    }

    pub(super) fn standing(&self, user: UserId) -> Option<Standing> {
        self.users.get(&user).map(|user| user.standing.clone())
    }

    /// The `seq` of a user's latest resolved bets, and whether the user won.
    pub(super) fn results(&self, user: UserId) -> Option<Vec<(i64, bool)>> {
        self.users.get(&user)?.results.clone()
    }

    /// A free `seq` for a bet.
    pub(super) fn new_bet(&mut self) -> Option<i64> {
        self.new_bets.pop_front()
    }

    /// A free id for an account.
    pub(super) fn new_account(&mut self) -> Option<i64> {
        self.new_accounts.pop_front()
    }
}

/// Adds what the consent to the standing proposal of a bet needs: the accounts of the bet and of its parties, and the user who
/// wins. The loser's account is locked because the consent changes the loser's statistics. So two batches with such answers do not
/// wait for the same statistics. Other settlements do not lock this account. An invalid row is left to the job that reads it.
fn answer_needs((_, terms, state, ..): &ViewRow, accounts: &mut BTreeSet<Account>, users: &mut Wanted) {
    let Ok(bet) = bet(terms.clone(), state) else { return };
    let Some(proposal) = bet.state.negotiation().and_then(|negotiation| negotiation.standing) else { return };
    let currency = bet.terms.stake.currency;
    accounts.insert(Account::Escrow(bet.id, currency));
    let parties = [Some(bet.creator), bet.acceptor()].into_iter().flatten();
    accounts.extend(parties.map(|user| Account::Available(user, currency)));
    if let Some(winner) = proposal.outcome.winning_side().and_then(|side| bet.user_on(side)) {
        users.insert(winner, true);
    }
}

/// Texts as one parameter. Neither ids nor the names of currencies contain a comma.
fn list(texts: impl Iterator<Item = impl ToString>) -> String {
    texts.map(|text| text.to_string()).collect::<Vec<_>>().join(",")
}

/// Looks up each user by id (`OFFSET 0`), as [`super::PAGE_JOINS`] does.
macro_rules! user_of {
    ($id:literal, $name:literal) => {
        concat!(
            " LEFT JOIN LATERAL (SELECT id, username, email FROM users WHERE id = ",
            $id,
            " OFFSET 0) AS ",
            $name,
            " ON TRUE"
        )
    };
}

const STAKES: &str = concat!(
    "FROM unnest(string_to_array(?, ','), string_to_array(?, ',')) WITH ORDINALITY AS wanted (bet, staker, place) \
     JOIN bets ON bets.id = wanted.bet \
     JOIN accounts AS available ON available.kind = 'available' AND available.owner = wanted.staker \
         AND available.currency = bets.currency \
     JOIN accounts AS escrow ON escrow.kind = 'escrow' AND escrow.owner = bets.id AND escrow.currency = bets.currency",
    user_of!("bets.creator_id", "creators"),
    user_of!("wanted.staker", "stakers"),
    user_of!("bets.arbiter_id", "arbiters"),
    " WHERE bets.deleted_at IS NULL FOR NO KEY UPDATE OF bets, available, escrow SKIP LOCKED"
);

fn lock_stakes(
    conn: &mut Conn,
    wanted: BTreeSet<(BetId, UserId)>,
) -> QueryResult<HashMap<(BetId, UserId), Option<RowToStake>>> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let columns = (Column(Place), stake_columns!());
    let lists = [list(wanted.iter().map(|(bet, _)| bet)), list(wanted.iter().map(|(_, user)| user))];
    let from = Sql::new(STAKES, lists.map(Into::into));
    let found = Select { columns, from, is_kept: true }.load::<(i64, RowToStake)>(conn)?;
    Ok(by_place(wanted, found))
}

const BETS: &str = concat!(
    "FROM unnest(string_to_array(?, ',')) WITH ORDINALITY AS wanted (bet, place) JOIN bets ON bets.id = wanted.bet",
    user_of!("bets.creator_id", "creators"),
    user_of!("bets.acceptor_id", "acceptors"),
    user_of!("bets.arbiter_id", "arbiters"),
    " WHERE bets.deleted_at IS NULL FOR NO KEY UPDATE OF bets SKIP LOCKED"
);

fn lock_bets(conn: &mut Conn, wanted: BTreeSet<BetId>) -> QueryResult<HashMap<BetId, Option<ViewRow>>> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let columns = (Column(Place), view_columns!());
    let from = Sql::new(BETS, [list(wanted.iter()).into()]);
    let found = Select { columns, from, is_kept: true }.load::<(i64, ViewRow)>(conn)?;
    Ok(by_place(wanted, found))
}

fn lock_accounts(
    conn: &mut Conn,
    wanted: BTreeSet<Account>,
) -> QueryResult<HashMap<Account, Option<(i64, i64)>>> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let wanted: Vec<_> = wanted.into_iter().collect();
    let found = accounts_of::lock(conn, &wanted, false)?;
    Ok(wanted.into_iter().zip(found).collect())
}

const USERS: &str = "FROM unnest(string_to_array(?, ','), string_to_array(?, ',')) \
    WITH ORDINALITY AS wanted (id, results, place) JOIN users ON users.id = wanted.id ";

prepared::column! {
    /// The latest results as [`LATEST_OF_WANTED`] has them.
    Latest: Nullable<Text> = "latest.results"
}

/// Names, standing and latest results of users. The rows are not locked.
fn read_users(conn: &mut Conn, wanted: Wanted) -> QueryResult<HashMap<UserId, User>> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let columns = (Column(Place), (users::username, users::email), OF_USER, Column(Latest));
    let with_results = list(wanted.values().map(|needs_results| u8::from(*needs_results)));
    let from = Sql::new(
        format!("{USERS}{LATEST_OF_WANTED}"),
        [list(wanted.keys()).into(), with_results.into(), LONGEST_STREAK.into()],
    );
    let found = Select { columns, from, is_kept: true }
        .load::<(i64, PersonRow, StandingRow, Option<String>)>(conn)?;
    let results = |text: Option<String>| {
        let rows = text.iter().flat_map(|text| text.split(',')).filter_map(|row| row.parse().ok());
        let mut results: Vec<_> = rows.map(result).collect();
        results.sort_unstable_by(|one, other| other.cmp(one));
        results
    };
    let places: Vec<_> = wanted.into_iter().collect();
    let found = found.into_iter().filter_map(|(place, names, standing, latest)| {
        let (user, needs_results) = *places.get(usize::try_from(place).ok()?.checked_sub(1)?)?;
        // An invalid row is left to the job that reads it.
        let standing = standing_of(user, standing).ok()?;
        Some((user, User { names, standing, results: needs_results.then(|| results(latest)) }))
    });
    Ok(found.collect())
}

/// Takes as many free numbers of bets and of accounts. Numbers that no job uses stay free for ever.
fn reserve(conn: &mut Conn, count: i64) -> QueryResult<(VecDeque<i64>, VecDeque<i64>)> {
    const RESERVE: &str = "SELECT nextval(pg_get_serial_sequence(?, ?)) FROM generate_series(1, ?)";
    if count == 0 {
        return Ok((VecDeque::new(), VecDeque::new()));
    }
    let mut of = |table: &'static str, column: &'static str| {
        prepared::numbers(conn, RESERVE, [table.into(), column.into(), count.into()]).map(VecDeque::from)
    };
    Ok((of("bets", "seq")?, of("accounts", "id")?))
}

prepared::column! {
    /// The place of a row in its list, from 1.
    Place: BigInt = "wanted.place"
}

/// Each wanted row with what was found at its place.
fn by_place<K: Eq + Hash, R>(wanted: BTreeSet<K>, found: Vec<(i64, R)>) -> HashMap<K, Option<R>> {
    let mut found: HashMap<i64, R> = found.into_iter().collect();
    (1..).zip(wanted).map(|(place, key)| (key, found.remove(&place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another transaction held the lock of the account when the batch read the user. It has ended since then.
    #[test]
    fn a_standing_that_was_read_before_its_account_was_locked_is_forgotten() {
        let (user, account) = (UserId::from(1), Account::Available(UserId::from(1), Currency::Bolts));
        for (before, is_kept) in [(None, false), (Some(None), false), (Some(Some((7, 100))), true)] {
            let mut ahead = Ahead {
                accounts: before.map(|row| (account, row)).into_iter().collect(),
                ..Ahead::default()
            };
            let names = (Some("ann".to_owned()), "ann@example.com".to_owned());
            ahead.users.insert(user, User { names, standing: Standing::default(), results: None });
            ahead.keep_available(user, Currency::Bolts, (7, 100));
            assert_eq!(ahead.standing(user).is_some(), is_kept, "{before:?}");
        }
    }
}
