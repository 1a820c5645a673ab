//! Second factors. Each test names the attack that it tries.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use bolts_factors::{Step, TotpSecret};
use bolts_ports::Clock;
use bolts_testkit::{DAY, HOUR};
use bolts_usecases::accounts::{
    PasswordError, Proof, RemovalError, SecondFactorRequired, SecondStepError, SignInError, StepUpError,
    StepUpRequired, TotpError, Visitor,
};
use bolts_usecases::bets::CreateError;
use bolts_usecases::wallet::WithdrawError;
use futures_executor::block_on;
use serde_json::{Value, json};

use crate::harness::{Client, Server};
use crate::stage::{Session, Stage, email, owner};

const STEP: Duration = Duration::from_secs(30);
const MINUTE: Duration = Duration::from_secs(60);

/// The phone of a user.
pub(crate) struct Phone(TotpSecret);

impl Phone {
    pub(crate) fn with(secret: &str) -> Self {
        Self(TotpSecret::parse(secret).expect("a secret"))
    }

    /// The code that the phone shows, `steps` of 30 seconds from now.
    fn code(&self, stage: &Stage, steps: i64) -> Proof {
        Proof::Code(self.digits(stage, steps))
    }

    fn digits(&self, stage: &Stage, steps: i64) -> String {
        let step = Step::at(stage.clock.now()).number() + steps;
        self.0.code(Step::from_number(step).expect("after 1970"))
    }

    /// The code at the real time.
    pub(crate) fn now(&self, steps: i64) -> String {
        let seconds = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("after 1970").as_secs();
        let step = i64::try_from(seconds / 30).expect("before 9999") + steps;
        self.0.code(Step::from_number(step).expect("after 1970"))
    }
}

/// Adds an authenticator app to the account. Two steps later no code of it is used.
fn protect(stage: &Stage, session: &Session) -> (Phone, Vec<String>) {
    let new = block_on(stage.app.begin_totp(owner(session), "secret".to_owned())).expect("begun");
    let phone = Phone::with(&new.secret);
    let codes = block_on(stage.app.confirm_totp(owner(session), phone.digits(stage, 0))).expect("confirmed");
    stage.clock.advance(2 * STEP);
    (phone, codes.iter().map(|code| code.as_str().to_owned()).collect())
}

/// The first step of a sign-in with the right password.
fn challenge(stage: &Stage, name: &str) -> SecondFactorRequired {
    match stage.sign_in(name, "secret") {
        Err(SignInError::SecondFactorRequired(required)) => required,
        other => panic!("{other:?}"),
    }
}

fn visitor() -> Visitor {
    Visitor::from(std::net::IpAddr::from([203, 0, 113, 7]))
}

fn finish(stage: &Stage, challenge: &str, proof: Proof) -> Result<Session, SecondStepError> {
    block_on(stage.app.sign_in_with_factor(challenge, proof, visitor()))
}

fn step_up(stage: &Stage, session: &Session, proof: Proof) -> Result<(), StepUpError> {
    block_on(stage.app.step_up(owner(session), proof)).map(drop)
}

/// Changes the password, which gives the session a new secret.
fn change_password(stage: &Stage, session: &mut Session) -> Result<(), PasswordError> {
    let change = stage.app.change_password(owner(session), "secret".to_owned(), "secret".to_owned());
    session.secret = block_on(change)?;
    Ok(())
}

/// The kinds of the user's notifications about factors, newest first.
fn told(stage: &Stage, session: &Session) -> Vec<&'static str> {
    let all = stage.queries().notifications(session.user.id).expect("readable");
    let kinds = all.iter().map(|one| one.body.kind());
    kinds.filter(|kind| kind.contains("factor") || kind.contains("recovery")).collect()
}

const WRONG: SecondStepError = SecondStepError::Wrong { field: "code" };

