#!/usr/bin/python3
"""What AWS's own pages tell of throttling, worked out by hand and compared with `serve --physics aws` over HTTP, and what only shows while
others use the same items and streams: transactions that conflict, and shards with too many readers. Time stands still unless a test moves it.
"""

import http.client
import json
import pathlib
import sys
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import DynamoClient  # noqa: E402
from server_process import ServerProcess  # noqa: E402

CONFLICT = "Transaction is ongoing for the item"


def name_of(answer):
    return answer["__type"].split("#")[1]


class StoryCase(unittest.TestCase):
    options = ["--physics", "aws", "--clock", "virtual"]

    def setUp(self):
        self.server = ServerProcess(options=self.options).start()
        self.addCleanup(self.server.stop)
        self.client = self.connect()

    def connect(self):
        client = DynamoClient(self.server.endpoint)
        self.addCleanup(client.close)
        return client

    def move_clock(self, **how):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request("POST", "/clock", json.dumps(how))
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()

    def advance(self, seconds):
        self.move_clock(advance=seconds)

    def set_clock(self, seconds):
        self.move_clock(set=seconds)

    def create(self, keys, index=None, units=None, index_units=None, **more):
        """`keys` and `index`: names of the partition key and, if there is one, of the sort key."""
        def schema(names):
            return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]

        def throughput(pair):
            return {"ProvisionedThroughput": {"ReadCapacityUnits": pair[0], "WriteCapacityUnits": pair[1]}} if pair else {}
        body = {"TableName": "Tab", "KeySchema": schema(keys), "BillingMode": "PROVISIONED" if units else "PAY_PER_REQUEST", **throughput(units), **more,
                "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in sorted({*keys, *(index or ())})]}
        if index:
            body["GlobalSecondaryIndexes"] = [{"IndexName": "Idx", "KeySchema": schema(index), "Projection": {"ProjectionType": "KEYS_ONLY"},
                                               **throughput(index_units)}]
        return self.client.call("CreateTable", **body)

    def put(self, client=None, **attributes):
        item = {name: {"S": value} for name, value in attributes.items()}
        return (client or self.client).post("PutItem", {"TableName": "Tab", "Item": item})

    def admitted(self, calls):
        """(how many of the calls succeeded, the reasons of the others)"""
        count, reasons = 0, set()
        for status, answer in calls:
            count += status == 200
            if status != 200:
                member = "throttlingReasons" if name_of(answer) == "ThrottlingException" else "ThrottlingReasons"
                reasons |= {(reason["reason"], reason["resource"].split(":table/")[1]) for reason in answer[member]}
        return count, reasons


class StoriesTest(StoryCase):
    def test_an_item_of_20_kb_is_read_600_times_a_second(self):
        """Developer Guide, best practices for partition keys: 5 units each, 3,000 of a partition."""
        self.create(["pk"])
        self.put(pk="k", text="x" * 20_000)
        self.advance(10)
        get = {"TableName": "Tab", "Key": {"pk": {"S": "k"}}, "ConsistentRead": True}
        count, reasons = self.admitted(self.client.post("GetItem", get) for _ in range(700))
        self.assertEqual((count, reasons), (600, {("TableReadKeyRangeThroughputExceeded", "Tab")}))

    def test_a_table_of_1000_writes_with_an_index_of_one(self):
        """Workshop "Advanced Design Patterns", exercise 1: the load is throttled by the index. It has saved 300 writes, and gets one a second."""
        self.create(["PK"], ["GSI_1_PK"], (1000, 1000), (1, 1))
        number = iter(range(100_000))

        def burst(count):
            return self.admitted(self.put(PK=f"request#{next(number)}", GSI_1_PK=f"host#{at % 9}") for at in range(count))
        reason = ("IndexWriteProvisionedThroughputExceeded", "Tab/index/Idx")
        self.assertEqual(burst(400), (300, {reason}))
        for _ in range(5):
            self.advance(1)
            self.assertEqual(burst(10), (1, {reason}))
        # What does not write the index has all of the table.
        self.assertEqual(self.admitted(self.put(PK=f"p{at}") for at in range(100)), (100, set()))
        # The workshop's remedy.
        self.client.call("UpdateTable", TableName="Tab", GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "Idx", "ProvisionedThroughput": {
            "ReadCapacityUnits": 1000, "WriteCapacityUnits": 1000}}}])
        self.advance(1)
        self.assertEqual(burst(500), (500, set()))

    def test_an_index_by_status_with_three_values(self):
        """Developer Guide, back pressure: customers are spread, "active", "pending" and "closed" are not. 1,000 writes a second each."""
        self.create(["customerId"], ["status"], WarmThroughput={"ReadUnitsPerSecond": 40_000, "WriteUnitsPerSecond": 40_000})
        statuses = ["active"] * 8 + ["pending", "closed"]
        for second in range(2):
            count, reasons = self.admitted(self.put(customerId=f"c{second}-{at}", status=statuses[at % 10]) for at in range(2_000))
            # 1,600 ask for "active"; the others have room.
            self.assertEqual((count, reasons), (1_000 + 400, {("IndexWriteKeyRangeThroughputExceeded", "Tab/index/Idx")}))
            self.advance(1)

    def test_warm_throughput_does_not_help_one_key(self):
        """Developer Guide, warm throughput in different scenarios: 30,000 and 10,000 units, and traffic to a small part of the partitions."""
        self.create(["pk"], WarmThroughput={"ReadUnitsPerSecond": 30_000, "WriteUnitsPerSecond": 10_000})
        count, reasons = self.admitted(self.put(pk="same") for _ in range(1_200))
        self.assertEqual((count, reasons), (1_000, {("TableWriteKeyRangeThroughputExceeded", "Tab")}))
        self.assertEqual(self.admitted(self.put(pk=f"other{at}") for at in range(1_500))[1] - reasons, set())


