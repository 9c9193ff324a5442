"""Attacks that take nothing but what others wait for, and an innocent client on a key of its own.

Each attack runs for --attack-seconds against a server of its own. There are two controls, each as long as the attack:
  alone    the same client before the attack, with the machine as busy as others make it
  beside   the same client after the attack, beside processes that use as much processor time as the attackers did, and never touch the server
The bounds hold beyond the larger of both, so that neither a busy machine nor the attackers' own work is held against the server:
  p99      20 ms
  longest  200 ms
  memory   300 MB above idle
The last columns say who used the processors during the attack, in percent of one core: the attackers, the server, and how long the server's threads
were ready to run and had to wait for a core (/proc/PID/task/*/schedstat).
The innocent is a process of its own and sends, in turn, GetItem, PutItem and GET /healthz on one connection. The attackers are processes too, of
lower priority: the question is whom the server keeps waiting, not who has the machine."""

import base64
import gzip
import http.client
import multiprocessing
import os
import pathlib
import resource
import socket
import ssl
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rig"))
import worst_requests  # noqa: E402
from dynamo_client import HEADERS, DynamoClient, sign  # noqa: E402
from server_process import ServerProcess  # noqa: E402

P99_MS_MAX = 20
LONGEST_MS_MAX = 200
LARGE_ITEMS = 40
MEMORY_BYTES_MAX = 300 << 20
ROOT = pathlib.Path(__file__).resolve().parents[2]
CREDENTIALS = ROOT / "tests/rig/credentials"
MODELS = ROOT / "examples/models"
DISK = ("--sync", "always")  # The store on disk, its files in memory where that can be: what others do to the disk is not the question.
AUTH = ("--auth", "required", "--credentials", str(CREDENTIALS))
compact, key, TABLE = worst_requests.compact, worst_requests.key, worst_requests.TABLE


def add_arguments(parser):
    parser.add_argument("--attack-seconds", type=float, default=8)


def status_bytes(pid, field):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(text.split(field + ":")[1].split()[0]) * 1024


def schedule_of(pid):
    """The seconds that the threads of a process have run, and have waited for a core."""
    ran = waited = 0
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            fields = (thread / "schedstat").read_text().split()
        except OSError:
            continue  # It has ended since.
        ran, waited = ran + int(fields[0]), waited + int(fields[1])
    return ran / 1e9, waited / 1e9


# ---- The innocent


class Innocent:
    """Its latencies in milliseconds, from a process of its own."""

    def __init__(self, server, tls, signs):
        self.port, self.tls, self.signs = server.port, tls, signs
        self.stop, self.found = multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=self.run, daemon=True)

    def connect(self):
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=ssl._create_unverified_context())
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def run(self):
        item = key("innocent")
        asks = [("GetItem", compact({"TableName": TABLE, "Key": item})),
                ("PutItem", compact({"TableName": TABLE, "Item": item | {"txt": {"S": "x" * 100}}})), (None, None)]
        connection, times, failures = self.connect(), [], 0
        while not self.stop.is_set():
            for operation, body in asks:
                begun = time.monotonic()
                try:
                    if operation is None:
                        connection.request("GET", "/healthz")
                    else:
                        target = f"DynamoDB_20120810.{operation}"
                        signed = sign(f"127.0.0.1:{self.port}", target, body) if self.signs else {}
                        begun = time.monotonic()
                        connection.request("POST", "/", body, HEADERS | {"X-Amz-Target": target} | signed)
                    response = connection.getresponse()
                    response.read()
                    failures += response.status != 200
                except (OSError, http.client.HTTPException):
                    failures += 1
                    connection.close()
                    connection = self.connect()
                times.append((time.monotonic() - begun) * 1000)
            time.sleep(0.002)
        self.found.put((sorted(times), failures))

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *unused):
        self.stop.set()
        self.times, self.failures = self.found.get()
        self.process.join()

    def p99(self):
        return self.times[int(len(self.times) * 0.99)]

    def longest(self):
        return self.times[-1]


# ---- The attackers: each takes (port, number of the process) and goes on until it is killed


def http_request(operation, body, headers=None, target="/"):
    lines = dict(HEADERS, **{"X-Amz-Target": f"DynamoDB_20120810.{operation}"}, **(headers or {})) if operation else (headers or {})
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def connect(port, attempts=100):
    for _ in range(attempts):
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=60)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server takes no connections")


