#!/usr/bin/python3
"""What a real account has beside its limits: states that last, stale reads, latency, injected faults, and metrics that CloudWatch's clients
read. Time stands still unless a test moves it.

The metrics are read by the boto3 of the system and, where BOTO3_NEW names a folder with a newer one, by that one too: the first sends
forms and reads XML, the second sends and reads CBOR.
"""

import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import DynamoClient  # noqa: E402
from server_process import ServerProcess, binary  # noqa: E402

CLIENT = """
import sys, json
for folder in sys.argv[2:]:
    sys.path.insert(0, folder)
import boto3, botocore
client = boto3.client("cloudwatch", endpoint_url=sys.argv[1], region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
calls = json.load(sys.stdin)
answers = []
for name, arguments in calls:
    try:
        answer = getattr(client, name)(**arguments)
        answer.pop("ResponseMetadata")
    except botocore.exceptions.ClientError as error:
        answer = {"Error": error.response["Error"]}
    answers.append(answer)
print(json.dumps(answers, default=lambda value: value.timestamp()))
"""


class AccountCase(unittest.TestCase):
    options = []

    def setUp(self):
        self.server = ServerProcess(options=["--clock", "virtual", *self.options]).start()
        self.addCleanup(self.server.stop)
        self.client = DynamoClient(self.server.endpoint)
        self.addCleanup(self.client.close)

    def http(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def advance(self, seconds):
        self.assertEqual(self.http("POST", "/clock", json.dumps({"advance": seconds}))[0], 200)

    def now(self):
        return json.loads(self.http("GET", "/clock")[1])["now"]

    def create(self, name="Tab", **more):
        body = {"TableName": name, "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
        return self.client.call("CreateTable", **body | more)

    def put(self, key, value="1", **more):
        return self.client.post("PutItem", {"TableName": "Tab", "Item": {"pk": {"S": key}, "v": {"S": value}}} | more)

    def refused(self, operation, **request):
        status, answer = self.client.post(operation, request)
        self.assertEqual(status, 400, answer)
        return answer["__type"].split("#")[1], answer.get("message") or answer.get("Message")


class StatesTest(AccountCase):
    options = ["--states", "aws,creating=5,updating=10,deleting=5,allocating=20,backfilling=40,enabling-ttl=60,creating-backup=5", "--physics", "aws"]

    def status(self):
        return self.client.call("DescribeTable", TableName="Tab")["Table"]

    def test_a_table_from_creating_to_gone(self):
        self.assertEqual(self.create()["TableDescription"]["TableStatus"], "CREATING")
        self.assertEqual(self.status()["TableStatus"], "CREATING")
        self.assertEqual(self.refused("GetItem", TableName="Tab", Key={"pk": {"S": "a"}}), ("ResourceNotFoundException", "Requested resource not found"))
        self.assertEqual(self.refused("DeleteTable", TableName="Tab"),
                         ("ResourceInUseException", "Attempt to change a resource which is still in use: Table is being created: Tab"))
        self.advance(4.9)
        self.assertEqual(self.status()["TableStatus"], "CREATING")
        self.advance(0.1)
        self.assertEqual(self.status()["TableStatus"], "ACTIVE")
        self.assertEqual(self.put("a")[0], 200)
        self.client.call("UpdateTable", TableName="Tab", BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
        self.assertEqual(self.status()["TableStatus"], "UPDATING")
        self.assertEqual(self.put("a")[0], 200)
        self.assertEqual(self.refused("UpdateTable", TableName="Tab", DeletionProtectionEnabled=True)[1],
                         "Attempt to change a resource which is still in use: Table is being updated: Tab")
        self.advance(10)
        self.assertEqual(self.status()["TableStatus"], "ACTIVE")
        self.assertEqual(self.client.call("DeleteTable", TableName="Tab")["TableDescription"]["TableStatus"], "DELETING")
        self.assertEqual(self.status()["TableStatus"], "DELETING")
        self.assertEqual(self.put("a")[0], 400)
        self.assertEqual(self.refused("CreateTable", TableName="Tab", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                                      AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}], BillingMode="PAY_PER_REQUEST")[0],
                         "ResourceInUseException")
        self.advance(5)
        self.assertEqual(self.refused("DescribeTable", TableName="Tab")[0], "ResourceNotFoundException")
        self.create()

    def test_the_old_capacity_holds_while_a_table_is_updating(self):
        self.create(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5})
        self.advance(5)
        self.put("a")
        self.client.call("UpdateTable", TableName="Tab", ProvisionedThroughput={"ReadCapacityUnits": 50, "WriteCapacityUnits": 50})
        for seconds, units in ((9, 5), (1, 50)):
            self.advance(seconds)
            table = next(one for one in json.loads(self.http("GET", "/partitions")[1])["Resources"] if one["Resource"].endswith("Tab"))
            self.assertEqual(table["Write"]["UnitsPerSecond"], units)

    def test_an_index_is_allocated_and_filled(self):
        self.create()
        self.advance(5)
        self.put("a")
        key = [{"AttributeName": "v", "KeyType": "HASH"}]
        self.client.call("UpdateTable", TableName="Tab", AttributeDefinitions=[{"AttributeName": "v", "AttributeType": "S"}], GlobalSecondaryIndexUpdates=[
            {"Create": {"IndexName": "idx", "KeySchema": key, "Projection": {"ProjectionType": "ALL"}}}])
        seen = []
        for _ in range(8):
            table = self.status()
            index = table["GlobalSecondaryIndexes"][0]
            seen.append((table["TableStatus"], index["IndexStatus"], index.get("Backfilling", False)))
            if index["IndexStatus"] == "CREATING":
                self.assertEqual(self.refused("Query", TableName="Tab", IndexName="idx", KeyConditionExpression="v = :v",
                                              ExpressionAttributeValues={":v": {"S": "1"}})[1],
                                 "Cannot read from backfilling global secondary index: idx")
            self.advance(10)
        self.assertEqual(seen[:2], [("UPDATING", "CREATING", False)] * 2)
        self.assertEqual(seen[2:6], [("UPDATING", "CREATING", True)] * 4)
        self.assertEqual(seen[7], ("ACTIVE", "ACTIVE", False))
        answer = self.client.call("Query", TableName="Tab", IndexName="idx", KeyConditionExpression="v = :v", ExpressionAttributeValues={":v": {"S": "1"}})
        self.assertEqual(answer["Count"], 1)

    def test_time_to_live_and_backups(self):
        self.create()
        self.advance(5)
        self.client.call("UpdateTimeToLive", TableName="Tab", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        ttl = lambda: self.client.call("DescribeTimeToLive", TableName="Tab")["TimeToLiveDescription"]["TimeToLiveStatus"]  # noqa: E731
        self.assertEqual(ttl(), "ENABLING")
        self.advance(61)
        self.assertEqual(ttl(), "ENABLED")
        arn = self.client.call("CreateBackup", TableName="Tab", BackupName="bck")["BackupDetails"]["BackupArn"]
        backup = lambda: self.client.call("DescribeBackup", BackupArn=arn)["BackupDescription"]["BackupDetails"]["BackupStatus"]  # noqa: E731
        self.assertEqual(backup(), "CREATING")
        self.assertEqual(self.refused("DeleteBackup", BackupArn=arn)[0], "BackupInUseException")
        self.advance(5)
        self.assertEqual(backup(), "AVAILABLE")


class RestartTest(unittest.TestCase):
    def test_states_end_with_a_restart(self):
        with tempfile.TemporaryDirectory() as folder:
            for attempt in range(2):
                with ServerProcess(folder, options=["--states", "aws,creating=3600,deleting=3600"]) as server:
                    client = DynamoClient(server.endpoint)
                    if attempt == 0:
                        for name in ("Stays", "Goes"):
                            client.call("CreateTable", TableName=name, KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                                        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}], BillingMode="PAY_PER_REQUEST")
                    else:
                        self.assertEqual(client.call("DescribeTable", TableName="Stays")["Table"]["TableStatus"], "ACTIVE")
                        client.call("PutItem", TableName="Stays", Item={"pk": {"S": "a"}})
                    client.close()


