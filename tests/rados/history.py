"""Clients of all gateways write and read a few items and note what they saw; linearizable.py judges it.

An item "single-N" is written by UpdateItem and read by GetItem. Items "pair-N-a" and "pair-N-b" are always written together, by
TransactWriteItems, and read together, by TransactGetItems: nobody may see two values.

The table has a stream and gets a global index while all this goes on. At the end the index has to equal the table, and the stream has to
hold each change of each item once and in the order that the checker has found.
"""

import http.client
import itertools
import math
import threading
import time

from gateway import Worker, call_until_done
from linearizable import Event, chain_of, check

TABLE = "History"
FIRST = "first"
INDEX = "ByValue"
STREAMS = "DynamoDBStreams_20120810"


class History:
    def __init__(self, gateways, seed, clients=6, singles=3, pairs=2):
        self.gateways = gateways
        self.names = [f"single-{i}" for i in range(singles)] + [f"pair-{i}" for i in range(pairs)]
        self.lock = threading.Lock()
        self.events = {name: [] for name in self.names}
        self.answers = {"done": 0, "refused": 0, "lost": 0}
        self.longest_pause = 0.0
        self.last_answer = time.monotonic()
        self.problems = []
        self.numbers = itertools.count()
        self.indexed = False
        self.create()
        self.workers = [Worker(lambda source: self.step(source), f"{seed}-{i}") for i in range(clients)]

    def create(self):
        keys = dict(KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
        status, answer = call_until_done(self.gateways, "CreateTable", TableName=TABLE, BillingMode="PAY_PER_REQUEST", StreamSpecification=stream, **keys)
        assert status == 200 or "ResourceInUse" in str(answer), answer
        for name in self.names:
            for item in self.items_of(name):
                status, answer = call_until_done(self.gateways, "PutItem", TableName=TABLE, Item={"pk": {"S": item}, "v": {"S": FIRST}})
                assert status == 200, answer

    def add_index(self):
        """Begins to build a global index beside the writes."""
        self.indexed = True
        create = {"IndexName": INDEX, "KeySchema": [{"AttributeName": "v", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
        status, answer = call_until_done(self.gateways, "UpdateTable", TableName=TABLE, GlobalSecondaryIndexUpdates=[{"Create": create}],
                                         AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "v")])
        # A second try after a lost answer finds the first one's index.
        assert status == 200 or "already exists" in str(answer) or "ResourceInUse" in str(answer), answer

    @staticmethod
    def items_of(name):
        return [f"{name}-a", f"{name}-b"] if name.startswith("pair") else [name]

    def stop(self):
        for worker in self.workers:
            worker.stop()
        self.workers = []
        for name in self.names:
            self.read(name, "the end")

    def note(self, name, event):
        with self.lock:
            now = time.monotonic()
            if event.kind != "lost":
                self.longest_pause = max(self.longest_pause, now - self.last_answer)
                self.last_answer = now
            self.events[name].append(event)

    def count(self, what):
        with self.lock:
            self.answers[what] += 1

    def post(self, operation, body):
        """(start, end, status, answer); status 0 and an endless end if no answer came."""
        start = time.monotonic()
        client = None
        try:
            client = self.gateways.client()
            status, answer = client.post(operation, body)
            return start, time.monotonic(), status, answer
        except (OSError, ValueError, http.client.HTTPException) as error:
            time.sleep(0.02)
            return start, math.inf, 0, str(error)
        finally:
            if client:
                client.close()

    def step(self, source):
        name = source.choice(self.names)
        value = self.read(name, f"client {threading.get_ident() % 1000}")
        if value is not None and source.random() < 0.7:
            self.write(name, value, source)

    def read(self, name, who):
        items = [{"pk": {"S": item}} for item in self.items_of(name)]
        if len(items) == 1:
            start, end, status, answer = self.post("GetItem", {"TableName": TABLE, "Key": items[0], "ConsistentRead": True})
            found = [answer["Item"]] if status == 200 else []
        else:
            body = {"TransactItems": [{"Get": {"TableName": TABLE, "Key": key}} for key in items]}
            start, end, status, answer = self.post("TransactGetItems", body)
            found = [response["Item"] for response in answer["Responses"]] if status == 200 else []
        if not found:
            self.count("lost" if status in (0, 500, 503) else "refused")
            return None
        values = {item["v"]["S"] for item in found}
        if len(values) != 1:
            self.problems.append(f"{name}: a transaction was seen in part: {values}")
        self.note(name, Event(start, end, "read", values.pop(), who=who))
        return found[0]["v"]["S"]

    def write(self, name, before, source):
        value = f"{next(self.numbers)}"
        update = {"UpdateExpression": "SET v = :new", "ConditionExpression": "v = :old",
                  "ExpressionAttributeValues": {":new": {"S": value}, ":old": {"S": before}}}
        items = [{"TableName": TABLE, "Key": {"pk": {"S": item}}} | update for item in self.items_of(name)]
        if len(items) == 1:
            start, end, status, answer = self.post("UpdateItem", items[0] | {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
        else:
            # The token makes a retry after a lost answer safe.
            body = {"TransactItems": [{"Update": item} for item in items], "ClientRequestToken": f"{value}-{id(self) % 10**9}"}
            start, end, status, answer = self.post("TransactWriteItems", body)
            if status in (0, 500) and source.random() < 0.5:
                _, end, status, answer = self.post("TransactWriteItems", body)
        if status == 200:
            self.count("done")
            self.note(name, Event(start, end, "write", value, before, who="a writer"))
        elif status == 400 and ("ConditionalCheckFailed" in str(answer) or "TransactionConflict" in str(answer)):
            self.count("refused")
            if "Item" in answer:
                self.note(name, Event(start, end, "read", answer["Item"]["v"]["S"], who="a refused writer"))
        else:
            self.count("lost")
            self.note(name, Event(start, math.inf, "lost", value, before, who="a writer without an answer"))

    def ask(self, operation, **body):
        service = {"service": STREAMS} if operation in ("DescribeStream", "GetShardIterator", "GetRecords") else {}
        status, answer = call_until_done(self.gateways, operation, **service, **body)
        assert status == 200, f"{operation}: {answer}"
        return answer

    def index_problems(self):
        table = self.ask("DescribeTable", TableName=TABLE)["Table"]
        deadline = time.monotonic() + 30
        while any(index["IndexStatus"] != "ACTIVE" for index in table.get("GlobalSecondaryIndexes", [])):
            assert time.monotonic() < deadline, "the index does not become active"
            table = self.ask("DescribeTable", TableName=TABLE)["Table"]
        base = self.ask("Scan", TableName=TABLE, ConsistentRead=True)["Items"]
        found = self.ask("Scan", TableName=TABLE, IndexName=INDEX)["Items"]
        ordered = [sorted((item["pk"]["S"], item["v"]["S"]) for item in items) for items in (base, found)]
        return [] if ordered[0] == ordered[1] and base else [f"the index has {ordered[1]}, the table {ordered[0]}"]

    def stream_of_items(self):
        """The values of each item, as the stream has them."""
        arn = self.ask("DescribeTable", TableName=TABLE)["Table"]["LatestStreamArn"]
        values = {}
        for shard in self.ask("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]:
            place = dict(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
            iterator = self.ask("GetShardIterator", **place)["ShardIterator"]
            while iterator:
                page = self.ask("GetRecords", ShardIterator=iterator)
                for record in page["Records"]:
                    image = record["dynamodb"]["NewImage"]
                    values.setdefault(image["pk"]["S"], []).append(image["v"]["S"])
                iterator = page.get("NextShardIterator") if page["Records"] else None
        return values

    def stream_problems(self):
        streamed, problems = self.stream_of_items(), []
        for name in self.names:
            places, _ = chain_of(FIRST, self.events[name])
            wanted = sorted(places, key=places.get)
            for item in self.items_of(name):
                # The setup may have put the first value twice, after a lost answer.
                found = streamed.get(item, [])
                while found[:2] == [FIRST, FIRST]:
                    found = found[1:]
                if found != wanted:
                    problems.append(f"{item}: the stream has {len(found)} records, the history {len(wanted)} values, and they differ")
        return problems

    def verdict(self):
        """Problems; a history in which nothing happened is one."""
        problems = self.problems + self.stream_problems() + (self.index_problems() if self.indexed else [])
        for name, events in self.events.items():
            problems += [f"{name}: {problem}" for problem in check(FIRST, events)]
        if self.answers["done"] < 20:
            problems.append(f"hardly anything was written: {self.answers}")
        return problems
