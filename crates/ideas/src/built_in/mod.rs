//! Ideas without a network: a stock of our own, and rules that read titles.

mod days;
mod stock;

use std::future::ready;

use bolts_bets::Text;
use bolts_kernel::{FieldError, Timestamp, UserId};
use bolts_ports::{Idea, IdeaRequest, Ideas, IdeasFailed, Pending, Remark, Wording};

use crate::{title, wording};

/// The adapter that is always there.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

impl BuiltIn {
    /// How many ideas the stock holds.
    pub fn size() -> usize {
        stock::SHELVES.iter().map(|shelf| shelf.ideas.len()).sum()
    }

    /// How many of them are in season.
    pub fn offered(now: Timestamp) -> usize {
        stock::SHELVES.iter().map(|shelf| shelf.in_season(now).len()).sum()
    }

    /// After how many turns a user has been given all of those.
    pub fn round(now: Timestamp) -> u64 {
        let most = stock::SHELVES.iter().map(|shelf| shelf.in_season(now).len()).max();
        (most.unwrap_or(0) * stock::SHELVES.len()) as u64
    }

    /// The idea of the stock for that request. The categories take turns, so that no idea follows itself, and within each a
    /// user goes round what is in season in an order of his own.
    fn pick(request: IdeaRequest) -> Result<Idea, IdeasFailed> {
        let IdeaRequest { user, turn, now } = request;
        let seed = seed(user);
        let categories = stock::SHELVES.len() as u64;
        let shelf = &stock::SHELVES[index((seed % categories + turn) % categories)];
        let ideas = shelf.in_season(now);
        let template = ideas.get(nth(scatter(seed), turn / categories, ideas.len()));
        let template = template.ok_or_else(|| IdeasFailed("the stock is empty".to_owned()))?;
        let draft = template.fill(shelf.category, now);
        let draft = draft.ok_or_else(|| IdeasFailed("the calendar ends".to_owned()))?;
        Idea::judge(draft, now).map_err(|errors| refused(&errors))
    }
}

/// Which of so many comes in that round: by the seed's order, in which each comes again only after all the others.
fn nth(seed: u64, round: u64, size: usize) -> usize {
    let Some(size) = u64::try_from(size).ok().filter(|size| *size > 1) else { return 0 };
    // Steps that share no divisor with the size reach everything.
    let strides = (0..size).map(|more| 1 + (seed / size + more) % (size - 1));
    let stride = strides.into_iter().find(|stride| greatest_divisor(*stride, size) == 1).unwrap_or(1);
    index((seed % size + (round % size) * stride) % size)
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

/// What makes a user's order differ from those of others.
fn seed(user: UserId) -> u64 {
    scatter(user.to_string().bytes().fold(0, |seed, byte| scatter(seed ^ u64::from(byte))))
}

/// Makes neighbours look unlike each other (SplitMix64's last step).
fn scatter(word: u64) -> u64 {
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
