//! Tests of the Lightning adapters: the test adapter, a scripted provider, and arbitrary input.

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
