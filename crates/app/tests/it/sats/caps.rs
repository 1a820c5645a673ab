//! The cap on all users' withdrawals: ten accounts of one user try to use up the cap.

use bolts_testkit::free_port;
use bolts_testkit::provider::Kind;
use serde_json::json;

use super::{Site, WHILE, sats, try_withdraw, until, withdraw};
use crate::harness::{Client, Server, eventually};

/// The cap in sats. Three quarters of it, 27,300 sats, are for withdrawals of any size. Of the last quarter each user
/// may withdraw up to 364 sats more than the user has deposited.
const CAP: i64 = 36_400;

const REFUSED: &str = "bolts_withdrawals_refused_by_total_cap_total";

/// Withdraws this number of sats and waits until the withdrawal is paid.
fn withdrawn(site: &Site, user: &Client, amount: u64) {
    let id = withdraw(user, &site.invoice(amount));
    until(user, &id, "paid");
}

/// Deposits this number of sats. The user's page polls until the deposit is credited.
fn deposit(site: &Site, user: &Client, amount: i64) {
    let made = site.deposit(user, amount);
    site.provider.receive(&made.hash, amount * 1_000);
    eventually("the deposit is credited", WHILE, || made.is_paid(user).then_some(()));
}

/// Settles a bet in which each side staked 4,000 sats. The winner gets the loser's 4,000 sats.
fn lose(loser: &Client, winner: &Client) {
    let bet = loser.bet_with(json!({
        "currencyType": "sats", "stakeAmount": 4_000, "resolutionMethod": "Manual Verification",
    }));
    winner.accept(&bet).ok(200);
    loser.act(&bet, "early-resolution", json!({})).ok(200);
    loser.act(&bet, "propose-resolution", json!({"winningOption": "B"})).ok(200);
}

fn refusals(metrics: &Client) -> u32 {
    let text = metrics.get("/metrics").text;
    let count = text.lines().find_map(|line| line.strip_prefix(REFUSED)?.trim().parse().ok());
    count.unwrap_or(0)
}

fn alarms(server: &Server) -> usize {
    server
        .log()
        .lines()
        .filter(|line| line.contains("ERROR") && line.contains("--withdrawal-cap-total"))
        .count()
}

#[test]
fn ten_accounts_that_cycle_sats_leave_the_cap_to_the_others() {
    let bind = format!("127.0.0.1:{}", free_port());
    let cap = CAP.to_string();
    let options = ["--metrics-bind", &bind, "--withdrawal-cap-user", "0", "--withdrawal-cap-total", &cap];
    let site = Site::start_with(Kind::Lnbits, &options);
    let metrics = Client::new(&format!("http://{bind}"));
    let ring: Vec<Client> = (0..10).map(|number| site.user(&format!("ring{number}"), 0)).collect();

    // Each account withdraws 9,900 of 10,000 deposited sats, three times. So 297,000 sats leave the site.
    std::thread::scope(|scope| {
        for account in &ring {
            let site = &site;
            scope.spawn(move || {
                for _ in 0..3 {
                    deposit(site, account, 10_000);
                    withdrawn(site, account, 9_900);
                }
            });
        }
    });
    assert_eq!((refusals(&metrics), alarms(&site.server)), (0, 0), "the cycles use up nothing of the cap");

    // Each account wins 4,000 sats and withdraws 3,900 more than it has deposited. Seven such withdrawals use up the
    // 27,300 sats.
    let loser = site.user("loser", 50_000);
    for account in &ring {
        deposit(&site, account, 4_000);
        lose(&loser, account);
    }
    let (fitting, refused) = ring.split_at(7);
    for account in fitting {
        withdrawn(&site, account, 8_200);
    }
    for account in refused {
        let problem =
            try_withdraw(account, &site.invoice(8_200).text).problem(409, "withdrawal_limit_reached");
        assert!(
            problem["detail"].as_str().is_some_and(|text| text.contains("reached their limit")),
            "{problem}"
        );
    }
    assert_eq!(refusals(&metrics), 3, "the operator's alarm");
    eventually("the log says so too", WHILE, || (alarms(&site.server) == 3).then_some(()));

    // Other users can still withdraw what they deposited today, and up to 364 sats more.
    let (honest, lucky) = (site.user("honest", 20_000), site.user("lucky", 4_100));
    withdrawn(&site, &honest, 19_700);
    lose(&loser, &lucky);
    try_withdraw(&lucky, &site.invoice(4_465).text).problem(409, "withdrawal_limit_reached");
    withdrawn(&site, &lucky, 4_464);
    try_withdraw(&lucky, &site.invoice(100).text).problem(409, "withdrawal_limit_reached");
    // Each of the three refused accounts can still withdraw 364 sats more than it has deposited, and no more.
    for account in refused {
        withdrawn(&site, account, 4_664);
        try_withdraw(account, &site.invoice(100).text).problem(409, "withdrawal_limit_reached");
    }
    assert_eq!(refusals(&metrics), 8);
    let rest: i64 = ring.iter().chain([&honest, &lucky, &loser]).map(sats).sum();
    let (came, left) = site.provider.books(|books| {
        let came: i64 = books.invoices.values().filter_map(|own| own.received).sum();
        (came / 1_000, books.sent() / 1_000)
    });
    assert_eq!(rest, came - left, "every sat is a user's, or was paid out");
    site.assert_sound();
}
