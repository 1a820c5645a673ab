//! Enums whose values have names in the API and the database.

/// Adds `ALL`, `as_str`, `parse` and `Display` to an enum whose variants have no fields.
#[macro_export]
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            /// Every value, in the order of declaration.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name that the API and the database use.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The value with this name, or `None` for an unknown name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
