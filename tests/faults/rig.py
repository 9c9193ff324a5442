"""What the fault tests share: a table, writes that are remembered when they were acknowledged, and ways to damage a data directory."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
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
WAIT_SECONDS_MAX = 60


def prejoin(*arguments, **more):
    """The finished process of another verb."""
    return subprocess.run([binary(), *map(str, arguments)], capture_output=True, text=True, timeout=120, **more)


def health(server):
    try:
        with urllib.request.urlopen(server.endpoint + "/healthz", timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def metric(server, name):
    with urllib.request.urlopen(server.endpoint + "/metrics", timeout=20) as answer:
        return float(re.search(rf"^{name} (\S+)$", answer.read().decode(), re.M).group(1))


def wait_until(condition, what):
    """Polls: the moment is the server's to choose."""
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("never happened: " + what)
        time.sleep(0.02)


class LoggingServer(ServerProcess):
    """Keeps the server's log lines, and can be started under limits."""

    def __init__(self, data, options=(), limits="", environment=None):
        super().__init__(data, options, environment)
        self.limits = limits
        self.errors = tempfile.TemporaryFile()

    def launch(self):
        command = ["bash", "-c", f'{self.limits}; exec "$@"', "bash", *self.command] if self.limits else self.command
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0, env=self.environment)

    def log(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def log_lines(self, text):
        return [line for line in self.log().splitlines() if text in line]


class Things:
    """A client of one table that remembers which items were acknowledged."""

    def __init__(self, server, names=()):
        self.client = DynamoClient(server.endpoint)
        self.acknowledged = set(names)

    def create(self):
        self.client.call("CreateTable", **TABLE)
        return self

    def put(self, name, size=100):
        self.client.call("PutItem", TableName="Things", Item={"pk": {"S": name}, "x": {"S": "x" * size}})
        self.acknowledged.add(name)

    def put_many(self, names):
        names = list(names)
        for begin in range(0, len(names), 25):
            puts = [{"PutRequest": {"Item": {"pk": {"S": name}, "x": {"S": "x" * 100}}}} for name in names[begin:begin + 25]]
            self.client.call("BatchWriteItem", RequestItems={"Things": puts})
        self.acknowledged.update(names)

    def try_put(self, name, size=100):
        """The error, or None."""
        try:
            self.put(name, size)
        except DynamoError as error:
            return error
        return None

    def get(self, name):
        return "Item" in self.client.call("GetItem", TableName="Things", Key={"pk": {"S": name}}, ConsistentRead=True)

    def names(self):
        return {item["pk"]["S"] for item in self.client.scan_all(TableName="Things", ConsistentRead=True, ProjectionExpression="pk")}


class FaultTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.data = os.path.join(self.root, "data")

    def start(self, options=(), limits="", environment=None):
        server = LoggingServer(self.data, options, limits, environment).start()
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def refusal(self, options=(), limits="", code=2):
        """What `serve` says when it does not start."""
        server = LoggingServer(self.data, options, limits)
        try:
            server.start()
        except RuntimeError:
            self.assertEqual(server.process.returncode, code, server.log())
            self.assertEqual(len(server.log().strip().splitlines()), 1, server.log())
            return server.log()
        server.kill()
        return self.fail("the server started as if nothing were wrong")

    def files(self, pattern):
        return sorted(pathlib.Path(self.data).glob(pattern))

    def copy_of_data(self):
        copy = os.path.join(self.root, "copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.data, copy)
        return copy

    def restore(self, copy):
        shutil.rmtree(self.data)
        shutil.copytree(copy, self.data)

    def check_sound(self, names):
        """The directory serves exactly what was acknowledged, or more that was not."""
        with LoggingServer(self.data) as server:
            self.assertGreaterEqual(Things(server).names(), set(names))
            self.assertEqual(health(server), (200, "ok\n"))
        verified = prejoin("verify", self.data, "--json")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertGreaterEqual(json.loads(verified.stdout)["counts"]["items"], len(names))


def flip(path, at):
    """Changes one byte. `at`: a place in the file; negative ones count from its end."""
    with open(path, "r+b") as file:
        file.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        place = file.tell()
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 0x40]))


def run_in_namespace():
    """Runs the tests where they may mount file systems of their own; skips where the system allows none."""
    if OWN_NAMESPACE not in os.environ:
        outside = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        if subprocess.run([*outside, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()], capture_output=True).returncode != 0:
            print("skipped: no mount namespaces here")
            sys.exit(SKIPPED)
        os.execvpe("unshare", [*outside, sys.executable, *sys.argv], os.environ | {OWN_NAMESPACE: "1"})
    unittest.main(warnings="ignore")


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)
