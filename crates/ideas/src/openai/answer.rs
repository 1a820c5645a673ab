//! Reads the answer of a model. The results are not validated yet.

use bolts_bets::Odds;
use bolts_ports::{IdeaDraft, IdeasFailed, Remark, Wording, WordingField};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The maximum number of remarks that the user sees.
const MOST_REMARKS: usize = 6;

/// The part of the server's answer that is read. All other fields are ignored.
#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

/// The text that the model wrote.
pub(super) fn content(body: &[u8]) -> Result<String, IdeasFailed> {
    let completion: Completion =
        serde_json::from_slice(body).map_err(|_| failed("the server's answer is no chat completion"))?;
    let first = completion.choices.into_iter().next().and_then(|choice| choice.message.content);
    first.ok_or_else(|| failed("the server's answer holds no text"))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct IdeaAnswer {
    #[serde(default)]
    title: String,
    description: String,
    option_a: String,
    option_b: String,
    category: String,
    resolution_method: String,
    source_url: Option<String>,
    expiry_date: Option<String>,
    #[serde(default)]
    odds_a: Option<f64>,
}

/// Reads the idea from the text of the model.
pub(super) fn idea(content: &str) -> Result<IdeaDraft, IdeasFailed> {
    let answer: IdeaAnswer = json(content)?;
    Ok(IdeaDraft {
        title: answer.title,
        description: answer.description,
        option_a: answer.option_a,
        option_b: answer.option_b,
        category: answer.category,
        method: answer.resolution_method,
        source_url: answer.source_url.unwrap_or_default(),
        expires_at: answer.expiry_date.unwrap_or_default(),
        // Odds are only a suggestion, so an answer with odds that no bet can have is still useful.
        odds_a: answer.odds_a.and_then(Odds::nearest),
    })
}

#[derive(Deserialize)]
struct Remarks {
    remarks: Vec<RemarkAnswer>,
}

#[derive(Deserialize)]
struct RemarkAnswer {
    problem: String,
    field: String,
    value: String,
}

/// Reads the remarks from the text of the model. Remarks that do not fit the form are left out.
pub(super) fn remarks(content: &str, wording: &Wording) -> Result<Vec<Remark>, IdeasFailed> {
    let answer: Remarks = json(content)?;
    let judged = answer.remarks.into_iter().filter_map(|remark| {
        Remark::judge(wording, &remark.problem, WordingField::parse(&remark.field)?, &remark.value)
    });
    Ok(judged.take(MOST_REMARKS).collect())
}

/// Reads the JSON object in a text. Models that do not support schemas often write words or code fences
/// around the object.
fn json<T: DeserializeOwned>(content: &str) -> Result<T, IdeasFailed> {
    let ends = content.find('{').zip(content.rfind('}')).filter(|(from, to)| from < to);
    let object = ends.and_then(|(from, to)| content.get(from..=to));
    let object = object.ok_or_else(|| failed("the model's answer holds no JSON object"))?;
    serde_json::from_str(object)
        .map_err(|_| failed("the model's answer has another form than the request asked for"))
}

fn failed(why: &str) -> IdeasFailed {
    IdeasFailed(why.to_owned())
}
