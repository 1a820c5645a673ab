use bolts_ports::{Audit, Check, Result};

use super::Handle;

impl Audit for Handle {
    fn audit(&self) -> Result<Vec<Check>> {
        Ok(Vec::new())
    }
}
