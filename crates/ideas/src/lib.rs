//! Ideas for bets: a stock of our own with rules that read titles, which needs nothing, and a model behind any
//! OpenAI-compatible server.

pub mod built_in;
pub mod new_york;
pub mod openai;
pub mod title;
pub mod trading_days;
pub mod wording;

mod outcomes;
mod phrases;

pub use built_in::BuiltIn;
pub use openai::{Key, OpenAi, Options};
