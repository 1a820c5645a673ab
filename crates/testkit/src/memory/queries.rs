use bolts_achievements::{LONGEST_STREAK, win_streak};
use bolts_bets::{ArbiterStatus, Event, Status, Terms, Visibility};
use bolts_kernel::{BetId, Timestamp, UserId};
use bolts_ports::{
    AchievementsView, AdminAction, AdminActionView, BetKey, BetView, Cursor, LATEST_EVENTS, ListFilter,
    ListStatus, MarketStats, NamedUser, NotificationView, Page, PageRequest, Queries, Result, SessionView,
    Sort, Stats, UserView, figures_of,
};
use bolts_resolution::deadlines;

use super::MemoryStore;
use super::state::{BetRow, State};

impl Queries for MemoryStore {
    fn ready(&self) -> Result<()> {
        Ok(())
    }

    fn sessions(
        &self,
        hashes: &[String],
        idle_after: Timestamp,
        born_after: Timestamp,
    ) -> Result<Vec<Option<SessionView>>> {
        let state = self.state();
        let view = |hash: &String| {
            let live = state.sessions.get(hash).filter(|row| row.is_live(idle_after, born_after));
            let Some(row) = live else { return Ok(None) };
            let user = state.user(row.session.user)?;
            let (last_seen_at, proved_at) = (row.last_seen_at, row.session.proved_at);
            Ok(user.map(|user| SessionView { user, last_seen_at, proved_at }))
        };
        hashes.iter().map(view).collect()
    }

    fn user(&self, id: UserId) -> Result<Option<UserView>> {
        self.state().user(id)
    }

    fn users_named(&self, beginning: &str, limit: u32) -> Result<Vec<NamedUser>> {
        let (state, beginning) = (self.state(), beginning.to_lowercase());
        let here = state.users.iter().filter(|(_, row)| row.deleted_at.is_none());
        let named = here.filter_map(|(id, row)| Some((*id, row.profile.as_ref()?)));
        let mut found: Vec<NamedUser> = named
            .map(|(id, profile)| NamedUser { id, username: profile.username.clone() })
            .filter(|user| user.username.to_lowercase().starts_with(&beginning))
            .collect();
        found.sort_by_key(|user| user.username.to_lowercase());
        found.truncate(limit as usize);
        Ok(found)
    }

    fn has_users(&self) -> Result<bool> {
        Ok(!self.state().users.is_empty())
    }

    fn admins(&self) -> Result<Vec<UserView>> {
        let state = self.state();
        state.admins().into_iter().filter_map(|id| state.user(id).transpose()).collect()
    }

    fn bet(&self, key: &BetKey) -> Result<Option<BetView>> {
        let state = self.state();
        state.find(key).map(|row| state.view(row)).transpose()
    }

    fn public_bets(&self, filter: &ListFilter, page: PageRequest) -> Result<Page<BetView>> {
        let state = self.state();
        let shown = |row: &&BetRow| row.bet.terms.visibility == Visibility::Public && fits(row, filter);
        let key = |row: &BetRow| match filter.sort {
            Sort::Newest | Sort::Oldest => 0,
            Sort::StakeDesc | Sort::StakeAsc => row.bet.sort_stake().amount.get(),
            Sort::PotDesc => row.bet.pot().amount.get(),
            Sort::EndingSoon => row.bet.terms.expires_at.micros(),
        };
        let rank = |cursor: Cursor| match filter.sort {
            Sort::Newest => (0, -cursor.seq),
            Sort::Oldest => (0, cursor.seq),
            Sort::StakeDesc | Sort::PotDesc => (-cursor.key, -cursor.seq),
            Sort::StakeAsc | Sort::EndingSoon => (cursor.key, cursor.seq),
        };
        let rows = state.live_bets().filter(shown).map(|row| (Cursor { key: key(row), seq: row.seq }, row));
        state.page(rows.collect(), page, rank)
    }

