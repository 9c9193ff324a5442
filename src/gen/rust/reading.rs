// Not every model needs all of this.
#![allow(dead_code, unused_imports, unused_macros)]

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::future;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::task::Poll;
use std::time::Duration;

use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes};

use super::errors::*;
use super::numbers::*;
use super::values::*;

pub type Db = aws_sdk_dynamodb::Client;

pub fn filter(items: &[Item], keep: impl Fn(&Item) -> bool) -> Vec<Item> {
    items.iter().filter(|item| keep(item)).cloned().collect()
}

pub fn at_least(items: &[Item], wanted: usize) -> bool {
    items.len() >= wanted
}

pub fn count(items: &[Item], counts: impl Fn(&Item) -> bool) -> usize {
    items.iter().filter(|item| counts(item)).count()
}

pub fn at_most(items: &[Item], limit: usize) -> Vec<Item> {
    items.iter().take(limit).cloned().collect()
}

pub fn keys_of(items: &[Item], key: impl Fn(&Item) -> Result<Item>) -> Result<Vec<Item>> {
    items.iter().map(key).collect()
}

/// What rows are sorted by.
pub struct SortKey {
    of: fn(&Item) -> Found<'_>,
    descending: bool,
}

pub fn ascending(of: fn(&Item) -> Found<'_>) -> SortKey {
    SortKey {
        of,
        descending: false,
    }
}

pub fn descending(of: fn(&Item) -> Found<'_>) -> SortKey {
    SortKey {
        of,
        descending: true,
    }
}

pub fn sorted(items: &[Item], keys: &[SortKey]) -> Vec<Item> {
    let mut rows = items.to_vec();
    rows.sort_by(|a, b| {
        keys.iter().fold(Ordering::Equal, |order, key| {
            let next = compare((key.of)(a).as_deref(), (key.of)(b).as_deref());
            order.then(if key.descending { next.reverse() } else { next })
        })
    });
    rows
}

/// The exact sum; what is no number adds nothing.
pub fn sum_of(items: &[Item], of: fn(&Item) -> Found<'_>) -> Number {
    let numbers = items.iter().filter_map(|item| read::<Number>(of(item)));
    numbers.fold(0.into(), |total, number| sum(&total, &number))
}

/// The rows inside a list or map of an item, each with what `parent` takes from the item around it. The keys of a map
/// become the attribute `by`; plain values of a list are called `member`.
pub fn rows_inside(
    items: &[Item],
    name: &str,
    by: &str,
    member: &str,
    parent: impl Fn(&Item) -> Values,
) -> Vec<Item> {
    let row_of = |item: &Item, inside: &AttributeValue| {
        let mut row = item_of(parent(item));
        match inside {
            _ if !member.is_empty() => {
                row.insert(member.to_owned(), inside.clone());
            }
            AttributeValue::M(members) => row.extend(members.clone()),
            _ => {}
        }
        row
    };
    let mut rows = Vec::new();
    for item in items {
        match item.get(name) {
            Some(AttributeValue::L(list)) => {
                rows.extend(list.iter().map(|inside| row_of(item, inside)));
            }
            Some(AttributeValue::M(members)) => {
                for (key, inside) in members.iter().collect::<BTreeMap<_, _>>() {
                    let mut row = row_of(item, inside);
                    row.insert(by.to_owned(), AttributeValue::S(key.clone()));
                    rows.push(row);
                }
            }
            _ => {}
        }
    }
    rows
}

pub async fn get_item(db: &Db, table: &str, key: &Item) -> Result<Item> {
    let request = db.get_item().table_name(table).set_key(Some(key.clone()));
    let answer = request.consistent_read(true).send().await?;
    Ok(answer.item.unwrap_or_default())
}

pub async fn get_items(request: GetItemFluentBuilder) -> Result<Vec<Item>> {
    Ok(request.send().await?.item.into_iter().collect())
}

/// All pages of a Query.
pub async fn query_all(request: QueryFluentBuilder) -> Result<Vec<Item>> {
    query_until(request, |_| false).await
}

/// As many pages of a Query as `enough` asks for.
pub async fn query_until(
    request: QueryFluentBuilder,
    enough: impl Fn(&[Item]) -> bool,
) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut cursor = None;
    loop {
        let page = request.clone().set_exclusive_start_key(cursor);
        let answer = page.send().await?;
        items.extend(answer.items.unwrap_or_default());
        cursor = answer.last_evaluated_key;
        if cursor.is_none() || enough(&items) {
            return Ok(items);
        }
    }
}

/// How many items a Query finds; DynamoDB counts them.
pub async fn count_all(request: QueryFluentBuilder) -> Result<usize> {
    let mut counted = 0;
    let mut cursor = None;
    loop {
        let page = request.clone().set_exclusive_start_key(cursor);
        let answer = page.send().await?;
        counted += usize::try_from(answer.count).unwrap_or_default();
        cursor = answer.last_evaluated_key;
        if cursor.is_none() {
            return Ok(counted);
        }
    }
}

