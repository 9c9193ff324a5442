"""Counts the instructions of a request under callgrind, apart from start, tables and timers. For bench/instructions and tests/speed.

A server runs with one event loop, and requests come one after the other, each in one piece, so that it reads every one with one call. Counts are
kept for each thread: what a thread does with more requests, and not with fewer, the requests cost. The first thread is left out, because it only
starts the server and takes it apart. Two runs of one program then differ by less than one in a thousand.
"""

import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

WARMING, MEASURED = 20, 300
TABLE = {
    "TableName": "Enrolments", "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "city")],
    "GlobalSecondaryIndexes": [{"IndexName": "ByCity", "KeySchema": [{"AttributeName": "city", "KeyType": "HASH"},
                                                                     {"AttributeName": "sk", "KeyType": "RANGE"}],
                                "Projection": {"ProjectionType": "ALL"}}]}


def key(number):
    return {"pk": {"S": f"STUDENT#{number // 20:06}"}, "sk": {"S": f"COURSE#{number % 20:04}"}}


def item(number):
    return {**key(number), "city": {"S": f"CITY#{number // 20}"}, "name": {"S": "Ada Lovelace"}, "grade": {"N": "93.5"},
            "tags": {"SS": ["honours", "maths"]}}


REQUESTS = {
    "GetItem": lambda n: {"TableName": "Enrolments", "Key": key(n % 400)},
    "PutItem": lambda n: {"TableName": "Enrolments", "Item": item(1000 + n)},
    "UpdateItem": lambda n: {"TableName": "Enrolments", "Key": key(n % 400), "UpdateExpression": "SET grade = :g",
                             "ExpressionAttributeValues": {":g": {"N": str(n)}}},
    "Query": lambda n: {"TableName": "Enrolments", "KeyConditionExpression": "pk = :p",
                        "ExpressionAttributeValues": {":p": {"S": f"STUDENT#{n % 20:06}"}}},
    "Query of the index": lambda n: {"TableName": "Enrolments", "IndexName": "ByCity", "KeyConditionExpression": "city = :c",
                                     "ExpressionAttributeValues": {":c": {"S": f"CITY#{n % 20}"}}},
    "TransactWriteItems": lambda n: {"TransactItems": [{"Put": {"TableName": "Enrolments", "Item": item(1000 + 3 * n + k)}} for k in range(3)]},
}


class Server:
    """`options` are more of `prejoin serve`'s; `tool` is what runs the program."""

    def __init__(self, program, folder, store, options=(), tool=None):
        """`store`: memory, disk, or files, which is a disk with what write_files wrote."""
        where = ["--memory"] if store == "memory" else ["--data", str(folder / "data")]
        self.folder = folder
        if tool is None:
            tool = ["valgrind", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={folder}/counts"]
        self.process = subprocess.Popen(
            [*tool, program, "serve", "--port", "0", "--threads", "1", "--log-level", "error", *where, *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = re.search(r":(\d+)$", self.process.stdout.readline().strip()).group(1)
        self.socket = socket.create_connection(("127.0.0.1", int(port)), timeout=120)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.answers = self.socket.makefile("rb")

    def call(self, operation, request):
        body = json.dumps(request).encode()
        fields = {
            "Host": "localhost", "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20260101T000000Z", "Content-Length": len(body),
            "Authorization": "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x"}
        head = "POST / HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
        self.socket.sendall(head.encode() + body)
        status = self.answers.readline().decode()
        answer_bytes = 0
        while (line := self.answers.readline().decode().strip()):
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                answer_bytes = int(value)
        answer = self.answers.read(answer_bytes)
        if " 200 " not in status:
            sys.exit(f"{operation}: {status.strip()} {answer[:300]}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=120)
        self.socket.close()

    def end(self):
        """The instructions of each thread, by its number."""
        self.stop()
        counts = {}
        for file in self.folder.glob("counts-*"):
            found = re.search(r"^(?:summary|totals): (\d+)", file.read_text(), re.M)
            counts[int(file.name.split("-")[1])] = int(found.group(1)) if found else 0
        return counts


def put(server, numbers):
    for first in range(0, len(numbers), 25):
        server.call("BatchWriteItem", {"RequestItems": {"Enrolments": [{"PutRequest": {"Item": item(n)}} for n in numbers[first:first + 25]]}})


def write_files(program, folder):
    """Three table files, each with a third of the items of every partition: a store flushes what is in memory when it is closed."""
    for part in range(3):
        server = Server(program, folder, "disk", tool=[])
        if part == 0:
            server.call("CreateTable", TABLE)
        put(server, range(part, 400, 3))
        server.stop()
    assert len(list(folder.glob("data/*.sst"))) == 3, list(folder.glob("data/*"))


def load(server, store="memory"):
    """Makes the table, unless its files have been written, and sends a few requests of every kind."""
    if store != "files":
        server.call("CreateTable", TABLE)
        put(server, range(400))
    for name, request in REQUESTS.items():
        for number in range(WARMING):
            server.call(name.split(" ")[0], request(number))


def count(program, store, operation=None, requests=0, options=()):
    """Of a run that sends a few requests of every kind and then so many of one, by thread."""
    with tempfile.TemporaryDirectory() as folder:
        if store == "files":
            write_files(program, pathlib.Path(folder))
        server = Server(program, pathlib.Path(folder), store, options)
        load(server, store)
        for number in range(WARMING, WARMING + requests):
            server.call(operation.split(" ")[0], REQUESTS[operation](number))
        return server.end()


def per_request(program, store, operations, options=()):
    """Yields (operation, instructions of one request)."""
    fewer = count(program, store, options=options)
    for operation in operations:
        more = count(program, store, operation, MEASURED, options)
        yield operation, sum(more[thread] - fewer.get(thread, 0) for thread in more if thread != 1) / MEASURED
