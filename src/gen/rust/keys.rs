// Not every model needs all of this.
#![allow(dead_code, unused_imports, unused_macros)]

use std::borrow::Cow;
use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;

use super::errors::*;
use super::numbers::*;
use super::values::*;

/// What sorts behind every text that begins with this one.
pub fn after(prefix: impl fmt::Display) -> String {
    format!("{prefix}\u{10ffff}")
}

/// Refuses a part that is empty, or that would be read as something else: one that contains the text behind it, and what
/// the rules say of both together; the first of them is that text. `*x`: contains x; `^x`: begins with x; `=x`: is x;
/// `<x`: x begins with it; `@0000-00-00`: does not begin in this form, which `*` skips.
pub fn check_part(attribute: &str, part: impl fmt::Display, next_and_rules: &[&str]) -> Result<()> {
    let text = part.to_string();
    match fault(&text, next_and_rules) {
        None => Ok(()),
        Some(reason) => Err(Error::InvalidKeyPart(InvalidKeyPart {
            attribute: attribute.to_owned(),
            value: text,
            reason,
        })),
    }
}

fn fault(text: &str, next_and_rules: &[&str]) -> Option<String> {
    if text.is_empty() {
        return Some("is empty".to_owned());
    }
    let (next, rules) = next_and_rules.split_first()?;
    let whole = format!("{text}{next}");
    let inside = format!("*{next}");
    let mut from = 0;
    for rule in rules.iter().copied().chain([inside.as_str()]) {
        let (kind, what) = rule.split_at(1);
        if what.is_empty() {
            continue;
        }
        let reason = match kind {
            "@" if !has_form(text, what) => format!("does not begin in the form {what}"),
            "@" => {
                from = what.len();
                continue;
            }
            "^" if whole.starts_with(what) => format!("begins with {what:?}"),
            "=" if whole == what => format!("makes {what:?}"),
            "<" if what.starts_with(&whole) => format!("could go on as {what:?}"),
            "*" => match whole[from..].find(what) {
                Some(at) if at + from < text.len() => format!("contains {what:?}"),
                _ => continue,
            },
            _ => continue,
        };
        return Some(reason);
    }
    None
}

/// Whether the text begins in a form such as 0000-00-00, 0 for a digit.
fn has_form(text: &str, form: &str) -> bool {
    text.len() >= form.len()
        && form.bytes().zip(text.bytes()).all(|(wanted, c)| {
            if c.is_ascii_digit() {
                wanted == b'0'
            } else {
                wanted == c
            }
        })
}

/// With zeros in front, so that text order is number order.
pub fn padded(part: impl fmt::Display, width: usize) -> String {
    let text = part.to_string();
    if text.is_empty() {
        return text;
    }
    format!("{text:0>width$}")
}

/// Changes the letters A to Z only, as the table's keys do.
pub fn lower(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// Changes the letters a to z only, as the table's keys do.
pub fn upper(text: &str) -> String {
    text.to_ascii_uppercase()
}

/// So many characters.
pub fn beginning(text: &str, count: usize) -> String {
    text.chars().take(count).collect()
}

/// Counts down from nines, so that the largest sorts first; nothing for a number that has no such key.
pub fn counted_down(of: &Number, digits: usize) -> String {
    let text = of.as_str();
    if text.len() > digits || !text.bytes().all(|c| c.is_ascii_digit()) {
        return String::new();
    }
    padded(text, digits)
        .bytes()
        .map(|c| char::from(b'0' + b'9' - c))
        .collect()
}

/// The shard that a value belongs to: FNV-1a of its text.
pub fn shard_of(part: impl fmt::Display, count: u64) -> u64 {
    let mut hash: u64 = 14_695_981_039_346_656_037;
    for c in part.to_string().bytes() {
        hash = (hash ^ u64::from(c)).wrapping_mul(1_099_511_628_211);
    }
    hash % count
}

/// The attributes of a key, from the texts around them; nothing if it is another key.
fn read_key<'a>(key: &'a AttributeValue, literals: &[&str]) -> Option<Vec<&'a str>> {
    let AttributeValue::S(text) = key else {
        return None;
    };
    let (first, others) = literals.split_first()?;
    let mut rest = text.strip_prefix(first)?;
    let mut parts = Vec::new();
    for literal in others {
        let end = if literal.is_empty() {
            rest.len()
        } else {
            rest.find(literal)?
        };
        if end == 0 {
            return None;
        }
        parts.push(&rest[..end]);
        rest = &rest[end + literal.len()..];
    }
    rest.is_empty().then_some(parts)
}

/// An attribute that is kept in a key only.
pub fn key_part<'a>(item: &'a Item, name: &str, index: usize, literals: &[&str]) -> Found<'a> {
    let parts = read_key(item.get(name)?, literals)?;
    Some(Cow::Owned(AttributeValue::S(parts[index].to_owned())))
}

/// The number that a part of a key stands for.
pub fn as_number(part: Found<'_>) -> Found<'_> {
    let text = read::<String>(part)?;
    Some(Cow::Owned(AttributeValue::N(number(&text).to_string())))
}

/// The truth value that a part of a key stands for.
pub fn as_bool(part: Found<'_>) -> Found<'_> {
    let text = read::<String>(part)?;
    Some(Cow::Owned(AttributeValue::Bool(text == "true")))
}

/// Tells the items of an entity from others by their keys: the texts around the parts of each; none: any value.
pub struct Layout {
    entity: &'static str,
    type_value: &'static str,
    keys: &'static [(&'static str, &'static [&'static str])],
}

pub const fn layout(
    entity: &'static str,
    type_value: &'static str,
    keys: &'static [(&'static str, &'static [&'static str])],
) -> Layout {
    Layout {
        entity,
        type_value,
        keys,
    }
}

impl Layout {
    fn fits(&self, item: &Item) -> bool {
        self.keys.iter().all(|(attribute, literals)| {
            item.get(*attribute)
                .is_some_and(|key| literals.is_empty() || read_key(key, literals).is_some())
        })
    }
}

/// Whose item it is: by its type attribute, else by the first layout that its keys fit.
pub fn entity_of(item: &Item, layouts: &[Layout], type_attribute: &str) -> &'static str {
    let stated = match item.get(type_attribute) {
        Some(AttributeValue::S(text)) => layouts.iter().find(|one| one.type_value == text),
        _ => None,
    };
    let found = stated.or_else(|| layouts.iter().find(|one| one.fits(item)));
    found.map_or("", |layout| layout.entity)
}
