#!/usr/bin/env python3
"""`prejoin serve` on a disk that fills up, and on one that cannot be written: a clear word, nothing lost, and it works again when there is room.

The disks are small file systems in memory, in a mount namespace of this test's own; where the system allows none, the test is skipped.
PREJOIN_BINARY names the program."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rig"))
from dynamo_client import DynamoClient, DynamoError  # noqa: E402
from server_process import ServerProcess, binary  # noqa: E402

OWN_NAMESPACE = "PREJOIN_TEST_MOUNTS"
SKIPPED = 77
TABLE = {"TableName": "Things", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
ITEM_BYTES = 300_000


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def health(server):
    try:
        with urllib.request.urlopen(server.endpoint + "/healthz", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def put(client, name):
    client.call("PutItem", TableName="Things", Item={"pk": {"S": name}, "x": {"S": "x" * ITEM_BYTES}})


def names(client):
    return {item["pk"]["S"] for item in client.scan_all(TableName="Things", ConsistentRead=True)}


class DiskTest(unittest.TestCase):
    def setUp(self):
        self.disk = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, self.disk)
        mount("-t", "tmpfs", "-o", "size=40m", "none", self.disk)
        self.data = os.path.join(self.disk, "data")

        self.addCleanup(subprocess.run, ["umount", self.disk], check=True)

    def free(self, server):
        """A server that still runs would keep the disk busy."""
        if server.process.poll() is None:
            server.kill()

    def test_full_disk(self):
        server = ServerProcess(self.data).start()
        self.addCleanup(self.free, server)
        client = DynamoClient(server.endpoint)
        client.call("CreateTable", **TABLE)
        self.assertEqual(health(server), (200, "ok\n"))
        acknowledged = set()
        with self.assertRaises(DynamoError) as refused:
            for number in range(40_000_000 // ITEM_BYTES + 1):
                put(client, str(number))
                acknowledged.add(str(number))
        self.assertEqual(refused.exception.status, 500)
        self.assertGreater(len(acknowledged), 10)
        # Writes are refused from now on, with the reason; reads go on and see what was acknowledged.
        status, reason = health(server)
        self.assertEqual(status, 503)
        self.assertIn("cannot write", reason)
        self.assertRegex(reason, "(?i)no space|full")
        with self.assertRaises(DynamoError):
            put(client, "refused")
        self.assertGreaterEqual(names(client), acknowledged)
        self.assertIn("Item", client.call("GetItem", TableName="Things", Key={"pk": {"S": "0"}}))
        server.kill()
        # There is room again.
        mount("-o", "remount,size=200m", self.disk)
        with ServerProcess(self.data) as server:
            client = DynamoClient(server.endpoint)
            self.assertGreaterEqual(names(client), acknowledged)
            put(client, "again")
            self.assertIn("again", names(client))
            self.assertEqual(health(server), (200, "ok\n"))

    def test_disk_that_cannot_be_written(self):
        with ServerProcess(self.data) as server:
            client = DynamoClient(server.endpoint)
            client.call("CreateTable", **TABLE)
            put(client, "kept")
        mount("-o", "remount,ro", self.disk)
        refused = subprocess.run([binary(), "serve", "--port", "0", "--data", self.data], capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn(self.data, refused.stderr)
        self.assertIn("Read-only file system", refused.stderr)
        mount("-o", "remount,rw", self.disk)
        with ServerProcess(self.data) as server:
            self.assertEqual(names(DynamoClient(server.endpoint)), {"kept"})


if __name__ == "__main__":
    if OWN_NAMESPACE not in os.environ:
        outside = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        if subprocess.run([*outside, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()], capture_output=True).returncode != 0:
            print("skipped: no mount namespaces here")
            sys.exit(SKIPPED)
        os.execvpe("unshare", [*outside, sys.executable, *sys.argv], os.environ | {OWN_NAMESPACE: "1"})
    unittest.main()
