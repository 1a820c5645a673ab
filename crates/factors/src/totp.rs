//! The codes of an authenticator app (RFC 6238): SHA-1, 6 digits, 30 seconds, because every app supports these values.

use std::fmt;

use bolts_kernel::Timestamp;
use totp_rs::{Builder, Secret};

/// The length of a secret: 160 bits (RFC 4226, section 4).
pub const SECRET_BYTES: usize = 20;

/// The length of a period of time with one code, in seconds.
const STEP_SECONDS: u64 = 30;

/// The number of digits of a code.
const DIGITS: usize = 6;

/// The name of the site in an authenticator app.
const ISSUER: &str = "Bolts";

/// The number of a period of 30 seconds since 1970. Each step has one code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step(u64);

impl Step {
    /// The step at this time.
    pub fn at(now: Timestamp) -> Self {
        Self(u64::try_from(now.micros()).unwrap_or_default() / 1_000_000 / STEP_SECONDS)
    }

    /// The step with this number. `None` if the number is negative.
    pub fn from_number(number: i64) -> Option<Self> {
        u64::try_from(number).ok().map(Self)
    }

    /// The number of the step, for the store.
    pub fn number(self) -> i64 {
        i64::try_from(self.0).unwrap_or(i64::MAX)
    }
}

/// The secret that the site shares with an authenticator app.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET_BYTES]);

/// A secret must not reach a log.
impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

impl TotpSecret {
    /// The secret from unpredictable bytes.
    pub const fn from_random(bytes: [u8; SECRET_BYTES]) -> Self {
        Self(bytes)
    }

    /// Reads the output of [`TotpSecret::base32`].
    pub fn parse(text: &str) -> Option<Self> {
        let secret = Secret::try_from_base32(text).ok()?;
        secret.as_bytes().try_into().ok().map(Self)
    }

    /// The secret in the form that users type into an app.
    pub fn base32(&self) -> String {
        Secret::from(self.0).to_base32()
    }

    /// The address that an app reads from a QR code. `account` names the user in the app.
    pub fn uri(&self, account: &str) -> String {
        let named = self.builder().with_account_name(account.replace(':', "_")).with_issuer(Some(ISSUER));
        // The length of the secret is right, and the names have no colon. These are the only errors.
        named.build().ok().and_then(|totp| totp.to_url().ok()).unwrap_or_default()
    }

    fn builder(&self) -> Builder {
        Builder::new().with_secret(self.0)
    }

    /// The code of a step.
    pub fn code(&self, step: Step) -> String {
        self.builder().build_noncompliant().generate(step.0.saturating_mul(STEP_SECONDS)).to_string()
    }
}

/// The authenticator app of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totp {
    /// The shared secret.
    pub secret: TotpSecret,
    /// The step of the last accepted code. This code and all earlier codes are refused, so that a code that somebody
    /// watched is of no use. `None` until the first code is accepted.
    pub last_step: Option<Step>,
}

impl Totp {
    /// The step whose code this is, if the code is accepted at `now`: the code of the current step or of a neighbour, and
    /// later than the last accepted code. The caller must store the step in the same transaction.
    pub fn accept(&self, typed: &str, now: Timestamp) -> Option<Step> {
        let typed: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        let Step(current) = Step::at(now);
        let steps = [current.checked_sub(1), Some(current), current.checked_add(1)];
        // All three codes are compared, and each comparison takes the same time for every code.
        let matching =
            steps.map(|step| step.map(Step).filter(|step| is_same(&self.secret.code(*step), &typed)));
        matching.into_iter().flatten().rfind(|step| self.last_step.is_none_or(|last| *step > last))
    }
}

fn is_same(code: &str, typed: &str) -> bool {
    typed.len() == DIGITS
        && code.len() == DIGITS
        && code.bytes().zip(typed.bytes()).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}
