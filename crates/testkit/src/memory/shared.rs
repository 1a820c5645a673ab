//! A part of the data that copies of the store share.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that is copied at its first change, not when its owner is copied. Each job runs with a copy of all data but
/// changes few tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared<T>(Arc<T>);

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
