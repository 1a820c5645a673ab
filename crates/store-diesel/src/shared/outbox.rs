use bolts_kernel::Timestamp;
use bolts_ports::{Hint, Outbox, Result, StoreError};
use diesel::prelude::*;

use super::Conn;
use super::prepared::{Place, Write};
use super::rows::Cells;
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
        for (id, payload) in taken {
            let id = id.to_string();
            let cells = Cells { table: "outbox", id: &id };
            let found = cells.known::<Vec<Hint>>("payload", serde_json::from_str(&payload).ok());
            hints.extend(self.remember(found)?);
        }
        Ok(hints)
    }
}

/// Whether the outbox contains a row, which means that the relay has work.
pub(super) fn is_owed(conn: &mut Conn) -> QueryResult<bool> {
    diesel::select(diesel::dsl::exists(outbox::table.select(outbox::id))).get_result(conn)
}
