//! Tests of the invoice decoder: the examples of BOLT 11, limits, and damaged invoices.

use std::time::{Duration, Instant};

use bitcoin::hashes::{Hash as _, sha256};
use bitcoin::secp256k1::{Secp256k1, SecretKey};
use bolts_lightning::decode;
use bolts_ports::SatsKind;
use bolts_testkit::provider::{Network, Wanted, make, now};
use lightning_invoice::{Currency, InvoiceBuilder, PaymentSecret};

/// The first example of BOLT 11: a donation without an amount.
const DONATION: &str = "lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql";

/// The third example of BOLT 11: 20 millibitcoin, with the hash of a description.
const HASHED: &str = "lnbc20m1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqs9qrsgq7ea976txfraylvgzuxs8kgcw23ezlrszfnh8r6qtfpr6cxga50aj6txm9rxrydzd06dfeawfk6swupvz4erwnyutnjq7x39ymw6j38gp7ynn44";

fn why(text: &str) -> String {
    decode(text).expect_err("an invalid invoice").0
}

#[test]
fn the_examples_of_bolt_11_are_read() {
    let donation = decode(DONATION).unwrap();
    assert_eq!(donation.amount, None);
    assert_eq!(donation.network, Some(SatsKind::Real));
    assert_eq!(donation.description.as_deref(), Some("Please consider supporting this project"));
    assert_eq!(donation.created_at.micros(), 1_496_314_658_000_000);
    assert_eq!(donation.expires_at, donation.created_at.after(Duration::from_secs(3_600)));
    let hash = "0001020304050607080900010203040506070809000102030405060708090102";
    assert_eq!(donation.payment_hash.to_string(), hash);
    assert_eq!(donation.payee, "03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad");

    let hashed = decode(HASHED).unwrap();
    assert_eq!(hashed.amount.unwrap().get(), 2_000_000_000);
    assert_eq!(hashed.description, None);
    assert_eq!(hashed.description_hash.unwrap()[..4], [0x39, 0x25, 0xb6, 0xf6]);
}

#[test]
fn upper_case_and_a_scheme_are_accepted() {
    let wanted = decode(DONATION).unwrap();
    let capitals = DONATION.to_uppercase();
    for text in [
        capitals.clone(),
        format!("lightning:{DONATION}"),
        format!("LIGHTNING:{capitals}"),
        format!("  Lightning:{DONATION}\n"),
    ] {
        assert_eq!(decode(&text).as_ref(), Ok(&wanted), "{text}");
    }
    assert!(why(&DONATION.replace("lnbc", "LNBC")).contains("upper and lower"));
}

#[test]
fn an_invoice_without_features_is_accepted() {
    let made = make(&Wanted { has_features: false, ..Wanted::sats(2_500) });
    let decoded = decode(&made.text).unwrap();
    assert_eq!(decoded.payment_hash.to_string(), made.payment_hash);
    assert_eq!(decoded.amount.unwrap().get(), 2_500_000);
    assert_eq!(decoded.description.as_deref(), Some("coffee"));
}

#[test]
fn each_network_is_recognised() {
    for (network, sats) in [
        (Network::Main, Some(SatsKind::Real)),
        (Network::Regtest, Some(SatsKind::Test)),
        (Network::Testnet, None),
        (Network::Signet, None),
    ] {
        let made = make(&Wanted { network, ..Wanted::sats(100) });
        assert_eq!(decode(&made.text).unwrap().network, sats, "{network:?}");
    }
}

#[test]
fn millisats_and_expiry_are_read() {
    let lifetime = Duration::from_secs(60);
    let made_at = now() - Duration::from_secs(120);
    let made = make(&Wanted { millisats: Some(1_000_001), lifetime, made_at, ..Wanted::sats(0) });
    let decoded = decode(&made.text).unwrap();
    assert_eq!(decoded.amount.unwrap().get(), 1_000_001);
    assert_eq!(decoded.expires_at, decoded.created_at.after(lifetime));
    assert_eq!(u128::try_from(decoded.created_at.micros()).unwrap() / 1_000_000, made_at.as_secs().into());
}

#[test]
fn an_expiry_after_the_year_9999_is_accepted() {
    let made = make(&Wanted { lifetime: Duration::from_secs(u64::MAX), ..Wanted::sats(100) });
    let decoded = decode(&made.text).unwrap();
    assert!(decoded.expires_at > decoded.created_at);
}

