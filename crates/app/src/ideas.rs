//! Options for the source of ideas.

use std::sync::Arc;

use bolts_ideas::{BuiltIn, Key, OpenAi, Options};
use bolts_ports::Ideas;
use clap::{Args, ValueEnum};

use crate::Failure;

/// The source of ideas.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Adapter {
    /// A built-in stock of ideas, and rules that read titles. Uses no network.
    BuiltIn,
    /// A model behind an OpenAI-compatible server.
    Openai,
}

/// The options for ideas.
#[derive(Args)]
pub(crate) struct IdeasOptions {
    /// The source of ideas. The default is a model if --ideas-url is set, and otherwise the built-in stock.
    #[arg(long, env = "BOLTS_IDEAS", value_enum)]
    ideas: Option<Adapter>,

    /// With `openai`: the URL of the API, such as https://api.openai.com/v1.
    #[arg(long, env = "BOLTS_IDEAS_URL", hide_env_values = true)]
    ideas_url: Option<String>,

    /// With `openai`: the key, if the server needs one. Set it in the environment, where other users do not
    /// see it.
    #[arg(long, env = "BOLTS_IDEAS_KEY", hide_env_values = true)]
    ideas_key: Option<String>,

    /// With `openai`: the name of the model.
    #[arg(long, env = "BOLTS_IDEAS_MODEL")]
    ideas_model: Option<String>,
}

/// The source of ideas, and its name in the start message.
pub(crate) struct Source {
    pub(crate) ideas: Arc<dyn Ideas>,
    pub(crate) name: String,
}

impl IdeasOptions {
    /// The source of ideas that the operator chose. Sends no request to the model yet, because its server may start
    /// later.
    pub(crate) fn source(&self) -> Result<Source, Failure> {
        let url = set(self.ideas_url.as_ref());
        let chosen = if url.is_some() { Adapter::Openai } else { Adapter::BuiltIn };
        match self.ideas.unwrap_or(chosen) {
            Adapter::BuiltIn => Ok(Source { ideas: Arc::new(BuiltIn), name: "built in".to_owned() }),
            Adapter::Openai => self.model(url),
        }
    }

    /// All faults of the options, a line each.
    pub(crate) fn problems(&self) -> Vec<String> {
        let lacks_both = set(self.ideas_url.as_ref()).is_none() && set(self.ideas_model.as_ref()).is_none();
        let mut problems: Vec<String> = self.source().err().map(Failure::into_line).into_iter().collect();
        // `source` stops at the missing URL.
        if lacks_both && !problems.is_empty() {
            problems.push("ideas of a model need --ideas-model".to_owned());
        }
        problems
    }

    fn model(&self, url: Option<&str>) -> Result<Source, Failure> {
        let needed = |option| Failure::start_up(format!("ideas of a model need {option}"));
        let unusable = |option, why| Failure::start_up(format!("{option} {why}"));
        let url = url.ok_or_else(|| needed("--ideas-url"))?;
        let model = set(self.ideas_model.as_ref()).ok_or_else(|| needed("--ideas-model"))?;
        let key = set(self.ideas_key.as_ref()).map(Key::new).transpose();
        let key = key.map_err(|error| unusable("--ideas-key", error))?;
        let options = Options::new(url, key, model).map_err(|error| unusable("--ideas-url", error))?;
        // The name contains only the origin of the URL, because the other parts of the URL may contain a secret.
        let name = format!("{model} at {}", options.url.origin().ascii_serialization());
        let model = OpenAi::new(options).map_err(|error| Failure::start_up(error.to_string()))?;
        Ok(Source { ideas: Arc::new(model), name })
    }
}

/// An empty value counts as not set.
fn set(value: Option<&String>) -> Option<&str> {
    value.map(|value| value.trim()).filter(|value| !value.is_empty())
}
