use bolts_wallet::{Finding, Reserves, Watch, Withheld};

use crate::support::{msat, sats};

#[test]
fn payments_under_way_count_neither_as_owed_nor_as_held() {
    let reserves = Reserves { owed: sats(1_000), in_flight: sats(110) };
    assert_eq!(reserves.liabilities(), sats(890));
    let nothing = Withheld::default();
    assert_eq!(reserves.are_covered_by(msat(890_000), nothing), Some(true));
    assert_eq!(reserves.are_covered_by(msat(889_999), nothing), Some(false));
    assert_eq!(Reserves::default().are_covered_by(msat(0), nothing), Some(true));
}

/// A withdrawal of 100 sats with a reserve of 2 sats was refunded, but the provider still lists its payment as
/// pending.
#[test]
fn what_is_withheld_for_refunds_counts_and_hides_no_shortfall() {
    let reserves = Reserves { owed: sats(44_000), in_flight: sats(0) };
    let covered = |holdings, withheld| reserves.are_covered_by(msat(holdings), withheld);
    let pending = Withheld::certain(msat(102_000));
    assert_eq!(covered(43_898_000, Withheld::default()), Some(false));
    assert_eq!(covered(43_898_000, pending), Some(true));
    assert_eq!(covered(43_897_999, pending), Some(false), "a real shortfall shows");
    // Without a clear answer, only a shortfall of more than the largest possible withheld amount is certain.
    let unclear = Withheld::unclear(msat(110_000));
    assert_eq!(covered(44_000_000, unclear), Some(true));
    assert_eq!(covered(43_898_000, unclear), None);
    assert_eq!(covered(43_889_999, unclear), Some(false));
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
