//! Passkeys. Each test names the attack that it tries.

use std::net::IpAddr;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use bolts_factors::PasskeyName;
use bolts_kernel::PasskeyId;
use bolts_testkit::authenticator::Authenticator;
use bolts_testkit::{DAY, HOUR};
use bolts_usecases::accounts::{
    CeremonyError, NewCeremony, PasskeyAnswer, PasskeyError, PasskeySignInError, PasswordError, Proof,
    RemovalError, SecondFactorRequired, SecondStepError, SignInError, StepUpError, StepUpRequired, Visitor,
};
use bolts_usecases::wallet::WithdrawError;
use futures_executor::block_on;
use serde_json::{Value, json};

use crate::harness::{Client, Server};
use crate::stage::{ORIGIN, Session, Stage, email, owner};

const MINUTE: Duration = Duration::from_secs(60);
const WRONG: SecondStepError = SecondStepError::Wrong { field: "passkey" };

fn visitor() -> Visitor {
    Visitor::from(IpAddr::from([203, 0, 113, 7]))
}

fn name() -> PasskeyName {
    PasskeyName::parse("Phone").expect("a name")
}

fn answered(begun: &NewCeremony, credential: Value) -> PasskeyAnswer {
    PasskeyAnswer { ceremony: begun.ceremony.clone(), credential }
}

fn signed(begun: &NewCeremony, phone: &mut Authenticator) -> PasskeyAnswer {
    answered(begun, phone.sign(&begun.options))
}

fn begin(stage: &Stage, session: &Session) -> Result<NewCeremony, PasskeyError> {
    block_on(stage.app.begin_passkey(owner(session), "secret".to_owned()))
}

fn add(
    stage: &Stage,
    session: &Session,
    begun: &NewCeremony,
    phone: &mut Authenticator,
) -> Result<Vec<String>, PasskeyError> {
    let answer = answered(begun, phone.register(&begun.options));
    let codes = block_on(stage.app.add_passkey(owner(session), name(), answer))?;
    Ok(codes.iter().map(|code| code.as_str().to_owned()).collect())
}

/// Adds a passkey to the account. 5 minutes later no proof of it is fresh.
pub(crate) fn protect(stage: &Stage, session: &Session, device: &str) -> (Authenticator, Vec<String>) {
    let mut phone = Authenticator::new(device, ORIGIN);
    let begun = begin(stage, session).expect("begun");
    let codes = add(stage, session, &begun, &mut phone).expect("added");
    stage.clock.advance(5 * MINUTE);
    (phone, codes)
}

fn sign_in(stage: &Stage, phone: &mut Authenticator) -> Result<Session, PasskeySignInError> {
    let begun = block_on(stage.app.begin_passkey_sign_in(visitor())).expect("begun");
    block_on(stage.app.sign_in_with_passkey(signed(&begun, phone), visitor()))
}

fn challenge(stage: &Stage, user: &str) -> SecondFactorRequired {
    match stage.sign_in(user, "secret") {
        Err(SignInError::SecondFactorRequired(required)) => required,
        other => panic!("{other:?}"),
    }
}

fn begin_second(stage: &Stage, challenge: &str) -> NewCeremony {
    block_on(stage.app.begin_second_step(challenge, visitor())).expect("begun")
}

fn finish(stage: &Stage, challenge: &str, answer: PasskeyAnswer) -> Result<Session, SecondStepError> {
    block_on(stage.app.sign_in_with_factor(challenge, Proof::Passkey(answer), visitor()))
}

fn begin_proof(stage: &Stage, session: &Session) -> NewCeremony {
    block_on(stage.app.begin_step_up(owner(session))).expect("begun")
}

fn step_up(stage: &Stage, session: &Session, answer: PasskeyAnswer) -> Result<(), StepUpError> {
    block_on(stage.app.step_up(owner(session), Proof::Passkey(answer))).map(drop)
}

fn prove(stage: &Stage, session: &Session, phone: &mut Authenticator) -> Result<(), StepUpError> {
    step_up(stage, session, signed(&begin_proof(stage, session), phone))
}

