// Not every model needs all of this.
#![allow(dead_code, unused_imports, unused_macros)]

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use super::errors::*;
use super::numbers::*;

/// An item, or its key, as DynamoDB stores it. Code here uses an empty one for one that is not there.
pub type Item = HashMap<String, AttributeValue>;

/// An attribute of an item, if it is there.
pub type Found<'a> = Option<Cow<'a, AttributeValue>>;

pub fn found<'a>(item: &'a Item, name: &str) -> Found<'a> {
    item.get(name).map(Cow::Borrowed)
}

/// Attributes by name, or by a path that `path` makes; those that are absent have no value.
pub type Values = BTreeMap<String, Option<AttributeValue>>;

/// `values! { "name" => value, … }` of what is `Stored`.
macro_rules! values {
    ($($name:expr => $value:expr),* $(,)?) => {
        Values::from([$(($name.to_owned(), stored(&$value))),*])
    };
}
pub(crate) use values;

/// The same without those that are absent.
macro_rules! item {
    ($($name:expr => $value:expr),* $(,)?) => {
        item_of(values! { $($name => $value),* })
    };
}
pub(crate) use item;

/// The names of an expression: `names! { "#name" => "name", … }`.
macro_rules! names {
    ($($placeholder:expr => $name:expr),* $(,)?) => {
        &[$(($placeholder, $name)),*]
    };
}
pub(crate) use names;

/// `when_present! { [needed, …] => key }`: a key, if all that it needs is there.
macro_rules! when_present {
    ([$($needed:expr),* $(,)?] => $key:expr $(,)?) => {
        if [$(stored(&$needed)),*].iter().all(is_there) {
            Some($key.to_owned())
        } else {
            None
        }
    };
}
pub(crate) use when_present;

pub fn item_of(values: Values) -> Item {
    values
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// What DynamoDB can store.
pub trait Stored {
    fn stored(&self) -> Option<AttributeValue>;
}

pub fn stored<T: Stored + ?Sized>(value: &T) -> Option<AttributeValue> {
    value.stored()
}

/// For a member of a list.
pub fn value_of<T: Stored + ?Sized>(value: &T) -> AttributeValue {
    value.stored().unwrap_or(AttributeValue::Null(true))
}

/// What another row or function gets of it.
pub fn own<T: ToOwned + ?Sized>(value: &T) -> T::Owned {
    value.to_owned()
}

/// Neither absent nor an empty text.
pub fn is_there(value: &Option<AttributeValue>) -> bool {
    match value {
        Some(AttributeValue::S(text)) => !text.is_empty(),
        other => other.is_some(),
    }
}

/// What a key is made of and is optional in the row.
pub fn present<'a, T>(value: &'a Option<T>, name: &str) -> Result<&'a T> {
    value
        .as_ref()
        .ok_or_else(|| Error::MissingAttribute(name.to_owned()))
}

impl<T: Stored + ?Sized> Stored for &T {
    fn stored(&self) -> Option<AttributeValue> {
        (**self).stored()
    }
}

impl<T: Stored> Stored for Option<T> {
    fn stored(&self) -> Option<AttributeValue> {
        self.as_ref()?.stored()
    }
}

impl Stored for Cow<'_, AttributeValue> {
    fn stored(&self) -> Option<AttributeValue> {
        Some(self.as_ref().clone())
    }
}

impl Stored for AttributeValue {
    fn stored(&self) -> Option<AttributeValue> {
        Some(self.clone())
    }
}

impl Stored for str {
    fn stored(&self) -> Option<AttributeValue> {
        Some(AttributeValue::S(self.to_owned()))
    }
}

impl Stored for String {
    fn stored(&self) -> Option<AttributeValue> {
        self.as_str().stored()
    }
}

impl Stored for Number {
    fn stored(&self) -> Option<AttributeValue> {
        Some(AttributeValue::N(self.to_string()))
    }
}

impl Stored for bool {
    fn stored(&self) -> Option<AttributeValue> {
        Some(AttributeValue::Bool(*self))
    }
}

impl Stored for Vec<u8> {
    fn stored(&self) -> Option<AttributeValue> {
        Some(AttributeValue::B(Blob::new(self.clone())))
    }
}

impl Stored for Vec<AttributeValue> {
    fn stored(&self) -> Option<AttributeValue> {
        Some(AttributeValue::L(self.clone()))
    }
}

impl Stored for Item {
    fn stored(&self) -> Option<AttributeValue> {
        Some(AttributeValue::M(self.clone()))
    }
}

// DynamoDB has no empty sets.
impl Stored for Vec<String> {
    fn stored(&self) -> Option<AttributeValue> {
        (!self.is_empty()).then(|| AttributeValue::Ss(self.clone()))
    }
}

impl Stored for Vec<Number> {
    fn stored(&self) -> Option<AttributeValue> {
        let texts: Vec<_> = self.iter().map(|one| one.to_string()).collect();
        (!texts.is_empty()).then_some(AttributeValue::Ns(texts))
    }
}

impl Stored for Values {
    fn stored(&self) -> Option<AttributeValue> {
        Some(AttributeValue::M(item_of(self.clone())))
    }
}

/// The opposite of `Stored`. Nothing for a value of another type.
pub trait Plain: Sized {
    fn plain(value: AttributeValue) -> Option<Self>;
}

