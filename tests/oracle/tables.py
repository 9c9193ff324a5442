"""The tables that random requests use."""

# name: table keys, then the keys and the projection of each index.
TABLES = {
    "Plain": ((("p", "S"), None), {}),
    "Sorted": ((("p", "S"), ("s", "N")), {
        "ByG": ((("g", "S"), None), "global", {"ProjectionType": "ALL"}),
        "ByGR": ((("g", "S"), ("r", "N")), "global", {"ProjectionType": "KEYS_ONLY"}),
        "ByL": ((("p", "S"), ("r", "N")), "local", {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "b"]}),
    }),
    "Bytes": ((("p", "B"), ("s", "S")), {
        "ByN": ((("n", "N"), ("s", "S")), "global", {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a"]}),
    }),
    "Numbers": ((("p", "N"), None), {}),
}


def key_schema(keys):
    return [{"AttributeName": key[0], "KeyType": role} for key, role in zip(keys, ("HASH", "RANGE")) if key]


def creation(name):
    keys, indexes = TABLES[name]
    attributes = {key[0]: key[1] for keys_of in [keys, *(index[0] for index in indexes.values())] for key in keys_of if key}
    request = {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key_schema(keys),
               "AttributeDefinitions": [{"AttributeName": n, "AttributeType": t} for n, t in sorted(attributes.items())]}
    for kind, member in (("global", "GlobalSecondaryIndexes"), ("local", "LocalSecondaryIndexes")):
        found = [{"IndexName": i, "KeySchema": key_schema(index[0]), "Projection": index[2]} for i, index in indexes.items() if index[1] == kind]
        if found:
            request[member] = found
    return request