fn change_password(stage: &Stage, session: &Session) -> Result<(), PasswordError> {
    block_on(stage.app.change_password(owner(session), "secret".to_owned(), "secret".to_owned()))
}

fn remove(stage: &Stage, session: &Session, id: PasskeyId) -> Result<(), RemovalError> {
    block_on(stage.app.remove_passkey(owner(session), id, None))
}

fn passkeys(stage: &Stage, session: &Session) -> Vec<(PasskeyId, bool)> {
    let factors = stage.app.queries().factors(session.user.id).expect("readable");
    factors.passkeys.iter().map(|passkey| (passkey.id, passkey.is_disabled)).collect()
}

/// The kinds of the user's notifications about factors, newest first.
fn told(stage: &Stage, session: &Session) -> Vec<&'static str> {
    let all = stage.queries().notifications(session.user.id).expect("readable");
    let kinds = all.iter().map(|one| one.body.kind());
    let words = ["factor", "recovery", "passkey", "password"];
    kinds.filter(|kind| words.iter().any(|word| kind.contains(word))).collect()
}

/// The requests of a user with a passkey.
pub(crate) fn live(stage: &Stage, session: &Session) {
    let (mut phone, _) = protect(stage, session, "phone");
    prove(stage, session, &mut phone).expect("proved");
    let again = sign_in(stage, &mut phone).expect("signed in");
    let required = challenge(stage, "dan");
    finish(stage, &required.challenge, signed(&begin_second(stage, &required.challenge), &mut phone))
        .expect("signed in");
    let id = passkeys(stage, &again)[0].0;
    block_on(stage.app.rename_passkey(again.user.id, id, name())).expect("renamed");
    sign_in(stage, &mut phone.clone()).expect("signed in");
    assert_eq!(sign_in(stage, &mut phone).err(), Some(PasskeySignInError::Disabled));
    remove(stage, &again, id).expect("removed");
}

#[test]
fn a_passkey_signs_in_alone_as_a_second_step_and_as_a_proof() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (mut phone, codes) = protect(&stage, &ann, "phone");
    assert_eq!((codes.len(), told(&stage, &ann)), (10, vec!["factor_added"]));
    stage.create(&ann, (1_000, "sats"), 2 * DAY).expect("adding rests nothing");

    let alone = sign_in(&stage, &mut phone).expect("signed in");
    assert_eq!(alone.user.id, ann.user.id);
    assert!(stage.is_alive(&alone) && alone.user.has_second_factor);
    assert_eq!(change_password(&stage, &alone), Ok(()), "such a sign-in counts as both factors");
    assert!(!stage.is_alive(&ann), "a change of the password ends the other sessions");

    let required = challenge(&stage, "ann");
    assert_eq!(required.methods, ["passkey", "recoveryCode"]);
    let begun = begin_second(&stage, &required.challenge);
    assert_eq!(begun.options["allowCredentials"][0]["id"], json!(phone.credential()));
    let second = finish(&stage, &required.challenge, signed(&begun, &mut phone)).expect("signed in");

    stage.clock.advance(5 * MINUTE);
    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(stage.withdraw(&second, 1_000), Err(WithdrawError::Password(required)));
    prove(&stage, &second, &mut phone).expect("proved");
    stage.withdraw(&second, 1_000).expect("within 5 minutes");
    let used = stage.app.queries().factors(ann.user.id).expect("readable").passkeys[0].last_used_at;
    assert_eq!(used, Some(stage.app.now()));
}

