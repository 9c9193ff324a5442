#!/usr/bin/env python3
"""What clients can make `prejoin serve` do before anybody knows who they are: descriptors, forms, regions, bodies with wrong signatures.

PREJOIN_BINARY names the program."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1] / "rig")]
from dynamo_client import sign  # noqa: E402
from serve_test import BINARY, TABLE, Served, ask, read_answer, request  # noqa: E402

CREDENTIALS = pathlib.Path(__file__).resolve().parents[1] / "rig/credentials"


class ServedWithFiles(Served):
    """A server that may open so many files."""

    def __init__(self, files, *arguments):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))
        self.line = self.process.stdout.readline()
        self.port = int(self.line.rsplit(":", 1)[1])


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def post(served, body, headers):
    """(status, body) of one request on a connection of its own."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    with served.connect() as connection:
        try:
            connection.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # It was refused before all of it was sent.
        status, answer = read_answer(connection)
        return status, answer.decode()


class DescriptorsTest(unittest.TestCase):
    def test_pauses_without_descriptors_and_goes_on_with_them(self):
        # More connections than there are files, so that accept() itself fails.
        with tempfile.TemporaryDirectory() as folder, ServedWithFiles(64, "--data", folder, "--max-connections", "1000") as served:
            with served.connect() as first:
                self.assertEqual(ask(first, "CreateTable", TABLE)[0], 200)
                crowd = [served.connect() for _ in range(120)]
                # Who is in is served.
                for _ in range(100):
                    self.assertEqual(ask(first, "ListTables", {})[0], 200)
                for connection in crowd:
                    connection.close()
            with served.connect() as later:
                while True:
                    try:
                        status, _ = ask(later, "ListTables", {})
                        if status == 200:
                            break
                    except (OSError, ValueError, IndexError):
                        pass
                    later.close()
                    later = served.connect()
            code, log = served.stop()
            self.assertEqual(code, 0)
            events = [line["event"] for line in log]
            self.assertLessEqual(events.count("no connections are accepted until others end"), 3, events)
            self.assertGreaterEqual(events.count("no connections are accepted until others end"), 1, events)
            self.assertGreaterEqual(events.count("connections are accepted again"), 1, events)

    def test_starts_and_serves_with_few_files(self):
        with tempfile.TemporaryDirectory() as folder, ServedWithFiles(64, "--data", folder) as served:
            crowd = [served.connect() for _ in range(40)]
            self.assertEqual(ask(crowd[0], "CreateTable", TABLE)[0], 200)
            self.assertEqual(ask(crowd[0], "PutItem", {"TableName": "Things", "Item": {"pk": {"S": "a"}}})[0], 200)
            for connection in crowd:
                connection.close()
            self.assertEqual(served.stop()[0], 0)


class FormsTest(unittest.TestCase):
    FORM = {"Content-Type": "application/x-www-form-urlencoded"}

    def setUp(self):
        self.served = self.enterContext(Served("--memory", "--auth", "required", "--credentials", str(CREDENTIALS)))

    def test_refuses_large_forms_unread(self):
        form = b"Action=GetCallerIdentity&Version=2011-06-15&" + b"a=b&" * 3_900_000
        for _ in range(3):
            begun = processor_seconds(self.served.process.pid)
            status, body = post(self.served, form, self.FORM)
            self.assertEqual(status, 413)
            self.assertIn("<Code>RequestEntityTooLarge</Code>", body)
            # Four million parameters took seconds to be read.
            self.assertLess(processor_seconds(self.served.process.pid) - begun, 0.5)

    def test_asks_for_the_signature_first(self):
        for form in (b"Action=GetCallerIdentity&Version=2011-06-15", b"Version=2010-05-08&Action=Nonsense&%zz",
                     b"Action=ListUsers&Version=2010-05-08&" + b"a=b&" * 15_000):
            status, body = post(self.served, form, self.FORM)
            self.assertEqual(status, 403, body)
            self.assertIn("MissingAuthenticationToken", body)

    def test_answers_signed_forms(self):
        form = b"Action=GetCallerIdentity&Version=2011-06-15"
        status, body = post(self.served, form, self.FORM | sign("localhost", None, form, "sts"))
        self.assertEqual(status, 200, body)
        self.assertIn("<GetCallerIdentityResponse", body)

    def test_leaves_other_forms_alone(self):
        self.assertEqual(post(self.served, b"a=b", self.FORM)[0], 404)
        self.assertEqual(post(self.served, b"Action=X&Version=1999-01-01", self.FORM)[0], 404)


class LargeBodiesTest(unittest.TestCase):
    """Workers verify what takes long to hash; the answers are the same."""

    def setUp(self):
        self.served = self.enterContext(Served("--memory", "--auth", "required", "--credentials", str(CREDENTIALS)))
        self.send("CreateTable", TABLE)

    def send(self, operation, body, forged=False):
        data = json.dumps(body).encode()
        target = f"DynamoDB_20120810.{operation}"
        headers = sign("localhost", target, data)
        if forged:
            headers["Authorization"] = headers["Authorization"][:-64] + "0" * 64
        return post(self.served, data, {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": target} | headers)

    def test_verifies_signatures_of_every_size(self):
        for size in (10, 60_000, 70_000, 390_000):
            item = {"TableName": "Things", "Item": {"pk": {"S": str(size)}, "text": {"S": "x" * size}}}
            self.assertEqual(self.send("PutItem", item)[0], 200, size)
            status, body = self.send("PutItem", item, forged=True)
            self.assertEqual((status, "InvalidSignatureException" in body), (400, True), body)

    def test_refuses_unsigned_bodies_of_every_size(self):
        for size in (10, 70_000):
            data = json.dumps({"TableName": "Things", "Item": {"pk": {"S": "x" * size}}}).encode()
            status, body = post(self.served, data, {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.PutItem"})
            self.assertEqual((status, "MissingAuthenticationToken" in body), (400, True), body)


class RegionsTest(unittest.TestCase):
    def test_opens_no_databases_for_made_up_regions(self):
        with tempfile.TemporaryDirectory() as folder, Served("--data", folder, "--separate-regions") as served:
            with served.connect() as connection:
                self.assertEqual(ask(connection, "ListTables", {})[0], 200)
                before = open_files(served.process.pid)
                for number in range(100):
                    text = request("ListTables", {}).replace(b"/us-east-1/", f"/region-{number}/".encode())
                    connection.sendall(text)
                    self.assertEqual(read_answer(connection)[0], 200)
                self.assertEqual(open_files(served.process.pid), before)
                self.assertFalse((pathlib.Path(folder) / "regions").exists())


if __name__ == "__main__":
    unittest.main()
