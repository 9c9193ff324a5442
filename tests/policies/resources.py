"""What a request asks for: actions, resources, condition keys, and what its answer may show.

Resources come from AWS's service model (botocore's data): every member whose shape is the name or ARN of a table, index, stream, backup, export or
import. Which actions they need comes from AWS's documentation: the service authorization reference of DynamoDB; "Using IAM with DynamoDB
transactions"; "IAM security policies with PartiQL for DynamoDB"; "Using IAM with DynamoDB backup and restore"; "Using IAM policy conditions for
fine-grained access control".
"""

import dataclasses
import functools
import gzip
import json
import os
import re

import botocore

import partiql
from evaluator import ACCOUNT
from world import INDEX_KEYS, KEYS, REGION, TABLES, TAGS, VECTORS, table_arn

# Members that Debian's service model is too old to know, from the API reference.
NEWER = {
    "PutResourcePolicy": {"ResourceArn": "ResourceArnString"},
    "GetResourcePolicy": {"ResourceArn": "ResourceArnString"},
    "DeleteResourcePolicy": {"ResourceArn": "ResourceArnString"},
    "UpdateKinesisStreamingDestination": {"TableName": "TableArn"},
    "SearchVectors": {"TableName": "TableArn", "IndexName": "IndexName"},
}
KINDS = {"TableName": "table", "TableArn": "table", "IndexName": "index", "StreamArn": "stream", "BackupArn": "backup", "ExportArn": "export",
         "ImportArn": "import", "ResourceArnString": "resource", "PartiQLStatement": "statement"}
# "Actions defined by Amazon DynamoDB": these have no resource type, so a policy has to say "*".
WITHOUT_RESOURCE = {"DescribeEndpoints", "DescribeLimits", "ListBackups", "ListContributorInsights", "ListExports", "ListGlobalTables",
                    "ListImports", "ListStreams"}
TARGET_ACTIONS = ("BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem")
TABLE_ARN = re.compile(r"arn:aws:dynamodb:([a-z0-9-]+):(\d{12}):table/([A-Za-z0-9_.-]{1,255})(?:/(index|stream|backup|export|import)/([^/]+))?")
TABLE_NAME = re.compile(r"[A-Za-z0-9_.-]{1,255}")


# Keys that only a plan of the request gives: it takes the tables' schemas and the parsed statement.
PLANNED = ("dynamodb:leadingkeys", "dynamodb:attributes", "dynamodb:fulltablescan", "dynamodb:select", "dynamodb:returnvalues")


class Invalid(Exception):
    """A name that names nothing: the request has to fail, whatever the policies say."""


@functools.lru_cache(maxsize=None)
def model(service):
    folder = os.path.join(os.path.dirname(botocore.__file__), "data", service)
    folder = os.path.join(folder, sorted(os.listdir(folder))[-1])
    for name, opener in (("service-2.json", open), ("service-2.json.gz", gzip.open)):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with opener(path) as file:
                return json.load(file)
    raise FileNotFoundError(folder)


def operations():
    """{operation: target prefix} of both services, with those that are newer than the installed model."""
    out = {name: "DynamoDB_20120810" for name in [*model("dynamodb")["operations"], *NEWER]}
    out.update({name: "DynamoDBStreams_20120810" for name in model("dynamodbstreams")["operations"]})
    return out


def input_of(operation):
    for service in ("dynamodb", "dynamodbstreams"):
        found = model(service)["operations"].get(operation)
        if found:
            return model(service)["shapes"], found.get("input", {}).get("shape")
    return None, None


def walk(shapes, shape, value, path):
    """(kind, member path, value) of each member of a request whose shape names a resource."""
    spec = shapes[shape]
    if spec["type"] == "structure":
        for name, member in spec["members"].items():
            if isinstance(value, dict) and name in value and value[name] is not None:
                yield from walk(shapes, member["shape"], value[name], path + (name,))
    elif spec["type"] == "list" and isinstance(value, list):
        for number, one in enumerate(value):
            yield from walk(shapes, spec["member"]["shape"], one, path + (number,))
    elif spec["type"] == "map" and isinstance(value, dict):
        for name, one in value.items():
            yield from walk(shapes, spec["key"]["shape"], name, path + (name, "key"))
            yield from walk(shapes, spec["value"]["shape"], one, path + (name,))
    elif spec["type"] == "string" and shape in KINDS:
        yield KINDS[shape], path, value


