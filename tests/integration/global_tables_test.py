#!/usr/bin/python3
"""Global tables through boto3: three regions of one server, which a program reaches by the regions of its clients.

Starts its own server with --separate-regions.
"""

import http.client
import json
import pathlib
import sys
import tempfile
import time
import unittest

import boto3
import botocore.config
import botocore.exceptions

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from server_process import ServerProcess  # noqa: E402

REGIONS = ["us-east-1", "eu-west-1", "ap-northeast-1"]
WAIT_SECONDS = 60


class GlobalTablesCase(unittest.TestCase):
    options = []

    def start(self, data=None):
        self.server = ServerProcess(data, ["--separate-regions", *self.options]).start()
        self.clients = {region: self.connect("dynamodb", region) for region in REGIONS}

    def connect(self, service, region):
        client = boto3.client(service, endpoint_url=self.server.endpoint, region_name=region, aws_access_key_id="test", aws_secret_access_key="test",
                              config=botocore.config.Config(retries={"max_attempts": 0}, connect_timeout=5, read_timeout=20))
        self.addCleanup(client._endpoint.http_session.close)
        return client

    def setUp(self):
        self.start()
        self.addCleanup(lambda: self.server.stop())

    def replication(self, method="GET", body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request(method, "/replication", body and json.dumps(body))
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def pause(self, *regions):
        self.assertEqual(self.replication("POST", {"paused": list(regions)})["paused"], sorted(regions))

    def until(self, what, condition):
        end = time.monotonic() + WAIT_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end, f"waited too long until {what}")
            time.sleep(0.02)

    def await_sent(self):
        self.until("all writes are sent", lambda: self.replication()["waiting"] == 0)

    def describe(self, region):
        return self.clients[region].describe_table(TableName="Music")["Table"]

    def is_active(self, regions):
        for region in regions:
            try:
                table = self.describe(region)
            except botocore.exceptions.ClientError:
                return False
            others = {replica["RegionName"]: replica["ReplicaStatus"] for replica in table.get("Replicas", [])}
            if table["TableStatus"] != "ACTIVE" or others != {other: "ACTIVE" for other in regions if other != region}:
                return False
        return True

    def add_replica(self, source, region):
        return self.clients[source].update_table(TableName="Music", ReplicaUpdates=[{"Create": {"RegionName": region}}])["TableDescription"]

    def create(self, **more):
        self.clients[REGIONS[0]].create_table(
            TableName="Music", BillingMode="PAY_PER_REQUEST", AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], **more)

    def create_everywhere(self):
        self.create()
        for count in (1, 2):
            self.add_replica(REGIONS[0], REGIONS[count])
            self.until("the replica is ACTIVE", lambda: self.is_active(REGIONS[:count + 1]))

    def put(self, region, key, value, **more):
        self.clients[region].put_item(TableName="Music", Item={"pk": {"S": key}, "v": {"S": value}}, **more)

    def get(self, region, key):
        item = self.clients[region].get_item(TableName="Music", Key={"pk": {"S": key}}, ConsistentRead=True).get("Item")
        return item and item["v"]["S"]

    def refused(self, call, **arguments):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            call(**arguments)
        return caught.exception.response["Error"]


