//! Codes of authenticator apps.

use std::time::Duration;

use bolts_factors::{PROOF_LIFETIME, SECRET_BYTES, Step, Totp, TotpSecret, is_fresh};
use bolts_kernel::Timestamp;
use proptest::prelude::*;

const STEP: Duration = Duration::from_secs(30);

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).expect("a time")
}

/// The secret of the test vectors in RFC 6238, appendix B.
fn secret() -> TotpSecret {
    TotpSecret::from_random(*b"12345678901234567890")
}

#[test]
fn codes_equal_the_vectors_of_rfc_6238() {
    // The RFC has 8 digits. Six digits are the last six of these.
    for (seconds, code) in [
        (59, "94287082"),
        (1_111_111_109, "07081804"),
        (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"),
        (20_000_000_000, "65353130"),
    ] {
        assert_eq!(secret().code(Step::at(at(seconds))), code[2..], "at {seconds}");
    }
}

#[test]
fn the_codes_of_the_neighbouring_steps_are_accepted_and_no_others() {
    let now = at(1_234_567_890);
    let fresh = Totp { secret: secret(), last_step: None };
    for (steps, is_accepted) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
        let then = at(1_234_567_890 + steps * 30);
        let code = secret().code(Step::at(then));
        let expected = is_accepted.then(|| Step::at(then));
        assert_eq!(fresh.accept(&code, now), expected, "{steps} steps away");
    }
}

#[test]
fn a_code_counts_once_and_no_earlier_code_counts_after_it() {
    let now = at(1_234_567_890);
    let code = |step| secret().code(step);
    let (before, this, next) = (Step::at(now.before(STEP)), Step::at(now), Step::at(now.after(STEP)));
    let used = Totp { secret: secret(), last_step: Some(this) };
    assert_eq!(used.accept(&code(this), now), None, "replayed");
    assert_eq!(used.accept(&code(before), now), None, "an older code that somebody watched");
    assert_eq!(used.accept(&code(next), now), Some(next));
}

#[test]
fn what_is_no_code_is_refused() {
    let now = at(1_234_567_890);
    let app = Totp { secret: secret(), last_step: None };
    let code = secret().code(Step::at(now));
    let spaced = format!(" {} {} ", &code[..3], &code[3..]);
    assert_eq!(app.accept(&spaced, now), Some(Step::at(now)), "apps show a space in the middle");
    for wrong in ["", "0", &code[..5], &format!("{code}0"), "abcdef", "١٢٣٤٥٦", "00592４"] {
        assert_eq!(app.accept(wrong, now), None, "{wrong}");
    }
}

#[test]
fn a_secret_is_written_in_base32_and_its_address_names_site_and_user() {
    assert_eq!(secret().base32(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    assert_eq!(TotpSecret::parse(&secret().base32()), Some(secret()));
    for wrong in ["", "GEZDGNBV", "not base32!", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBV"] {
        assert_eq!(TotpSecret::parse(wrong), None, "{wrong}");
    }
    let uri = secret().uri("ann@example.com");
    assert!(uri.starts_with("otpauth://totp/Bolts:ann%40example.com?"), "{uri}");
    assert!(uri.contains("secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ") && uri.contains("issuer=Bolts"), "{uri}");
    assert!(!secret().uri("\"a:b\"@example.com").is_empty(), "an address with a colon");
    assert!(!format!("{:?}", secret()).contains("GEZD"), "no secret in a log");
}

#[test]
fn a_proof_counts_for_5_minutes() {
    let now = at(1_234_567_890);
    assert!(!is_fresh(None, now));
    assert!(is_fresh(Some(now), now));
    let almost = PROOF_LIFETIME.checked_sub(Duration::from_micros(1)).unwrap();
    assert!(is_fresh(Some(now), now.after(almost)));
    assert!(!is_fresh(Some(now), now.after(PROOF_LIFETIME)));
    assert!(!is_fresh(Some(now.after(STEP)), now), "the clock was set back");
}

proptest! {
    #[test]
    fn no_code_is_ever_accepted_twice(
        bytes: [u8; SECRET_BYTES],
        start in 0_i64..4_000_000_000,
        uses in proptest::collection::vec((0_i64..40, -1_i64..=1), 1..40),
    ) {
        let mut app = Totp { secret: TotpSecret::from_random(bytes), last_step: None };
        let (mut now, mut accepted) = (start, Vec::new());
        for (pause, offset) in uses {
            now += pause;
            let code = app.secret.code(Step::at(at((now + offset * 30).max(0))));
            if let Some(step) = app.accept(&code, at(now)) {
                app.last_step = Some(step);
                accepted.push(step);
            }
        }
        prop_assert!(accepted.is_sorted_by(|one, next| one < next));
    }
}