#[test]
fn an_answer_counts_once_in_its_own_session_for_its_own_purpose_and_for_5_minutes() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (mut phone, _) = protect(&stage, &ann, "phone");
    let other = sign_in(&stage, &mut phone).expect("signed in");
    let wrong = Err(StepUpError::Wrong { field: "passkey" });

    let begun = begin_proof(&stage, &ann);
    let answer = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &other, answer), wrong, "the challenge of another session of the same user");
    let answer = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &ann, answer), wrong, "an attempt in the wrong session uses the challenge up");

    let begun = begin_proof(&stage, &ann);
    let answer = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &ann, answer.clone()), Ok(()));
    assert_eq!(step_up(&stage, &ann, answer), wrong, "a replayed answer");
    let fresh = signed(&begun, &mut phone);
    assert_eq!(step_up(&stage, &ann, fresh), wrong, "a new answer to a used challenge");

    let begun = begin_proof(&stage, &ann);
    stage.clock.advance(5 * MINUTE);
    assert_eq!(step_up(&stage, &ann, signed(&begun, &mut phone)), wrong, "an expired challenge");

    let begun = begin_proof(&stage, &ann);
    let misused = block_on(stage.app.sign_in_with_passkey(signed(&begun, &mut phone), visitor()));
    assert_eq!(misused.err(), Some(PasskeySignInError::Wrong), "a challenge for a proof opens no session");
    let begun = block_on(stage.app.begin_passkey_sign_in(visitor())).expect("begun");
    assert_eq!(step_up(&stage, &ann, signed(&begun, &mut phone)), wrong, "and the other way round");
    let guessed = PasskeyAnswer { ceremony: "x".to_owned(), ..signed(&begun, &mut phone) };
    assert_eq!(step_up(&stage, &ann, guessed), wrong);
    assert!(!format!("{begun:?}").contains(&begun.ceremony), "no secret in a log");

    let (first, second) = (challenge(&stage, "ann"), challenge(&stage, "ann"));
    let begun = begin_second(&stage, &first.challenge);
    let refused = finish(&stage, &second.challenge, signed(&begun, &mut phone));
    assert_eq!(refused.err(), Some(WRONG), "the challenge of another sign-in");
}

#[test]
fn the_passkey_of_another_user_proves_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let (mut phone, _) = protect(&stage, &ann, "ann's phone");
    let (mut other, _) = protect(&stage, &bob, "bob's phone");
    assert_eq!(prove(&stage, &ann, &mut other), Err(StepUpError::Wrong { field: "passkey" }));
    let required = challenge(&stage, "ann");
    let begun = begin_second(&stage, &required.challenge);
    assert_eq!(finish(&stage, &required.challenge, signed(&begun, &mut other)).err(), Some(WRONG));

    // The authenticator names another user than the owner of the passkey, or none.
    let handle = phone.handle.clone();
    for lie in [other.handle.clone(), Some("AAAA".to_owned()), None] {
        phone.handle = lie.clone();
        assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Wrong), "{lie:?}");
    }
    // A proof of a user who is known already needs no handle: old authenticators give none.
    prove(&stage, &ann, &mut phone).expect("proved");
    phone.handle = handle;
    assert_eq!(sign_in(&stage, &mut phone).expect("signed in").user.id, ann.user.id);

    let begun = begin(&stage, &bob);
    assert_eq!(begun.err(), Some(PasskeyError::Password(PasswordError::StepUpRequired(StepUpRequired))));
    prove(&stage, &bob, &mut other).expect("proved");
    let begun = begin(&stage, &bob).expect("begun");
    let stolen = add(&stage, &bob, &begun, &mut phone.clone());
    assert_eq!(stolen.err(), Some(PasskeyError::Refused), "a credential id belongs to one passkey");
    assert_eq!(passkeys(&stage, &bob).len(), 1);
}

#[test]
fn a_copy_of_a_passkey_disables_it_and_the_user_is_told() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (mut phone, codes) = protect(&stage, &ann, "phone");
    let mut copy = phone.clone();
    sign_in(&stage, &mut phone).expect("signed in");
    sign_in(&stage, &mut phone).expect("signed in");
    assert_eq!(sign_in(&stage, &mut copy).err(), Some(PasskeySignInError::Disabled), "an old counter");
    assert_eq!(told(&stage, &ann), ["passkey_disabled", "factor_added"]);
    assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Disabled), "the true one too");
    let required = challenge(&stage, "ann");
    assert_eq!(required.methods, ["recoveryCode"], "the password alone still does not suffice");
    let begun = block_on(stage.app.begin_second_step(&required.challenge, visitor()));
    assert_eq!(begun.err(), Some(CeremonyError::HasNone));

    // The user enters with a recovery code, removes the passkey, and adds it anew.
    let code = Proof::RecoveryCode(codes[0].clone());
    let back =
        block_on(stage.app.sign_in_with_factor(&required.challenge, code, visitor())).expect("signed in");
    let [(id, true)] = passkeys(&stage, &back)[..] else { panic!("one disabled passkey") };
    remove(&stage, &back, id).expect("removed");
    let (mut new, _) = protect(&stage, &back, "phone");
    sign_in(&stage, &mut new).expect("signed in");
}