/// All pages of a Scan.
pub async fn scan_all(request: ScanFluentBuilder) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut cursor = None;
    loop {
        let page = request.clone().set_exclusive_start_key(cursor);
        let answer = page.send().await?;
        items.extend(answer.items.unwrap_or_default());
        cursor = answer.last_evaluated_key;
        if cursor.is_none() {
            return Ok(items);
        }
    }
}

/// Which page to read.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// Items that DynamoDB looks at for this page; without it, as many as fit.
    pub limit: Option<i32>,
    /// From the page before; nothing for the first one.
    pub cursor: Option<Item>,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    pub rows: Vec<T>,
    /// Nothing when there is no more.
    pub cursor: Option<Item>,
}

pub async fn query_page(
    request: QueryFluentBuilder,
    page: &PageOptions,
) -> Result<(Vec<Item>, Option<Item>)> {
    let request = request.set_exclusive_start_key(page.cursor.clone());
    let answer = request.set_limit(page.limit).send().await?;
    Ok((answer.items.unwrap_or_default(), answer.last_evaluated_key))
}

pub fn shards(count: usize) -> Vec<usize> {
    (0..count).collect()
}

/// Sends the same request for each different value or shard, all at once.
pub async fn in_parallel<T: Copy + PartialEq, F: future::Future<Output = Result<Vec<Item>>>>(
    all: &[T],
    read: impl Fn(T) -> F,
) -> Result<Vec<Item>> {
    let mut reads = Vec::new();
    for (i, one) in all.iter().enumerate() {
        if !all[..i].contains(one) {
            reads.push((Box::pin(read(*one)), None));
        }
    }
    future::poll_fn(|context| {
        for (read, answer) in &mut reads {
            if answer.is_none() {
                *answer = match read.as_mut().poll(context) {
                    Poll::Ready(ready) => Some(ready),
                    Poll::Pending => None,
                };
            }
        }
        if reads.iter().all(|(_, answer)| answer.is_some()) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    let mut items = Vec::new();
    for (_, answer) in reads {
        items.extend(answer.transpose()?.unwrap_or_default());
    }
    Ok(items)
}

const BATCH_MAX: usize = 100;

/// The items in the order of their keys; an empty one where there is none.
pub async fn batch_get(db: &Db, table: &str, keys: &[Item], consistent: bool) -> Result<Vec<Item>> {
    let names: Vec<_> = keys.iter().take(1).flat_map(|key| key.keys()).collect();
    let mut left = distinct(keys.to_vec());
    let mut known = HashMap::new();
    let mut tries = 0;
    while !left.is_empty() {
        let batch = left.drain(..left.len().min(BATCH_MAX)).collect();
        let wanted = KeysAndAttributes::builder()
            .set_keys(Some(batch))
            .consistent_read(consistent)
            .build()
            .map_err(aws_sdk_dynamodb::Error::from)?;
        let answer = db.batch_get_item().request_items(table, wanted).send();
        let mut answer = answer.await?;
        for item in answer.responses.iter_mut().flat_map(HashMap::drain) {
            known.extend(item.1.into_iter().map(|item| (id_of(&item, &names), item)));
        }
        let again = answer.unprocessed_keys.unwrap_or_default();
        let again: Vec<_> = again.into_values().flat_map(|one| one.keys).collect();
        if again.is_empty() {
            tries = 0;
            continue;
        }
        left.splice(0..0, again);
        tries += 1;
        pause(tries).await;
    }
    let item_of_key = |key| known.get(&id_of(key, &names)).cloned().unwrap_or_default();
    Ok(keys.iter().map(item_of_key).collect())
}

/// Each item with what the row's other item holds; an empty one where that is gone and needed.
pub fn with_rest(items: &[Item], others: Vec<Item>, needed: bool) -> Vec<Item> {
    let both = |(item, mut other): (&Item, Item)| {
        if !needed || !other.is_empty() {
            other.extend(item.clone());
        }
        other
    };
    items.iter().zip(others).map(both).collect()
}

/// A back-off with full jitter: up to 40 ms, then twice as long each time, up to 1 s.
pub async fn pause(tries: u32) {
    let longest = 1_000_000.min(20_000 << tries.min(10));
    // The seeds of the standard library's hashers are random.
    let random = RandomState::new().build_hasher().finish();
    tokio::time::sleep(Duration::from_micros(random % longest)).await;
}

/// A text for the attributes of an item with these names.
fn id_of(item: &Item, names: &[&String]) -> Vec<String> {
    let text_of = |name: &&String| match item.get(*name) {
        Some(AttributeValue::N(text)) => number(text).to_string(),
        other => format!("{other:?}"),
    };
    names.iter().map(text_of).collect()
}

/// Those that are there.
pub fn existing(items: Vec<Item>) -> Vec<Item> {
    items.into_iter().filter(|item| !item.is_empty()).collect()
}

/// Each key once, in the order in which it came first.
pub fn distinct(keys: Vec<Item>) -> Vec<Item> {
    let names: Vec<_> = keys.iter().take(1).flat_map(Item::keys).cloned().collect();
    let names: Vec<_> = names.iter().collect();
    let mut seen = HashSet::new();
    let mut once = keys;
    once.retain(|key| seen.insert(id_of(key, &names)));
    once
}
