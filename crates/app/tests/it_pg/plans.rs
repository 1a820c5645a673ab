use std::time::Duration;

use bolts_bets::{Outcome, Side};
use bolts_kernel::Currency;
use bolts_ports::Audit;
use bolts_resolution::Answer;
use bolts_store_diesel::{PostgresOptions, PostgresStore};
use bolts_usecases::Reply;
use bolts_usecases::bets::{Accept, AcceptKey};
use futures_executor::block_on;
use futures_util::future::join_all;
use serde_json::Value;

use crate::recorder;
use crate::stage::{Session, Stage, actor};
use crate::statements::played;

const HOUR: Duration = Duration::from_secs(3_600);

/// Parts of the statements that read rows for several jobs.
const AHEAD: [&str; 3] =
    ["AS wanted (bet, staker, place)", "AS wanted (bet, place)", "AS wanted (id, results, place)"];

/// Pairs of users play a whole bet each, all at the same time. So the writers run batches.
fn play_together(stage: &Stage) {
    let users = |name: &str| -> Vec<Session> {
        (0..24).map(|number| stage.user(&format!("{name}{number}"))).collect()
    };
    let (makers, takers) = (users("maker"), users("taker"));
    let created = makers.iter().map(|maker| {
        let create = stage.terms((10, "bolts"), HOUR);
        async move {
            match stage.app.create_bet(actor(maker), create, None).await.expect("created") {
                Reply::Done(view) => view.bet.id,
                Reply::Replayed(answer) => panic!("repeated: {answer}"),
            }
        }
    });
    let bets = block_on(join_all(created));
    let accept = |bet| Accept { key: AcceptKey::Id(bet, None), option: Side::B };
    let of = |users: &'_ [Session]| users.iter().map(actor).zip(bets.clone()).collect::<Vec<_>>();
    let accepted = of(&takers).into_iter().map(|(taker, bet)| stage.app.accept_bet(taker, accept(bet), None));
    assert!(block_on(join_all(accepted)).iter().all(Result::is_ok));
    let ended = of(&makers).into_iter().map(|(maker, bet)| stage.app.end_bet_early(maker, bet));
    assert!(block_on(join_all(ended)).iter().all(Result::is_ok));
    let proposed =
        of(&makers).into_iter().map(|(maker, bet)| stage.app.propose_outcome(maker, bet, Outcome::A, None));
    assert!(block_on(join_all(proposed)).iter().all(Result::is_ok));
    let settled = of(&takers)
        .into_iter()
        .map(|(taker, bet)| stage.app.respond_to_proposal(taker, bet, Answer::Accept, None, None));
    assert!(block_on(join_all(settled)).iter().all(Result::is_ok));
    let bolts = |session: &Session| {
        stage.queries().user(session.user.id).expect("read").expect("there").balances[Currency::Bolts].get()
    };
    assert!(
        makers.iter().all(|maker| bolts(maker) == 1_010) && takers.iter().all(|taker| bolts(taker) == 990)
    );
}

#[test]
fn no_plan_needs_statistics_of_the_size_of_the_table() {
    recorder::start();
    play_together(&Stage::new());
    let (stage, texts) = played();
    assert!(AHEAD.iter().all(|part| texts.iter().any(|text| text.contains(part))), "{texts:#?}");
    stage.database.execute("ANALYZE");
    stage.database.fill();
    stage.database.check_plans(&texts);
    stage.database.execute("ANALYZE");
    stage.database.check_plans(&texts);
}

/// Otherwise the audit of a site with one busy user takes hours.
#[test]
fn the_audit_reads_a_few_rows_for_each_bet_of_a_busy_user() {
    const BETS: usize = 150;
    recorder::start();
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    for _ in 0..BETS {
        stage.clock.advance(HOUR);
        let bet = stage.create(&ann, (1, "bolts"), HOUR).expect("created");
        stage.accept(&bob, bet).expect("accepted");
        block_on(stage.app.end_bet_early(actor(&ann), bet)).expect("ended");
        stage.propose(&ann, bet, Outcome::B);
        let answer = stage.app.respond_to_proposal(actor(&bob), bet, Answer::Accept, None, None);
        block_on(answer).expect("settled");
    }
    let store = PostgresStore::open_read_only(&stage.database.url(), PostgresOptions::default());
    assert!(
        store.expect("a database").audit().expect("read").iter().all(|check| check.violations.is_empty())
    );
    let rules: Vec<String> =
        recorder::texts().into_iter().filter(|text| text.starts_with("SELECT violation")).collect();
    assert!(rules.len() > 20, "{rules:#?}");

    // With statistics of many small accounts, PostgreSQL expects few transfers of any account.
    for (few, many) in [("from_account", "to_account"), ("to_account", "from_account")] {
        stage.database.execute(&format!(
            "ALTER TABLE transfers ALTER {few} SET (n_distinct = 3), ALTER {many} SET (n_distinct = -1); ANALYZE"
        ));
        for rule in &rules {
            let explain = format!(
                "SET enable_seqscan = off; SET jit = off; EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {rule}"
            );
            let plan = stage.database.query(&explain);
            let rows = rows_read(&serde_json::from_str::<Value>(&plan).expect("a plan")[0]["Plan"]);
            assert!(rows < 60.0 * BETS as f64, "{rows} rows:\n{rule}\n{plan}");
        }
    }
}

/// The number of rows that the nodes of this plan read.
fn rows_read(node: &Value) -> f64 {
    let number = |name: &str| node[name].as_f64().unwrap_or(0.0);
    let each = number("Actual Rows")
        + number("Rows Removed by Filter")
        + number("Rows Removed by Join Filter")
        + number("Rows Removed by Index Recheck");
    each * number("Actual Loops") + node["Plans"].as_array().into_iter().flatten().map(rows_read).sum::<f64>()
}
