"""Judged disagreements: each rule stands for one row of docs/fidelity-ledger.md, which has the claim and its evidence."""

import json
import re
from dataclasses import dataclass
from typing import Callable


@dataclass
class Case:
    operation: str
    request: dict
    kind: str  # accept, error, reasons, body, capacity
    ours: object
    theirs: object
    seconded: bool = False  # A third server answered as ours.

    @property
    def text(self):
        return json.dumps(self.request)

    def ours_says(self, pattern):
        return says(self.ours, pattern)

    def theirs_says(self, pattern):
        return says(self.theirs, pattern)


def says(outcome, pattern):
    """The error's text, or that of a part of the request."""
    texts = [outcome.message] + [reason.get("Message") or "" for reason in outcome.answer.get("CancellationReasons", [])]
    parts = outcome.answer.get("Responses", [])
    texts += [part["Error"].get("Message") or "" for part in parts if isinstance(part, dict) and "Error" in part]
    return any(re.search(pattern, text) for text in texts)


@dataclass
class Rule:
    name: str
    holds: Callable[[Case], bool]


RULES = []


def rule(name):
    def add(function):
        RULES.append(Rule(name, function))
        return function
    return add


# ---- DynamoDB Local is more lenient, or fails ------------------------------------------------------


@rule("wrong-json-type")
def _(case):
    return case.ours.error == "SerializationException"


@rule("local-fails")
def _(case):
    return case.theirs.status >= 500 and case.ours.status < 500


@rule("enum-values")
def _(case):
    return case.ours_says("satisfy enum value set")


@rule("legacy-default-action")
def _(case):
    updates = case.request.get("AttributeUpdates")
    return isinstance(updates, dict) and any("Action" not in update for update in updates.values() if isinstance(update, dict))


@rule("legacy-delete-of-nothing")
def _(case):
    return case.operation == "UpdateItem" and "AttributeUpdates" in case.request and '"DELETE"' in case.text and case.kind == "body"


@rule("remove-of-nothing")
def _(case):
    if case.operation not in ("UpdateItem", "TransactWriteItems") or "REMOVE" not in case.text.upper():
        return False
    if case.theirs_says("document path"):
        return case.ours.status == 200 or case.ours.error == "TransactionCanceledException"
    return case.ours.status == 200 and case.kind == "body" and not case.ours.answer.get("Attributes")


@rule("size-is-reserved")
def _(case):
    return case.ours_says("reserved keyword: size")


@rule("index-key-types-of-updates")
def _(case):
    return case.operation == "UpdateItem" and case.ours_says("Type mismatch for Index Key") and case.theirs.status == 200


@rule("legacy-delete-from-an-index-key")
def _(case):
    return case.operation == "UpdateItem" and case.ours.status == 200 and '"DELETE"' in case.text and \
        case.theirs_says("Updates on index keys must be of the same data type")


@rule("throughput-and-billing-mode")
def _(case):
    return case.operation in ("CreateTable", "UpdateTable") and case.ours_says("when BillingMode is")


@rule("ttl-status")
def _(case):
    return case.operation == "DescribeTimeToLive" and case.kind == "body" and \
        case.ours.answer["TimeToLiveDescription"].get("AttributeName") == case.theirs.answer["TimeToLiveDescription"].get("AttributeName")


@rule("ttl-twice")
def _(case):
    return case.ours_says("Time to live has been modified multiple times") and case.theirs.status == 200


@rule("constraints-of-members")
def _(case):
    return case.ours.error == "ValidationException" and case.ours_says("failed to satisfy constraint")


@rule("names-without-expressions")
def _(case):
    return case.ours_says("can only be specified when using expressions") and case.theirs.status == 200


@rule("one-key-twice")
def _(case):
    return case.ours_says("list of item keys contains duplicates") and case.theirs.status == 200


# ---- Order of checks -----------------------------------------------------------------------------


@rule("static-checks-before-the-condition")
def _(case):
    return case.theirs.error == "ConditionalCheckFailedException" and case.ours.error == "ValidationException"


