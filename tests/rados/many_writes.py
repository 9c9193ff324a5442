"""Many writes while things fail; at the end nothing acknowledged may be missing, anywhere.

Each client has keys of its own. A batch or a transaction puts new keys and some of its earlier ones again, each with the next version of that key, which
also moves its entry in the index; a single update counts one key up, on the condition that it has the version before. A transaction is sent
again with its token when its answer is lost. Keys of a request that stays without an answer are never written again, since nobody knows when it
happens; so each key has one right history: the versions 1, 2, … up to the last acknowledged one, and, where the last answer was lost, perhaps one
more. Of a transaction without an answer all keys have that one more, or none.

At the end the table, the index, the counts and the stream are read and compared with that: the stream has each version once and in order.
"""

import http.client
import json
import secrets
import time
import zlib

from gateway import Worker, call_until_done

TABLE = "Many"
INDEX = "ByGroup"
STREAMS = "DynamoDBStreams_20120810"
BATCH = 25
AGAIN = 5            # Of a batch or a transaction, this many keys are written again.
GROUPS = 97
TRANSACTIONS = 0.25  # Of the requests; the rest are batches.
SINGLES = 0.25
TOKEN_TRIES = 4


def group_of(key, version):
    return f"g{(zlib.crc32(key.encode()) + version) % GROUPS}"


def put_of(key, version):
    return f'{{"Item":{{"pk":{{"S":"{key}"}},"v":{{"N":"{version}"}},"g":{{"S":"{group_of(key, version)}"}}}}'


class Client:
    """Single thread."""

    def __init__(self, gateways, number):
        self.gateways, self.number = gateways, number
        self.versions = {}     # key → last acknowledged version
        self.unknown = {}      # key → version without an answer
        self.together = []     # keys of each transaction without an answer
        self.count = 0         # of keys
        self.acknowledged = 0  # writes
        self.requests = {"batch": 0, "transaction": 0, "single": 0}
        self.connection = None
        self.longest_s = 0.0

    def step(self, source):
        choice, started = source.random(), time.monotonic()
        if choice < TRANSACTIONS:
            self.transact(self.next_keys(source))
        elif choice < TRANSACTIONS + SINGLES:
            self.update(source)
        else:
            self.put_batch(self.next_keys(source))
        self.longest_s = max(self.longest_s, time.monotonic() - started)

    def next_keys(self, source):
        """key → its next version"""
        keys = {f"{self.number}-{self.count + i}": 1 for i in range(BATCH - AGAIN)}
        self.count += len(keys)
        for _ in range(AGAIN):
            key = f"{self.number}-{source.randrange(self.count)}"
            if key in self.versions and key not in self.unknown:
                keys[key] = self.versions[key] + 1
        return keys

    def put_batch(self, keys):
        body = ",".join(f'{{"PutRequest":{put_of(key, version)}}}}}' for key, version in keys.items())
        answer = self.post("BatchWriteItem", f'{{"RequestItems":{{"{TABLE}":[{body}]}}}}')
        assert not answer or not answer["UnprocessedItems"], answer
        self.note("batch", keys, answer is not None)

    def transact(self, keys):
        """A token makes a second try harmless, so few transactions stay unknown."""
        body = ",".join(f'{{"Put":{put_of(key, version)},"TableName":"{TABLE}"}}}}' for key, version in keys.items())
        body = f'{{"ClientRequestToken":"{secrets.token_hex(16)}","TransactItems":[{body}]}}'
        done = any(self.post("TransactWriteItems", body, refusals=["TransactionInProgress", "TransactionConflict"]) is not None for _ in range(TOKEN_TRIES))
        self.note("transaction", keys, done)
        if not done:
            self.together.append(keys)

    def update(self, source):
        key = f"{self.number}-{source.randrange(self.count + 1)}"
        if key not in self.versions or key in self.unknown:
            return
        version = self.versions[key] + 1
        values = {":v": {"N": str(version)}, ":g": {"S": group_of(key, version)}, ":before": {"N": str(version - 1)}}
        request = {"TableName": TABLE, "Key": {"pk": {"S": key}}, "UpdateExpression": "SET v = :v, g = :g", "ConditionExpression": "v = :before",
                   "ExpressionAttributeValues": values}
        self.note("single", {key: version}, self.post("UpdateItem", json.dumps(request)) is not None)

    def note(self, kind, keys, done):
        self.requests[kind] += 1
        if done:
            self.versions.update(keys)
            self.acknowledged += len(keys)
        else:
            self.unknown.update(keys)

    def post(self, operation, body, refusals=()):
        """The answer, None if there is none or it says nothing about what happened. Anything else than these `refusals` is a fault of the server."""
        try:
            self.connection = self.connection or self.gateways.client()
            status, answer = self.connection.post(operation, body.encode())
            if status == 200:
                return answer
            assert status in (500, 503) or any(name in str(answer) for name in refusals), f"{operation}: {answer}"
        except (OSError, ValueError, IndexError, http.client.HTTPException):
            time.sleep(0.1)  # Or a cluster that is down makes thousands of keys unknown.
        if self.connection:
            self.connection.close()
        self.connection = None
        return None


