//! Who has the ideas for bets.

use std::sync::Arc;

use bolts_ideas::{BuiltIn, Key, OpenAi, Options};
use bolts_ports::Ideas;
use clap::{Args, ValueEnum};

use crate::Failure;

/// Who has the ideas.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Adapter {
    /// A stock of ideas and rules that read titles; no network.
    BuiltIn,
    /// A model behind an OpenAI-compatible server.
    Openai,
}

/// Where ideas come from.
#[derive(Args)]
pub(crate) struct IdeasOptions {
    /// Who has ideas for bets; without it a model where --ideas-url names one, else the built-in stock.
    #[arg(long, env = "BOLTS_IDEAS", value_enum)]
    ideas: Option<Adapter>,

    /// With `openai`: the address of the API, such as https://api.openai.com/v1.
    #[arg(long, env = "BOLTS_IDEAS_URL", hide_env_values = true)]
    ideas_url: Option<String>,

    /// With `openai`: the key, if the server wants one. Better set in the environment, where other users do not see it.
    #[arg(long, env = "BOLTS_IDEAS_KEY", hide_env_values = true)]
    ideas_key: Option<String>,

    /// With `openai`: the model's name.
    #[arg(long, env = "BOLTS_IDEAS_MODEL")]
    ideas_model: Option<String>,
}

/// Whoever has the ideas, and how the announcement calls it.
pub(crate) struct Source {
    pub(crate) ideas: Arc<dyn Ideas>,
    pub(crate) name: String,
}

impl IdeasOptions {
    /// What the operator chose. Nothing is asked yet: a server that is not there now may be there later.
    pub(crate) fn source(&self) -> Result<Source, Failure> {
        let url = set(self.ideas_url.as_ref());
        let chosen = if url.is_some() { Adapter::Openai } else { Adapter::BuiltIn };
        match self.ideas.unwrap_or(chosen) {
            Adapter::BuiltIn => Ok(Source { ideas: Arc::new(BuiltIn), name: "built in".to_owned() }),
            Adapter::Openai => self.model(url),
        }
    }

    fn model(&self, url: Option<&str>) -> Result<Source, Failure> {
        let needed = |option| Failure::start_up(format!("ideas of a model need {option}"));
        let unusable = |option, why| Failure::start_up(format!("{option} {why}"));
        let url = url.ok_or_else(|| needed("--ideas-url"))?;
        let model = set(self.ideas_model.as_ref()).ok_or_else(|| needed("--ideas-model"))?;
        let key = set(self.ideas_key.as_ref()).map(Key::new).transpose();
        let key = key.map_err(|error| unusable("--ideas-key", error))?;
        let options = Options::new(url, key, model).map_err(|error| unusable("--ideas-url", error))?;
        // The address alone: what follows it may be a secret.
        let name = format!("{model} at {}", options.url.origin().ascii_serialization());
        let model = OpenAi::new(options).map_err(|error| Failure::start_up(error.to_string()))?;
        Ok(Source { ideas: Arc::new(model), name })
    }
}

/// An empty variable is as good as none.
fn set(value: Option<&String>) -> Option<&str> {
    value.map(|value| value.trim()).filter(|value| !value.is_empty())
}
