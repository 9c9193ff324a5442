"""Compares two answers to one request. What servers may differ in (order of a Scan, texts, timestamps) is not compared."""

import json
from tables import TABLES
from decimal import Decimal, InvalidOperation

# DynamoDB leaves their order open, or its hash decides it.
UNORDERED = {"SS", "NS", "BS", "ConsumedCapacity"}


def number(text):
    try:
        return str(Decimal(text).normalize()) if Decimal(text) else "0"
    except InvalidOperation:
        return text


def canonical(node, operation, name=None):
    if isinstance(node, dict):
        return {member: canonical(value, operation, member) for member, value in node.items() if value is not None}
    if isinstance(node, list):
        parts = [canonical(value, operation, "N" if name == "NS" else None) for value in node]
        unordered = name in UNORDERED or name == "Items" and operation in ("Scan", "ExecuteStatement")
        return sorted(parts, key=lambda part: json.dumps(part, sort_keys=True)) if unordered or name in TABLE_LISTS else parts
    if name == "N" and isinstance(node, str):
        return number(node)
    if isinstance(node, float) and node.is_integer():
        return int(node)
    return node


# The lists of a BatchGetItem stand under the name of their table.
TABLE_LISTS = set(TABLES)


# Of a table's description: what a request defines. Times, ARNs, states and counts are not compared.
TABLE_MEMBERS = {"TableName", "KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes", "IndexName", "Projection",
                 "ProjectionType", "NonKeyAttributes", "AttributeName", "AttributeType", "KeyType", "StreamSpecification", "StreamEnabled",
                 "StreamViewType", "DeletionProtectionEnabled"}


def definition(node):
    """A table's description without what servers choose."""
    if isinstance(node, dict):
        return {name: definition(value) for name, value in node.items() if name in TABLE_MEMBERS}
    if isinstance(node, list):
        return sorted((definition(value) for value in node), key=lambda part: json.dumps(part, sort_keys=True))
    return node


def reduced(operation, answer):
    """The answer without members that are compared elsewhere or not at all."""
    if operation in ("CreateTable", "DescribeTable", "UpdateTable"):
        return definition(answer.get("TableDescription") or answer.get("Table") or {})
    if operation in ("DeleteTable", "ListTables"):
        return {}
    if operation == "BatchExecuteStatement":
        return {"Responses": [{name: value if name != "Error" else value.get("Code") for name, value in part.items() if name != "TableName"}
                              for part in answer.get("Responses", [])]}
    return {name: value for name, value in answer.items() if name not in ("ConsumedCapacity", "NextToken")}


def error_name(answer):
    return str(answer.get("__type", "")).split("#")[-1]


def message(answer):
    return answer.get("message", answer.get("Message", ""))


class Outcome:
    """One server's answer, in the parts that are compared."""

    def __init__(self, operation, status, answer):
        self.status = status
        self.answer = answer
        self.error = error_name(answer) if status != 200 else ""
        self.message = message(answer) if status != 200 else ""
        self.reasons = [reason.get("Code") for reason in answer.get("CancellationReasons", [])]
        self.body = canonical(reduced(operation, answer), operation) if status == 200 else {}
        self.capacity = canonical({"ConsumedCapacity": answer.get("ConsumedCapacity")}, operation) if status == 200 else {}


def difference(ours, theirs):
    """The kind of the difference, or None: accept, error, reasons, body, capacity."""
    if (ours.status == 200) != (theirs.status == 200):
        return "accept"
    if ours.status != 200:
        if ours.error != theirs.error or ours.status != theirs.status:
            return "error"
        return "reasons" if ours.reasons != theirs.reasons else None
    if ours.body != theirs.body:
        return "body"
    return "capacity" if ours.capacity != theirs.capacity else None
