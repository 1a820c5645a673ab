//! `bolts demo`: creates sample users and bets by calling the use cases. The demo has its own clock, which starts 30
//! days ago and moves to now.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::rt::System;
use bolts_bets::{Outcome, Side, TermsDraft};
use bolts_kernel::{Amount, BetId, Timestamp};
use bolts_messages::{alternative_text, message_text};
use bolts_ports::{BetView, Clock};
use bolts_resolution::Answer;
use bolts_store_diesel::DatabaseUrl;
use bolts_usecases::bets::{Accept, AcceptKey, Create};
use bolts_usecases::messages::{NewMessage, NewPicture, On};
use bolts_usecases::{Actor, App, Reply, Rules};

use crate::environment::SystemClock;
use crate::{Failure, commands, wiring};

/// The maximum time for which the demo pauses the sweeps of a server on the same database. Without sweeps no deadline
/// is applied.
const LONGEST: Duration = Duration::from_secs(300);

/// A picture for the disputed bet: a chart of four polls.
const POLLS: &[u8] = include_bytes!("demo-poll.png");

const DAY: Duration = Duration::from_hours(24);

/// The names of the users. The last one is the admin.
const NAMES: [&str; 5] = ["ada", "ben", "cleo", "dev", "admin"];

/// A clock that returns the time that the demo has set.
struct WalkingClock(Mutex<Timestamp>);

impl WalkingClock {
    fn set(&self, at: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }
}

impl Clock for WalkingClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The use cases, the users and the clock with which the demo creates its bets.
struct Stage {
    app: App,
    clock: Arc<WalkingClock>,
    now: Timestamp,
    actors: Vec<Actor>,
}

type Done<T> = Result<T, Failure>;

/// Fills an empty database and prints how to sign in.
pub(crate) fn run(database_url: &str) -> Result<(), Failure> {
    let database = commands::migrate::open_to_fill(database_url)?;
    let has_users = database.queries().has_users().map_err(failed)?;
    if has_users {
        return Err(Failure::start_up("this database has users already; the demo is for an empty one"));
    }
    let now = SystemClock.now();
    let clock = Arc::new(WalkingClock(Mutex::new(now.before(30 * DAY))));
    let rules = Rules { signups_per_hour: 0, bets_per_hour: 0, writes_per_minute: 0, ..Rules::default() };
    let app = wiring::app_at(&database, rules, clock.clone());
    System::new().block_on(async {
        let password = app.one_time_password();
        let mut stage = Stage { app, clock, now, actors: Vec::new() };
        stage.app.pause_sweeps(now, now.after(LONGEST)).await.map_err(failed)?;
        let progress = commands::progress("registering users");
        stage.register(&password).await?;
        progress.set_message("settling bets of the past");
        stage.past().await?;
        progress.set_message("making bets of today");
        stage.present().await?;
        stage.arbitrated().await?;
        stage.app.pause_sweeps(now, now).await.map_err(failed)?;
        progress.finish_and_clear();
        explain(&password, database_url);
        Ok(())
    })
}

fn explain(password: &str, database_url: &str) {
    commands::say("The demo is ready. All of its users have one password:");
    commands::say(&format!("  password   {password}"));
    for name in NAMES {
        commands::say(&format!("  {name:<9}  {name}@example.com"));
    }
    // The URL of a PostgreSQL database may contain a password. The path of a SQLite file contains no secret.
    match DatabaseUrl::parse(database_url) {
        Ok(DatabaseUrl::Sqlite(file)) => {
            commands::say(&format!("Start it with: bolts serve --database-url sqlite://{}", file.display()));
        }
        Ok(DatabaseUrl::Postgres(_)) | Err(_) => {
            commands::say("Start it with bolts serve and the same database URL.");
        }
    }
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::answer(format!("the demo data could not be created: {error}"))
}

fn done(reply: Reply<BetView>) -> Done<BetId> {
    match reply {
        Reply::Done(view) => Ok(view.bet.id),
        Reply::Replayed(_) => Err(failed("a request was repeated")),
    }
}

impl Stage {
    async fn register(&mut self, password: &str) -> Done<()> {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        for name in NAMES {
            let email = format!("{name}@example.com");
            let fresh =
                self.app.register(email.clone(), password.to_owned(), address).await.map_err(failed)?;
            let is_admin = name == "admin";
            if is_admin {
                self.app.set_admin(&email, true).await.map_err(failed)?;
            }
            let profile =
                bolts_usecases::accounts::ProfileDraft { username: name.to_owned(), ..Default::default() };
            self.app.set_profile(fresh.user.id, &profile).await.map_err(failed)?;
            self.actors.push(Actor { user: fresh.user.id, is_admin });
        }
        let amount = Amount::new(5_000).map_err(failed)?;
        let admin = self.actors[4];
        self.app.grant_bolts(admin, "ada@example.com", amount, None).await.map_err(failed)?;
        Ok(())
    }

