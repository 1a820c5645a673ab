//! The OpenAPI 3.1 document, generated from the annotations of the handlers.

use std::io::{self, Read};

use bolts_keys::Scope;
use flate2::read::GzDecoder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{ContentBuilder, OpenApi as Document, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use crate::error::Problem;
use crate::routes::Operations;
use crate::scopes;

/// `frontend/openapi.json`, packed by the build script.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

#[derive(OpenApi)]
#[openapi(
    info(title = "Bolts", description = "Peer-to-peer bets between two people, at even or custom odds."),
    components(schemas(Problem))
)]
struct Api;

/// Adds the answers with a problem to all operations. The statuses of problems are the same for every operation.
struct Problems;

const STATUSES: [(&str, &str); 12] = [
    ("400", "Malformed JSON"),
    ("401", "Not signed in"),
    ("403", "Not allowed"),
    ("404", "Not found, or not yours to see"),
    ("405", "Method not allowed"),
    ("409", "The state does not allow it"),
    ("413", "Too large"),
    ("415", "Not JSON"),
    ("422", "A field of the wrong type, value or length"),
    ("429", "Too many; see Retry-After"),
    ("500", "Internal error"),
    ("503", "Try again; see Retry-After"),
];

impl Modify for Problems {
    fn modify(&self, document: &mut Document) {
        for item in document.paths.paths.values_mut() {
            let operations =
                [&mut item.get, &mut item.post, &mut item.delete, &mut item.patch, &mut item.put];
            operations.into_iter().flatten().for_each(add_problems);
        }
    }
}

fn add_problems(operation: &mut Operation) {
    for (status, description) in STATUSES {
        let schema = RefOr::Ref(Ref::from_schema_name("Problem"));
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let response = ResponseBuilder::new()
            .description(description)
            .content("application/problem+json", content)
            .build();
        operation.responses.responses.entry(status.to_owned()).or_insert(RefOr::T(response));
    }
}

/// Adds the session cookie and the API keys to the document, and says for each operation what a key needs for it.
struct Access;

impl Modify for Access {
    fn modify(&self, document: &mut Document) {
        let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("bolts")));
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(
            "An API key, which a user makes in the account. The list in a security requirement names the scope.",
        ));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("session", cookie);
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer.build()));
        for (path, item) in &mut document.paths.paths {
            let named = [
                ("GET", &mut item.get),
                ("POST", &mut item.post),
                ("DELETE", &mut item.delete),
                ("PATCH", &mut item.patch),
                ("PUT", &mut item.put),
            ];
            for (method, operation) in named {
                operation.iter_mut().for_each(|operation| say_access(operation, method, path));
            }
        }
    }
}

fn say_access(operation: &mut Operation, method: &str, path: &str) {
    let scope = scopes::needed(method, path).map(Scope::as_str);
    let said = scope
        .map_or("API keys cannot call it.".to_owned(), |scope| format!("API keys need the scope `{scope}`."));
    let before = operation.description.take().map(|text| format!("{text}\n\n")).unwrap_or_default();
    operation.description = Some(before + &said);
    let Some(scope) = scope else { return };
    let mut ways =
        vec![SecurityRequirement::new("session", [""; 0]), SecurityRequirement::new("bearer", [scope])];
    if scopes::is_public(method, path) {
        ways.insert(0, SecurityRequirement::default());
    }
    operation.security = Some(ways);
}

/// The OpenAPI 3.1 document as JSON. It is `frontend/openapi.json`, which a test compares with [`generated_document`].
pub fn document() -> io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(PACKED).read_to_string(&mut text)?;
    Ok(text)
}