#[test]
fn a_sign_in_needs_password_and_code() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, codes) = protect(&stage, &ann);
    assert_eq!(codes.len(), 10);
    assert_eq!(stage.sign_in("ann", "wrong").err(), Some(SignInError::WrongCredentials));
    let required = challenge(&stage, "ann");
    assert_eq!(required.methods, ["code", "recoveryCode"]);
    assert_eq!(finish(&stage, &required.challenge, Proof::Code("000000".to_owned())).err(), Some(WRONG));
    let session = finish(&stage, &required.challenge, phone.code(&stage, 0)).expect("signed in");
    assert!(stage.is_alive(&session) && session.user.has_second_factor);
    assert!(stage.is_alive(&ann), "the session that added the factor goes on");
    assert_eq!(told(&stage, &ann), ["factor_added"]);
}

#[test]
fn a_watched_code_and_a_used_challenge_are_of_no_use() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, _) = protect(&stage, &ann);
    let (first, second) = (challenge(&stage, "ann"), challenge(&stage, "ann"));
    let code = phone.code(&stage, 0);
    finish(&stage, &first.challenge, code.clone()).expect("signed in");
    assert_eq!(finish(&stage, &second.challenge, code).err(), Some(WRONG), "replayed code");
    assert_eq!(finish(&stage, &second.challenge, phone.code(&stage, -1)).err(), Some(WRONG), "older code");
    let next = phone.code(&stage, 1);
    let replayed = finish(&stage, &first.challenge, next.clone());
    assert_eq!(replayed.err(), Some(SecondStepError::ChallengeGone), "replayed challenge");
    let fresh = finish(&stage, &second.challenge, next.clone()).expect("the code of the next step");
    assert_eq!(step_up(&stage, &fresh, next), Err(StepUpError::Wrong { field: "code" }), "used at sign-in");
}

/// The attack: somebody who saw a code or a recovery code uses it where it was not used yet.
#[test]
fn a_code_counts_once_for_sign_in_proof_and_removal_together() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, codes) = protect(&stage, &ann);
    let recovery = Proof::RecoveryCode(codes[0].clone());
    for (proof, field) in [(phone.code(&stage, 0), "code"), (recovery, "recoveryCode")] {
        step_up(&stage, &ann, proof.clone()).expect("proved");
        let required = challenge(&stage, "ann");
        let entered = finish(&stage, &required.challenge, proof.clone()).err();
        assert_eq!(entered, Some(SecondStepError::Wrong { field }));
        let removed = block_on(stage.app.remove_totp(owner(&ann), Some(proof)));
        assert_eq!(removed, Err(RemovalError::Proof(StepUpError::Wrong { field })));
    }
}

#[test]
fn a_challenge_of_another_user_or_a_guessed_one_opens_nothing() {
    let stage = Stage::new();
    let (ann, bob) = (stage.user("ann"), stage.user("bob"));
    let (phone, _) = protect(&stage, &ann);
    let (other, _) = protect(&stage, &bob);
    let required = challenge(&stage, "ann");
    assert_eq!(finish(&stage, &required.challenge, other.code(&stage, 0)).err(), Some(WRONG));
    for guess in ["", "x", &"A".repeat(43)] {
        let refused = finish(&stage, guess, phone.code(&stage, 0));
        assert_eq!(refused.err(), Some(SecondStepError::ChallengeGone), "{guess}");
    }
    assert!(!format!("{required:?}").contains(&required.challenge), "no challenge in a log");
}

#[test]
fn a_challenge_ends_after_5_minutes_5_wrong_codes_or_a_new_password() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, _) = protect(&stage, &ann);
    let gone = Some(SecondStepError::ChallengeGone);

    let slow = challenge(&stage, "ann");
    stage.clock.advance(5 * MINUTE);
    assert_eq!(finish(&stage, &slow.challenge, phone.code(&stage, 0)).err(), gone);

    let guessed = challenge(&stage, "ann");
    for _ in 0..5 {
        assert_eq!(finish(&stage, &guessed.challenge, Proof::Code("000000".to_owned())).err(), Some(WRONG));
    }
    assert_eq!(finish(&stage, &guessed.challenge, phone.code(&stage, 0)).err(), gone);

    let root = stage.admin("root");
    let stolen = challenge(&stage, "ann");
    block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
    assert_eq!(finish(&stage, &stolen.challenge, phone.code(&stage, 0)).err(), gone, "a reset wins");
}

