//! Users who call the use cases.

use bolts_achievements::CATALOGUE;
use bolts_bets::{Bet, CancelReason, Method, Outcome as Ending, ShareToken, Side as Half, State, TermsDraft};
use bolts_kernel::{Code, Currency, FieldError};
use bolts_keys::{ApiKey, KeyName, Scopes, lifetime};
use bolts_ports::{BetKey, CurrencyStats, NotificationView, StoreError};
use bolts_resolution::{actions, deadlines};
use bolts_usecases::accounts::{
    Device, NewKey, PasswordOwner, ProfileDraft, SignedIn, Visitor, email as judged_email,
    password as judged_password, session_hash,
};
use bolts_usecases::notifications::words;
use bolts_usecases::{Actor, Refused};
use bolts_wallet::{WithdrawalStatus, deposit_amount};
use futures_executor::block_on;

use super::calls::{Answers, Call, Sent};
use super::site::{ADDRESS, Account, FIRST_PASSWORD, Site, email, username};
use super::{Door, Notice, SeenBet, SeenNews, SeenUser, notice_id, seen_news};
use crate::model::{
    ACHIEVEMENTS, Action, Answer, Expiry, Figures, Money, Order, Outcome, Side, Status, Terms,
};

/// Users who call the use cases.
#[derive(Default)]
pub(super) struct UseCases {
    /// The calls with a key.
    sent: Vec<Sent>,
    pub(super) answers: Answers,
}

/// The answer to a refusal, or an error if the refusal is a failure of the site.
pub(super) fn refused(error: impl Into<Refused>) -> Result<Answer, String> {
    let Refused { code, detail, fields, .. } = error.into();
    if matches!(code, Code::Internal | Code::Unavailable | Code::TooManyRequests) {
        return Err(format!("{code}: {detail}"));
    }
    let field = fields.first().map(|field| field.field.to_owned());
    Ok(Answer::Refused { code: code.as_str().to_owned(), field })
}

pub(super) fn invalid(field: FieldError) -> Result<Answer, String> {
    refused(Refused::invalid(vec![field]))
}

fn answer<T>(done: Result<T, impl Into<Refused>>) -> Result<Answer, String> {
    match done {
        Ok(_) => Ok(Answer::Done),
        Err(error) => refused(error),
    }
}

/// The side as the product writes it.
pub(super) const fn half(side: Side) -> Half {
    match side {
        Side::A => Half::A,
        Side::B => Half::B,
    }
}

/// The outcome as the product writes it.
pub(super) const fn ending(outcome: Outcome) -> Ending {
    match outcome {
        Outcome::Wins(Side::A) => Ending::A,
        Outcome::Wins(Side::B) => Ending::B,
        Outcome::Void => Ending::Void,
    }
}

/// The token of a link that no bet has.
pub(super) fn wrong_token() -> ShareToken {
    ShareToken::new("A".repeat(22))
}

/// The fields of a new bet.
pub(super) fn draft(site: &Site, terms: &Terms) -> TermsDraft {
    let now = site.app.now();
    let expires_at = match terms.expiry {
        Expiry::In(wait) => super::site::at(now.micros() + wait),
        Expiry::TooFar => now.years_after(5).after(std::time::Duration::from_secs(24 * 3_600)),
    };
    TermsDraft {
        title: format!("Bet number {}", site.bets.len()),
        option_a: "Yes".to_owned(),
        option_b: if terms.same_options { "yes".to_owned() } else { "No".to_owned() },
        stake_amount: terms.stake,
        opponent_stake: terms.opponent_stake,
        currency: match terms.currency {
            Money::Bolts => "bolts".to_owned(),
            Money::Sats => "sats".to_owned(),
        },
        method: if terms.is_manual { Method::ManualVerification } else { Method::MutualAgreement }
            .to_string(),
        expires_at: expires_at.to_string(),
        ..TermsDraft::default()
    }
}

impl UseCases {
    pub(super) fn actor(site: &Site, user: usize) -> Actor {
        let account = &site.accounts[user];
        Actor { user: account.id, is_admin: account.is_admin }
    }

