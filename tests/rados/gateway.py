"""Gateways of a cluster for tests: processes, their roles, and clients that go to any of them."""

import http.client
import json
import os
import pathlib
import random
import socket
import struct
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import DynamoClient  # noqa: E402
from server_process import ServerProcess, binary  # noqa: E402

WAIT_S_MAX = 60


def free_low_port():
    """Below those that the system gives to connections: a gateway that begins anew wants its port back, and nobody may have taken it."""
    while True:
        port = random.randrange(10_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


class Gateway(ServerProcess):
    # It waits for three OSDs, and these for a processor.
    start_seconds_max = WAIT_S_MAX
    stop_seconds_max = WAIT_S_MAX

    def __init__(self, ceph, cluster, options=(), lease_ms=2000):
        super().__init__()
        self.place = ["--rados", ceph.conf, "--pool", ceph.pool, "--cluster", cluster]
        self.command = [binary(), "serve", "--port", str(free_low_port()), "--log-level", "warning", *self.place, "--lease-ms", str(lease_ms), *options]

    def alive(self):
        return self.process.poll() is None


class ClockedGateway(Gateway):
    """One whose wall clock can be stepped (stepped_clock.cc)."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.clock = tempfile.NamedTemporaryFile(prefix="prejoin-clock-")
        self.step_clock(0)
        module = pathlib.Path(binary()).resolve().parent / "tests/libstepped_clock.so"
        if not module.exists():
            raise RuntimeError(f"{module} is missing: build it")
        self.environment = os.environ | {"LD_PRELOAD": str(module), "PREJOIN_TEST_CLOCK": self.clock.name}

    def step_clock(self, seconds):
        """Before or behind the machine's clock."""
        os.pwrite(self.clock.fileno(), struct.pack("=q", round(seconds * 1e9)), 0)


class Gateways:
    """with Gateways(ceph, "name", 3) as gateways: …"""

    def __init__(self, ceph, cluster, count, kind=Gateway, **options):
        self.ceph, self.cluster, self.kind, self.options = ceph, cluster, kind, options
        self.all = [kind(ceph, cluster, **options) for _ in range(count)]

    def __enter__(self):
        for gateway in self.all:
            gateway.start()
        return self

    def __exit__(self, kind, *_):
        # The leader last, or the next one would take over first.
        leader = None if kind else self.leader_name()
        for gateway in sorted(self.all, key=lambda one: str(leader).endswith(f":{one.port}")):
            if gateway.alive():
                gateway.kill() if kind else gateway.stop()

    def leader(self):
        """The gateway that leads, after waiting for one."""
        deadline = time.monotonic() + WAIT_S_MAX
        while time.monotonic() < deadline:
            name = self.leader_name()
            for gateway in self.all:
                if name.endswith(f":{gateway.port}") and gateway.alive():
                    return gateway
            time.sleep(0.2)
        raise RuntimeError("nobody leads")

    def status(self):
        return self.ceph.run(binary(), "cluster", "status", *self.all[0].place, timeout=WAIT_S_MAX).stdout

    def directory(self):
        """What decides who leads (docs/formats/cluster.md). `status` says the same, and takes a process to say it."""
        return self.ceph.attributes(f"prejoin.{self.cluster}", "directory")

    def leader_name(self):
        return self.directory().get("leader", "").split("\n")[0] or "none"

    def epoch(self):
        return int(self.directory()["epoch"], 16)

    def replace(self, gateway):
        """Starts another one in the place of one that is gone."""
        fresh = self.kind(self.ceph, self.cluster, **self.options)
        fresh.start()
        self.all[self.all.index(gateway)] = fresh

    def client(self):
        deadline = time.monotonic() + WAIT_S_MAX
        while not (alive := [gateway for gateway in self.all if gateway.alive()]):
            if time.monotonic() > deadline:
                raise RuntimeError("no gateway is alive")
            time.sleep(0.05)
        return DynamoClient(random.choice(alive).endpoint, timeout=60)


def call_until_done(gateways, operation, seconds=WAIT_S_MAX, service="DynamoDB_20120810", **body):
    """For what a test has to set up: tries again on any error of the cluster."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            client = gateways.client()
            status, answer = client.post(operation, body, service)
            client.close()
            if status < 500:
                return status, answer
        except (OSError, ValueError, http.client.HTTPException) as error:
            status, answer = 0, str(error)
        if time.monotonic() > deadline:
            raise RuntimeError(f"{operation}: {status} {json.dumps(answer)}")
        time.sleep(0.05)


class Worker(threading.Thread):
    """Runs `step(random source)` again and again until it is stopped; remembers an exception."""

    def __init__(self, step, seed):
        super().__init__(daemon=True)
        self.step, self.source = step, random.Random(seed)
        self.stopping, self.error = False, None
        self.start()

    def run(self):
        try:
            while not self.stopping:
                self.step(self.source)
        except Exception as error:  # pylint: disable=broad-except
            self.error = error

    def stop(self):
        self.stopping = True
        self.join(timeout=WAIT_S_MAX)
        if self.error or self.is_alive():
            raise RuntimeError(f"a client failed: {self.error or 'it hangs'}")