def named(operation, body):
    """The resources that a request names, by the service model."""
    shapes, shape = input_of(operation)
    if shape:
        found = list(walk(shapes, shape, body, ()))
    else:
        found = [(KINDS[kind], (name,), body[name]) for name, kind in NEWER.get(operation, {}).items() if body.get(name) is not None]
    return [one for one in found if not str(one[1][-1]).startswith("ExclusiveStart")]


def table_of(value, reading):
    """(name, ARN) of a table that is named plainly or by ARN."""
    if isinstance(value, str) and TABLE_NAME.fullmatch(value):
        return value, table_arn(value)
    return arn_of(value, reading, "table")


def arn_of(value, reading, *kinds):
    """(table, ARN) of a stream, backup, export or import, or, for kind "table", of a table. An ARN of another account is never ours. Regions share
    their tables (docs/compatibility.md), so an ARN of another region may be refused, or mean the resource of this one."""
    match = TABLE_ARN.fullmatch(value) if isinstance(value, str) else None
    if match is None or (match.group(4) or "table") not in kinds or match.group(2) != ACCOUNT:
        raise Invalid(value)
    if match.group(1) != REGION:
        reading.foreign = True
        value = value.replace(f":{match.group(1)}:", f":{REGION}:", 1)
    return match.group(3), value


@dataclasses.dataclass
class Check:
    """One question to the policies. `context` has for each key its possible values: a list of worlds, each a list of values or None."""
    action: str
    resource: str
    context: dict = dataclasses.field(default_factory=dict)
    each: list = None  # The contexts of single keys, each of which has to be allowed.
    trust: list = None  # AssumeRole: the statements of the role's trust policy, which have to allow it too.


@dataclasses.dataclass
class Show:
    """What an answer may contain of a table. None means everything."""
    table: str
    partitions: set = None
    attributes: set = None


@dataclasses.dataclass
class Reading:
    checks: list = dataclasses.field(default_factory=list)
    shows: list = dataclasses.field(default_factory=list)
    writes: set = dataclasses.field(default_factory=set)
    invalid: str = ""
    open: bool = False
    foreign: bool = False  # An ARN of another region: an error is always right.
    statements: list = None  # BatchExecuteStatement: a Reading for each.


def table_context(table):
    tags = TAGS.get(table, {})
    return {f"aws:resourcetag/{key}": [[value]] for key, value in tags.items()}