    fn sign_up(site: &mut Site, name: u8) -> Result<Answer, String> {
        let (email, password) = (email(name), FIRST_PASSWORD.to_owned());
        let judged = judged_email(&email).and_then(|_| judged_password("password", &password));
        if let Err(field) = judged {
            return invalid(field);
        }
        match block_on(site.app.register(email.clone(), password, ADDRESS)) {
            Ok(signed_in) => {
                let id = signed_in.user.id;
                site.accounts.push(Account::new(id, email, site.now()));
                Self::enter(site, site.accounts.len() - 1, signed_in);
                let profile = ProfileDraft { username: username(name), ..ProfileDraft::default() };
                let named = block_on(site.app.set_profile(id, &profile));
                named.map(|_| Answer::Done).map_err(|error| format!("the username: {error}"))
            }
            Err(error) => refused(error),
        }
    }

    fn enter(site: &mut Site, user: usize, signed_in: SignedIn) {
        let now = site.now();
        let account = &mut site.accounts[user];
        (account.session, account.device, account.signed_in_at) =
            (signed_in.secret, signed_in.device.id, now);
    }

    /// Signs the user in with the browser in which the user has signed in before.
    fn sign_in(site: &mut Site, user: usize, password: String) -> Result<(), String> {
        let account = &site.accounts[user];
        let device = Some(Device { id: account.device.clone(), user: account.id });
        let visitor = Visitor { device, ..ADDRESS.into() };
        let signed_in = block_on(site.app.sign_in(&account.email, password, visitor));
        Self::enter(site, user, signed_in.map_err(|error| format!("a sign-in: {error}"))?);
        Ok(())
    }

    /// Signs the user in again if the session is old.
    pub(super) fn renew(site: &mut Site, user: usize) -> Result<(), String> {
        if site.is_stale(user) {
            Self::sign_in(site, user, site.accounts[user].password.clone())?;
        }
        Ok(())
    }

    pub(super) fn owner(site: &Site, user: usize) -> PasswordOwner {
        let account = &site.accounts[user];
        PasswordOwner {
            user: account.id,
            email: account.email.clone(),
            session: session_hash(&account.session),
        }
    }

    /// The admin resets the password. The user signs in with the one-time password and changes it.
    fn reset(site: &mut Site, admin: usize, name: u8) -> Result<Answer, String> {
        let temporary = match block_on(site.app.reset_password(Self::actor(site, admin), &email(name))) {
            Ok(temporary) => temporary,
            Err(error) => return refused(error),
        };
        let user = site.named(name)?;
        Self::sign_in(site, user, temporary.clone())?;
        let new = site.new_password();
        site.accounts[user].password = new.clone();
        let changed = block_on(site.app.change_password(Self::owner(site, user), temporary, new));
        let session = changed.map_err(|error| format!("the change of a one-time password: {error}"))?;
        site.accounts[user].session = session;
        Ok(Answer::Done)
    }

    fn deposit(site: &mut Site, user: usize, amount: i64, is_silent: bool) -> Result<Answer, String> {
        let amount = match deposit_amount(amount) {
            Ok(amount) => amount,
            Err(field) => return invalid(field),
        };
        site.provider.be_silent(is_silent);
        let created = block_on(site.wallets.create_deposit(site.accounts[user].id, amount));
        site.provider.be_silent(false);
        match created {
            Ok(deposit) => {
                site.provider.name_deposit(deposit.payment_hash, site.deposits.len());
                site.deposits.push(deposit.id);
                Ok(Answer::Done)
            }
            Err(error) => refused(error),
        }
    }

    fn poll(site: &Site, user: usize, deposit: usize) -> Result<Answer, String> {
        let found = site.deposits.get(deposit).map(|id| site.app.queries().deposit(*id));
        let found = found.transpose().map_err(|error| error.to_string())?.flatten();
        let checked = block_on(site.wallets.check_deposit(site.accounts[user].id, found));
        match checked.map_err(|error| error.to_string())? {
            Some(_) => Ok(Answer::Done),
            None => Ok(Answer::Refused { code: "deposit_not_found".to_owned(), field: None }),
        }
    }

