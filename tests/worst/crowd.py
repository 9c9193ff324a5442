"""Many connections that do little: idle ones, readers of one byte per second, senders of one byte per second.

Bounds: memory of the server under 1 GB, and the speed of one ordinary client at 80 % of what it is alone."""

import pathlib
import resource
import selectors
import socket
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rig"))
import worst_requests  # noqa: E402
from dynamo_client import HEADERS, DynamoClient  # noqa: E402
from server_process import ServerProcess  # noqa: E402

MEMORY_BYTES_MAX = 1 << 30
SPEED_SHARE_MIN = 0.8


def add_arguments(parser):
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--readers", type=int, default=1_000)
    parser.add_argument("--senders", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=300)


def resident_bytes(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) * 1024


def speed(client, seconds):
    """GetItem calls per second of one client."""
    body = worst_requests.compact({"TableName": worst_requests.TABLE, "Key": worst_requests.key("probe")})
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        status, _ = client.post("GetItem", body)
        assert status == 200, status
        count += 1
    return count / seconds


def http_request(operation, body):
    head = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
    return (f"POST / HTTP/1.1\r\nHost: localhost\r\n{head}X-Amz-Target: DynamoDB_20120810.{operation}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


class Crowd:
    """Keeps its numbers up: whoever is dropped comes back."""

    def __init__(self, port, arguments):
        self.port, self.arguments, self.ending = port, arguments, False
        keys = [worst_requests.key("many", n) for n in range(10)]
        self.big = http_request("BatchGetItem", worst_requests.compact({"RequestItems": {worst_requests.TABLE: {"Keys": keys}}}))
        self.slow = http_request("PutItem", b" " * 10_000)
        self.dropped = {"reader": 0, "sender": 0, "idle": 0}
        self.thread = threading.Thread(target=self.run)

    def connect(self, kind):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", self.port))
        if kind == "reader":
            connection.sendall(self.big)
        connection.setblocking(False)
        return [kind, connection, 0]

    def step(self, member):
        """One byte, once per second. False if the server has closed."""
        kind, connection, at = member
        try:
            if kind == "sender":
                connection.send(self.slow[at:at + 1])
                member[2] = at + 1
            elif kind == "reader":
                return connection.recv(1) != b""
            return True
        except BlockingIOError:
            return True
        except OSError:
            return False

    def run(self):
        wanted = [("idle", self.arguments.idle), ("reader", self.arguments.readers), ("sender", self.arguments.senders)]
        idle = selectors.DefaultSelector()
        active = []
        for kind, count in wanted:
            for _ in range(count):
                member = self.connect(kind)
                if kind == "idle":
                    idle.register(member[1], selectors.EVENT_READ, member)
                else:
                    active.append(member)
        self.ready.set()
        while not self.ending:
            begun = time.monotonic()
            for index, member in enumerate(active):
                if not self.step(member):
                    member[1].close()
                    self.dropped[member[0]] += 1
                    active[index] = self.connect(member[0])
            for selected, _ in idle.select(0):
                idle.unregister(selected.fileobj)
                selected.fileobj.close()
                self.dropped["idle"] += 1
                member = self.connect("idle")
                idle.register(member[1], selectors.EVENT_READ, member)
            time.sleep(max(0.0, 1 - (time.monotonic() - begun)))

    def __enter__(self):
        self.ready = threading.Event()
        self.thread.start()
        self.ready.wait()
        return self

    def __exit__(self, *unused):
        self.ending = True
        self.thread.join()


def run(arguments):
    needed = 2 * (arguments.idle + arguments.readers + arguments.senders) + 1000
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(needed, hard), hard))
    with ServerProcess() as server:
        client = DynamoClient(server.endpoint)
        worst_requests.fill(client)
        alone = speed(client, 3)
        peak, shares = 0, []
        with Crowd(server.port, arguments) as crowd:
            end = time.monotonic() + arguments.seconds
            while time.monotonic() < end:
                shares.append(speed(client, 2))
                peak = max(peak, resident_bytes(server.process.pid))
        middle = sorted(shares)[len(shares) // 2]
        print(f"one client alone: {alone:.0f}/s; in the crowd: {middle:.0f}/s ({middle / alone:.0%}); "
              f"peak memory {peak / 1e6:.0f} MB; dropped {crowd.dropped}")
        return peak < MEMORY_BYTES_MAX and middle >= SPEED_SHARE_MIN * alone
