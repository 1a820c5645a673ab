//! Users who send requests to an HTTP server in this process.

use std::collections::HashMap;

use bolts_kernel::{BetId, Timestamp};
use serde_json::{Value, json};

use super::orders::{After, Answers, Post};
use super::site::{Account, FIRST_PASSWORD, Site, email, username};
use super::wire::{Reply, Sender, Wire};
use super::{Door, Notice, SeenBet, SeenNews, SeenUser, notice_id, seen_news};
use crate::model::{ACHIEVEMENTS, Action, Answer, Figures, Status};

/// Users who send requests to a server.
pub(super) struct Http {
    wire: Wire,
    /// The orders with a key.
    sent: Vec<Post>,
    pub(super) answers: Answers,
}

impl Http {
    /// Starts a server on a free port.
    pub(super) fn start(site: &Site) -> Result<Self, String> {
        Ok(Self { wire: Wire::start(site)?, sent: Vec::new(), answers: HashMap::new() })
    }

    fn as_user(
        &self,
        site: &mut Site,
        user: usize,
        call: (&str, &str),
        body: Option<Value>,
    ) -> Result<Reply, String> {
        self.with_key(site, user, None, call, body)
    }

    pub(super) fn with_key(
        &self,
        site: &mut Site,
        user: usize,
        key: Option<u8>,
        call: (&str, &str),
        body: Option<Value>,
    ) -> Result<Reply, String> {
        if site.is_stale(user) {
            let password = site.accounts[user].password.clone();
            self.sign_in(site, user, &password)?;
        }
        let account = &site.accounts[user];
        let sender = Sender { session: &account.session, device: &account.device, key, bearer: None };
        self.wire.send(sender, call, body)
    }

    /// Signs the user in with the browser in which the user has signed in before.
    fn sign_in(&self, site: &mut Site, user: usize, password: &str) -> Result<(), String> {
        let account = &site.accounts[user];
        let body = json!({"email": account.email, "password": password});
        let sender = Sender { device: &account.device, ..Sender::default() };
        let reply = self.wire.send(sender, ("POST", "/api/auth/login"), Some(body))?;
        if reply.status != 200 {
            return Err(format!("a sign-in: {}", reply.body));
        }
        Self::enter(site, user, reply)
    }

    fn enter(site: &mut Site, user: usize, reply: Reply) -> Result<(), String> {
        let now = site.now();
        let account = &mut site.accounts[user];
        account.session = reply.session.ok_or("no session")?;
        account.device = reply.device.ok_or("no device")?;
        account.signed_in_at = now;
        Ok(())
    }

    fn post(&self, site: &mut Site, user: usize, path: &str, body: Value) -> Result<Reply, String> {
        self.as_user(site, user, ("POST", path), Some(body))
    }

    /// An action on a bet without a further effect on what the sequence knows.
    fn on_bet(
        &self,
        site: &mut Site,
        user: usize,
        bet: usize,
        path: &str,
        body: Value,
    ) -> Result<Answer, String> {
        let path = format!("/api/bets/{}/{path}", site.bet_id(bet));
        answer(&self.post(site, user, &path, body)?)
    }

    fn sign_up(&self, site: &mut Site, name: u8) -> Result<Answer, String> {
        let email = email(name);
        let body = json!({"email": email, "password": FIRST_PASSWORD});
        let reply = self.wire.send(Sender::default(), ("POST", "/api/auth/register"), Some(body))?;
        let answered = answer(&reply)?;
        if reply.status == 201 {
            let id = text(&reply.body, "id")?.parse().map_err(|error| format!("{error:?}"))?;
            site.accounts.push(Account::new(id, email, site.now()));
            let user = site.accounts.len() - 1;
            Self::enter(site, user, reply)?;
            let profile = ("PATCH", "/api/auth/profile");
            let named = self.as_user(site, user, profile, Some(json!({"username": username(name)})))?;
            if named.status != 200 {
                return Err(format!("the username: {}", named.body));
            }
        }
        Ok(answered)
    }

    fn reset(&self, site: &mut Site, admin: usize, name: u8) -> Result<Answer, String> {
        let body = json!({"userEmail": email(name)});
        let reply = self.post(site, admin, "/api/admin/reset-password", body)?;
        if reply.status == 200 {
            let temporary = text(&reply.body, "temporaryPassword")?;
            let (user, new) = (site.named(name)?, site.new_password());
            self.sign_in(site, user, &temporary)?;
            let body = json!({"currentPassword": temporary, "newPassword": new});
            let changed = self.as_user(site, user, ("PATCH", "/api/auth/password"), Some(body))?;
            if changed.status != 200 {
                return Err(format!("the change of a one-time password: {}", changed.body));
            }
            site.accounts[user].password = new;
            site.accounts[user].session = changed.session.ok_or("no new session")?;
        }
        answer(&reply)
    }

