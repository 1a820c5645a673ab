//! The examples of alert rules and of a dashboard use metrics that the server has.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bolts_testkit::free_port;

use crate::harness::{Client, Server, eventually};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of metrics in a text. The parts of a histogram count as the histogram.
fn names(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words = text.split(|letter| !is_part(letter)).filter(|word| word.starts_with("bolts_"));
    let whole = |word: &str| {
        let histogram = ["_bucket", "_sum", "_count"].iter().find_map(|end| word.strip_suffix(end));
        histogram.unwrap_or(word).to_owned()
    };
    words.map(whole).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names in the table of metrics in the document for operators.
fn documented() -> BTreeSet<String> {
    let text = read("docs/operations.md");
    let rows = text.lines().filter(|line| line.starts_with("| `bolts_"));
    rows.flat_map(|row| names(row.split(" | ").next().unwrap_or_default())).collect()
}

/// The names in the calls that record metrics.
fn recorded() -> BTreeSet<String> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![root().join("crates")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() && !entry.ends_with("tests") {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&entry).expect("a source file");
                for kind in ["counter!(", "gauge!(", "histogram!("] {
                    let calls = text.split(kind).skip(1).map(|rest| rest.trim_start());
                    let literals = calls.filter_map(|rest| rest.strip_prefix('"')?.split('"').next());
                    found.extend(literals.filter(|name| name.starts_with("bolts_")).map(str::to_owned));
                }
            }
        }
    }
    found
}

/// The workers that the alerts name, in expressions such as `worker=~"a|b"`.
fn workers(alerts: &str) -> Vec<&str> {
    let lists = alerts.split("worker=~\"").skip(1).filter_map(|rest| rest.split('"').next());
    lists.flat_map(|names| names.split('|')).collect()
}

#[test]
fn the_examples_and_the_document_name_the_metrics_of_the_program() {
    let (documented, recorded) = (documented(), recorded());
    assert!(recorded.len() > 25, "{recorded:?}");
    assert_eq!(documented, recorded, "the table in docs/operations.md#metrics");
    for file in ["docs/monitoring/alerts.yml", "docs/monitoring/grafana.json"] {
        let used = names(&read(file));
        assert!(used.len() > 10, "{file}: {used:?}");
        let unknown: Vec<&String> = used.difference(&recorded).collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
    }
    let dashboard: serde_json::Value =
        serde_json::from_str(&read("docs/monitoring/grafana.json")).expect("JSON");
    assert!(dashboard["panels"].as_array().is_some_and(|panels| panels.len() > 10));
}

/// An alert on the growth of a counter works only if the counter exists before its first event.
#[test]
fn a_new_server_exposes_every_metric_that_the_alerts_use() {
    let port = free_port();
    let server = Server::start_with(&["--metrics-bind", &format!("127.0.0.1:{port}")]);
    server.client().get("/api/bets/public").ok(200);
    let alerts = read("docs/monitoring/alerts.yml");
    let (wanted, workers) = (names(&alerts), workers(&alerts));
    let client = Client::new(&format!("http://127.0.0.1:{port}"));
    let text = eventually("every metric is exposed", Duration::from_secs(20), || {
        let text = client.get("/metrics").text;
        wanted.is_subset(&names(&text)).then_some(text)
    });
    let unknown: Vec<_> =
        workers.iter().filter(|worker| !text.contains(&format!("worker=\"{worker}\""))).collect();
    assert!(!workers.is_empty() && unknown.is_empty(), "{unknown:?} of {workers:?}");
}
