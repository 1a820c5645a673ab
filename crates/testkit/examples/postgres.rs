//! Creates a PostgreSQL database for tests that are not written in Rust. Prints the URL of the database. Keeps
//! the database until standard input is closed.

use std::io::{Read, Write, stdin, stdout};

use bolts_testkit::postgres::Database;

fn main() {
    let database = Database::new();
    writeln!(stdout(), "{}", database.url()).expect("somebody reads the address");
    let mut rest = Vec::new();
    stdin().read_to_end(&mut rest).expect("standard input can be waited on");
}
