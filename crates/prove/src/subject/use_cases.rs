//! Users who call the use cases.

use bolts_achievements::CATALOGUE;
use bolts_bets::{Bet, CancelReason, Method, Outcome as Ending, ShareToken, Side as Half, State, TermsDraft};
use bolts_kernel::{Code, Currency, FieldError, ProposalId};
use bolts_ports::{BetKey, BetView, CurrencyStats};
use bolts_resolution::{Answer as Response, actions};
use bolts_usecases::accounts::{
    PasswordOwner, email as judged_email, password as judged_password, session_hash,
};
use bolts_usecases::admin::grant_amount;
use bolts_usecases::bets::{Accept, AcceptKey, Create};
use bolts_usecases::wallet::{Destination, Withdraw};
use bolts_usecases::{Actor, Refused, Reply};
use bolts_wallet::{WithdrawalStatus, deposit_amount};
use futures_executor::block_on;

use super::site::{ADDRESS, Account, KnownBet, Site, email, username};
use super::{Door, SeenBet, SeenUser};
use crate::model::{
    ACHIEVEMENTS, Action, Answer, Expiry, Figures, Invoice, Money, Named, Outcome, Plan, Side, Status, Terms,
    Token,
};

/// Users who call the use cases.
pub(super) struct UseCases;

/// The answer to a refusal, or an error if the refusal is a failure of the site.
fn refused(error: impl Into<Refused>) -> Result<Answer, String> {
    let Refused { code, detail, fields, .. } = error.into();
    if matches!(code, Code::Internal | Code::Unavailable | Code::TooManyRequests) {
        return Err(format!("{code}: {detail}"));
    }
    let field = fields.first().map(|field| field.field.to_owned());
    Ok(Answer::Refused { code: code.as_str().to_owned(), field })
}