    /// Sets the clock to this number of days before now.
    fn days_ago(&self, days: u32) {
        self.clock.set(self.now.before(days * DAY));
    }

    async fn create(&self, maker: usize, stake: i64, expires_in: Duration, texts: [&str; 4]) -> Done<BetId> {
        self.create_by(maker, (stake, None), expires_in, texts, "Mutual Agreement", false).await
    }

    async fn create_by(
        &self,
        maker: usize,
        (stake, opponent_stake): (i64, Option<i64>),
        expires_in: Duration,
        texts: [&str; 4],
        method: &str,
        is_private: bool,
    ) -> Done<BetId> {
        let draft = self.draft((stake, opponent_stake), expires_in, texts, method);
        let create = Create { draft, side: Side::A, is_private, arbiter: None };
        done(self.app.create_bet(self.actors[maker], create, None).await.map_err(failed)?)
    }

    /// Creates a bet and invites the user with this number to be its arbiter.
    async fn create_with(
        &self,
        maker: usize,
        arbiter: usize,
        expires_in: Duration,
        texts: [&str; 4],
    ) -> Done<BetId> {
        let draft = self.draft((65, None), expires_in, texts, "Mutual Agreement");
        let arbiter = Some(NAMES[arbiter].to_owned());
        let create = Create { draft, side: Side::A, is_private: false, arbiter };
        done(self.app.create_bet(self.actors[maker], create, None).await.map_err(failed)?)
    }

    fn draft(
        &self,
        (stake, opponent_stake): (i64, Option<i64>),
        expires_in: Duration,
        [title, option_a, option_b, category]: [&str; 4],
        method: &str,
    ) -> TermsDraft {
        TermsDraft {
            title: title.to_owned(),
            description: "Settled by the first official report. A postponement makes it void.".to_owned(),
            option_a: option_a.to_owned(),
            option_b: option_b.to_owned(),
            stake_amount: stake,
            opponent_stake,
            currency: "bolts".to_owned(),
            category: category.to_owned(),
            method: method.to_owned(),
            expires_at: self.clock.now().after(expires_in).to_string(),
            ..TermsDraft::default()
        }
    }

    async fn accept(&self, taker: usize, bet: BetId) -> Done<()> {
        let accept = Accept { key: AcceptKey::Id(bet, None), option: Side::B };
        self.app.accept_bet(self.actors[taker], accept, None).await.map(drop).map_err(failed)
    }

    async fn propose(&self, by: usize, bet: BetId, outcome: Outcome) -> Done<()> {
        self.app.propose_outcome(self.actors[by], bet, outcome, None).await.map(drop).map_err(failed)
    }

    async fn answer(&self, by: usize, bet: BetId, answer: Answer) -> Done<()> {
        self.app.respond_to_proposal(self.actors[by], bet, answer, None, None).await.map(drop).map_err(failed)
    }

    /// Writes a message, with a picture and its alternative text if there is one.
    async fn write(&self, by: usize, bet: BetId, text: &str, picture: Option<(&[u8], &str)>) -> Done<()> {
        let on = On { bet, token: None };
        let mut pictures = Vec::new();
        if let Some((file, alt)) = picture {
            let alt = alternative_text(alt).map_err(|error| failed(error.message))?;
            let new = NewPicture { file: file.to_vec(), alt };
            let stored = self.app.upload_picture(self.actors[by], on.clone(), new).await.map_err(failed)?;
            pictures.push(stored.id);
        }
        let text = message_text(text).map_err(|error| failed(error.message))?;
        let new = NewMessage { text, pictures };
        self.app.write_message(self.actors[by], on, new, None).await.map(drop).map_err(failed)
    }

    /// Creates bets that have ended in different ways.
    async fn past(&self) -> Done<()> {
        let scenes = [
            ("Will the home team win the derby?", "Home win", "No home win", "Sports", Outcome::A),
            ("Will it rain in Boston on Sunday?", "Rain", "No rain", "Weather", Outcome::B),
            ("Will the phone launch before June?", "Before June", "June or later", "Technology", Outcome::A),
            ("Will the film win best picture?", "Wins", "Does not win", "Entertainment", Outcome::Void),
        ];
        for (index, (title, a, b, category, outcome)) in scenes.into_iter().enumerate() {
            self.days_ago(28);
            let (maker, taker) = (index % 3, (index + 1) % 3);
            let bet = self.create(maker, 100 + 50 * index as i64, 2 * DAY, [title, a, b, category]).await?;
            self.accept(taker, bet).await?;
            self.days_ago(26);
            self.propose(maker, bet, outcome).await?;
            self.answer(taker, bet, Answer::Accept).await?;
        }
        self.days_ago(25);
        let texts = ["Will the index close above its high?", "Above", "Not above", "Finance"];
        let stands = self.create(0, 75, DAY, texts).await?;
        self.accept(3, stands).await?;
        self.propose(0, stands, Outcome::A).await?;
        let texts = ["Will the mayor be re-elected?", "Re-elected", "Not re-elected", "Politics"];
        self.create(2, 40, DAY, texts).await?;
        let texts = ["Will the last tram be late tonight?", "Late", "On time", "Other"];
        let forgotten = self.create(0, 30, DAY, texts).await?;
        self.accept(1, forgotten).await?;
        let texts = ["Is the new bridge open by the weekend?", "Open", "Closed", "Other"];
        let declared = self.create_by(1, (60, None), DAY, texts, "Manual Verification", false).await?;
        self.accept(2, declared).await?;
        self.days_ago(18);
        self.app.sweep().await.map_err(failed)?;
        self.propose(1, declared, Outcome::A).await?;
        let texts = ["Will the server survive the launch day?", "Survives", "Goes down", "Technology"];
        let ruled = self.create(3, 120, DAY, texts).await?;
        self.accept(0, ruled).await?;
        self.days_ago(16);
        self.app
            .dispute_bet(self.actors[0], ruled, "It was down for an hour.".to_owned())
            .await
            .map_err(failed)?;
        let note = "The status page shows the outage.".to_owned();
        self.app.rule_on_bet(self.actors[4], ruled, Outcome::B, note, None).await.map_err(failed)?;
        self.days_ago(9);
        self.app.sweep().await.map(drop).map_err(failed)
    }

