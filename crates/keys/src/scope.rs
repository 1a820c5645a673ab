use std::fmt;

use bolts_kernel::FieldError;

/// What a key allows. No scope includes another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Read the user's own bets, balances and notifications, and the public lists.
    Read,
    /// Create and accept bets, propose and answer outcomes, dispute, delete open bets, and write messages on bets.
    Bet,
    /// Withdraw sats. Each withdrawal also asks the password.
    Withdraw,
}

bolts_kernel::named!(Scope { Read = "read", Bet = "bet", Withdraw = "withdraw" });

/// The scopes of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes {
    read: bool,
    bet: bool,
    withdraw: bool,
}

impl Scopes {
    /// Checks the scopes that a user chose for a new key: at least one, by their names.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, FieldError> {
        let wrong = |message| FieldError::new("scopes", message);
        let mut scopes = Self::default();
        for name in names {
            scopes.add(Scope::parse(name).ok_or_else(|| wrong("Choose from read, bet and withdraw"))?);
        }
        if scopes == Self::default() { Err(wrong("Choose what the key may do")) } else { Ok(scopes) }
    }

    /// Reads the stored form: names with spaces between them. `None` if a name is unknown.
    pub fn stored(text: &str) -> Option<Self> {
        let mut scopes = Self::default();
        for name in text.split_whitespace() {
            scopes.add(Scope::parse(name)?);
        }
        Some(scopes)
    }

    fn add(&mut self, scope: Scope) {
        match scope {
            Scope::Read => self.read = true,
            Scope::Bet => self.bet = true,
            Scope::Withdraw => self.withdraw = true,
        }
    }

    /// Whether the key has this scope.
    pub const fn allow(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => self.read,
            Scope::Bet => self.bet,
            Scope::Withdraw => self.withdraw,
        }
    }

    /// The names of the scopes, always in the same order.
    pub fn names(self) -> Vec<&'static str> {
        Scope::ALL.into_iter().filter(|scope| self.allow(*scope)).map(Scope::as_str).collect()
    }
}

/// The stored form.
impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(" "))
    }
}