    fn bets_of(&self, user: UserId, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>> {
        let state = self.state();
        let shown = |row: &&BetRow| row.bet.party(user).is_some() && is_in(row.bet.status(), status);
        let rows = state.live_bets().filter(shown).map(|row| (Cursor { key: 0, seq: row.seq }, row));
        state.page(rows.collect(), page, |cursor| (0, -cursor.seq))
    }

    fn bets_arbitrated_by(
        &self,
        user: UserId,
        status: Option<ListStatus>,
        page: PageRequest,
    ) -> Result<Page<BetView>> {
        let state = self.state();
        let shown = |row: &&BetRow| row.bet.active_arbiter() == Some(user) && is_in(row.bet.status(), status);
        let rows = state.live_bets().filter(shown).map(|row| (Cursor { key: 0, seq: row.seq }, row));
        state.page(rows.collect(), page, |cursor| (0, -cursor.seq))
    }

    fn unsettled_of(&self, user: UserId, limit: u32, invitations: u32) -> Result<Vec<BetView>> {
        let state = self.state();
        let step = |row: &BetRow| deadlines::next(&row.bet).map_or(0, |next| next.at.micros());
        let mut tasks = Vec::new();
        let mut invited = Vec::new();
        for row in state.live_bets() {
            let found = (Cursor { key: step(row), seq: row.seq }, row);
            if may_wait_for(&row.bet, user) || waits_for_arbiter(&row.bet, user, ArbiterStatus::Accepted) {
                tasks.push(found);
            } else if waits_for_arbiter(&row.bet, user, ArbiterStatus::Invited) {
                invited.push(found);
            }
        }
        for (rows, limit) in [(&mut tasks, limit), (&mut invited, invitations)] {
            rows.sort_by_key(|(cursor, _)| (cursor.key, cursor.seq));
            rows.truncate(limit as usize);
        }
        let page = PageRequest { limit: limit.saturating_add(invitations), after: None };
        Ok(state.page([tasks, invited].concat(), page, |cursor| (cursor.key, cursor.seq))?.items)
    }

    fn disputes(&self, page: PageRequest) -> Result<Page<BetView>> {
        let state = self.state();
        let waiting = |row| {
            let at = disputed_at(row)?;
            Some((Cursor { key: at.micros(), seq: row.seq }, row))
        };
        let rows = state.live_bets().filter_map(waiting);
        state.page(rows.collect(), page, |cursor| (cursor.key, cursor.seq))
    }

    fn market_stats(&self) -> Result<MarketStats> {
        Ok(self.state().market_stats())
    }

    fn stats(&self, user: UserId) -> Result<Stats> {
        Ok(self.state().stats(user))
    }

    fn events(&self, bet: BetId) -> Result<Vec<Event>> {
        let state = self.state();
        let events = state.find(&BetKey::Id(bet)).map(|row| row.events.as_slice()).unwrap_or_default();
        let earlier = events.len().saturating_sub(LATEST_EVENTS as usize);
        Ok(events.iter().skip(earlier).cloned().collect())
    }

    fn notifications(&self, user: UserId) -> Result<Vec<NotificationView>> {
        let state = self.state();
        let own = state.notifications.get(&user).map(Vec::as_slice).unwrap_or_default();
        Ok(own.iter().rev().cloned().collect())
    }

    fn overdue(&self, now: Timestamp, limit: u32) -> Result<Vec<BetId>> {
        let mut found = self.state().by_deadline(deadlines::next, |at| at <= now);
        found.truncate(limit as usize);
        Ok(found)
    }

    fn achievements(&self, user: UserId) -> Result<AchievementsView> {
        let state = self.state();
        let stats = state.stats(user);
        let streak = win_streak(state.results(user).into_iter().take(LONGEST_STREAK as usize));
        let figures = figures_of(&stats, streak);
        Ok(AchievementsView { figures, unlocked: state.unlocked.get(&user).cloned().unwrap_or_default() })
    }

    fn all_bets(&self, status: Option<ListStatus>, page: PageRequest) -> Result<Page<BetView>> {
        let state = self.state();
        let rows = state.live_bets().filter(|row| is_in(row.bet.status(), status));
        let rows = rows.map(|row| (Cursor { key: 0, seq: row.seq }, row));
        state.page(rows.collect(), page, |cursor| (0, -cursor.seq))
    }

    fn admin_actions(&self, page: PageRequest) -> Result<Page<AdminActionView>> {
        let state = self.state();
        let before = page.after.map_or(i64::MAX, |cursor| cursor.seq);
        let numbered = (1..).zip(state.admin_actions.iter()).filter(|(seq, _)| *seq < before);
        let mut items: Vec<AdminActionView> =
            numbered.map(|(seq, action)| state.action_view(seq, action)).collect();
        items.reverse();
        let more = items.len() > page.limit as usize;
        items.truncate(page.limit as usize);
        let last = items.last().map(|item| Cursor { key: 0, seq: item.seq });
        Ok(Page { items, next: last.filter(|_| more) })
    }

    fn is_owed(&self) -> Result<bool> {
        Ok(!self.state().owed.is_empty())
    }
}

impl State {
    pub(super) fn action_view(&self, seq: i64, action: &AdminAction) -> AdminActionView {
        let email = |id: UserId| self.users.get(&id).map(|row| row.email.clone());
        AdminActionView {
            seq,
            admin: action.admin.and_then(email),
            action: action.action.to_owned(),
            user: action.user.and_then(email),
            bet: action.bet,
            detail: action.detail.clone(),
            at: action.at,
        }
    }

