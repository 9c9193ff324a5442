#!/usr/bin/env python3
"""Limits, clocks and directories that are somebody else's: a clear word and the exit code 2, or the server goes on.

PREJOIN_BINARY names the program."""

import http.client
import os
import pathlib
import struct
import subprocess
import unittest

import rig
from rig import DynamoError, FaultTest, LoggingServer, Things, health, wait_until

CLOCK = os.environ.get("STEPPED_CLOCK", "")


class LimitsTest(FaultTest):
    def keep_one(self):
        with LoggingServer(self.data) as server:
            Things(server).create().put("kept")

    @unittest.skipIf(os.environ.get("PREJOIN_SANITIZE"), "a sanitizer needs all addresses")
    def test_address_space(self):
        """From far too little to enough: the server refuses with one line, or serves; it never aborts."""
        self.keep_one()
        started = 0
        for megabytes in (40, 80, 120, 160, 240, 320, 480, 640, 1000, 4000):
            with self.subTest(megabytes=megabytes):
                server = LoggingServer(self.data, ["--threads", "2"], f"ulimit -v {megabytes * 1024}")
                try:
                    server.start()
                except RuntimeError:
                    self.assertIn(server.process.returncode, (2, 127), server.log())  # 127: not even the loader had room.
                    self.assertTrue(server.log().strip(), megabytes)
                    self.assertNotIn("terminate called", server.log())
                    continue
                started += 1
                self.load(server)
        self.assertGreater(started, 0)
        self.check_sound({"kept"})

    def load(self, server):
        """Requests that want much memory at a time. A request may be refused. If a thread of the storage library gets no memory, the process ends,
        with one line and the exit code 2."""
        things = Things(server, {"kept"})
        try:
            for number in range(40):
                error = things.try_put(f"n{number}", 390_000)
                self.assertTrue(error is None or error.status >= 500, error)
            wait_until(lambda: things.try_put("small") is None, "a small write works")
            self.assertGreaterEqual(things.names(), things.acknowledged)
            server.process.terminate()
        except (OSError, http.client.HTTPException):
            # Without the memory to answer, the server closes the connection and goes on; or the storage library got none, and the process ends.
            server.process.terminate()
        except DynamoError as error:
            self.assertGreaterEqual(error.status, 500)
            server.process.terminate()
        code = server.process.wait(timeout=60)
        self.assertIn(code, (0, 2), server.log())
        if code == 2:
            self.assertIn("prejoin: ", server.log())
        self.check_sound(things.acknowledged)

    def test_few_descriptors(self):
        self.keep_one()
        server = self.start(["--threads", "2"], limits="ulimit -n 64")
        things = Things(server, {"kept"})
        for number in range(200):
            things.put(f"n{number}", 10_000)
        self.assertEqual(things.names(), things.acknowledged)
        server.stop()
        self.check_sound(things.acknowledged)

    def test_processes(self):
        """`ulimit -u` counts for users other than root."""
        if os.geteuid() != 0:
            self.skipTest("needs a second user")
        os.chmod(self.root, 0o777)
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "bash", "-c", 'ulimit -u 3; exec "$@"', "bash",
                   rig.binary(), "serve", "--port", "0", "--data", self.data]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2, refused.stdout + refused.stderr)
        self.assertIn("ulimit -u", refused.stderr)

    def test_directory_of_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("needs a second user")
        self.keep_one()
        os.chmod(self.root, 0o755)
        for path in [self.data, *map(str, pathlib.Path(self.data).iterdir())]:
            os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", rig.binary(), "serve", "--port", "0", "--data", self.data]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2, refused.stdout + refused.stderr)
        self.assertIn(self.data, refused.stderr)
        self.assertEqual(len(refused.stderr.strip().splitlines()), 1, refused.stderr)
        self.check_sound({"kept"})

    def test_two_servers(self):
        first = self.start()
        things = Things(first).create()
        self.assertIn("is in use by another process", self.refusal())
        for verb in ("repair", "verify"):
            second = rig.prejoin(verb, self.data)
            self.assertEqual(second.returncode, 2, second.stdout)
            self.assertIn("is in use by another process", second.stderr)
        things.put("kept")
        first.stop()
        self.check_sound({"kept"})

    def test_directory_of_another_program(self):
        os.mkdir(self.data)
        for name in ("CURRENT", "MANIFEST-000004", "000012.sst", "IDENTITY"):
            pathlib.Path(self.data, name).write_text("somebody's")
        self.assertIn("is not a Prejoin data directory", self.refusal())
        self.assertEqual(len(os.listdir(self.data)), 4)

    @unittest.skipUnless(CLOCK, "STEPPED_CLOCK names no library")
    def test_clock(self):
        """Thirty years back and forth, over restarts and while the server runs."""
        offset = os.path.join(self.root, "offset")

        def step_to(years):
            with open(offset, "r+b" if os.path.exists(offset) else "wb") as file:
                file.write(struct.pack("=q", years * 365 * 86_400 * 10**9))

        names = set()
        step_to(0)
        for run, steps in enumerate(((0, 30, -30), (30, 0), (-30, 0), (0,))):
            step_to(steps[0])
            server = self.start(environment=os.environ | {"LD_PRELOAD": CLOCK, "PREJOIN_TEST_CLOCK": offset})
            things = Things(server, names)
            if run == 0:
                things.create()
            for years in steps:
                step_to(years)
                things.put(f"run {run}, {years} years")
                self.assertEqual(things.names(), things.acknowledged)
            names = things.acknowledged
            self.assertEqual(health(server)[0], 200)
            server.stop()
        self.check_sound(names)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
