use bolts_wallet::{
    Millisats, PaymentHash, Preimage, deposit_amount, fee_limit, test_amount, withdrawal_amount,
};
use proptest::prelude::*;

use crate::support::{msat, sats};

#[test]
fn deposits_are_100_to_50_000_sats() {
    for good in [100, 101, 49_999, 50_000] {
        assert_eq!(deposit_amount(good), Ok(sats(good)));
    }
    let message = |units| deposit_amount(units).unwrap_err().message;
    for low in [i64::MIN, -1, 0, 99] {
        assert_eq!(message(low), "Minimum deposit is 100 sats");
    }
    for high in [50_001, i64::MAX] {
        assert_eq!(message(high), "Maximum deposit is 50,000 sats");
    }
    assert_eq!(deposit_amount(0).unwrap_err().field, "amount");
}

#[test]
fn test_sats_and_withdrawals_have_limits_of_their_own() {
    assert_eq!(test_amount(1), Ok(sats(1)));
    assert!(test_amount(0).is_err() && test_amount(50_001).is_err());
    assert_eq!(withdrawal_amount(100), Ok(sats(100)));
    assert!(withdrawal_amount(99).is_err() && withdrawal_amount(100_000_001).is_err());
}

#[test]
fn the_reserve_is_one_percent_and_at_least_ten_sats() {
    let table = [(100, 10), (999, 10), (1_000, 10), (1_001, 11), (5_000, 50), (50_050, 501)];
    for (amount, limit) in table {
        assert_eq!(fee_limit(sats(amount)), sats(limit), "{amount}");
    }
}

#[test]
fn receipts_round_down_and_payments_round_up_to_whole_sats() {
    for (units, floor, ceil, dust) in
        [(0, 0, 0, 0), (1, 0, 1, 1), (999, 0, 1, 999), (1_000, 1, 1, 0), (1_001, 1, 2, 1)]
    {
        let amount = msat(units);
        assert_eq!((amount.floor_sats(), amount.ceil_sats(), amount.dust()), (sats(floor), sats(ceil), dust));
    }
    assert!(Millisats::new(-1).is_err());
    assert_eq!(Millisats::from_sats(sats(i64::MAX)).get(), i64::MAX, "the amount does not wrap around");
}

#[test]
fn a_preimage_gives_its_hash_and_stays_out_of_debug_output() {
    // The hash is the SHA-256 of 32 zero bytes.
    let zeros = Preimage::new([0; 32]);
    let hash = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
    assert_eq!(zeros.payment_hash().to_string(), hash);
    assert_eq!(hash.parse::<PaymentHash>().unwrap(), zeros.payment_hash());
    assert!(!format!("{zeros:?}").contains("0000"), "a log must not contain the preimage");
    for wrong in ["", "66", &hash[1..], &format!("{hash}00"), &hash.replace('6', "g")] {
        assert!(wrong.parse::<PaymentHash>().is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn floor_and_dust_add_up_to_the_amount(units in 0_i64..=i64::MAX) {
        let amount = msat(units);
        prop_assert_eq!(amount.floor_sats().get() * 1_000 + amount.dust(), units);
        prop_assert!(amount.ceil_sats().get() - amount.floor_sats().get() <= 1);
    }
}
