#!/usr/bin/python3
"""Physics with settings and requests that nobody would write on purpose: the server answers each soon and in JSON, without an error of its own,
keeps its memory, and stops in peace. SEEDS and REQUESTS make it longer; a failure names its seed.
"""

import http.client
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from server_process import ServerProcess, binary  # noqa: E402

SEEDS = int(os.environ.get("SEEDS", "12"))
REQUESTS = int(os.environ.get("REQUESTS", "250"))
SECONDS_MAX = 10  # Of an answer, also on a machine with much else to do.
MEGABYTES_MAX = 500

# Name, least, most: all that `serve` takes (docs/physics.md).
UNITS = 1_000_000
LIMITS = [("partition-read-units", 1, UNITS), ("partition-write-units", 1, UNITS), ("partition-gb", 1, 1000), ("partition-burst-seconds", 1, 3600),
          ("burst-seconds", 1, 3600), ("starts-full", 0, 1), ("on-demand-read-units", 2, UNITS), ("on-demand-write-units", 2, UNITS),
          ("peak-minutes", 1, 10_000), ("table-read-quota", 1, UNITS), ("table-write-quota", 1, UNITS), ("split-percent", 1, 100),
          ("split-minutes", 1, 10_000), ("index-queue-seconds", 0, 3600), ("eventual-read-percent", 10, 1000)]
STATES = [(name, 0, 86_400) for name in ("creating", "updating", "deleting", "allocating", "backfilling", "enabling-ttl", "enabling-stream", "creating-backup")]
STALE = [("mean-ms", 1, 60_000), ("max-ms", 1, 60_000), ("seed", 0, 1_000_000_000)]
WRONG = ["", "AWS", "aws,", "aws,,", "aws,=", "aws,none=1", "aws,split-minutes", "aws,split-minutes=", "aws,split-minutes=1.5", "aws,split-minutes=-1",
         "aws,split-minutes=99999999999999999999", "aws split-minutes=1", "aws,split-minutes=1\n", "aws,split-minutes=nan", "off,split-minutes=1"]

NUMBERS = [0, 1, 2, 3, 5, 1000, 40_000, 40_001, 2**31, 2**53, 2**63 - 1, 2**63, 10**30, -1, -2**63, 0.5, 1e308, -1e308, 1e-308]
ODD = NUMBERS + [None, True, "", "1", "a" * 5000, [], {}, [[]], {"a": 1}]
TIMES = [0, 1, 1.8e9, "2027-01-15T00:00:00Z", "1800000000", -1, 1e300, None, ""]


def settings(draw, limits):
    """"aws" with some limits, most of them at an end."""
    chosen = draw.sample(limits, draw.randrange(len(limits) + 1))
    return ",".join(["aws"] + [f"{name}={draw.choice([least, least + 1, most, draw.randint(least, most)])}" for name, least, most in chosen])


