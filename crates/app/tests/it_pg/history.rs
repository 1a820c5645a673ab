//! The history of two server processes on one database. Each account counts its versions, one for each transfer. The
//! versions put all transfers into one order, and a model replays them in this order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::harness::{Client, Server, id, number};

/// The users, and the number of bets that each of them tries to make or to accept (`BOLTS_HISTORY` names another).
const USERS: usize = 12;
const STEPS: u64 = 30;

/// Writes a row for each of the two accounts of each transfer of a statement: its next version, and its balance. The trigger runs
/// after the trigger that moves the balances, by its name, and the transfers have locked their accounts. An account has the balance
/// after the last transfer of the statement. The balance after an earlier one lacks the later changes.
const WATCH: &str = "
    CREATE TABLE account_versions (account BIGINT, version BIGINT, transfer BIGINT, balance BIGINT,
        PRIMARY KEY (account, version));
    CREATE FUNCTION watch_versions() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO account_versions
            SELECT sides.account,
                (SELECT count(*) FROM account_versions known WHERE known.account = sides.account) + row_number() OVER earlier,
                transfer, balance - COALESCE(SUM(change) OVER later, 0)
            FROM (
                SELECT id AS transfer, from_account AS account, -amount AS change FROM added
                UNION ALL SELECT id, to_account, amount FROM added
            ) AS sides JOIN accounts ON accounts.id = sides.account
            WINDOW earlier AS (PARTITION BY sides.account ORDER BY transfer),
                later AS (PARTITION BY sides.account ORDER BY transfer ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING);
        RETURN NULL;
    END
    $$;
    CREATE TRIGGER transfers_versions AFTER INSERT ON transfers REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION watch_versions();";

const READ: &str = "
    SELECT json_agg(row_to_json(row)) FROM (
        SELECT transfers.id, key, operation_id, from_account, to_account, amount, transfers.kind, bet_id,
            source.version AS from_version, source.balance AS from_balance, source_account.kind AS from_kind,
            target.version AS to_version, target.balance AS to_balance, target_account.owner AS to_owner
        FROM transfers
        JOIN account_versions source ON source.account = from_account AND source.transfer = transfers.id
        JOIN account_versions target ON target.account = to_account AND target.transfer = transfers.id
        JOIN accounts source_account ON source_account.id = from_account
        JOIN accounts target_account ON target_account.id = to_account
        ORDER BY transfers.id
    ) row";

/// A confirmed request that moves money: the transfer that it must have made, and when it was under way.
struct Confirmed {
    key: String,
    asked: Instant,
    answered: Instant,
}

/// A transfer with the versions that it made of its two accounts.
#[derive(Clone, Debug)]
struct Moved {
    key: String,
    operation: String,
    kind: String,
    bet: Option<String>,
    amount: i64,
    from: Version,
    to: Version,
    is_issued: bool,
    to_owner: String,
}

#[derive(Clone, Copy, Debug)]
struct Version {
    account: i64,
    number: i64,
    balance: i64,
}

impl Moved {
    fn read(row: &Value) -> Self {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| row[name].as_i64().unwrap_or_else(|| panic!("{name} in {row}"));
        let version = |side: &str| Version {
            account: number(&format!("{side}_account")),
            number: number(&format!("{side}_version")),
            balance: number(&format!("{side}_balance")),
        };
        Self {
            key: text("key"),
            operation: text("operation_id"),
            kind: text("kind"),
            bet: row["bet_id"].as_str().map(str::to_owned),
            amount: number("amount"),
            from: version("from"),
            to: version("to"),
            is_issued: text("from_kind") == "issuance",
            to_owner: text("to_owner"),
        }
    }
}

/// The users at their processes, and the bets that can be accepted.
struct Scene {
    users: Vec<(Client, String)>,
    open: Mutex<Vec<(usize, Value)>>,
    confirmed: Mutex<Vec<Confirmed>>,
}

impl Scene {
    fn note(&self, key: String, asked: Instant) {
        let answered = Instant::now();
        self.confirmed.lock().expect("no panic").push(Confirmed { key, asked, answered });
    }

    fn create(&self, me: usize, random: &mut Rng) {
        let (client, user) = &self.users[me];
        let asked = Instant::now();
        let body = crate::harness::new_bet(json!({
            "stakeAmount": random.i64(1..60), "opponentStake": random.i64(1..60)}));
        let answer = client.post("/api/bets", body);
        if answer.status == 409 {
            answer.problem(409, "insufficient_balance");
            return;
        }
        let bet = answer.ok(201);
        self.note(format!("stake:{}:{user}", id(&bet)), asked);
        self.open.lock().expect("no panic").push((me, bet));
    }