def read_answer(stream):
    """The next answer is read and dropped. `stream` is a file on a connection."""
    length = None
    while (line := stream.readline()) != b"\r\n":
        if not line:
            raise ConnectionError
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    if len(stream.read(length)) < length:
        raise ConnectionError


def ask_for_ever(port, requests, depth):
    """Sends the requests on one connection, `depth` of them at a time."""
    at = 0
    while True:
        try:
            with connect(port) as connection, connection.makefile("rb") as stream:
                while True:
                    connection.sendall(requests[at % len(requests)] * depth)
                    for _ in range(depth):
                        read_answer(stream)
                    at += 1
        except OSError:
            at += 1


def crowd_of(count, requests, depth=1):
    def attack(port, number):
        first = number % len(requests)
        threads = [threading.Thread(target=ask_for_ever, args=(port, requests[first:] + requests[:first], depth)) for _ in range(count)]
        for thread in threads:
            thread.start()

    return attack


def transaction_on(keys, text_bytes):
    return http_request("TransactWriteItems", compact({"TransactItems": [
        {"Put": {"TableName": TABLE, "Item": one | {"txt": {"S": "t" * text_bytes}}}} for one in keys]}))


def shared_keys():
    return [transaction_on([key("shared", n) for n in range(10)], 4_000)]


def large_on_shared_keys():
    return [transaction_on([key("shared", n) for n in range(10)], 90_000)]


def long_transactions():
    condition = worst_requests.joined(" OR ", lambda n: "contains(txt,:v)", 4090, 40)
    return [http_request("TransactWriteItems", compact({"TransactItems": [
        {"Update": {"TableName": TABLE, "Key": key("many", n), "UpdateExpression": "SET touched = :t",
                    "ConditionExpression": f"NOT ({condition})",
                    "ExpressionAttributeValues": {":v": {"S": "a" * 2000 + "b"}, ":t": {"N": "1"}}}} for n in range(10)]}))]


