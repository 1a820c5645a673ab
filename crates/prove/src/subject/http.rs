//! Users who send requests to an HTTP server in this process. The server has the clock of the sequence.

use std::net::TcpListener;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::rt::System;
use actix_web::web::ServiceConfig;
use bolts_bets::ShareToken;
use bolts_http::{Hub, Parts, Settings, serve};
use bolts_testkit::SequentialIds;
use serde_json::{Value, json};
use ureq::Agent;
use ureq::http::Request;

use super::site::{Account, KnownBet, Site, email, username};
use super::use_cases::{draft, ending, half, wrong_token};
use super::{Door, SeenBet, SeenUser};
use crate::model::{
    ACHIEVEMENTS, Action, Answer, Figures, Invoice, Named, Outcome, Plan, Side, Status, Terms, Token,
};

/// Users who send requests to a server. Dropping the value ends the server.
pub(super) struct Http {
    agent: Agent,
    base: String,
    handle: ServerHandle,
    /// Tells when the server's main thread has run all tasks that were started before.
    after_tasks: AfterTasks,
    thread: Option<JoinHandle<()>>,
}

/// Starts a task on the server's main thread that sends a message.
type AfterTasks = Box<dyn Fn(mpsc::Sender<()>) + Send>;

/// An answer of the server.
struct Reply {
    status: u16,
    body: Value,
    cookie: Option<String>,
}

fn pages(_: &mut ServiceConfig) {}

