use bolts_ports::{Audit, Check, Result, Total};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::audit_rules::{RULES, Rule};
use super::failure::failure;
use super::rows::Cells;
use super::{Conn, Handle, snapshot};

/// The maximum number of violations that the audit lists for each rule.
const NAMED: usize = 100;

impl Audit for Handle {
    fn audit(&self) -> Result<Vec<Check>> {
        let mut conn = self.auditor()?;
        // All rules run in one transaction, so that they read the same state.
        snapshot(&mut conn, |conn| RULES.into_iter().flatten().map(|rule| check(conn, rule)).collect())
            .map_err(failure)
    }

    fn totals(&self) -> Result<Vec<Total>> {
        let rows = self.read(|conn| diesel::sql_query(TOTALS).load::<TotalRow>(conn))?;
        let total = |row: TotalRow| {
            let cells = Cells { table: "accounts", id: &row.kind };
            let currency = cells.parsed("currency", &row.currency)?;
            Ok(Total { currency, balance: row.balance, kind: row.kind })
        };
        rows.into_iter().map(total).collect()
    }
}

fn check(conn: &mut Conn, rule: &Rule) -> QueryResult<Check> {
    let counted: Count = diesel::sql_query(rule.count).get_result(conn)?;
    let sql = format!("SELECT violation FROM ({}) AS found LIMIT {}", rule.violations, NAMED + 1);
    let found: Vec<Violation> = diesel::sql_query(sql).load(conn)?;
    let unnamed = || "a row with a missing value, which has no name".to_owned();
    let mut violations: Vec<String> =
        found.into_iter().map(|row| row.violation.unwrap_or_else(unnamed)).collect();
    if violations.len() > NAMED {
        violations.truncate(NAMED);
        violations.push(format!("and more than these {NAMED}"));
    }
    Ok(Check { name: rule.name, counted: u64::try_from(counted.counted).unwrap_or(0), violations })
}

/// The sum of balances for each kind of account and currency.
const TOTALS: &str = "
    SELECT kind, currency, CAST(SUM(balance) AS BIGINT) AS balance
    FROM accounts GROUP BY kind, currency ORDER BY kind, currency";

#[derive(QueryableByName)]
struct TotalRow {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    currency: String,
    #[diesel(sql_type = BigInt)]
    balance: i64,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    counted: i64,
}

#[derive(QueryableByName)]
struct Violation {
    /// NULL if a value of the sentence is NULL. A value that a sound database always has may be missing in a damaged one.
    #[diesel(sql_type = Nullable<Text>)]
    violation: Option<String>,
}
