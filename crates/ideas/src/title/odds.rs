//! Reads odds in a title, such as 'at 5 to 1', 'at 5:1' and 'odds of 3.5'.

use bolts_bets::Odds;

use super::words::Word;

/// The odds that the title names for what it says. 'At 5 to 1' means that a stake of 1 wins 5, so the decimal odds are 6.
pub(crate) fn odds(words: &[Word]) -> Option<Odds> {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    (0..texts.len()).find_map(|at| odds_at(&texts[..at], &texts[at..])).and_then(Odds::nearest)
}

/// The decimal odds at the start of `words`. The word 'at' or 'odds' before them, or 'odds' after them, must say that they are
/// odds. Other pairs of numbers are scores, times and ranges.
fn odds_at(before: &[&str], words: &[&str]) -> Option<f64> {
    let follows_odds = matches!(before, [.., "odds"] | [.., "odds", "of" | "at"]);
    let (odds, after) = match words {
        [won, "to", staked, after @ ..] => (against(won, staked)?, after),
        [one, after @ ..] => {
            let decimal = || if follows_odds { number(one) } else { None };
            (ratio(one).or_else(decimal)?, after)
        }
        [] => return None,
    };
    // 'Five to one on' means the opposite of 'five to one', and 'at 5 to 1 on Sunday' can mean both.
    let is_clear = after.first() != Some(&"on");
    let is_named = follows_odds || matches!(before, [.., "at"]) || after.first() == Some(&"odds");
    (is_clear && is_named).then_some(odds)
}

/// The decimal odds in '5:1' and '5-to-1'. A second number with two digits is the minutes of a time, as in '7:30'.
fn ratio(text: &str) -> Option<f64> {
    let (won, staked) = text.split_once("-to-").or_else(|| text.split_once(':'))?;
    if staked.len() == 1 { against(won, staked) } else { None }
}

/// The decimal odds of a stake of `staked` that wins `won`.
fn against(won: &str, staked: &str) -> Option<f64> {
    Some(number(won)? / number(staked)? + 1.0)
}

fn number(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_number.then(|| text.parse().ok()).flatten().filter(|number| *number > 0.0)
}
