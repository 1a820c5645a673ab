//! Reads a JSON object into a struct. An invalid field gets an empty value, and its error is recorded, so that one
//! answer can list all invalid fields. An absent field is the same as `null`.

use std::cell::RefCell;

use bolts_kernel::FieldError;
use bolts_usecases::accounts::not_too_long;
use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use crate::error::Problem;

/// The errors of a body's fields. Each field keeps only its first error.
#[derive(Debug, Default)]
pub(crate) struct FieldErrors(Vec<FieldError>);

impl FieldErrors {
    /// Records an error of a field.
    pub(crate) fn wrong(&mut self, field: &'static str, message: impl Into<String>) {
        if self.0.iter().all(|known| known.field != field) {
            self.0.push(FieldError::new(field, message));
        }
    }

    /// Records the error `missing` if `text` is empty.
    pub(crate) fn require(&mut self, field: &'static str, text: &str, missing: &str) {
        if text.is_empty() {
            self.wrong(field, missing);
        }
    }

    /// Checks the field of a password to compare: `missing` is its error if it is empty. A text that is longer than any
    /// password is refused before its hash is computed.
    pub(crate) fn require_password(&mut self, field: &'static str, typed: &str, missing: &str) {
        self.require(field, typed, missing);
        self.judge(not_too_long(field, typed));
    }

    /// Returns the value. If the value is `None`, records `message` as the error of the field.
    pub(crate) fn known<T>(&mut self, field: &'static str, value: Option<T>, message: &str) -> Option<T> {
        self.judge(value.ok_or_else(|| FieldError::new(field, message)))
    }

    /// Returns a valid value, or records its error.
    pub(crate) fn judge<T>(&mut self, judged: Result<T, FieldError>) -> Option<T> {
        judged.map_err(|error| self.wrong(error.field, error.message)).ok()
    }

    /// Drops the error of a field that the request does not need.
    pub(crate) fn ignore(&mut self, field: &'static str) {
        self.0.retain(|error| error.field != field);
    }

    /// Fails with 422 if there are errors.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        if self.0.is_empty() { Ok(()) } else { Err(Problem::invalid(self.0)) }
    }

    /// Fails with 422 if there are errors. Otherwise returns `value`, which is then always present.
    pub(crate) fn finish_with<T>(self, value: Option<T>) -> Result<T, Problem> {
        self.finish()?;
        value.ok_or_else(Problem::internal)
    }

    /// Records the error of the last field, if any. Then continues like [`Self::finish_with`].
    pub(crate) fn finish_judging<T>(mut self, judged: Result<T, FieldError>) -> Result<T, Problem> {
        let value = self.judge(judged);
        self.finish_with(value)
    }
}

/// Reads a JSON object into a struct whose fields are texts, whole numbers, booleans, lists of texts and objects.
pub(super) fn read<T: DeserializeOwned>(map: Map<String, Value>) -> Result<(T, FieldErrors), Problem> {
    let errors = RefCell::default();
    let body = T::deserialize(Object { map, errors: &errors }).map_err(|error| {
        tracing::error!(%error, "the type of a request body has a field of an unsupported kind");
        Problem::internal()
    })?;
    Ok((body, errors.into_inner()))
}

struct Object<'e> {
    map: Map<String, Value>,
    errors: &'e RefCell<FieldErrors>,
}

impl<'de> Deserializer<'de> for Object<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let field = |name: &'static str| {
            let value = self.map.remove(name).unwrap_or_default();
            (name, Field { name, value, errors: self.errors })
        };
        visitor.visit_map(MapDeserializer::new(names.iter().copied().map(field)))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("a body is a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Field<'e> {
    name: &'static str,
    value: Value,
    errors: &'e RefCell<FieldErrors>,
}

impl Field<'_> {
    fn wrong(&self, message: impl Into<String>) {
        self.errors.borrow_mut().wrong(self.name, message);
    }
}