def value_text(value):
    """The text that a key's value has in dynamodb:LeadingKeys. Numbers that are equal lead to the same items, however they are written."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    kind, given = next(iter(value.items()))
    return partiql.canonical(given) if kind == "N" and isinstance(given, str) else str(given)


def key_worlds(table, index, item):
    """Worlds of dynamodb:LeadingKeys for an item or key. Of a table that is not there nobody knows which attribute leads: there is none."""
    keys = INDEX_KEYS.get(index) if index else KEYS.get(table)
    if not isinstance(item, dict) or keys is None:
        return [None]
    text = value_text(item.get(keys[0]))
    return [None] if text is None else [[text]]


NAME_TOKEN = re.compile(r"(?<![\w:.#])(#?[A-Za-z_]\w*)(?!\s*\()(?![\w])")
WORDS = {"SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"}


def expression_names(text, names):
    """The top-level attributes that an expression looks at."""
    if not isinstance(text, str):
        return set()
    found = {one for one in NAME_TOKEN.findall(text) if one.upper() not in WORDS}
    return {str((names or {}).get(one, one)) for one in found}


def attributes_of(body):
    """Attribute names in an item request: keys, items, expressions and the legacy members."""
    out = set()
    for name in ("Key", "Item", "Expected", "AttributeUpdates", "KeyConditions", "QueryFilter", "ScanFilter"):
        out |= set(body.get(name) or {})
    for name in ("ProjectionExpression", "FilterExpression", "KeyConditionExpression", "ConditionExpression", "UpdateExpression"):
        out |= expression_names(body.get(name), body.get("ExpressionAttributeNames"))
    return out | set(body.get("AttributesToGet") or [])


def projection_of(body):
    """The attributes that a read asks for, or None for all."""
    if body.get("AttributesToGet") is not None:
        return set(body["AttributesToGet"])
    if body.get("ProjectionExpression") is not None:
        return expression_names(body["ProjectionExpression"], body.get("ExpressionAttributeNames"))
    return None


def attribute_worlds(table, index, names):
    """ "You must specify the names of all of the primary key and index key attributes for the table and any secondary indexes": they count whether
    a request mentions them or not, since LastEvaluatedKey shows them."""
    keys = set(KEYS.get(table, ())) | (set(INDEX_KEYS.get(index, ())) if index else set())
    return [sorted(names | keys) or None]


def item_context(table, index, names, body, **more):
    capacity = body.get("ReturnConsumedCapacity")
    context = table_context(table)
    context["dynamodb:attributes"] = attribute_worlds(table, index, names)
    context["dynamodb:returnconsumedcapacity"] = [[capacity]] if capacity else [None]
    context.update(more)
    if table not in KEYS or index and index not in INDEX_KEYS:
        # There is nothing to plan the request with.
        context = {key: worlds for key, worlds in context.items() if key not in PLANNED}
    return context


def select_worlds(body, index):
    """ "The Select parameter always has a value (ALL_ATTRIBUTES, unless otherwise specified)"; for an index the API reference names
    ALL_PROJECTED_ATTRIBUTES as the default, and SPECIFIC_ATTRIBUTES where attributes are listed."""
    if body.get("Select"):
        return [[body["Select"]]]
    if projection_of(body) is not None:
        return [["SPECIFIC_ATTRIBUTES"]]
    return [["ALL_PROJECTED_ATTRIBUTES"]] if index else [["ALL_ATTRIBUTES"]]


def returned_worlds(body, default="NONE"):
    """The worlds of dynamodb:ReturnValues, one after the other: what a failed condition shows counts like ReturnValues ("Prevent information
    from being returned on a ConditionCheck failure"), so both have to be allowed."""
    values = [body.get("ReturnValues") or default]
    shown = body.get("ReturnValuesOnConditionCheckFailure")
    if shown and shown != "NONE" and shown not in values:
        values = [shown] if values == ["NONE"] else [*values, shown]
    return values


def read_item(reading, action, body, enclosing=None, capacity=None):
    """GetItem, or a Get of a transaction."""
    table, arn = table_of(body.get("TableName"), reading)
    leading = key_worlds(table, None, body.get("Key"))
    request = {**body, "ReturnConsumedCapacity": capacity or body.get("ReturnConsumedCapacity")}
    context = item_context(table, None, attributes_of(body), request, **{"dynamodb:leadingkeys": leading, "dynamodb:select": select_worlds(body, None)})
    if enclosing:
        context["dynamodb:enclosingoperation"] = [[enclosing]]
    reading.checks.append(Check(action, arn, context))
    reading.shows.append(Show(table, set(leading[0] or ()), projection_of(body)))


def write_item(reading, action, body, enclosing=None, capacity=None):
    """PutItem, UpdateItem, DeleteItem and the members of TransactWriteItems."""
    table, arn = table_of(body.get("TableName"), reading)
    item = body.get("Item") if body.get("Item") is not None else body.get("Key")
    leading = key_worlds(table, None, item)
    request = {**body, "ReturnConsumedCapacity": capacity or body.get("ReturnConsumedCapacity")}
    for value in returned_worlds(body):
        context = item_context(table, None, attributes_of(body), request, **{"dynamodb:leadingkeys": leading, "dynamodb:returnvalues": [[value]]})
        if enclosing:
            context["dynamodb:enclosingoperation"] = [[enclosing]]
        reading.checks.append(Check(action, arn, context))
    if returned_worlds(body) != ["NONE"]:
        updated = all(value.startswith("UPDATED") for value in returned_worlds(body))
        reading.shows.append(Show(table, set(leading[0] or ()), attributes_of(body) if updated else None))
    if action != "dynamodb:ConditionCheckItem":
        reading.writes.add(table)


def key_condition_values(body, key):
    """Values that a Query holds its partition key to."""
    legacy = (body.get("KeyConditions") or {}).get(key)
    if legacy:
        return [value_text(one) for one in legacy.get("AttributeValueList") or []]
    names = body.get("ExpressionAttributeNames") or {}
    for name, _, placeholder in re.findall(r"(#?\w+)\s*(=)\s*(:\w+)", body.get("KeyConditionExpression") or ""):
        if names.get(name, name) == key:
            return [value_text((body.get("ExpressionAttributeValues") or {}).get(placeholder))]
    return []


def read_page(reading, operation, body):
    """Query and Scan. An index is a resource of its own: table/T/index/I."""
    table, arn = table_of(body.get("TableName"), reading)
    index = body.get("IndexName")
    if index is not None:
        if not isinstance(index, str) or not TABLE_NAME.fullmatch(index):
            raise Invalid(index)
        arn += f"/index/{index}"
    keys = INDEX_KEYS.get(index) if index else KEYS.get(table)
    worlds, partitions = [None], None
    if operation == "Query":
        values = [one for one in key_condition_values(body, keys[0]) if one is not None] if keys else []
        worlds = [values] if values else [None]
        partitions = set(values) if values and not index else None
    context = item_context(table, index, attributes_of(body), body, **{"dynamodb:leadingkeys": worlds, "dynamodb:select": select_worlds(body, index)})
    reading.checks.append(Check(f"dynamodb:{operation}", arn, context))
    reading.shows.append(Show(table, partitions, projection_of(body)))


def search_vectors(reading, body):
    """A search is one of an index, whose HASH attribute leads (docs/security.md); the vector counts among the attributes."""
    table, arn = table_of(body.get("TableName"), reading)
    index = body.get("IndexName")
    if not isinstance(index, str) or not TABLE_NAME.fullmatch(index):
        raise Invalid(index)
    names = body.get("ExpressionAttributeNames")
    condition = {**body, "KeyConditionExpression": body.get("SearchConditionExpression")}
    values = [one for one in key_condition_values(condition, "owner") if one is not None]
    attributes = {*attributes_of(body), *expression_names(body.get("SearchConditionExpression"), names), "e"}
    context = item_context(table, None, attributes, body, **{
        "dynamodb:leadingkeys": [values or None],
        "dynamodb:select": [["ALL_PROJECTED_ATTRIBUTES" if projection_of(body) is None else "SPECIFIC_ATTRIBUTES"]]})
    if index != VECTORS:
        context = {key: worlds for key, worlds in context.items() if key not in PLANNED}
    reading.checks.append(Check("dynamodb:SearchVectors", f"{arn}/index/{index}", context))
    reading.shows.append(Show(table, None, projection_of(body)))


def batch_get(reading, body):
    for name, request in (body.get("RequestItems") or {}).items():
        table, arn = table_of(name, reading)
        if not isinstance(request, dict):
            raise Invalid(request)
        keys = [one for one in request.get("Keys") or [] if isinstance(one, dict)]
        contexts = []
        names = attributes_of(request) | {name for key in keys for name in key}
        for some in [keys, *[[key] for key in keys]]:
            worlds = [key_worlds(table, None, key) for key in some]
            leading = [sorted({text for one in worlds for text in one[0] or ()}) or None]
            contexts.append(item_context(table, None, names, {**request, "ReturnConsumedCapacity": body.get("ReturnConsumedCapacity")},
                                         **{"dynamodb:leadingkeys": leading, "dynamodb:select": select_worlds(request, None)}))
        reading.checks.append(Check("dynamodb:BatchGetItem", arn, contexts[0], contexts[1:]))
        partitions = {value_text(key.get("pk")) for key in keys}
        reading.shows.append(Show(table, partitions, projection_of(request)))


def batch_write(reading, body):
    for name, requests in (body.get("RequestItems") or {}).items():
        table, arn = table_of(name, reading)
        items = []
        for request in requests or []:
            kind = next(iter(request.values()), None) if isinstance(request, dict) else None
            items.append((kind or {}).get("Item", (kind or {}).get("Key")) or {})
        contexts = []
        for some in [items, *[[item] for item in items]]:
            worlds = [key_worlds(table, None, item) for item in some]
            leading = [sorted({text for one in worlds for text in one[0] or ()}) or None]
            names = {attribute for item in some for attribute in item}
            # "ReturnValues always has a value": a batch shows nothing.
            contexts.append(item_context(table, None, names, body, **{"dynamodb:leadingkeys": leading, "dynamodb:returnvalues": [["NONE"]]}))
        reading.checks.append(Check("dynamodb:BatchWriteItem", arn, contexts[0], contexts[1:]))
        reading.writes.add(table)


def transact_get(reading, body):
    for one in body.get("TransactItems") or []:
        read_item(reading, "dynamodb:GetItem", (one or {}).get("Get") or {}, "TransactGetItems", body.get("ReturnConsumedCapacity"))


TRANSACT_ACTIONS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}


