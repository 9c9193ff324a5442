#!/usr/bin/python3
"""`serve --physics aws --clock virtual` over HTTP. The answers are read as plain JSON: SDKs of before August 2025 drop the list of reasons.

Time stands still unless a test moves it, so every run is the same. `Bucket` is a second implementation of the token bucket, in fractions
and with times instead of refills, and is compared with the server on random requests.
"""

import fractions
import http.client
import json
import pathlib
import random
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import DynamoClient, DynamoError  # noqa: E402
from server_process import ServerProcess  # noqa: E402

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/"
TABLE_PROVISIONED = ("The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level "
                     "with the UpdateTable API.")
INDEX_PROVISIONED = ("The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. "
                     "Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API")
TABLE_ON_DEMAND = ("Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so "
                   "please try again shortly. If exceptions persist, check if you have a hot key: "
                   "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html")
INDEX_ON_DEMAND = ("Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your "
                   "index so please try again shortly.")
MAXIMUM = "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
ACCOUNT = ("Throughput exceeds the current throughput limit for your account. To request a limit increase, contact AWS Support at "
           "https://aws.amazon.com/support")


class PhysicsCase(unittest.TestCase):
    physics = "aws"

    def setUp(self):
        self.server = ServerProcess(options=["--physics", self.physics, "--clock", "virtual"]).start()
        self.addCleanup(self.server.stop)
        self.client = DynamoClient(self.server.endpoint)
        self.addCleanup(self.client.close)

    def http(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request(method, path, None if body is None else json.dumps(body))
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text)

    def advance(self, seconds):
        status, _ = self.http("POST", "/clock", {"advance": seconds})
        self.assertEqual(status, 200)

    def create(self, name="T", units=None, index_units=None, maximum=None, index_maximum=None):
        """Provisioned with `units` (read, write), otherwise on demand. The index "i" has the key "s"."""
        def throughput(pair):
            return {"ReadCapacityUnits": pair[0], "WriteCapacityUnits": pair[1]}

        def most(pair):
            return {"MaxReadRequestUnits": pair[0], "MaxWriteRequestUnits": pair[1]}
        index = {"IndexName": "i", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
        body = {"TableName": name, "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "GlobalSecondaryIndexes": [index],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "s", "AttributeType": "S"}]}
        if units:
            body |= {"BillingMode": "PROVISIONED", "ProvisionedThroughput": throughput(units)}
            index["ProvisionedThroughput"] = throughput(index_units or units)
        else:
            body["BillingMode"] = "PAY_PER_REQUEST"
            if maximum:
                body["OnDemandThroughput"] = most(maximum)
            if index_maximum:
                index["OnDemandThroughput"] = most(index_maximum)
        self.client.call("CreateTable", **body)

    def put(self, key, status=None, table="T"):
        item = {"pk": {"S": key}} | ({"s": {"S": status}} if status else {})
        return self.client.post("PutItem", {"TableName": table, "Item": item})

    def get(self, key, table="T"):
        return self.client.post("GetItem", {"TableName": table, "Key": {"pk": {"S": key}}, "ConsistentRead": True})

    def query(self, status, table="T"):
        return self.client.post("Query", {"TableName": table, "IndexName": "i", "KeyConditionExpression": "s = :s",
                                          "ExpressionAttributeValues": {":s": {"S": status}}})

    def throttle(self, call, most=200):
        """The first answer that is not a success."""
        for at in range(most):
            status, answer = call(at)
            if status != 200:
                return status, answer
        self.fail(f"not throttled after {most} requests")

    def check(self, call, exception, text, reason, resource):
        status, answer = self.throttle(call)
        self.assertEqual(status, 400)
        self.assertEqual(answer["__type"].split("#")[1], exception)
        self.assertEqual(answer["message"], text)
        member = "throttlingReasons" if exception == "ThrottlingException" else "ThrottlingReasons"
        self.assertIn({"reason": reason, "resource": ARN + resource}, answer[member])


class ReasonsTest(PhysicsCase):
    """Sixteen reasons: a table or an index, reads or writes, four limits."""

    physics = "aws,burst-seconds=1,partition-read-units=20,partition-write-units=10,on-demand-read-units=80,on-demand-write-units=40"

    def test_provisioned(self):
        self.create(units=(2, 2), index_units=(1, 1))
        self.check(lambda at: self.put(f"k{at}"), "ProvisionedThroughputExceededException", TABLE_PROVISIONED,
                   "TableWriteProvisionedThroughputExceeded", "T")
        self.check(lambda at: self.get(f"k{at}"), "ProvisionedThroughputExceededException", TABLE_PROVISIONED,
                   "TableReadProvisionedThroughputExceeded", "T")
        self.advance(10)
        self.check(lambda at: self.put(f"k{at}", f"s{at}"), "ProvisionedThroughputExceededException", INDEX_PROVISIONED,
                   "IndexWriteProvisionedThroughputExceeded", "T/index/i")
        self.check(lambda at: self.query(f"s{at}"), "ProvisionedThroughputExceededException", INDEX_PROVISIONED,
                   "IndexReadProvisionedThroughputExceeded", "T/index/i")

    def test_hot_partition_of_a_provisioned_table(self):
        self.create(units=(1000, 1000))
        self.check(lambda at: self.put("hot"), "ProvisionedThroughputExceededException", TABLE_PROVISIONED,
                   "TableWriteKeyRangeThroughputExceeded", "T")
        self.check(lambda at: self.put(f"k{at}", "hot"), "ProvisionedThroughputExceededException", INDEX_PROVISIONED,
                   "IndexWriteKeyRangeThroughputExceeded", "T/index/i")

    def test_hot_partition_on_demand(self):
        self.create()
        self.check(lambda at: self.put("hot"), "ThrottlingException", TABLE_ON_DEMAND, "TableWriteKeyRangeThroughputExceeded", "T")
        self.check(lambda at: self.get("hot"), "ThrottlingException", TABLE_ON_DEMAND, "TableReadKeyRangeThroughputExceeded", "T")
        self.advance(10)
        self.check(lambda at: self.put(f"k{at}", "hot"), "ThrottlingException", INDEX_ON_DEMAND,
                   "IndexWriteKeyRangeThroughputExceeded", "T/index/i")
        self.check(lambda at: self.query("hot"), "ThrottlingException", INDEX_ON_DEMAND, "IndexReadKeyRangeThroughputExceeded", "T/index/i")

    def test_maximum_on_demand(self):
        self.create(maximum=(2, 2))
        self.check(lambda at: self.put(f"k{at}"), "ThrottlingException", MAXIMUM, "TableWriteMaxOnDemandThroughputExceeded", "T")
        self.check(lambda at: self.get(f"k{at}"), "ThrottlingException", MAXIMUM, "TableReadMaxOnDemandThroughputExceeded", "T")
        self.create("U", index_maximum=(1, 1))
        self.check(lambda at: self.put(f"k{at}", f"s{at}", "U"), "ThrottlingException", MAXIMUM,
                   "IndexWriteMaxOnDemandThroughputExceeded", "U/index/i")
        self.check(lambda at: self.query(f"s{at}", "U"), "ThrottlingException", MAXIMUM, "IndexReadMaxOnDemandThroughputExceeded", "U/index/i")


class AccountTest(PhysicsCase):
    physics = "aws,table-read-quota=2,table-write-quota=4"

    def test_reasons(self):
        self.create()
        self.check(lambda at: self.query(f"s{at}"), "ThrottlingException", ACCOUNT, "IndexReadAccountLimitExceeded", "T/index/i")
        self.check(lambda at: self.put(f"k{at}", f"s{at}"), "RequestLimitExceeded", ACCOUNT, "IndexWriteAccountLimitExceeded", "T/index/i")
        self.check(lambda at: self.put(f"k{at}"), "RequestLimitExceeded", ACCOUNT, "TableWriteAccountLimitExceeded", "T")
        self.check(lambda at: self.get(f"k{at}"), "RequestLimitExceeded", ACCOUNT, "TableReadAccountLimitExceeded", "T")


class MembersTest(PhysicsCase):
    physics = "aws,burst-seconds=1"

    def test_batches(self):
        self.create(units=(4, 4))
        puts = [{"PutRequest": {"Item": {"pk": {"S": f"k{at}"}}}} for at in range(8)]
        answer = self.client.call("BatchWriteItem", RequestItems={"T": puts})
        self.assertEqual(answer["UnprocessedItems"], {"T": puts[4:]})
        with self.assertRaises(DynamoError) as caught:
            self.client.call("BatchWriteItem", RequestItems={"T": puts})
        self.assertEqual(caught.exception.name, "ProvisionedThroughputExceededException")
        keys = [{"pk": {"S": f"k{at}"}} for at in range(8)]
        answer = self.client.call("BatchGetItem", RequestItems={"T": {"Keys": keys, "ConsistentRead": True}})
        self.assertEqual(answer["UnprocessedKeys"], {"T": {"Keys": keys[4:], "ConsistentRead": True}})
        status, answer = self.client.post("BatchGetItem", {"RequestItems": {"T": {"Keys": keys, "ConsistentRead": True}}})
        self.assertEqual((status, answer["ThrottlingReasons"][0]["reason"]), (400, "TableReadProvisionedThroughputExceeded"))

    def test_transactions(self):
        self.create("P", units=(2, 2))
        self.create("D", maximum=(2, 2))
        for table, code, text in (("P", "ProvisionedThroughputExceeded", TABLE_PROVISIONED), ("D", "ThrottlingError", MAXIMUM)):
            writes = [{"Put": {"TableName": table, "Item": {"pk": {"S": key}}}} for key in "ab"]
            status, answer = self.client.post("TransactWriteItems", {"TransactItems": writes})
            self.assertEqual((status, answer["__type"].split("#")[1]), (400, "TransactionCanceledException"))
            self.assertEqual(answer["CancellationReasons"], [{"Code": "None"}, {"Code": code, "Message": text}])
            self.assertEqual(answer["Message"],
                             f"Transaction cancelled, please refer cancellation reasons for specific reasons [None, {code}]")
            gets = [{"Get": {"TableName": table, "Key": {"pk": {"S": key}}}} for key in "ab"]
            status, answer = self.client.post("TransactGetItems", {"TransactItems": gets})
            self.assertEqual([reason["Code"] for reason in answer["CancellationReasons"]], ["None", code])

    def test_statements(self):
        self.create("P", units=(1, 1))
        statements = [{"Statement": f"INSERT INTO \"P\" VALUE {{'pk': '{key}'}}"} for key in "ab"]
        answer = self.client.call("BatchExecuteStatement", Statements=statements)
        self.assertEqual(answer["Responses"], [
            {"TableName": "P"}, {"Error": {"Code": "ProvisionedThroughputExceeded", "Message": TABLE_PROVISIONED}, "TableName": "P"}])
        status, answer = self.client.post("ExecuteStatement", {"Statement": "SELECT * FROM \"P\" WHERE pk = 'a'", "ConsistentRead": True})
        self.assertEqual(status, 200)
        status, answer = self.client.post("ExecuteStatement", {"Statement": "SELECT * FROM \"P\" WHERE pk = 'a'", "ConsistentRead": True})
        self.assertEqual((status, answer["ThrottlingReasons"][0]["reason"]), (400, "TableReadProvisionedThroughputExceeded"))


class ClockTest(PhysicsCase):
    def test_moves_and_refuses(self):
        status, before = self.http("GET", "/clock")
        self.assertEqual((status, before["rate"]), (200, 0.0))
        self.assertEqual(self.http("POST", "/clock", {"advance": 86_400})[1]["now"], before["now"] + 86_400)
        self.assertEqual(self.http("POST", "/clock", {"set": 1_800_000_000.25})[1]["now"], 1_800_000_000.25)
        for wrong in ({}, {"advance": -1}, {"advance": "1"}, {"set": 1e300}, {"advance": 1, "rate": 1}, {"rate": None}, [1], 1):
            status, answer = self.http("POST", "/clock", wrong)
            self.assertEqual(status, 400, wrong)
            self.assertIn("advance", answer["message"])
        self.assertEqual(self.http("GET", "/clock")[1]["now"], 1_800_000_000.25)

    def test_moves_what_is_due(self):
        self.create()
        self.client.call("UpdateTimeToLive", TableName="T", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        now = int(self.http("GET", "/clock")[1]["now"])
        self.client.call("PutItem", TableName="T", Item={"pk": {"S": "a"}, "ttl": {"N": str(now + 3600)}})
        self.advance(3500)
        self.assertIn("Item", self.get("a")[1])
        self.advance(200)
        self.assertNotIn("Item", self.get("a")[1])

    def test_is_closed_where_signatures_are_verified(self):
        with ServerProcess(options=["--clock", "virtual", "--auth", "required", "--credentials", str(HERE.parent / "rig/credentials")]) as server:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            for method in ("GET", "POST"):
                connection.request(method, "/clock", json.dumps({"advance": 1}))
                answer = connection.getresponse()
                answer.read()
                self.assertIn(answer.status, (400, 403))
            connection.close()


class PartitionsTest(PhysicsCase):
    physics = "aws,partition-write-units=10,on-demand-write-units=10,on-demand-read-units=100,split-minutes=1"

    def test_shows_splits_and_metrics(self):
        self.create()
        self.advance(60 - self.http("GET", "/clock")[1]["now"] % 60)
        for minute in range(3):
            for second in range(60):
                for at in range(12):
                    self.put(f"k{(minute * 7919 + second * 104729 + at * 31) % 997}")
                self.advance(1)
        status, answer = self.http("GET", "/partitions")
        self.assertEqual(status, 200)
        self.assertEqual(answer["Parameters"]["split-minutes"], {"Value": 1, "DocumentedByAws": False})
        table = next(one for one in answer["Resources"] if one["Resource"] == ARN + "T")
        self.assertEqual([one["Cause"] for one in table["Partitions"]][:2], ["initial", "heat"])
        self.assertEqual(len(table["Metrics"]), 3)
        first = table["Metrics"][0]
        self.assertEqual(first["ConsumedWriteCapacityUnits"], 610)
        self.assertEqual(first["WriteThrottleEvents"], 720 - 610)
        self.assertEqual(first["WriteKeyRangeThroughputThrottleEvents"], 720 - 610)


class Bucket:
    """Full at the start. The balance at a time follows from the last one that is known."""

    def __init__(self, rate, seconds):
        self.rate, self.most = fractions.Fraction(rate), fractions.Fraction(rate) * seconds
        self.known, self.at = self.most, fractions.Fraction(0)

    def balance(self, now):
        return min(self.most, self.known + (now - self.at) * self.rate)

    def spend(self, now, units):
        self.known, self.at = self.balance(now) - units, now


class OracleTest(PhysicsCase):
    physics = "aws,partition-read-units=40,partition-write-units=20,burst-seconds=7"

    def test_random_requests(self):
        """One partition, a table and an index with rates of their own: every answer is foreseen."""
        for seed in range(3):
            draw = random.Random(seed)
            name = f"R{seed}"
            rates = {"table": (draw.randint(1, 9), draw.randint(1, 9)), "index": (draw.randint(1, 9), draw.randint(1, 9))}
            self.create(name, units=rates["table"], index_units=rates["index"])
            buckets = {(place, side): Bucket(rates[place][side], 7) for place in rates for side in (0, 1)}
            ceilings = {(place, side): Bucket((40, 20)[side], 1) for place in rates for side in (0, 1)}
            items, now = {}, fractions.Fraction(0)
            for at in range(700):
                if draw.random() < 0.3:
                    step = draw.choice([1, 7, 50, 400, 2500])
                    self.advance(step / 1000)
                    now += fractions.Fraction(step, 1000)
                key = f"k{draw.randint(0, 5)}"
                if draw.random() < 0.6:
                    size, status = draw.randint(1, 4000), draw.choice([None, "a", "b"])
                    costs = self.costs_of_put(items, key, size, status)
                    body = {"pk": {"S": key}, "x": {"S": "x" * size}} | ({"s": {"S": status}} if status else {})
                    answer = self.client.post("PutItem", {"TableName": name, "Item": body})
                    if self.foresee(buckets, ceilings, costs, now, answer, (seed, at)):
                        items[key] = (size, status)
                else:
                    size = self.item_bytes(*items[key]) if key in items else 0
                    units = max(1, -(-size // 4096))
                    self.foresee(buckets, ceilings, [("table", 0, units)], now, self.get(key, name), (seed, at))

    @staticmethod
    def item_bytes(size, status):
        return 2 + 2 + 1 + size + (2 if status else 0)  # Names and values: pk, x and s.

    def costs_of_put(self, items, key, size, status):
        def units(one):
            return -(-self.item_bytes(*one) // 1024)
        new, old = (size, status), items.get(key)
        costs = [("table", 1, max(units(one) for one in (new, old) if one))]
        if old and old[1] and status and old[1] == status:
            if old != new:
                costs.append(("index", 1, max(units(old), units(new))))
        else:
            moved = [one for one in (old, new) if one and one[1]]
            if len(moved) == 2:
                # The entry is deleted in one place and written in another, half of the cost each.
                whole = units(old) + units(new)
                costs += [("index", 1, fractions.Fraction(whole, 2)), ("index", 1, fractions.Fraction(whole, 2))]
            elif moved:
                costs.append(("index", 1, units(moved[0])))
        return costs

    def foresee(self, buckets, ceilings, costs, now, answer, where):
        """Whether the request passes; the server's answer says the same."""
        reasons, spent = [], []
        for place, side, units in costs:
            word = place.capitalize() + ("Read", "Write")[side]
            ending = None
            if buckets[place, side].balance(now) <= 0:
                ending = "ProvisionedThroughputExceeded"
            elif ceilings[place, side].balance(now) <= 0:
                ending = "KeyRangeThroughputExceeded"
            if ending:
                if word + ending not in reasons:
                    reasons.append(word + ending)
                if place == "index":
                    break
            else:
                for bucket in (buckets[place, side], ceilings[place, side]):
                    spent.append((bucket, bucket.known, bucket.at))
                    bucket.spend(now, units)
        if reasons:
            for bucket, known, at in reversed(spent):
                bucket.known, bucket.at = known, at
        status, body = answer
        got = [] if status == 200 else [reason["reason"] for reason in body["ThrottlingReasons"]]
        self.assertEqual(got, reasons, where)
        return not reasons


if __name__ == "__main__":
    unittest.main()