#[test]
fn a_reset_wins_over_a_second_step_under_way() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, _) = protect(&stage, &ann);
    let root = stage.admin("root");
    for round in 0..10_u8 {
        stage.clock.advance(2 * STEP);
        let password = block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
        let required = match stage.sign_in("ann", &password) {
            Err(SignInError::SecondFactorRequired(required)) => required,
            other => panic!("{other:?}"),
        };
        let (code, barrier) = (phone.code(&stage, 0), Barrier::new(2));
        let session = thread::scope(|scope| {
            let signing_in = scope.spawn(|| {
                barrier.wait();
                finish(&stage, &required.challenge, code)
            });
            barrier.wait();
            block_on(stage.app.reset_password(root, &email("ann"))).expect("reset");
            signing_in.join().expect("no panic")
        });
        if let Ok(session) = session {
            assert!(!stage.is_alive(&session), "round {round}: a session outlived the reset");
        }
    }
}

#[test]
fn guesses_are_limited_per_user_whatever_the_network_and_lock_no_known_browser_out() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, _) = protect(&stage, &ann);
    let (mut judged, mut refused) = (0, 0);
    for guess in 0..40_u8 {
        let required = challenge(&stage, "ann");
        let from = Visitor::from(std::net::IpAddr::from([198, 51, 100, guess]));
        let wrong = Proof::Code("000000".to_owned());
        match block_on(stage.app.sign_in_with_factor(&required.challenge, wrong, from)) {
            Err(SecondStepError::Wrong { .. }) => judged += 1,
            Err(SecondStepError::TooMany(_)) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((judged, refused), (10, 30));
    let own = Visitor { device: Some(ann.device.clone()), ..visitor() };
    let required = challenge(&stage, "ann");
    let signed_in = block_on(stage.app.sign_in_with_factor(&required.challenge, phone.code(&stage, 0), own));
    assert!(signed_in.is_ok(), "the browser that Ann used before has a count of its own");
    // A stolen session does not get more guesses either.
    let mut wrong = 0;
    while step_up(&stage, &ann, Proof::Code("000000".to_owned())) == Err(StepUpError::Wrong { field: "code" })
    {
        wrong += 1;
    }
    assert_eq!(wrong, 10);
}

#[test]
fn of_many_requests_with_one_code_one_succeeds() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (phone, codes) = protect(&stage, &ann);
    for proof in [phone.code(&stage, 0), Proof::RecoveryCode(codes[0].clone())] {
        let challenges: Vec<_> = (0..6).map(|_| challenge(&stage, "ann")).collect();
        let barrier = Barrier::new(challenges.len());
        let opened = thread::scope(|scope| {
            let racing: Vec<_> = challenges
                .iter()
                .map(|required| {
                    scope.spawn(|| {
                        barrier.wait();
                        finish(&stage, &required.challenge, proof.clone()).is_ok()
                    })
                })
                .collect();
            racing.into_iter().map(|one| one.join().expect("no panic")).collect::<Vec<_>>()
        });
        assert_eq!(opened.iter().filter(|opened| **opened).count(), 1, "{proof:?}: {opened:?}");
    }
}