class StaleReadsTest(AccountCase):
    options = ["--stale-reads", "aws,mean-ms=1000,max-ms=1000"]

    def get(self, key, consistent):
        answer = self.client.call("GetItem", TableName="Tab", Key={"pk": {"S": key}}, ConsistentRead=consistent)
        return answer.get("Item", {}).get("v", {}).get("S")

    def test_a_third_of_young_reads_is_stale(self):
        self.create()
        for at in range(300):
            self.put(f"k{at}", "old")
        self.advance(2)
        for at in range(300):
            self.put(f"k{at}", "new")
        self.assertEqual({self.get(f"k{at}", True) for at in range(300)}, {"new"})
        stale = sum(self.get(f"k{at}", False) == "old" for at in range(300))
        self.assertTrue(60 < stale < 140, stale)
        self.advance(1)
        self.assertEqual({self.get(f"k{at}", False) for at in range(300)}, {"new"})

    def test_pages_show_one_replica(self):
        """A model of the replicas would need their draws; each page must be some mixture of old and new that keeps the order of keys."""
        self.create(KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                    AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}])

        def item(at, value):
            return {"pk": {"S": "p"}, "sk": {"S": f"{at:03}"}, "v": {"S": value}}
        for at in range(0, 60, 2):
            self.client.call("PutItem", TableName="Tab", Item=item(at, "old"))
        self.advance(2)
        for at in range(0, 60, 3):
            self.client.call("PutItem", TableName="Tab", Item=item(at, "new"))
        for at in range(0, 60, 10):
            self.client.call("DeleteItem", TableName="Tab", Key={"pk": {"S": "p"}, "sk": {"S": f"{at:03}"}})
        draw, pictures = random.Random(1), set()
        for _ in range(60):
            forward, items, start = draw.random() < 0.5, [], {}
            while True:
                page = self.client.call("Query", TableName="Tab", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p"}},
                                        ScanIndexForward=forward, Limit=draw.choice([7, 1000]), **start)
                items += page["Items"]
                if "LastEvaluatedKey" not in page:
                    break
                start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
            keys = [one["sk"]["S"] for one in items]
            self.assertEqual(keys, sorted(set(keys), reverse=not forward))
            for one in items:
                at, value = int(one["sk"]["S"]), one["v"]["S"]
                self.assertIn(value, (["old"] if at % 2 == 0 else []) + (["new"] if at % 3 == 0 else []))
            pictures.add(json.dumps(sorted(map(json.dumps, items))))
        self.assertGreater(len(pictures), 1)
        self.advance(2)
        page = self.client.call("Query", TableName="Tab", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p"}})
        self.assertEqual([(int(one["sk"]["S"]), one["v"]["S"]) for one in page["Items"]],
                         [(at, "new" if at % 3 == 0 else "old") for at in range(60) if (at % 2 == 0 or at % 3 == 0) and at % 10 != 0])


class FaultsTest(AccountCase):
    options = ["--physics", "aws"]

    def rules(self, text, status=200):
        got, answer = self.http("POST", "/faults", text)
        self.assertEqual(got, status, answer)
        return json.loads(answer)

    def test_kinds(self):
        self.create()
        self.rules("fault error of PutItem")
        self.assertEqual(self.put("a")[0], 500)
        self.assertEqual(self.client.call("GetItem", TableName="Tab", Key={"pk": {"S": "a"}}), {})
        self.rules("fault throttle key \"hot\"")
        status, answer = self.put("hot")
        self.assertEqual((status, answer["throttlingReasons"][0]["reason"]), (400, "TableWriteKeyRangeThroughputExceeded"))
        self.assertEqual(self.put("cold")[0], 200)
        self.rules("fault unavailable on Tab")
        self.assertEqual(self.put("a")[0], 503)
        self.rules("// nothing")
        self.assertEqual(self.put("a")[0], 200)

    def test_times_follow_the_clock_of_the_tables(self):
        self.create()
        self.rules("fault error at 10 minutes for 5 minutes")
        for seconds, status in ((0, 200), (599, 200), (1, 500), (299, 500), (1, 200)):
            self.advance(seconds)
            self.assertEqual(self.put("a")[0], status)

    def test_shares_repeat(self):
        self.create()
        runs = []
        for _ in range(2):
            self.rules("fault error 30%")
            runs.append([self.put(f"k{at}")[0] for at in range(200)])
        self.assertEqual(runs[0], runs[1])
        self.assertTrue(40 < runs[0].count(500) < 80)

    def test_connections_are_dropped_and_time_out(self):
        self.create()
        request = json.dumps({"TableName": "Tab", "Item": {"pk": {"S": "a"}}})
        headers = {"X-Amz-Target": "DynamoDB_20120810.PutItem", "Content-Type": "application/x-amz-json-1.0",
                   "Authorization": "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0",
                   "X-Amz-Date": "20260101T000000Z"}
        self.rules("fault region")
        with self.assertRaises((http.client.RemoteDisconnected, ConnectionError)):
            self.http("POST", "/", request, headers)
        self.rules("fault timeout")
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=0.5)
        connection.request("POST", "/", request, headers)
        with self.assertRaises(TimeoutError):
            connection.getresponse()
        connection.close()
        self.rules("")
        self.assertEqual(self.put("a")[0], 200)

    def test_wrong_rules(self):
        for wrong in ("fault", "error", "fault error 200%", "fault error of", "fault error at noon", "fault error x", "fault error -1%", "fault error nan%"):
            self.assertIn("line 1: write fault error", self.rules(wrong, 400)["message"])