#[test]
fn a_copy_is_seen_in_the_second_step_and_in_a_session_too() {
    for in_session in [true, false] {
        let stage = Stage::new();
        let ann = stage.user("ann");
        let (mut phone, _) = protect(&stage, &ann, "phone");
        let mut copy = phone.clone();
        prove(&stage, &ann, &mut phone).expect("proved");
        let required = challenge(&stage, "ann");
        if in_session {
            assert_eq!(prove(&stage, &ann, &mut copy), Err(StepUpError::PasskeyDisabled));
        } else {
            let begun = begin_second(&stage, &required.challenge);
            let refused = finish(&stage, &required.challenge, signed(&begun, &mut copy));
            assert_eq!(refused.err(), Some(SecondStepError::PasskeyDisabled));
        }
        assert_eq!((told(&stage, &ann)[0], passkeys(&stage, &ann)[0].1), ("passkey_disabled", true));
    }
}

#[test]
fn of_two_authenticators_with_one_counter_at_the_same_time_one_enters() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, _) = protect(&stage, &ann, "phone");
    let begun: Vec<_> =
        (0..4).map(|_| block_on(stage.app.begin_passkey_sign_in(visitor())).expect("begun")).collect();
    let barrier = Barrier::new(begun.len());
    let entered = thread::scope(|scope| {
        let racing: Vec<_> = begun
            .iter()
            .map(|begun| {
                let (answer, barrier, app) = (signed(begun, &mut phone.clone()), &barrier, &stage.app);
                scope.spawn(move || {
                    barrier.wait();
                    block_on(app.sign_in_with_passkey(answer, visitor())).is_ok()
                })
            })
            .collect();
        racing.into_iter().map(|one| one.join().expect("no panic")).filter(|entered| *entered).count()
    });
    assert_eq!((entered, passkeys(&stage, &ann)[0].1), (1, true));
}

#[test]
fn an_authenticator_without_a_counter_is_never_taken_for_a_copy() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let mut synced = Authenticator::new("synced", ORIGIN);
    synced.counter = None;
    let begun = begin(&stage, &ann).expect("begun");
    add(&stage, &ann, &begun, &mut synced).expect("added");
    for _ in 0..3 {
        sign_in(&stage, &mut synced.clone()).expect("signed in");
    }
}

#[test]
fn removing_a_passkey_rests_the_sats_and_the_codes_stay_until_the_last_factor_goes() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (mut phone, _) = protect(&stage, &ann, "phone");
    prove(&stage, &ann, &mut phone).expect("proved");
    let (_, more) = protect(&stage, &ann, "key");
    assert_eq!(more.len(), 0, "the codes of the first factor stay");
    let [(first, _), (second, _)] = passkeys(&stage, &ann)[..] else { panic!("two passkeys") };
    assert_eq!(
        remove(&stage, &ann, first),
        Err(RemovalError::StepUpRequired(StepUpRequired)),
        "a stolen session"
    );
    let proof = Proof::Passkey(signed(&begin_proof(&stage, &ann), &mut phone));
    block_on(stage.app.remove_passkey(owner(&ann), second, Some(proof))).expect("removed with a proof");
    assert!(matches!(stage.withdraw(&ann, 1_000), Err(WithdrawError::Resting { .. })));
    assert_eq!(told(&stage, &ann)[0], "factor_removed");
    let left = || stage.app.queries().factors(ann.user.id).expect("readable").recovery_codes_left;
    assert_eq!(left(), 10);
    let bob = stage.user("bob");
    assert_eq!(remove(&stage, &bob, first), Err(RemovalError::HasNone), "of another user");
    remove(&stage, &ann, first).expect("removed");
    assert_eq!(left(), 0);
    assert!(!stage.sign_in("ann", "secret").expect("the password alone").user.has_second_factor);
    assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Wrong), "a removed passkey");
    stage.clock.advance(DAY + HOUR);
    stage.create(&ann, (1_000, "sats"), DAY).expect("the rest is over");
}

