"""Starts `prejoin serve` for a test and stops it again. Python's standard library only."""

import os
import pathlib
import re
import secrets
import select
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def binary():
    return os.environ.get("PREJOIN_BINARY", str(ROOT / "build/release/prejoin"))


class ServerProcess:
    """A server on a port that the system chose, unless one is asked for. `data` is a directory, or None for memory, or,
    with PREJOIN_SERVE_RADOS=CEPH_CONF:POOL, for a new cluster of this one gateway."""

    start_seconds_max = 20
    stop_seconds_max = 10

    def __init__(self, data=None, options=(), environment=None, port=0):
        where = ["--memory"] if data is None else ["--data", str(data)]
        if data is None and (rados := os.environ.get("PREJOIN_SERVE_RADOS")):
            conf, pool = rados.rsplit(":", 1)
            where = ["--rados", conf, "--pool", pool, "--cluster", secrets.token_hex(4)]
        more = os.environ.get("PREJOIN_SERVE_OPTIONS", "").split()
        self.command = [binary(), "serve", "--port", str(port), "--log-level", "warning", *where, *options, *more]
        self.environment = environment
        self.process = None
        self.endpoint = None
        self.port = None

    def launch(self):
        """Starts the process and does not wait for it to be ready."""
        # Unbuffered, so that select() sees every byte that readline() has not taken.
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, bufsize=0, env=self.environment)

    def start(self):
        self.launch()
        deadline = time.monotonic() + self.start_seconds_max
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self.process.stdout], [], [], 0.1)
            line = self.process.stdout.readline().decode() if ready else ""
            match = re.search(r"listening on (http://[^\s:]+:(\d+))", line)
            if match:
                self.endpoint, self.port = match.group(1), int(match.group(2))
                return self
            if ready and not line:
                break
        self.kill()
        raise RuntimeError(f"the server did not start: {' '.join(self.command)}")

    def kill(self):
        """As a crash does: no shutdown, nothing flushed."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """Asks politely, and fails the test if that does not end in a clean exit."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(timeout=self.stop_seconds_max)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"the server did not stop within {self.stop_seconds_max} seconds") from None
        self.process.stdout.close()
        if code != 0:
            raise RuntimeError(f"the server stopped with exit code {code}")

    def __enter__(self):
        return self.start()

    def __exit__(self, *unused):
        self.stop()
