//! The operator's commands and start-up errors that differ on PostgreSQL.

use std::process::Output;

use bolts_testkit::{free_port, postgres};

use crate::harness::{Server, binary};
use crate::operator::one_line_of_error;

fn on(url: &str, command: &[&str]) -> Output {
    binary().args(command).args(["--database-url", url]).output().expect("it runs")
}

#[test]
fn a_server_that_cannot_be_used_is_one_line_and_exit_status_2() {
    let nobody = format!("postgres://bolts:hush@127.0.0.1:{}/bolts", free_port());
    let serve = ["serve", "--bind", "127.0.0.1:0", "--database-wait", "0s"];
    one_line_of_error(&on(&nobody, &serve), 2, "127.0.0.1");
    one_line_of_error(&on("postgres://bolts:hush/hush@db/bolts", &serve), 2, "percent-encode");
    let database = postgres::Database::new();
    for command in [&["audit"][..], &["withdrawals", "pause"]] {
        one_line_of_error(&on(database.url(), command), 2, "run `bolts migrate`");
    }
    let created = database.psql("CREATE TABLE __diesel_schema_migrations (version TEXT PRIMARY KEY)");
    let filled = database.psql("INSERT INTO __diesel_schema_migrations VALUES ('29990101000000')");
    assert!(created.is_empty() && filled.is_empty());
    one_line_of_error(&on(database.url(), &serve), 2, "newer than this program");
}

#[test]
fn the_doctor_looks_at_the_settings_of_the_server() {
    let cluster = postgres::Cluster::start_with(&[("fsync", "off")], |_| ());
    let url = cluster.database("doctor");
    let migrated = on(&url, &["migrate"]);
    assert!(migrated.status.success(), "{migrated:?}");
    let looked = on(&url, &["doctor"]);
    let said = String::from_utf8_lossy(&looked.stdout);
    assert_eq!(looked.status.code(), Some(1), "{said}");
    for part in ["current schema", "fsync is off", "is a superuser", "ok        clock"] {
        assert!(said.contains(part), "{part:?} in {said}");
    }
    assert!(!said.contains("full_page_writes"), "{said}");
}

#[test]
fn backup_refers_to_the_program_of_postgresql() {
    let server = Server::start();
    one_line_of_error(&server.command(&["backup", "/nowhere/copy"]), 2, "pg_dump");
}