#[test]
fn a_registration_needs_the_password_and_ends_in_its_own_session() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let wrong = block_on(stage.app.begin_passkey(owner(&ann), "wrong".to_owned()));
    assert_eq!(wrong.err(), Some(PasskeyError::Password(PasswordError::WrongCurrent)));
    let other = stage.sign_in("ann", "secret").expect("signed in");
    let mut phone = Authenticator::new("phone", ORIGIN);
    let begun = begin(&stage, &ann).expect("begun");
    assert_eq!(add(&stage, &other, &begun, &mut phone).err(), Some(PasskeyError::NotBegun));
    assert_eq!(add(&stage, &ann, &begun, &mut phone).err(), Some(PasskeyError::NotBegun), "used up");

    let begun = begin(&stage, &ann).expect("begun");
    phone.verifies_user = false;
    assert_eq!(add(&stage, &ann, &begun, &mut phone).err(), Some(PasskeyError::Refused));
    phone.verifies_user = true;
    let begun = begin(&stage, &ann).expect("begun");
    stage.clock.advance(5 * MINUTE);
    assert_eq!(add(&stage, &ann, &begun, &mut phone).err(), Some(PasskeyError::NotBegun), "expired");

    let begun = begin(&stage, &ann).expect("begun");
    let root = stage.admin("root");
    block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
    let late = add(&stage, &ann, &begun, &mut phone);
    assert_eq!(late.err(), Some(PasskeyError::Password(PasswordError::SignedOut)), "a reset wins");
}

#[test]
fn a_user_has_at_most_ten_passkeys() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let mut last = Authenticator::new("0", ORIGIN);
    let waiting = begin(&stage, &ann).expect("begun");
    for index in 0..10 {
        let mut device = Authenticator::new(&index.to_string(), ORIGIN);
        let begun = begin(&stage, &ann).expect("begun");
        add(&stage, &ann, &begun, &mut device).expect("added");
        last = device;
    }
    assert_eq!(begin(&stage, &ann).err(), Some(PasskeyError::TooMany));
    let mut eleventh = Authenticator::new("eleventh", ORIGIN);
    assert_eq!(add(&stage, &ann, &waiting, &mut eleventh).err(), Some(PasskeyError::TooMany), "begun before");
    sign_in(&stage, &mut last).expect("signed in");
}

#[test]
fn a_reset_of_the_password_keeps_the_passkey_and_the_operator_removes_it() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (mut phone, _) = protect(&stage, &ann, "phone");
    let root = stage.admin("root");
    let password = block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
    assert!(matches!(stage.sign_in("ann", &password), Err(SignInError::SecondFactorRequired(_))));
    assert_eq!(told(&stage, &ann)[0], "password_set_by_admin");
    let session = sign_in(&stage, &mut phone).expect("signed in");
    block_on(stage.app.reset_second_factors("ann@example.com")).expect("reset").expect("known");
    assert!(!stage.is_alive(&session) && passkeys(&stage, &ann).is_empty());
    assert_eq!(sign_in(&stage, &mut phone).err(), Some(PasskeySignInError::Wrong));
    assert_eq!(told(&stage, &ann)[0], "factor_removed");
}

#[test]
fn new_recovery_codes_need_a_proof_and_end_the_old_ones_at_once() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let replace = |session: &Session| block_on(stage.app.replace_recovery_codes(owner(session)));
    assert_eq!(replace(&bob).err(), Some(RemovalError::HasNone));
    let (mut phone, old) = protect(&stage, &ann, "phone");
    assert_eq!(replace(&ann).err(), Some(RemovalError::StepUpRequired(StepUpRequired)), "a stolen session");
    prove(&stage, &ann, &mut phone).expect("proved");
    let new = replace(&ann).expect("replaced");
    assert_eq!((new.len(), told(&stage, &ann)[0]), (10, "recovery_codes_replaced"));
    let enter = |code: &str| {
        let required = challenge(&stage, "ann");
        let proof = Proof::RecoveryCode(code.to_owned());
        block_on(stage.app.sign_in_with_factor(&required.challenge, proof, visitor()))
    };
    let wrong = SecondStepError::Wrong { field: "recoveryCode" };
    assert_eq!(enter(&old[0]).err(), Some(wrong));
    enter(new[0].as_str()).expect("signed in");
}

