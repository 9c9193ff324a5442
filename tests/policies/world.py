"""What the server holds while policies are tried: two tables that are twins and one with numbers as keys, whose every value says where it stands.

A value "~Prod~green~memo~" in an answer was read from attribute memo of the item green of table Prod, so a leak names itself.
"""

import re

from evaluator import ACCOUNT

REGION = "us-east-1"
TABLES = ("Prod", "Test", "Count")
INDEX = "ByOwner"
KEYS = {table: ["pk", "sk"] for table in TABLES}
INDEX_KEYS = {INDEX: ["owner"]}
VECTORS = "ByVector"  # A vector index: its HASH attribute is owner, its vector e.
PARTITIONS = ("green", "blue", "caller")
NUMBERS = ("1", "2", "30")  # The partitions of Count, whose partition key is a number and can be written in many ways.
PLAIN = ("memo", "eur", "secret")
ATTRIBUTES = ("pk", "sk", "owner", *PLAIN)
TAGS = {"Prod": {"team": "red", "stage": "prod"}, "Test": {"team": "blue"}, "Count": {"team": "red"}}
USER_TAGS = {"team": "red", "tenant": "green"}  # Of every user and role.
CANARY = re.compile(r"~(\w+)~(\w+)~(\w+)~")


def table_arn(name, region=REGION, account=ACCOUNT):
    return f"arn:aws:dynamodb:{region}:{account}:table/{name}"


def partitions_of(table):
    return NUMBERS if table == "Count" else PARTITIONS


def key_type(table):
    return "N" if table == "Count" else "S"


def items_of(table):
    out = []
    for partition in partitions_of(table):
        for sort in ("1", "2"):
            item = {"pk": {key_type(table): partition}, "sk": {"S": sort}, "owner": {"S": partition}, "e": {"L": [{"N": sort}]}}
            item.update({name: {"S": f"~{table}~{partition}~{name}~"} for name in PLAIN})
            out.append(item)
    return out


def table_request(table):
    return {
        "TableName": table, "BillingMode": "PAY_PER_REQUEST", "DeletionProtectionEnabled": True,
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": key_type(table) if name == "pk" else "S"} for name in ("pk", "sk", "owner")],
        "GlobalSecondaryIndexes": [{"IndexName": INDEX, "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}],
                                    "Projection": {"ProjectionType": "ALL"}}],
        "VectorIndexes": [{"IndexName": VECTORS, "VectorAttribute": {"AttributeName": "e"}, "Dimensions": 1, "DistanceFunction": "EUCLIDEAN",
                           "Projection": {"ProjectionType": "ALL"}, "SearchSchema": [{"AttributeName": "owner", "SearchSchemaElementType": "HASH"}]}],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        "Tags": [{"Key": key, "Value": value} for key, value in TAGS[table].items()],
    }
