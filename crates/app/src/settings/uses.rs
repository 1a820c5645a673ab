//! Which commands use settings.

use crate::config::Command;

impl Command {
    /// Whether the command reports all faults of the configuration by itself.
    pub(crate) fn is_check(&self) -> bool {
        matches!(self, Self::Doctor(_)) || matches!(self, Self::Serve(serve) if serve.check)
    }

    /// Whether the command uses settings. The other commands run even if the configuration is wrong.
    pub(crate) const fn has_settings(&self) -> bool {
        !matches!(self, Self::Completions { .. } | Self::Config(_) | Self::Manual | Self::Openapi)
    }
}
