//! Two users who bet with each other, and an admin who gives them Bolts. Nobody else moves their Bolts, so their journal
//! says their balances and the status of each bet.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use serde_json::{Value, json};

use super::Site;
use super::journal::{Outcome, Sent, Tally, is_replayed};
use crate::harness::{Client, new_bet};

/// The status of a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Pending,
    Accepted,
    /// With the proposed outcome.
    Proposed(String),
    /// With the winning option. `None` if both got their stakes back.
    Ended(Option<String>),
}

impl Stage {
    fn of(bet: &Value) -> Self {
        let text = |name: &str| bet[name].as_str().map(str::to_owned);
        match bet["status"].as_str() {
            Some("pending") => Self::Pending,
            Some("accepted") => Self::Accepted,
            Some("awaiting_resolution") => Self::Proposed(text("proposedWinningOption").expect("a proposal")),
            Some("resolved" | "cancelled") => Self::Ended(text("winningOption")),
            _ => panic!("{bet}"),
        }
    }
}

/// A bet: the maker's stake and its status. The taker stakes [`against`] it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bet {
    stake: i64,
    stage: Stage,
}

/// The taker's stake against this stake. It differs, so that no stake can stand for the other one.
const fn against(stake: i64) -> i64 {
    2 * stake + 1
}

/// The balances of the maker and the taker, and their bets by title. A deleted bet is not on the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    maker: i64,
    taker: i64,
    bets: BTreeMap<String, Bet>,
}

/// A request, by its effect.
#[derive(Clone, Debug)]
enum Wish {
    Give(i64),
    Create(String, i64),
    Delete(String),
    Accept(String),
    Propose(String, String),
    Agree(String),
}

impl Wish {
    /// The state after this request.
    fn apply(&self, before: &State) -> State {
        let mut state = before.clone();
        match self {
            Self::Give(amount) => state.maker += amount,
            Self::Create(title, stake) => {
                state.maker -= stake;
                state.bets.insert(title.clone(), Bet { stake: *stake, stage: Stage::Pending });
            }
            Self::Delete(title) => state.maker += state.bets.remove(title).expect("a bet").stake,
            Self::Accept(title) => state.taker -= against(state.move_on(title, Stage::Accepted)),
            Self::Propose(title, outcome) => drop(state.move_on(title, Stage::Proposed(outcome.clone()))),
            Self::Agree(title) => state.agree(title),
        }
        state
    }
}

impl State {
    /// Changes the status of a bet. Returns the maker's stake.
    fn move_on(&mut self, title: &str, stage: Stage) -> i64 {
        let bet = self.bets.get_mut(title).expect("a bet");
        bet.stage = stage;
        bet.stake
    }

    fn agree(&mut self, title: &str) {
        let Stage::Proposed(outcome) = self.bets[title].stage.clone() else { panic!("no proposal: {title}") };
        let winner = Some(outcome).filter(|outcome| outcome != "void");
        let stake = self.move_on(title, Stage::Ended(winner.clone()));
        // The maker has chosen option A.
        match winner.as_deref() {
            Some("A") => self.maker += stake + against(stake),
            Some(_) => self.taker += stake + against(stake),
            None => {
                self.maker += stake;
                self.taker += against(stake);
            }
        }
    }
}

pub(super) struct Bettors {
    name: String,
    maker: Client,
    taker: Client,
    root: Client,
    random: Rng,
    state: State,
    /// The ids of the bets, by title.
    ids: BTreeMap<String, String>,
    /// The bet that goes on. Each of the others has ended or is left as it is.
    current: Option<String>,
    requests: u64,
    /// The request without an answer.
    open: Option<(Wish, Sent)>,
}

impl Bettors {
    pub(super) fn new(site: &Site, root: &Client, number: u64, random: Rng) -> Self {
        let [maker, taker] = ["maker", "taker"].map(|name| site.server.user(&format!("{name}{number}")));
        let state = State { maker: maker.bolts(), taker: taker.bolts(), bets: BTreeMap::new() };
        Self {
            name: format!("maker{number}@example.com"),
            root: site.moved(root),
            maker,
            taker,
            random,
            state,
            ids: BTreeMap::new(),
            current: None,
            requests: 0,
            open: None,
        }
    }

    pub(super) fn move_to(&mut self, site: &Site) {
        for client in [&mut self.maker, &mut self.taker, &mut self.root] {
            *client = site.moved(client);
        }
    }

    /// Sends requests until told to stop, or until one has no answer.
    pub(super) fn load(&mut self, stop: &AtomicBool, tally: &Tally) {
        while !stop.load(Ordering::Relaxed) {
            let wish = self.wish();
            let sent = self.request(&wish);
            match sent.send(self.client(&wish), tally) {
                Outcome::Confirmed(answer) => self.confirmed(&wish, &answer.json()),
                Outcome::Refused(answer) => panic!("{}: {wish:?}: {answer:?}", self.name),
                Outcome::Unknown => {
                    self.open = Some((wish, sent));
                    return;
                }
            }
        }
    }

