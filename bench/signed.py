#!/usr/bin/python3
"""What a verified GetItem costs beside an unverified one: the same signed requests, sent to a server with `--auth off`, `verify` and
`required` in turn. Compared is processor time, which tells such a difference where a rate on a shared machine does not.

  bench/signed.py [--rounds 5] [--seconds 2]

The callers: `required` is an administrator, whose policy has no conditions; `tenant` is a role of a model, with LeadingKeys.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import urllib.parse
import urllib.request

import peers
from dynamo_client import DynamoClient, sign

HERE = pathlib.Path(__file__).resolve().parent
CREDENTIALS = HERE.parent / "tests/rig/credentials"
KEYS = 1000
CONNECTIONS = 32
# Headers as an SDK sends them; three of them are signed, as `sign` does it.
AGENT = "aws-sdk-js/3.948.0 ua/2.1 os/linux lang/js md/nodejs#20.11.1 api/dynamodb#3.948.0"
TABLE = {"TableName": "Bench", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}
TENANT_POLICY = {"Version": "2012-10-17", "Statement": [{
    "Sid": "OwnRows", "Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:PutItem"],
    "Resource": ["arn:aws:dynamodb:*:*:table/Bench", "arn:aws:dynamodb:*:*:table/Bench/index/*"],
    "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["STUDENT#*"]}}}]}


def item(number):
    return {"pk": {"S": f"STUDENT#{number:08d}"}, "name": {"S": "Ada Lovelace"}, "year": {"N": "3"}, "email": {"S": "ada@example.edu"},
            "major": {"S": "Mathematics"}, "courses": {"L": [{"S": "C1"}, {"S": "C2"}]}, "active": {"BOOL": True}}


def request(host, operation, body):
    data = json.dumps(body, separators=(",", ":")).encode()
    target = "DynamoDB_20120810." + operation
    headers = {"Host": host, "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": target, "User-Agent": AGENT,
               "amz-sdk-invocation-id": "b0b8a4a6-5f5c-4b8e-8a7e-1b2c3d4e5f60", "amz-sdk-request": "attempt=1; max=3",
               "Content-Length": str(len(data)), **sign(host, target, data)}
    return ("POST / HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n").encode() + data


class Server:
    def __init__(self, name, options, folder):
        port = peers.free_port()
        own = folder / name
        own.mkdir()
        self.name = name
        self.host = f"127.0.0.1:{port}"
        command = [str(peers.RELEASE / "prejoin"), "serve", "--memory", "--port", str(port), *options]
        self.peer = peers.Peer(name, "memory", command, port, own)
        self.replay = own / "requests"

    def load(self):
        # The client signs only where it must.
        os.environ["PREJOIN_SERVE_OPTIONS"] = "--auth required"
        client = DynamoClient(self.peer.endpoint)
        client.call("CreateTable", **TABLE)
        for number in range(KEYS):
            client.call("PutItem", TableName="Bench", Item=item(number))
        client.close()

    def become_tenant(self):
        """Takes from the caller what the policy does not allow."""
        form = {"Action": "PutUserPolicy", "Version": "2010-05-08", "UserName": "test", "PolicyName": "AdministratorAccess",
                "PolicyDocument": json.dumps(TENANT_POLICY)}
        data = urllib.parse.urlencode(form).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded", **sign(self.host, None, data, "iam")}
        with urllib.request.urlopen(urllib.request.Request(self.peer.endpoint + "/", data, headers), timeout=10) as answer:
            answer.read()

    def prepare(self):
        """Signs anew: a request is good for five minutes."""
        with open(self.replay, "wb") as file:
            for number in range(KEYS):
                text = request(self.host, "GetItem", {"TableName": "Bench", "Key": {"pk": item(number)["pk"]}})
                file.write(b"%d\n" % len(text) + text)

    def processor_ns(self):
        tasks = pathlib.Path(f"/proc/{self.peer.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir())

    def measure(self, seconds):
        """Microseconds of processor time for one request."""
        self.prepare()
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(HERE / "replay.lua"), self.peer.endpoint + "/", "--", str(self.replay)]
        before = self.processor_ns()
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        used = self.processor_ns() - before
        result = json.loads(next(line for line in output.splitlines() if line.startswith("RESULT"))[7:])
        if result["refused"] or result["broken"]:
            raise RuntimeError(f"{self.name}: {result}")
        return used / result["requests"] / 1000


def measure_all(rounds, seconds, folder):
    """Microseconds of processor time for a request, of every round, by name of the server. The servers take turns."""
    verified = ["--credentials", str(CREDENTIALS), "--auth"]
    servers = []
    try:
        for name, options in (("off", []), ("verify", [*verified, "verify"]), ("required", [*verified, "required"]),
                              ("tenant", [*verified, "required"])):
            servers.append(Server(name, options, folder))
            servers[-1].load()
        servers[-1].become_tenant()
        taken = {server.name: [] for server in servers}
        for _ in range(rounds):
            for server in servers:
                taken[server.name].append(server.measure(seconds))
    finally:
        for server in servers:
            server.peer.stop()
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        taken = measure_all(arguments.rounds, arguments.seconds, pathlib.Path(folder))
    unverified = statistics.median(taken["off"])
    for name, values in taken.items():
        median = statistics.median(values)
        print(f"{name:<10} {median:6.2f} µs of processor time for a GetItem ({min(values):.2f} – {max(values):.2f}), {median / unverified - 1:+.1%}, "
              f"by the quietest rounds {min(values) / min(taken['off']) - 1:+.1%}")


if __name__ == "__main__":
    main()