impl<'de> IntoDeserializer<'de, Error> for Field<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Field<'_> {
    type Error = Error;

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.value {
            Value::Null => {}
            // PostgreSQL cannot store a NUL character in a text. Our own pages never send one.
            Value::String(text) if text.contains('\0') => self.wrong("This must not contain a NUL character"),
            Value::String(text) => return visitor.visit_str(text),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                self.wrong("This must be a text")
            }
        }
        visitor.visit_str("")
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = self.value.as_i64();
        if self.value.is_null() {
            self.wrong(format!("{} is required", in_words(self.name)));
        } else if number.is_none() {
            self.wrong("This must be a whole number");
        }
        visitor.visit_i64(number.unwrap_or_default())
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value.as_bool();
        if value.is_none() {
            self.wrong("This must be true or false");
        }
        visitor.visit_bool(value.unwrap_or_default())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = |item: &Value| item.as_str().filter(|text| !text.contains('\0')).map(str::to_owned);
        let texts: Option<Vec<String>> =
            self.value.as_array().and_then(|items| items.iter().map(text).collect());
        if texts.is_none() {
            self.wrong("This must be a list of texts");
        }
        visitor.visit_seq(SeqDeserializer::new(texts.unwrap_or_default().into_iter()))
    }

    /// For a field of the type `Map<String, Value>`, whose names the handler checks.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_object() {
            return self.value.clone().deserialize_map(visitor).map_err(Error::custom);
        }
        self.wrong("This must be an object");
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("a field is a text, a whole number, a boolean or a list of texts"))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 f64 char str bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct struct enum identifier
    }
}

/// The name of a field as the start of a sentence: 'Stake amount' for `stakeAmount`.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for (index, c) in name.char_indices() {
        match c {
            _ if index == 0 => words.push(c.to_ascii_uppercase()),
            'A'..='Z' => words.extend([' ', c.to_ascii_lowercase()]),
            _ => words.push(c),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Sample {
        title: String,
        note: Option<String>,
        stake_amount: i64,
        limit: Option<i64>,
        is_public: Option<bool>,
        tags: Option<Vec<String>>,
    }

    fn sample(body: Value) -> (Sample, Vec<(&'static str, String)>) {
        let Value::Object(object) = body else { panic!("not an object") };
        let (sample, errors) = read(object).expect("a type that can be read");
        (sample, errors.0.into_iter().map(|error| (error.field, error.message)).collect())
    }

    #[test]
    fn valid_fields_are_read_and_unknown_fields_are_ignored() {
        let body = json!({"title": "Snow", "note": "", "stakeAmount": 5, "limit": -1, "isPublic": false, "tags": ["a"],
            "more": {}});
        let expected = Sample {
            title: "Snow".to_owned(),
            note: Some(String::new()),
            stake_amount: 5,
            limit: Some(-1),
            is_public: Some(false),
            tags: Some(vec!["a".to_owned()]),
        };
        assert_eq!(sample(body), (expected, vec![]));
    }

    #[test]
    fn an_absent_field_is_the_same_as_null_and_only_a_number_must_be_present() {
        let nulls =
            json!({"title": null, "note": null, "stakeAmount": null, "limit": null, "isPublic": null});
        let errors = vec![("stakeAmount", "Stake amount is required".to_owned())];
        assert_eq!(sample(nulls), (Sample::default(), errors.clone()));
        assert_eq!(sample(json!({})), (Sample::default(), errors));
    }

    #[test]
    fn every_field_of_another_type_is_named() {
        let errors = |body| sample(body).1.into_iter().map(|(field, message)| format!("{field}: {message}"));
        let wrong = json!({"title": 1, "note": [], "stakeAmount": "5", "limit": 1.5, "isPublic": "true",
            "tags": "a"});
        assert_eq!(
            errors(wrong).collect::<Vec<_>>(),
            [
                "title: This must be a text",
                "note: This must be a text",
                "stakeAmount: This must be a whole number",
                "limit: This must be a whole number",
                "isPublic: This must be true or false",
                "tags: This must be a list of texts",
            ]
        );
        let wrong = json!({"title": "a\0b", "note": "\0", "stakeAmount": 1e3, "limit": u64::MAX, "isPublic": 0,
            "tags": ["a", 1]});
        assert_eq!(
            errors(wrong).collect::<Vec<_>>(),
            [
                "title: This must not contain a NUL character",
                "note: This must not contain a NUL character",
                "stakeAmount: This must be a whole number",
                "limit: This must be a whole number",
                "isPublic: This must be true or false",
                "tags: This must be a list of texts",
            ]
        );
    }

    #[test]
    fn a_field_keeps_its_first_error() {
        let mut errors = FieldErrors::default();
        errors.wrong("title", "This must be a text");
        errors.require("title", "", "Title is required");
        errors.wrong("note", "too long");
        errors.ignore("note");
        assert_eq!(errors.0, [FieldError::new("title", "This must be a text")]);
    }
}
