"""Random requests for every operation of the service model, as the text that is sent: names plain, as ARNs, with tails, of other accounts and
regions, in other letter cases; members that are repeated or escaped; PartiQL twins; batches, transactions and restores."""

import json

from evaluator import ACCOUNT
from generate_partiql import StatementMaker
from resources import operations
from world import ATTRIBUTES, INDEX, PLAIN, TABLES, VECTORS, key_type, partitions_of, table_arn

ITEM_OPERATIONS = ("GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "BatchGetItem", "BatchWriteItem", "TransactGetItems",
                   "TransactWriteItems", "ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction", "SearchVectors")


class Pairs(list):
    """Members of a JSON object in which names may repeat."""


def dump(value):
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{key if key.startswith(chr(34)) else json.dumps(key)}:{dump(one)}" for key, one in value) + "}"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{dump(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(dump(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


class Maker(StatementMaker):
    """Makes the requests of one family, all around one table and one partition, so that one policy matters to all of them."""

    def __init__(self, rng, state):
        self.rng, self.state = rng, state
        self.table = rng.choices(("Prod", "Test", "Count"), (6, 2, 2))[0]
        self.partition = rng.choice(partitions_of(self.table))
        self.strange = rng.random() < 0.5  # Whether names are spelled in strange ways at all.

    def chance(self, share):
        return self.rng.random() < share

    # ---- Names

    def name(self, plain_only=False):
        table = self.table if self.chance(0.85) else self.rng.choice([*TABLES, "Nowhere", "New", "Prod2", "Pro"])
        if plain_only or not self.strange or self.chance(0.5):
            return table
        return self.strange_name(table)

    def strange_name(self, table):
        arn = table_arn(table)
        forms = [
            (8, arn), (2, f"{arn}/x"), (1, f"{arn}/index/{INDEX}"), (1, f"{arn}/index/{INDEX}/y"), (1, f"{arn}/stream/x"), (1, f"{arn}/"),
            (1, f"{arn}:x"), (1, table_arn(table, account="999999999999")), (1, table_arn(table, region="eu-west-1")), (1, table.lower()),
            (1, table.upper()), (1, ""), (1, f" {table}"), (1, f"{table}/x"), (1, f"{table}/index/{INDEX}"), (1, f"table/{table}"), (1, f"{table}\0"),
            (1, arn.replace("arn:aws:", "arn:AWS:")), (1, arn.upper()), (1, f"arn:aws:dynamodb:::table/{table}"), (1, f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:Table/{table}"),
            (1, f"arn:aws:dynamodb:*:{ACCOUNT}:table/{table}"), (1, f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:table/Test/../{table}"),
        ]
        return self.rng.choices([one for _, one in forms], [weight for weight, _ in forms])[0]

    def index(self):
        return self.rng.choices((INDEX, "Other", INDEX.lower(), f"{INDEX}/x", ""), (20, 2, 1, 1, 1))[0]

    def of(self):
        return self.partition if self.chance(0.7) else self.rng.choice(partitions_of(self.table))

    def pk(self):
        """A value of the partition key; numbers are written in one of the ways that mean the same."""
        text = self.of()
        if key_type(self.table) == "N":
            return {"N": self.rng.choice((text, text, f"{text}.0", f"0{text}", f"{text}e0", f"{text}0E-1"))}
        return {"S": text}

    def key(self):
        return {"pk": self.pk(), "sk": {"S": self.rng.choice("12")}}

    # ---- Parts of item requests

    def reference(self, body, attribute):
        if attribute == "owner" or self.chance(0.4):
            body.setdefault("ExpressionAttributeNames", {})[f"#{attribute}"] = attribute
            return f"#{attribute}"
        return attribute

    def some(self, attributes, most=3):
        return self.rng.sample(list(attributes), self.rng.randint(1, min(most, len(attributes))))

    def project(self, body):
        if self.chance(0.15):
            body["AttributesToGet"] = self.some(ATTRIBUTES)
        elif self.chance(0.55):
            body["ProjectionExpression"] = ", ".join(self.reference(body, one) for one in self.some(ATTRIBUTES))

    def capacity(self, body):
        if self.chance(0.15):
            body["ReturnConsumedCapacity"] = self.rng.choice(("TOTAL", "INDEXES", "NONE"))

    def condition(self, body):
        """A condition that usually fails, so that a failure's item would be shown."""
        if self.chance(0.35):
            attribute = self.rng.choice(ATTRIBUTES)
            function = self.rng.choice(("attribute_not_exists", "attribute_exists"))
            body["ConditionExpression"] = f"{function}({self.reference(body, attribute)})"
            if self.chance(0.6):
                body["ReturnValuesOnConditionCheckFailure"] = self.rng.choice(("ALL_OLD", "ALL_OLD", "NONE"))

    def item(self):
        item = {**self.key(), **{name: {"S": "new"} for name in self.some(PLAIN)}}
        if self.chance(0.3):
            item["owner"] = {"S": self.of()}
        return item

    def update(self, body):
        attribute = self.rng.choice(PLAIN)
        if self.chance(0.2):
            body["AttributeUpdates"] = {attribute: {"Value": {"S": "new"}, "Action": "PUT"}}
            return
        body["UpdateExpression"] = f"SET {self.reference(body, attribute)} = :new"
        if self.chance(0.2):
            body["UpdateExpression"] = f"SET {self.reference(body, attribute)} = {self.reference(body, self.rng.choice(PLAIN))}"
        else:
            body["ExpressionAttributeValues"] = {":new": {"S": "new"}}

    # ---- Item operations

    def make_GetItem(self):
        body = {"TableName": self.name(), "Key": self.key()}
        self.project(body)
        self.capacity(body)
        return body

    def make_PutItem(self):
        body = {"TableName": self.name(), "Item": self.item()}
        if self.chance(0.4):
            body["ReturnValues"] = self.rng.choice(("NONE", "ALL_OLD"))
        self.condition(body)
        self.capacity(body)
        return body

    def make_UpdateItem(self):
        body = {"TableName": self.name(), "Key": self.key()}
        self.update(body)
        if self.chance(0.5):
            body["ReturnValues"] = self.rng.choice(("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"))
        if "UpdateExpression" in body:
            self.condition(body)
        return body

    def make_DeleteItem(self):
        body = {"TableName": self.name(), "Key": self.key()}
        if self.chance(0.4):
            body["ReturnValues"] = self.rng.choice(("NONE", "ALL_OLD"))
        self.condition(body)
        return body

    def make_Query(self):
        body = {"TableName": self.name()}
        if self.chance(0.35):
            body["IndexName"] = self.index()
        leading = "owner" if "IndexName" in body else "pk"
        if self.chance(0.15):
            body["KeyConditions"] = {leading: {"ComparisonOperator": "EQ", "AttributeValueList": [self.pk() if leading == "pk" else {"S": self.of()}]}}
            if self.chance(0.3):
                body["AttributesToGet"] = self.some(ATTRIBUTES)
            return body
        body["KeyConditionExpression"] = f"{self.reference(body, leading)} = :p"
        body["ExpressionAttributeValues"] = {":p": self.pk() if leading == "pk" else {"S": self.of()}}
        if self.chance(0.5):
            body["ProjectionExpression"] = ", ".join(self.reference(body, one) for one in self.some(ATTRIBUTES))
        if self.chance(0.3):
            body["FilterExpression"] = f"attribute_exists({self.reference(body, self.rng.choice(PLAIN))})"
        self.select(body)
        self.capacity(body)
        return body

    def select(self, body):
        if self.chance(0.3):
            if "ProjectionExpression" in body:
                body["Select"] = "SPECIFIC_ATTRIBUTES"
            else:
                body["Select"] = self.rng.choice(("COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES") if "IndexName" in body else ("COUNT", "ALL_ATTRIBUTES"))

    def make_Scan(self):
        body = {"TableName": self.name()}
        if self.chance(0.35):
            body["IndexName"] = self.index()
        if self.chance(0.5):
            body["ProjectionExpression"] = ", ".join(self.reference(body, one) for one in self.some(ATTRIBUTES))
        self.select(body)
        return body

    def make_BatchGetItem(self):
        body = {"RequestItems": {}}
        for _ in range(self.rng.randint(1, 2)):
            request = {"Keys": [dict(one) for one in {json.dumps(self.key()): None for _ in range(self.rng.randint(1, 2))} for one in [json.loads(one)]]}
            if self.chance(0.5):
                request["ProjectionExpression"] = ", ".join(self.reference(request, one) for one in self.some(ATTRIBUTES))
            body["RequestItems"][self.name()] = request
        self.capacity(body)
        return body

    def make_BatchWriteItem(self):
        body = {"RequestItems": {}}
        for _ in range(self.rng.randint(1, 2)):
            key = self.key()
            requests = [{"DeleteRequest": {"Key": key}} if self.chance(0.4) else {"PutRequest": {"Item": {**self.item(), **key}}}]
            if self.chance(0.4):
                other = {"pk": self.pk(), "sk": {"S": "3"}}
                requests.append({"PutRequest": {"Item": {**self.item(), **other}}})
            body["RequestItems"][self.name()] = requests
        self.capacity(body)
        return body

    def make_TransactGetItems(self):
        items, seen = [], set()
        for _ in range(self.rng.randint(1, 3)):
            get = {"TableName": self.name(), "Key": self.key()}
            if self.chance(0.4):
                get["ProjectionExpression"] = ", ".join(self.reference(get, one) for one in self.some(ATTRIBUTES))
            if json.dumps(get["Key"]) not in seen:
                items.append({"Get": get})
                seen.add(json.dumps(get["Key"]))
        return {"TransactItems": items}

    def transact_write_member(self, sort):
        key = {"pk": self.pk(), "sk": {"S": sort}}
        kind = self.rng.choice(("Put", "Update", "Delete", "ConditionCheck"))
        body = {"TableName": self.name()}
        if kind == "Put":
            body["Item"] = {**self.item(), **key}
        else:
            body["Key"] = key
        if kind == "Update":
            attribute = self.rng.choice(PLAIN)
            body["UpdateExpression"] = f"SET {self.reference(body, attribute)} = :new"
            body["ExpressionAttributeValues"] = {":new": {"S": "new"}}
        if kind == "ConditionCheck":
            body["ConditionExpression"] = f"attribute_not_exists({self.reference(body, self.rng.choice(ATTRIBUTES))})"
            if self.chance(0.6):
                body["ReturnValuesOnConditionCheckFailure"] = self.rng.choice(("ALL_OLD", "ALL_OLD", "NONE"))
        else:
            self.condition(body)
        return {kind: body}

    def make_TransactWriteItems(self):
        body = {"TransactItems": [self.transact_write_member(sort) for sort in "123"[: self.rng.randint(1, 3)]]}
        self.capacity(body)
        return body

    # ---- Whole tables

    def tags(self):
        return [{"Key": key, "Value": self.rng.choice(("red", "blue", "prod"))} for key in self.some(("team", "stage", "cost"), 2)]

    def make_CreateTable(self):
        body = {"TableName": self.rng.choice(("New", "New", "Other", self.table)), "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
        if self.strange and self.chance(0.4):
            body["TableName"] = self.strange_name(body["TableName"])
        if self.chance(0.4):
            body["Tags"] = self.tags()
        if self.chance(0.3):
            body["ResourcePolicy"] = json.dumps({"Version": "2012-10-17", "Statement": [{
                "Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:user/caller"}, "Action": "dynamodb:GetItem", "Resource": table_arn("New")}]})
        return body

    def make_DeleteTable(self):
        return {"TableName": self.name()}

    def make_UpdateTable(self):
        return {"TableName": self.name(), "DeletionProtectionEnabled": True}

    def make_UpdateTimeToLive(self):
        return {"TableName": self.name(), "TimeToLiveSpecification": {"Enabled": False, "AttributeName": "eur"}}

    def make_UpdateContinuousBackups(self):
        return {"TableName": self.name(), "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}

    def make_UpdateContributorInsights(self):
        body = {"TableName": self.name(), "ContributorInsightsAction": self.rng.choice(("ENABLE", "DISABLE"))}
        return {**body, "IndexName": INDEX} if self.chance(0.4) else body

    def make_DescribeContributorInsights(self):
        body = {"TableName": self.name()}
        return {**body, "IndexName": INDEX} if self.chance(0.4) else body

    def make_CreateBackup(self):
        return {"TableName": self.name(), "BackupName": "made"}

    def backup(self):
        table = self.table if self.chance(0.8) else self.rng.choice(TABLES)
        arn = self.state.backups[table]
        if self.strange and self.chance(0.4):
            other = self.rng.choice([one for one in TABLES if one != table])
            return self.rng.choice((f"{arn}/x", arn.replace(f"table/{table}/", f"table/{other}/"), arn.replace(ACCOUNT, "999999999999"), table_arn(table),
                                    arn.replace("/backup/", "/Backup/"), f"{table_arn(table)}/backup/0123456789-abcdef01", arn.replace("us-east-1", "eu-west-1")))
        return arn

    def make_DescribeBackup(self):
        return {"BackupArn": self.backup()}

    def make_DeleteBackup(self):
        return {"BackupArn": self.backup()}

    def target(self):
        return self.rng.choices(("Test", "Prod", "New", "Other"), (3, 2, 3, 1))[0]

    def make_RestoreTableFromBackup(self):
        return {"BackupArn": self.backup(), "TargetTableName": self.target()}

    def make_RestoreTableToPointInTime(self):
        body = {"TargetTableName": self.target(), "UseLatestRestorableTime": True}
        form = self.rng.random()
        if form < 0.5:
            body["SourceTableArn"] = table_arn(self.name(True)) if self.chance(0.7) else self.strange_name(self.table)
        if form > 0.4:
            body["SourceTableName"] = self.name()
        return body

    def make_ExportTableToPointInTime(self):
        return {"TableArn": table_arn(self.name(True)) if self.chance(0.7) else self.strange_name(self.table), "S3Bucket": "bucket"}

    def make_ImportTable(self):
        created = {"TableName": self.target(), "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                   "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
        return {"S3BucketSource": {"S3Bucket": "no-such-bucket"}, "InputFormat": "DYNAMODB_JSON", "TableCreationParameters": created}

    def inner(self, kind):
        arn = f"{table_arn(self.name(True))}/{kind}/01234567890123-0123abcd"
        return f"{arn}/x" if self.strange and self.chance(0.3) else arn

    def make_DescribeExport(self):
        return {"ExportArn": self.inner("export")}

    def make_DescribeImport(self):
        return {"ImportArn": self.inner("import")}

    def resource(self):
        if self.strange and self.chance(0.5):
            return self.strange_name(self.table)
        return table_arn(self.name(True))

    def make_TagResource(self):
        return {"ResourceArn": self.resource(), "Tags": self.tags()}

    def make_UntagResource(self):
        return {"ResourceArn": self.resource(), "TagKeys": self.some(("team", "stage", "cost"), 2)}

    def make_ListTagsOfResource(self):
        return {"ResourceArn": self.resource()}

    def shared(self):
        return self.state.streams[self.table] if self.chance(0.25) else self.resource()

    def make_GetResourcePolicy(self):
        return {"ResourceArn": self.shared()}

    def make_DeleteResourcePolicy(self):
        return {"ResourceArn": self.shared()}

    def make_PutResourcePolicy(self):
        arn = self.shared()
        return {"ResourceArn": arn, "Policy": json.dumps({"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:user/caller"}, "Action": "dynamodb:GetItem", "Resource": arn}]})}

    def make_ListBackups(self):
        return {"TableName": self.name()} if self.chance(0.5) else {}

    make_ListContributorInsights = make_ListBackups
    make_ListStreams = make_ListBackups

    def make_ListExports(self):
        return {"TableArn": table_arn(self.name(True))} if self.chance(0.5) else {}

    make_ListImports = make_ListExports

    def make_ListTables(self):
        return {"Limit": 5} if self.chance(0.5) else {}

    def make_ListGlobalTables(self):
        return {}

    make_DescribeLimits = make_ListGlobalTables
    make_DescribeEndpoints = make_ListGlobalTables

    def make_CreateGlobalTable(self):
        return {"GlobalTableName": self.name(True), "ReplicationGroup": [{"RegionName": "us-east-1"}]}

    def make_UpdateGlobalTable(self):
        return {"GlobalTableName": self.name(True), "ReplicaUpdates": [{"Create": {"RegionName": "eu-west-1"}}]}

    def make_UpdateGlobalTableSettings(self):
        return {"GlobalTableName": self.name(True)}

    make_DescribeGlobalTable = make_UpdateGlobalTableSettings
    make_DescribeGlobalTableSettings = make_UpdateGlobalTableSettings

    def make_EnableKinesisStreamingDestination(self):
        return {"TableName": self.name(), "StreamArn": f"arn:aws:kinesis:us-east-1:{ACCOUNT}:stream/to"}

    make_DisableKinesisStreamingDestination = make_EnableKinesisStreamingDestination
    make_UpdateKinesisStreamingDestination = make_EnableKinesisStreamingDestination

    def make_SearchVectors(self):
        body = {"TableName": self.name(), "IndexName": VECTORS if self.chance(0.8) else self.index(), "TopK": 3, "SearchVector": [{"N": "1"}]}
        if self.chance(0.9):
            body["SearchConditionExpression"] = f"{self.reference(body, 'owner')} = :o"
            body["ExpressionAttributeValues"] = {":o": {"S": self.of()}}
        if self.chance(0.5):
            body["ProjectionExpression"] = ", ".join(self.reference(body, one) for one in self.some(ATTRIBUTES))
        self.capacity(body)
        return body

    # ---- Streams

    def stream(self):
        table = self.table if self.chance(0.8) else self.rng.choice(TABLES)
        arn = self.state.streams[table]
        if self.strange and self.chance(0.4):
            other = self.rng.choice([one for one in TABLES if one != table])
            return self.rng.choice((f"{arn}/x", arn.replace(f"table/{table}/", f"table/{other}/"), arn.replace(ACCOUNT, "999999999999"), table_arn(table),
                                    f"{table_arn(table)}/stream/2020-01-01T00:00:00.000", arn.lower()))
        return arn

    def make_DescribeStream(self):
        return {"StreamArn": self.stream()}

    def make_GetShardIterator(self):
        return {"StreamArn": self.stream(), "ShardId": self.state.shard(self.table), "ShardIteratorType": "TRIM_HORIZON"}

    def make_GetRecords(self):
        return {"ShardIterator": self.state.iterator(self.table if self.chance(0.8) else self.rng.choice(TABLES))}

    # ---- The text

    def body(self, operation):
        make = getattr(self, f"make_{operation}", None)
        return make() if make else {"TableName": self.name()}

    def repeat(self, body):
        """One member of the body, or of a part of it, twice, with different values."""
        parts = [body]
        for one in parts:
            parts += [value for value in (one.values() if isinstance(one, dict) else one) if isinstance(value, (dict, list)) and value]
        parts = [one for one in parts if isinstance(one, dict)]
        part = self.rng.choice(parts[:6])
        name = self.rng.choice(list(part))
        value, other = part[name], None
        if name in ("TableName", "SourceTableArn", "SourceTableName", "TargetTableName", "TableArn", "ResourceArn"):
            other = self.rng.choice(("Prod", "Test", table_arn("Prod"), table_arn("Test")))
        elif name == "ReturnValues" or name.startswith("ReturnValuesOn"):
            other = self.rng.choice(("ALL_OLD", "NONE", None))
        elif name == "pk":
            other = self.pk()
        elif name == "Key":
            other = self.key()
        elif name == "Statement":
            other = self.statement()["Statement"]
        elif name in ("ProjectionExpression", "Select", "IndexName", "ReturnConsumedCapacity"):
            other = self.rng.choice((None, "SPECIFIC_ATTRIBUTES", "memo", "pk"))
        else:
            other = self.rng.choice((None, value))
        both = [(name, value), (self.escape(name) if self.chance(0.3) else name, other)]
        self.rng.shuffle(both)
        members = [one for one in part.items() if one[0] != name]
        at = self.rng.randint(0, len(members))
        return self.replace(body, part, Pairs(members[:at] + [both[0]] + members[at:] + [both[1]]))

    def replace(self, body, part, by):
        if body is part:
            return by
        if isinstance(body, dict):
            return {name: self.replace(one, part, by) for name, one in body.items()}
        if isinstance(body, list):
            return [self.replace(one, part, by) for one in body]
        return body

    def escape(self, name):
        """The name as JSON text with one character written as \\u00XX."""
        at = self.rng.randrange(len(name))
        return json.dumps(name[:at])[:-1] + f"\\u{ord(name[at]):04x}" + json.dumps(name[at + 1:])[1:]

    def request(self, operation):
        """The text of one request."""
        body = self.body(operation)
        if operation in ("ExecuteStatement", "UpdateItem", "PutItem", "DeleteItem") and self.chance(0.1) and "ReturnValues" not in body:
            if operation != "ExecuteStatement":
                body["ReturnValues"] = "ALL_OLD"
        if body and self.chance(0.06):
            body = self.repeat(body)
        elif body and self.chance(0.03):
            name = self.rng.choice(list(body))
            body = Pairs([(self.escape(one) if one == name else one, value) for one, value in body.items()])
        elif body and self.chance(0.02):
            body = {name: value for name, value in body.items() if name != self.rng.choice(list(body))}
        return dump(body)


TWINS = {
    "GetItem": ("BatchGetItem", "TransactGetItems", "ExecuteStatement", "Query", "BatchExecuteStatement"),
    "PutItem": ("BatchWriteItem", "TransactWriteItems", "ExecuteStatement", "UpdateItem"),
    "UpdateItem": ("TransactWriteItems", "ExecuteStatement", "PutItem", "ExecuteTransaction"),
    "DeleteItem": ("BatchWriteItem", "TransactWriteItems", "ExecuteStatement", "ExecuteTransaction"),
    "Query": ("GetItem", "ExecuteStatement", "Scan", "BatchGetItem"),
    "Scan": ("Query", "ExecuteStatement"),
    "RestoreTableToPointInTime": ("RestoreTableFromBackup", "CreateBackup"),
    "RestoreTableFromBackup": ("RestoreTableToPointInTime", "DescribeBackup"),
    "GetRecords": ("GetShardIterator", "DescribeStream"),
}


def family(rng, state, lead, count):
    """(operation, text) of `count` requests around one lead operation: the operation itself in several spellings, its twins, and any other."""
    maker = Maker(rng, state)
    twins = TWINS.get(lead, TWINS["GetItem"] if lead in ITEM_OPERATIONS else ())
    out = [(lead, maker.request(lead))]
    everything = sorted(operations())
    while len(out) < count:
        draw = rng.random()
        operation = lead if draw < 0.6 or not twins and draw < 0.85 else rng.choice(twins) if twins and draw < 0.9 else rng.choice(everything)
        out.append((operation, maker.request(operation)))
    return maker, out