class Requests:
    """Draws requests to tables of a few names, and to what stands beside them."""

    def __init__(self, draw):
        self.draw = draw

    def number(self):
        return self.draw.choice([1, 5, 100, 1000]) if self.draw.random() < 0.6 else self.draw.choice(ODD)

    def table(self):
        return self.draw.choice(["Tab", "Tab", "Uab", "None", self.draw.choice(ODD)] if self.draw.random() < 0.3 else ["Tab", "Uab"])

    def key(self):
        return {"S": self.draw.choice(["hot", "hot", f"k{self.draw.randrange(500)}", "ü" * 500])}

    def capacity(self):
        body = {"BillingMode": self.draw.choice(["PROVISIONED", "PAY_PER_REQUEST"])}
        if self.draw.random() < 0.7:
            body["ProvisionedThroughput"] = {"ReadCapacityUnits": self.number(), "WriteCapacityUnits": self.number()}
        if self.draw.random() < 0.3:
            body["OnDemandThroughput"] = {"MaxReadRequestUnits": self.number(), "MaxWriteRequestUnits": self.number()}
        if self.draw.random() < 0.3:
            body["WarmThroughput"] = {"ReadUnitsPerSecond": self.number(), "WriteUnitsPerSecond": self.number()}
        return body

    def create(self):
        index = {"IndexName": "idx", "KeySchema": [{"AttributeName": "s", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
        capacity = self.capacity()
        index |= {name: value for name, value in self.capacity().items() if name != "BillingMode"}
        return "CreateTable", {"TableName": self.table(), "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], **capacity,
                               "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "s")],
                               "GlobalSecondaryIndexes": [index]}

    def update(self):
        return "UpdateTable", {"TableName": self.table(), **self.capacity()}

    def data(self):
        table, item = self.table(), {"pk": self.key(), "s": self.key(), "text": {"S": "x" * self.draw.choice([0, 10, 5000])}}
        key = {"pk": item["pk"]}
        return self.draw.choice([
            ("PutItem", {"TableName": table, "Item": item}), ("PutItem", {"TableName": table, "Item": item}),
            ("GetItem", {"TableName": table, "Key": key, "ConsistentRead": self.draw.choice([True, False])}),
            ("UpdateItem", {"TableName": table, "Key": key, "UpdateExpression": "ADD n :n", "ExpressionAttributeValues": {":n": {"N": "1"}}}),
            ("DeleteItem", {"TableName": table, "Key": key}),
            ("Query", {"TableName": table, "IndexName": "idx", "KeyConditionExpression": "s = :s", "ExpressionAttributeValues": {":s": self.key()}}),
            ("Scan", {"TableName": table, "Limit": self.number()}),
            ("BatchWriteItem", {"RequestItems": {"Tab": [{"PutRequest": {"Item": {"pk": {"S": f"k{at}"}}}} for at in range(25)]}}),
            ("BatchGetItem", {"RequestItems": {"Tab": {"Keys": [{"pk": {"S": f"k{at}"}} for at in range(50)]}}}),
            ("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": name, "Item": item}} for name in ("Tab", "Uab")]}),
            ("ExecuteStatement", {"Statement": "SELECT * FROM \"Tab\" WHERE pk = 'hot'", "ConsistentRead": True})])

    def table_work(self):
        table = self.table()
        return self.draw.choice([
            ("DescribeTable", {"TableName": table}), ("DeleteTable", {"TableName": table}), ("DescribeLimits", {}),
            ("UpdateContributorInsights", {"TableName": "Tab", "ContributorInsightsAction": "ENABLE"}),
            ("UpdateTimeToLive", {"TableName": table, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "n"}}),
            ("UpdateTable", {"TableName": "Tab", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "idx"}}]}),
            ("CreateBackup", {"TableName": "Tab", "BackupName": "b" * 3})])

    def scaling(self):
        who = {"ServiceNamespace": "dynamodb", "ResourceId": self.draw.choice(["table/Tab", "table/Tab/index/idx", "table/", "x", self.draw.choice(ODD)]),
               "ScalableDimension": self.draw.choice(["dynamodb:table:WriteCapacityUnits", "dynamodb:index:ReadCapacityUnits", 1])}
        tracking = {"TargetValue": self.draw.choice([20, 70, 90, self.number()]), "ScaleOutCooldown": self.number(), "ScaleInCooldown": self.number(),
                    "PredefinedMetricSpecification": {"PredefinedMetricType": "DynamoDBWriteCapacityUtilization"}}
        return self.draw.choice([
            ("RegisterScalableTarget", {**who, "MinCapacity": self.number(), "MaxCapacity": self.number(), "Tags": self.draw.choice(ODD)}),
            ("PutScalingPolicy", {**who, "PolicyName": "p", "PolicyType": "TargetTrackingScaling", "TargetTrackingScalingPolicyConfiguration": tracking}),
            ("DeleteScalingPolicy", {**who, "PolicyName": "p"}), ("DeregisterScalableTarget", who), ("DescribeScalingActivities", who)])

    def metrics(self):
        period = {"StartTime": self.draw.choice(TIMES), "EndTime": self.draw.choice(TIMES), "Period": self.number()}
        metric = {"Namespace": "AWS/DynamoDB", "MetricName": self.draw.choice(["ConsumedWriteCapacityUnits", "ThrottledRequests", "", 1]),
                  "Dimensions": [{"Name": "TableName", "Value": self.table()}]}
        return self.draw.choice([
            ("ListMetrics", {"Namespace": "AWS/DynamoDB"}),
            ("GetMetricStatistics", {**metric, **period, "Statistics": ["Sum", self.draw.choice(ODD)]}),
            ("GetMetricData", {"StartTime": period["StartTime"], "EndTime": period["EndTime"], "MetricDataQueries": [
                {"Id": "a", "MetricStat": {"Metric": metric, "Period": self.number(), "Stat": "Sum"}}]}),
            ("GetInsightRuleReport", {"RuleName": "DynamoDBContributorInsights-PKC-Tab-1", **period, "MaxContributorCount": self.number()})])

    def clock(self):
        how = self.draw.choice(["advance", "advance", "set", "rate"])
        value = self.draw.choice([0.001, 1, 60, 3600, 86_400, 86_400 * 365, 1.8e9, 1e11, 0, self.draw.choice(ODD)])
        return "/clock", {how: 0 if how == "rate" else value}

    def faults(self):
        what = self.draw.choice(["error", "unavailable", "timeout", "drop", "throttle", "region", "meteor", ""])
        share = self.draw.choice(["", "1%", "100%", "0%", "101%", "nan%", "-1%", "1e-300%"])
        rest = self.draw.choice(["", "of PutItem", "of Nothing", "on Tab", "key \"hot\"", "at 1e300 minutes", "for -1 minutes", "key \"", "of of"])
        return f"fault {what} {share} {rest}\n" * self.draw.choice([1, 1, 500])


