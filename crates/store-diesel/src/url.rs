//! Database URLs.

use std::path::PathBuf;

/// The location of the database (`--database-url`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A SQLite file: `sqlite://data/bolts.db` is relative to the working directory,
    /// `sqlite:///var/lib/bolts.db` is absolute.
    Sqlite(PathBuf),
    /// A PostgreSQL server. The text is the complete URL in the syntax of libpq.
    Postgres(String),
}

/// The database URL is not valid. The message is one sentence for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// The URL has an unknown scheme.
    #[error("the database URL must begin with sqlite:// or postgres://")]
    UnknownKind,
    /// The URL contains no file name.
    #[error("the database URL names no file; write sqlite://data/bolts.db or sqlite:///absolute/path.db")]
    NoFile,
    /// The URL has SQLite parameters or names a database in memory. With either, a commit could be lost.
    #[error("a SQLite URL is a path alone: no parameters, no :memory:")]
    NotAPath,
    /// The URL names neither a server nor a database.
    #[error("the database URL names no server; write postgres://user@host/database")]
    NoServer,
}

impl DatabaseUrl {
    /// Parses a URL.
    ///
    /// # Errors
    /// The message is one sentence. The message does not repeat the URL, because a URL may contain a
    /// password.
    pub fn parse(text: &str) -> Result<Self, DatabaseUrlError> {
        let text = text.trim();
        if let Some(path) = text.strip_prefix("sqlite://") {
            return Self::file(path);
        }
        for scheme in ["postgres://", "postgresql://"] {
            if let Some(rest) = text.strip_prefix(scheme) {
                let found = !rest.trim_matches('/').is_empty();
                return if found {
                    Ok(Self::Postgres(text.to_owned()))
                } else {
                    Err(DatabaseUrlError::NoServer)
                };
            }
        }
        Err(DatabaseUrlError::UnknownKind)
    }

    /// The kind and location of the database for messages, without user, password and parameters.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("SQLite {}", path.display()),
            Self::Postgres(url) => {
                let place = url.split_once("://").map_or(url.as_str(), |(_, place)| place);
                let place = place.split('?').next().unwrap_or_default();
                let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
                format!("PostgreSQL {place}").trim_end().to_owned()
            }
        }
    }

    fn file(path: &str) -> Result<Self, DatabaseUrlError> {
        if path.is_empty() || path.ends_with('/') {
            return Err(DatabaseUrlError::NoFile);
        }
        if path.contains('?') || path.contains('\0') || path.ends_with(":memory:") {
            return Err(DatabaseUrlError::NotAPath);
        }
        Ok(Self::Sqlite(PathBuf::from(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_read() {
        let file = |path: &str| Ok(DatabaseUrl::Sqlite(PathBuf::from(path)));
        assert_eq!(DatabaseUrl::parse("sqlite://data/bolts.db"), file("data/bolts.db"));
        assert_eq!(DatabaseUrl::parse("sqlite:///var/bolts.db"), file("/var/bolts.db"));
        let server = "postgres://bolts:secret@db/bolts";
        assert_eq!(DatabaseUrl::parse(server), Ok(DatabaseUrl::Postgres(server.to_owned())));
        assert!(DatabaseUrl::parse("postgresql:///bolts?host=/run/postgresql").is_ok());
    }

    #[test]
    fn no_description_holds_a_password() {
        let described = |url: &str| DatabaseUrl::parse(url).unwrap().describe();
        assert_eq!(described("sqlite://data/bolts.db"), "SQLite data/bolts.db");
        assert_eq!(
            described("postgres://bolts:se@cret@db:5432/bolts?sslmode=require"),
            "PostgreSQL db:5432/bolts"
        );
        assert_eq!(described("postgresql://bolts@/bolts?host=/run&password=secret"), "PostgreSQL /bolts");
    }

    #[test]
    fn errors_do_not_repeat_the_url() {
        let refused = [
            ("", DatabaseUrlError::UnknownKind),
            ("bolts.db", DatabaseUrlError::UnknownKind),
            ("mysql://root:secret@db/bolts", DatabaseUrlError::UnknownKind),
            ("sqlite://", DatabaseUrlError::NoFile),
            ("sqlite://data/", DatabaseUrlError::NoFile),
            ("sqlite://:memory:", DatabaseUrlError::NotAPath),
            ("sqlite://bolts.db?mode=memory", DatabaseUrlError::NotAPath),
            ("postgres://", DatabaseUrlError::NoServer),
        ];
        for (text, error) in refused {
            assert_eq!(DatabaseUrl::parse(text), Err(error.clone()), "{text}");
            assert!(!error.to_string().contains("secret"));
        }
    }
}