    /// The page of the rows after the cursor, sorted by rank.
    fn page(
        &self,
        mut rows: Vec<(Cursor, &BetRow)>,
        request: PageRequest,
        rank: impl Fn(Cursor) -> (i64, i64),
    ) -> Result<Page<BetView>> {
        rows.retain(|(cursor, _)| request.after.is_none_or(|after| rank(*cursor) > rank(after)));
        rows.sort_by_key(|(cursor, _)| rank(*cursor));
        let more = rows.len() > request.limit as usize;
        rows.truncate(request.limit as usize);
        let next = if more { rows.last().map(|(cursor, _)| *cursor) } else { None };
        let items = rows.into_iter().map(|(_, row)| self.view(row)).collect::<Result<_>>()?;
        Ok(Page { items, next })
    }

    /// The bets whose deadline passes the filter `wanted`, earliest deadline first.
    fn by_deadline(
        &self,
        deadline: fn(&bolts_bets::Bet) -> Option<deadlines::Deadline>,
        wanted: impl Fn(Timestamp) -> bool,
    ) -> Vec<BetId> {
        let with_time = |row: &BetRow| deadline(&row.bet).map(|due| (due.at, row.seq, row.bet.id));
        let mut found: Vec<_> =
            self.live_bets().filter_map(with_time).filter(|(at, ..)| wanted(*at)).collect();
        found.sort_unstable();
        found.into_iter().map(|(.., id)| id).collect()
    }
}

/// The filter of [`Queries::unsettled_of`].
fn may_wait_for(bet: &bolts_bets::Bet, party: UserId) -> bool {
    let negotiation = bet.state.negotiation();
    let is_in_question = match bet.status() {
        Status::Accepted => bet.marks.due_told,
        Status::AwaitingResolution => true,
        Status::Pending | Status::Resolved | Status::Cancelled => false,
    };
    let is_disputed = negotiation.is_some_and(|n| n.dispute.is_some());
    let is_proposer = negotiation.and_then(|n| n.standing).is_some_and(|standing| standing.by == party);
    bet.party(party).is_some() && is_in_question && !is_disputed && !is_proposer
}

/// Whether the bet waits for the user as its arbiter with this status: for the answer to the invitation, or for a ruling.
fn waits_for_arbiter(bet: &bolts_bets::Bet, user: UserId, status: ArbiterStatus) -> bool {
    let is_open = deadlines::next(bet).is_some();
    let is_disputed = bet.state.negotiation().is_some_and(|n| n.dispute.is_some());
    let waits = match status {
        ArbiterStatus::Invited => !is_disputed,
        ArbiterStatus::Accepted => is_disputed,
        ArbiterStatus::Declined | ArbiterStatus::Resigned | ArbiterStatus::OutOfTime => false,
    };
    is_open && waits && bet.arbiter_named(user).is_some_and(|arbiter| arbiter.status == status)
}

fn disputed_at(row: &BetRow) -> Option<Timestamp> {
    let waits = row.bet.status() == Status::AwaitingResolution;
    let dispute = row.bet.state.negotiation()?.dispute.as_ref()?;
    (waits && row.bet.ruling_arbiter().is_none()).then_some(dispute.at)
}

fn fits(row: &BetRow, filter: &ListFilter) -> bool {
    let terms = &row.bet.terms;
    filter.category.is_none_or(|category| terms.category == category)
        && is_in(row.bet.status(), filter.status)
        && filter.currency.is_none_or(|currency| terms.stake.currency == currency)
        && speaks_of(terms, &filter.words)
}

fn is_in(status: Status, wanted: Option<ListStatus>) -> bool {
    wanted.is_none_or(|wanted| wanted.has(status))
}

/// Whether title and description together contain every word. The last search word may be the beginning of a
/// word.
fn speaks_of(terms: &Terms, words: &[String]) -> bool {
    let words: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let Some((last, whole)) = words.split_last() else { return true };
    let said = plain(&format!("{} {}", &*terms.title, &*terms.description));
    let said: Vec<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
    whole.iter().all(|word| said.contains(&word.as_str()))
        && said.iter().any(|word| word.starts_with(last.as_str()))
}

/// The text in lower case, without the marks of Latin letters. This store knows those of Latin-1, the databases know all.
fn plain(text: &str) -> String {
    let plain = |letter: char| match letter {
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' => 'o',
        'ù'..='ü' => 'u',
        'ý' | 'ÿ' => 'y',
        other => other,
    };
    text.to_lowercase().chars().map(plain).collect()
}
