use bolts_kernel::Timestamp;
use bolts_ports::{Hint, Outbox, Result, StoreError};
use diesel::prelude::*;

use super::Conn;
use super::prepared::{Place, Write};
use super::transaction::Transaction;
use crate::schema::outbox;

const INSERT: &str = "INSERT INTO outbox (kind, payload, next_at, created_at) VALUES (?, ?, ?, ?)";

/// The `kind` of rows that contain hints.
const HINTS: &str = "hints";

impl Outbox for Transaction<'_> {
    fn enqueue(&mut self, hints: &[Hint], at: Timestamp) -> Result<()> {
        if hints.is_empty() {
            return Ok(());
        }
        let payload = serde_json::to_string(hints)
            .map_err(|error| StoreError::Broken(format!("outbox.payload: {error}")));
        let payload = self.remember(payload)?;
        let binds = [HINTS.into(), payload.into(), at.micros().into(), at.micros().into()];
        self.write(Write::one(INSERT, Place::New, binds))
    }

    fn take(&mut self, rows: i64) -> Result<Vec<Hint>> {
        let taken = self.run(|conn| {
            let owed = outbox::table.filter(outbox::kind.eq(HINTS)).order(outbox::id).limit(rows);
            let owed = owed.select((outbox::id, outbox::payload));
            let owed = unclaimed!(owed).load::<(i64, String)>(conn)?;
            let ids = owed.iter().map(|(id, _)| *id);
            diesel::delete(outbox::table.filter(outbox::id.eq_any(ids))).execute(conn)?;
            Ok(owed)
        })?;
        let mut hints = Vec::new();
        for (row, payload) in taken {
            match serde_json::from_str::<Vec<Hint>>(&payload) {
                Ok(found) => hints.extend(found),
                // It comes from another version of the program. If it stayed, no later hint would be sent.
                Err(error) => {
                    tracing::warn!(row, %error, "hints for open pages cannot be read and are dropped");
                }
            }
        }
        Ok(hints)
    }
}

/// Whether the outbox contains a row, which means that the relay has work.
pub(super) fn is_owed(conn: &mut Conn) -> QueryResult<bool> {
    diesel::select(diesel::dsl::exists(outbox::table.select(outbox::id))).get_result(conn)
}
