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
        stock::all().len()
    }

    /// How many of them are in season.
    pub fn offered(now: Timestamp) -> usize {
        stock::offered(now).len()
    }

    /// The idea of the stock for that request.
    fn pick(request: IdeaRequest) -> Result<Idea, IdeasFailed> {
        let offered = stock::offered(request.now);
        let (category, template) = offered
            .get(number(request.user, request.turn, offered.len()))
            .ok_or_else(|| IdeasFailed("the stock is empty".to_owned()))?;
        let draft = template.fill(*category, request.now);
        let draft = draft.ok_or_else(|| IdeasFailed("the calendar ends".to_owned()))?;
        Idea::judge(draft, request.now).map_err(|errors| refused(&errors))
    }
}

/// Which idea a user gets in that turn: each user goes round all that are in season in an order of his own, so that one
/// comes again only after all the others. Where a season ends the order begins anew.
fn number(user: UserId, turn: u64, size: usize) -> usize {
    let Some(size) = u64::try_from(size).ok().filter(|size| *size > 1) else { return 0 };
    let seed = scatter(user.to_string().bytes().fold(0, |seed, byte| scatter(seed ^ u64::from(byte))));
    // Steps that share no divisor with the size reach everything.
    let strides = (0..size).map(|more| 1 + (seed / size + more) % (size - 1));
    let stride = strides.into_iter().find(|stride| greatest_divisor(*stride, size) == 1).unwrap_or(1);
    let steps = (turn % size).wrapping_mul(stride) % size;
    usize::try_from((seed % size + steps) % size).unwrap_or(0)
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