class GlobalTablesTest(GlobalTablesCase):
    def test_an_item_is_read_in_another_region(self):
        self.create()
        self.assertNotIn("GlobalTableVersion", self.describe("us-east-1"))
        self.put("us-east-1", "old", "from before")
        described = self.add_replica("us-east-1", "eu-west-1")
        self.assertEqual((described["TableStatus"], described["GlobalTableVersion"], described["Replicas"]), ("UPDATING", "2019.11.21", []))
        self.assertEqual(described["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        self.until("the replica is ACTIVE", lambda: self.is_active(REGIONS[:2]))
        self.assertEqual(self.get("eu-west-1", "old"), "from before")
        self.put("eu-west-1", "new", "from Europe")
        self.until("the item is in us-east-1", lambda: self.get("us-east-1", "new") == "from Europe")
        self.assertEqual(self.describe("eu-west-1")["GlobalTableVersion"], "2019.11.21")
        self.assertIn(":eu-west-1:", self.describe("eu-west-1")["TableArn"])

    def test_the_last_writer_wins_and_conditions_are_local(self):
        self.create_everywhere()
        self.pause(*REGIONS)
        self.put("us-east-1", "a", "first", ConditionExpression="attribute_not_exists(pk)")
        time.sleep(0.01)
        self.put("eu-west-1", "a", "second", ConditionExpression="attribute_not_exists(pk)")
        self.assertEqual(self.get("us-east-1", "a"), "first")
        self.assertIsNone(self.get("ap-northeast-1", "a"))
        self.pause()
        self.await_sent()
        self.assertEqual({self.get(region, "a") for region in REGIONS}, {"second"})
        self.clients["ap-northeast-1"].delete_item(TableName="Music", Key={"pk": {"S": "a"}})
        self.await_sent()
        self.assertEqual({self.get(region, "a") for region in REGIONS}, {None})

    def test_the_stream_of_a_replica_has_the_writes_of_others(self):
        self.create_everywhere()
        self.put("us-east-1", "a", "1")
        self.await_sent()
        streams = self.connect("dynamodbstreams", "ap-northeast-1")
        arn = self.describe("ap-northeast-1")["LatestStreamArn"]
        records = []
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            records += streams.get_records(ShardIterator=iterator)["Records"]
        self.assertEqual([(record["eventName"], record["dynamodb"]["NewImage"]["v"]["S"]) for record in records], [("INSERT", "1")])
        self.assertEqual(records[0]["awsRegion"], "ap-northeast-1")

    def test_what_aws_refuses(self):
        self.create_everywhere()
        update = self.clients["us-east-1"].update_table
        error = self.refused(update, TableName="Music", ReplicaUpdates=[{"Create": {"RegionName": "us-east-1"}}])
        self.assertEqual(error["Code"], "ValidationException")
        self.assertIn("Cannot add or delete the local region", error["Message"])
        for region, text in (("us-fake-1", "Region us-fake-1 is not supported"), ("eu-west-1", "already existed as tables")):
            self.assertIn(text, self.refused(update, TableName="Music", ReplicaUpdates=[{"Create": {"RegionName": region}}])["Message"])
        strong = {"TableName": "Music", "MultiRegionConsistency": "STRONG", "ReplicaUpdates": [{"Create": {"RegionName": "eu-north-1"}}]}
        if "MultiRegionConsistency" in self.clients["us-east-1"].meta.service_model.operation_model("UpdateTable").input_shape.members:
            self.assertIn("STRONG is not supported", self.refused(update, **strong)["Message"])
        self.assertIn("has acted as a source region", self.refused(self.clients["us-east-1"].delete_table, TableName="Music")["Message"])
        self.assertIn("Disabling Stream is not allowed", self.refused(update, TableName="Music", StreamSpecification={"StreamEnabled": False})["Message"])

    def test_replicas_and_then_their_source_are_deleted(self):
        self.create_everywhere()
        scaling = self.clients["eu-west-1"].describe_table_replica_auto_scaling(TableName="Music")["TableAutoScalingDescription"]
        self.assertEqual([replica["RegionName"] for replica in scaling["Replicas"]], sorted(REGIONS))
        for count in (2, 1):
            self.clients["us-east-1"].update_table(TableName="Music", ReplicaUpdates=[{"Delete": {"RegionName": REGIONS[count]}}])
            self.until("the replica is gone", lambda: len(self.describe("us-east-1").get("Replicas", [])) == count - 1)
            self.assertEqual(self.refused(self.clients[REGIONS[count]].describe_table, TableName="Music")["Code"], "ResourceNotFoundException")
        self.assertNotIn("GlobalTableVersion", self.describe("us-east-1"))
        self.assertIn("does not exist", self.refused(self.clients["us-east-1"].describe_table_replica_auto_scaling, TableName="Music")["Message"])
        self.clients["us-east-1"].delete_table(TableName="Music")

    def test_indexes_and_time_to_live_are_passed_on(self):
        self.create_everywhere()
        self.clients["eu-west-1"].update_table(
            TableName="Music", AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "v", "AttributeType": "S"}],
            GlobalSecondaryIndexUpdates=[{"Create": {"IndexName": "byValue", "KeySchema": [{"AttributeName": "v", "KeyType": "HASH"}],
                                                     "Projection": {"ProjectionType": "ALL"}}}])
        self.clients["us-east-1"].update_time_to_live(TableName="Music", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        self.until("the index is everywhere", lambda: all(
            [index["IndexStatus"] for index in self.describe(region).get("GlobalSecondaryIndexes", [])] == ["ACTIVE"] for region in REGIONS))
        for region in REGIONS:
            self.assertEqual(self.clients[region].describe_time_to_live(TableName="Music")["TimeToLiveDescription"]["AttributeName"], "ttl")
        self.put("us-east-1", "a", "x")
        self.until("the index shows the item", lambda: self.clients["ap-northeast-1"].query(
            TableName="Music", IndexName="byValue", KeyConditionExpression="v = :v", ExpressionAttributeValues={":v": {"S": "x"}})["Count"] == 1)
        self.assertEqual(self.describe("us-east-1")["Replicas"][0]["GlobalSecondaryIndexes"][0]["IndexName"], "byValue")


class LagTest(GlobalTablesCase):
    options = ["--replication-lag", "400"]

    def test_a_write_shows_after_the_lag(self):
        self.create_everywhere()
        begin = time.monotonic()
        self.put("us-east-1", "a", "1")
        self.assertIsNone(self.get("eu-west-1", "a"))
        self.until("the item is in eu-west-1", lambda: self.get("eu-west-1", "a") == "1")
        self.assertGreaterEqual(time.monotonic() - begin, 0.39)


class RestartTest(GlobalTablesCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.start(self.folder)
        self.addCleanup(lambda: self.server.stop())

    def test_writes_that_were_not_sent_before_a_crash_are_sent_after_it(self):
        self.create_everywhere()
        self.pause("eu-west-1")
        for number in range(200):
            self.put(REGIONS[number % 3], f"k{number % 20}", str(number))
        self.server.kill()
        self.start(self.folder)
        self.until("all writes are sent", lambda: self.is_active(REGIONS) and self.replication()["waiting"] == 0)
        for key in range(20):
            self.assertEqual({self.get(region, f"k{key}") for region in REGIONS}, {str(180 + key)})


if __name__ == "__main__":
    unittest.main()
