"""Requests that cost as much as their bytes can buy: deep, wide, long, repetitive, many of everything.

`fill` puts items into a table that such requests like to meet; `requests` yields (name, operation, body) with bodies of at most 16 MB."""

import gzip
import json

REQUEST_BYTES_MAX = 16 << 20
ITEM_BYTES = 390_000
TABLE = "Worst"


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def key(name, number=0):
    return {"pk": {"S": name}, "sk": {"S": f"{number:06}"}}


def create_table(client):
    client.call(
        "CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "by")],
        LocalSecondaryIndexes=[{
            "IndexName": "ByTime", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "by", "KeyType": "RANGE"}],
        }],
    )


def fill(client):
    create_table(client)

    def put(name, number, **attributes):
        client.call("PutItem", TableName=TABLE, Item=key(name, number) | attributes)

    put("probe", 0, txt={"S": "x" * 100})
    for number in range(4):
        put("long", number, txt={"S": "a" * ITEM_BYTES}, by={"S": str(number)})
    for number in range(100):
        put("many", number, txt={"S": "a" * ITEM_BYTES}, by={"S": str(number)})
    wide = {f"a{n:x}": {"NULL": True} for n in range(55_000)}
    for number in range(4):
        put("wide", number, **wide)
    nulls = {"L": [{"NULL": True}] * (ITEM_BYTES // 2)}
    for number in range(60):
        put("nulls", number, lst=nulls)
    put("set", 0, set={"NS": [str(n) for n in range(60_000)]})
    put("words", 0, set={"SS": [f"{n:05}" for n in range(60_000)]})


OPERANDS_MAX = 150  # With as many operators between them as an expression may have.


def joined(separator, piece, limit=4090, count_max=OPERANDS_MAX):
    """As many pieces as an expression may hold."""
    text, count = piece(0), 1
    while count < count_max and len(text) + len(separator) + len(piece(count)) <= limit:
        text += separator + piece(count)
        count += 1
    return text


def conditions():
    needle = {"S": "a" * 2000 + "b"}
    long_value = {"S": "a" * (ITEM_BYTES - 1) + "b"}
    yield "contains", joined(" OR ", lambda n: "contains(txt,:v)"), {":v": needle}
    yield "contains long", joined(" OR ", lambda n: "contains(txt,:v)"), {":v": {"S": "a" * 200_000 + "b"}}
    yield "begins_with", joined(" OR ", lambda n: "begins_with(txt,:v)"), {":v": long_value}
    yield "IN of one value", " OR ".join("txt IN (" + ",".join([":v"] * 100) + ")" for _ in range(12)), {":v": long_value}
    yield "equal", joined(" OR ", lambda n: "txt=:v"), {":v": long_value}
    yield "NOT", "NOT " * 250 + "txt=:v", {":v": long_value}
    yield "parentheses", "(" * 140 + "txt=:v" + ")" * 140, {":v": long_value}
    yield "size", joined(" OR ", lambda n: "size(txt)<:v"), {":v": {"N": "1"}}
    yield "deep path", joined(" OR ", lambda n: "a" + "[0]" * 30 + "=:v"), {":v": {"N": "1"}}


def reads():
    for name, expression, values in conditions():
        for partition in ("long", "wide"):
            yield f"Query {partition} filter {name}", "Query", {
                "TableName": TABLE, "KeyConditionExpression": "pk=:pk", "FilterExpression": expression,
                "ExpressionAttributeValues": values | {":pk": {"S": partition}}}
    yield "Query contains in lists", "Query", {
        "TableName": TABLE, "KeyConditionExpression": "pk=:pk",
        "FilterExpression": joined(" OR ", lambda n: "contains(lst,:v)"),
        "ExpressionAttributeValues": {":v": {"N": "1"}, ":pk": {"S": "nulls"}}}
    for partition in ("wide", "long"):
        yield f"Query {partition} many paths", "Query", {
            "TableName": TABLE, "KeyConditionExpression": "pk=:pk",
            "ProjectionExpression": joined(",", lambda n: f"a{n * 59 + 7:x}", 4090, 1000), "ExpressionAttributeValues": {":pk": {"S": partition}}}
    yield "Query local index, all attributes", "Query", {
        "TableName": TABLE, "IndexName": "ByTime", "Select": "ALL_ATTRIBUTES", "KeyConditionExpression": "pk=:pk",
        "ExpressionAttributeValues": {":pk": {"S": "many"}}}
    yield "Scan", "Scan", {"TableName": TABLE}
    yield "Scan segment of a million", "Scan", {"TableName": TABLE, "Segment": 999_999, "TotalSegments": 1_000_000}
    for partition, count in (("many", 100), ("nulls", 60)):
        yield f"BatchGetItem {partition}", "BatchGetItem", {
            "RequestItems": {TABLE: {"Keys": [key(partition, n) for n in range(count)]}}}
    yield "BatchGetItem many paths", "BatchGetItem", {
        "RequestItems": {TABLE: {"Keys": [key("wide", n) for n in range(4)], "ProjectionExpression": joined(",", lambda n: f"z{n:x}", 4090, 1000)}}}
    yield "TransactGetItems", "TransactGetItems", {
        "TransactItems": [{"Get": {"TableName": TABLE, "Key": key("nulls", n)}} for n in range(10)]}


def writes():
    for name, expression, values in conditions():
        yield f"UpdateItem condition {name}", "UpdateItem", {
            "TableName": TABLE, "Key": key("long"), "UpdateExpression": "SET touched = :t", "ConditionExpression": expression,
            "ExpressionAttributeValues": values | {":t": {"N": "1"}}}
    yield "TransactWriteItems conditions", "TransactWriteItems", {"TransactItems": [
        {"ConditionCheck": {"TableName": TABLE, "Key": key("many", n), "ConditionExpression": joined(" OR ", lambda n: "contains(txt,:v)"),
                            "ExpressionAttributeValues": {":v": {"S": "a" * 2000 + "b"}}}} for n in range(100)]}
    yield "TransactWriteItems updates", "TransactWriteItems", {"TransactItems": [
        {"Update": {"TableName": TABLE, "Key": key("many", n), "UpdateExpression": "SET touched = :v",
                    "ExpressionAttributeValues": {":v": {"N": "1"}}}} for n in range(100)]}
    yield "list_append of itself", "UpdateItem", {
        "TableName": TABLE, "Key": key("grow"), "UpdateExpression": "SET a = " + "list_append(:v," * 1 + ":v" + ")" * 1,
        "ExpressionAttributeValues": {":v": {"L": [{"NULL": True}] * 50_000}}}
    yield "many SETs of one value", "UpdateItem", {
        "TableName": TABLE, "Key": key("grow"), "UpdateExpression": "SET " + joined(",", lambda n: f"z{n:x}=:v", 4000, 1000),
        "ExpressionAttributeValues": {":v": {"S": "a" * 1_000_000}}}
    for kind, values in (("NS", [str(n) for n in range(60_000, 110_000)]), ("SS", [f"{n:05}" for n in range(60_000, 110_000)])):
        name = "set" if kind == "NS" else "words"
        for action in ("ADD", "DELETE"):
            yield f"{action} {kind}", "UpdateItem", {
                "TableName": TABLE, "Key": key(name), "UpdateExpression": f"{action} #s :v", "ExpressionAttributeNames": {"#s": "set"},
                "ExpressionAttributeValues": {":v": {kind: values}}}
    yield "BatchWriteItem", "BatchWriteItem", {"RequestItems": {TABLE: [
        {"PutRequest": {"Item": key("batch", n) | {"lst": {"L": [{"NULL": True}] * 40_000}}}} for n in range(25)]}}


def values():
    put = lambda attribute: {"TableName": TABLE, "Item": key("x") | {"a": attribute}}  # noqa: E731
    yield "Put nulls", "PutItem", put({"L": [{"NULL": True}] * 1_100_000})
    yield "Put empty strings", "PutItem", put({"L": [{"S": ""}] * 1_700_000})
    yield "Put numbers", "PutItem", put({"L": [{"N": "1"}] * 1_500_000})
    yield "Put number set", "PutItem", put({"NS": [str(n) for n in range(1_500_000)]})
    yield "Put string set", "PutItem", put({"SS": [f"{n:07}" for n in range(1_500_000)]})
    yield "Put equal strings in a set", "PutItem", put({"SS": ["a" * 1000] * 16_000})
    yield "Put long number", "PutItem", put({"N": "0" * 8_000_000 + "1"})
    yield "Put number of nines", "PutItem", put({"N": "9" * 8_000_000})
    yield "Put long binary", "PutItem", put({"B": "AAAA" * 4_000_000})
    yield "Put wide map", "PutItem", put({"M": {f"{n:x}": {"NULL": True} for n in range(700_000)}})
    yield "Put names in order", "PutItem", {"TableName": TABLE, "Item": key("x") | {f"{n:x}": {"NULL": True} for n in range(700_000)}}
    deep = b'{"L":[' * 100_000 + b'{"NULL":true}' + b"]}" * 100_000
    yield "Put deep", "PutItem", b'{"TableName":"Worst","Item":{"pk":' + deep + b"}}"
    yield "Put escapes", "PutItem", b'{"TableName":"Worst","Item":{"pk":{"S":"' + b"\\u0061" * 2_500_000 + b'"}}}'
    yield "Many names", "GetItem", {"TableName": TABLE, "Key": key("probe"), "ProjectionExpression": "#0",
                                    "ExpressionAttributeNames": {f"#{n:x}": "a" for n in range(900_000)}}
    yield "Many values", "Query", {"TableName": TABLE, "KeyConditionExpression": "pk=:0",
                                   "ExpressionAttributeValues": {f":{n:x}": {"S": ""} for n in range(700_000)}}
    yield "Expression of 16 MB", "Query", {"TableName": TABLE, "KeyConditionExpression": "a AND " * 2_700_000}


def bodies():
    """Bodies that are hardly a request."""
    yield "Body of ones", "PutItem", b'{"TableName":"Worst","Item":{},"X":[' + b"1," * 8_000_000 + b"1]}"
    yield "Body of empty arrays", "PutItem", b'{"X":[' + b"[]," * 5_000_000 + b"[]]}"
    yield "Body of commas", "PutItem", b"[" + b"," * 16_000_000
    yield "Body of brackets", "PutItem", b"[" * 16_000_000
    yield "Body of quotes", "PutItem", b'"' * 16_000_000
    yield "Body of backslashes", "PutItem", b'{"a":"' + b"\\" * 16_000_000
    yield "Body of spaces", "PutItem", b" " * 16_000_000
    yield "Bomb of spaces", "PutItem", gzip.compress(b" " * 16_000_000)
    yield "Bomb of ones", "PutItem", gzip.compress(b'{"X":[' + b"1," * 8_000_000 + b"1]}")
    yield "Bomb beyond the limit", "PutItem", gzip.compress(b" " * 400_000_000, 9)


def control():
    definitions = [{"AttributeName": f"a{n}", "AttributeType": "S"} for n in range(250_000)]
    yield "CreateTable definitions", "CreateTable", {
        "TableName": "Other", "AttributeDefinitions": definitions, "KeySchema": [{"AttributeName": "a0", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST"}
    yield "TagResource", "TagResource", {
        "ResourceArn": f"arn:aws:dynamodb:us-east-1:000000000000:table/{TABLE}",
        "Tags": [{"Key": str(n), "Value": ""} for n in range(500_000)]}
    yield "Legacy conditions", "Scan", {"TableName": TABLE, "ScanFilter": {
        f"a{n:x}": {"ComparisonOperator": "NULL"} for n in range(250_000)}}
    yield "Legacy updates", "UpdateItem", {"TableName": TABLE, "Key": key("x"), "AttributeUpdates": {
        f"a{n:x}": {"Action": "PUT", "Value": {"NULL": True}} for n in range(200_000)}}


def lists():
    """Lists that are far longer than they may be."""
    distinct = lambda count: [f"{n:x}" for n in range(count)]  # noqa: E731
    names = distinct(1_600_000)
    yield "AttributesToGet", "GetItem", {"TableName": TABLE, "Key": key("probe"), "AttributesToGet": names}
    yield "BatchGetItem AttributesToGet", "BatchGetItem", {"RequestItems": {TABLE: {"Keys": [key("probe")], "AttributesToGet": names}}}
    yield "BatchGetItem keys", "BatchGetItem", {"RequestItems": {TABLE: {"Keys": [{"pk": {"S": name}} for name in distinct(700_000)]}}}
    yield "BatchGetItem tables", "BatchGetItem", {"RequestItems": {f"t{name}": {"Keys": []} for name in distinct(700_000)}}
    yield "BatchWriteItem requests", "BatchWriteItem", {"RequestItems": {TABLE: [{"DeleteRequest": {"Key": {}}}] * 500_000}}
    yield "BatchWriteItem tables", "BatchWriteItem", {"RequestItems": {f"t{name}": [] for name in distinct(1_000_000)}}
    yield "TransactWriteItems empty", "TransactWriteItems", {"TransactItems": [{}] * 5_000_000}
    yield "TransactWriteItems many", "TransactWriteItems", {"TransactItems": [{"Delete": {"TableName": TABLE, "Key": {}}}] * 350_000}
    yield "TransactGetItems many", "TransactGetItems", {"TransactItems": [{"Get": {"TableName": TABLE, "Key": {}}}] * 350_000}
    yield "Expected", "PutItem", {"TableName": TABLE, "Item": key("x"), "Expected": {f"a{n:x}": {"Exists": False} for n in range(500_000)}}
    yield "Expected of long lists", "PutItem", {"TableName": TABLE, "Item": key("x"), "Expected": {
        "a": {"ComparisonOperator": "IN", "AttributeValueList": [{"N": "1"}] * 1_100_000}}}
    yield "KeyConditions", "Query", {"TableName": TABLE, "KeyConditions": {
        f"a{n:x}": {"ComparisonOperator": "EQ", "AttributeValueList": []} for n in range(200_000)}}
    yield "Many values of one", "UpdateItem", {"TableName": TABLE, "Key": key("x"), "UpdateExpression": "SET a=:0", "ExpressionAttributeValues": {
        ":0": {"L": [{"L": []}] * 1_500_000}}}
    yield "CreateTable indexes", "CreateTable", {"TableName": "Other", "GlobalSecondaryIndexes": [{"IndexName": "abc"}] * 700_000}
    yield "CreateTable empty indexes", "CreateTable", {"TableName": "Other", "GlobalSecondaryIndexes": [{}] * 5_000_000}
    yield "CreateTable projection", "CreateTable", {"TableName": "Other", "LocalSecondaryIndexes": [
        {"IndexName": "abc", "Projection": {"NonKeyAttributes": names}}]}
    yield "CreateTable key schema", "CreateTable", {"TableName": "Other", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}] * 350_000}
    yield "UpdateTable index updates", "UpdateTable", {"TableName": TABLE, "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}}] * 400_000}
    yield "UpdateTable replicas", "UpdateTable", {"TableName": TABLE, "ReplicaUpdates": [{"Delete": {"RegionName": "a"}}] * 400_000}
    yield "UntagResource", "UntagResource", {
        "ResourceArn": f"arn:aws:dynamodb:us-east-1:000000000000:table/{TABLE}", "TagKeys": names}
    yield "RestoreTableFromBackup indexes", "RestoreTableFromBackup", {
        "TargetTableName": "Other", "BackupArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Worst/backup/01489173575360-b308cd7d",
        "GlobalSecondaryIndexOverride": [{"IndexName": "abc"}] * 700_000}
    yield "PartiQL statements", "BatchExecuteStatement", {"Statements": [{"Statement": "a"}] * 800_000}
    yield "PartiQL empty statements", "BatchExecuteStatement", {"Statements": [{}] * 5_000_000}
    yield "PartiQL transaction", "ExecuteTransaction", {"TransactStatements": [{"Statement": "a"}] * 800_000}
    yield "PartiQL long list", "ExecuteStatement", {
        "Statement": f"INSERT INTO \"{TABLE}\" VALUE {{'pk':'x','sk':'y','a':?}}", "Parameters": [{"L": [{"NULL": True}] * 1_100_000}]}


def partiql():
    yield "PartiQL OR", "ExecuteStatement", {"Statement": f'SELECT * FROM "{TABLE}" WHERE ' + joined(" OR ", lambda n: "contains(txt,'ab')", 8000)}
    yield "PartiQL IN", "ExecuteStatement", {
        "Statement": f'SELECT * FROM "{TABLE}" WHERE pk IN [' + ",".join("?" * 50) + "]", "Parameters": [{"S": "many"}] * 50}
    yield "PartiQL parentheses", "ExecuteStatement", {"Statement": f'SELECT * FROM "{TABLE}" WHERE ' + "(" * 3900 + "a=1" + ")" * 3900}
    yield "PartiQL lists", "ExecuteStatement", {"Statement": f"INSERT INTO \"{TABLE}\" VALUE {{'pk':" + "[" * 3900 + "]" * 3900 + "}"}
    yield "PartiQL parameters", "ExecuteStatement", {
        "Statement": f'SELECT * FROM "{TABLE}" WHERE pk = ?', "Parameters": [{"NULL": True}] * 1_100_000}
    yield "PartiQL batch", "BatchExecuteStatement", {"Statements": [
        {"Statement": f"SELECT * FROM \"{TABLE}\" WHERE pk='nulls' AND sk='{n:06}'"} for n in range(25)]}


def requests():
    for group in (reads, writes, values, bodies, control, lists, partiql):
        for name, operation, body in group():
            data = body if isinstance(body, bytes) else compact(body)
            assert len(data) <= REQUEST_BYTES_MAX, (name, len(data))
            yield name, operation, data