    /// Sends an order.
    fn order(&mut self, site: &mut Site, post: &Post) -> Result<Answer, String> {
        if let After::Withdrawal(invoice, plan) = &post.after {
            site.plan(invoice, *plan);
        }
        let call = ("POST", post.path.as_str());
        let reply = self.with_key(site, post.user, post.key, call, post.body.clone())?;
        self.wire.wait_for_tasks()?;
        let answered = answer(&reply)?;
        if answered == Answer::Done {
            post.note(site, &reply.body)?;
        }
        self.compare(post, &reply, answered)
    }

    fn deposit(&self, site: &mut Site, user: usize, amount: i64, is_silent: bool) -> Result<Answer, String> {
        site.provider.be_silent(is_silent);
        let reply = self.post(site, user, "/api/deposit/create-invoice", json!({"amount": amount}));
        site.provider.be_silent(false);
        let reply = reply?;
        if reply.status == 201 {
            let id = text(&reply.body, "invoiceId")?.parse().map_err(|error| format!("{error:?}"))?;
            let deposit = site.app.queries().deposit(id).map_err(|error| error.to_string())?;
            let deposit = deposit.ok_or("the new deposit is unknown")?;
            site.provider.name_deposit(deposit.payment_hash, site.deposits.len());
            site.deposits.push(id);
        }
        answer(&reply)
    }

    fn poll(&self, site: &mut Site, user: usize, deposit: usize) -> Result<Answer, String> {
        let id = site.deposits.get(deposit).map_or_else(|| format!("{:032x}", 0xdead), ToString::to_string);
        answer(&self.as_user(site, user, ("GET", &format!("/api/deposit/check-status/{id}")), None)?)
    }

    fn delete_account(&self, site: &mut Site, user: usize, is_right: bool) -> Result<Answer, String> {
        let body = json!({"password": site.password(user, is_right)});
        let reply = self.as_user(site, user, ("DELETE", "/api/account"), Some(body))?;
        if reply.status == 200 {
            (site.accounts[user].is_gone, site.accounts[user].is_admin) = (true, false);
        }
        answer(&reply)
    }

    fn make_key(&self, site: &mut Site, user: usize, days: i64, is_right: bool) -> Result<Answer, String> {
        let password = site.password(user, is_right);
        let body =
            json!({"name": "A program", "scopes": ["read"], "expiresInDays": days, "password": password});
        let reply = self.post(site, user, "/api/auth/keys", body)?;
        if reply.status == 201 {
            let id = text(&reply.body["key"], "id")?.parse().map_err(|error| format!("{error:?}"))?;
            site.keys.push((id, text(&reply.body, "secret")?));
        }
        answer(&reply)
    }

    fn read(&mut self, site: &mut Site, user: usize, place: usize) -> Result<Answer, String> {
        // A user without a session cannot read the list.
        let news = if site.accounts[user].is_gone { Vec::new() } else { self.news(site, user)? };
        let path = format!("/api/notifications/{}/read", notice_id(&news, place));
        let reply = self.as_user(site, user, ("POST", &path), None)?;
        if reply.status == 200 && reply.body["isRead"] != true {
            return Err(format!("{} is not read", reply.body));
        }
        answer(&reply)
    }

    fn counted(
        &self,
        site: &mut Site,
        user: usize,
        call: (&str, &str),
        name: &str,
    ) -> Result<Answer, String> {
        let reply = self.as_user(site, user, call, None)?;
        match answer(&reply)? {
            Answer::Done => {
                let count = usize::try_from(number(&reply.body, name)?).map_err(|error| error.to_string())?;
                Ok(Answer::Counted(count))
            }
            other @ (Answer::Counted(_) | Answer::Repeated | Answer::Refused { .. }) => Ok(other),
        }
    }

    fn get(&self, site: &mut Site, user: usize, path: &str) -> Result<Reply, String> {
        self.as_user(site, user, ("GET", path), None)
    }
}

pub(super) fn answer(reply: &Reply) -> Result<Answer, String> {
    let code = reply.body["code"].as_str().unwrap_or_default();
    match reply.status {
        200 | 201 if reply.is_repeat => Ok(Answer::Repeated),
        200 | 201 => Ok(Answer::Done),
        _ if matches!(code, "" | "internal" | "unavailable" | "too_many_requests") => {
            Err(format!("{}: {}", reply.status, reply.body))
        }
        _ => Ok(Answer::Refused {
            code: code.to_owned(),
            field: reply.body["errors"][0]["field"].as_str().map(str::to_owned),
        }),
    }
}

