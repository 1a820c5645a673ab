//! What a model said, as drafts that nobody has judged yet.

use bolts_ports::{IdeaDraft, IdeasFailed, Remark, Wording, WordingField};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// So many remarks are worth reading.
const MOST_REMARKS: usize = 6;

/// A server's answer; what else is in it does not matter.
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
}

/// The idea that the model wrote.
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

/// The remarks that the model wrote, without those that the form could not use.
pub(super) fn remarks(content: &str, wording: &Wording) -> Result<Vec<Remark>, IdeasFailed> {
    let answer: Remarks = json(content)?;
    let judged = answer.remarks.into_iter().filter_map(|remark| {
        Remark::judge(wording, &remark.problem, WordingField::parse(&remark.field)?, &remark.value)
    });
    Ok(judged.take(MOST_REMARKS).collect())
}

/// Reads the one JSON object in a text: models that know no schemas like to put words or fences around it.
fn json<T: DeserializeOwned>(content: &str) -> Result<T, IdeasFailed> {
    let ends = content.find('{').zip(content.rfind('}')).filter(|(from, to)| from < to);
    let object = ends.and_then(|(from, to)| content.get(from..=to));
    let object = object.ok_or_else(|| failed("the model's answer holds no JSON object"))?;
    serde_json::from_str(object).map_err(|_| failed("the model's answer has another form than was asked for"))
}

fn failed(why: &str) -> IdeasFailed {
    IdeasFailed(why.to_owned())
}