    /// Tries to accept or to delete a bet that others try to accept at the same time, and settles it if it is won.
    fn take(&self, me: usize, random: &mut Rng) {
        let picked = random.choice(self.open.lock().expect("no panic").iter()).cloned();
        let Some((creator, bet)) = picked else { return self.create(me, random) };
        let (client, user) = &self.users[me];
        let asked = Instant::now();
        if creator == me {
            let answer = client.delete(&format!("/api/bets/{}", id(&bet)));
            assert!([200, 404, 409].contains(&answer.status), "{answer:?}");
            if answer.status == 200 {
                self.note(format!("empty:{}:0", id(&bet)), asked);
            }
            return;
        }
        let answer = client.accept(&bet);
        if answer.status != 200 {
            assert!([404, 409].contains(&answer.status), "{answer:?}");
            return;
        }
        self.note(format!("stake:{}:{user}", id(&bet)), asked);
        self.open.lock().expect("no panic").retain(|(_, open)| open["id"] != bet["id"]);
        let outcome = *random.choice(&["A", "B", "void"]).expect("one");
        self.users[creator].0.act(&bet, "propose-resolution", json!({"winningOption": outcome})).ok(200);
        let asked = Instant::now();
        client.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
        self.note(format!("empty:{}:0", id(&bet)), asked);
    }
}

/// Asserts that the versions of each account follow one another without a gap, and that each balance follows from the
/// one before. Returns the versions of each account: the places of their transfers.
fn versions(moved: &[Moved]) -> BTreeMap<i64, BTreeMap<i64, usize>> {
    let mut accounts: BTreeMap<i64, BTreeMap<i64, (usize, i64, i64)>> = BTreeMap::new();
    for (place, one) in moved.iter().enumerate() {
        for (version, change) in [(one.from, -one.amount), (one.to, one.amount)] {
            let of = accounts.entry(version.account).or_default();
            let twin = of.insert(version.number, (place, change, version.balance));
            assert!(twin.is_none(), "two transfers made version {version:?}");
        }
    }
    for (account, versions) in &accounts {
        let mut before = 0;
        for (expected, (number, (_, change, balance))) in (1..).zip(versions) {
            assert_eq!((*number, *balance), (expected, before + change), "account {account}");
            before = *balance;
        }
    }
    let places = |versions: BTreeMap<i64, (usize, i64, i64)>| {
        versions.into_iter().map(|(number, (place, ..))| (number, place)).collect()
    };
    accounts.into_iter().map(|(account, versions)| (account, places(versions))).collect()
}

/// One order of all transfers that agrees with the versions of every account. Fails if there is none. Then two jobs
/// would each have seen only a part of the other.
fn in_order(moved: &[Moved], accounts: &BTreeMap<i64, BTreeMap<i64, usize>>) -> Vec<usize> {
    // The transfers of one operation are one step.
    let mut steps: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, one) in moved.iter().enumerate() {
        steps.entry(&one.operation).or_default().push(place);
    }
    let mut after: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for versions in accounts.values() {
        let places: Vec<usize> = versions.values().copied().collect();
        for pair in places.windows(2) {
            let (before, next) = (moved[pair[0]].operation.as_str(), moved[pair[1]].operation.as_str());
            if before != next {
                after.entry(next).or_default().insert(before);
            }
        }
    }
    let (mut done, mut order) = (BTreeSet::new(), Vec::new());
    while done.len() < steps.len() {
        let is_ready = |step: &&str| {
            !done.contains(*step)
                && after.get(*step).is_none_or(|before| before.iter().all(|one| done.contains(one)))
        };
        let ready: Vec<&str> = steps.keys().filter(|step| is_ready(step)).copied().collect();
        assert!(
            !ready.is_empty(),
            "no order agrees with all versions: {} steps are left",
            steps.len() - done.len()
        );
        for step in ready {
            done.insert(step);
            order.extend(&steps[step]);
        }
    }
    order
}

/// A bet in the model: the stakes in its escrow, and whether it has ended.
#[derive(Default)]
struct Escrow {
    stakes: Vec<i64>,
    held: i64,
    refunds: usize,
    has_ended: bool,
}

