// Not every model needs all of this.
#![allow(dead_code)]

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;

use super::errors::*;
use super::numbers::*;
use super::values::*;

/// What a failed condition means.
type Refused = fn(Refusal) -> Error;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Put,
    Update,
    Delete,
    Check,
}

/// One item to write, and what it means when its condition fails.
#[derive(Clone)]
pub struct Action {
    pub kind: Kind,
    entity: &'static str,
    pub table: String,
    /// The whole item of a put, else the key.
    pub item: Item,
    refused: Refused,
    conditions: Vec<String>,
    sets: Vec<String>,
    removes: Vec<String>,
    adds: Vec<String>,
    names: HashMap<String, String>,
    values: Item,
}

impl Action {
    fn new(kind: Kind, entity: &'static str, table: &str, item: Item) -> Self {
        Self {
            kind,
            entity,
            table: table.to_owned(),
            item,
            refused: Error::Conflict,
            conditions: Vec::new(),
            sets: Vec::new(),
            removes: Vec::new(),
            adds: Vec::new(),
            names: HashMap::new(),
            values: Item::new(),
        }
    }

    fn path(&mut self, path: &str) -> String {
        let parts: Vec<_> = path.split('\0').map(|part| self.name(part)).collect();
        parts.join(".")
    }

    fn name(&mut self, name: &str) -> String {
        if let Some((made, _)) = self.names.iter().find(|(_, known)| *known == name) {
            return made.clone();
        }
        let made = format!("#n{}", self.names.len());
        self.names.insert(made.clone(), name.to_owned());
        made
    }

    fn value(&mut self, value: AttributeValue) -> String {
        let made = format!(":v{}", self.values.len());
        self.values.insert(made.clone(), value);
        made
    }

    /// What must still be as it was read.
    fn expect(&mut self, expected: Values) {
        for (name, value) in expected {
            let name = self.name(&name);
            let condition = match value {
                Some(value) => format!("{name} = {}", self.value(value)),
                None => format!("attribute_not_exists({name})"),
            };
            self.conditions.push(condition);
        }
    }

    pub fn expression(&self) -> String {
        let mut clauses = Vec::new();
        for (word, parts) in [
            ("SET", &self.sets),
            ("REMOVE", &self.removes),
            ("ADD", &self.adds),
        ] {
            if !parts.is_empty() {
                clauses.push(format!("{word} {}", parts.join(", ")));
            }
        }
        clauses.join(" ")
    }

    pub fn condition(&self) -> Option<String> {
        (!self.conditions.is_empty()).then(|| self.conditions.join(" AND "))
    }

    pub fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    pub fn values(&self) -> Option<Item> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }

    fn writes(&self, table: &str, key: &Item) -> bool {
        self.table == table && is_same_row(&self.item, key, key.keys())
    }

    /// What DynamoDB said is in it.
    pub fn refusal(&self, cause: aws_sdk_dynamodb::Error) -> Error {
        (self.refused)(Refusal {
            entity: self.entity.to_owned(),
            cause: Some(Box::new(cause)),
        })
    }
}

pub fn not_found(entity: &str) -> Error {
    Error::NotFound(Refusal {
        entity: entity.to_owned(),
        cause: None,
    })
}

/// Writes a whole item.
pub fn put(entity: &'static str, table: &str, item: Item) -> Action {
    Action::new(Kind::Put, entity, table, item)
}

/// Writes a whole item that must not be there yet; `guard` is an attribute of its key.
pub fn put_once(entity: &'static str, table: &str, item: Item, guard: &str) -> Action {
    let mut action = put(entity, table, item);
    action.refused = Error::AlreadyExists;
    action.expect(values! { guard => None::<String> });
    action
}

/// Puts an item over the one that was read before; what is expected must still hold.
pub fn replace(entity: &'static str, table: &str, item: Item, expected: Values) -> Action {
    let mut action = put(entity, table, item);
    action.expect(expected);
    action
}

/// The place of an attribute inside a map, for `update`.
pub fn path(names: &[&str]) -> String {
    names.join("\0")
}

/// Sets attributes of an item that exists, or of a row in a map of it; those without a value are removed.
pub fn update(entity: &'static str, table: &str, key: Item, changes: Values) -> Action {
    let names: Vec<_> = key.keys().cloned().collect();
    let mut action = Action::new(Kind::Update, entity, table, key);
    action.refused = Error::NotFound;
    for (name, value) in changes {
        if let Some((row, _)) = name.rsplit_once('\0').filter(|(row, _)| row.contains('\0')) {
            let exists = format!("attribute_exists({})", action.path(row));
            if !action.conditions.contains(&exists) {
                action.conditions.push(exists);
            }
        }
        let path = action.path(&name);
        match value {
            Some(value) => {
                let value = action.value(value);
                action.sets.push(format!("{path} = {value}"));
            }
            None => action.removes.push(path),
        }
    }
    for name in names {
        let name = action.name(&name);
        action.conditions.push(format!("attribute_exists({name})"));
    }
    action
}