class ManyWrites:
    def __init__(self, gateways, seed, clients=4):
        self.gateways = gateways
        attributes = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")]
        index = {"IndexName": INDEX, "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}],
                 "Projection": {"ProjectionType": "ALL"}}
        status, answer = call_until_done(gateways, "CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST", AttributeDefinitions=attributes,
                                         KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], GlobalSecondaryIndexes=[index],
                                         StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        assert status == 200 or "ResourceInUse" in str(answer), answer
        self.clients = [Client(gateways, number) for number in range(clients)]
        self.workers = [Worker(client.step, f"{seed}-{client.number}") for client in self.clients]

    def acknowledged(self):
        return sum(client.acknowledged for client in self.clients)

    def stop(self):
        for worker in self.workers:
            worker.stop()
        # What is still on its way ends before the table is read.
        time.sleep(3)

    # ---- The verdict

    def ask(self, operation, **body):
        service = {"service": STREAMS} if operation in ("DescribeStream", "GetShardIterator", "GetRecords") else {}
        status, answer = call_until_done(self.gateways, operation, **service, **body)
        assert status == 200, f"{operation}: {answer}"
        return answer

    def read_all(self, **more):
        """key → version"""
        found, place = {}, {}
        while True:
            page = self.ask("Scan", TableName=TABLE, **more, **place)
            for item in page["Items"]:
                key, version = item["pk"]["S"], int(item["v"]["N"])
                assert key not in found, f"{key} is there twice"
                assert item["g"]["S"] == group_of(key, version), f"{item} has the group of another version"
                found[key] = version
            if "LastEvaluatedKey" not in page:
                return found
            place = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def problems(self):
        base, problems = self.read_all(ConsistentRead=True), []
        known = 0
        for client in self.clients:
            for key, version in client.versions.items():
                known += 1
                if base.get(key) not in ((version, client.unknown[key]) if key in client.unknown else (version,)):
                    problems.append(f"{key}: version {version} is acknowledged, {base.get(key)} is there")
            for keys in client.together:
                if len({base.get(key) == version for key, version in keys.items()}) > 1:
                    problems.append(f"a part of a transaction is there: {keys}")
            known += sum(key in base for key in client.unknown if key not in client.versions)
            problems += [f"{key}: version {base[key]} is there, {version} was sent" for key, version in client.unknown.items()
                         if key not in client.versions and base.get(key, version) != version]
        if known != len(base):
            problems.append(f"the table has {len(base)} items, of which {known} were written")
        index = self.read_all(IndexName=INDEX)
        if index != base:
            problems.append(f"the index has {len(index)} items, the table {len(base)}, and they differ in {len(index.items() ^ base.items())}")
        table = self.ask("DescribeTable", TableName=TABLE)["Table"]
        counts = [table["ItemCount"]] + [one["ItemCount"] for one in table["GlobalSecondaryIndexes"]]
        if counts != [len(base)] * 2:
            problems.append(f"the counts of table and index are {counts}, and there are {len(base)} items")
        return problems + self.stream_problems(base, table["LatestStreamArn"])

    def stream_problems(self, base, arn):
        """Shards in the order of the description: parents before children."""
        seen, problems, self.records = {}, [], 0
        shards, place = [], {}
        while True:
            page = self.ask("DescribeStream", StreamArn=arn, **place)["StreamDescription"]
            shards += page["Shards"]
            if not page.get("LastEvaluatedShardId"):
                break
            place = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}
        for shard in shards:
            iterator = self.ask("GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while iterator:
                page = self.ask("GetRecords", ShardIterator=iterator)
                for record in page["Records"]:
                    image = record["dynamodb"]["NewImage"]
                    key, version = image["pk"]["S"], int(image["v"]["N"])
                    self.records += 1
                    if seen.get(key, 0) + 1 != version:
                        problems.append(f"{key}: the stream has version {version} after {seen.get(key, 0)}")
                    seen[key] = version
                iterator = page.get("NextShardIterator") if page["Records"] else None
        if seen != base:
            problems.append(f"the stream ends with other versions than the table, in {len(seen.items() ^ base.items())} places")
        return problems

    def told(self):
        lost = sum(len(client.unknown) for client in self.clients)
        slowest = max(client.longest_s for client in self.clients)
        requests = {kind: sum(client.requests[kind] for client in self.clients) for kind in self.clients[0].requests}
        return json.dumps({"acknowledged": self.acknowledged(), "requests": requests, "unknown": lost, "stream records": self.records,
                           "slowest request s": round(slowest, 1)})
