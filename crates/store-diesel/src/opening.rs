//! Why a database cannot be opened, whichever it is.

use std::path::PathBuf;

use bolts_ports::StoreError;

/// Why a database cannot be opened, in one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file's folder or itself cannot be made.
    #[error("cannot make the database {path}: {source}")]
    Create {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Reading only needs something to read.
    #[error("there is no database {0}")]
    Missing(PathBuf),
    /// The SQLite that was linked may spoil the file.
    #[error("SQLite {0} is too old; 3.51.3 or later is needed")]
    SqliteTooOld(String),
    /// The server lacks what the schema needs.
    #[error("PostgreSQL {0} is too old; 13 or later is needed")]
    PostgresTooOld(String),
    /// The database cannot hold every text.
    #[error("the database is encoded in {0}; it has to be made with ENCODING 'UTF8'")]
    Encoding(String),
    /// Its schema has what this program does not know.
    #[error("the database is newer than this program (it has the migration {0}); use the newer program")]
    Newer(String),
    /// Its schema lacks what this program needs, and it was opened for reading only.
    #[error("the database is older than this program (it lacks the migration {0}); start the server once")]
    Older(String),
    /// A step of bringing its schema up to date failed; nothing was changed.
    #[error("cannot bring the database's schema up to date: {0}")]
    Migration(String),
    /// The file system cannot share memory between processes, as one over a network.
    #[error("the database cannot be kept in WAL mode; it has to be on a local disk")]
    NoWal,
    /// The database itself failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A writer's thread could not be started.
    #[error("cannot start the database's writer: {0}")]
    Thread(std::io::Error),
}
