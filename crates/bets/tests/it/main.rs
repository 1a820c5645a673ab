//! The bet's terms and the transitions that need no rule about who may resolve it, judged against sections 4 and 5
//! of the decisions.

#![allow(clippy::unwrap_used, reason = "a test whose set-up fails shall stop there")]

mod links;
mod settings;
mod support;
mod terms;
mod transitions;
