"""Clients of all gateways append to a few lists and read them; serializable.py judges what they saw.

Each item is a list. Single requests append with and without a condition, by UpdateItem and by PutItem of the whole list. Transactions append to
some items on conditions on these and on others, with a token, and are sent again with it when their answer is lost. Reads are GetItem and
TransactGetItems.

The table has a stream, and may get a global index on the last value meanwhile. In the end the index has to equal the table, and the stream has to
hold each state of each item once and in its order.
"""

import http.client
import math
import secrets
import threading
import time

from faults import wait_until
from gateway import Worker, call_until_done
from serializable import Act, check, longest_lists

TABLE = "Lists"
INDEX = "ByLast"
STREAMS = "DynamoDBStreams_20120810"
PAUSE_S = 0.01      # Between two requests of a client: the checker needs orders, not load.
TOKEN_TRIES = 4
GO_ON_S_MAX = 180


def values_in(item):
    return [value["S"] for value in item["l"]["L"]]


class Lists:
    def __init__(self, gateways, seed, clients=4, items=6, stream=True, answer=None):
        """`answer(post, operation, body)`, if there is one, stands between the clients and the gateways, to plant faults."""
        self.gateways, self.answer = gateways, answer
        self.items = [f"list-{number}" for number in range(items)]
        self.lock = threading.Lock()
        self.acts, self.number = [], 0
        self.counts = {"done": 0, "refused": 0, "lost": 0, "reads": 0}
        self.longest_pause, self.last_answer = 0.0, time.monotonic()
        self.create(stream)
        self.workers = [Worker(self.step, f"{seed}-{i}") for i in range(clients)]

    # ---- The table

    def ask(self, operation, **body):
        service = {"service": STREAMS} if operation in ("DescribeStream", "GetShardIterator", "GetRecords") else {}
        status, answer = call_until_done(self.gateways, operation, **service, **body)
        assert status == 200, f"{operation}: {answer}"
        return answer

    def change(self, operation, already, **body):
        """Something that a second try, after a lost answer, finds done `already`."""
        status, answer = call_until_done(self.gateways, operation, **body)
        assert status == 200 or any(text in str(answer) for text in already), f"{operation}: {answer}"

    def create(self, stream):
        keys = dict(KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        more = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}} if stream else {}
        self.change("CreateTable", ["ResourceInUse"], TableName=TABLE, BillingMode="PAY_PER_REQUEST", **keys, **more)
        for item in self.items:
            self.ask("PutItem", TableName=TABLE, Item={"pk": {"S": item}, "l": {"L": []}, "n": {"N": "0"}, "z": {"S": "none"}})

    def add_index(self, name=INDEX):
        create = {"IndexName": name, "KeySchema": [{"AttributeName": "z", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
        self.change("UpdateTable", ["already exists", "ResourceInUse"], TableName=TABLE, GlobalSecondaryIndexUpdates=[{"Create": create}],
                    AttributeDefinitions=[{"AttributeName": attribute, "AttributeType": "S"} for attribute in ("pk", "z")])

    # ---- Clients

    def post(self, operation, body):
        """(start, end, status, answer); status 0 and an endless end if no answer came."""
        start = time.monotonic()
        client = None
        try:
            client = self.gateways.client()
            status, answer = self.answer(client.post, operation, body) if self.answer else client.post(operation, body)
            end = time.monotonic()
            with self.lock:
                if status < 500:
                    self.longest_pause = max(self.longest_pause, end - self.last_answer)
                    self.last_answer = end
            return start, end, status, answer
        except (OSError, ValueError, IndexError, http.client.HTTPException) as error:
            time.sleep(0.02)
            return start, math.inf, 0, str(error)
        finally:
            if client:
                client.close()

    def note(self, act):
        act.who = f"client {threading.get_ident() % 1000}"
        with self.lock:
            self.acts.append(act)
            self.counts["reads" if not act.appends else act.state] += 1

    def fresh_value(self):
        with self.lock:
            self.number += 1
            return f"v{self.number}"

    def step(self, source):
        time.sleep(PAUSE_S)
        choice = source.random()
        if choice < 0.3:
            self.read(source.sample(self.items, source.choice([1, 1, 2, 4])))
        elif choice < 0.5:
            self.append(source.choice(self.items))
        elif choice < 0.75:
            item = source.choice(self.items)
            seen = self.read([item])
            if seen is not None:
                self.append_if(item, seen[item], whole=source.random() < 0.3)
        else:
            items = source.sample(self.items, 4)
            seen = self.read(items)
            if seen is not None:
                self.transact(items[:2], {item: seen[item] for item in source.sample(items, 2)})

    def read(self, items):
        """The lists, None if there is no answer."""
        keys = [{"pk": {"S": item}} for item in items]
        if len(items) == 1:
            start, end, status, answer = self.post("GetItem", {"TableName": TABLE, "Key": keys[0], "ConsistentRead": True})
            found = [answer["Item"]] if status == 200 else []
        else:
            body = {"TransactItems": [{"Get": {"TableName": TABLE, "Key": key}} for key in keys]}
            start, end, status, answer = self.post("TransactGetItems", body)
            found = [response["Item"] for response in answer["Responses"]] if status == 200 else []
        if not found:
            return None
        lists = {item["pk"]["S"]: values_in(item) for item in found}
        self.note(Act(start, end, reads=lists))
        return lists

    @staticmethod
    def append_request(item, value):
        return {"TableName": TABLE, "Key": {"pk": {"S": item}}, "UpdateExpression": "SET l = list_append(l, :l), z = :z ADD n :one",
                "ExpressionAttributeValues": {":l": {"L": [{"S": value}]}, ":z": {"S": value}, ":one": {"N": "1"}}}

    @staticmethod
    def add_condition(request, seen):
        request["ConditionExpression"] = "z = :seen"
        request.setdefault("ExpressionAttributeValues", {})[":seen"] = {"S": seen[-1] if seen else "none"}
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"

    def append(self, item):
        value = self.fresh_value()
        start, end, status, answer = self.post("UpdateItem", self.append_request(item, value) | {"ReturnValues": "ALL_NEW"})
        if status == 200:
            after = values_in(answer["Attributes"])
            assert after[-1:] == [value], f"UpdateItem appended {value} and gave back {after[-3:]}"
            self.note(Act(start, end, reads={item: after[:-1]}, appends={item: value}))
        else:
            assert status in (0, 500, 503), f"UpdateItem: {answer}"
            self.note(Act(start, math.inf, "lost", appends={item: value}))

    def append_if(self, item, seen, whole):
        value = self.fresh_value()
        last = seen[-1] if seen else None
        if whole:
            changed = {"pk": {"S": item}, "l": {"L": [{"S": text} for text in [*seen, value]]}, "n": {"N": str(len(seen) + 1)}, "z": {"S": value}}
            request = {"TableName": TABLE, "Item": changed}
        else:
            request = self.append_request(item, value)
        self.add_condition(request, seen)
        start, end, status, answer = self.post("PutItem" if whole else "UpdateItem", request)
        if status == 200:
            self.note(Act(start, end, appends={item: value}, expects={item: last}))
        elif status == 400:
            assert "ConditionalCheckFailed" in str(answer), answer
            self.note(Act(start, end, "refused", reads={item: values_in(answer["Item"])}, appends={item: value}))
        else:
            self.note(Act(start, math.inf, "lost", appends={item: value}, expects={item: last}))

    def transact(self, items, conditions):
        """Appends to the items, on conditions on these or others."""
        values = {item: self.fresh_value() for item in items}
        requests = {item: {"Update": self.append_request(item, value)} for item, value in values.items()}
        for item, seen in conditions.items():
            request = requests.setdefault(item, {"ConditionCheck": {"TableName": TABLE, "Key": {"pk": {"S": item}}}})
            self.add_condition(next(iter(request.values())), seen)
        body = {"TransactItems": list(requests.values()), "ClientRequestToken": secrets.token_hex(16)}
        begun, unknown = None, False
        for _ in range(TOKEN_TRIES):
            start, end, status, answer = self.post("TransactWriteItems", body)
            begun = start if begun is None else begun
            if status == 200:
                # Conditions on items of the transaction; those on others are reads of what was there.
                expects = {item: seen[-1] if seen else None for item, seen in conditions.items() if item in values}
                reads = {item: seen for item, seen in conditions.items() if item not in values}
                self.note(Act(begun, end, reads=reads, appends=values, expects=expects))
                return
            if status == 400 and not unknown and "TransactionInProgress" not in str(answer):
                assert "TransactionCanceled" in str(answer), answer
                self.note(Act(begun, end, "refused", appends=values))
                return
            # What became of an earlier try is not known, whatever is said about this one.
            unknown = True
        self.note(Act(begun, math.inf, "lost", appends=values))

    def go_on(self, writes=10):
        """Returns when this many more writes are done and reads answered, however busy the machine is: the next fault then meets clients at work."""
        before = dict(self.counts)
        wait_until(lambda: all(self.counts[kind] >= before[kind] + writes for kind in ("done", "reads")), "the clients do not get on", GO_ON_S_MAX)

    # ---- The verdict

    def stop(self):
        for worker in self.workers:
            worker.stop()
        self.workers = []
        deadline = time.monotonic() + 60
        while self.read(self.items) is None:
            assert time.monotonic() < deadline, "the lists cannot be read at the end"

    def lists(self):
        return longest_lists(self.acts)[0]

    def wait_for_indexes(self, seconds=60):
        deadline = time.monotonic() + seconds
        while True:
            table = self.ask("DescribeTable", TableName=TABLE)["Table"]
            if table["TableStatus"] == "ACTIVE" and all(index["IndexStatus"] == "ACTIVE" for index in table.get("GlobalSecondaryIndexes", [])):
                return table
            assert time.monotonic() < deadline, f"the table does not become active: {table}"
            time.sleep(0.1)

    def index_problems(self):
        table, problems = self.wait_for_indexes(), []
        base = sorted(self.ask("Scan", TableName=TABLE, ConsistentRead=True)["Items"], key=str)
        if [len(values_in(item)) for item in base] != [int(item["n"]["N"]) for item in base]:
            problems.append(f"the counters differ from the lists: {[(len(values_in(item)), item['n']['N']) for item in base]}")
        for index in table.get("GlobalSecondaryIndexes", []):
            found = sorted(self.ask("Scan", TableName=TABLE, IndexName=index["IndexName"])["Items"], key=str)
            if found != base or not base:
                problems.append(f"index {index['IndexName']} differs from the table: {len(found)} and {len(base)} items")
        if table["ItemCount"] != len(base):
            problems.append(f"the table counts {table['ItemCount']} items, and has {len(base)}")
        return problems

    def stream_of_items(self):
        """item → its lists, as the stream has them, parents before children."""
        arn = self.ask("DescribeTable", TableName=TABLE)["Table"]["LatestStreamArn"]
        states = {}
        for shard in self.ask("DescribeStream", StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = self.ask("GetShardIterator", StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while iterator:
                page = self.ask("GetRecords", ShardIterator=iterator)
                for record in page["Records"]:
                    image = record["dynamodb"].get("NewImage")
                    if image and image["pk"]["S"] in self.items:
                        states.setdefault(image["pk"]["S"], []).append(values_in(image))
                iterator = page.get("NextShardIterator") if page["Records"] else None
        return states

    def stream_problems(self, since_start=True):
        longest, streamed = self.lists(), self.stream_of_items()
        problems = [f"{item}: the stream has nothing" for item in self.items if item not in streamed]
        for item, states in streamed.items():
            values = longest[item]
            # The setup may have put the empty list twice, after a lost answer.
            while states[:2] == [[], []]:
                states = states[1:]
            first = 0 if since_start else len(states[0])
            if states != [values[:count] for count in range(first, len(values) + 1)]:
                problems.append(f"{item}: the stream has the states {[len(state) for state in states]}, the list {len(values)} values")
        return problems

    def verdict(self):
        problems = check(self.acts) + self.index_problems()
        if self.counts["done"] < 20 or self.counts["reads"] < 20:
            problems.append(f"hardly anything happened: {self.counts}")
        return problems