/// The document that the annotations of the handlers make. The server does not call it, so its code is not in the binary.
pub fn generated_document() -> String {
    let mut document = Api::openapi();
    document.merge(Operations::openapi());
    Problems.modify(&mut document);
    Access.modify(&mut document);
    let mut json = serde_json::to_value(document).unwrap_or_default();
    if let Some(version) = json.pointer_mut("/info/version") {
        *version = env!("CARGO_PKG_VERSION").into();
    }
    let mut text = serde_json::to_string_pretty(&json).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use serde_json::Value;

    use super::*;

    fn parsed() -> Value {
        serde_json::from_str(&generated_document()).expect("JSON")
    }

    /// All operations of the document. Each has a name of the form `method /path`.
    fn operations() -> Vec<(String, Value)> {
        let document = parsed();
        let paths = document["paths"].as_object().expect("paths");
        let calls = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().expect("methods").iter();
            methods.map(move |(method, operation)| (format!("{method} {path}"), operation.clone()))
        });
        calls.collect()
    }

    #[test]
    fn the_packed_document_is_current() {
        assert_eq!(document().expect("packed"), generated_document(), "stale: run `just api`");
    }

    #[test]
    fn every_response_has_a_description() {
        for (call, operation) in operations() {
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let description = response["description"].as_str().unwrap_or_default();
                assert!(!description.is_empty(), "{call} does not describe its {status}");
            }
        }
    }

    #[test]
    fn every_operation_says_what_a_key_needs() {
        for (call, operation) in operations() {
            let said = operation["description"].as_str().unwrap_or_default();
            let takes =
                operation["security"].as_array().into_iter().flatten().find_map(|way| way.get("bearer"));
            match takes {
                Some(scope) => assert!(
                    said.ends_with(&format!("need the scope `{}`.", scope[0].as_str().unwrap())),
                    "{call}"
                ),
                None => assert!(said.ends_with("API keys cannot call it."), "{call}"),
            }
        }
    }

    /// A generated client uses the operation ids as names of its functions: a verb and its object, in camelCase.
    #[test]
    fn every_operation_has_a_unique_id_of_verb_and_object() {
        let mut seen = BTreeSet::new();
        for (call, operation) in operations() {
            let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
            let is_camel_case = id.starts_with(|c: char| c.is_ascii_lowercase())
                && id.contains(|c: char| c.is_ascii_uppercase())
                && id.chars().all(|c| c.is_ascii_alphanumeric());
            assert!(is_camel_case, "{call} has the operationId {id:?}");
            assert!(seen.insert(id.clone()), "{call} shares the operationId {id}");
        }
    }

    /// The texts of the source files in a folder and below it.
    fn sources(folder: &Path) -> Vec<String> {
        let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let texts = |path: PathBuf| {
            if path.is_dir() { sources(&path) } else { vec![fs::read_to_string(path).expect("a text")] }
        };
        paths.flat_map(texts).collect()
    }

    /// The schema name of a struct whose source begins with this text, after its `derive`.
    fn schema_name(source: &str) -> &str {
        let (attributes, definition) = source.split_once("struct ").expect("a struct");
        let name = attributes.split_once("schema(as = ").map_or(definition, |(_, name)| name);
        name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
    }

    /// The document has one schema for each name. Of two structs with one name, it would describe only one.
    #[test]
    fn every_schema_name_belongs_to_one_struct() {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        let structs = sources.iter().flat_map(|source| source.split("ToSchema)]\n").skip(1));
        let names: Vec<&str> = structs.map(schema_name).collect();
        for name in parsed()["components"]["schemas"].as_object().expect("schemas").keys() {
            let structs = names.iter().filter(|known| **known == name.as_str()).count();
            assert_eq!(structs, 1, "structs with the schema name {name}");
        }
    }

    #[test]
    fn both_resets_of_a_password_describe_their_own_fields() {
        let document = parsed();
        for (path, expected) in
            [("/api/auth/password-reset", "newPassword token"), ("/api/admin/reset-password", "userEmail")]
        {
            let content = &document["paths"][path]["post"]["requestBody"]["content"];
            let schema = content["application/json"]["schema"]["$ref"].as_str().expect("a reference");
            let schema = document.pointer(schema.trim_start_matches('#')).expect("a schema");
            let fields: BTreeSet<&str> =
                schema["properties"].as_object().expect("fields").keys().map(String::as_str).collect();
            assert_eq!(fields, BTreeSet::from_iter(expected.split(' ')), "{path}");
        }
    }
}