impl Http {
    /// Starts a server on a free port.
    pub(super) fn start(site: &Site) -> Result<Self, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let base = format!("http://{}", listener.local_addr().map_err(|error| error.to_string())?);
        let (app, wallets) = (site.app.clone(), site.wallets.clone());
        let (tell, told) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            System::new().block_on(async move {
                let settings = Settings {
                    public_origin: None,
                    trusted_proxies: Vec::new(),
                    reads_in_place: true,
                    workers: 1,
                };
                let parts = Parts {
                    ids: Arc::new(SequentialIds::default()),
                    hub: Arc::new(Hub::default()),
                    wallets,
                    replicas: None,
                    cookie_key: &[7; 64],
                    push_key: String::new(),
                };
                match serve(listener, app, parts, settings, pages) {
                    Ok(server) => {
                        let arbiter = System::current().arbiter().clone();
                        let after_tasks: AfterTasks = Box::new(move |told| {
                            arbiter.spawn(async move {
                                // The receiver may have given up.
                                let _ = told.send(());
                            });
                        });
                        drop(tell.send(Ok((server.handle(), after_tasks))));
                        drop(server.await);
                    }
                    Err(error) => drop(tell.send(Err(error.to_string()))),
                }
            });
        });
        let (handle, after_tasks): (ServerHandle, AfterTasks) =
            told.recv().map_err(|error| error.to_string())??;
        let agent = Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
        Ok(Self { agent, base, handle, after_tasks, thread: Some(thread) })
    }

    fn send(&self, cookie: &str, method: &str, path: &str, body: Option<Value>) -> Result<Reply, String> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        request = request.header("Origin", &self.base).header("Cookie", cookie);
        if body.is_some() {
            request = request.header("Content-Type", "application/json");
        }
        let text = body.map(|body| body.to_string()).unwrap_or_default();
        let request = request.body(text).map_err(|error| error.to_string())?;
        let mut response = self.agent.run(request).map_err(|error| format!("{method} {path}: {error}"))?;
        let session = response.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let session =
            session.filter_map(|value| value.split(';').next()).find(|pair| pair.starts_with("bolts="));
        let cookie = session.map(str::to_owned);
        let text = response.body_mut().read_to_string().map_err(|error| error.to_string())?;
        let body =
            serde_json::from_str(&text).map_err(|error| format!("{method} {path}: {error} in {text:?}"))?;
        Ok(Reply { status: response.status().as_u16(), body, cookie })
    }

    fn as_user(
        &self,
        site: &mut Site,
        user: usize,
        (method, path): (&str, &str),
        body: Option<Value>,
    ) -> Result<Reply, String> {
        if site.is_stale(user) {
            let (email, password) = (site.accounts[user].email.clone(), site.accounts[user].password.clone());
            self.sign_in(site, user, &email, &password)?;
        }
        self.send(&site.accounts[user].session, method, path, body)
    }

    fn sign_in(&self, site: &mut Site, user: usize, email: &str, password: &str) -> Result<(), String> {
        let body = json!({"email": email, "password": password});
        let reply = self.send("", "POST", "/api/auth/login", Some(body))?;
        let cookie = reply.cookie.filter(|_| reply.status == 200);
        site.accounts[user].session = cookie.ok_or_else(|| format!("a sign-in: {}", reply.body))?;
        site.accounts[user].signed_in_at = site.now();
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
        let (email, password) = (email(name), "secret".to_owned());
        let reply =
            self.send("", "POST", "/api/auth/register", Some(json!({"email": email, "password": password})))?;
        if reply.status == 201 {
            let id = text(&reply.body, "id")?.parse().map_err(|error| format!("{error:?}"))?;
            let session = reply.cookie.clone().ok_or("a sign-up without a session")?;
            let signed_in_at = site.now();
            site.accounts.push(Account { id, email, password, session, signed_in_at, is_admin: false });
        }
        answer(&reply)
    }

    fn reset(&self, site: &mut Site, admin: usize, name: u8) -> Result<Answer, String> {
        let body = json!({"userEmail": email(name)});
        let reply = self.post(site, admin, "/api/admin/reset-password", body)?;
        if reply.status == 200 {
            let temporary = text(&reply.body, "temporaryPassword")?;
            let user = site.accounts.iter().position(|account| account.email == email(name));
            let user = user.ok_or("the password of nobody was reset")?;
            self.sign_in(site, user, &email(name), &temporary)?;
            site.passwords += 1;
            let new = format!("secret-{}", site.passwords);
            let body = json!({"currentPassword": temporary, "newPassword": new});
            let changed = self.as_user(site, user, ("PATCH", "/api/auth/password"), Some(body))?;
            if changed.status != 200 {
                return Err(format!("the change of a one-time password: {}", changed.body));
            }
            site.accounts[user].password = new;
        }
        answer(&reply)
    }

    fn create(&self, site: &mut Site, user: usize, terms: &Terms) -> Result<Answer, String> {
        let draft = draft(site, terms);
        let body = json!({
            "title": draft.title, "optionA": draft.option_a, "optionB": draft.option_b,
            "stakeAmount": draft.stake_amount, "opponentStake": draft.opponent_stake, "currencyType": draft.currency,
            "isPrivate": terms.is_private,
            "resolutionMethod": draft.method, "creatorOption": half(terms.side).as_str(), "expiresAt": draft.expires_at,
            "arbiter": terms.arbiter.map(username),
        });
        let reply = self.post(site, user, "/api/bets", body)?;
        if reply.status == 201 {
            let id = text(&reply.body, "id")?.parse().map_err(|error| format!("{error:?}"))?;
            let token = reply.body["shareToken"].as_str().map(|token| ShareToken::new(token.to_owned()));
            site.bets.push(KnownBet { id, token, latest_proposal: None });
        }
        answer(&reply)
    }

    fn accept(
        &self,
        site: &mut Site,
        user: usize,
        bet: usize,
        (side, token): (Side, Token),
    ) -> Result<Answer, String> {
        let token = match token {
            Token::None => None,
            Token::Right => site.bets.get(bet).and_then(|bet| bet.token.clone()),
            Token::Wrong => Some(wrong_token()),
        };
        let token = token.map(|token| token.as_str().to_owned());
        let body = json!({
            "betId": site.bet_id(bet).to_string(), "chosenOption": half(side).as_str(), "shareToken": token,
        });
        answer(&self.post(site, user, "/api/bets/accept", body)?)
    }

    fn propose(&self, site: &mut Site, user: usize, bet: usize, outcome: Outcome) -> Result<Answer, String> {
        let path = format!("/api/bets/{}/propose-resolution", site.bet_id(bet));
        let reply = self.post(site, user, &path, json!({"winningOption": ending(outcome).as_str()}))?;
        if let (Some(id), Some(bet)) = (reply.body["bet"]["proposalId"].as_str(), site.bets.get_mut(bet)) {
            bet.latest_proposal = id.parse().ok();
        }
        answer(&reply)
    }

    fn respond(
        &self,
        site: &mut Site,
        user: usize,
        bet: usize,
        (accepts, named): (bool, Named),
    ) -> Result<Answer, String> {
        let latest = site.bets.get(bet).and_then(|bet| bet.latest_proposal);
        let named = match named {
            Named::None => None,
            Named::Latest => latest.map(|id| id.to_string()),
            Named::Other => Some(format!("{:032x}", 0xdead)),
        };
        self.on_bet(site, user, bet, "respond-resolution", json!({"accept": accepts, "proposalId": named}))
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

    fn withdraw(
        &self,
        site: &mut Site,
        user: usize,
        (invoice, msat): (Invoice, i64),
        is_right: bool,
        plan: Plan,
    ) -> Result<Answer, String> {
        let invoice = site.invoice(invoice, msat);
        site.provider.plan(&invoice, site.withdrawals.len(), plan);
        let password = if is_right { site.accounts[user].password.clone() } else { "wrong-one".to_owned() };
        let reply =
            self.post(site, user, "/api/withdrawals", json!({"invoice": invoice, "password": password}))?;
        if reply.status == 201 {
            let id = text(&reply.body, "id")?.parse().map_err(|error| format!("{error:?}"))?;
            site.withdrawals.push((id, invoice));
        }
        self.wait_for_tasks()?;
        answer(&reply)
    }

    /// Waits until the server has run the tasks that it has started so far. The server starts a task that begins to
    /// pay. On the memory store and with the scripted provider, this task never waits.
    fn wait_for_tasks(&self) -> Result<(), String> {
        let (tell, told) = mpsc::channel();
        (self.after_tasks)(tell);
        told.recv_timeout(Duration::from_secs(60)).map_err(|error| format!("the server's tasks: {error}"))
    }

    fn as_admin(
        &self,
        site: &mut Site,
        user: usize,
        (method, path): (&str, &str),
        body: Option<Value>,
    ) -> Result<Answer, String> {
        answer(&self.as_user(site, user, (method, path), body)?)
    }

    fn get(&self, site: &mut Site, user: usize, path: &str) -> Result<Reply, String> {
        self.as_user(site, user, ("GET", path), None)
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn answer(reply: &Reply) -> Result<Answer, String> {
    let code = reply.body["code"].as_str().unwrap_or_default();
    match reply.status {
        200 | 201 => Ok(Answer::Done),
        _ if matches!(code, "" | "internal" | "unavailable" | "too_many_requests" | "not_signed_in") => {
            Err(format!("{}: {}", reply.status, reply.body))
        }
        _ => Ok(Answer::Refused {
            code: code.to_owned(),
            field: reply.body["errors"][0]["field"].as_str().map(str::to_owned),
        }),
    }
}

fn text(body: &Value, name: &str) -> Result<String, String> {
    body[name].as_str().map(str::to_owned).ok_or_else(|| format!("no {name} in {body}"))
}

fn number(body: &Value, name: &str) -> Result<i64, String> {
    body[name].as_i64().ok_or_else(|| format!("no {name} in {body}"))
}

impl Door for Http {
    fn act(&mut self, site: &mut Site, action: &Action) -> Result<Answer, String> {
        match *action {
            Action::SignUp { name } => self.sign_up(site, name),
            Action::GrantBolts { admin, user, amount } => {
                let body = json!({"userEmail": email(user), "amount": amount});
                self.as_admin(site, admin, ("POST", "/api/admin/deposit-bolts"), Some(body))
            }
            Action::ResetPassword { admin, user } => self.reset(site, admin, user),
            Action::Create { user, ref terms } => self.create(site, user, terms),
            Action::Accept { user, bet, side, token } => self.accept(site, user, bet, (side, token)),
            Action::Delete { user, bet } => {
                let path = format!("/api/bets/{}", site.bet_id(bet));
                answer(&self.as_user(site, user, ("DELETE", &path), None)?)
            }
            Action::EndEarly { user, bet } => self.on_bet(site, user, bet, "early-resolution", json!({})),
            Action::Propose { user, bet, outcome } => self.propose(site, user, bet, outcome),
            Action::Respond { user, bet, accepts, named } => self.respond(site, user, bet, (accepts, named)),
            Action::Dispute { user, bet } => {
                self.on_bet(site, user, bet, "dispute", json!({"reason": "It was otherwise."}))
            }
            Action::Rule { user, bet, outcome } => {
                let path = format!("/api/admin/bets/{}/rule", site.bet_id(bet));
                let body = json!({"outcome": ending(outcome).as_str(), "note": "As the sources say."});
                self.as_admin(site, user, ("POST", &path), Some(body))
            }
            Action::AnswerInvitation { user, bet, accepts } => {
                self.on_bet(site, user, bet, "arbiter", json!({"accept": accepts}))
            }
            Action::Arbitrate { user, bet, outcome } => {
                let body = json!({"outcome": ending(outcome).as_str(), "note": "As both said."});
                self.on_bet(site, user, bet, "rule", body)
            }
            Action::Refund { user, bet } => {
                let path = format!("/api/admin/bets/{}/refund", site.bet_id(bet));
                self.as_admin(site, user, ("POST", &path), None)
            }
            Action::Remove { user, bet } => {
                let path = format!("/api/admin/bets/{}", site.bet_id(bet));
                self.as_admin(site, user, ("DELETE", &path), None)
            }
            Action::Claim { user, achievement } => {
                let id = ACHIEVEMENTS.get(achievement).copied().unwrap_or("no_such");
                let body = json!({"achievementId": id, "rewardBolts": 1_000_000});
                answer(&self.post(site, user, "/api/achievements/claim-reward", body)?)
            }
            Action::Deposit { user, amount, is_silent } => self.deposit(site, user, amount, is_silent),
            Action::Poll { user, deposit } => self.poll(site, user, deposit),
            Action::Withdraw { user, invoice, msat, is_right, plan } => {
                self.withdraw(site, user, (invoice, msat), is_right, plan)
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