class HostileSettings(unittest.TestCase):
    def test_wrong_settings_are_refused(self):
        for option in ("--physics", "--states", "--stale-reads"):
            for text in WRONG:
                result = subprocess.run([binary(), "serve", "--memory", "--port", "0", option, text], capture_output=True, text=True, timeout=20, check=False)
                self.assertEqual(result.returncode, 2, (option, text, result.stderr))
                self.assertIn(option, result.stderr, (option, text))


class HostileRequests(unittest.TestCase):
    def ask(self, method, path, body, headers=None):
        text = body if isinstance(body, str) else json.dumps(body)
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SECONDS_MAX)
        try:
            connection.request(method, path, text, headers or {})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or "{}")
        finally:
            connection.close()

    def operation(self, service, operation, body):
        return self.ask("POST", "/", body, {"X-Amz-Target": f"{service}.{operation}", "Content-Type": "application/x-amz-json-1.0",
                                            "Authorization": "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, "
                                            "SignedHeaders=host, Signature=0"})

    def one(self, draw, requests):
        kind = draw.choices(["data", "table_work", "create", "update", "clock", "scaling", "metrics", "faults", "pages"], [50, 5, 8, 8, 14, 8, 5, 1, 2])[0]
        if kind == "pages":
            return [self.ask("GET", path, "") for path in ("/partitions", "/insights", "/clock")][-1]
        if kind == "faults":
            # A fault would answer for the server, so rules are only read and put away.
            self.ask("POST", "/faults", requests.faults())
            return self.ask("POST", "/faults", "")
        made = getattr(requests, kind)()
        if kind == "clock":
            return self.ask("POST", *made)
        services = {"scaling": "AnyScaleFrontendService", "metrics": "GraniteServiceVersion20100801"}
        return self.operation(services.get(kind, "DynamoDB_20120810"), *made)

    def check_figures(self, seed):
        status, answer = self.ask("GET", "/partitions", "")
        self.assertEqual(status, 200)
        for resource in answer["Resources"]:
            self.assertGreaterEqual(len(resource["Partitions"]), 1, (seed, resource["Resource"]))
            for minute in resource["Metrics"]:
                for name, value in minute.items():
                    if isinstance(value, (int, float)):
                        self.assertTrue(math.isfinite(value) and value >= 0, (seed, resource["Resource"], name, value))

    def sweep(self, seed):
        draw = random.Random(seed)
        options = ["--clock", "virtual", "--physics", settings(draw, LIMITS)]
        if draw.random() < 0.5:
            options += ["--states", settings(draw, STATES)]
        if draw.random() < 0.5:
            options += ["--stale-reads", settings(draw, STALE)]
        with ServerProcess(options=options) as self.server:
            requests = Requests(draw)
            for number in range(REQUESTS):
                before = time.monotonic()
                status, answer = self.one(draw, requests)
                self.assertLess(status, 500, (seed, number, options, answer))
                self.assertLess(time.monotonic() - before, SECONDS_MAX, (seed, number, options))
            self.check_figures(seed)
            peak = next(line for line in pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
            if not os.environ.get("PREJOIN_SANITIZE"):
                self.assertLess(int(peak.split()[1]) / 1024, MEGABYTES_MAX, (seed, options))

    def test_sweep(self):
        first = int(os.environ.get("SEED", "1"))
        for seed in range(first, first + SEEDS):
            self.sweep(seed)


if __name__ == "__main__":
    unittest.main()