/// Replays the transfers in this order in a model with the rules of the ledger.
fn replay(moved: &[Moved], order: &[usize]) {
    let (mut balances, mut bets) = (BTreeMap::<i64, i64>::new(), BTreeMap::<&str, Escrow>::new());
    for place in order {
        let one = &moved[*place];
        for (version, change) in [(one.from, -one.amount), (one.to, one.amount)] {
            let balance = balances.entry(version.account).or_default();
            *balance += change;
            let may_be_negative = one.is_issued && version.account == one.from.account;
            assert!(*balance >= 0 || may_be_negative, "below 0: {one:?}");
        }
        let Some(bet) = &one.bet else { continue };
        let escrow = bets.entry(bet).or_default();
        match one.kind.as_str() {
            "stake" => {
                assert!(
                    !escrow.has_ended && escrow.stakes.len() < 2,
                    "a stake on a bet that is full or over: {one:?}"
                );
                escrow.stakes.push(one.amount);
                escrow.held += one.amount;
            }
            "payout" | "refund" => {
                let is_first = one.key.ends_with(":0");
                assert!(is_first != escrow.has_ended, "an escrow is emptied twice: {one:?}");
                // A refund gives each stake back once. The stakes are in the order of their owners.
                let whole = if one.kind == "payout" { escrow.held } else { escrow.stakes[escrow.refunds] };
                assert_eq!(one.amount, whole, "{one:?}");
                escrow.refunds += usize::from(one.kind == "refund");
                assert!(
                    one.kind == "refund" || escrow.stakes.len() == 2,
                    "a payout without an opponent: {one:?}"
                );
                escrow.has_ended = true;
                escrow.held -= one.amount;
            }
            other => panic!("{other}: {one:?}"),
        }
        assert!(escrow.held >= 0, "{one:?}");
    }
    for (bet, escrow) in bets {
        assert!(!escrow.has_ended || escrow.held == 0, "the escrow of {bet} is not empty");
    }
}

/// Asserts that each confirmed request made its transfer, that no transfer is without a request, and that a request that
/// was answered before another one began comes before it in the versions of every account that both changed.
fn compare(moved: &[Moved], confirmed: &[Confirmed]) -> usize {
    let by_key: BTreeMap<&str, &Moved> = moved.iter().map(|one| (one.key.as_str(), one)).collect();
    let keys: BTreeSet<&str> = confirmed.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys.len(), confirmed.len(), "one transfer was confirmed to two requests");
    // The second refund of a void bet belongs to the request of the first.
    let made = moved.iter().filter(|one| !one.is_issued && !one.key.ends_with(":1"));
    let made: BTreeSet<&str> = made.map(|one| one.key.as_str()).collect();
    assert_eq!(made, keys, "the transfers are those of the confirmed requests");
    let changed = |one: &Confirmed| {
        let moved = by_key[one.key.as_str()];
        [moved.from, moved.to]
    };
    let mut compared = 0;
    for (place, one) in confirmed.iter().enumerate() {
        for other in &confirmed[place + 1..] {
            let (first, second) = if one.answered < other.asked {
                (one, other)
            } else if other.answered < one.asked {
                (other, one)
            } else {
                continue;
            };
            for earlier in changed(first) {
                for later in changed(second).iter().filter(|later| later.account == earlier.account) {
                    assert!(
                        earlier.number < later.number,
                        "{} was answered before {} began",
                        first.key,
                        second.key
                    );
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn the_history_of_two_processes_is_one_order_that_a_model_replays() {
    let one = Server::start();
    one.database.execute(WATCH);
    let other = Server::on(one.database.clone(), vec![]);
    let users = (0..USERS).map(|number| {
        let server = if number % 2 == 0 { &one } else { &other };
        let client = server.user(&format!("user{number}"));
        let id = client.get("/api/auth/user").ok(200)["id"].as_str().expect("an id").to_owned();
        (client, id)
    });
    let scene = Scene { users: users.collect(), open: Mutex::default(), confirmed: Mutex::default() };
    let steps = number("BOLTS_HISTORY").unwrap_or(STEPS);
    thread::scope(|scope| {
        for me in 0..USERS {
            let scene = &scene;
            scope.spawn(move || {
                let mut random = Rng::with_seed(me as u64);
                for _ in 0..steps {
                    if random.u8(..5) < 2 {
                        scene.create(me, &mut random)
                    } else {
                        scene.take(me, &mut random)
                    }
                }
            });
        }
    });
    let rows: Value = serde_json::from_str(&one.database.query(READ)).expect("JSON");
    let moved: Vec<Moved> = rows.as_array().expect("transfers").iter().map(Moved::read).collect();
    assert_eq!(
        i64::try_from(moved.len()).expect("a number"),
        one.database.query("SELECT count(*) FROM transfers").parse::<i64>().expect("a number")
    );
    let accounts = versions(&moved);
    let order = in_order(&moved, &accounts);
    replay(&moved, &order);
    let compared = compare(&moved, &scene.confirmed.into_inner().expect("no panic"));
    assert!(compared > 0 && moved.iter().any(|one| one.kind == "payout" && !one.to_owner.is_empty()));
    println!(
        "{} transfers on {} accounts in one order; {compared} pairs in the order of their answers",
        moved.len(),
        accounts.len()
    );
    other.assert_audit_clean();
}
