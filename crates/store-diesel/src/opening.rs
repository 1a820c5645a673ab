//! Errors of opening a database, for SQLite and PostgreSQL.

use std::path::PathBuf;

use bolts_ports::StoreError;

/// The reason why a database cannot be opened, in one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file or its folder cannot be created.
    #[error("cannot make the database {path}: {source}")]
    Create {
        /// The path of the file.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// The file does not exist, and the caller wants an existing database.
    #[error(
        "there is no database at {0}: name it with --config or --database-url (for `bolts copy`, with --from)"
    )]
    Missing(PathBuf),
    /// The linked SQLite has a bug that can damage the file.
    #[error("SQLite {0} is too old; 3.51.3 or later is needed")]
    SqliteTooOld(String),
    /// The server's version of PostgreSQL is too old for the schema.
    #[error("PostgreSQL {0} is too old; 13 or later is needed")]
    PostgresTooOld(String),
    /// The encoding of the database cannot store every text.
    #[error("the database is encoded in {0}; it has to be made with ENCODING 'UTF8'")]
    Encoding(String),
    /// The schema has a migration that this program does not know.
    #[error("the database is newer than this program (it has the migration {0}); use the newer program")]
    Newer(String),
    /// The schema lacks a migration of this program, and the caller changes no schema. An empty database lacks all of them.
    #[error(
        "the database is empty or older than this program (it lacks the migration {0}). If it is the right one, run \
         `bolts migrate`"
    )]
    Older(String),
    /// A migration failed. The failed migration changed nothing.
    #[error("cannot bring the database's schema up to date: {0}")]
    Migration(String),
    /// WAL mode needs memory that processes share. Some file systems do not support this, such as network
    /// file systems.
    #[error("the database cannot be kept in WAL mode; it has to be on a local disk")]
    NoWal,
    /// The server cannot be reached, is starting or stopping, or is a standby. A later attempt may succeed.
    #[error(transparent)]
    Away(StoreError),
    /// A failure of the database itself.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A writer thread could not be started.
    #[error("cannot start the database's writer: {0}")]
    Thread(std::io::Error),
}
