//! Lists of bets in pages. For each status and category, a statement reads one or two ranges of an index that
//! has the order of the list. The statement reads at most one page of rows from each range and merges these
//! rows.

use std::cmp::Ordering;

use bolts_bets::{ArbiterStatus, Bet, Category, Status};
use bolts_kernel::UserId;
use bolts_ports::{BetView, Cursor, ListFilter, ListStatus, Page, PageRequest, Result, Sort};
use bolts_resolution::deadlines;
use diesel::prelude::*;

use super::bet_rows::{StateRow, TermsRow};
use super::columns::Columns;
use super::departures::active_arbiter;
use super::failure::failure;
use super::prepared::{Select, Sql};
use super::rows::{self, ViewRow, view_columns};
use super::{Conn, PAGE_JOINS, search};

/// The SQL condition for bets that public lists show.
pub(super) const PUBLIC: &str = "share_token IS NULL AND deleted_at IS NULL";

/// The number of bets on a page of the web UI.
const USUAL_PAGE: u32 = 24;

/// The order of a list.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// The sort column before `seq`, with its direction. `None` if the list is sorted only by `seq`.
    key: Option<(Key, Direction)>,
    place: Direction,
}

/// A column that a list is sorted by before `seq`.
#[derive(Clone, Copy)]
enum Key {
    SortStake,
    Pot,
    ExpiresAt,
    DisputedAt,
    NextDeadlineAt,
}

