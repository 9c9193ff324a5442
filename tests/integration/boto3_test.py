#!/usr/bin/python3
"""Loads the datasets of examples/datasets through boto3 and runs every access pattern of patterns.json.

Starts its own server, unless PREJOIN_ENDPOINT names another DynamoDB endpoint to use.
"""

import json
import os
import pathlib
import secrets
import sys
import unittest

import boto3
import botocore.config
import botocore.exceptions

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from server_process import ServerProcess  # noqa: E402

PATTERNS = json.loads((HERE / "patterns.json").read_text())
DATASETS = {}
for path in sorted((HERE.parents[1] / "examples/datasets").glob("*.json")):
    dataset = json.loads(path.read_text())
    DATASETS[dataset["id"]] = dataset


def connect(endpoint):
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=botocore.config.Config(retries={"max_attempts": 0}, connect_timeout=5, read_timeout=20),
    )


def name_of_item(dataset, item):
    return " | ".join(item[key["AttributeName"]]["S"] for key in dataset["table"]["KeySchema"])


class PatternsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Names that cannot meet what an endpoint already holds.
        cls.prefix = f"integration-{secrets.token_hex(4)}-"
        cls.server = None
        endpoint = os.environ.get("PREJOIN_ENDPOINT")
        if endpoint is None:
            cls.server = ServerProcess().start()
            endpoint = cls.server.endpoint
        cls.client = connect(endpoint)
        for loaded in DATASETS.values():
            cls.load(loaded)

    @classmethod
    def tearDownClass(cls):
        for loaded in DATASETS.values():
            cls.client.delete_table(TableName=cls.table_name(loaded))
        if cls.server:
            cls.server.stop()

    @classmethod
    def table_name(cls, loaded):
        return cls.prefix + loaded["table"]["TableName"]

    @classmethod
    def load(cls, loaded):
        name = cls.table_name(loaded)
        cls.client.create_table(**loaded["table"] | {"TableName": name})
        cls.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 0.1, "MaxAttempts": 300})
        answer = cls.client.batch_write_item(RequestItems={name: [{"PutRequest": {"Item": item}} for item in loaded["items"]]})
        assert not answer["UnprocessedItems"], answer

    @classmethod
    def reload(cls, loaded):
        name = cls.table_name(loaded)
        cls.client.delete_table(TableName=name)
        cls.client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 0.1, "MaxAttempts": 300})
        cls.load(loaded)

    def run_step(self, loaded, step):
        """The answer, or the error as a pair of name and message."""
        name = self.table_name(loaded)
        parameters = json.loads(json.dumps(step["input"]).replace("$table", name))
        if "RequestItems" not in parameters:
            parameters["TableName"] = name
        method = "".join("_" + letter.lower() if letter.isupper() else letter for letter in step["operation"]).lstrip("_")
        try:
            return getattr(self.client, method)(**parameters), None
        except botocore.exceptions.ClientError as error:
            return None, error.response["Error"]

    def check_step(self, loaded, step):
        answer, error = self.run_step(loaded, step)
        if "error" in step:
            self.assertIsNotNone(error, "must be refused")
            self.assertEqual(error["Code"], step["error"]["name"])
            self.assertIn(step["error"]["message"], error["Message"])
            return
        self.assertIsNone(error)
        items = {name_of_item(loaded, item): item for item in loaded["items"]}
        if "items" in step:
            self.assertEqual(answer["Items"], [items[name] for name in step["items"]])
            self.assertEqual(answer["Count"], len(step["items"]))
            self.assertEqual("LastEvaluatedKey" in answer, step.get("more", False))
        if "item" in step:
            self.assertEqual(answer["Item"], items[step["item"]])
        if "batch" in step:
            got = sorted(answer["Responses"][self.table_name(loaded)], key=lambda item: name_of_item(loaded, item))
            self.assertEqual(got, [items[name] for name in step["batch"]])
            self.assertEqual(answer["UnprocessedKeys"], {})
        if "attributes" in step:
            self.assertEqual(answer.get("Attributes", answer.get("Item")), step["attributes"])

    def test_no_pattern_is_missing(self):
        self.assertEqual([pattern["id"] for pattern in PATTERNS], [f"A{number}" for number in range(1, 30)])

    def test_datasets_are_loaded(self):
        for loaded in DATASETS.values():
            with self.subTest(loaded["id"]):
                items = self.client.scan(TableName=self.table_name(loaded), ConsistentRead=True)["Items"]
                expected = sorted(loaded["items"], key=lambda item: name_of_item(loaded, item))
                self.assertEqual(sorted(items, key=lambda item: name_of_item(loaded, item)), expected)


def add_pattern(pattern):
    def test(self):
        loaded = DATASETS[pattern["dataset"]]
        writes = any(step["operation"] in ("PutItem", "UpdateItem", "DeleteItem") for step in pattern["steps"])
        for number, step in enumerate(pattern["steps"], 1):
            with self.subTest(f"{pattern['id']} step {number}: {pattern['title']}"):
                self.check_step(loaded, step)
        if writes:
            self.reload(loaded)

    setattr(PatternsTest, f"test_{pattern['id']}", test)


for each in PATTERNS:
    add_pattern(each)


if __name__ == "__main__":
    unittest.main()
