// Not every model needs all of this.
#![allow(dead_code)]

use std::future::Future;

use aws_sdk_dynamodb::types::{
    AttributeValue, CancellationReason, ConditionCheck, Delete, Put, TransactWriteItem, Update,
};

use super::actions::*;
use super::errors::*;
use super::reading::*;
use super::values::*;

const ACTIONS_MAX: usize = 100;

impl ChangeSet {
    pub async fn write(self, db: &Db) -> Result<()> {
        write(db, self.finished()).await
    }

    /// One transaction, or several if there are more actions than one can have, in their order.
    pub async fn write_in_groups(self, db: &Db) -> Result<()> {
        for group in self.finished().chunks(ACTIONS_MAX) {
            write(db, group.to_vec()).await?;
        }
        Ok(())
    }
}

/// One action as it is, several in one transaction: all of them happen, or none.
pub async fn write(db: &Db, actions: Vec<Action>) -> Result<()> {
    let done = match actions.as_slice() {
        [] => Ok(()),
        [one] => write_one(db, one).await,
        several => write_together(db, several).await,
    };
    done.map_err(|cause| match cause {
        aws_sdk_dynamodb::Error::ConditionalCheckFailedException(_) => actions[0].refusal(cause),
        aws_sdk_dynamodb::Error::TransactionConflictException(_) => conflict(cause),
        aws_sdk_dynamodb::Error::TransactionCanceledException(ref cancelled) => {
            let reasons = cancelled.cancellation_reasons();
            let is = |reason: &CancellationReason, code| reason.code() == Some(code);
            let failed = reasons
                .iter()
                .position(|one| is(one, "ConditionalCheckFailed"));
            let conflicts = reasons.iter().any(|one| is(one, "TransactionConflict"));
            match failed.and_then(|at| actions.get(at)) {
                Some(action) => action.refusal(cause),
                None if conflicts => conflict(cause),
                None => cause.into(),
            }
        }
        other => other.into(),
    })
}

fn conflict(cause: aws_sdk_dynamodb::Error) -> Error {
    Error::Conflict(Refusal {
        entity: "an item".to_owned(),
        cause: Some(Box::new(cause)),
    })
}

type Sent = std::result::Result<(), aws_sdk_dynamodb::Error>;

/// What requests about an action's item have in common.
macro_rules! of_action {
    ($request:expr, $action:expr) => {
        $request
            .table_name(&$action.table)
            .set_condition_expression($action.condition())
            .set_expression_attribute_names($action.names())
            .set_expression_attribute_values($action.values())
    };
}

async fn write_one(db: &Db, action: &Action) -> Sent {
    let item = Some(action.item.clone());
    match action.kind {
        Kind::Put => {
            let put = of_action!(db.put_item(), action).set_item(item);
            put.send().await?;
        }
        Kind::Update => {
            let update = of_action!(db.update_item(), action).set_key(item);
            let update = update.update_expression(action.expression());
            update.send().await?;
        }
        Kind::Delete => {
            let delete = of_action!(db.delete_item(), action).set_key(item);
            delete.send().await?;
        }
        Kind::Check => {}
    }
    Ok(())
}

async fn write_together(db: &Db, actions: &[Action]) -> Sent {
    let mut request = db.transact_write_items();
    for action in actions {
        let item = Some(action.item.clone());
        let one = TransactWriteItem::builder();
        let one = match action.kind {
            Kind::Put => one.put(of_action!(Put::builder(), action).set_item(item).build()?),
            Kind::Update => {
                let update = of_action!(Update::builder(), action).set_key(item);
                one.update(update.update_expression(action.expression()).build()?)
            }
            Kind::Delete => one.delete(
                of_action!(Delete::builder(), action)
                    .set_key(item)
                    .build()?,
            ),
            Kind::Check => {
                let check = of_action!(ConditionCheck::builder(), action).set_key(item);
                one.condition_check(check.build()?)
            }
        };
        request = request.transact_items(one.build());
    }
    request.send().await?;
    Ok(())
}

const TRIES_MAX: u32 = 5;

/// Reads, computes and writes again when another writer was faster.
pub async fn retrying<F: Future<Output = Result<()>>>(work: impl Fn() -> F) -> Result<()> {
    let mut tries = 1;
    loop {
        match work().await {
            Err(Error::Conflict(_)) if tries < TRIES_MAX => pause(tries).await,
            done => return done,
        }
        tries += 1;
    }
}

/// Changes a list inside an item; nothing that another writer adds meanwhile is lost.
pub async fn rewrite_list(
    db: &Db,
    entity: &'static str,
    table: &str,
    key: Item,
    name: &str,
    change: impl Fn(Vec<Item>) -> Vec<Item>,
) -> Result<()> {
    let (key, change) = (&key, &change);
    retrying(|| async move {
        let item = get_item(db, table, key).await?;
        if item.is_empty() {
            return Err(not_found(entity));
        }
        let list: Vec<AttributeValue> = read(found(&item, name)).unwrap_or_default();
        let rows = list.into_iter().filter_map(Item::plain).collect();
        let changed: Vec<_> = change(rows).into_iter().map(AttributeValue::M).collect();
        let changes = values! { name => changed };
        let expected = values! { name => found(&item, name) };
        let action = update_if(entity, table, key.clone(), changes, expected);
        write(db, vec![action]).await
    })
    .await
}

/// For an item that may be gone before its copy is written.
pub fn ignoring_missing(done: Result<()>) -> Result<()> {
    match done {
        Err(Error::NotFound(_)) => Ok(()),
        other => other,
    }
}