macro_rules! plain {
    ($($type:ty: $variant:ident($inner:ident) => $made:expr;)*) => {
        $(impl Plain for $type {
            fn plain(value: AttributeValue) -> Option<Self> {
                match value {
                    AttributeValue::$variant($inner) => $made,
                    _ => None,
                }
            }
        })*
    };
}
plain! {
    String: S(text) => Some(text);
    Number: N(text) => text.parse().ok();
    bool: Bool(truth) => Some(truth);
    Vec<u8>: B(bytes) => Some(bytes.into_inner());
    Vec<AttributeValue>: L(list) => Some(list);
    Item: M(members) => Some(members);
    Vec<String>: Ss(texts) => Some(texts);
    Vec<Number>: Ns(texts) => texts.iter().map(|one| one.parse().ok()).collect();
}

/// The value in a type of Rust's own.
pub fn read<T: Plain>(value: Found<'_>) -> Option<T> {
    T::plain(value?.into_owned())
}

/// The same, of an attribute that must be there.
pub fn get<T: Plain>(name: &str, value: Found<'_>) -> Result<T> {
    read(value).ok_or_else(|| Error::MissingAttribute(name.to_owned()))
}

pub fn rows_of<T>(items: &[Item], read: impl Fn(&Item) -> Result<T>) -> Result<Vec<T>> {
    items.iter().map(read).collect()
}

/// The same where a row also has attributes of other items, which stand at the same index.
pub fn joined_rows<T>(items: &[Item], read: impl Fn(usize, &Item) -> Result<T>) -> Result<Vec<T>> {
    let indexed = items.iter().enumerate();
    indexed.map(|(i, item)| read(i, item)).collect()
}

pub fn first<T>(rows: Result<Vec<T>>) -> Result<Option<T>> {
    Ok(rows?.into_iter().next())
}

/// As DynamoDB sorts: texts by their bytes, numbers by value, absent ones first.
pub fn compare(a: Option<&AttributeValue>, b: Option<&AttributeValue>) -> Ordering {
    use AttributeValue as Value;
    match (a, b) {
        (Some(Value::S(a)), Some(Value::S(b))) => a.cmp(b),
        (Some(Value::N(a)), Some(Value::N(b))) => number(a).cmp(&number(b)),
        (Some(Value::B(a)), Some(Value::B(b))) => a.as_ref().cmp(b.as_ref()),
        (Some(Value::Bool(a)), Some(Value::Bool(b))) => a.cmp(b),
        _ => a.is_some().cmp(&b.is_some()),
    }
}

pub fn least<const N: usize>(all: [Option<AttributeValue>; N]) -> Option<AttributeValue> {
    let smaller = |a: &Option<_>, b: &Option<_>| compare(a.as_ref(), b.as_ref());
    all.into_iter().min_by(smaller).flatten()
}

pub fn greatest<const N: usize>(all: [Option<AttributeValue>; N]) -> Option<AttributeValue> {
    let smaller = |a: &Option<_>, b: &Option<_>| compare(a.as_ref(), b.as_ref());
    all.into_iter().max_by(smaller).flatten()
}

/// A condition that the keys do not serve; an absent value meets those that ask for another one only.
pub fn matches(value: Found<'_>, test: &str, operands: &[Option<AttributeValue>]) -> bool {
    let Some(value) = value.as_deref() else {
        return matches!(test, "not exists" | "<>");
    };
    let order = |i: usize| compare(Some(value), operands[i].as_ref());
    match test {
        "exists" => true,
        "not exists" => false,
        "=" => order(0).is_eq(),
        "<>" => order(0).is_ne(),
        "<" => order(0).is_lt(),
        "<=" => order(0).is_le(),
        ">" => order(0).is_gt(),
        ">=" => order(0).is_ge(),
        "between" => order(0).is_ge() && order(1).is_le(),
        "in" => (0..operands.len()).any(|i| order(i).is_eq()),
        "begins_with" => match (value, &operands[0]) {
            (AttributeValue::S(text), Some(AttributeValue::S(prefix))) => text.starts_with(prefix),
            _ => false,
        },
        _ => contains(value, operands[0].as_ref()),
    }
}

/// The same for the first characters of both sides.
pub fn matches_beginning(
    value: Found<'_>,
    count: usize,
    test: &str,
    operands: &[Option<AttributeValue>],
) -> bool {
    let begins = |one: &Option<AttributeValue>| match one {
        Some(AttributeValue::S(text)) => {
            Some(AttributeValue::S(text.chars().take(count).collect()))
        }
        other => other.clone(),
    };
    let others: Vec<_> = operands.iter().map(begins).collect();
    matches(
        begins(&value.map(Cow::into_owned)).map(Cow::Owned),
        test,
        &others,
    )
}

fn contains(value: &AttributeValue, wanted: Option<&AttributeValue>) -> bool {
    match (value, wanted) {
        (AttributeValue::S(text), Some(AttributeValue::S(part))) => text.contains(part),
        (AttributeValue::Ss(texts), Some(AttributeValue::S(text))) => texts.contains(text),
        (AttributeValue::Ns(texts), Some(AttributeValue::N(text))) => {
            texts.iter().any(|one| number(one) == number(text))
        }
        (AttributeValue::L(list), _) => list.iter().any(|one| compare(Some(one), wanted).is_eq()),
        _ => false,
    }
}
