#!/usr/bin/python3
"""Modelling work of the server runs in processes of its own: whatever a request does to one of them, it is answered, the server goes
on, its data is there, and the log and the metrics say what happened."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import DynamoClient  # noqa: E402
from server_process import ServerProcess  # noqa: E402

SOURCE = (ROOT / "examples/models/d05_education.prejoin").read_text()
SANITIZED = os.environ.get("PREJOIN_SANITIZE", "") != ""
WAIT_SECONDS_MAX = 30

SCANNED = """model "Scanned"

entity Pet {
  id   text(~6) key
  kind text(~5)
}

pattern OfKind "Pets of a kind" {
  find Pet where kind = :kind
  scan allowed because "there are few"
}

table Pets partition PK {
  item Pet {
    PK = "PET#{id}"
  }
}
"""


def children_of(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            pass  # The thread has ended.
    return found


def wait_until(condition, what):
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited too long for: {what}")
        time.sleep(0.01)


def is_gone(pid):
    return not pathlib.Path(f"/proc/{pid}").exists()


class LoggingServer(ServerProcess):
    """Keeps what the server writes to standard error."""

    def launch(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0)

    def log(self):
        self.errors.seek(0)
        return self.errors.read().decode()


class ModelWorkTest(unittest.TestCase):
    def setUp(self):
        self.server = LoggingServer(options=["--mcp"]).start()
        self.database = DynamoClient(self.server.endpoint)
        self.database.call("CreateTable", TableName="Items", BillingMode="PAY_PER_REQUEST",
                           KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                           AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        self.database.call("PutItem", TableName="Items", Item={"pk": {"S": "a"}})

    def tearDown(self):
        if self.server.process.poll() is None:
            self.check_serving()
            self.server.stop()
        self.database.close()
        self.server.errors.close()

    def check_serving(self):
        self.assertIsNone(self.server.process.poll(), self.server.log())
        self.assertEqual(self.database.call("GetItem", TableName="Items", Key={"pk": {"S": "a"}}), {"Item": {"pk": {"S": "a"}}})
        status, answer = self.post("/model/check", source=SOURCE)
        self.assertEqual((status, answer["findings"] is not None), (200, True))

    def post(self, path, **body):
        return self.post_text(path, json.dumps(body))

    def post_text(self, path, text):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            connection.request("POST", path, text, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def worker(self):
        """The id of a worker that waits for work."""
        self.assertEqual(self.post("/model/check", source=SOURCE)[0], 200)
        workers = children_of(self.server.process.pid)
        self.assertEqual(len(workers), 1)
        return workers[0]

    def metric(self, name):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        return sum(int(line.split()[1]) for line in lines if line.startswith(name + " "))

    def failures(self):
        # The log is written by a thread of its own.
        wait_until(lambda: "modelling work failed" in self.server.log(), "a line in the log")
        return [json.loads(line) for line in self.server.log().splitlines() if "modelling work failed" in line]

    def begin_on(self, worker, path="/model/check"):
        """A request whose worker stands still."""
        os.kill(worker, signal.SIGSTOP)
        connection = socket.create_connection(("127.0.0.1", self.server.port))
        body = json.dumps({"source": SOURCE}).encode()
        connection.sendall(b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                           % (path.encode(), len(body), body))
        wait_until(lambda: self.metric("prejoin_model_tasks_waiting") == 0, "the start of the task")
        return connection

    def answer_on(self, connection):
        response = http.client.HTTPResponse(connection)
        response.begin()
        answer = response.status, json.loads(response.read())
        connection.close()
        return answer

    def test_hostile_requests_are_answered(self):
        table = {"TableName": "T", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                 "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
        for count in ("abc", "", "1e999", "-1", "999999999999999999999"):
            with self.subTest(item_count=count):
                self.assertEqual(self.post("/model/infer", table=table | {"ItemCount": count}, items=[{"pk": {"S": "a"}}])[0], 200)
        for figure in ("text(~999999999999)", "text(~40_000_000)", "text(~5, max 9999999999)", "number(99)", "binary(1M)"):
            with self.subTest(figure=figure):
                status, answer = self.post("/model/design", source="entity A {\n  id text key\n  about %s\n}\n" % figure)
                self.assertEqual(status, 400)
                self.assertIn("too large", answer["error"]["message"])
        deep = {"check": "{" * 100_000, "format": "entity A { a " + "map of (b " * 50_000,
                "plan": "pattern P {\n find A where a = " + "[" * 100_000 + "\n}"}
        for route, source in deep.items():
            with self.subTest(route=route):
                self.assertIn(self.post(f"/model/{route}", source=source)[0], (200, 400, 413))
        for body in ("", "[]", "{", "[" * 100_000, '{"source":' * 1000, "null"):
            with self.subTest(body=body[:10]):
                self.assertEqual(self.post_text("/model/check", body)[0], 400)
        self.check_serving()
        self.assertNotIn("modelling work failed", self.server.log())

    def test_scans_are_generated_for_every_target(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.request("GET", "/model/targets")
        targets = [target["name"] for target in json.loads(connection.getresponse().read())]
        connection.close()
        self.assertGreater(len(targets), 5)
        for target in targets:
            with self.subTest(target=target):
                status, answer = self.post("/model/gen", source=SCANNED, to=target)
                self.assertEqual(status, 200, answer)
                self.assertTrue(answer["files"])
        self.assertNotIn("modelling work failed", self.server.log())

    def test_assistants_get_an_answer_whatever_they_send(self):
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        for text in ("create table t (id int(11) primary key COMMENT '" + "x" * 19_000 + "') ENGINE=InnoDB",
                     "create table t (id int primary key, s enum(" + "'a'," * 5_000 + "'b'));",
                     "select " + "(" * 20_000 + "1" + ")" * 20_000):
            status, answer = self.post("/mcp", **call, params={"name": "import_model", "arguments": {"text": text, "from": "sql"}})
            self.assertEqual((status, answer["id"]), (200, 1))
            self.assertIn("result", answer)
        self.check_serving()

    def test_a_crash_is_answered_logged_and_counted(self):
        worker = self.worker()
        request = self.begin_on(worker)
        os.kill(worker, signal.SIGSEGV)
        os.kill(worker, signal.SIGCONT)
        status, answer = self.answer_on(request)
        self.assertEqual(status, 500)
        self.assertIn("database is not affected", answer["error"]["message"])
        self.assertTrue(is_gone(worker))
        failure, = self.failures()
        self.assertEqual((failure["route"], failure["ending"]), ("/model/check", "crashed"))
        self.assertIn("signal 11", failure["reason"])
        self.assertEqual(self.metric("prejoin_model_tasks_crashed"), 1)

    def test_a_worker_without_end_is_stopped(self):
        worker = self.worker()
        status, answer = self.answer_on(self.begin_on(worker))
        self.assertEqual(status, 504)
        self.assertIn("more than 5 seconds of a processor", answer["error"]["message"])
        self.assertTrue(is_gone(worker))
        self.assertEqual(self.failures()[0]["ending"], "out of time")

    @unittest.skipIf(SANITIZED, "a sanitizer maps more than any limit")
    def test_a_worker_without_memory_is_stopped(self):
        worker = self.worker()
        size = int(pathlib.Path(f"/proc/{worker}/statm").read_text().split()[0]) * resource.getpagesize()
        resource.prlimit(worker, resource.RLIMIT_AS, (size, size))
        source = SOURCE + "".join(f"\nentity E{i} {{\n  id text key\n}}\n" for i in range(20_000))
        status, answer = self.post("/model/check", source=source)
        self.assertEqual(status, 503)
        self.assertIn("memory", answer["error"]["message"])
        self.assertEqual(self.failures()[0]["ending"], "out of memory")

    def test_work_ends_when_its_client_hangs_up(self):
        worker = self.worker()
        self.begin_on(worker).close()
        wait_until(lambda: is_gone(worker), "the end of the worker")
        self.assertEqual(self.metric("prejoin_model_tasks_client_gone"), 1)
        self.assertNotIn("modelling work failed", self.server.log())

    def test_many_clients_at_once(self):
        routes = ["check", "format", "plan", "cost", "tables"]
        with concurrent.futures.ThreadPoolExecutor(64) as clients:
            answers = list(clients.map(lambda i: self.post(f"/model/{routes[i % 5]}", source=SOURCE)[0], range(64)))
        self.assertEqual(answers, [200] * 64)

    def test_others_do_not_wait_behind_long_work(self):
        """Proofs and workers that stand still hold up nobody's check."""
        worker = self.worker()
        stuck = self.begin_on(worker)
        with concurrent.futures.ThreadPoolExecutor(4) as clients:
            proofs = [clients.submit(self.post, "/model/prove", source=SOURCE, rows=20_000) for _ in range(3)]
            for _ in range(10):
                self.assertEqual(self.post("/model/check", source=SOURCE)[0], 200)
            self.assertFalse(proofs[2].done(), "the proofs were over too soon to show anything")
            for proof in proofs:
                proof.result()
        self.assertEqual(self.answer_on(stuck)[0], 504)

    def test_shutdown_ends_the_workers(self):
        worker = self.worker()
        request = self.begin_on(worker)
        others = children_of(self.server.process.pid)
        self.server.stop()
        for child in others:
            self.assertTrue(is_gone(child))
        self.assertEqual(self.answer_on(request)[0], 503)

    def test_workers_end_with_a_server_that_is_killed(self):
        worker = self.worker()
        request = self.begin_on(worker)
        self.server.kill()
        wait_until(lambda: is_gone(worker) or "Z" in pathlib.Path(f"/proc/{worker}/status").read_text().split("State:")[1][:4],
                   "the end of the worker")
        request.close()

    @unittest.skipIf(SANITIZED, "not confined under a sanitizer")
    def test_a_worker_has_nothing_of_the_server(self):
        status = pathlib.Path(f"/proc/{self.worker()}/status").read_text()
        self.assertRegex(status, r"NoNewPrivs:\s+1")
        self.assertRegex(status, r"Seccomp:\s+2")
        worker = children_of(self.server.process.pid)[0]
        links = [os.readlink(link) for link in pathlib.Path(f"/proc/{worker}/fd").iterdir()]
        sockets = [link for link in links if link.startswith("socket:")]
        self.assertEqual(len(sockets), 1, links)
        self.assertLessEqual(len(links), 5, links)


if __name__ == "__main__":
    unittest.main()