/// The same of an item that was read; what is expected must still hold.
pub fn update_if(
    entity: &'static str,
    table: &str,
    key: Item,
    changes: Values,
    expected: Values,
) -> Action {
    let mut action = update(entity, table, key, changes);
    action.refused = Error::Conflict;
    action.expect(expected);
    action
}

/// Deletes an item; one that is gone already is as good.
pub fn remove(entity: &'static str, table: &str, key: Item) -> Action {
    Action::new(Kind::Delete, entity, table, key)
}

/// Deletes an item of which what is expected still holds.
pub fn remove_if(entity: &'static str, table: &str, key: Item, expected: Values) -> Action {
    let mut action = remove(entity, table, key);
    action.expect(expected);
    action
}

/// Lets the transaction hold only while these attributes are as they were read.
pub fn unchanged(entity: &'static str, table: &str, key: Item, expected: Values) -> Action {
    let mut action = Action::new(Kind::Check, entity, table, key);
    action.expect(expected);
    action
}

/// Demands more of the stored item.
pub fn only_if(
    mut action: Action,
    condition: &str,
    names: &[(&str, &str)],
    given: Values,
) -> Action {
    let names = names
        .iter()
        .map(|(made, name)| ((*made).to_owned(), (*name).to_owned()));
    action.names.extend(names);
    action.values.extend(item_of(given));
    action.conditions.push(condition.to_owned());
    action.refused = Error::ConditionNotMet;
    action
}

/// Adds to numbers of the item that an update changes.
pub fn increase(mut action: Action, by: Values) -> Action {
    for (name, value) in item_of(by) {
        let added = format!("{} {}", action.name(&name), action.value(value));
        action.adds.push(added);
    }
    action
}

/// Keeps a value unique: the lock of the old one goes, that of the new one must not be there yet.
pub fn move_lock(
    entity: &'static str,
    table: &str,
    before: impl Into<Option<String>>,
    now: impl Into<Option<String>>,
    names: &[&str],
) -> Vec<Action> {
    let (before, now) = (before.into(), now.into());
    if before == now {
        return Vec::new();
    }
    let key_of = |text: &String| -> Item {
        let value = AttributeValue::S(text.clone());
        names
            .iter()
            .map(|name| ((*name).to_owned(), value.clone()))
            .collect()
    };
    let mut actions = Vec::new();
    if let Some(text) = &before {
        actions.push(remove(entity, table, key_of(text)));
    }
    if let Some(text) = &now {
        actions.push(put_once(entity, table, key_of(text), names[0]));
    }
    actions
}

/// Keeps a row's second item where its key says. A key without one of its attributes is none.
pub fn move_second(
    entity: &'static str,
    table: &str,
    before: Values,
    item: Item,
    names: &[&str],
) -> Vec<Action> {
    let old = item_of(before);
    let is_there = |item: &Item| names.iter().all(|name| item.contains_key(*name));
    let stays = is_there(&old) && is_same_row(&old, &item, owned(names).iter());
    let mut actions = Vec::new();
    if is_there(&old) && !stays {
        actions.push(remove(entity, table, old));
    }
    if stays {
        actions.push(put(entity, table, item));
    } else if is_there(&item) {
        actions.push(put_once(entity, table, item, names[0]));
    }
    actions
}

/// Changes the second item of a row that has one.
pub fn update_second(
    entity: &'static str,
    table: &str,
    key: Values,
    changes: Values,
) -> Vec<Action> {
    let attributes = key.len();
    let key = item_of(key);
    if key.len() < attributes {
        return Vec::new();
    }
    vec![update(entity, table, key, changes)]
}

/// An item as what an expression compares.
fn as_values(item: &Item) -> Values {
    let pairs = item.iter();
    pairs
        .map(|(name, value)| (name.clone(), Some(value.clone())))
        .collect()
}

fn change(item: &mut Item, changes: Values) {
    for (name, value) in changes {
        match value {
            Some(value) => item.insert(name, value),
            None => item.remove(&name),
        };
    }
}

/// Changes an item that was read; where its key changes, it is deleted and put again. `guard` is an attribute of its key.
pub fn move_item(
    entity: &'static str,
    table: &str,
    before: &Item,
    key: Item,
    new_key: Item,
    changes: Values,
) -> Vec<Action> {
    if is_same_row(&key, &new_key, new_key.keys()) {
        return vec![update_if(entity, table, key, changes, as_values(before))];
    }
    let guard = new_key.keys().min().cloned().unwrap_or_default();
    let mut item = before.clone();
    change(&mut item, changes);
    item.extend(new_key);
    vec![
        remove_if(entity, table, key, as_values(before)),
        put_once(entity, table, item, &guard),
    ]
}

/// Refuses a write whose condition does not hold of what was read.
pub fn demand(entity: &str, tests: &[bool]) -> Result<()> {
    if tests.contains(&false) {
        return Err(Error::ConditionNotMet(Refusal {
            entity: entity.to_owned(),
            cause: None,
        }));
    }
    Ok(())
}

/// A number of an item and what comes to it; an absent one counts as 0.
pub fn added(before: Found<'_>, by: &Number) -> Number {
    read(before).map_or(by.clone(), |before| sum(&before, by))
}