def transact_write(reading, body):
    for one in body.get("TransactItems") or []:
        for kind, request in (one or {}).items():
            if kind in TRANSACT_ACTIONS and isinstance(request, dict):
                write_item(reading, f"dynamodb:{TRANSACT_ACTIONS[kind]}", request, "TransactWriteItems", body.get("ReturnConsumedCapacity"))


def read_statement(reading, body, operation):
    if not isinstance(body.get("Statement"), str) or not body["Statement"]:
        raise Invalid("no statement")
    try:
        statement = partiql.read(body["Statement"], body.get("Parameters"))
    except partiql.Unreadable:
        reading.open = True
        return
    table, arn = table_of(statement.table, reading)
    # Whether statements take ARNs is not documented.
    reading.foreign = reading.foreign or statement.table.startswith("arn:")
    index = statement.index
    if index:
        arn += f"/index/{index}"
    keys = INDEX_KEYS.get(index) if index else KEYS.get(table)
    leading = [statement.equal[keys[0]]] if keys and keys[0] in statement.equal else [None]
    more = {"dynamodb:leadingkeys": leading}
    shown = body.get("ReturnValuesOnConditionCheckFailure") if statement.action != "PartiQLSelect" or statement.exists else None
    returned = [statement.returning or "NONE"]
    if shown and shown != "NONE" and shown not in returned:
        returned = [shown] if returned == ["NONE"] else [*returned, shown]
    if statement.action == "PartiQLSelect":
        held = keys is not None and leading != [None]
        more["dynamodb:fulltablescan"] = [["false" if held else "true"]]
        more["dynamodb:select"] = [["SPECIFIC_ATTRIBUTES"]] if not statement.everything else [["ALL_PROJECTED_ATTRIBUTES"]] if index else [["ALL_ATTRIBUTES"]]
        # EXISTS shows nothing but its outcome.
        if statement.exists:
            more["dynamodb:select"] = [None]
    for value in returned:
        # Like a ConditionCheck, EXISTS has ReturnValues, and the columns of its SELECT are neither read nor shown.
        worlds = [None] if statement.action == "PartiQLSelect" and not statement.exists else [[value]]
        names = statement.conditions if statement.exists else statement.attributes
        context = item_context(table, index, names, {"ReturnConsumedCapacity": body.get("ReturnConsumedCapacity")}, **more,
                               **{"dynamodb:returnvalues": worlds})
        if operation == "ExecuteTransaction":
            context["dynamodb:enclosingoperation"] = [["ExecuteTransaction"]]
        reading.checks.append(Check(f"dynamodb:{statement.action}", arn, context))
    partitions = set(leading[0]) if leading[0] and not index else None
    if statement.action == "PartiQLSelect" and not statement.exists:
        reading.shows.append(Show(table, partitions, None if statement.everything else statement.columns))
    elif returned != ["NONE"]:
        updated = all(value.startswith("UPDATED") for value in returned)
        reading.shows.append(Show(table, partitions, statement.columns if updated else None))
    if statement.action != "PartiQLSelect":
        reading.writes.add(table)


