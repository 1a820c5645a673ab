//! Random texts that nobody can guess.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bolts_ports::Randomness;

/// A text of this many random bytes, in letters that are safe in addresses.
pub(crate) fn random_text<const BYTES: usize>(random: &dyn Randomness) -> String {
    let mut bytes = [0; BYTES];
    random.fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}
