#!/usr/bin/python3
"""Application Auto Scaling on the port of the tables: by hand over HTTP, and by boto3's client. Time stands still unless a test moves it."""

import http.client
import json
import pathlib
import sys
import tempfile
import unittest

import boto3
import botocore.config

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import DynamoClient  # noqa: E402
from server_process import ServerProcess  # noqa: E402

WRITES = {"ServiceNamespace": "dynamodb", "ResourceId": "table/Tab", "ScalableDimension": "dynamodb:table:WriteCapacityUnits"}
READS = {**WRITES, "ScalableDimension": "dynamodb:table:ReadCapacityUnits"}
INDEX_READS = {"ServiceNamespace": "dynamodb", "ResourceId": "table/Tab/index/Idx", "ScalableDimension": "dynamodb:index:ReadCapacityUnits"}


def tracking(kind, percent, **more):
    return {"PolicyName": f"{kind}-policy", "PolicyType": "TargetTrackingScaling", "TargetTrackingScalingPolicyConfiguration": {
        "TargetValue": percent, "PredefinedMetricSpecification": {"PredefinedMetricType": f"DynamoDB{kind}CapacityUtilization"}, **more}}


class AutoScalingTest(unittest.TestCase):
    def setUp(self):
        self.server = None
        self.addCleanup(lambda: self.server.stop())
        self.restart()
        self.create_table()

    def restart(self, data=None, crash=False):
        """A server with this directory, or one in memory."""
        if self.server:
            (self.server.kill if crash else self.server.stop)()
            self.client.close()
            self.scaling.close()
        self.server = ServerProcess(data, options=["--physics", "aws", "--clock", "virtual"]).start()
        self.client = DynamoClient(self.server.endpoint)
        self.addCleanup(self.client.close)
        self.scaling = boto3.client("application-autoscaling", endpoint_url=self.server.endpoint, region_name="us-east-1", aws_access_key_id="a",
                                    aws_secret_access_key="b", config=botocore.config.Config(retries={"total_max_attempts": 1}))
        self.addCleanup(self.scaling.close)
        self.clock(set=1_800_000_000)

    def create_table(self):
        units = {"ProvisionedThroughput": {"ReadCapacityUnits": 10, "WriteCapacityUnits": 10}}
        self.client.call("CreateTable", TableName="Tab", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], **units,
                         AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "s")],
                         GlobalSecondaryIndexes=[{"IndexName": "Idx", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}],
                                                  "Projection": {"ProjectionType": "KEYS_ONLY"}, **units}])

    def clock(self, **how):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request("POST", "/clock", json.dumps(how))
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()

    def minute(self, writes):
        for number in range(writes):
            self.client.call("PutItem", TableName="Tab", Item={"pk": {"S": str(number)}})
        self.clock(advance=60)

    def write_capacity(self):
        return self.client.call("DescribeTable", TableName="Tab")["Table"]["ProvisionedThroughput"]["WriteCapacityUnits"]

    def test_up_after_two_minutes_and_down_after_fifteen(self):
        """Eight writes a second are 80 % of ten. A change takes two minutes more."""
        self.scaling.register_scalable_target(**WRITES, MinCapacity=10, MaxCapacity=100)
        self.scaling.put_scaling_policy(**WRITES, **tracking("Write", 70))
        seen = []
        for _ in range(4):
            self.minute(480)
            seen.append(self.write_capacity())
        self.assertEqual(seen, [10, 10, 10, 12])
        for minutes, capacity in ((16, 12), (1, 10)):
            self.clock(advance=60 * minutes)
            self.assertEqual(self.write_capacity(), capacity)
        activities = self.scaling.describe_scaling_activities(ServiceNamespace="dynamodb")["ScalingActivities"]
        self.assertEqual([(one["ResourceId"], one["ScalableDimension"], one["Description"], one["StatusCode"]) for one in activities],
                         [("table/Tab", WRITES["ScalableDimension"], f"Setting write capacity units to {units}.", "Successful") for units in (10, 12)])

    def test_cooldown_after_a_rise(self):
        """The first rise adds two units, so one of one unit has to wait for ten minutes, and one of four is made at once, less the two."""
        self.scaling.register_scalable_target(**WRITES, MinCapacity=10, MaxCapacity=100)
        self.scaling.put_scaling_policy(**WRITES, **tracking("Write", 70, ScaleOutCooldown=600))
        seen = []
        for minute in range(16):
            self.minute(480 if minute < 4 else 540)
            seen.append(self.write_capacity())
        self.assertEqual(seen, [10] * 3 + [12] * 12 + [13])
        self.scaling.put_scaling_policy(**WRITES, **tracking("Write", 70, ScaleOutCooldown=3600))
        seen = []
        for minute in range(8):
            self.minute(660 if minute < 4 else 780)
            seen.append(self.write_capacity())
        self.assertEqual(seen, [13] * 3 + [15] * 4 + [17])

    def test_cooldown_after_a_fall(self):
        self.scaling.register_scalable_target(**WRITES, MinCapacity=1, MaxCapacity=100)
        self.scaling.put_scaling_policy(**WRITES, **tracking("Write", 70, ScaleInCooldown=3600))
        for _ in range(17):
            self.minute(60)
        self.assertEqual(self.write_capacity(), 2)
        for minutes, capacity in ((59, 2), (4, 1)):
            self.clock(advance=60 * minutes)
            self.assertEqual(self.write_capacity(), capacity)

    def test_bounds(self):
        self.scaling.register_scalable_target(**WRITES, MinCapacity=10, MaxCapacity=11)
        self.scaling.put_scaling_policy(**WRITES, **tracking("Write", 20, DisableScaleIn=True))
        for _ in range(4):
            self.minute(480)
        self.assertEqual(self.write_capacity(), 11)
        self.clock(advance=3600)
        self.assertEqual(self.write_capacity(), 11)
        # Without a policy the bounds hold.
        self.scaling.delete_scaling_policy(**WRITES, PolicyName="Write-policy")
        self.scaling.register_scalable_target(**WRITES, MinCapacity=50, MaxCapacity=60)
        self.clock(advance=600)
        self.assertEqual(self.write_capacity(), 50)
        # Without a target, nothing does.
        self.scaling.deregister_scalable_target(**WRITES)
        self.client.call("UpdateTable", TableName="Tab", ProvisionedThroughput={"ReadCapacityUnits": 10, "WriteCapacityUnits": 7})
        self.minute(1)
        self.clock(advance=3600)
        self.assertEqual(self.write_capacity(), 7)

    def test_what_is_described(self):
        tags = {"team": "shop"}
        self.scaling.register_scalable_target(**INDEX_READS, MinCapacity=5, MaxCapacity=50)
        self.scaling.register_scalable_target(**WRITES, MinCapacity=1, MaxCapacity=2)
        self.scaling.put_scaling_policy(**INDEX_READS, **tracking("Read", 55.5, ScaleInCooldown=60))
        targets = self.scaling.describe_scalable_targets(ServiceNamespace="dynamodb")["ScalableTargets"]
        self.assertEqual([(one["ResourceId"], one["MinCapacity"], one["MaxCapacity"]) for one in targets], [("table/Tab", 1, 2), ("table/Tab/index/Idx", 5, 50)])
        [target] = self.scaling.describe_scalable_targets(ServiceNamespace="dynamodb", ResourceIds=["table/Tab/index/Idx"])["ScalableTargets"]
        self.assertEqual(target["ScalableDimension"], INDEX_READS["ScalableDimension"])
        [policy] = self.scaling.describe_scaling_policies(ServiceNamespace="dynamodb")["ScalingPolicies"]
        self.assertEqual(policy["TargetTrackingScalingPolicyConfiguration"], {
            "TargetValue": 55.5, "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBReadCapacityUtilization"},
            "ScaleOutCooldown": 0, "ScaleInCooldown": 60, "DisableScaleIn": False})
        self.assertEqual(self.scaling.describe_scaling_policies(ServiceNamespace="dynamodb", PolicyNames=["none"])["ScalingPolicies"], [])
        status, answer = self.ask("RegisterScalableTarget", **INDEX_READS, Tags=tags)
        self.assertEqual(status, 200)
        arn = answer["ScalableTargetARN"]
        self.assertEqual(self.ask("ListTagsForResource", ResourceARN=arn), (200, {"Tags": tags}))
        self.assertEqual(self.ask("UntagResource", ResourceARN=arn, TagKeys=["team"]), (200, {}))
        self.assertEqual(self.ask("ListTagsForResource", ResourceARN=arn), (200, {"Tags": {}}))

    def test_targets_outlive_a_restart(self):
        with tempfile.TemporaryDirectory() as data:
            self.restart(data)
            self.create_table()
            self.assertEqual(self.ask("RegisterScalableTarget", **WRITES, MinCapacity=10, MaxCapacity=100, Tags={"team": "shop"})[0], 200)
            self.scaling.put_scaling_policy(**WRITES, **tracking("Write", 70, ScaleInCooldown=60))
            self.scaling.register_scalable_target(**INDEX_READS, MinCapacity=5, MaxCapacity=50)
            self.scaling.put_scaling_policy(**INDEX_READS, **tracking("Read", 50))
            self.scaling.delete_scaling_policy(**INDEX_READS, PolicyName="Read-policy")
            self.scaling.register_scalable_target(**READS, MinCapacity=5, MaxCapacity=50)
            self.scaling.deregister_scalable_target(**READS)
            described = self.described()
            self.assertEqual(len(described[0]), 2)
            self.assertEqual(len(described[1]), 1)
            for crash in (False, True):
                self.restart(data, crash)
                self.assertEqual(self.described(), described)
                arn = self.ask("RegisterScalableTarget", **WRITES)[1]["ScalableTargetARN"]
                self.assertEqual(self.ask("ListTagsForResource", ResourceARN=arn), (200, {"Tags": {"team": "shop"}}))
            for _ in range(4):
                self.minute(480)
            self.assertEqual(self.write_capacity(), 12)
            # A table that is made again has the target of its name.
            self.client.call("DeleteTable", TableName="Tab")
            self.restart(data)
            self.create_table()
            for _ in range(4):
                self.minute(480)
            self.assertEqual(self.write_capacity(), 12)

    def described(self):
        return (self.scaling.describe_scalable_targets(ServiceNamespace="dynamodb")["ScalableTargets"],
                self.scaling.describe_scaling_policies(ServiceNamespace="dynamodb")["ScalingPolicies"])

    def ask(self, operation, raw=None, **body):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request("POST", "/", json.dumps(body) if raw is None else raw,
                           {"X-Amz-Target": "AnyScaleFrontendService." + operation, "Content-Type": "application/x-amz-json-1.1"})
        answer = connection.getresponse()
        status, text = answer.status, answer.read()
        connection.close()
        return status, json.loads(text)

    def test_refusals(self):
        self.assertEqual(self.ask("RegisterScalableTarget", **WRITES, MinCapacity=1, MaxCapacity=5)[0], 200)
        policy = {**WRITES, **tracking("Write", 70)}
        cases = [
            ("RegisterScalableTarget", {**INDEX_READS, "MinCapacity": 1}, "ValidationException"),
            ("RegisterScalableTarget", {**INDEX_READS, "MinCapacity": 5, "MaxCapacity": 4}, "ValidationException"),
            ("RegisterScalableTarget", {**WRITES, "MinCapacity": -1}, "ValidationException"),
            ("RegisterScalableTarget", {**WRITES, "MaxCapacity": 1e300}, "ValidationException"),
            ("RegisterScalableTarget", {**WRITES, "MinCapacity": "1"}, "ValidationException"),
            ("RegisterScalableTarget", {**WRITES, "ResourceId": "table/None", "MinCapacity": 1, "MaxCapacity": 2}, "ValidationException"),
            ("RegisterScalableTarget", {**WRITES, "ResourceId": "table/Tab/index/Idx", "MinCapacity": 1, "MaxCapacity": 2}, "ValidationException"),
            ("RegisterScalableTarget", {**WRITES, "ServiceNamespace": "ecs"}, "ValidationException"),
            ("RegisterScalableTarget", {}, "ValidationException"),
            ("PutScalingPolicy", {**INDEX_READS, **tracking("Read", 70)}, "ObjectNotFoundException"),
            ("PutScalingPolicy", {**policy, "PolicyName": ""}, "ValidationException"),
            ("PutScalingPolicy", {**policy, "PolicyType": "StepScaling"}, "ValidationException"),
            ("PutScalingPolicy", {**WRITES, **tracking("Read", 70)}, "ValidationException"),
            ("PutScalingPolicy", {**WRITES, **tracking("Write", 19)}, "ValidationException"),
            ("PutScalingPolicy", {**WRITES, **tracking("Write", 91)}, "ValidationException"),
            ("DeleteScalingPolicy", {**WRITES, "PolicyName": "none"}, "ObjectNotFoundException"),
            ("DeregisterScalableTarget", INDEX_READS, "ObjectNotFoundException"),
            ("ListTagsForResource", {"ResourceARN": "arn:none"}, "ObjectNotFoundException"),
            ("PutScheduledAction", {}, "UnknownOperationException"),
        ]
        for operation, body, error in cases:
            status, answer = self.ask(operation, **body)
            self.assertEqual((status, answer["__type"]), (400, error), (operation, body, answer))
        for raw in ("", "[]", "{", "nonsense", "\x00" * 100):
            self.assertEqual(self.ask("DescribeScalableTargets", raw=raw)[1]["__type"], "SerializationException", raw)
        with self.assertRaises(self.scaling.exceptions.ObjectNotFoundException):
            self.scaling.deregister_scalable_target(**INDEX_READS)

    def test_a_table_that_is_deleted(self):
        self.scaling.register_scalable_target(**WRITES, MinCapacity=1, MaxCapacity=5)
        self.client.call("DeleteTable", TableName="Tab")
        self.clock(advance=3600)
        self.scaling.deregister_scalable_target(**WRITES)
        self.assertEqual(self.scaling.describe_scalable_targets(ServiceNamespace="dynamodb")["ScalableTargets"], [])


if __name__ == "__main__":
    unittest.main()
