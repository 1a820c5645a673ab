//! Registrations and proofs with an authenticator in software. Each test names the attack that it tries.

use bolts_kernel::UserId;
use bolts_passkeys::Site;
use bolts_ports::{Registered, RelyingParty};
use bolts_testkit::authenticator::{Authenticator, attestation};
use serde_json::{Value, json};

const ORIGIN: &str = "https://bets.example.com";

fn site() -> Site {
    Site::at(ORIGIN).expect("a domain")
}

fn user() -> UserId {
    UserId::from(7)
}

/// What the site stores after a registration.
fn registered(phone: &mut Authenticator) -> Registered {
    let begun = site().begin_registration(user(), "ann@example.com", &[]).expect("begun");
    let answer = phone.register(&begun.options);
    site().finish_registration(&begun.state, answer).expect("registered")
}

/// A registration and a proof by an authenticator that may lie in both.
fn both(lie: impl Fn(&mut Authenticator)) -> [Option<String>; 2] {
    let mut liar = Authenticator::new("phone", ORIGIN);
    lie(&mut liar);
    let begun = site().begin_registration(user(), "ann@example.com", &[]).expect("begun");
    let answer = liar.register(&begun.options);
    let refused = site().finish_registration(&begun.state, answer).err();

    let mut phone = Authenticator::new("phone", ORIGIN);
    let known = registered(&mut phone);
    lie(&mut phone);
    let begun = site().begin_proof(&[]).expect("begun");
    let answer = phone.sign(&begun.options);
    let proof = site().finish_proof(&begun.state, &known.credential, answer).err();
    [refused, proof].map(|refused| refused.map(|bad| bad.0))
}

#[test]
fn a_passkey_is_registered_and_proves_with_its_counter() {
    let mut phone = Authenticator::new("phone", ORIGIN);
    phone.counter = Some(4);
    let known = registered(&mut phone);
    assert_eq!((known.counter, known.credential.id.clone()), (4, phone.credential()));
    let begun = site().begin_proof(std::slice::from_ref(&known.credential.id)).expect("begun");
    assert_eq!(begun.options["allowCredentials"][0]["id"], json!(phone.credential()));
    assert_eq!(begun.options["rpId"], "bets.example.com");
    let answer = phone.sign(&begun.options);
    let claim = site().claim(&answer).expect("readable");
    assert_eq!((claim.credential, claim.user), (phone.credential(), Some(user().to_bytes())));
    assert_eq!(site().finish_proof(&begun.state, &known.credential, answer), Ok(5));
    // The caller judges the counter: a copy signs an old one.
    phone.counter = Some(1);
    let begun = site().begin_proof(&[]).expect("begun");
    let answer = phone.sign(&begun.options);
    assert_eq!(site().finish_proof(&begun.state, &known.credential, answer), Ok(2));
}

#[test]
fn the_options_ask_for_a_verified_user_and_a_passkey_that_is_found_without_its_id() {
    let begun = site().begin_registration(user(), "ann@example.com", &["QUJD".to_owned()]).expect("begun");
    let selection = &begun.options["authenticatorSelection"];
    assert_eq!(selection["userVerification"], "required");
    assert_eq!(
        (&selection["residentKey"], &selection["requireResidentKey"]),
        (&json!("required"), &json!(true))
    );
    assert_eq!(begun.options["excludeCredentials"], json!([{"type": "public-key", "id": "QUJD"}]));
    assert_eq!(begun.options["rp"], json!({"id": "bets.example.com", "name": "Bolts"}));
    let begun = site().begin_proof(&[]).expect("begun");
    assert_eq!(begun.options["userVerification"], "required");
    assert_eq!(
        begun.options["allowCredentials"],
        json!([]),
        "without a user, no list tells who has a passkey"
    );
    let other = site().begin_proof(&[]).expect("begun");
    assert_ne!(begun.options["challenge"], other.options["challenge"]);
}

#[test]
fn a_page_of_another_origin_is_refused() {
    for origin in [
        "https://evil.example",
        "http://bets.example.com",
        "https://bets.example.com:8443",
        "https://www.bets.example.com",
        "https://bets.example.com.evil.example",
    ] {
        let refused = both(|phone| phone.origin = origin.to_owned());
        assert!(refused.iter().all(Option::is_some), "{origin}: {refused:?}");
    }
}

#[test]
fn a_passkey_of_another_site_is_refused() {
    let refused = both(|phone| phone.site = "evil.example".to_owned());
    assert!(refused.iter().all(Option::is_some), "{refused:?}");
}

#[test]
fn an_authenticator_that_does_not_verify_the_user_is_refused() {
    let refused = both(|phone| phone.verifies_user = false);
    assert!(refused.iter().all(Option::is_some), "{refused:?}");
}

#[test]
fn an_answer_to_another_challenge_is_refused() {
    let mut phone = Authenticator::new("phone", ORIGIN);
    let known = registered(&mut phone);
    let (first, second) = (site().begin_proof(&[]).expect("begun"), site().begin_proof(&[]).expect("begun"));
    let answer = phone.sign(&first.options);
    assert!(site().finish_proof(&second.state, &known.credential, answer).is_err());
    let registration = site().begin_registration(user(), "ann@example.com", &[]).expect("begun");
    let other = site().begin_registration(user(), "ann@example.com", &[]).expect("begun");
    assert!(site().finish_registration(&other.state, phone.register(&registration.options)).is_err());
}