def statements(reading, operation, body):
    if operation == "ExecuteStatement":
        read_statement(reading, body, operation)
        return
    inner = body.get("Statements" if operation == "BatchExecuteStatement" else "TransactStatements") or []
    if not inner:
        raise Invalid("no statements")
    readings = []
    for one in inner:
        part = Reading()
        try:
            read_statement(part, {"ReturnConsumedCapacity": body.get("ReturnConsumedCapacity"), **(one or {})}, operation)
        except Invalid as error:
            part.invalid = str(error) or "empty"
        readings.append(part)
        reading.shows += part.shows
        reading.writes |= part.writes
    if operation == "BatchExecuteStatement":
        # "Each individual statement has its own error", so each is decided alone.
        reading.statements = readings
        return
    for part in readings:
        reading.checks += part.checks
        reading.open = reading.open or part.open
        reading.foreign = reading.foreign or part.foreign
        reading.invalid = reading.invalid or part.invalid


def restore(reading, operation, body):
    target, target_arn = table_of(body.get("TargetTableName"), reading)
    if operation == "RestoreTableFromBackup":
        _, source_arn = arn_of(body.get("BackupArn"), reading, "backup")
    else:
        sources = {table_of(body[name], reading) if name == "SourceTableName" else arn_of(body[name], reading, "table")
                   for name in ("SourceTableArn", "SourceTableName") if body.get(name) is not None}
        if not sources:
            raise Invalid("no source")
        # Which of two sources counts is not documented, so both have to be allowed, and a refusal is right.
        reading.foreign = reading.foreign or len(sources) > 1
        reading.checks += [Check(f"dynamodb:{operation}", arn, table_context(source)) for source, arn in sorted(sources)]
    if operation == "RestoreTableFromBackup":
        reading.checks.append(Check(f"dynamodb:{operation}", source_arn, {}))
    # "Read and write permissions on the target table are necessary"; the service authorization reference lists these as dependent actions, and the
    # table besides the backup as a resource of the action itself.
    reading.checks += [Check(f"dynamodb:{action}", target_arn, table_context(target)) for action in (*TARGET_ACTIONS, operation)]
    reading.writes.add(target)


