//! Recovery codes.

use std::collections::BTreeSet;

use bolts_factors::{RecoveryCode, recovery_hash};

#[test]
fn a_code_is_easy_to_write_down_and_its_spelling_does_not_matter() {
    let code = RecoveryCode::from_random([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255]);
    assert_eq!(code.as_str(), "abcd-efgh-ijkm-npq9");
    for typed in ["abcd-efgh-ijkm-npq9", "ABCD EFGH IJKM NPQ9", " abcdefghijkmnpq9\n"] {
        assert_eq!(recovery_hash(typed), Some(code.hash()), "{typed}");
    }
    for wrong in
        ["", "abcd-efgh-ijkm-npq", "abcd-efgh-ijkm-npq9a", "abcd-efgh-ijkm-npql", "äbcd-efgh-ijkm-npq9"]
    {
        assert_eq!(recovery_hash(wrong), None, "{wrong}");
    }
    assert!(!format!("{code:?}").contains("abcd"), "no code in a log");
}

#[test]
fn every_character_of_a_code_has_the_same_probability() {
    let letters: Vec<char> = (0..=255_u8)
        .map(|byte| RecoveryCode::from_random([byte; 16]).as_str().chars().next().unwrap())
        .collect();
    let different: BTreeSet<char> = letters.iter().copied().collect();
    assert_eq!(different.len(), 32);
    for letter in different {
        assert_eq!(letters.iter().filter(|one| **one == letter).count(), 8, "{letter}");
    }
}