#[test]
fn a_registration_is_no_proof_and_a_proof_no_registration() {
    let mut phone = Authenticator::new("phone", ORIGIN);
    let known = registered(&mut phone);
    let begun = site().begin_proof(&[]).expect("begun");
    let answer = phone.register(&begun.options);
    assert!(site().finish_proof(&begun.state, &known.credential, answer).is_err());
    let begun = site().begin_registration(user(), "ann@example.com", &[]).expect("begun");
    assert!(site().finish_registration(&begun.state, phone.sign(&begun.options)).is_err());
}

#[test]
fn the_key_of_another_passkey_is_refused() {
    let (mut phone, mut thief) = (Authenticator::new("phone", ORIGIN), Authenticator::new("thief", ORIGIN));
    let (known, _) = (registered(&mut phone), registered(&mut thief));
    let begun = site().begin_proof(&[]).expect("begun");
    let mut answer = thief.sign(&begun.options);
    assert!(site().finish_proof(&begun.state, &known.credential, answer.clone()).is_err());
    (answer["id"], answer["rawId"]) = (json!(phone.credential()), json!(phone.credential()));
    assert!(site().finish_proof(&begun.state, &known.credential, answer).is_err());
}

#[test]
fn a_credential_of_a_future_version_is_refused() {
    let mut phone = Authenticator::new("phone", ORIGIN);
    let mut known = registered(&mut phone).credential;
    known.version += 1;
    let begun = site().begin_proof(&[]).expect("begun");
    assert!(site().finish_proof(&begun.state, &known, phone.sign(&begun.options)).is_err());
}

#[test]
fn an_address_without_a_domain_has_no_passkeys() {
    for origin in
        ["http://127.0.0.1:8080", "https://[::1]", "http://bets.example.com", "bets.example.com", ""]
    {
        assert!(Site::at(origin).is_err(), "{origin}");
    }
    for origin in ["http://localhost:8080", "https://bets.example.com:8443"] {
        assert!(Site::at(origin).is_ok(), "{origin}");
    }
}

/// Each member of an answer replaced by something else, in turn.
fn broken(answer: &Value) -> Vec<Value> {
    let mut all = vec![json!(null), json!([]), json!({}), json!("x")];
    let values =
        [json!(null), json!(1), json!(""), json!("!"), json!("AAAA"), json!({}), json!("A".repeat(20_000))];
    for path in [
        "/id",
        "/rawId",
        "/type",
        "/response",
        "/response/clientDataJSON",
        "/response/signature",
        "/response/authenticatorData",
        "/response/attestationObject",
        "/response/userHandle",
    ] {
        for value in &values {
            let mut changed = answer.clone();
            let Some(place) = changed.pointer_mut(path) else { continue };
            *place = value.clone();
            all.push(changed);
        }
    }
    all
}

#[test]
fn a_malformed_answer_is_refused_without_a_panic() {
    let mut phone = Authenticator::new("phone", ORIGIN);
    let known = registered(&mut phone);
    let begun = site().begin_proof(&[]).expect("begun");
    let answer = phone.sign(&begun.options);
    for changed in broken(&answer) {
        // The library ignores the id in text and the type, and reads the same id in bytes.
        let is_ignored = changed["response"] == answer["response"] && changed["rawId"] == answer["rawId"];
        let outcome = site()
            .claim(&changed)
            .and_then(|_| site().finish_proof(&begun.state, &known.credential, changed.clone()));
        let only_handle = changed.pointer("/response/signature") == answer.pointer("/response/signature")
            && changed.pointer("/response/clientDataJSON") == answer.pointer("/response/clientDataJSON")
            && changed.pointer("/response/authenticatorData")
                == answer.pointer("/response/authenticatorData");
        assert!(outcome.is_err() || is_ignored || only_handle, "{changed}");
    }
    let begun = site().begin_registration(user(), "ann@example.com", &[]).expect("begun");
    let answer = phone.register(&begun.options);
    for changed in broken(&answer) {
        let is_ignored = changed["response"] == answer["response"];
        assert!(
            site().finish_registration(&begun.state, changed.clone()).is_err() || is_ignored,
            "{changed}"
        );
    }
    let encode = |bytes: &[u8]| {
        use base64::Engine;
        json!(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
    };
    // Lists in lists, a length that is longer than the data, and every shorter object.
    let mut objects = vec![
        vec![0x81; 30_000],
        vec![0x9f; 30_000],
        vec![0x5b, 255, 255, 255, 255, 255, 255, 255, 255],
        vec![0xbb, 255, 255, 255, 255, 255, 255, 255, 255],
        attestation(&[]),
        attestation(&[0; 36]),
    ];
    let text = answer["response"]["attestationObject"].as_str().expect("text");
    let whole = base64_bytes(text);
    objects.extend((0..whole.len()).map(|length| whole[..length].to_vec()));
    let finish = |object: &[u8]| {
        let mut changed = answer.clone();
        changed["response"]["attestationObject"] = encode(object);
        site().finish_registration(&begun.state, changed)
    };
    assert!(objects.iter().all(|object| finish(object).is_err()));
    // Only the model of the authenticator, the counter and the credential id may have any value.
    let is_accepted = |at: &usize| {
        let mut changed = whole.clone();
        changed[*at] ^= 0xff;
        finish(&changed).is_ok()
    };
    let accepted = (0..whole.len()).filter(is_accepted).count();
    assert!(accepted <= 16 + 4 + 32, "{accepted} of {}", whole.len());
}

fn base64_bytes(text: &str) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(text).expect("base64url")
}
