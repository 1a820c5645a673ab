//! A fake source of ideas.

use std::future::ready;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bolts_bets::Text;
use bolts_kernel::Timestamp;
use bolts_ports::{Idea, IdeaDraft, IdeaRequest, Ideas, IdeasFailed, Pending, Remark, Wording, WordingField};

/// A fake source of ideas. The title of each new idea contains the turn of its request. A test can make the
/// source fail. Clones share one state.
#[derive(Clone, Debug, Default)]
pub struct FakeIdeas {
    fails: Arc<AtomicBool>,
    turns: Arc<Mutex<Vec<u64>>>,
}

impl FakeIdeas {
    /// Sets whether the next calls fail.
    pub fn fail(&self, fails: bool) {
        self.fails.store(fails, Ordering::Relaxed);
    }

    /// The turns of all requests for a new idea, in the order of the requests.
    pub fn turns(&self) -> Vec<u64> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u64>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idea(&self, title: &str, now: Timestamp) -> Result<Idea, IdeasFailed> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(IdeasFailed("as the test wants it".to_owned()));
        }
        let draft = IdeaDraft {
            title: title.to_owned(),
            option_a: "Yes".to_owned(),
            option_b: "No".to_owned(),
            method: "Mutual Agreement".to_owned(),
            ..IdeaDraft::default()
        };
        Idea::judge(draft, now).map_err(|errors| IdeasFailed(format!("{errors:?}")))
    }
}

impl Ideas for FakeIdeas {
    fn generate(&self, request: IdeaRequest) -> Pending<'_, Result<Idea, IdeasFailed>> {
        self.lock().push(request.turn);
        Box::pin(ready(self.idea(&format!("Idea {}", request.turn), request.now)))
    }

    fn complete(&self, title: Text, now: Timestamp) -> Pending<'_, Result<Idea, IdeasFailed>> {
        Box::pin(ready(self.idea(&title, now)))
    }

    fn check(&self, wording: Wording) -> Pending<'_, Vec<Remark>> {
        let remark = Remark::judge(&wording, "It is too short.", WordingField::Title, "A longer title");
        Box::pin(ready(remark.into_iter().collect()))
    }
}
