//! Ideas for bets (`docs/product.md#ideas`). There are two sources: a built-in stock of ideas with rules that
//! read titles, and a model behind a server that is compatible with OpenAI's API.

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