#[test]
fn a_recovery_code_opens_the_account_once() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let (_, codes) = protect(&stage, &ann);
    let required = challenge(&stage, "ann");
    let code = Proof::RecoveryCode(codes[3].to_uppercase().replace('-', " "));
    let session = finish(&stage, &required.challenge, code.clone()).expect("signed in");
    assert_eq!(stage.app.queries().factors(ann.user.id).expect("readable").recovery_codes_left, 9);
    assert_eq!(told(&stage, &session)[0], "recovery_code_used");
    let required = challenge(&stage, "ann");
    let wrong = Some(SecondStepError::Wrong { field: "recoveryCode" });
    assert_eq!(finish(&stage, &required.challenge, code).err(), wrong);
    let other = stage.user("bob");
    protect(&stage, &other);
    let foreign = challenge(&stage, "bob");
    let code = Proof::RecoveryCode(codes[4].clone());
    assert_eq!(finish(&stage, &foreign.challenge, code).err(), wrong, "a code of another user");
}

#[test]
fn a_stolen_session_moves_no_sats_and_changes_nothing_without_the_phone() {
    let stage = Stage::new();
    let mut ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (phone, _) = protect(&stage, &ann);
    stage.clock.advance(5 * MINUTE);
    let required = PasswordError::StepUpRequired(StepUpRequired);
    assert_eq!(stage.withdraw(&ann, 1_000), Err(WithdrawError::Password(required.clone())));
    assert_eq!(change_password(&stage, &mut ann), Err(required.clone()));
    let begun = block_on(stage.app.begin_totp(owner(&ann), "secret".to_owned()));
    assert_eq!(begun, Err(TotpError::Password(required)));
    let removed = block_on(stage.app.remove_totp(owner(&ann), None));
    assert_eq!(removed, Err(RemovalError::StepUpRequired(StepUpRequired)));

    step_up(&stage, &ann, phone.code(&stage, 0)).expect("proved");
    stage.clock.advance(4 * MINUTE);
    stage.withdraw(&ann, 1_000).expect("within 5 minutes");
    let mut other = stage.user("bob");
    assert_eq!(change_password(&stage, &mut other), Ok(()), "without a factor nothing is asked");
    stage.clock.advance(MINUTE);
    assert_eq!(change_password(&stage, &mut ann), Err(PasswordError::StepUpRequired(StepUpRequired)));
    step_up(&stage, &ann, phone.code(&stage, 0)).expect("proved");
    assert_eq!(change_password(&stage, &mut ann), Ok(()));
    // Another session of the same user needs a proof of its own.
    let required = challenge(&stage, "ann");
    let mut other = finish(&stage, &required.challenge, phone.code(&stage, 1)).expect("signed in");
    assert_eq!(change_password(&stage, &mut other), Ok(()), "the sign-in was a proof");
    assert!(!stage.is_alive(&ann), "a change of the password ends the other sessions");
}

#[test]
fn a_withdrawal_whose_address_answers_late_needs_the_proof_still_to_be_fresh() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (phone, _) = protect(&stage, &ann);
    step_up(&stage, &ann, phone.code(&stage, 0)).expect("proved");
    let clock = stage.clock.clone();
    stage.while_asking.set(async move { clock.advance(6 * MINUTE) });
    let refused = WithdrawError::Password(PasswordError::StepUpRequired(StepUpRequired));
    assert_eq!(stage.withdraw(&ann, 1_000), Err(refused));
    assert_eq!(stage.sats(&ann), 10_000);
}

