use bolts_kernel::Timestamp;
use bolts_ports::{AdminAction, AdminActions, Hint, Outbox, Result, Settings};

use super::tx::MemoryTx;

impl Settings for MemoryTx {
    fn get(&mut self, name: &str) -> Result<Option<String>> {
        Ok(self.state.settings.get(name).cloned())
    }

    fn put(&mut self, name: &str, value: &str) -> Result<()> {
        self.state.settings.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    fn put_first(&mut self, name: &str, value: &str) -> Result<String> {
        Ok(self.state.settings.entry(name.to_owned()).or_insert_with(|| value.to_owned()).clone())
    }
}

impl AdminActions for MemoryTx {
    fn record(&mut self, action: &AdminAction) -> Result<()> {
        self.state.admin_actions.push(action.clone());
        Ok(())
    }
}

impl Outbox for MemoryTx {
    fn enqueue(&mut self, hints: &[Hint], _at: Timestamp) -> Result<()> {
        if !hints.is_empty() {
            self.state.owed.push(hints.to_vec());
        }
        Ok(())
    }

    fn take(&mut self, rows: i64) -> Result<Vec<Hint>> {
        let rows = usize::try_from(rows).unwrap_or(0).min(self.state.owed.len());
        Ok(self.state.owed.drain(..rows).flatten().collect())
    }
}
