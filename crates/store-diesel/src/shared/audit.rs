use bolts_ports::{Audit, Check, Result};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use super::audit_rules::{RULES, Rule};
use super::{Conn, Handle, snapshot};
use crate::failure::failure;

/// How many violations of one rule are named; past them it is enough to know that there are more.
const NAMED: usize = 100;

impl Audit for Handle {
    fn audit(&self) -> Result<Vec<Check>> {
        let mut conn = self.reader()?;
        // One transaction, so that all rules look at the same moment.
        snapshot(&mut conn, |conn| RULES.iter().map(|rule| check(conn, rule)).collect()).map_err(failure)
    }
}

fn check(conn: &mut Conn, rule: &Rule) -> QueryResult<Check> {
    let counted: Count = diesel::sql_query(rule.count).get_result(conn)?;
    let sql = format!("SELECT violation FROM ({}) AS found LIMIT {}", rule.violations, NAMED + 1);
    let found: Vec<Violation> = diesel::sql_query(sql).load(conn)?;
    let mut violations: Vec<String> = found.into_iter().map(|row| row.violation).collect();
    if violations.len() > NAMED {
        violations.truncate(NAMED);
        violations.push(format!("and more than these {NAMED}"));
    }
    Ok(Check { name: rule.name, counted: u64::try_from(counted.counted).unwrap_or(0), violations })
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    counted: i64,
}

#[derive(QueryableByName)]
struct Violation {
    #[diesel(sql_type = Text)]
    violation: String,
}