def tags_context(pairs, keys=None):
    context = {}
    names = keys
    if pairs is not None:
        good = [one for one in pairs if isinstance(one, dict) and isinstance(one.get("Key"), str)]
        names = [one["Key"] for one in good]
        context = {f"aws:requesttag/{one['Key'].lower()}": [[str(one.get("Value", ""))]] for one in good}
    if names:
        context["aws:tagkeys"] = [sorted(set(names))]
    return context


def control(reading, operation, body):
    """Operations on a whole table, stream, backup, export or import."""
    found = [one for one in named(operation, body) if not ("Kinesis" in operation and one[0] == "stream")]
    action = f"dynamodb:{operation}"
    if operation == "ListTables":
        # The reference has no resource for it, so policies should say "*". AWS's messages name all tables ("not authorized to perform:
        # dynamodb:ListTables on resource: arn:aws:dynamodb:us-east-1:…:table/*"), and that is what a narrower pattern meets.
        reading.checks.append(Check(action, table_arn("*")))
        return
    if operation in WITHOUT_RESOURCE:
        given = [one[2] for one in found if one[0] == "table"]
        arns = [table_arn(one) if TABLE_NAME.fullmatch(str(one)) else str(one) for one in given]
        tables = [one for one in arns if TABLE_ARN.fullmatch(one)]
        # The reference has no resource for any of them; the guides to exports and imports have theirs on the table that a request names.
        if tables and operation in ("ListExports", "ListImports"):
            reading.checks += [Check(action, one, table_context(one.rpartition("/")[2])) for one in tables]
        else:
            reading.checks.append(Check(action, "*"))
        reading.foreign = any(not TABLE_NAME.fullmatch(str(one)) for one in given)
        return
    main = [one for one in found if one[0] in ("table", "stream", "backup", "export", "import", "resource")]
    if not main:
        raise Invalid("no resource")
    for kind, path, value in main:
        if path[-1] == "GlobalTableName":
            if not TABLE_NAME.fullmatch(value if isinstance(value, str) else ""):
                raise Invalid(value)
            # The reference requires global-table for each of them, and for those that change one the table of that name as well.
            reading.checks.append(Check(action, f"arn:aws:dynamodb::{ACCOUNT}:global-table/{value}"))
            if not operation.startswith("Describe"):
                reading.checks.append(Check(action, table_arn(value), table_context(value)))
            continue
        kinds = {"resource": ("table", "stream") if "Policy" in operation else ("table",)}.get(kind, (kind,))
        plain = kind == "table" and not str(path[-1]).endswith("Arn")
        table, arn = table_of(value, reading) if plain else arn_of(value, reading, *kinds)
        if kind == "resource" and operation == "TagResource" or operation == "CreateTable":
            context = tags_context(body.get("Tags"))
        else:
            context = tags_context(None, body.get("TagKeys") if operation == "UntagResource" else None)
        # The reference gives tags to tables alone; a stream counts as a part of its table.
        tags = table_context(table) if "/stream/" in arn or arn == table_arn(table) else {}
        context = {**tags, **context}
        reading.checks.append(Check(action, arn, context))
        if operation == "CreateTable":
            # "You need to specify the CreateTable and PutResourcePolicy IAM actions"; tags given at creation need TagResource likewise.
            reading.checks += [Check("dynamodb:TagResource", arn, context)] if body.get("Tags") else []
            reading.checks += [Check("dynamodb:PutResourcePolicy", arn, context)] if body.get("ResourcePolicy") else []
        if "ContributorInsights" in operation and body.get("IndexName"):
            # The reference lists table and index: a request about an index asks about the index.
            reading.checks.append(dataclasses.replace(reading.checks.pop(), resource=f"{arn}/index/{body['IndexName']}"))
        reading.writes.add(table)