#[test]
fn removing_a_factor_begins_a_cooldown_of_a_day_and_adding_one_does_not() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (phone, codes) = protect(&stage, &ann);
    stage.create(&ann, (1_000, "sats"), 2 * DAY).expect("adding begins no cooldown");
    let wrong = Some(Proof::Code("000000".to_owned()));
    let refused = block_on(stage.app.remove_totp(owner(&ann), wrong));
    assert_eq!(refused, Err(RemovalError::Proof(StepUpError::Wrong { field: "code" })));
    block_on(stage.app.remove_totp(owner(&ann), Some(phone.code(&stage, 0)))).expect("removed");
    assert!(matches!(stage.create(&ann, (1_000, "sats"), DAY), Err(CreateError::Cooldown(_))));
    assert!(matches!(stage.withdraw(&ann, 1_000), Err(WithdrawError::Cooldown { .. })));
    assert_eq!(told(&stage, &ann), ["factor_removed", "factor_added"]);
    assert_eq!(stage.app.queries().factors(ann.user.id).expect("readable").recovery_codes_left, 0);
    let again = stage.sign_in("ann", "secret").expect("the password alone");
    assert!(!again.user.has_second_factor);
    // The codes of the removed factor are of no use with the next one.
    let (next, _) = protect(&stage, &again);
    let required = challenge(&stage, "ann");
    assert_eq!(finish(&stage, &required.challenge, phone.code(&stage, 1)).err(), Some(WRONG));
    let old = Proof::RecoveryCode(codes[0].clone());
    assert!(finish(&stage, &required.challenge, old).is_err());
    assert!(finish(&stage, &required.challenge, next.code(&stage, 0)).is_ok());
    stage.clock.advance(DAY);
    stage.create(&ann, (1_000, "sats"), DAY).expect("the rest is over");
}

#[test]
fn an_app_is_no_factor_before_its_first_code_and_a_second_one_needs_the_first_removed() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    let confirm = |digits: String| block_on(stage.app.confirm_totp(owner(&ann), digits));
    assert_eq!(confirm("000000".to_owned()).err(), Some(TotpError::NotBegun));
    let wrong = block_on(stage.app.begin_totp(owner(&ann), "wrong".to_owned()));
    assert_eq!(wrong.err(), Some(TotpError::Password(PasswordError::WrongCurrent)));
    let first = block_on(stage.app.begin_totp(owner(&ann), "secret".to_owned())).expect("begun");
    stage.sign_in("ann", "secret").expect("not a factor yet");
    let second = block_on(stage.app.begin_totp(owner(&ann), "secret".to_owned())).expect("begun again");
    assert_ne!(first.secret, second.secret);
    let (first, second) = (Phone::with(&first.secret), Phone::with(&second.secret));
    assert_eq!(confirm(first.digits(&stage, 0)).err(), Some(TotpError::WrongCode), "of the replaced secret");
    confirm(second.digits(&stage, 0)).expect("confirmed");
    assert_eq!(confirm(second.digits(&stage, 1)).err(), Some(TotpError::HasOne));
    let third = block_on(stage.app.begin_totp(owner(&ann), "secret".to_owned()));
    assert_eq!(third.err(), Some(TotpError::HasOne));
}

#[test]
fn the_operator_helps_a_user_who_lost_everything() {
    let stage = Stage::new();
    let ann = stage.user("ann");
    stage.add_sats(&ann, 10_000);
    let (phone, _) = protect(&stage, &ann);
    let required = challenge(&stage, "ann");
    assert_eq!(block_on(stage.app.reset_second_factors("nobody@example.com")), Ok(None));
    let reset = block_on(stage.app.reset_second_factors(" Ann@example.com "));
    assert_eq!(reset, Ok(Some(ann.user.id)));
    assert!(!stage.is_alive(&ann), "a thief with a session is signed out too");
    assert!(finish(&stage, &required.challenge, phone.code(&stage, 0)).is_err());
    let fresh = stage.sign_in("ann", "secret").expect("the password alone");
    assert!(matches!(stage.withdraw(&fresh, 1_000), Err(WithdrawError::Cooldown { .. })));
    assert_eq!(told(&stage, &fresh)[0], "factor_removed");
    stage.clock.advance(DAY + HOUR);
    stage.create(&fresh, (1_000, "sats"), DAY).expect("the rest is over");
}

