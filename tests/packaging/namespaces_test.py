#!/usr/bin/python3
"""`serve --memory --namespaces`: tests that run side by side and see nothing of each other. PREJOIN_BINARY names the program."""

import http.client
import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/rig"))

from dynamo_client import HEADERS  # noqa: E402
from server_process import ServerProcess  # noqa: E402

TABLE = {"TableName": "Songs", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]}


class Client:
    def __init__(self, port, headers=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.headers = {**HEADERS, **(headers or {})}

    def send(self, method, path, body=b"", headers=None):
        self.connection.request(method, path, body, headers or {})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def call(self, operation, **body):
        status, answer = self.send("POST", "/", json.dumps(body).encode(), {**self.headers, "X-Amz-Target": f"DynamoDB_20120810.{operation}"})
        if status != 200:
            raise AssertionError(answer)
        return json.loads(answer)

    def count(self):
        return self.call("Scan", TableName="Songs", Select="COUNT")["Count"]

    def put(self, key):
        self.call("PutItem", TableName="Songs", Item={"k": {"S": key}})

    def close(self):
        self.connection.close()


class Namespaces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ServerProcess(options=["--namespaces"])
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        cls.base = Client(cls.server.port)
        cls.addClassCleanup(cls.base.close)
        cls.base.call("CreateTable", **TABLE)
        for i in range(10):
            cls.base.put(str(i))

    def of(self, name):
        client = Client(self.server.port, {"X-Prejoin-Namespace": name})
        self.addCleanup(client.close)
        return client

    def test_each_has_its_own_items_and_tables(self):
        one, two = self.of("one"), self.of("two")
        one.put("only in one")
        two.call("DeleteTable", TableName="Songs")
        self.assertEqual(one.count(), 11)
        self.assertEqual(two.call("ListTables")["TableNames"], [])
        self.assertEqual(self.base.count(), 10)
        self.assertEqual(one.call("DescribeTable", TableName="Songs")["Table"]["ItemCount"], 11)

    def test_an_access_key_names_one(self):
        client = Client(self.server.port, {"Authorization": HEADERS["Authorization"].replace("Credential=test/", "Credential=namespace-by.key/")})
        self.addCleanup(client.close)
        client.put("only here")
        self.assertEqual(client.count(), 11)
        self.assertEqual(self.of("by.key").count(), 11)
        self.assertEqual(self.base.count(), 10)

    def test_reset_and_delete(self):
        client = self.of("again")
        client.put("x")
        self.assertEqual(client.send("POST", "/namespaces/again")[0], 200)
        self.assertEqual(client.count(), 10)
        client.put("y")
        self.assertEqual(client.send("DELETE", "/namespaces/again")[0], 200)
        self.assertEqual(client.send("DELETE", "/namespaces/again")[0], 404)
        self.assertEqual(client.count(), 10)
        self.assertEqual(client.send("POST", "/namespaces/no%20name")[0], 400)

    def test_workers_side_by_side(self):
        wrong = []

        def work(number):
            client = Client(self.server.port, {"X-Prejoin-Namespace": f"worker-{number}"})
            for round_number in range(15):
                for i in range(number):
                    client.put(f"{round_number}-{i}")
                if client.count() != 10 + number:
                    wrong.append((number, round_number))
                if client.send("POST", f"/namespaces/worker-{number}")[0] != 200:
                    wrong.append((number, "reset"))
            client.close()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(self.base.count(), 10)

    def test_snapshot_and_restore_of_a_namespace(self):
        client = self.of("kept")
        client.put("in the snapshot")
        self.assertEqual(client.send("POST", "/snapshot/of-eleven", headers=client.headers)[0], 200)
        for _ in range(3):
            client.put("later")
            client.call("DeleteItem", TableName="Songs", Key={"k": {"S": "0"}})
            client.call("CreateTable", **{**TABLE, "TableName": "Later"})
            self.assertEqual(client.send("POST", "/restore/of-eleven", headers=client.headers)[0], 200)
            self.assertEqual(client.count(), 11)
            self.assertEqual(client.call("ListTables")["TableNames"], ["Songs"])
        # A snapshot may be restored into another namespace.
        other = self.of("other")
        self.assertEqual(other.count(), 10)
        self.assertEqual(other.send("POST", "/restore/of-eleven", headers=other.headers)[0], 200)
        self.assertEqual(other.count(), 11)
        self.assertEqual(client.send("DELETE", "/snapshot/of-eleven")[0], 200)
        self.assertEqual(client.send("DELETE", "/snapshot/of-eleven")[0], 404)
        status, answer = client.send("POST", "/restore/of-eleven", headers=client.headers)
        self.assertEqual(status, 404)
        self.assertIn(b"There is no snapshot of-eleven", answer)
        self.assertEqual(client.count(), 11)

    def test_a_name_that_is_none_is_refused(self):
        with self.assertRaisesRegex(AssertionError, "A namespace has 1 to 64"):
            self.of("a b").count()


class SnapshotsOfTheBase(unittest.TestCase):
    def test_base_and_new_namespaces_are_as_they_were(self):
        server = ServerProcess(options=["--namespaces"])
        server.start()
        self.addCleanup(server.stop)
        base = Client(server.port)
        self.addCleanup(base.close)
        base.call("CreateTable", **TABLE)
        base.put("kept")
        self.assertEqual(base.send("POST", "/restore")[0], 404)
        self.assertEqual(base.send("POST", "/snapshot")[0], 200)
        stop = threading.Event()
        failures = []

        def write():  # Requests are under way while the tables are replaced.
            client = Client(server.port)
            while not stop.is_set():
                try:
                    client.put("lost")
                except AssertionError as error:
                    failures.append(error)
            client.close()

        writers = [threading.Thread(target=write) for _ in range(3)]
        for writer in writers:
            writer.start()
        for _ in range(30):
            self.assertEqual(base.send("POST", "/restore")[0], 200)
            self.assertIn(base.count(), (1, 2))
        stop.set()
        for writer in writers:
            writer.join()
        self.assertEqual(failures, [])
        base.call("DeleteTable", TableName="Songs")
        self.assertEqual(base.send("POST", "/restore")[0], 200)
        self.assertEqual(base.count(), 1)
        base.put("new")
        fork = Client(server.port, {"X-Prejoin-Namespace": "made-after"})
        self.addCleanup(fork.close)
        self.assertEqual(fork.count(), 2)


class Options(unittest.TestCase):
    def test_only_for_memory(self):
        result = subprocess.run([os.environ["PREJOIN_BINARY"], "serve", "--data", "/tmp/nowhere", "--namespaces"], capture_output=True, text=True,
                                timeout=60, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--namespaces requires --memory", result.stderr)


if __name__ == "__main__":
    unittest.main()
