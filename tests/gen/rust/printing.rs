// What the Rust scripts share; a copy stands in each generated package.
use std::collections::BTreeMap;
use std::future::Future;

use aws_sdk_dynamodb::types::AttributeValue;

use super::errors::*;
use super::numbers::*;
use super::values::*;

fn json(value: &AttributeValue) -> String {
    let list = |parts: Vec<String>| format!("[{}]", parts.join(", "));
    match value {
        AttributeValue::S(text) => quoted(text),
        AttributeValue::N(text) => number(text).to_string(),
        AttributeValue::Bool(truth) => truth.to_string(),
        AttributeValue::L(all) => list(all.iter().map(json).collect()),
        AttributeValue::Ss(all) => list(all.iter().map(|one| quoted(one)).collect()),
        AttributeValue::Ns(all) => list(all.iter().map(|one| number(one).to_string()).collect()),
        AttributeValue::M(members) => object(members),
        _ => "null".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

fn object(item: &Item) -> String {
    let sorted: BTreeMap<_, _> = item.iter().collect();
    let members = sorted
        .into_iter()
        .map(|(name, value)| format!("{}: {}", quoted(name), json(value)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

pub fn rows_as<T>(rows: &[T], fill: impl Fn(&T) -> Values) -> String {
    let texts = rows.iter().map(|row| object(&item_of(fill(row))));
    format!("[{}]", texts.collect::<Vec<_>>().join(", "))
}

pub fn measured(name: &str, number: &impl std::fmt::Display) -> String {
    format!("[{{{}: {}}}]", quoted(name), number)
}

pub fn emit(call: &str, sections: &[String]) {
    println!(
        "{{\"call\": {}, \"sections\": [{}]}}",
        quoted(call),
        sections.join(", ")
    );
}

pub fn attempt(call: &str, done: Result<()>) {
    let outcome = match done {
        Ok(()) => "ok".to_owned(),
        Err(Error::InvalidKeyPart(_)) => "InvalidKeyPart".to_owned(),
        Err(Error::AlreadyExists(_)) => "AlreadyExists".to_owned(),
        Err(Error::NotFound(_)) => "NotFound".to_owned(),
        Err(Error::ConditionNotMet(_)) => "ConditionNotMet".to_owned(),
        Err(Error::Conflict(_)) => "Conflict".to_owned(),
        Err(other) => format!("{other:?}"),
    };
    println!(
        "{{\"call\": {}, \"outcome\": {}}}",
        quoted(call),
        quoted(&outcome)
    );
}

/// What callers spawn must be able to move between threads.
pub fn sent<T>(call: impl Future<Output = T> + Send) -> impl Future<Output = T> + Send {
    call
}
