#!/usr/bin/env python3
"""`prejoin serve` as a process: what it prints, its exit codes, how it stops, and what it does with clients it does not like.

PREJOIN_BINARY names the program."""

import itertools
import json
import os
import re
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

BINARY = os.environ.get("PREJOIN_BINARY", "build/release/prejoin")
HEADERS = (
    "Host: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20260101T000000Z\r\n"
    "Authorization: AWS4-HMAC-SHA256 Credential=A/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n"
)


class Served:
    """A running server on a port of its own."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.line = self.process.stdout.readline()
        self.port = int(self.line.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def stop(self, number=signal.SIGTERM):
        """Exit code and log lines."""
        self.process.send_signal(number)
        _, log = self.process.communicate(timeout=60)
        return self.process.returncode, [json.loads(line) for line in log.splitlines()]

    def memory_mb(self):
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024


def request(operation, body):
    text = body if isinstance(body, str) else json.dumps(body)
    return (
        f"POST / HTTP/1.1\r\n{HEADERS}X-Amz-Target: DynamoDB_20120810.{operation}\r\nContent-Length: {len(text.encode())}\r\n\r\n{text}"
    ).encode()


def read_answer(connection):
    """Status and body; None if the connection ends first."""
    data = b""
    while b"\r\n\r\n" not in data:
        block = connection.recv(65536)
        if not block:
            return None
        data += block
    head, body = data.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"Content-Length: (\d+)", head)[1])
    while len(body) < length:
        block = connection.recv(65536)
        if not block:
            return None
        body += block
    return int(head.split()[1]), body


def ask(connection, operation, body):
    connection.sendall(request(operation, body))
    return read_answer(connection)


TABLE = {
    "TableName": "Things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


class ServeTest(unittest.TestCase):
    def run_to_end(self, *arguments):
        return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=30)

    def test_says_where_it_listens_and_stops_with_0(self):
        with Served("--memory") as served:
            self.assertRegex(served.line, r"^prejoin listening on http://127\.0\.0\.1:\d+\n$")
            self.assertEqual(ask(served.connect(), "ListTables", {})[0], 200)
            code, log = served.stop()
            self.assertEqual(code, 0)
            self.assertEqual([entry["event"] for entry in log], ["started", "stopping", "stopped"])

    def test_stops_with_0_on_sigint(self):
        with Served("--memory") as served:
            self.assertEqual(served.stop(signal.SIGINT)[0], 0)

    def test_refuses_a_port_in_use(self):
        with Served("--memory") as served:
            second = self.run_to_end("serve", "--memory", "--port", str(served.port))
            self.assertEqual(second.returncode, 2)
            self.assertIn("Address already in use", second.stderr)

    def test_refuses_wrong_command_lines(self):
        for arguments in (
            [],
            ["juggle"],
            ["serve"],
            ["serve", "--memory", "--data", "x"],
            ["serve", "--memory", "--port", "no"],
            ["serve", "--memory", "--sync", "maybe"],
            ["serve", "--memory", "--log-level", "loud"],
            ["serve", "--memory", "--host", "256.1.1.1"],
            ["serve", "--data", "/proc/none/such"],
        ):
            result = self.run_to_end(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertNotEqual(result.stderr, "", arguments)

    def test_keeps_the_number_of_cells_of_a_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            with Served("--data", f"{folder}/db", "--cells", "4") as served, served.connect() as connection:
                self.assertEqual(ask(connection, "CreateTable", TABLE)[0], 200)
                for number in range(20):
                    item = {"pk": {"S": str(number)}}
                    self.assertEqual(ask(connection, "PutItem", {"TableName": "Things", "Item": item})[0], 200)
                self.assertEqual(served.stop()[0], 0)
            self.assertEqual(len(os.listdir(f"{folder}/db")), 5)
            result = self.run_to_end("serve", "--data", f"{folder}/db", "--cells", "2")
            self.assertEqual(result.returncode, 2)
            self.assertIn("was made with 4 cells, not 2", result.stderr)
            with Served("--data", f"{folder}/db") as served, served.connect() as connection:
                status, body = ask(connection, "Scan", {"TableName": "Things"})
                self.assertEqual((status, json.loads(body)["Count"]), (200, 20))

    def test_refuses_what_cells_cannot_do(self):
        for arguments, reason in (
            (["--memory", "--cells", "3"], "can have 1, 2, 4, 8 or 16 cells, not 3"),
            (["--memory", "--cells", "2", "--namespaces"], "--cells is not for"),
            (["--memory", "--cells", "2", "--separate-regions"], "--cells is not for"),
            (["--data", "/tmp/never-made", "--cells", "2", "--sync", "none"], "--cells needs --sync always"),
        ):
            result = self.run_to_end("serve", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(reason, result.stderr)

    def test_helps(self):
        for arguments in (["--help"], ["serve", "--help"], ["--version"]):
            result = self.run_to_end(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("prejoin", result.stdout)

    def test_a_second_signal_ends_at_once(self):
        with Served("--memory", "--shutdown-timeout", "60") as served:
            connection = served.connect()
            # A request that never gets its last byte keeps the orderly end waiting.
            connection.sendall(request("ListTables", "{}")[:-1])
            idle = served.connect()
            self.assertEqual(ask(idle, "ListTables", {})[0], 200)
            served.process.send_signal(signal.SIGTERM)
            self.assertEqual(idle.recv(1), b"", "closing idle connections shows that the end has begun")
            served.process.send_signal(signal.SIGTERM)
            self.assertEqual(served.process.wait(timeout=10), 1)

    def test_loses_nothing_when_stopped_under_load(self):
        with tempfile.TemporaryDirectory() as directory:
            acknowledged = []
            with Served("--data", directory) as served:
                self.assertEqual(ask(served.connect(), "CreateTable", TABLE)[0], 200)
                written = threading.Semaphore(0)

                def write(writer):
                    connection = served.connect()
                    for number in itertools.count():
                        key = f"{writer}-{number}"
                        try:
                            answer = ask(connection, "PutItem", {"TableName": "Things", "Item": {"pk": {"S": key}}})
                        except OSError:
                            return
                        if answer is None:
                            return
                        self.assertEqual(answer[0], 200)
                        acknowledged.append(key)
                        written.release()

                writers = [threading.Thread(target=write, args=(i,)) for i in range(8)]
                for writer in writers:
                    writer.start()
                for _ in range(200):
                    self.assertTrue(written.acquire(timeout=60))
                self.assertEqual(served.stop()[0], 0)
                for writer in writers:
                    writer.join()
            with Served("--data", directory) as served:
                connection = served.connect()
                for key in acknowledged:
                    _, body = ask(connection, "GetItem", {"TableName": "Things", "Key": {"pk": {"S": key}}})
                    self.assertEqual(json.loads(body), {"Item": {"pk": {"S": key}}})

    def test_goes_on_after_bad_input(self):
        deep = '{"TableName":"Things","Item":{"pk":{"S":"x"},"d":' + '{"L":[' * 10000 + "]}" * 10000 + "}}"
        cases = [
            (request("PutItem", '{"TableName":"Thi'), 400),
            (request("PutItem", deep), 400),
            (request("PutItem", "{}").replace(b"{}", b"\xff\xfe"), 400),
            (b"POST / HTTP/1.1\r\nContent-Length: 17000000\r\n\r\n" + b"a" * 17000000, 413),
            (b"GET / HTTP/1.1\r\nX: " + b"a" * 20000 + b"\r\n\r\n", 400),
            (b"\x00\x01\x02\r\n\r\n", 400),
        ]
        with Served("--memory") as served:
            ask(served.connect(), "CreateTable", TABLE)
            for data, status in cases:
                connection = served.connect()
                try:
                    connection.sendall(data)
                except OSError:
                    pass  # Refused before it was all sent.
                self.assertEqual(read_answer(connection)[0], status, data[:60])
            self.assertEqual(ask(served.connect(), "ListTables", {}), (200, b'{"TableNames":["Things"]}'))

    def test_holds_5000_idle_connections(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 7000:
            self.skipTest("not enough open files allowed")
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        try:
            with Served("--memory") as served:
                before = served.memory_mb()
                idle = [served.connect() for _ in range(5000)]
                self.assertEqual(ask(idle[0], "ListTables", {})[0], 200)
                self.assertEqual(ask(idle[-1], "ListTables", {})[0], 200)
                self.assertEqual(ask(served.connect(), "ListTables", {})[0], 200)
                self.assertLess(served.memory_mb() - before, 20)
                code, _ = served.stop()
                self.assertEqual(code, 0)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # About sockets that are left to the garbage collector.