fn invalid(field: FieldError) -> Result<Answer, String> {
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

/// What the site knows about a new bet.
fn known(view: &BetView) -> KnownBet {
    let token = match &view.bet.terms.visibility {
        bolts_bets::Visibility::Public => None,
        bolts_bets::Visibility::Private(token) => Some(token.clone()),
    };
    KnownBet { id: view.bet.id, token, latest_proposal: None }
}

fn done<T>(reply: Reply<T>) -> Result<T, String> {
    match reply {
        Reply::Done(value) => Ok(value),
        Reply::Replayed(_) => Err("an answer to a request without a key was repeated".to_owned()),
    }
}

impl UseCases {
    fn actor(site: &Site, user: usize) -> Actor {
        let account = &site.accounts[user];
        Actor { user: account.id, is_admin: account.is_admin }
    }

    fn sign_up(site: &mut Site, name: u8) -> Result<Answer, String> {
        let (email, password) = (email(name), "secret".to_owned());
        let judged = judged_email(&email).and_then(|_| judged_password("password", &password));
        if let Err(field) = judged {
            return invalid(field);
        }
        match block_on(site.app.register(email.clone(), password.clone(), ADDRESS)) {
            Ok(signed_in) => {
                let (id, session, signed_in_at) = (signed_in.user.id, signed_in.secret, site.now());
                site.accounts.push(Account { id, email, password, session, signed_in_at, is_admin: false });
                Ok(Answer::Done)
            }
            Err(error) => refused(error),
        }
    }

    fn renew(site: &mut Site, user: usize) -> Result<(), String> {
        if site.is_stale(user) {
            let account = &site.accounts[user];
            let signed_in = block_on(site.app.sign_in(&account.email, account.password.clone(), ADDRESS));
            let signed_in = signed_in.map_err(|error| format!("a sign-in: {error}"))?;
            site.accounts[user].session = signed_in.secret;
            site.accounts[user].signed_in_at = site.now();
        }
        Ok(())
    }

    fn owner(site: &Site, user: usize) -> PasswordOwner {
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
        let user = site.accounts.iter().position(|account| account.email == email(name));
        let user = user.ok_or("the password of nobody was reset")?;
        let signed_in = block_on(site.app.sign_in(&email(name), temporary.clone(), ADDRESS));
        let signed_in =
            signed_in.map_err(|error| format!("a sign-in with the one-time password: {error}"))?;
        site.passwords += 1;
        let new = format!("secret-{}", site.passwords);
        let now = site.now();
        let account = &mut site.accounts[user];
        (account.session, account.signed_in_at, account.password) = (signed_in.secret, now, new.clone());
        let changed = block_on(site.app.change_password(Self::owner(site, user), temporary, new));
        changed.map_err(|error| format!("the change of a one-time password: {error}"))?;
        Ok(Answer::Done)
    }

    fn create(site: &mut Site, user: usize, terms: &Terms) -> Result<Answer, String> {
        let create = Create {
            draft: draft(site, terms),
            side: half(terms.side),
            is_private: terms.is_private,
            arbiter: terms.arbiter.map(username),
        };
        match block_on(site.app.create_bet(Self::actor(site, user), create, None)) {
            Ok(reply) => {
                site.bets.push(known(&done(reply)?));
                Ok(Answer::Done)
            }
            Err(error) => refused(error),
        }
    }

    fn accept(site: &Site, user: usize, bet: usize, side: Side, token: Token) -> Result<Answer, String> {
        let token = match token {
            Token::None => None,
            Token::Right => site.bets.get(bet).and_then(|bet| bet.token.clone()),
            Token::Wrong => Some(wrong_token()),
        };
        let accept = Accept { key: AcceptKey::Id(site.bet_id(bet), token), option: half(side) };
        answer(block_on(site.app.accept_bet(Self::actor(site, user), accept, None)))
    }

    fn propose(site: &mut Site, user: usize, bet: usize, outcome: Outcome) -> Result<Answer, String> {
        let (actor, id) = (Self::actor(site, user), site.bet_id(bet));
        match block_on(site.app.propose_outcome(actor, id, ending(outcome), None)) {
            Ok(reply) => {
                let proposal =
                    done(reply)?.bet.state.negotiation().and_then(|one| one.standing).map(|one| one.id);
                if let Some(bet) = site.bets.get_mut(bet) {
                    bet.latest_proposal = proposal.or(bet.latest_proposal);
                }
                Ok(Answer::Done)
            }
            Err(error) => refused(error),
        }
    }

    fn respond(site: &Site, user: usize, bet: usize, accepts: bool, named: Named) -> Result<Answer, String> {
        let latest = site.bets.get(bet).and_then(|bet| bet.latest_proposal);
        let named = match named {
            Named::None => None,
            Named::Latest => latest,
            Named::Other => Some(ProposalId::from(0xdead_u128)),
        };
        let response = if accepts { Response::Accept } else { Response::Reject };
        let actor = Self::actor(site, user);
        answer(block_on(site.app.respond_to_proposal(actor, site.bet_id(bet), response, named, None)))
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

    fn withdraw(
        site: &mut Site,
        user: usize,
        (invoice, msat): (Invoice, i64),
        is_right: bool,
        plan: Plan,
    ) -> Result<Answer, String> {
        Self::renew(site, user)?;
        let invoice = site.invoice(invoice, msat);
        site.provider.plan(&invoice, site.withdrawals.len(), plan);
        let password = if is_right { site.accounts[user].password.clone() } else { "wrong-one".to_owned() };
        let destination = Destination::Invoice(invoice.clone());
        let withdraw = Withdraw { owner: Self::owner(site, user).into(), password, destination };
        match block_on(site.wallets.withdraw(withdraw, None)) {
            Ok(reply) => {
                let id = done(reply)?.id;
                site.withdrawals.push((id, invoice));
                // The HTTP adapter begins to pay at once.
                block_on(site.wallets.move_on(id)).map_err(|error| error.to_string())?;
                Ok(Answer::Done)
            }
            Err(error) => refused(error),
        }
    }

    fn claim(site: &Site, user: usize, achievement: usize) -> Result<Answer, String> {
        let id = ACHIEVEMENTS.get(achievement).copied().unwrap_or("no_such");
        answer(block_on(site.app.claim_reward(site.accounts[user].id, id)))
    }

    fn grant(site: &Site, admin: usize, user: u8, amount: i64) -> Result<Answer, String> {
        let actor = Self::actor(site, admin);
        let amount = match grant_amount(amount) {
            Err(field) if actor.is_admin => return invalid(field),
            judged => judged.unwrap_or_default(),
        };
        answer(block_on(site.app.grant_bolts(actor, &email(user), amount, None)))
    }
}

impl Door for UseCases {
    fn act(&mut self, site: &mut Site, action: &Action) -> Result<Answer, String> {
        let actor = |user| Self::actor(site, user);
        match *action {
            Action::SignUp { name } => Self::sign_up(site, name),
            Action::GrantBolts { admin, user, amount } => Self::grant(site, admin, user, amount),
            Action::ResetPassword { admin, user } => Self::reset(site, admin, user),
            Action::Create { user, ref terms } => Self::create(site, user, terms),
            Action::Accept { user, bet, side, token } => Self::accept(site, user, bet, side, token),
            Action::Delete { user, bet } => {
                answer(block_on(site.app.delete_bet(actor(user), site.bet_id(bet))))
            }
            Action::EndEarly { user, bet } => {
                answer(block_on(site.app.end_bet_early(actor(user), site.bet_id(bet))))
            }
            Action::Propose { user, bet, outcome } => Self::propose(site, user, bet, outcome),
            Action::Respond { user, bet, accepts, named } => Self::respond(site, user, bet, accepts, named),
            Action::Dispute { user, bet } => {
                let reason = "It was otherwise.".to_owned();
                answer(block_on(site.app.dispute_bet(actor(user), site.bet_id(bet), reason)))
            }
            Action::Rule { user, bet, outcome } => {
                let note = "As the sources say.".to_owned();
                answer(block_on(site.app.rule_on_bet(
                    actor(user),
                    site.bet_id(bet),
                    ending(outcome),
                    note,
                    None,
                )))
            }
            Action::AnswerInvitation { user, bet, accepts } => {
                answer(block_on(site.app.answer_invitation(actor(user), site.bet_id(bet), accepts)))
            }
            Action::Arbitrate { user, bet, outcome } => {
                let (note, bet) = ("As both said.".to_owned(), site.bet_id(bet));
                answer(block_on(site.app.rule_as_arbiter(actor(user), bet, ending(outcome), note, None)))
            }
            Action::Refund { user, bet } => {
                answer(block_on(site.app.refund_bet(actor(user), site.bet_id(bet), None)))
            }
            Action::Remove { user, bet } => {
                answer(block_on(site.app.remove_bet(actor(user), site.bet_id(bet))))
            }
            Action::Claim { user, achievement } => Self::claim(site, user, achievement),
            Action::Deposit { user, amount, is_silent } => Self::deposit(site, user, amount, is_silent),
            Action::Poll { user, deposit } => Self::poll(site, user, deposit),
            Action::Withdraw { user, invoice, msat, is_right, plan } => {
                Self::withdraw(site, user, (invoice, msat), is_right, plan)
            }
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