@rule("expressions-before-the-table")
def _(case):
    return case.theirs.error == "ResourceNotFoundException" and case.ours.error == "ValidationException"


# ---- Transactions --------------------------------------------------------------------------------


@rule("cancelled-not-refused")
def _(case):
    return case.ours.error == "TransactionCanceledException" and "ValidationError" in case.ours.reasons


@rule("one-item-twice")
def _(case):
    return case.ours_says("multiple operations on one item")


@rule("request-checks-before-items")
def _(case):
    return case.operation in ("TransactWriteItems", "TransactGetItems") and case.ours.error == "ValidationException" and \
        case.theirs.error == "TransactionCanceledException"


@rule("empty-projection-in-a-transaction")
def _(case):
    parts = [outcome.answer.get("Responses", []) for outcome in (case.ours, case.theirs)]
    return case.operation in ("TransactGetItems", "ExecuteTransaction") and case.kind == "body" and len(parts[0]) == len(parts[1]) and all(
        ours == theirs or (ours, theirs) == ({}, {"Item": {}}) for ours, theirs in zip(*parts))


@rule("tables-before-keys")
def _(case):
    return case.operation == "TransactGetItems" and case.ours.error == "ResourceNotFoundException" and \
        case.theirs_says("number of conditions on the keys")


@rule("duplicate-item-in-a-transaction")
def _(case):
    return case.operation == "ExecuteTransaction" and case.kind == "reasons" and \
        ["ValidationError" if reason == "DuplicateItem" else reason for reason in case.ours.reasons] == case.theirs.reasons


# ---- Order of items, capacity, metrics -----------------------------------------------------------


@rule("order-of-a-scan")
def _(case):
    if case.operation == "ExecuteStatement":
        return case.kind == "body" and by_text(case.ours.answer.get("Items", [])) == by_text(case.theirs.answer.get("Items", [])) != []
    return case.operation == "Scan" and case.kind == "body" and ("Limit" in case.request or "Segment" in case.request)


@rule("capacity-unasked")
def _(case):
    return case.kind == "capacity" and case.request.get("ReturnConsumedCapacity") in (None, "NONE")


@rule("collection-metrics")
def _(case):
    return case.kind == "body" and case.request.get("ReturnItemCollectionMetrics") == "SIZE" and \
        {name: value for name, value in case.ours.body.items() if name != "ItemCollectionMetrics"} == case.theirs.body


@rule("metrics-of-each-write")
def _(case):
    metrics = [outcome.answer.get("ItemCollectionMetrics") for outcome in (case.ours, case.theirs)]
    if case.operation != "BatchWriteItem" or not all(metrics) or metrics[0].keys() != metrics[1].keys():
        return False
    return all(by_text(metrics[1][table]) == sorted(set(by_text(metrics[0][table]))) for table in metrics[0])


@rule("capacity-of-a-local-index")
def _(case):
    capacity = case.ours.answer.get("ConsumedCapacity") or {}
    return case.kind == "capacity" and isinstance(capacity, dict) and "LocalSecondaryIndexes" in capacity and units(case.ours) == units(case.theirs)


@rule("capacity-of-nothing")
def _(case):
    return case.kind == "capacity" and case.operation in READS and units(case.ours) > units(case.theirs) and (
        units(case.theirs) == 0 or case.operation == "BatchGetItem")


@rule("capacity-of-transactions")
def _(case):
    return case.kind == "capacity" and case.operation.startswith("Transact") and \
        without(case.ours.capacity, ("ReadCapacityUnits", "WriteCapacityUnits")) == case.theirs.capacity


@rule("capacity-of-transacted-indexes")
def _(case):
    arms = [[without(table.get("GlobalSecondaryIndexes", {}), ("WriteCapacityUnits",)) for table in outcome.answer.get("ConsumedCapacity") or []]
            for outcome in (case.ours, case.theirs)] if case.operation == "TransactWriteItems" else []
    return case.kind == "capacity" and any(arms[:1]) and all(
        theirs[name]["CapacityUnits"] == 2 * arm["CapacityUnits"] for ours, theirs in zip(*arms) for name, arm in ours.items() if name in theirs)


