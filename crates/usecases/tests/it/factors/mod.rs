//! Second factors. Many of these tests name the attack that they try.

mod app;
mod passkey_sign_ins;
mod passkeys;
mod removal;
mod second_step;
mod site;

use std::time::Duration;

use bolts_factors::{PasskeyName, Step, TotpSecret};
use bolts_kernel::{PasskeyId, Timestamp};
use bolts_ports::FactorQueries;
use bolts_usecases::accounts::{
    NewCeremony, PasskeyAnswer, PasskeyError, PasskeySignInError, PasswordError, Proof, SecondFactorRequired,
    SecondStepError, SignInError, SignedIn, StepUpError, Visitor,
};
use futures_executor::block_on;

pub(crate) use site::{Authenticator, FakeSite};

use crate::stage::{ADDRESS, Stage, owner};

const STEP: Duration = Duration::from_secs(30);
const MINUTE: Duration = Duration::from_secs(60);

/// The phone of a user, with an authenticator app.
struct Phone(TotpSecret);

impl Phone {
    fn with(secret: &str) -> Self {
        Self(TotpSecret::parse(secret).expect("a secret"))
    }

    /// The code that the phone shows, `steps` of 30 seconds from now.
    fn digits(&self, stage: &Stage, steps: i64) -> String {
        let step = Step::at(stage.now()).number() + steps;
        self.0.code(Step::from_number(step).expect("after 1970"))
    }

    fn code(&self, stage: &Stage, steps: i64) -> Proof {
        Proof::Code(self.digits(stage, steps))
    }
}

fn wrong_code() -> Proof {
    Proof::Code("000000".to_owned())
}

/// Adds an authenticator app to the account, and returns the recovery codes. Two steps later no code of the app is used.
fn add_app(stage: &Stage, session: &SignedIn) -> (Phone, Vec<String>) {
    let new = block_on(stage.app.begin_totp(owner(session), "secret".to_owned())).expect("begun");
    let phone = Phone::with(&new.secret);
    let codes = block_on(stage.app.confirm_totp(owner(session), phone.digits(stage, 0))).expect("confirmed");
    stage.clock.advance(2 * STEP);
    (phone, codes.iter().map(|code| code.as_str().to_owned()).collect())
}

fn name(text: &str) -> PasskeyName {
    PasskeyName::parse(text).expect("a name")
}

fn begin_passkey(stage: &Stage, session: &SignedIn) -> Result<NewCeremony, PasskeyError> {
    block_on(stage.app.begin_passkey(owner(session), "secret".to_owned()))
}

fn register(
    stage: &Stage,
    session: &SignedIn,
    begun: &NewCeremony,
    key: &mut Authenticator,
) -> Result<Vec<String>, PasskeyError> {
    let credential = key.register(&begun.options);
    let answer = PasskeyAnswer { ceremony: begun.ceremony.clone(), credential };
    let codes = block_on(stage.app.add_passkey(owner(session), name("Key"), answer))?;
    Ok(codes.iter().map(|code| code.as_str().to_owned()).collect())
}

/// Adds a passkey to the account, and returns the recovery codes.
fn add_passkey(stage: &Stage, session: &SignedIn, device: &str) -> (Authenticator, Vec<String>) {
    let mut key = Authenticator::new(device);
    let begun = begin_passkey(stage, session).expect("begun");
    let codes = register(stage, session, &begun, &mut key).expect("added");
    (key, codes)
}

fn signed(begun: &NewCeremony, key: &mut Authenticator) -> PasskeyAnswer {
    PasskeyAnswer { ceremony: begun.ceremony.clone(), credential: key.sign(&begun.options) }
}

/// A sign-in with a passkey alone.
fn enter(
    stage: &Stage,
    key: &mut Authenticator,
    from: impl Into<Visitor>,
) -> Result<SignedIn, PasskeySignInError> {
    let from = from.into();
    let begun = block_on(stage.app.begin_passkey_sign_in(from.clone())).expect("begun");
    block_on(stage.app.sign_in_with_passkey(signed(&begun, key), from))
}

/// A visitor with the browser of this session.
fn known(session: &SignedIn) -> Visitor {
    Visitor { device: Some(session.device.clone()), ..Visitor::from(ADDRESS) }
}

/// The first step of a sign-in with the right password.
fn challenge(stage: &Stage, name: &str) -> SecondFactorRequired {
    challenge_of(stage.sign_in(name, "secret"))
}

fn challenge_of(answer: Result<SignedIn, SignInError>) -> SecondFactorRequired {
    match answer {
        Err(SignInError::SecondFactorRequired(required)) => required,
        Ok(_) => panic!("the password was enough"),
        Err(
            other @ (SignInError::WrongCredentials
            | SignInError::TooMany(_)
            | SignInError::Busy(_)
            | SignInError::Store(_)),
        ) => panic!("{other:?}"),
    }
}

fn finish(
    stage: &Stage,
    challenge: &SecondFactorRequired,
    proof: Proof,
) -> Result<SignedIn, SecondStepError> {
    block_on(stage.app.sign_in_with_factor(&challenge.challenge, proof, ADDRESS))
}

fn step_up(stage: &Stage, session: &SignedIn, proof: Proof) -> Result<Timestamp, StepUpError> {
    block_on(stage.app.step_up(owner(session), proof))
}

fn begin_proof(stage: &Stage, session: &SignedIn) -> NewCeremony {
    block_on(stage.app.begin_step_up(owner(session))).expect("begun")
}

/// Proves the passkey in a session.
fn prove(stage: &Stage, session: &SignedIn, key: &mut Authenticator) -> Result<Timestamp, StepUpError> {
    let answer = signed(&begin_proof(stage, session), key);
    step_up(stage, session, Proof::Passkey(answer))
}

/// A change that asks for a proof of the second factor. It gives the session a new secret.
fn change_password(stage: &Stage, session: &mut SignedIn) -> Result<(), PasswordError> {
    let change = stage.app.change_password(owner(session), "secret".to_owned(), "secret".to_owned());
    session.secret = block_on(change)?;
    Ok(())
}

/// The user's passkeys, and whether each is disabled.
fn passkeys(stage: &Stage, session: &SignedIn) -> Vec<(PasskeyId, bool)> {
    let factors = stage.store.factors(session.user.id).expect("readable");
    factors.passkeys.iter().map(|passkey| (passkey.id, passkey.is_disabled)).collect()
}

fn codes_left(stage: &Stage, session: &SignedIn) -> u32 {
    stage.store.factors(session.user.id).expect("readable").recovery_codes_left
}

/// The end of the cooldown of the user's sats.
fn cooldown_until(stage: &Stage, session: &SignedIn) -> Option<Timestamp> {
    let user = session.user.id;
    bolts_testkit::run(&*stage.store, move |tx| tx.users().lock_cooldown(user)).expect("readable")
}