def hot_counter():
    return [http_request("UpdateItem", compact({
        "TableName": TABLE, "Key": key("counter"), "UpdateExpression": "ADD n :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}))]


def statements_on_shared_keys():
    return [http_request("ExecuteTransaction", compact({"TransactStatements": [
        {"Statement": f"UPDATE \"{TABLE}\" SET txt='{'s' * 4000}' WHERE pk='shared' AND sk='{n:06}'"} for n in range(10)]}))]


def slow_readers(port, number):
    """They ask for megabytes and take a kilobyte per second."""
    keys = [key("many", n) for n in range(LARGE_ITEMS)]
    big = http_request("BatchGetItem", compact({"RequestItems": {TABLE: {"Keys": keys}}}))
    readers = []
    while True:
        while len(readers) < 150:
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", port))
            connection.sendall(big)
            connection.setblocking(False)
            readers.append(connection)
        time.sleep(1)
        for connection in list(readers):
            try:
                if connection.recv(1024) == b"":
                    raise ConnectionError
            except BlockingIOError:
                pass
            except OSError:
                connection.close()
                readers.remove(connection)


def slow_writers(port, number):
    """They announce 16 MB, send nearly a megabyte and then one byte per second."""
    head = http_request("PutItem", b"", {}).replace(b"Content-Length: 0", b"Content-Length: 16000000")
    writers, begun = [], head + b" " * 800_000

    def begin():
        connection = connect(port)
        connection.settimeout(2)
        try:
            connection.sendall(begun)
        except OSError:
            pass
        writers.append(connection)

    while True:
        for _ in range(300 - len(writers)):
            begin()
        time.sleep(1)
        for connection in list(writers):
            try:
                connection.sendall(b" ")
            except OSError:
                connection.close()
                writers.remove(connection)


def half_open(beginning, count):
    """They connect, send that, and say no more; whoever is dropped comes back."""
    def attack(port, number):
        connections = []
        while True:
            while len(connections) < count:
                connection = connect(port)
                if beginning:
                    connection.sendall(beginning)
                connection.setblocking(False)
                connections.append(connection)
            time.sleep(0.5)
            for connection in list(connections):
                try:
                    if connection.recv(65536) == b"":
                        raise ConnectionError
                except BlockingIOError:
                    pass
                except OSError:
                    connection.close()
                    connections.remove(connection)

    return attack


def tls_greeting():
    """A whole greeting, to which the server answers with its certificate; the client never does."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = ssl._create_unverified_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        session.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def tls_handshakes(port, number):
    """Handshake after handshake, each of which costs the server a signature."""
    context = ssl._create_unverified_context()
    while True:
        try:
            context.wrap_socket(connect(port)).close()
        except OSError:
            pass


def bombs():
    names = [gzip.compress(b" " * 16_000_000, 9), gzip.compress(b'{"X":[' + b"1," * 7_900_000 + b"1]}", 9), gzip.compress(b" " * 100_000_000, 9)]
    return [http_request("PutItem", body, {"Content-Encoding": "gzip"}) for body in names]


def forms():
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    return [http_request(None, b"Action=GetCallerIdentity&Version=2011-06-15&" + b"a=b&" * 3_900_000, form),
            http_request(None, b"&".join(b"a%d=%%41" % n for n in range(1_000_000)) + b"&Action=ListUsers&Version=2010-05-08", form),
            http_request(None, b"Action=ListUsers&Version=2010-05-08&" + b"a=b&" * 15_000, form)]


def forged_bodies():
    """Signed with a key that exists and a signature that is wrong: the server has to hash them all to find out."""
    body = b"{" + b" " * 15_900_000 + b"}"
    moment = sign("127.0.0.1", "DynamoDB_20120810.PutItem", b"")
    return [http_request("PutItem", body, {"X-Amz-Date": moment["X-Amz-Date"],
                                           "Authorization": moment["Authorization"].rsplit("=", 1)[0] + "=" + "0" * 64})]


def hostile_models():
    """Models that take as long as they can, and texts that are none: the page's routes must not hold up the database."""
    sources = sorted((path.read_text() for path in MODELS.glob("*.prejoin")), key=len)[-6:]
    sources += ["x" * 900_000, "{" * 500_000, "# " + "(" * 900_000, "\n".join(f"entity E{n} {{ id: text }}" for n in range(20_000)),
                base64.b64encode(os.urandom(200_000)).decode()]
    json_type = {"Content-Type": "application/json"}
    requests = [http_request(None, compact({"source": source}), json_type, f"/model/{path}")
                for path in ("check", "format", "plan", "cost", "advise", "tables", "gen", "design", "prove") for source in sources]
    rows = {"tables": [{"name": "T", "items": [{f"c{n}": "v" for n in range(5_000)}] * 20}]}
    return requests + [http_request(None, compact(rows), json_type, "/model/infer")]


def attacks():
    """(name, attack, processes, server options, over TLS)"""
    yield "two clients on shared keys", crowd_of(1, shared_keys(), 8), 2, DISK, False
    yield "eight clients on shared keys", crowd_of(4, shared_keys(), 8), 2, DISK, False
    yield "large transactions on shared keys", crowd_of(4, large_on_shared_keys()), 2, DISK, False
    yield "long transactions", crowd_of(4, long_transactions()), 2, DISK, False
    yield "statements on shared keys", crowd_of(4, statements_on_shared_keys()), 2, (), False
    yield "one counter", crowd_of(16, hot_counter()), 2, (), False
    yield "slow readers", slow_readers, 2, (), False
    yield "slow writers", slow_writers, 2, (), False
    yield "half-open connections", half_open(b"", 1_000), 2, (), False
    yield "half a header", half_open(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", 1_000), 2, (), False
    yield "half-open TLS", half_open(tls_greeting(), 300), 2, ("--tls-self-signed",), True
    yield "TLS handshakes", tls_handshakes, 2, ("--tls-self-signed",), True
    yield "gzip bombs", crowd_of(16, bombs()), 2, (), False
    yield "form bodies", crowd_of(8, forms()), 2, AUTH, False
    yield "forged signatures", crowd_of(4, forged_bodies()), 2, AUTH, False
    yield "hostile models", crowd_of(4, hostile_models()), 2, (), False


class SecureServer(ServerProcess):
    """ServerProcess finds the line of a server with TLS as well."""

    def start(self):
        self.launch()
        line = ""
        for line in iter(lambda: self.process.stdout.readline().decode(), ""):
            if "listening on https://" in line:
                break
        else:
            self.kill()
            raise RuntimeError(f"the server did not start: {line}")
        self.port = int(line.split("https://")[1].split(":")[1].split()[0].rstrip("/,"))
        self.endpoint = f"https://127.0.0.1:{self.port}"
        return self


def fill(server, tls, signs):
    """The table and what the attacks read, through whatever the server speaks."""
    client = DynamoClient(server.endpoint)
    if tls:
        client.connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=60, context=ssl._create_unverified_context())
    if signs:
        os.environ["PREJOIN_SERVE_OPTIONS"] = " "
    try:
        worst_requests.create_table(client)
        for number in range(LARGE_ITEMS):
            client.call("PutItem", TableName=TABLE, Item=key("many", number) | {"txt": {"S": "a" * worst_requests.ITEM_BYTES}})
    finally:
        if signs:
            del os.environ["PREJOIN_SERVE_OPTIONS"]


def begin(attack, port, number):
    os.nice(5)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    attack(port, number)


def burner(share):
    """An attacker's place in the control: it uses that share of a core, in short pieces, and touches nobody."""
    def burn(port, number):
        period = 0.01
        while True:
            end = time.monotonic() + period
            busy_until = time.thread_time() + share * period
            while time.thread_time() < busy_until:
                pass
            time.sleep(max(0.0, end - time.monotonic()))

    return burn


class Processes:
    """Runs an attack, or a control, in so many processes."""

    def __init__(self, attack, port, count):
        self.all = [multiprocessing.Process(target=begin, args=(attack, port, n), daemon=True) for n in range(count)]

    def __enter__(self):
        for process in self.all:
            process.start()
        return self

    def __exit__(self, *unused):
        self.alive = all(process.is_alive() for process in self.all)
        self.seconds = sum(schedule_of(process.pid)[0] for process in self.all if process.is_alive())
        for process in self.all:
            process.kill()
        for process in self.all:
            process.join()


def print_row(name, alone, beside, innocent, memory, shares, marks):
    print(f"{name:<34} {alone.p99():>6.1f} {alone.longest():>6.1f} {beside.p99():>7.1f} {beside.longest():>7.1f} {innocent.p99():>7.1f} "
          f"{innocent.longest():>7.1f} {memory / 1e6:>7.1f} {len(innocent.times):>7} " + " ".join(f"{share:>8.0%}" for share in shares)
          + f"  {' '.join(marks)}", flush=True)


def run_one(name, attack, processes, options, tls, seconds):
    signs = "--auth" in options
    folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    if tls:
        options += ("--tls-dir", folder.name)
    server = (SecureServer if tls else ServerProcess)(folder.name if options == DISK else None, options).start()
    try:
        fill(server, tls, signs)
        with Innocent(server, tls, signs) as alone:
            time.sleep(seconds)
        pid = server.process.pid
        idle = status_bytes(pid, "VmRSS")
        pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
        before = schedule_of(pid)
        with Innocent(server, tls, signs) as innocent, Processes(attack, server.port, processes) as attackers:
            time.sleep(seconds)
            after = schedule_of(pid)
        memory = status_bytes(pid, "VmHWM") - idle
        share = min(1.0, attackers.seconds / processes / seconds)
        with Innocent(server, tls, signs) as beside, Processes(burner(share), server.port, processes):
            time.sleep(seconds)
    finally:
        server.stop()
        folder.cleanup()
    shares = [attackers.seconds / seconds, (after[0] - before[0]) / seconds, (after[1] - before[1]) / seconds]
    marks = [mark for mark, bad in (
        ("p99", innocent.p99() > P99_MS_MAX + max(alone.p99(), beside.p99())),
        ("longest", innocent.longest() > LONGEST_MS_MAX + max(alone.longest(), beside.longest())),
        ("memory", memory > MEMORY_BYTES_MAX), ("answers", innocent.failures > 0), ("attackers", not attackers.alive)) if bad]
    print_row(name, alone, beside, innocent, memory, shares, marks)
    return not marks


def run(arguments):
    fine, count = True, 0
    print(f"{'':<34} {'alone, ms':^13} {'beside, ms':^15} {'attacked, ms':^15} {'memory':>7} {'':>7} {'share of a core':^26}\n"
          f"{'attack':<34} {'p99':>6} {'max':>6} {'p99':>7} {'max':>7} {'p99':>7} {'max':>7} {'MB':>7} {'answers':>7} "
          f"{'attacker':>8} {'server':>8} {'waits':>8}")
    for name, *attack in attacks():
        if arguments.only and arguments.only not in name:
            continue
        count += 1
        fine &= run_one(name, *attack, arguments.attack_seconds)
    return fine and count > 0
