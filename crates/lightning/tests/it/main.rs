//! The Lightning adapters against the test network, a scripted provider, and what strangers send.

mod addresses;
mod decoding;
mod grid;
mod harness;
mod independent;
mod lists;
mod lnbits;
mod lnd;
mod properties;
mod secrets;
mod test_adapter;
mod tls;
