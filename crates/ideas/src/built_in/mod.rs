//! Ideas without a network: a built-in stock of ideas, and rules that read titles.

mod days;
mod stock;

use std::future::ready;

use bolts_bets::Text;
use bolts_kernel::{FieldError, Timestamp, UserId};
use bolts_ports::{Idea, IdeaRequest, Ideas, IdeasFailed, Pending, Remark, Wording};

use crate::{title, wording};

/// The adapter that creates ideas without a server. The site uses it by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

impl BuiltIn {
    /// The number of ideas in the stock.
    pub fn size() -> usize {
        stock::SHELVES.iter().map(|shelf| shelf.ideas.len()).sum()
    }

    /// The number of ideas that are in season at `now`.
    pub fn offered(now: Timestamp) -> usize {
        stock::SHELVES.iter().map(|shelf| shelf.in_season(now).len()).sum()
    }

    /// The number of requests after which a user has seen all ideas that are in season.
    pub fn round(now: Timestamp) -> u64 {
        let most = stock::SHELVES.iter().map(|shelf| shelf.in_season(now).len()).max();
        (most.unwrap_or(0) * stock::SHELVES.len()) as u64
    }

    /// The idea for this request. The category changes with each request, so no idea comes twice in a row. In
    /// each category, different users get the ideas of the season in different orders.
    fn pick(request: IdeaRequest) -> Result<Idea, IdeasFailed> {
        let IdeaRequest { user, turn, now } = request;
        let seed = seed(user);
        let categories = stock::SHELVES.len() as u64;
        let shelf = &stock::SHELVES[index((seed % categories + turn) % categories)];
        let ideas = shelf.in_season(now);
        let template = ideas.get(nth(mix(seed), turn / categories, ideas.len()));
        let template = template.ok_or_else(|| IdeasFailed("the stock is empty".to_owned()))?;
        let draft = template.fill(shelf.category, now);
        let draft = draft.ok_or_else(|| IdeasFailed("the dates of the idea are out of range".to_owned()))?;
        Idea::judge(draft, now).map_err(|errors| refused(&errors))
    }
}

/// The index of an idea among `size` ideas in this round. The seed determines the order. Every index occurs
/// before an index repeats.
fn nth(seed: u64, round: u64, size: usize) -> usize {
    let Some(size) = u64::try_from(size).ok().filter(|size| *size > 1) else { return 0 };
    // A stride that has no common divisor with the size reaches all indices.
    let strides = (0..size).map(|more| 1 + (seed / size + more) % (size - 1));
    let stride = strides.into_iter().find(|stride| greatest_divisor(*stride, size) == 1).unwrap_or(1);
    index((seed % size + (round % size) * stride) % size)
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

/// A number computed from the user's id. The number determines the order in which the user gets the ideas.
fn seed(user: UserId) -> u64 {
    mix(user.to_string().bytes().fold(0, |seed, byte| mix(seed ^ u64::from(byte))))
}

/// Mixes the bits of a number, so that similar numbers give very different results (the last step of
/// SplitMix64).
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

fn refused(errors: &[FieldError]) -> IdeasFailed {
    let all: Vec<String> = errors.iter().map(|error| format!("{}: {}", error.field, error.message)).collect();
    IdeasFailed(all.join("; "))
}

impl Ideas for BuiltIn {
    fn generate(&self, request: IdeaRequest) -> Pending<'_, Result<Idea, IdeasFailed>> {
        Box::pin(ready(Self::pick(request)))
    }

    fn complete(&self, title: Text, now: Timestamp) -> Pending<'_, Result<Idea, IdeasFailed>> {
        Box::pin(ready(title::complete(&title, now).map_err(|errors| refused(&errors))))
    }

    fn check(&self, wording: Wording) -> Pending<'_, Vec<Remark>> {
        Box::pin(ready(wording::remarks(&wording)))
    }
}