    /// The next request. Some bets are left as they are, so that there are bets in every status.
    fn wish(&mut self) -> Wish {
        let leaves = self.random.u8(..10) == 0;
        let current = self.current.take().filter(|title| {
            !leaves && self.state.bets.get(title).is_some_and(|bet| !matches!(bet.stage, Stage::Ended(_)))
        });
        let Some(title) = current else { return self.first_wish() };
        let wish = match self.state.bets[&title].stage {
            Stage::Pending if self.random.u8(..5) == 0 => Wish::Delete(title.clone()),
            Stage::Pending => Wish::Accept(title.clone()),
            Stage::Accepted => {
                Wish::Propose(title.clone(), self.random.choice(["A", "B", "void"]).expect("one").to_owned())
            }
            Stage::Proposed(_) | Stage::Ended(_) => Wish::Agree(title.clone()),
        };
        self.current = Some(title);
        wish
    }

    fn first_wish(&mut self) -> Wish {
        const STAKES: i64 = 5;
        if self.state.maker < STAKES || self.random.u8(..10) == 0 {
            return Wish::Give(self.random.i64(10..100));
        }
        let stake = self.random.i64(1..=STAKES);
        let title = format!("Bet {} of {}", self.requests, self.name);
        self.current = (self.state.taker >= against(stake)).then(|| title.clone());
        Wish::Create(title, stake)
    }

    /// The client that sends this request.
    fn client(&self, wish: &Wish) -> &Client {
        match wish {
            Wish::Give(_) => &self.root,
            Wish::Create(..) | Wish::Delete(_) | Wish::Propose(..) => &self.maker,
            Wish::Accept(_) | Wish::Agree(_) => &self.taker,
        }
    }

    fn request(&mut self, wish: &Wish) -> Sent {
        self.requests += 1;
        let bet = |title: &str| format!("/api/bets/{}", self.ids[title]);
        let (method, path, body) = match wish {
            Wish::Give(amount) => {
                let body = json!({"userEmail": self.name, "amount": amount});
                ("POST", "/api/admin/deposit-bolts".to_owned(), body)
            }
            Wish::Create(title, stake) => {
                let stakes = json!({"title": title, "stakeAmount": stake, "opponentStake": against(*stake)});
                ("POST", "/api/bets".to_owned(), new_bet(stakes))
            }
            Wish::Delete(title) => ("DELETE", bet(title), json!({})),
            Wish::Accept(title) => {
                let body = json!({"betId": self.ids[title], "chosenOption": "B"});
                ("POST", "/api/bets/accept".to_owned(), body)
            }
            Wish::Propose(title, outcome) => {
                ("POST", format!("{}/propose-resolution", bet(title)), json!({"winningOption": outcome}))
            }
            Wish::Agree(title) => {
                ("POST", format!("{}/respond-resolution", bet(title)), json!({"accept": true}))
            }
        };
        Sent { method, path, key: format!("{} {}", self.name, self.requests), body: body.to_string() }
    }

    fn confirmed(&mut self, wish: &Wish, answer: &Value) {
        if let Wish::Create(title, _) = wish {
            self.ids.insert(title.clone(), answer["id"].as_str().expect("an id").to_owned());
        }
        self.state = wish.apply(&self.state);
    }

    /// The balances and all bets of the two, as the server says.
    fn observe(&mut self) -> State {
        let mut bets = BTreeMap::new();
        let mut path = "/api/bets/my?limit=100".to_owned();
        loop {
            let page = self.maker.get(&path);
            for bet in page.ok(200).as_array().expect("a list") {
                let title = bet["title"].as_str().expect("a title").to_owned();
                let stake = bet["stakeAmount"].as_i64().expect("a stake");
                assert_eq!(bet["opponentStake"].as_i64(), Some(against(stake)), "{bet}");
                let twin = bets.insert(title.clone(), Bet { stake, stage: Stage::of(bet) });
                assert_eq!(twin, None, "{title} was created twice");
            }
            let Some(link) = page.headers.get("link") else { break };
            let link = link.to_str().expect("text").trim_start_matches('<');
            path = link.split('>').next().expect("an address").to_owned();
        }
        State { maker: self.maker.bolts(), taker: self.taker.bolts(), bets }
    }

    /// Compares the state with the journal. Finds out if the request without an answer has happened, and repeats it.
    pub(super) fn settle(&mut self, tally: &Tally) {
        let observed = self.observe();
        if let Some((wish, sent)) = self.open.take() {
            let after = wish.apply(&self.state);
            let happened = observed == after;
            assert!(happened || observed == self.state, "{wish:?} happened in part: {observed:?} {after:?}");
            tally.settled(happened);
            self.repeat(&wish, &sent, happened, tally);
            assert_eq!(self.observe(), self.state, "after the repeat of {wish:?}");
        } else {
            assert_eq!(observed, self.state, "{}", self.name);
        }
    }

    fn repeat(&mut self, wish: &Wish, sent: &Sent, happened: bool, tally: &Tally) {
        match sent.send(self.client(wish), tally) {
            Outcome::Confirmed(answer) => {
                assert_eq!(is_replayed(&answer), happened, "{wish:?}: {answer:?}");
                self.confirmed(wish, &answer.json());
            }
            // A deletion takes no Idempotency-Key.
            Outcome::Refused(answer) if happened && matches!(wish, Wish::Delete(_)) => {
                answer.problem(404, "bet_not_found");
                self.state = wish.apply(&self.state);
            }
            Outcome::Refused(answer) => panic!("{wish:?}: {answer:?}"),
            Outcome::Unknown => panic!("no answer to the repeat of {wish:?}"),
        }
    }
}