@rule("capacity-of-transacted-deletes")
def _(case):
    return case.kind == "capacity" and case.operation == "TransactWriteItems" and '"Delete"' in case.text and \
        units(case.theirs) < units(case.ours) <= 2 * units(case.theirs)


@rule("last-key-of-a-full-page")
def _(case):
    ours = {name: value for name, value in case.ours.answer.items() if name != "LastEvaluatedKey"}
    return case.operation == "Query" and case.kind == "body" and ours == case.theirs.answer and \
        case.ours.answer.get("Count", 0) > 0 and case.ours.answer.get("ScannedCount") == case.request.get("Limit")


@rule("capacity-of-batch-deletes")
def _(case):
    return case.kind == "capacity" and case.operation == "BatchWriteItem" and '"DeleteRequest"' in case.text


@rule("capacity-of-statements")
def _(case):
    return case.kind == "capacity" and case.operation in STATEMENTS and not case.theirs.answer.get("ConsumedCapacity")


# ---- PartiQL -------------------------------------------------------------------------------------


@rule("name-of-duplicate-item")
def _(case):
    return (case.ours.error, case.theirs.error) == ("DuplicateItemException", "DuplicateItem")


@rule("count-of-parameters")
def _(case):
    return case.operation in STATEMENTS and case.ours_says("Number of parameters in request and statement")


@rule("reads-and-writes-in-a-batch")
def _(case):
    together = "Read and write requests together"
    return case.operation == "BatchExecuteStatement" and (case.ours_says(together) or case.theirs_says(together))


@rule("statement-checks-before-items")
def _(case):
    return case.operation == "ExecuteTransaction" and case.ours_says("^Validation failed in TransactStatements")


@rule("name-of-a-table-in-a-statement")
def _(case):
    return case.operation in STATEMENTS and case.theirs_says("^(Validation failed in TransactStatements.*)?Table name should be")


@rule("values-of-a-batch-of-statements")
def _(case):
    faults = "AttributeValue is empty|cannot be converted to a numeric value|Number (under|over)flow|more than 38 significant digits"
    return case.operation == "BatchExecuteStatement" and case.kind == "accept" and case.ours.status == 200 and case.ours_says(faults)


@rule("delete-of-nothing-by-statement")
def _(case):
    return case.operation == "ExecuteTransaction" and case.kind == "reasons" and "DELETE" in case.text and all(
        ours == theirs or (ours, theirs) == ("None", "ConditionalCheckFailed") for ours, theirs in zip(case.ours.reasons, case.theirs.reasons))


@rule("missing-table-in-a-transaction")
def _(case):
    return case.operation == "ExecuteTransaction" and case.ours.error == "ResourceNotFoundException" and (
        "ResourceNotFound" in case.theirs.reasons or case.theirs_says("^Validation failed in TransactStatements"))


# ---- Where none of these speaks --------------------------------------------------------------------


@rule("majority")
def _(case):
    return case.seconded


STATEMENTS = ("ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction")
READS = ("GetItem", "BatchGetItem", "Query", "Scan")


def by_text(parts):
    return sorted(json.dumps(part, sort_keys=True) for part in parts)


def units(outcome):
    found = outcome.answer.get("ConsumedCapacity") or {}
    return sum(part.get("CapacityUnits", 0) for part in (found if isinstance(found, list) else [found]))


def without(node, names):
    if isinstance(node, dict):
        return {name: without(value, names) for name, value in node.items() if name not in names}
    return [without(value, names) for value in node] if isinstance(node, list) else node


def leaves_other_items(operation, request):
    """Whether DynamoDB Local may now hold other items although both gave the same answer (remove-of-nothing, legacy-default-action)."""
    if operation == "UpdateItem":
        return "AttributeUpdates" in request or "REMOVE" in str(request.get("UpdateExpression")).upper()
    return operation == "TransactWriteItems" and "REMOVE" in json.dumps(request).upper()


def judge(case):
    return next((found.name for found in RULES if found.holds(case)), None)