/// What is no number counts as 0.
fn number_of(value: impl Stored) -> Number {
    let number = value.stored().and_then(Number::plain);
    number.unwrap_or_else(|| 0.into())
}

/// What a sum or count of another item changes by.
struct Total {
    entity: &'static str,
    table: String,
    key: Item,
    by: BTreeMap<&'static str, Number>,
}

/// Actions that are written together, and what they add to sums and counts of other items.
#[derive(Default)]
pub struct ChangeSet {
    actions: Vec<Action>,
    totals: Vec<Total>,
}

impl ChangeSet {
    pub fn add(&mut self, action: Action) {
        self.actions.push(action);
    }

    pub fn add_all(&mut self, actions: Vec<Action>) {
        self.actions.extend(actions);
    }

    pub fn add_to(
        &mut self,
        entity: &'static str,
        table: &str,
        key: Item,
        name: &'static str,
        by: impl Stored,
    ) {
        self.change(entity, table, key, name, number_of(by));
    }

    pub fn take_from(
        &mut self,
        entity: &'static str,
        table: &str,
        key: Item,
        name: &'static str,
        by: impl Stored,
    ) {
        self.change(entity, table, key, name, negative(&number_of(by)));
    }

    fn change(
        &mut self,
        entity: &'static str,
        table: &str,
        key: Item,
        name: &'static str,
        by: Number,
    ) {
        let same = |one: &&mut Total| one.table == table && is_same_row(&one.key, &key, key.keys());
        if let Some(total) = self.totals.iter_mut().find(same) {
            let changed = match total.by.get(name) {
                Some(before) => sum(before, &by),
                None => by,
            };
            total.by.insert(name, changed);
            return;
        }
        self.totals.push(Total {
            entity,
            table: table.to_owned(),
            key,
            by: BTreeMap::from([(name, by)]),
        });
    }

    /// All actions. What a total changes by joins the action on its item, if there is one.
    pub fn finished(self) -> Vec<Action> {
        let mut actions: Vec<Action> = Vec::new();
        for one in self.actions {
            let known = |other: &Action| other.writes(&one.table, &one.item);
            if one.kind != Kind::Check || !actions.iter().any(known) {
                actions.push(one);
            }
        }
        for one in self.totals {
            let changes = one.by.into_iter().filter(|(_, n)| n.as_str() != "0");
            let by: Values = changes
                .map(|(name, n)| (name.to_owned(), stored(&n)))
                .collect();
            if by.is_empty() {
                continue;
            }
            match actions
                .iter()
                .position(|other| other.writes(&one.table, &one.key))
            {
                Some(at) => {
                    let action = actions[at].clone();
                    actions[at] = including(action, by);
                }
                None => {
                    let action = update(one.entity, &one.table, one.key, Values::new());
                    actions.push(increase(action, by));
                }
            }
        }
        actions
    }
}

/// Totals in the item that an action puts, or added to the item that it changes.
fn including(mut action: Action, by: Values) -> Action {
    match action.kind {
        Kind::Put => {
            for (name, value) in item_of(by) {
                let by = number_of(value);
                let sum = added(found(&action.item, &name), &by);
                action.item.extend(item! { name => sum });
            }
            action
        }
        Kind::Check | Kind::Update => {
            action.kind = Kind::Update;
            increase(action, by)
        }
        Kind::Delete => action,
    }
}

/// An action for each row.
pub fn actions_for<T>(rows: &[T], make: impl Fn(&T) -> Result<Action>) -> Result<Vec<Action>> {
    rows.iter().map(make).collect()
}

pub fn is_same_row<'a>(a: &Item, b: &Item, mut names: impl Iterator<Item = &'a String>) -> bool {
    let same = |a: Option<&AttributeValue>, b: Option<&AttributeValue>| match (a, b) {
        (Some(AttributeValue::N(a)), Some(AttributeValue::N(b))) => number(a) == number(b),
        _ => a == b,
    };
    names.all(|name| same(a.get(name), b.get(name)))
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The row in place of the one with the same key, or where its key belongs.
pub fn with_row(rows: Vec<Item>, row: Values, names: &[&str]) -> Vec<Item> {
    let mut rows = without_row(rows, row.clone(), names);
    rows.push(item_of(row));
    rows.sort_by(|a, b| {
        let orders = names.iter().map(|name| compare(a.get(*name), b.get(*name)));
        orders.fold(std::cmp::Ordering::Equal, |all, next| all.then(next))
    });
    rows
}

pub fn without_row(mut rows: Vec<Item>, key: Values, names: &[&str]) -> Vec<Item> {
    let (key, names) = (item_of(key), owned(names));
    rows.retain(|row| !is_same_row(row, &key, names.iter()));
    rows
}

/// New values for the row with this key.
pub fn with_changes(
    mut rows: Vec<Item>,
    key: Values,
    changes: Values,
    names: &[&str],
) -> Vec<Item> {
    let (key, names) = (item_of(key), owned(names));
    for row in &mut rows {
        if is_same_row(row, &key, names.iter()) {
            change(row, changes.clone());
        }
    }
    rows
}
