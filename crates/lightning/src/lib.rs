//! The adapters of the Lightning port: `test` without money, a wallet on an LNbits server, and an LND node. The crate
//! also contains the client that asks Lightning addresses for invoices. `docs/lightning.md` says what the answers of
//! each provider prove.

mod address;
mod evidence;
mod http;
mod invoice;
mod lnbits;
mod lnd;
mod options;
mod owner;
mod pinned;
mod simulated;
mod traced;

pub use address::{AddressOptions, Addresses};
pub use http::Timeouts;
pub use invoice::decode;
pub use lnbits::{Lnbits, LnbitsOptions};
pub use lnd::{Lnd, LndOptions};
pub use simulated::{TEST_PAYEE, TestLightning};
pub use traced::Traced;

/// An invalid option of an adapter. The message is a sentence for the operator, without the secret itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadOption(pub String);