pub(super) fn text(body: &Value, name: &str) -> Result<String, String> {
    body[name].as_str().map(str::to_owned).ok_or_else(|| format!("no {name} in {body}"))
}

fn number(body: &Value, name: &str) -> Result<i64, String> {
    body[name].as_i64().ok_or_else(|| format!("no {name} in {body}"))
}

impl Door for Http {
    fn act(&mut self, site: &mut Site, action: &Action) -> Result<Answer, String> {
        match *action {
            Action::Order { ref order, key } => {
                let post = Post::of(site, order, key);
                // The model numbers the orders with a key, and leaves out those of deleted users.
                if key.is_some() && !site.accounts[post.user].is_gone {
                    self.sent.push(post.clone());
                }
                self.order(site, &post)
            }
            Action::Repeat { user, order } => {
                let post = self.sent.get(order).filter(|post| post.user == user).cloned();
                match post {
                    Some(post) => self.order(site, &post),
                    // The server must refuse every request of a deleted user, so the door sends any request.
                    None if site.accounts[user].is_gone => self.act(site, &Action::ReadAll { user }),
                    None => Ok(Answer::Done),
                }
            }
            Action::SignUp { name } => self.sign_up(site, name),
            Action::ResetPassword { admin, user } => self.reset(site, admin, user),
            Action::Delete { user, bet } => {
                let path = format!("/api/bets/{}", site.bet_id(bet));
                answer(&self.as_user(site, user, ("DELETE", &path), None)?)
            }
            Action::EndEarly { user, bet } => self.on_bet(site, user, bet, "early-resolution", json!({})),
            Action::Dispute { user, bet } => {
                self.on_bet(site, user, bet, "dispute", json!({"reason": "It was otherwise."}))
            }
            Action::AnswerInvitation { user, bet, accepts } => {
                self.on_bet(site, user, bet, "arbiter", json!({"accept": accepts}))
            }
            Action::Remove { user, bet } => {
                let path = format!("/api/admin/bets/{}", site.bet_id(bet));
                answer(&self.as_user(site, user, ("DELETE", &path), None)?)
            }
            Action::Claim { user, achievement } => {
                let id = ACHIEVEMENTS.get(achievement).copied().unwrap_or("no_such");
                let body = json!({"achievementId": id, "rewardBolts": 1_000_000});
                answer(&self.post(site, user, "/api/achievements/claim-reward", body)?)
            }
            Action::Deposit { user, amount, is_silent } => self.deposit(site, user, amount, is_silent),
            Action::Poll { user, deposit } => self.poll(site, user, deposit),
            Action::DeleteAccount { user, is_right } => self.delete_account(site, user, is_right),
            Action::MakeKey { user, days, is_right } => self.make_key(site, user, days, is_right),
            Action::RevokeKey { user, key } => {
                let path = format!("/api/auth/keys/{}", site.key_id(key));
                answer(&self.as_user(site, user, ("DELETE", &path), None)?)
            }
            Action::UseKey { key } => {
                let bearer = site.key(key);
                let sender = Sender { bearer: Some(&bearer), ..Sender::default() };
                answer(&self.wire.send(sender, ("GET", "/api/bets/my"), None)?)
            }
            Action::Read { user, place } => self.read(site, user, place),
            Action::ReadAll { user } => {
                self.counted(site, user, ("POST", "/api/notifications/read-all"), "marked")
            }
            Action::Clear { user } => {
                self.counted(site, user, ("DELETE", "/api/notifications/clear-all"), "cleared")
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
        let own = self.get(site, user, "/api/auth/user")?.body;
        let stats = self.get(site, user, "/api/users/stats")?.body;
        let achievements = self.get(site, user, "/api/achievements")?.body;
        let achievements = achievements.as_array().ok_or("the achievements are no list")?;
        let mut unlocked = Vec::new();
        for one in achievements.iter().filter(|one| !one["unlockedAt"].is_null()) {
            unlocked.push((text(&one["definition"], "id")?, !one["claimedAt"].is_null()));
        }
        unlocked.sort();
        Ok(SeenUser {
            bolts: number(&own, "boltsBalance")?,
            sats: number(&own, "satsBalance")?,
            unlocked,
            figures: [
                figures(&stats["bolts"], number(&stats, "totalBoltsWinnings")?)?,
                figures(&stats["sats"], number(&stats, "totalSatsWinnings")?)?,
            ],
            progress: achievements.iter().map(|one| number(one, "current")).collect::<Result<_, _>>()?,
        })
    }

    fn bet(&mut self, site: &mut Site, viewer: usize, bet: usize) -> Result<Option<SeenBet>, String> {
        let path = format!("/api/bets/{}", site.bet_id(bet));
        let reply = self.get(site, viewer, &path)?;
        if reply.body["code"] == "bet_not_found" {
            return Ok(None);
        }
        seen_bet(site, &reply.body).map(Some)
    }

    fn withdrawal(&mut self, site: &mut Site, user: usize, withdrawal: usize) -> Result<Status, String> {
        let path = format!("/api/withdrawals/{}", site.withdrawals[withdrawal].0);
        let body = self.get(site, user, &path)?.body;
        Ok(match text(&body, "status")?.as_str() {
            "held" => Status::Held,
            "sending" => Status::Sending,
            "paid" => Status::Paid { fee: number(&body, "fee")? },
            "refunded" => Status::Refunded,
            other => return Err(format!("the status {other}")),
        })
    }

    fn news(&mut self, site: &mut Site, user: usize) -> Result<SeenNews, String> {
        let body = self.get(site, user, "/api/notifications")?.body;
        let list = body.as_array().ok_or_else(|| format!("the notifications: {body}"))?;
        seen_news(site, list.iter().map(notice).collect::<Result<_, _>>()?)
    }

    fn keys(&mut self, site: &mut Site, user: usize) -> Result<Vec<i64>, String> {
        let body = self.get(site, user, "/api/auth/keys")?.body;
        let keys = body.as_array().ok_or_else(|| format!("the API keys: {body}"))?;
        keys.iter().map(|key| time(key, "expiresAt")).collect()
    }

    fn obstacles(&mut self, site: &mut Site, user: usize) -> Result<Vec<(String, i64)>, String> {
        let body = self.get(site, user, "/api/account/deletion")?.body;
        let list = body["obstacles"].as_array().ok_or_else(|| format!("the obstacles: {body}"))?;
        list.iter().map(|one| Ok((text(one, "kind")?, number(one, "count")?))).collect()
    }
}

fn figures(body: &Value, winnings: i64) -> Result<Figures, String> {
    Ok(Figures {
        total_bets: number(body, "totalBets")?,
        active_bets: number(body, "activeBets")?,
        wins: number(body, "wins")?,
        losses: number(body, "losses")?,
        winnings,
        losings: winnings - number(body, "net")?,
        best_win: number(body, "bestWin")?,
        biggest_loss: number(body, "biggestLoss")?,
    })
}

/// The number and the status of the arbiter of a bet.
fn arbiter(site: &Site, body: &Value) -> Option<(usize, String)> {
    let id = body["id"].as_str()?;
    let number = site.accounts.iter().position(|account| account.id.to_string() == id)?;
    Some((number, body["status"].as_str()?.to_owned()))
}

fn seen_bet(site: &Site, body: &Value) -> Result<SeenBet, String> {
    let user = |name: &str| {
        let id = body[name].as_str()?;
        site.accounts.iter().position(|account| account.id.to_string() == id)
    };
    let own = |name: &str| body[name].as_str().map(str::to_owned);
    let status = text(body, "status")?;
    let is_awaiting = status == "awaiting_resolution";
    let rejections = number(body, "rejectionCount")?;
    let actions = body["actions"].as_array().ok_or("a bet without actions")?;
    Ok(SeenBet {
        status,
        acceptor: user("acceptorId"),
        winner: user("winnerId"),
        proposed: own("proposedWinningOption").zip(user("proposedBy")).filter(|_| is_awaiting),
        rejections: u32::try_from(rejections).map_err(|error| error.to_string())?,
        is_disputed: is_awaiting && !body["disputedAt"].is_null(),
        cancel_reason: own("cancelReason"),
        arbiter: arbiter(site, &body["arbiter"]),
        actions: actions.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

fn time(body: &Value, name: &str) -> Result<i64, String> {
    let time = Timestamp::parse(&text(body, name)?).map_err(|error| error.to_string())?;
    Ok(time.micros())
}

fn notice(body: &Value) -> Result<Notice, String> {
    let bet = body["betId"].as_str().map(str::parse::<BetId>).transpose();
    Ok(Notice {
        id: text(body, "id")?,
        title: text(body, "title")?,
        message: text(body, "message")?,
        bet: bet.map_err(|error| format!("{error:?}"))?,
        is_read: body["isRead"] == true,
        at: time(body, "createdAt")?,
    })
}
