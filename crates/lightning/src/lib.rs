//! The Lightning port's adapters: `test`, where no money moves; a wallet on an LNbits server; an LND node. And the client
//! that asks Lightning addresses for invoices. What each of them may claim, and what its provider's answers prove, is
//! in `docs/lightning.md`.

mod address;
mod answer;
mod http;
mod invoice;
mod lnbits;
mod lnd;
mod network;
mod options;
mod owner;
mod pinned;
mod test;

pub use address::{AddressOptions, Addresses};
pub use http::Timeouts;
pub use invoice::decode;
pub use lnbits::{Lnbits, LnbitsOptions};
pub use lnd::{Lnd, LndOptions};
pub use network::is_public;
pub use test::{TEST_PAYEE, TestLightning};

/// An option of an adapter that cannot be used; a sentence for the operator, without the secret itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadOption(pub String);