#[test]
fn a_changed_password_is_told() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    assert_eq!(change_password(&stage, &ann), Ok(()));
    assert_eq!(told(&stage, &ann), ["password_changed"]);
}

const SITE: &str = "https://bets.example";

fn server() -> Server {
    Server::start_with(&["--signups-per-hour", "0", "--public-url", SITE])
}

/// A browser that shows pages of the site.
fn browser(server: &Server) -> Client {
    server.client().at(SITE)
}

fn user(server: &Server, name: &str) -> Client {
    let client = browser(server);
    client.register(&email(name));
    client
}

/// Makes a passkey of the signed-in user. Returns the recovery codes.
fn register(client: &Client, phone: &mut Authenticator) -> Value {
    let begun = client.post("/api/auth/passkeys/options", json!({"password": "secret"})).ok(200);
    let credential = phone.register(&begun["publicKey"]);
    let body = json!({"name": "Phone", "ceremony": begun["ceremony"], "credential": credential});
    client.post("/api/auth/passkeys", body).ok(200)["recoveryCodes"].clone()
}

fn begin_sign_in(client: &Client) -> Value {
    client.post("/api/auth/login/passkey/options", json!({})).ok(200)
}

fn body(begun: &Value, phone: &mut Authenticator) -> Value {
    json!({"ceremony": begun["ceremony"], "credential": phone.sign(&begun["publicKey"])})
}

#[test]
fn a_passkey_over_http() {
    let server = server();
    assert_eq!(browser(&server).get("/api/config").ok(200)["hasPasskeys"], true);
    let ann = user(&server, "ann");
    let mut phone = Authenticator::new("phone", SITE);
    assert_eq!(register(&ann, &mut phone).as_array().map(Vec::len), Some(10));
    let factors = ann.get("/api/auth/factors").ok(200);
    assert_eq!((&factors["totp"], &factors["recoveryCodesLeft"]), (&json!(false), &json!(10)));
    let passkey = &factors["passkeys"][0];
    assert_eq!((&passkey["name"], &passkey["lastUsedAt"]), (&json!("Phone"), &json!(null)));
    let path = format!("/api/auth/passkeys/{}", passkey["id"].as_str().expect("an id"));

    let client = browser(&server);
    let begun = begin_sign_in(&client);
    assert_eq!(begun["publicKey"]["allowCredentials"], json!([]), "nothing tells who has an account");
    let signed_in = client.post("/api/auth/login/passkey", body(&begun, &mut phone)).ok(200);
    assert_eq!(signed_in["email"], "ann@example.com");
    let begun = client.post("/api/auth/step-up/options", json!({})).ok(200);
    client.post("/api/auth/step-up", json!({"passkey": body(&begun, &mut phone)})).ok(200);
    client.page("PATCH", &path, Some(&json!({"name": "Old phone"}))).ok(200);
    client.page("PATCH", &path, Some(&json!({"name": " "}))).invalid(&["name"]);
    assert_eq!(client.get("/api/auth/factors").ok(200)["passkeys"][0]["name"], "Old phone");
    assert_eq!(
        client.post("/api/auth/recovery-codes", json!({})).ok(200)["recoveryCodes"].as_array().map(Vec::len),
        Some(10)
    );

    let second = browser(&server);
    let credentials = json!({"email": "ann@example.com", "password": "secret"});
    let problem = second.post("/api/auth/login", credentials).problem(401, "second_factor_required");
    assert_eq!(problem["methods"], json!(["passkey", "recoveryCode"]));
    let challenge = &problem["challenge"];
    let begun = second.post("/api/auth/login/factor/options", json!({"challenge": challenge})).ok(200);
    let proof = json!({"challenge": challenge, "passkey": body(&begun, &mut phone)});
    second.post("/api/auth/login/factor", proof.clone()).ok(200);
    browser(&server).post("/api/auth/login/factor", proof).problem(401, "challenge_gone");
    browser(&server)
        .post("/api/auth/login/factor/options", json!({"challenge": challenge}))
        .problem(401, "challenge_gone");

    let bob = user(&server, "bob");
    bob.page("PATCH", &path, Some(&json!({"name": "Mine"}))).problem(404, "factor_not_found");
    bob.page("DELETE", &path, Some(&json!({}))).problem(404, "factor_not_found");
    client.page("DELETE", &path, Some(&json!({}))).ok(200);
    client.post("/api/auth/step-up/options", json!({})).problem(404, "factor_not_found");
    server.assert_audit_clean();
}

