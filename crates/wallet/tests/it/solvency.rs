use bolts_wallet::{Finding, Reserves, Watch};

use crate::support::{msat, sats};

#[test]
fn payments_under_way_count_neither_as_owed_nor_as_held() {
    let reserves = Reserves { owed: sats(1_000), in_flight: sats(110) };
    assert_eq!(reserves.liabilities(), sats(890));
    assert!(reserves.are_covered_by(msat(890_000)));
    assert!(!reserves.are_covered_by(msat(889_999)));
    assert!(Reserves::default().are_covered_by(msat(0)));
}

fn findings(samples: &[Option<bool>]) -> Vec<Finding> {
    let mut watch = Watch::default();
    samples.iter().map(|sample| watch.observe(*sample)).collect()
}

#[test]
fn three_bad_samples_in_a_row_are_a_breach() {
    use Finding::{Breach, Sound, Suspect};
    let (good, bad, silent) = (Some(true), Some(false), None);
    assert_eq!(findings(&[good, bad, bad, bad, bad]), [Sound, Suspect, Suspect, Breach, Breach]);
    assert_eq!(
        findings(&[bad, bad, good, bad, bad]),
        [Suspect, Suspect, Sound, Suspect, Suspect],
        "a good sample starts the count again"
    );
    assert_eq!(findings(&[silent, silent, silent, silent]), [Sound; 4], "a missing answer is no breach");
    assert_eq!(findings(&[bad, silent, bad, silent, bad]), [Suspect, Suspect, Suspect, Suspect, Breach]);
    assert_eq!(findings(&[bad, bad, bad, good]), [Suspect, Suspect, Breach, Sound]);
}