    fn claim(site: &Site, user: usize, achievement: usize) -> Result<Answer, String> {
        let id = ACHIEVEMENTS.get(achievement).copied().unwrap_or("no_such");
        answer(block_on(site.app.claim_reward(site.accounts[user].id, id, None)))
    }

    fn delete_account(site: &mut Site, user: usize, is_right: bool) -> Result<Answer, String> {
        Self::renew(site, user)?;
        let password = site.password(user, is_right);
        let deleted = block_on(site.app.delete_account(Self::owner(site, user), password));
        if deleted.is_ok() {
            (site.accounts[user].is_gone, site.accounts[user].is_admin) = (true, false);
        }
        answer(deleted)
    }

    fn make_key(site: &mut Site, user: usize, days: i64, is_right: bool) -> Result<Answer, String> {
        Self::renew(site, user)?;
        let parsed = (KeyName::parse("A program"), Scopes::parse(["read"]), lifetime(Some(days)));
        let (name, scopes, lifetime) = match parsed {
            (Ok(name), Ok(scopes), Ok(lifetime)) => (name, scopes, lifetime),
            (Err(field), _, _) | (_, Err(field), _) | (_, _, Err(field)) => return invalid(field),
        };
        let (owner, password) = (Self::owner(site, user), site.password(user, is_right));
        match block_on(site.app.make_key(owner, password, NewKey { name, scopes, lifetime })) {
            Ok(made) => {
                site.keys.push((made.key.id, made.secret.reveal().to_owned()));
                Ok(Answer::Done)
            }
            Err(error) => refused(error),
        }
    }

    fn use_key(site: &Site, key: usize) -> Result<Answer, String> {
        let key = ApiKey::parse(&site.key(key)).ok_or("no text of a key")?;
        match site.app.key(&key).map_err(|error| error.to_string())? {
            Some(_) => Ok(Answer::Done),
            None => refused(block_on(site.app.refuse_key(ADDRESS))),
        }
    }

    fn read(&mut self, site: &mut Site, user: usize, place: usize) -> Result<Answer, String> {
        let id = notice_id(&self.news(site, user)?, place).parse().map_err(|error| format!("{error:?}"))?;
        let read = block_on(site.app.read_notification(site.accounts[user].id, id));
        match read.map_err(|error| error.to_string())? {
            Some(view) if view.is_read => Ok(Answer::Done),
            Some(view) => Err(format!("{view:?} is not read")),
            None => Ok(Answer::Refused { code: "notification_not_found".to_owned(), field: None }),
        }
    }

    /// The request of a user who has deleted the account began before: the use cases get it although the session has
    /// ended. Nothing may come of it.
    fn late(&mut self, site: &mut Site, order: &Order) -> Result<(), String> {
        let (user, key) = (order.user(), None);
        let answer = self.call(site, &Sent { user, key, call: Call::of(site, order) })?;
        if matches!(answer, Answer::Refused { .. }) {
            Ok(())
        } else {
            Err(format!("a deleted user did {order:?}"))
        }
    }
}

/// Whether a deadline of the order's bet is due. Every request that meets the bet applies the deadline first, even a
/// request that is refused afterwards.
fn is_overdue(site: &Site, order: &Order) -> Result<bool, String> {
    let Some(bet) = order.bet() else { return Ok(false) };
    let found = site.opened.queries.bet(&BetKey::Id(site.bet_id(bet))).map_err(|error| error.to_string())?;
    Ok(found.is_some_and(|view| deadlines::is_overdue(&view.bet, site.app.now())))
}

fn counted(number: Result<u64, StoreError>) -> Result<Answer, String> {
    let number = number.map_err(|error| error.to_string())?;
    Ok(Answer::Counted(usize::try_from(number).map_err(|error| error.to_string())?))
}