def unplanned(context):
    """The context of a request that cannot be planned: what a plan would give may also be absent."""
    return {key: [None, *worlds] if key in PLANNED and None not in worlds else worlds for key, worlds in context.items()}


def without_plan(reading):
    """The same reading for a request that fails before it is planned."""
    checks = [dataclasses.replace(one, context=unplanned(one.context), each=[unplanned(context) for context in one.each] if one.each else None)
              for one in reading.checks]
    return dataclasses.replace(reading, checks=checks)


def analyse(operation, body, iterators=None):
    """The Reading of a request. `iterators`: shard iterator → ARN of its stream."""
    reading = Reading()
    try:
        if not isinstance(body, dict):
            raise Invalid("no object")
        if operation in ("GetItem", "PutItem", "UpdateItem", "DeleteItem"):
            (read_item if operation == "GetItem" else write_item)(reading, f"dynamodb:{operation}", body)
        elif operation in ("Query", "Scan"):
            read_page(reading, operation, body)
        elif operation == "SearchVectors":
            search_vectors(reading, body)
        elif operation in ("BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems"):
            {"BatchGetItem": batch_get, "BatchWriteItem": batch_write, "TransactGetItems": transact_get, "TransactWriteItems": transact_write}[operation](reading, body)
            if not reading.checks:
                raise Invalid("empty")
        elif "Statement" in operation or operation == "ExecuteTransaction":
            statements(reading, operation, body)
        elif operation in ("RestoreTableFromBackup", "RestoreTableToPointInTime"):
            restore(reading, operation, body)
        elif operation == "GetRecords":
            stream = (iterators or {}).get(body.get("ShardIterator"))
            if stream is None:
                raise Invalid("iterator")
            table, arn = arn_of(stream, reading, "stream")
            reading.checks.append(Check("dynamodb:GetRecords", arn, table_context(table)))
            reading.shows.append(Show(table))
        else:
            control(reading, operation, body)
    except Invalid as error:
        reading.invalid = str(error) or "empty"
    except (AttributeError, TypeError, KeyError, IndexError) as error:
        # A body of the wrong shape: the server must refuse it in its own way.
        reading.invalid = f"shape: {error}"
    return reading


assert set(TABLES) == set(KEYS)
