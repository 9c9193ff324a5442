#!/usr/bin/python3
"""The program in the place of DynamoDB Local, and in containers: what the Testcontainers modules of Go, .NET and Rust start and wait for, health,
the end with its parent, a folder that belongs to somebody else."""

import http.client
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/rig"))

from dynamo_client import DynamoClient  # noqa: E402

BINARY = os.environ["PREJOIN_BINARY"]
WAIT_SECONDS = 30


def run(*arguments, **options):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60, check=False, **options)


class Started:
    """A process that has printed the line with its endpoint. `lines` is everything up to it."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0, **options)
        self.lines = []
        deadline = time.monotonic() + WAIT_SECONDS
        while not (self.lines and self.lines[-1].startswith("prejoin listening on ")):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            line = self.process.stdout.readline() if ready else b""
            if not line:
                self.process.kill()
                raise AssertionError(f"{command} did not start: {self.lines}")
            self.lines.append(line.decode().rstrip("\n"))
        self.endpoint = self.lines[-1].split()[-1]
        self.port = int(self.endpoint.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(WAIT_SECONDS)
        self.process.stdout.close()
        if self.process.stdin:
            self.process.stdin.close()


class LocalCommands(unittest.TestCase):
    def tables(self, server):
        client = DynamoClient(f"http://127.0.0.1:{server.port}")
        names = client.call("ListTables")["TableNames"]
        client.close()
        return names

    def test_go_module(self):
        """Entry point `java`, flags behind the JAR, waits for the port to answer."""
        with tempfile.TemporaryDirectory() as folder:
            java = pathlib.Path(folder) / "java"
            java.symlink_to(BINARY)
            with Started([str(java), "-Djava.library.path=./DynamoDBLocal_lib", "-Xmx512m", "-jar", "DynamoDBLocal.jar", "-sharedDb", "-port", "0",
                          "-disableTelemetry", "-inMemory"]) as server:
                self.assertEqual(self.tables(server), [])

    def test_dotnet_module(self):
        """Waits until GET / without a signature answers 400."""
        with Started([BINARY, "-jar", "DynamoDBLocal.jar", "-inMemory", "-port", "0"]) as server:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT_SECONDS)
            connection.request("GET", "/")
            answer = connection.getresponse()
            self.assertEqual(answer.status, 400)
            self.assertIn(b"MissingAuthenticationToken", answer.read())
            connection.close()
            self.assertEqual(self.tables(server), [])

    def test_rust_module(self):
        """Waits for a line on standard output."""
        with Started([BINARY, "-compat", "-inMemory", "-port", "0", "-cors", "*"]) as server:
            self.assertEqual(server.lines[0], "Initializing DynamoDB Local with the following configuration:")
            self.assertIn("InMemory:\ttrue", server.lines)

    def test_data_stays_below_the_named_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "shared-local-instance.db").write_bytes(b"of DynamoDB Local")
            for expected in ([], ["Kept"]):
                with Started([BINARY, "-dbPath", folder, "-sharedDb", "-port", "0"]) as server:
                    self.assertEqual(self.tables(server), expected)
                    client = DynamoClient(f"http://127.0.0.1:{server.port}")
                    client.post("CreateTable", {"TableName": "Kept", "BillingMode": "PAY_PER_REQUEST",
                                                "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
                                                "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]})
                    client.close()

    def test_refusals(self):
        for arguments, part in ((["-inMemory", "-dbPath", "/tmp"], "exclude each other"), (["-inMemory", "-frob"], "has no flag -frob"),
                                (["-jar", "Other.jar"], "DynamoDBLocal.jar only"), (["-inMemory", "-port"], "-port needs a value"),
                                (["-inMemory", "-port", "x"], "port")):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)
        self.assertIn("prejoin", run("-version").stdout)
        self.assertEqual(run("-help").returncode, 0)

    def test_without_the_flag_nothing_changes(self):
        with Started([BINARY, "serve", "--memory", "--port", "0"]) as server:
            self.assertEqual(len(server.lines), 1)
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT_SECONDS)
            connection.request("GET", "/")
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()


class InContainers(unittest.TestCase):
    def test_health(self):
        with Started([BINARY, "serve", "--memory", "--port", "0"]) as server:
            result = run("health", "--endpoint", f"http://127.0.0.1:{server.port}")
            self.assertEqual((result.returncode, result.stdout), (0, "ok\n"))
        self.assertEqual(run("health", "--endpoint", f"http://127.0.0.1:{server.port}").returncode, 1)
        self.assertEqual(run("health", "--endpoint", "ftp://x").returncode, 2)

    def test_ends_with_its_parent_even_if_that_is_killed(self):
        program = ("import subprocess, sys, time\n"
                   f"child = subprocess.Popen([{BINARY!r}, 'serve', '--memory', '--port', '0', '--exit-with-parent'], stdin=subprocess.PIPE)\n"
                   "print(child.pid, flush=True); time.sleep(600)")
        parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        child = int(parent.stdout.readline())
        self.assertIn(b"listening", parent.stdout.readline())
        parent.kill()
        parent.wait()
        # Both ends of the pipe are gone when the server is.
        ready, _, _ = select.select([parent.stdout], [], [], WAIT_SECONDS)
        while ready and parent.stdout.read(4096):
            ready, _, _ = select.select([parent.stdout], [], [], WAIT_SECONDS)
        self.assertTrue(ready, "the server still holds its standard output")
        parent.stdout.close()
        with self.assertRaises(ProcessLookupError):
            for _ in range(WAIT_SECONDS * 10):
                os.kill(child, 0)
                if pathlib.Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
                    raise ProcessLookupError  # Its new parent has not looked yet.
                time.sleep(0.1)

    def test_standard_input_that_ends_stops_it(self):
        with Started([BINARY, "serve", "--memory", "--port", "0", "--exit-with-parent"], stdin=subprocess.PIPE) as server:
            server.process.stdin.close()
            self.assertEqual(server.process.wait(WAIT_SECONDS), 0)

    def test_a_folder_of_somebody_else_ends_the_start_with_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            user = {"user": 65532, "group": 65532, "extra_groups": []} if os.geteuid() == 0 else {}
            os.chmod(folder, 0o755 if user else 0o555)
            data = pathlib.Path(folder) / "volume"
            if user:
                # Where that user can execute it; the build folder may be closed to others.
                program = pathlib.Path(folder) / "prejoin"
                shutil.copyfile(BINARY, program)
                program.chmod(0o755)
                data.mkdir(0o755)
            else:
                program = BINARY
            result = subprocess.run([str(program), "serve", "--data", str(data), "--port", "0"], capture_output=True, text=True, timeout=60,
                                    check=False, **user)
            os.chmod(folder, 0o755)
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            for part in (str(65532 if user else os.geteuid()), str(data if user else folder), "chown", "--user", "--memory"):
                self.assertIn(part, result.stderr)


class UnderSystemd(unittest.TestCase):
    def test_tells_when_it_answers_and_when_it_stops(self):
        for name in ("file", "@prejoin-test"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
                path = f"{name}-{os.getpid()}" if name.startswith("@") else f"{folder}/notify"
                manager.bind(path.replace("@", "\0"))
                manager.settimeout(WAIT_SECONDS)
                with Started([BINARY, "serve", "--memory", "--port", "0"], env={**os.environ, "NOTIFY_SOCKET": path}) as server:
                    self.assertEqual(manager.recv(100), b"READY=1")
                    server.process.terminate()
                    self.assertEqual(manager.recv(100), b"STOPPING=1")

    def test_starts_without_a_manager_that_listens(self):
        for path in ("/no/such/socket", "", "relative", "/" + "x" * 300):
            with self.subTest(path), Started([BINARY, "serve", "--memory", "--port", "0"], env={**os.environ, "NOTIFY_SOCKET": path}):
                pass


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
