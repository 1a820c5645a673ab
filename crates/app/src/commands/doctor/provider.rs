//! The Lightning provider: whether it answers, and what its keys allow. Nothing is changed there.

use super::Finding;
use crate::lightning::LightningOptions;

const SUBJECT: &str = "provider";

pub(super) async fn look(options: &LightningOptions) -> Vec<Finding> {
    // A fault of the options is among the faults of the configuration.
    let Ok(provider) = options.provider() else { return Vec::new() };
    let name = provider.describe();
    let fix = "start the provider, and check its URL, its keys, its certificate and the network between";
    match provider.missing_right().await {
        Ok(Some(why)) => {
            return vec![Finding::fault(SUBJECT, format!("{name}: {why}"), "give the key this right")];
        }
        Ok(None) => {}
        Err(error) => return vec![Finding::fault(SUBJECT, format!("{name}: {error}"), fix)],
    }
    match provider.balance().await {
        Ok(balance) => vec![Finding::fine(SUBJECT, format!("{name}, {} sats", balance.floor_sats().get()))],
        Err(error) => vec![Finding::fault(SUBJECT, format!("{name}: {error}"), fix)],
    }
}