impl Door for UseCases {
    fn act(&mut self, site: &mut Site, action: &Action) -> Result<Answer, String> {
        if let Some(user) = action.user().filter(|user| site.accounts[*user].is_gone) {
            if let Action::Order { order, .. } = action
                && !is_overdue(site, order)?
            {
                self.late(site, order)?;
            }
            let session =
                site.app.session(&site.accounts[user].session).map_err(|error| error.to_string())?;
            let code = if session.is_none() { "not_signed_in" } else { "a session" }.to_owned();
            return Ok(Answer::Refused { code, field: None });
        }
        let actor = |user| Self::actor(site, user);
        match *action {
            Action::Order { ref order, key } => {
                let sent = Sent { user: order.user(), key, call: Call::of(site, order) };
                self.sent.extend(key.map(|_| sent.clone()));
                self.call(site, &sent)
            }
            Action::Repeat { user, order } => {
                let sent = self.sent.get(order).filter(|sent| sent.user == user).cloned();
                sent.map_or(Ok(Answer::Done), |sent| self.call(site, &sent))
            }
            Action::SignUp { name } => Self::sign_up(site, name),
            Action::ResetPassword { admin, user } => Self::reset(site, admin, user),
            Action::Delete { user, bet } => {
                answer(block_on(site.app.delete_bet(actor(user), site.bet_id(bet))))
            }
            Action::EndEarly { user, bet } => {
                answer(block_on(site.app.end_bet_early(actor(user), site.bet_id(bet))))
            }
            Action::Dispute { user, bet } => {
                let reason = "It was otherwise.".to_owned();
                answer(block_on(site.app.dispute_bet(actor(user), site.bet_id(bet), reason)))
            }
            Action::AnswerInvitation { user, bet, accepts } => {
                answer(block_on(site.app.answer_invitation(actor(user), site.bet_id(bet), accepts)))
            }
            Action::Remove { user, bet } => {
                answer(block_on(site.app.remove_bet(actor(user), site.bet_id(bet))))
            }
            Action::Claim { user, achievement } => Self::claim(site, user, achievement),
            Action::Deposit { user, amount, is_silent } => Self::deposit(site, user, amount, is_silent),
            Action::Poll { user, deposit } => Self::poll(site, user, deposit),
            Action::DeleteAccount { user, is_right } => Self::delete_account(site, user, is_right),
            Action::MakeKey { user, days, is_right } => Self::make_key(site, user, days, is_right),
            Action::RevokeKey { user, key } => {
                answer(block_on(site.app.revoke_key(site.accounts[user].id, site.key_id(key))))
            }
            Action::UseKey { key } => Self::use_key(site, key),
            Action::Read { user, place } => self.read(site, user, place),
            Action::ReadAll { user } => {
                counted(block_on(site.app.read_all_notifications(site.accounts[user].id)))
            }
            Action::Clear { user } => counted(block_on(site.app.clear_notifications(site.accounts[user].id))),
            Action::Pass { .. }
            | Action::Outage { .. }
            | Action::Jump { .. }
            | Action::Sweep
            | Action::Receive { .. }
            | Action::Work { .. } => Err(format!("{action:?} is no action of a user")),
        }
    }

    fn user(&mut self, site: &mut Site, user: usize) -> Result<SeenUser, String> {
        let (queries, id) = (site.app.queries(), site.accounts[user].id);
        let read = || {
            let view = queries.user(id)?;
            Ok::<_, bolts_ports::StoreError>((view, queries.achievements(id)?, queries.stats(id)?))
        };
        let (view, achievements, stats) = read().map_err(|error| error.to_string())?;
        let view = view.ok_or("the user vanished")?;
        let mut unlocked: Vec<(String, bool)> = achievements
            .unlocked
            .into_iter()
            .map(|one| (one.achievement, one.claimed_at.is_some()))
            .collect();
        unlocked.sort();
        Ok(SeenUser {
            bolts: view.balances[Currency::Bolts].get(),
            sats: view.balances[Currency::Sats].get(),
            unlocked,
            figures: [figures(stats[Currency::Bolts]), figures(stats[Currency::Sats])],
            progress: CATALOGUE.iter().map(|one| one.progress(&achievements.figures).current).collect(),
        })
    }

