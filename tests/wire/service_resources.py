#!/usr/bin/python3
"""Writes service_resources.inc: the members of every operation that carry the name or ARN of a resource, as AWS's service model has them.

Run it when botocore knows new operations: tests/wire/service_resources.py > tests/wire/service_resources.inc
The test beside it then fails for each member that policies are not asked about.
"""

import gzip
import json
import pathlib

import botocore

# The shapes whose values are resources. A shape with a new name for an old thing shows up as a member that no operation reads.
KINDS = {
    "TableArn": "table", "TableName": "table", "StreamArn": "stream", "BackupArn": "backup", "ExportArn": "export",
    "ImportArn": "import", "ResourceArnString": "resource", "IndexName": "index",
}


def model(service):
    found = sorted((pathlib.Path(botocore.__file__).parent / "data" / service).glob("*/service-2.json*"))[-1]
    return json.loads(gzip.decompress(found.read_bytes()) if found.suffix == ".gz" else found.read_bytes())


def members(shapes, name, path, above):
    """Each (path, kind) inside the shape. An element of a list is path[], an entry of a map path{} and its key path{key}."""
    shape = shapes[name]
    if name in above:
        return
    if shape["type"] == "structure":
        for member, target in shape["members"].items():
            yield from members(shapes, target["shape"], f"{path}.{member}".lstrip("."), above | {name})
    elif shape["type"] == "list":
        yield from members(shapes, shape["member"]["shape"], path + "[]", above)
    elif shape["type"] == "map":
        yield from members(shapes, shape["key"]["shape"], path + "{key}", above)
        yield from members(shapes, shape["value"]["shape"], path + "{}", above)
    elif name in KINDS:
        yield path, KINDS[name]


def main():
    print("// Written by service_resources.py from AWS's service model.")
    for service in ("dynamodb", "dynamodbstreams"):
        described = model(service)
        for operation, details in sorted(described["operations"].items()):
            for path, kind in members(described["shapes"], details["input"]["shape"], "", frozenset()):
                # The indexes inside of a table's definition are parts of that table, which the request names.
                if kind != "index" or path == "IndexName":
                    print(f'{{"{operation}", "{path}", "{kind}"}},')


if __name__ == "__main__":
    main()