class StartTest(unittest.TestCase):
    def test_a_file_with_a_mistake(self):
        with tempfile.NamedTemporaryFile("w", suffix=".faults") as file:
            file.write("fault error\nfault meteor\n")
            file.flush()
            done = subprocess.run([binary(), "serve", "--memory", "--port", "0", "--faults", file.name], capture_output=True, text=True, timeout=30, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("line 2: write fault error", done.stderr)


class ModelTest(AccountCase):
    model = HERE.parents[1] / "examples/scenarios/shop.prejoin"
    options = ["--like-aws", "--latency", "none", "--model", str(model), "--physics", "aws,on-demand-write-units=2,partition-write-units=1"]

    def test_the_tables_of_a_model_are_filled_although_they_are_being_created(self):
        self.assertEqual(self.client.call("DescribeTable", TableName="Shop")["Table"]["TableStatus"], "CREATING")
        self.advance(5)
        self.assertGreater(self.client.call("Scan", TableName="Shop", ConsistentRead=True)["Count"], 0)


class LatencyTest(AccountCase):
    options = ["--like-aws", "--states", "off"]

    def test_answers_take_their_time(self):
        self.create()
        times = []
        for at in range(40):
            began = time.monotonic()
            self.put(f"k{at}")
            times.append(time.monotonic() - began)
        self.assertGreater(min(times), 0.002)
        self.assertGreater(sorted(times)[20], 0.005)


class MetricsTest(AccountCase):
    options = ["--physics", "aws,burst-seconds=1"]

    def clients(self):
        yield []
        if os.environ.get("BOTO3_NEW"):
            yield [os.environ["BOTO3_NEW"]]

    def ask(self, folders, *calls):
        done = subprocess.run([sys.executable, "-c", CLIENT, self.server.endpoint, *folders], input=json.dumps(calls), capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def load(self):
        self.advance(60 - self.now() % 60)
        begin = self.now()
        self.create(BillingMode="PROVISIONED", ProvisionedThroughput={"ReadCapacityUnits": 4, "WriteCapacityUnits": 4})
        for at in range(6):
            self.put(f"k{at}")  # Four pass, two are throttled.
        self.advance(60)
        self.put("k0")
        self.put("k0", ConditionExpression="attribute_not_exists(pk)")
        self.client.call("Scan", TableName="Tab")
        self.assertEqual(self.client.post("GetItem", {"TableName": "Tab", "Key": {"wrong": {"S": "a"}}})[0], 400)
        self.http("POST", "/faults", "fault error of GetItem")
        self.assertEqual(self.client.post("GetItem", {"TableName": "Tab", "Key": {"pk": {"S": "a"}}})[0], 500)
        return begin

    def test_figures_by_every_protocol(self):
        begin = self.load()
        table = [{"Name": "TableName", "Value": "Tab"}]
        put = [{"Name": "Operation", "Value": "PutItem"}, *table]
        get = [{"Name": "Operation", "Value": "GetItem"}, *table]

        def query(at, metric, dimensions, stat="Sum"):
            return {"Id": f"q{at}", "MetricStat": {"Metric": {"Namespace": "AWS/DynamoDB", "MetricName": metric, "Dimensions": dimensions},
                                                   "Period": 60, "Stat": stat}}
        expected = [
            ("ConsumedWriteCapacityUnits", table, "Sum", [4, 2]), ("ConsumedWriteCapacityUnits", table, "SampleCount", [4, 2]),
            ("WriteThrottleEvents", table, "Sum", [2]), ("WriteProvisionedThroughputThrottleEvents", table, "Sum", [2]),
            ("ThrottledRequests", put, "Sum", [2]), ("ConditionalCheckFailedRequests", table, "Sum", [1]),
            ("SuccessfulRequestLatency", put, "SampleCount", [4, 1]), ("ReturnedItemCount", [{"Name": "Operation", "Value": "Scan"}, *table], "Sum", [4]),
            ("UserErrors", [], "Sum", [1]), ("SystemErrors", get, "Sum", [1]), ("FaultInjectionServiceInducedErrors", get, "Sum", [1]),
            ("ProvisionedWriteCapacityUnits", table, "Maximum", None), ("NoSuchMetric", table, "Sum", []),
        ]
        queries = [query(at, metric, dimensions, stat) for at, (metric, dimensions, stat, _) in enumerate(expected)]
        for folders in self.clients():
            data, listed, statistics, wrong = self.ask(
                folders,
                ("get_metric_data", {"MetricDataQueries": queries, "StartTime": begin, "EndTime": begin + 120, "ScanBy": "TimestampAscending"}),
                ("list_metrics", {"Namespace": "AWS/DynamoDB", "Dimensions": [{"Name": "TableName", "Value": "Tab"}]}),
                ("get_metric_statistics", {"Namespace": "AWS/DynamoDB", "MetricName": "ConsumedWriteCapacityUnits", "Dimensions": table,
                                           "StartTime": begin, "EndTime": begin + 120, "Period": 60, "Statistics": ["Sum", "Average"]}),
                ("get_metric_statistics", {"Namespace": "AWS/DynamoDB", "MetricName": "X", "StartTime": begin + 1, "EndTime": begin, "Period": 60,
                                           "Statistics": ["Sum"]}))
            for result, (metric, _, stat, values) in zip(data["MetricDataResults"], expected, strict=True):
                self.assertEqual(result["StatusCode"], "Complete")
                if values is not None:
                    self.assertEqual(result["Values"], values, (folders, metric, stat))
            provisioned = data["MetricDataResults"][11]
            self.assertEqual(set(provisioned["Values"]) - {4}, set())
            self.assertEqual(data["MetricDataResults"][0]["Timestamps"], [begin, begin + 60])
            names = {metric["MetricName"] for metric in listed["Metrics"]}
            self.assertLessEqual({"ConsumedWriteCapacityUnits", "ThrottledRequests", "SuccessfulRequestLatency", "WriteThrottleEvents"}, names)
            self.assertNotIn("UserErrors", names)
            points = sorted(statistics["Datapoints"], key=lambda point: point["Timestamp"])
            self.assertEqual([(point["Sum"], point["Average"], point["Unit"]) for point in points], [(4, 1, "Count"), (2, 1, "Count")])
            self.assertIn("StartTime must be less", wrong["Error"]["Message"])

    def test_the_json_protocol(self):
        self.load()
        status, body = self.http("POST", "/", "{}", {"X-Amz-Target": "GraniteServiceVersion20100801.ListMetrics", "Content-Type": "application/x-amz-json-1.0"})
        self.assertEqual(status, 200)
        self.assertIn({"Name": "TableName", "Value": "Tab"}, json.loads(body)["Metrics"][0]["Dimensions"])

    def test_a_write_that_three_indexes_throttle_is_four_events_and_one_request(self):
        throughput = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
        self.advance(60 - self.now() % 60)
        begin = self.now()
        names = "abc"
        self.create(BillingMode="PROVISIONED", ProvisionedThroughput=throughput,
                    AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", *names)],
                    GlobalSecondaryIndexes=[{"IndexName": f"by-{name}", "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
                                             "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": throughput} for name in names])
        item = {"pk": {"S": "1"}} | {name: {"S": name} for name in names}
        self.client.call("PutItem", TableName="Tab", Item=item)
        status, answer = self.client.post("PutItem", {"TableName": "Tab", "Item": item | {"pk": {"S": "2"}}})
        self.assertEqual((status, len(answer["ThrottlingReasons"])), (400, 4))
        table = {"Name": "TableName", "Value": "Tab"}
        queries = [{"Id": "requests", "MetricStat": {"Metric": {"Namespace": "AWS/DynamoDB", "MetricName": "ThrottledRequests", "Dimensions": [
            table, {"Name": "Operation", "Value": "PutItem"}]}, "Period": 60, "Stat": "Sum"}}]
        for at, dimensions in enumerate([[table]] + [[table, {"Name": "GlobalSecondaryIndexName", "Value": f"by-{name}"}] for name in names]):
            queries.append({"Id": f"e{at}", "MetricStat": {"Metric": {"Namespace": "AWS/DynamoDB", "MetricName": "WriteThrottleEvents",
                                                                      "Dimensions": dimensions}, "Period": 60, "Stat": "Sum"}})
        for folders in self.clients():
            data = self.ask(folders, ("get_metric_data", {"MetricDataQueries": queries, "StartTime": begin, "EndTime": begin + 60}))[0]
            self.assertEqual([result["Values"] for result in data["MetricDataResults"]], [[1], [1], [1], [1], [1]])

    def test_hostile_requests(self):
        cbor = {"Content-Type": "application/cbor", "smithy-protocol": "rpc-v2-cbor"}
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        path = "/service/GraniteServiceVersion20100801/operation/GetMetricData"
        draw = random.Random(7)
        bodies = [b"\x9f" * 5000, b"\xbf" * 5000, b"\xa1", b"\x7f\x7f", b"\xbb" + b"\xff" * 8, b"\x9b" + b"\xff" * 8, b"\xdb" + b"\xff" * 8 + b"\x00",
                  b"\xf9\x7c\x00", b"\xfb\x7f\xf8" + b"\x00" * 6]
        bodies += [bytes(draw.randrange(256) for _ in range(draw.randrange(1, 60))) for _ in range(300)]
        for body in bodies:
            self.assertIn(self.http("POST", path, body, cbor)[0], (200, 400), body)
        version = "Action=GetMetricData&Version=2010-08-01&"
        for text in ("MetricDataQueries.member.99999999999=1", "MetricDataQueries.member.0.Id=a", "a.member=1", "x" + ".a" * 100 + "=1", "%=%&=&&&",
                     "StartTime=nan&EndTime=inf&MetricDataQueries.member.1.MetricStat.Metric.MetricName=x",
                     "StartTime=-1e400&EndTime=9e999&MetricDataQueries.member.1.MetricStat.Period=1e99", "member.1=a&member.1.b=c"):
            status, answer = self.http("POST", "/", version + text, form)
            self.assertEqual(status, 400, text)
            self.assertIn(b"<ErrorResponse", answer)
        status, answer = self.http("POST", "/", urllib.parse.urlencode({"Action": "PutMetricAlarm<", "Version": "2010-08-01"}), form)
        self.assertEqual(status, 400)
        self.assertIn(b"PutMetricAlarm&lt;", answer)


class TakenOnceTest(AccountCase):
    """A request that is too large for the event loop is tried there and run again by a worker; it takes its capacity once."""

    options = ["--physics", "aws"]

    def consumed(self):
        resources = json.loads(self.http("GET", "/partitions")[1])["Resources"]
        table = next(one for one in resources if one["Resource"].endswith("table/Tab"))
        return sum(minute["ConsumedReadCapacityUnits"] for minute in table["Metrics"])

    def test_large_requests(self):
        self.create(KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                    AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "l")],
                    LocalSecondaryIndexes=[{"IndexName": "loc", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}],
                                            "Projection": {"ProjectionType": "KEYS_ONLY"}}])
        keys = [{"pk": {"S": "p"}, "sk": {"S": str(at)}} for at in range(4)]
        for key in keys:
            self.client.call("PutItem", TableName="Tab", Item=key | {"l": key["sk"], "x": {"S": "x" * 300_000}})
            self.advance(10)
        requests = [
            ("TransactGetItems", {"TransactItems": [{"Get": {"TableName": "Tab", "Key": key}} for key in keys]}),
            ("BatchGetItem", {"RequestItems": {"Tab": {"Keys": keys}}}),
            ("Scan", {"TableName": "Tab"}),
            ("Query", {"TableName": "Tab", "IndexName": "loc", "Select": "ALL_ATTRIBUTES", "KeyConditionExpression": "pk = :p",
                       "ExpressionAttributeValues": {":p": {"S": "p"}}}),
        ]
        for operation, request in requests:
            for _ in range(3):
                before = self.consumed()
                capacity = self.client.call(operation, ReturnConsumedCapacity="TOTAL", **request)["ConsumedCapacity"]
                reported = capacity[0]["CapacityUnits"] if isinstance(capacity, list) else capacity["CapacityUnits"]
                self.assertEqual(self.consumed() - before, reported, operation)
                self.advance(10)


if __name__ == "__main__":
    unittest.main()