#[test]
fn lies_of_a_browser_are_refused_alike() {
    let server = server();
    let ann = user(&server, "ann");
    let mut phone = Authenticator::new("phone", SITE);
    register(&ann, &mut phone);
    let refused = |begun: &Value, phone: &mut Authenticator, attack: &str| {
        let answer = browser(&server).post("/api/auth/login/passkey", body(begun, phone));
        let problem = answer.problem(401, "invalid_credentials");
        (problem["detail"].clone(), attack.to_owned())
    };
    let begin = || begin_sign_in(&browser(&server));
    let mut page = phone.clone();
    page.origin = "https://evil.example".to_owned();
    let mut other = phone.clone();
    other.site = "evil.example".to_owned();
    let mut lazy = phone.clone();
    lazy.verifies_user = false;
    let mut stranger = Authenticator::new("stranger", SITE);
    stranger.handle.clone_from(&phone.handle);
    let mut answers = vec![
        refused(&begin(), &mut page, "a page of another origin"),
        refused(&begin(), &mut other, "another relying party"),
        refused(&begin(), &mut lazy, "no verification of the user"),
        refused(&begin(), &mut stranger, "a passkey that nobody registered"),
    ];
    let begun = begin();
    let foreign = begin();
    let crossed =
        json!({"ceremony": begun["ceremony"], "credential": phone.clone().sign(&foreign["publicKey"])});
    let answer =
        browser(&server).post("/api/auth/login/passkey", crossed).problem(401, "invalid_credentials");
    answers.push((answer["detail"].clone(), "the challenge of another browser".to_owned()));
    let begun = begin();
    let answer = body(&begun, &mut phone);
    browser(&server).post("/api/auth/login/passkey", answer.clone()).ok(200);
    let replayed =
        browser(&server).post("/api/auth/login/passkey", answer).problem(401, "invalid_credentials");
    answers.push((replayed["detail"].clone(), "a replayed answer".to_owned()));
    for (detail, attack) in &answers {
        assert_eq!(*detail, "This passkey was not accepted. Please try again.", "{attack}");
    }
    assert!(!server.log().contains("bets.example"), "an attack fills no log: {}", server.log());
}

