"""The sixteen reasons for a throttle, each as a table and a request on it that is repeated until it is throttled.

A line of the file that the programs read, separated by tabs: endpoint, table, operation, key, value of the index's key, exception,
reason, resource. "*" is a new value for each request, "-" none. The clock stands still: each case has a table of its own.
"""

import contextlib
import itertools
import sys

from server_process import ROOT, ServerProcess

sys.path.insert(0, str(ROOT / "tests/rig"))
from dynamo_client import DynamoClient  # noqa: E402

LIMITS = "aws,burst-seconds=1,partition-read-units=20,partition-write-units=10,on-demand-read-units=80,on-demand-write-units=40"
QUOTAS = "aws,table-read-quota=2,table-write-quota=4"
PTEE, TE, RLE = "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"

SCARCE = {"provisioned": (2, 2), "index": (1, 1)}
AMPLE = {"provisioned": (1000, 1000), "index": (1000, 1000)}
MAXIMUM = {"most": (2, 2)}
INDEX_MAXIMUM = {"index_most": (1, 1)}
# Physics, capacity, (operation, key, value of the index's key), exception, reason.
CASES = [
    (LIMITS, SCARCE, ("put", "*", "-"), PTEE, "TableWriteProvisionedThroughputExceeded"),
    (LIMITS, SCARCE, ("get", "*", "-"), PTEE, "TableReadProvisionedThroughputExceeded"),
    (LIMITS, SCARCE, ("put", "*", "*"), PTEE, "IndexWriteProvisionedThroughputExceeded"),
    (LIMITS, SCARCE, ("query", "-", "*"), PTEE, "IndexReadProvisionedThroughputExceeded"),
    (LIMITS, AMPLE, ("put", "hot", "-"), PTEE, "TableWriteKeyRangeThroughputExceeded"),
    (LIMITS, AMPLE, ("put", "*", "hot"), PTEE, "IndexWriteKeyRangeThroughputExceeded"),
    (LIMITS, {}, ("put", "hot", "-"), TE, "TableWriteKeyRangeThroughputExceeded"),
    (LIMITS, {}, ("get", "hot", "-"), TE, "TableReadKeyRangeThroughputExceeded"),
    (LIMITS, {}, ("put", "*", "hot"), TE, "IndexWriteKeyRangeThroughputExceeded"),
    (LIMITS, {}, ("query", "-", "hot"), TE, "IndexReadKeyRangeThroughputExceeded"),
    (LIMITS, MAXIMUM, ("put", "*", "-"), TE, "TableWriteMaxOnDemandThroughputExceeded"),
    (LIMITS, MAXIMUM, ("get", "*", "-"), TE, "TableReadMaxOnDemandThroughputExceeded"),
    (LIMITS, INDEX_MAXIMUM, ("put", "*", "*"), TE, "IndexWriteMaxOnDemandThroughputExceeded"),
    (LIMITS, INDEX_MAXIMUM, ("query", "-", "*"), TE, "IndexReadMaxOnDemandThroughputExceeded"),
    (QUOTAS, {}, ("put", "*", "-"), RLE, "TableWriteAccountLimitExceeded"),
    (QUOTAS, {}, ("get", "*", "-"), RLE, "TableReadAccountLimitExceeded"),
    (QUOTAS, {}, ("put", "*", "*"), RLE, "IndexWriteAccountLimitExceeded"),
    (QUOTAS, {}, ("query", "-", "*"), TE, "IndexReadAccountLimitExceeded"),
]
assert len({case[-1] for case in CASES}) == 16


def create(client, name, capacity):
    def units(pair):
        return {"ReadCapacityUnits": pair[0], "WriteCapacityUnits": pair[1]}

    def most(pair):
        return {"MaxReadRequestUnits": pair[0], "MaxWriteRequestUnits": pair[1]}
    index = {"IndexName": "idx", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
    body = {"TableName": name, "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "GlobalSecondaryIndexes": [index],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "s", "AttributeType": "S"}],
            "BillingMode": "PROVISIONED" if "provisioned" in capacity else "PAY_PER_REQUEST"}
    if "provisioned" in capacity:
        body["ProvisionedThroughput"] = units(capacity["provisioned"])
        index["ProvisionedThroughput"] = units(capacity["index"])
    if "most" in capacity:
        body["OnDemandThroughput"] = most(capacity["most"])
    if "index_most" in capacity:
        index["OnDemandThroughput"] = most(capacity["index_most"])
    client.call("CreateTable", **body)


@contextlib.contextmanager
def throttling_servers():
    """Servers with a table for each case; the lines that the programs read."""
    with contextlib.ExitStack() as stack:
        endpoints = {physics: stack.enter_context(ServerProcess(options=["--physics", physics, "--clock", "virtual"])).endpoint
                     for physics in (LIMITS, QUOTAS)}
        lines = []
        for number, (physics, capacity, request, exception, reason) in zip(itertools.count(), CASES):
            name = f"Case{number}"
            client = DynamoClient(endpoints[physics])
            create(client, name, capacity)
            client.close()
            resource = f"arn:aws:dynamodb:us-east-1:123456789012:table/{name}" + ("/index/idx" if reason.startswith("Index") else "")
            lines.append("\t".join((endpoints[physics], name, *request, exception, reason, resource)))
        yield "\n".join(lines) + "\n"
