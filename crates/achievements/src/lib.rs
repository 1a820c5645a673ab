//! The achievements, their conditions and rewards (`docs/product.md#statistics-and-achievements`). The functions
//! compute a user's progress and unlocked achievements from the user's figures. They perform no I/O.

mod catalogue;
mod progress;

pub use catalogue::{Achievement, CATALOGUE, Category, Condition, Rarity, Reward, find};
pub use progress::{Figures, LONGEST_STREAK, Progress, locked, newly_unlocked, win_streak};