#[test]
fn malformed_answers_are_never_a_500() {
    let server = server();
    let ann = user(&server, "ann");
    let mut phone = Authenticator::new("phone", SITE);
    register(&ann, &mut phone);
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let credentials = [
        json!(null),
        json!("text"),
        json!([]),
        json!({}),
        json!({"id": "", "rawId": "", "type": "public-key", "response": {}}),
        json!({"id": 1, "rawId": [], "type": null, "response": "x"}),
        json!({"id": "A", "rawId": "\u{0}", "type": "x", "response": {"clientDataJSON": "!"}}),
    ];
    for credential in &credentials {
        let ceremony = begin_sign_in(&browser(&server))["ceremony"].clone();
        let sent = json!({"ceremony": ceremony, "credential": credential, "name": "x"});
        for (client, path) in [(&browser(&server), "/api/auth/login/passkey"), (&ann, "/api/auth/passkeys")] {
            let answer = client.post(path, sent.clone());
            assert!((400..500).contains(&answer.status), "{path} {sent}: {answer:?}");
        }
        let proof = json!({"passkey": sent});
        let answer = ann.post("/api/auth/step-up", proof);
        assert!((400..500).contains(&answer.status), "{credential}: {answer:?}");
    }
    for wrong in [json!("x"), json!([]), json!({"ceremony": 1}), json!({"ceremony": "x", "credential": "x"})]
    {
        ann.post("/api/auth/step-up", json!({"passkey": wrong})).invalid(&["passkey"]);
    }
    // Broken CBOR in an answer that is right otherwise, for the registration and for the sign-in.
    for bytes in ["", "gQ", "n5-fn5-f", "W___________", "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkAAA"] {
        let ceremony = ann.post("/api/auth/passkeys/options", json!({"password": "secret"})).ok(200);
        let mut credential = Authenticator::new("new", SITE).register(&ceremony["publicKey"]);
        credential["response"]["attestationObject"] = json!(bytes);
        let new = json!({"name": "x", "ceremony": ceremony["ceremony"], "credential": credential});
        ann.post("/api/auth/passkeys", new).invalid(&["credential"]);
        for member in ["authenticatorData", "clientDataJSON", "signature"] {
            let begun = begin_sign_in(&browser(&server));
            let mut forged = body(&begun, &mut phone);
            forged["credential"]["response"][member] = json!(bytes);
            browser(&server).post("/api/auth/login/passkey", forged).problem(401, "invalid_credentials");
        }
    }
    let headers = [("Content-Type", "application/json"), ("Origin", SITE)];
    let nested = format!("{{\"ceremony\":\"x\",\"credential\":{deep}}}");
    browser(&server)
        .send("POST", "/api/auth/login/passkey", &headers, &nested)
        .problem(400, "malformed_json");
    let large = json!({"ceremony": "x", "credential": {"id": "A".repeat(70_000)}});
    browser(&server).post("/api/auth/login/passkey", large).problem(413, "body_too_large");
    let long = json!({"ceremony": "x".repeat(65), "credential": {}});
    browser(&server).post("/api/auth/login/passkey", long).invalid(&["ceremony"]);
}

#[test]
fn a_network_begins_a_limited_number_of_ceremonies() {
    let server = Server::start_with(&["--signins-per-minute", "3", "--public-url", SITE]);
    let begin = || browser(&server).post("/api/auth/login/passkey/options", json!({}));
    for _ in 0..3 {
        begin().ok(200);
    }
    begin().problem(429, "too_many_requests");
    let wrong = json!({"ceremony": "x", "credential": {}});
    for _ in 0..3 {
        browser(&server).post("/api/auth/login/passkey", wrong.clone()).problem(401, "invalid_credentials");
    }
    browser(&server).post("/api/auth/login/passkey", wrong).problem(429, "too_many_requests");
}

#[test]
fn a_site_without_an_address_has_no_passkeys() {
    let server = Server::start();
    assert_eq!(server.client().get("/api/config").ok(200)["hasPasskeys"], false);
    let ann = server.user("ann");
    ann.post("/api/auth/passkeys/options", json!({"password": "secret"})).problem(409, "passkeys_off");
    let in_numbers = Server::start_with(&["--public-url", "https://192.0.2.1"]);
    assert_eq!(in_numbers.client().get("/api/config").ok(200)["hasPasskeys"], false);
    assert!(in_numbers.log().contains("passkeys need a domain name"), "{}", in_numbers.log());
}

#[test]
fn a_passkey_gives_admin_rights_that_need_a_second_factor() {
    let server =
        Server::start_with(&["--signups-per-hour", "0", "--require-admin-2fa", "--public-url", SITE]);
    let root = user(&server, "root");
    let granted = server.command(&["admin", "grant", "root@example.com"]);
    assert!(granted.status.success(), "{granted:?}");
    root.get("/api/admin/actions").problem(403, "not_allowed");
    let mut phone = Authenticator::new("phone", SITE);
    register(&root, &mut phone);
    root.get("/api/admin/actions").ok(200);
    let reset = server.command(&["user", "reset-2fa", "root@example.com"]);
    assert!(reset.status.success(), "{reset:?}");
    let begun = begin_sign_in(&browser(&server));
    let answer = browser(&server).post("/api/auth/login/passkey", body(&begun, &mut phone));
    answer.problem(401, "invalid_credentials");
    let credentials = json!({"email": "root@example.com", "password": "secret"});
    root.post("/api/auth/login", credentials).ok(200);
    root.get("/api/admin/actions").problem(403, "not_allowed");
}
