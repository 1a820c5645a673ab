//! Tests of a bet's terms (`docs/product.md#limits`) and of the actions create, accept and delete
//! (`docs/domain-rules.md`).

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod links;
mod odds;
mod parties;
mod settings;
mod support;
mod terms;
mod transitions;