impl Key {
    const fn column(self) -> &'static str {
        match self {
            Self::SortStake => "sort_stake",
            Self::Pot => "pot",
            Self::ExpiresAt => "expires_at",
            Self::DisputedAt => "disputed_at",
            Self::NextDeadlineAt => "next_deadline_at",
        }
    }

    /// The value of the column in the row of a bet, 0 for NULL.
    fn of(self, bet: &Bet) -> i64 {
        match self {
            Self::SortStake => bet.sort_stake().amount.get(),
            Self::Pot => bet.pot().amount.get(),
            Self::ExpiresAt => bet.terms.expires_at.micros(),
            Self::DisputedAt => bet
                .state
                .negotiation()
                .and_then(|n| n.dispute.as_ref())
                .map_or(0, |dispute| dispute.at.micros()),
            Self::NextDeadlineAt => deadlines::next(bet).map_or(0, |next| next.at.micros()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

impl Direction {
    const fn by(self) -> &'static str {
        match self {
            Self::Up => "ASC",
            Self::Down => "DESC",
        }
    }

    /// The comparison that is true for rows after a value.
    const fn after(self) -> &'static str {
        match self {
            Self::Up => ">",
            Self::Down => "<",
        }
    }

    fn of(self, ordering: Ordering) -> Ordering {
        match self {
            Self::Up => ordering,
            Self::Down => ordering.reverse(),
        }
    }
}

impl Order {
    const DISPUTES: Self = Self { key: Some((Key::DisputedAt, Direction::Up)), place: Direction::Up };
    const DEADLINES: Self = Self { key: Some((Key::NextDeadlineAt, Direction::Up)), place: Direction::Up };

    pub(super) const fn of(sort: Sort) -> Self {
        use Direction::{Down, Up};
        match sort {
            Sort::Newest => Self { key: None, place: Down },
            Sort::Oldest => Self { key: None, place: Up },
            Sort::StakeDesc => Self { key: Some((Key::SortStake, Down)), place: Down },
            Sort::StakeAsc => Self { key: Some((Key::SortStake, Up)), place: Up },
            Sort::PotDesc => Self { key: Some((Key::Pot, Down)), place: Down },
            Sort::EndingSoon => Self { key: Some((Key::ExpiresAt, Up)), place: Up },
        }
    }

    /// The `ORDER BY` clause.
    pub(super) fn by(self) -> String {
        let place = self.place.by();
        match self.key {
            None => format!("seq {place}"),
            Some((key, direction)) => format!("{} {}, seq {place}", key.column(), direction.by()),
        }
    }

    /// The columns of the `ORDER BY` clause. The arms of a union may be sorted by different columns, so the first one has
    /// the same name in all of them.
    fn columns(self) -> String {
        self.key.map_or("seq".to_owned(), |(key, _)| format!("{} AS sort_key, seq", key.column()))
    }

    /// The `ORDER BY` clause of a union of arms.
    fn by_key(self) -> String {
        let place = self.place.by();
        self.key
            .map_or_else(|| self.by(), |(_, direction)| format!("sort_key {}, seq {place}", direction.by()))
    }

    /// Conditions for rows after a cursor. The rows of the page are the union of the rows that they allow. Each
    /// condition is one range of an index, because a single condition with OR would read all rows with the same
    /// key again.
    pub(super) fn ranges(self, after: Option<Cursor>) -> Vec<Sql> {
        let Some(Cursor { key: value, seq }) = after else { return vec![Sql::new("TRUE", [])] };
        let place = self.place.after();
        match self.key {
            None => vec![Sql::new(format!("seq {place} ?"), [seq.into()])],
            Some((key, direction)) => {
                let key = key.column();
                vec![
                    Sql::new(format!("{key} = ? AND seq {place} ?"), [value.into(), seq.into()]),
                    Sql::new(format!("{key} {} ?", direction.after()), [value.into()]),
                ]
            }
        }
    }

    fn compare(self, one: Cursor, other: Cursor) -> Ordering {
        let by_key = self.key.map_or(Ordering::Equal, |(_, direction)| direction.of(one.key.cmp(&other.key)));
        by_key.then_with(|| self.place.of(one.seq.cmp(&other.seq)))
    }

    /// The position of a row.
    fn cursor(self, seq: i64, bet: &Bet) -> Cursor {
        let key = self.key.map_or(0, |(key, _)| key.of(bet));
        Cursor { key, seq }
    }

    /// The rows of one index under a condition, as the arms of a union.
    fn arms(self, index: &str, condition: &Sql, after: Option<Cursor>, limit: i64) -> Vec<Sql> {
        let (from, columns, by) = (search::bets_by(index), self.columns(), self.by());
        let arm = |range: Sql| {
            let text = format!(
                "SELECT * FROM (SELECT {columns} FROM {from} \
                 WHERE {} AND {} ORDER BY {by} LIMIT {limit}) AS arm",
                condition.text, range.text
            );
            Sql::new(text, [condition.binds.clone(), range.binds].concat())
        };
        self.ranges(after).into_iter().map(arm).collect()
    }

    /// The `seq` of the first `limit` rows of all arms.
    fn merged(self, arms: Vec<Sql>, limit: i64) -> Sql {
        let by = self.by_key();
        let Sql { text, binds } = Sql::join(arms, " UNION ALL ");
        Sql::new(format!("SELECT seq FROM ({text}) AS arms ORDER BY {by} LIMIT {limit}"), binds)
    }
}

/// The SQL condition for the filter's currency. Each index of public bets has the currency as its last column, so the
/// database skips other rows without reading them.
pub(super) fn in_currency(filter: &ListFilter) -> String {
    filter.currency.map_or(String::new(), |currency| format!(" AND currency = '{currency}'"))
}

/// The statuses that a filter allows.
pub(super) fn statuses(status: Option<ListStatus>) -> Vec<Status> {
    let is_wanted = |one: &Status| status.is_none_or(|wanted| wanted.has(*one));
    Status::ALL.iter().copied().filter(is_wanted).collect()
}

/// The index that has the order of a public list for bets of this status, and the order of this index. Both orders sort
/// by the same values: bets that are not pending are sorted by their pots in both orders of stakes.
fn public_run(sort: Sort, status: Status) -> (&'static str, Order) {
    let (index, sort) = match sort {
        Sort::Newest | Sort::Oldest => ("bets_public_newest", sort),
        Sort::PotDesc if status == Status::Pending => ("bets_pending_pot", sort),
        Sort::StakeDesc | Sort::PotDesc => ("bets_public_stake", Sort::StakeDesc),
        Sort::StakeAsc => ("bets_public_stake", sort),
        Sort::EndingSoon => ("bets_public_ending", sort),
    };
    (index, Order::of(sort))
}

/// The query for a page of public bets without a search text.
pub(super) fn public_sql(filter: &ListFilter, after: Option<Cursor>, limit: i64) -> Sql {
    let order = Order::of(filter.sort);
    let is_by_place = matches!(filter.sort, Sort::Newest | Sort::Oldest);
    if is_by_place && filter.status.is_none() && filter.category.is_none() {
        let condition = format!("{PUBLIC}{}", in_currency(filter));
        let arms = order.arms("bets_public", &Sql::new(condition, []), after, limit);
        return order.merged(arms, limit);
    }
    let categories = filter.category.map_or(Category::ALL.to_vec(), |category| vec![category]);
    let mut arms = Vec::new();
    for status in statuses(filter.status) {
        let (index, order) = public_run(filter.sort, status);
        for category in &categories {
            let condition = format!(
                "{PUBLIC} AND status = '{status}' AND category = '{category}'{}",
                in_currency(filter)
            );
            arms.extend(order.arms(index, &Sql::new(condition, []), after, limit));
        }
    }
    order.merged(arms, limit)
}

/// The query for a page of the bets of a user. Open bets have one index for all of their statuses, so a change of the
/// status does not change this index.
pub(super) fn own_sql(user: UserId, status: Option<ListStatus>, after: Option<Cursor>, limit: i64) -> Sql {
    let order = Order::of(Sort::Newest);
    let (ended, open): (Vec<Status>, Vec<Status>) =
        statuses(status).into_iter().partition(|status| status.has_ended());
    let mut runs: Vec<(&str, String)> = ended
        .iter()
        .map(|status| {
            ("ended", format!("status = '{status}' AND settled_at IS NOT NULL AND deleted_at IS NULL"))
        })
        .collect();
    if !open.is_empty() {
        let open: Vec<_> = open.iter().map(|status| format!("'{status}'")).collect();
        runs.push(("open", format!("status IN ({}) AND settled_at IS NULL", open.join(", "))));
    }
    let mut arms = Vec::new();
    for (role, column) in [("created", "creator_id"), ("accepted", "acceptor_id")] {
        for (part, condition) in &runs {
            let condition = Sql::new(format!("{column} = ? AND {condition}"), [user.to_string().into()]);
            arms.extend(order.arms(&format!("bets_{role}_{part}"), &condition, after, limit));
        }
    }
    order.merged(arms, limit)
}

/// The SQL condition for a bet that waits for its arbiter.
const WAITS_FOR_ARBITER: &str = "next_deadline_at IS NOT NULL AND \
    (arbiter_status = 'invited' AND disputed_at IS NULL OR arbiter_status = 'accepted' AND disputed_at IS NOT NULL)";

/// The SQL condition for a bet with an active arbiter.
const ARBITRATED: &str = concat!(active_arbiter!(), " AND deleted_at IS NULL");

/// The query for a page of the bets of an arbiter.
pub(super) fn arbitrated_sql(
    user: UserId,
    status: Option<ListStatus>,
    after: Option<Cursor>,
    limit: i64,
) -> Sql {
    let order = Order::of(Sort::Newest);
    let mut arms = Vec::new();
    for status in statuses(status) {
        let condition = format!("arbiter_id = ? AND status = '{status}' AND {ARBITRATED}");
        let condition = Sql::new(condition, [user.to_string().into()]);
        arms.extend(order.arms("bets_arbitrated", &condition, after, limit));
    }
    order.merged(arms, limit)
}

/// The query for the first bets that may wait for a user, and for the first open invitations. The conditions repeat the
/// conditions of the indexes, because the databases use a partial index only if the query contains them.
pub(super) fn unsettled_sql(party: UserId, limit: i64, invitations: i64) -> Sql {
    let mut arms = Vec::new();
    for (index, column) in
        [("bets_created_unsettled", "creator_id"), ("bets_accepted_unsettled", "acceptor_id")]
    {
        let condition = format!(
            "{column} = ? AND next_deadline_at IS NOT NULL AND disputed_at IS NULL \
             AND (due_told OR status = 'awaiting_resolution') AND (proposed_by IS NULL OR proposed_by <> ?)"
        );
        let party = || party.to_string().into();
        let condition = Sql::new(condition, [party(), party()]);
        arms.extend(Order::DEADLINES.arms(index, &condition, None, limit));
    }
    let as_arbiter = |status: ArbiterStatus, limit| {
        let condition = format!("arbiter_id = ? AND {WAITS_FOR_ARBITER} AND arbiter_status = '{status}'");
        let condition = Sql::new(condition, [party.to_string().into()]);
        Order::DEADLINES.arms("bets_arbiters_turn", &condition, None, limit)
    };
    arms.extend(as_arbiter(ArbiterStatus::Accepted, limit));
    let tasks = Order::DEADLINES.merged(arms, limit);
    let invitations = Order::DEADLINES.merged(as_arbiter(ArbiterStatus::Invited, invitations), invitations);
    let whole = |Sql { text, binds }: Sql| Sql::new(format!("SELECT seq FROM ({text}) AS part"), binds);
    Sql::join(vec![whole(tasks), whole(invitations)], " UNION ALL ")
}

/// The query for a page of all bets, private ones too.
pub(super) fn all_sql(status: Option<ListStatus>, after: Option<Cursor>, limit: i64) -> Sql {
    let order = Order::of(Sort::Newest);
    let mut arms = Vec::new();
    for status in statuses(status) {
        let private = format!("share_token IS NOT NULL AND deleted_at IS NULL AND status = '{status}'");
        arms.extend(order.arms("bets_private", &Sql::new(private, []), after, limit));
        for category in Category::ALL {
            let public = format!("{PUBLIC} AND status = '{status}' AND category = '{category}'");
            arms.extend(order.arms("bets_public_newest", &Sql::new(public, []), after, limit));
        }
    }
    order.merged(arms, limit)
}

/// The query for a page of the disputes that wait for an admin.
pub(super) fn disputes_sql(after: Option<Cursor>, limit: i64) -> Sql {
    let condition = "status = 'awaiting_resolution' AND disputed_at IS NOT NULL AND deleted_at IS NULL \
        AND (arbiter_status IS NULL OR arbiter_status <> 'accepted')";
    let arms = Order::DISPUTES.arms("bets_disputed", &Sql::new(condition, []), after, limit);
    Order::DISPUTES.merged(arms, limit)
}

pub(super) fn public(conn: &mut Conn, filter: &ListFilter, page: PageRequest) -> Result<Page<BetView>> {
    let limit = one_more(page);
    let has_words = !filter.words.iter().all(String::is_empty);
    let keys = if has_words {
        search::sql(filter, page.after, limit)
    } else {
        public_sql(filter, page.after, limit)
    };
    // Most visitors ask for these pages. All other texts are too many to keep them prepared.
    let is_usual =
        !has_words && filter.status.is_none() && filter.category.is_none() && filter.currency.is_none();
    let is_kept = is_usual && page.limit == USUAL_PAGE && Order::of(filter.sort).key.is_none();
    load(conn, Order::of(filter.sort), (keys, is_kept), page)
}

pub(super) fn own(
    conn: &mut Conn,
    user: UserId,
    status: Option<ListStatus>,
    page: PageRequest,
) -> Result<Page<BetView>> {
    let sql = own_sql(user, status, page.after, one_more(page));
    load(conn, Order::of(Sort::Newest), (sql, false), page)
}

pub(super) fn arbitrated(
    conn: &mut Conn,
    user: UserId,
    status: Option<ListStatus>,
    page: PageRequest,
) -> Result<Page<BetView>> {
    let sql = arbitrated_sql(user, status, page.after, one_more(page));
    load(conn, Order::of(Sort::Newest), (sql, false), page)
}

pub(super) fn unsettled(
    conn: &mut Conn,
    party: UserId,
    limit: u32,
    invitations: u32,
) -> Result<Vec<BetView>> {
    let page = PageRequest { limit: limit.saturating_add(invitations), after: None };
    // Every page of a signed-in user asks for this list, so its statement is kept prepared.
    let sql = (unsettled_sql(party, i64::from(limit), i64::from(invitations)), true);
    Ok(load(conn, Order::DEADLINES, sql, page)?.items)
}

pub(super) fn all(conn: &mut Conn, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>> {
    let sql = all_sql(status, page.after, one_more(page));
    load(conn, Order::of(Sort::Newest), (sql, false), page)
}

pub(super) fn disputes(conn: &mut Conn, page: PageRequest) -> Result<Page<BetView>> {
    let sql = disputes_sql(page.after, one_more(page));
    load(conn, Order::DISPUTES, (sql, false), page)
}

/// The number of rows to read: one more than the page has. The additional row shows whether there is a next
/// page.
fn one_more(page: PageRequest) -> i64 {
    i64::from(page.limit) + 1
}

/// The page of the bets that this query finds, in order. One statement finds the bets and reads them with the names of
/// their users, so it needs no transaction.
fn load(
    conn: &mut Conn,
    order: Order,
    (keys, is_kept): (Sql, bool),
    page: PageRequest,
) -> Result<Page<BetView>> {
    let columns = view_columns!();
    let from = Sql::new(format!("FROM ({}) AS page {PAGE_JOINS}", keys.text), keys.binds);
    let query = Select { columns, from, is_kept };
    let rows = query.load::<ViewRow>(conn).map_err(failure)?;
    let place = |row: ViewRow| {
        let (seq, view) = rows::view(row)?;
        Ok((order.cursor(seq, &view.bet), view))
    };
    let mut views = rows.into_iter().map(place).collect::<Result<Vec<_>>>()?;
    views.sort_unstable_by(|(one, _), (other, _)| order.compare(*one, *other));
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let more = views.len() > limit;
    views.truncate(limit);
    let next = views.last().map(|(cursor, _)| *cursor).filter(|_| more);
    Ok(Page { items: views.into_iter().map(|(_, view)| view).collect(), next })
}