class StreamLimitsTest(StoryCase):
    def test_three_readers_of_a_shard_are_one_too_many(self):
        created = self.create(["pk"], StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        arn = created["TableDescription"]["LatestStreamArn"]

        def ask(operation, **body):
            return self.client.post(operation, body, "DynamoDBStreams_20120810")
        status, described = ask("DescribeStream", StreamArn=arn)
        self.assertEqual(status, 200)
        shards = [shard["ShardId"] for shard in described["StreamDescription"]["Shards"]]
        iterators = [ask("GetShardIterator", StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")[1]["ShardIterator"] for shard in shards[:2]]
        answers = [ask("GetRecords", ShardIterator=iterators[0]) for _ in range(12)]
        self.assertEqual([status for status, _ in answers], [200] * 10 + [400] * 2)
        self.assertEqual(name_of(answers[-1][1]), "LimitExceededException")
        self.assertEqual(ask("GetRecords", ShardIterator=iterators[1])[0], 200)
        self.advance(0.1)
        self.assertEqual([ask("GetRecords", ShardIterator=iterators[0])[0] for _ in range(2)], [200, 400])

        self.advance(1)
        answers = [ask("DescribeStream", StreamArn=arn) for _ in range(11)]
        self.assertEqual([status for status, _ in answers], [200] * 10 + [400])
        self.assertEqual(name_of(answers[-1][1]), "ThrottlingException")


class InsightsTest(StoryCase):
    options = ["--physics", "aws,burst-seconds=1", "--clock", "virtual"]

    def ask(self, rule, **more):
        """(status, answer) by CloudWatch's JSON protocol."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        body = {"RuleName": rule, "StartTime": 0, "EndTime": 4_000_000_000, "Period": 60, **more}
        connection.request("POST", "/", json.dumps(body), {"X-Amz-Target": "GraniteServiceVersion20100801.GetInsightRuleReport",
                                                           "Content-Type": "application/x-amz-json-1.0"})
        answer = connection.getresponse()
        status, text = answer.status, json.loads(answer.read())
        connection.close()
        return status, text

    def report(self, rule, **more):
        """[(keys, value)…]"""
        status, text = self.ask(rule, **more)
        return text if status != 200 else [(one["Keys"], one["ApproximateAggregateValue"]) for one in text["Contributors"]]

    def rules(self):
        rules = self.client.call("DescribeContributorInsights", TableName="Tab")["ContributorInsightsRuleList"]
        return {rule.split("-")[1]: rule for rule in rules}

    def test_four_rules(self):
        """A write unit counts three times a read unit; what was throttled counts as such and consumes nothing."""
        self.create(["pk", "sk"], units=(10, 5))
        self.client.call("UpdateContributorInsights", TableName="Tab", ContributorInsightsAction="ENABLE")
        puts = [self.put(pk=pk, sk=sk)[0] for pk, sk in ("a1", "a1", "b1", "a1", "a1", "a2", "a2", "a2")]
        self.assertEqual(puts, [200] * 5 + [400] * 3)
        for _ in range(2):
            self.client.call("GetItem", TableName="Tab", Key={"pk": {"S": "a"}, "sk": {"S": "1"}}, ConsistentRead=True)
        rules = self.rules()
        reports = {kind: self.report(rule) for kind, rule in rules.items()}
        self.assertEqual(reports, {"PKC": [(["a"], 14), (["b"], 3)], "SKC": [(["a", "1"], 14), (["b", "1"], 3)],
                                   "PKT": [(["a"], 3)], "SKT": [(["a", "2"], 3)]})
        self.assertEqual(self.report(rules["PKC"], MaxContributorCount=1), [(["a"], 14)])
        self.assertIn("DescribeContributorInsights lists", self.report("DynamoDBContributorInsights-PKC-None-1")["message"])

    def test_by_the_minute(self):
        """A point for each minute in which a key was used, on the clock of the tables."""
        self.create(["pk"], units=(10, 5))
        self.client.call("UpdateContributorInsights", TableName="Tab", ContributorInsightsAction="ENABLE")
        self.set_clock(1_800_000_000)
        for key in "aab":
            self.put(pk=key)
        self.advance(150)
        self.put(pk="b")
        rule = self.rules()["PKC"]
        status, answer = self.ask(rule, Metrics=["UniqueContributors", "MaxContributorValue", "SampleCount", "Sum", "Average"])
        self.assertEqual(status, 200, answer)
        first, last = 1_800_000_000, 1_800_000_120
        self.assertEqual([(one["Keys"], [(point["Timestamp"], point["ApproximateValue"]) for point in one["Datapoints"]])
                          for one in answer["Contributors"]], [(["a"], [(first, 6)]), (["b"], [(first, 3), (last, 3)])])
        self.assertEqual(answer["MetricDatapoints"], [
            {"Timestamp": first, "UniqueContributors": 2, "MaxContributorValue": 6, "SampleCount": 3, "Sum": 9, "Average": 3},
            {"Timestamp": last, "UniqueContributors": 1, "MaxContributorValue": 3, "SampleCount": 1, "Sum": 3, "Average": 3}])
        self.assertEqual(answer["AggregateValue"], 12)
        # Of five minutes, one point; of the last minute, one key.
        [a, b] = self.ask(rule, Period=300)[1]["Contributors"]
        self.assertEqual((len(a["Datapoints"]), [point["ApproximateValue"] for point in b["Datapoints"]]), (1, [6]))
        self.assertEqual(self.report(rule, StartTime=last), [(["b"], 3)])
        for wrong in ({"Metrics": ["P99"]}, {"Period": 0}, {"Period": 1e300}, {"StartTime": 5, "EndTime": 5}, {"MaxContributorCount": -1}):
            self.assertEqual(self.ask(rule, **wrong)[0], 400, wrong)

    def test_a_throttled_page_consumes_nothing(self):
        self.create(["pk", "sk"], units=(2, 5))
        self.client.call("UpdateContributorInsights", TableName="Tab", ContributorInsightsAction="ENABLE")
        self.put(pk="a", sk="1")
        query = {"TableName": "Tab", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}, "ConsistentRead": True}
        self.assertEqual([self.client.post("Query", query)[0] for _ in range(3)], [200, 200, 400])
        rules = self.rules()
        self.assertEqual((self.report(rules["PKC"]), self.report(rules["PKT"])), ([(["a"], 5)], [(["a"], 1)]))


class ConflictTest(StoryCase):
    """A transaction that runs for a minute, so that nothing depends on how fast the test is."""

    options = ["--physics", "aws", "--latency", "aws,conflict-ms=60000"]

    def setUp(self):
        super().setUp()
        self.create(["pk"])
        body = {"TransactItems": [{"Put": {"TableName": "Tab", "Item": {"pk": {"S": "a"}}}},
                                  {"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "b"}}, "ConditionExpression": "attribute_not_exists(pk)"}}]}
        # Nobody waits for this answer: it comes after a minute.
        running = self.connect()
        threading.Thread(target=lambda: self.ignore(running, body), daemon=True).start()
        deadline = time.monotonic() + 30
        while "Item" not in self.client.call("GetItem", TableName="Tab", Key={"pk": {"S": "a"}}, ConsistentRead=True):
            self.assertLess(time.monotonic(), deadline)

    @staticmethod
    def ignore(client, body):
        try:
            client.post("TransactWriteItems", body)
        except (OSError, http.client.HTTPException):
            pass  # The server was stopped meanwhile.

    def test_what_conflicts(self):
        for operation, more in (("PutItem", {"Item": {"pk": {"S": "a"}}}), ("DeleteItem", {"Key": {"pk": {"S": "b"}}}),
                                ("UpdateItem", {"Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = :x", "ExpressionAttributeValues": {":x": {"S": "1"}}})):
            status, answer = self.client.post(operation, {"TableName": "Tab", **more})
            self.assertEqual((status, name_of(answer), answer["message"]), (400, "TransactionConflictException", CONFLICT), operation)
        status, answer = self.client.post("ExecuteStatement", {"Statement": "DELETE FROM \"Tab\" WHERE pk = 'a'"})
        self.assertEqual((status, name_of(answer)), (400, "TransactionConflictException"))
        reasons = [{"Code": "None"}, {"Code": "TransactionConflict", "Message": CONFLICT}]
        gets = [{"Get": {"TableName": "Tab", "Key": {"pk": {"S": key}}}} for key in "ca"]
        status, answer = self.client.post("TransactGetItems", {"TransactItems": gets})
        self.assertEqual((status, answer["CancellationReasons"]), (400, reasons))
        puts = [{"Put": {"TableName": "Tab", "Item": {"pk": {"S": key}}}} for key in "ca"]
        status, answer = self.client.post("TransactWriteItems", {"TransactItems": puts})
        self.assertEqual((status, name_of(answer), answer["CancellationReasons"]), (400, "TransactionCanceledException", reasons))
        # Members of a batch are writes of their own.
        requests = [{"PutRequest": {"Item": {"pk": {"S": key}}}} for key in "dab"]
        answer = self.client.call("BatchWriteItem", RequestItems={"Tab": requests})
        self.assertEqual(answer["UnprocessedItems"], {"Tab": requests[1:]})
        answer = self.client.call("BatchWriteItem", RequestItems={"Tab": requests[1:]})
        self.assertEqual(answer["UnprocessedItems"], {"Tab": requests[1:]})
        answer = self.client.call("BatchExecuteStatement", Statements=[{"Statement": "DELETE FROM \"Tab\" WHERE pk = 'b'"}])
        self.assertEqual(answer["Responses"][0]["Error"], {"Code": "TransactionConflict", "Message": CONFLICT})

    def test_what_does_not(self):
        self.assertEqual(self.put(pk="c")[0], 200)
        self.assertIn("Item", self.client.call("GetItem", TableName="Tab", Key={"pk": {"S": "a"}}))
        self.assertEqual(self.client.call("Query", TableName="Tab", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "a"}})["Count"], 1)
        self.assertEqual(len(self.client.call("BatchGetItem", RequestItems={"Tab": {"Keys": [{"pk": {"S": "a"}}]}})["Responses"]["Tab"]), 1)
        # Refused writes have changed nothing.
        self.put(pk="b")
        self.assertNotIn("Item", self.client.call("GetItem", TableName="Tab", Key={"pk": {"S": "b"}}))


if __name__ == "__main__":
    unittest.main()