    /// Creates a bet with an invited arbiter, and a dispute that waits for its arbiter.
    async fn arbitrated(&self) -> Done<()> {
        let texts = ["Does the new recipe beat the old one?", "New", "Old", "Other"];
        self.create_with(1, 0, 9 * DAY, texts).await?;
        let texts = ["Was the chess game a draw?", "A draw", "No draw", "Other"];
        let disputed = self.create_with(0, 2, DAY, texts).await?;
        self.app.answer_invitation(self.actors[2], disputed, true).await.map_err(failed)?;
        self.accept(1, disputed).await?;
        self.app.end_bet_early(self.actors[0], disputed).await.map_err(failed)?;
        let reason = "White resigned after the handshake.".to_owned();
        self.app.dispute_bet(self.actors[1], disputed, reason).await.map(drop).map_err(failed)
    }

    /// Creates bets that are still open.
    async fn present(&self) -> Done<()> {
        self.days_ago(2);
        let pending = [
            (1, 200, "Will it snow in New York before December?", "Snow", "No snow", "Weather"),
            (2, 50, "Will Bitcoin close the week above its open?", "Above", "Not above", "Cryptocurrency"),
            (
                3,
                25,
                "Will the visitors score first on Saturday?",
                "They score first",
                "They do not",
                "Sports",
            ),
            (
                0,
                500,
                "Will the sequel be announced this year?",
                "Announced",
                "Not announced",
                "Entertainment",
            ),
        ];
        for (maker, stake, title, a, b, category) in pending {
            self.create(maker, stake, 9 * DAY, [title, a, b, category]).await?;
        }
        let texts = ["Will the underdog win the cup final?", "The underdog", "The favourite", "Sports"];
        self.create_by(2, (40, Some(150)), 9 * DAY, texts, "Mutual Agreement", false).await?;
        let texts = ["Who pays for lunch on Friday?", "Ada pays", "Ben pays", "Other"];
        self.create_by(0, (10, None), 9 * DAY, texts, "Mutual Agreement", true).await?;
        let texts = ["Will the marathon record fall on Sunday?", "It falls", "It stands", "Sports"];
        let live = self.create_by(2, (80, Some(20)), 9 * DAY, texts, "Mutual Agreement", false).await?;
        self.accept(3, live).await?;
        let texts = ["Will the rate be cut at the next meeting?", "Cut", "No cut", "Finance"];
        let proposed = self.create(1, 90, DAY, texts).await?;
        self.accept(0, proposed).await?;
        let texts = ["Did the challenger win the debate?", "Challenger", "Incumbent", "Politics"];
        let disputed = self.create(3, 70, DAY, texts).await?;
        self.accept(1, disputed).await?;
        self.days_ago(1);
        self.app.sweep().await.map_err(failed)?;
        self.propose(1, proposed, Outcome::B).await?;
        self.propose(3, disputed, Outcome::A).await?;
        self.answer(1, disputed, Answer::Reject).await?;
        self.write(2, live, "The course is fast this year: https://example.com/course", None).await?;
        self.write(3, live, "And the weather is warm.", None).await?;
        self.write(0, live, "I would not bet against the record.", None).await?;
        self.write(1, disputed, "How did you get to that outcome?", None).await?;
        self.days_ago(0);
        let reason = "The polls after the debate say otherwise.".to_owned();
        self.app.dispute_bet(self.actors[1], disputed, reason).await.map_err(failed)?;
        let polls = "Four polls after the debate. The challenger (left bars) fell from poll to poll.";
        self.write(1, disputed, "These are the polls.", Some((POLLS, polls))).await?;
        self.write(3, disputed, "The jury of the debate decides, not the polls.", None).await?;
        self.app.heartbeat().await.map_err(failed)
    }
}