    fn bet(&mut self, site: &mut Site, viewer: usize, bet: usize) -> Result<Option<SeenBet>, String> {
        let actor = Self::actor(site, viewer);
        let seen = site.app.see_bet(&BetKey::Id(site.bet_id(bet)), Some(actor), None);
        let seen = seen.map_err(|error| error.to_string())?;
        Ok(seen.map(|seen| seen_bet(site, &seen.view.bet, actor)))
    }

    fn withdrawal(&mut self, site: &mut Site, _user: usize, withdrawal: usize) -> Result<Status, String> {
        let found = site.app.queries().withdrawal(site.withdrawals[withdrawal].0);
        let found = found.map_err(|error| error.to_string())?.ok_or("the withdrawal vanished")?;
        Ok(match found.status() {
            WithdrawalStatus::Held => Status::Held,
            WithdrawalStatus::Sending => Status::Sending,
            WithdrawalStatus::Paid => Status::Paid { fee: found.fee().unwrap_or_default().get() },
            WithdrawalStatus::Refunded => Status::Refunded,
        })
    }

    fn news(&mut self, site: &mut Site, user: usize) -> Result<SeenNews, String> {
        let list = site.app.queries().notifications(site.accounts[user].id);
        let notice = |view: &NotificationView| {
            let words = words(&view.body);
            Notice {
                id: view.id.to_string(),
                title: words.title.to_owned(),
                message: words.message,
                bet: view.bet,
                is_read: view.is_read,
                at: view.created_at.micros(),
            }
        };
        seen_news(site, list.map_err(|error| error.to_string())?.iter().map(notice).collect())
    }

    fn keys(&mut self, site: &mut Site, user: usize) -> Result<Vec<i64>, String> {
        let keys = site.app.keys_of(site.accounts[user].id).map_err(|error| error.to_string())?;
        Ok(keys.iter().map(|key| key.expires_at.micros()).collect())
    }

    fn obstacles(&mut self, site: &mut Site, user: usize) -> Result<Vec<(String, i64)>, String> {
        let found = site.app.obstacles_of(site.accounts[user].id).map_err(|error| error.to_string())?;
        Ok(found.into_iter().map(|one| (one.kind.as_str().to_owned(), one.count)).collect())
    }
}

fn figures(stats: CurrencyStats) -> Figures {
    Figures {
        total_bets: stats.total_bets,
        active_bets: stats.active_bets,
        wins: stats.wins,
        losses: stats.losses,
        winnings: stats.winnings,
        losings: stats.losings,
        best_win: stats.best_win,
        biggest_loss: stats.biggest_loss,
    }
}

fn seen_bet(site: &Site, bet: &Bet, actor: Actor) -> SeenBet {
    let number = |user| site.accounts.iter().position(|account| account.id == user);
    let negotiation = bet.state.negotiation();
    let is_awaiting = matches!(bet.state, State::AwaitingResolution(_));
    let standing = negotiation.and_then(|one| one.standing).filter(|_| is_awaiting);
    let cancel_reason = if let State::Cancelled { reason, .. } = &bet.state { Some(*reason) } else { None };
    SeenBet {
        status: bet.status().to_string(),
        acceptor: bet.acceptor().and_then(number),
        winner: bet.winner().and_then(number),
        proposed: standing.and_then(|one| Some((one.outcome.to_string(), number(one.by)?))),
        rejections: negotiation.map_or(0, |one| one.rejections.count),
        is_disputed: is_awaiting && negotiation.is_some_and(|one| one.dispute.is_some()),
        arbiter: bet.arbiter.and_then(|one| Some((number(one.user)?, one.status.to_string()))),
        cancel_reason: cancel_reason.map(CancelReason::as_str).map(str::to_owned),
        actions: actions(bet, actor.user, actor.is_admin, site.app.now())
            .into_iter()
            .map(|action| action.as_str().to_owned())
            .collect(),
    }
}
