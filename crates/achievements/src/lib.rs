//! What can be achieved, when, and what for (specification, section 9; decisions, section 8). Pure: the figures come
//! in, progress and unlocks come out.

mod catalogue;
mod progress;

pub use catalogue::{Achievement, CATALOGUE, Category, Condition, Rarity, Reward, find};
pub use progress::{Figures, MAX_STREAK, Progress, newly_unlocked, win_streak};
