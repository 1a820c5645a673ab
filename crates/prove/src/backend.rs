//! The stores on which sequences run.

#[cfg(feature = "databases")]
mod databases;

use std::any::Any;
use std::sync::Arc;

use bolts_ports::{Audit, Queries, Store};
use bolts_testkit::MemoryStore;

/// The kind of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The store in memory of the testkit.
    Memory,
    /// SQLite, each sequence on a new file.
    #[cfg(feature = "databases")]
    Sqlite,
    /// PostgreSQL, each sequence on a new database of the shared test cluster.
    #[cfg(feature = "databases")]
    Postgres,
}

/// An empty store. Dropping the value removes it.
pub(crate) struct Opened {
    /// The write side.
    pub(crate) store: Arc<dyn Store>,
    /// The read side.
    pub(crate) queries: Arc<dyn Queries>,
    /// The audit.
    pub(crate) audit: Arc<dyn Audit>,
    // The fields are dropped in this order: first the connections, then the place of the data.
    _place: Box<dyn Any>,
}

impl Backend {
    /// A new, empty store.
    ///
    /// # Panics
    /// If the store cannot be opened.
    pub(crate) fn open(self) -> Opened {
        match self {
            Self::Memory => opened(Arc::new(MemoryStore::new()), ()),
            #[cfg(feature = "databases")]
            Self::Sqlite => databases::sqlite(),
            #[cfg(feature = "databases")]
            Self::Postgres => databases::postgres(),
        }
    }
}

fn opened<S: Store + Queries + Audit + 'static>(store: Arc<S>, place: impl Any) -> Opened {
    Opened { store: store.clone(), queries: store.clone(), audit: store, _place: Box::new(place) }
}