#[test]
fn other_texts_are_refused() {
    for text in [
        "",
        "lightning:",
        "lnbc",
        "hello",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "lnurl1dp68gurn8ghj7um9wfmxjcm99e3k7mf0v9cxj0m385ekvcenxc6r2c35xvukxefcv5mkvv34x5ekzd3ev56nyd3hxqurzepexejxxepnxscrvwfnv9nxzcn9xq6xyefhvgcxxcmyxymnserxfq5fns",
        "lnbc1pvjluez",
        "мо́лния",
        "lnbc\u{0}1pvjluez",
        "💥💥💥💥💥💥💥💥💥💥",
    ] {
        assert!(decode(text).is_err(), "{text}");
    }
}

#[test]
fn damaged_invoices_are_refused() {
    let made = make(&Wanted::sats(100)).text;
    let flipped = |at: usize| {
        let mut bytes = made.clone().into_bytes();
        bytes[at] = if bytes[at] == b'q' { b'p' } else { b'q' };
        String::from_utf8(bytes).unwrap()
    };
    for at in [10, 20, made.len() / 2, made.len() - 1] {
        assert!(decode(&flipped(at)).is_err(), "the checksum sees a change at {at}");
    }
    assert!(decode(&made[..made.len() - 1]).is_err());
    assert!(decode(&format!("{made}q")).is_err());
    let other = made.replacen("lnbc1u", "lnbc2u", 1);
    assert_ne!(other, made);
    assert!(decode(&other).is_err(), "the checksum covers the amount");
}

/// The example of BOLT 11 with a signature that belongs to no key.
#[test]
fn a_signature_without_a_key_is_refused() {
    let text = "lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgqwgt29r5c4lhrglx4gssdpnkhclaznqp2z7l4tnpxnnq6kwhzqxjc3lhy5j5j6gm8l75dlrgj2zp5w4mcdjccrsjjhg7zqzw3jaq3adcqayqswm";
    assert!(decode(text).is_err());
}

/// If the invoice names a payee, the payee must have signed it.
#[test]
fn a_signature_of_another_key_is_refused() {
    let key = |byte: u8| SecretKey::from_slice(&[byte; 32]).unwrap();
    let signed_for = |payee: u8| {
        let raw = InvoiceBuilder::new(Currency::Bitcoin)
            .description("coffee".to_owned())
            .payment_hash(sha256::Hash::hash(b"preimage"))
            .duration_since_epoch(Duration::from_secs(now().as_secs()))
            .min_final_cltv_expiry_delta(18)
            .payment_secret(PaymentSecret([7; 32]))
            .payee_pub_key(key(payee).public_key(&Secp256k1::new()))
            .build_raw()
            .unwrap();
        let sign = |message: &_| Ok::<_, ()>(Secp256k1::new().sign_ecdsa_recoverable(message, &key(1)));
        raw.sign(sign).unwrap().to_string()
    };
    let honest = decode(&signed_for(1)).unwrap();
    assert_eq!(honest.payee, key(1).public_key(&Secp256k1::new()).to_string());
    assert!(why(&signed_for(2)).contains("signature"));
}

/// The examples of BOLT 11 with amounts that cannot be paid.
#[test]
fn impossible_amounts_are_refused() {
    for text in [
        "lnbc2500x1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpujr6jxr9gq9pv6g46y7d20jfkegkg4gljz2ea2a3m9lmvvr95tq2s0kvu70u3axgelz3kyvtp2ywwt0y8hkx2869zq5dll9nelr83zzqqpgl2zg",
        "lnbc2500000001p1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu7hqtk93pkf7sw55rdv4k9z2vj050rxdr6za9ekfs3nlt5lr89jqpdmxsmlj9urqumg0h9wzpqecw7th56tdms40p2ny9q4ddvjsedzcplva53s",
    ] {
        assert!(decode(text).is_err(), "{text}");
    }
}

#[test]
fn long_texts_are_refused_at_once() {
    // The shortest of several measurements counts, because a busy machine can only make a measurement longer.
    let shortest = |read: &dyn Fn()| {
        let time = || {
            let began = Instant::now();
            read();
            began.elapsed()
        };
        (0..9).map(|_| time()).min()
    };
    let too_long = ["x".repeat(100_000), format!("lnbc1{}", "q".repeat(100_000)), "lnbc1".repeat(20_000)];
    let refuse = || too_long.iter().for_each(|text| assert!(why(text).contains("too long")));
    assert!(shortest(&refuse) < Some(Duration::from_millis(100)));
    // A text just below the length limit is parsed, and is still refused fast.
    let read = || assert!(decode(&format!("lnbc1{}", "q".repeat(4_000))).is_err());
    assert!(shortest(&read) < Some(Duration::from_millis(500)));
}