/// A user of a server with an authenticator app, whose code of the current step is used.
pub(crate) fn protected(server: &Server, name: &str) -> (Client, Phone, Value) {
    let client = server.user(name);
    let new = client.post("/api/auth/totp", json!({"password": "secret"})).ok(200);
    let uri = new["uri"].as_str().expect("an address");
    assert!(uri.starts_with(&format!("otpauth://totp/Bolts:{name}%40example.com?")), "{uri}");
    let phone = Phone::with(new["secret"].as_str().expect("a secret"));
    let confirmed = client.post("/api/auth/totp/confirm", json!({"code": phone.now(0)})).ok(200);
    (client, phone, confirmed["recoveryCodes"].clone())
}

/// The challenge of a sign-in with the right password.
pub(crate) fn challenged(client: &Client, name: &str) -> Value {
    let credentials = json!({"email": format!("{name}@example.com"), "password": "secret"});
    let problem = client.post("/api/auth/login", credentials).problem(401, "second_factor_required");
    assert_eq!(problem["methods"], json!(["code", "recoveryCode"]));
    problem["challenge"].clone()
}

#[test]
fn a_sign_in_in_two_steps_over_http() {
    let server = Server::start();
    let (ann, phone, codes) = protected(&server, "ann");
    assert_eq!(codes.as_array().map(Vec::len), Some(10));
    assert_eq!(
        ann.get("/api/auth/factors").ok(200),
        json!({"totp": true, "passkeys": [], "recoveryCodesLeft": 10})
    );
    let client = server.client();
    let challenge = challenged(&client, "ann");
    assert_eq!(client.cookie(), None, "the password alone opens no session");
    client.post("/api/auth/login/factor", json!({"challenge": challenge})).invalid(&["code"]);
    let wrong = json!({"challenge": challenge, "code": "000000"});
    client.post("/api/auth/login/factor", wrong).invalid(&["code"]);
    // The code of the next step works now and in the next step, so the test does not depend on the moment.
    let right = json!({"challenge": challenge, "code": phone.now(1)});
    assert_eq!(client.post("/api/auth/login/factor", right.clone()).ok(200)["email"], "ann@example.com");
    client.get("/api/auth/user").ok(200);
    server.client().post("/api/auth/login/factor", right).problem(401, "challenge_gone");

    let code = &codes[0];
    let until = client.post("/api/auth/step-up", json!({"recoveryCode": code})).ok(200);
    assert!(until["until"].as_str().is_some_and(|at| at.ends_with('Z')), "{until}");
    client.post("/api/auth/step-up", json!({"recoveryCode": code})).invalid(&["recoveryCode"]);
    assert_eq!(client.get("/api/auth/factors").ok(200)["recoveryCodesLeft"], 9);
    client.page("DELETE", "/api/auth/totp", Some(&json!({}))).ok(200);
    client.page("DELETE", "/api/auth/totp", Some(&json!({}))).problem(404, "factor_not_found");
    server.assert_audit_clean();
}

#[test]
fn admin_rights_can_need_a_second_factor() {
    let server = Server::start_with(&["--require-admin-2fa"]);
    let root = server.admin("root");
    root.get("/api/admin/actions").problem(403, "not_allowed");
    assert_eq!(root.get("/api/auth/user").ok(200)["isAdmin"], false);
    let new = root.post("/api/auth/totp", json!({"password": "secret"})).ok(200);
    let phone = Phone::with(new["secret"].as_str().expect("a secret"));
    root.post("/api/auth/totp/confirm", json!({"code": phone.now(0)})).ok(200);
    root.get("/api/admin/actions").ok(200);
    assert_eq!(root.get("/api/auth/user").ok(200)["isAdmin"], true);

    let reset = server.command(&["user", "reset-2fa", "root@example.com"]);
    assert!(reset.status.success(), "{reset:?}");
    root.get("/api/auth/user").problem(401, "not_signed_in");
    let nobody = server.command(&["user", "reset-2fa", "nobody@example.com"]);
    assert_eq!(nobody.status.code(), Some(1));
    let credentials = json!({"email": "root@example.com", "password": "secret"});
    root.post("/api/auth/login", credentials).ok(200);
    root.get("/api/admin/actions").problem(403, "not_allowed");
}
