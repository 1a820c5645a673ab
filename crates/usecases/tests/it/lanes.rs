//! The lanes in which jobs wait.

use std::sync::{Arc, Mutex};

use bolts_ports::{Job, Lane, Store};
use bolts_testkit::MemoryStore;
use futures_executor::block_on;

use crate::stage::Stage;

/// A store that records the lane of each job.
pub(crate) struct Recorded {
    store: Arc<MemoryStore>,
    lanes: Mutex<Vec<Lane>>,
}

impl Recorded {
    pub(crate) fn new(store: Arc<MemoryStore>) -> Self {
        Self { store, lanes: Mutex::default() }
    }

    /// The lanes of the jobs since the last call.
    pub(crate) fn taken(&self) -> Vec<Lane> {
        std::mem::take(&mut *self.lanes.lock().expect("no panic"))
    }
}

impl Store for Recorded {
    fn enqueue(&self, job: Box<dyn Job>) {
        self.lanes.lock().expect("no panic").push(job.lane());
        self.store.enqueue(job);
    }
}

#[test]
fn a_sign_out_waits_in_the_lane_of_its_user() {
    let stage = Stage::new();
    let ann = stage.signed_up("ann");
    let store = Arc::new(Recorded::new(stage.store.clone()));
    let process = stage.other_process_by(store.clone());
    block_on(process.sign_out(ann.user.id, &ann.secret)).expect("signed out");
    assert_eq!(store.taken(), [Lane::User(ann.user.id)]);
    assert!(!stage.is_alive(&ann));
}
