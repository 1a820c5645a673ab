use std::fmt::Display;
use std::str::FromStr;

use bolts_ports::Owner;

/// The text that identifies an owner in a provider's record: the id of the deposit or withdrawal, and the id of the
/// user.
pub(crate) fn written<Id: Display>(owner: &Owner<Id>) -> String {
    format!("{} {}", owner.id, owner.user)
}

/// Reads a text that [`written`] has made. `None` for any other text.
pub(crate) fn read<Id: FromStr>(text: &str) -> Option<Owner<Id>> {
    let (id, user) = text.split_once(' ')?;
    Some(Owner { id: id.parse().ok()?, user: user.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use bolts_kernel::DepositId;

    use super::*;

    #[test]
    fn an_owner_is_read_as_it_was_written() {
        let parse = |text: &str| text.repeat(16).parse();
        let owner = Owner::<DepositId> {
            id: parse("01").unwrap_or_else(|_| panic!("an id")),
            user: "ab".repeat(16).parse().unwrap_or_else(|_| panic!("an id")),
        };
        assert_eq!(read(&written(&owner)), Some(owner));
        for wrong in ["", " ", "01", "not an owner", &"01".repeat(16)] {
            assert_eq!(read::<DepositId>(wrong), None, "{wrong}");
        }
    }
}
