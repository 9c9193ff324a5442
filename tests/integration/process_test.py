#!/usr/bin/python3
"""The server as a process: what it takes to start and when idle, and that bad input cannot bring it down."""

import http.client
import json
import pathlib
import resource
import socket
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import HEADERS, DynamoClient  # noqa: E402
from server_process import ServerProcess  # noqa: E402

START_SECONDS_MAX = 0.050
IDLE_BYTES_MAX = 12 << 20


def own_bytes(pid):
    """Without the pages of the program's file: how many of those are mapped depends on what the kernel happens to have cached."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no RssAnon")


def processor_seconds(pid):
    tasks = pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


class StartTest(unittest.TestCase):
    """By processor time: the clock also shows what else the machine does."""

    def check(self, data):
        with ServerProcess(data) as server:
            client = DynamoClient(server.endpoint)
            client.call("ListTables")
            self.assertLess(processor_seconds(server.process.pid), START_SECONDS_MAX)
            client.close()

    def test_memory(self):
        self.check(None)

    def test_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            self.check(pathlib.Path(folder) / "data")


class IdleTest(unittest.TestCase):
    def check(self, data):
        with ServerProcess(data) as server:
            client = DynamoClient(server.endpoint)
            client.call("ListTables")
            client.close()
            self.assertLess(own_bytes(server.process.pid), IDLE_BYTES_MAX)

    def test_memory(self):
        self.check(None)

    def test_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            self.check(pathlib.Path(folder) / "data")


class BadInputTest(unittest.TestCase):
    """After each test the server must still answer a good request."""

    def setUp(self):
        self.server = ServerProcess().start()
        self.client = DynamoClient(self.server.endpoint)
        self.client.call("CreateTable", TableName="Items", BillingMode="PAY_PER_REQUEST",
                         KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                         AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        self.client.call("PutItem", TableName="Items", Item={"pk": {"S": "a"}})

    def tearDown(self):
        self.client.close()
        fresh = DynamoClient(self.server.endpoint, timeout=5)
        self.assertEqual(fresh.call("GetItem", TableName="Items", Key={"pk": {"S": "a"}}), {"Item": {"pk": {"S": "a"}}})
        fresh.close()
        self.server.stop()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=5)

    def refused(self, body, name):
        status, answer = self.client.post("PutItem", body)
        self.assertEqual(status, 400, answer)
        self.assertIn(name, answer["__type"])

    def test_truncated_json(self):
        whole = json.dumps({"TableName": "Items", "Item": {"pk": {"S": "a"}, "v": {"L": [{"N": "1"}, {"BOOL": True}]}}}).encode()
        for length in range(len(whole)):
            self.refused(whole[:length], "SerializationException" if length else "Exception")

    def test_deep_nesting(self):
        for depth in (33, 10_000, 1_000_000):
            value = b'{"L":[' * depth + b'{"S":"x"}' + b"]}" * depth
            self.refused(b'{"TableName":"Items","Item":{"pk":{"S":"a"},"v":' + value + b"}}", "Exception")

    def test_invalid_utf8(self):
        for bad in (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\x80"):
            self.refused(b'{"TableName":"Items","Item":{"pk":{"S":"' + bad + b'"}}}', "SerializationException")

    def test_body_of_17_megabytes(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        try:
            connection.request("POST", "/", b"x" * (17 << 20), HEADERS | {"X-Amz-Target": "DynamoDB_20120810.PutItem"})
            self.assertIn(connection.getresponse().status, (400, 413))
        except (ConnectionError, http.client.HTTPException):
            pass  # Closed before all of it was sent: as good an answer.
        connection.close()

    def test_body_of_16_megabytes_is_read(self):
        body = json.dumps({"TableName": "Items", "Item": {"pk": {"S": "a"}}}).encode()
        status, answer = self.client.post("PutItem", body + b" " * ((16 << 20) - len(body)))
        self.assertEqual((status, answer), (200, {}))

    def test_no_http_at_all(self):
        for junk in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\0" * 1000, b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                     b"POST / HTTP/1.1\r\nX: " + b"y" * 100_000 + b"\r\n\r\n"):
            with self.connect() as connection:
                connection.sendall(junk)
                try:
                    answer = connection.recv(100)
                except ConnectionError:
                    answer = b""
                self.assertTrue(not answer or answer.startswith(b"HTTP/1.1 4"), answer)

    def test_slow_headers_do_not_hold_others_up(self):
        slow = [self.connect() for _ in range(200)]
        for connection in slow:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        self.assertEqual(self.client.call("GetItem", TableName="Items", Key={"pk": {"S": "a"}})["Item"], {"pk": {"S": "a"}})
        for connection in slow:
            connection.sendall(b"y")
        self.assertEqual(self.client.call("GetItem", TableName="Items", Key={"pk": {"S": "a"}})["Item"], {"pk": {"S": "a"}})
        for connection in slow:
            connection.close()

    def test_five_thousand_idle_connections(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 5_000 + 200
        if hard != resource.RLIM_INFINITY and hard < wanted:
            self.skipTest(f"only {hard} open files are allowed here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
        idle = [self.connect() for _ in range(5_000)]
        self.assertEqual(self.client.call("GetItem", TableName="Items", Key={"pk": {"S": "a"}})["Item"], {"pk": {"S": "a"}})
        for connection in idle:
            connection.close()

    def test_client_that_leaves_before_the_answer(self):
        body = json.dumps({"TableName": "Items", "Key": {"pk": {"S": "a"}}}).encode()
        head = f"POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        for _ in range(200):
            with self.connect() as connection:
                connection.sendall(head + body)


if __name__ == "__main__":
    unittest.main()
