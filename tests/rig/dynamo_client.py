"""A DynamoDB client of a few lines: one keep-alive connection, requests and answers as plain JSON. Standard library only.

The signature is a made-up one of the right form: enough for servers that look at it without checking it. With PREJOIN_SERVE_OPTIONS, which may
ask the server to check, it is a real one, with the key and secret "test".
"""

import datetime
import hashlib
import hmac
import http.client
import json
import os
import random
import urllib.parse

HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20250101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64,
}


def sign(host, target, data, service="dynamodb"):
    """The headers of a signed request; other services than DynamoDB have no target."""
    moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{moment[:8]}/us-east-1/{service}/aws4_request"
    signed = {"host": host, "x-amz-date": moment} | ({"x-amz-target": target} if target else {})
    names = ";".join(signed)
    lines = "".join(f"{name}:{value}\n" for name, value in signed.items())
    canonical = f"POST\n/\n\n{lines}\n{names}\n{hashlib.sha256(data).hexdigest()}"
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = b"AWS4test"
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return {"X-Amz-Date": moment, "Authorization": f"AWS4-HMAC-SHA256 Credential=test/{scope}, SignedHeaders={names}, Signature={signature}"}


class DynamoError(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {json.dumps(body)}")
        self.status = status
        self.body = body
        self.name = str(body.get("__type", "")).split("#")[-1]


class DynamoClient:
    def __init__(self, endpoint, timeout=60):
        self.address = urllib.parse.urlsplit(endpoint)
        self.timeout = timeout
        self.connection = None

    def post(self, operation, body, service="DynamoDB_20120810"):
        """(status, answer) for a request body that may be anything, valid JSON or not."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        target = f"{service}.{operation}"
        headers = HEADERS | {"X-Amz-Target": target}
        if os.environ.get("PREJOIN_SERVE_OPTIONS"):
            headers |= sign(self.address.netloc, target, data)
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port or 80, timeout=self.timeout)
        try:
            self.connection.request("POST", "/", data, headers)
            response = self.connection.getresponse()
            text = response.read()
        except Exception:
            self.close()
            raise
        return response.status, json.loads(text) if text else {}

    def call(self, operation, service="DynamoDB_20120810", **body):
        status, answer = self.post(operation, body, service)
        if status != 200:
            raise DynamoError(status, answer)
        return answer

    def scan_all(self, **body):
        items = []
        while True:
            page = self.call("Scan", **body)
            items += page["Items"]
            if "LastEvaluatedKey" not in page:
                return items
            body["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


class SpreadClient(DynamoClient):
    """Sends each request to one of several servers, at random. `address` is the last one's."""

    def __init__(self, endpoints, timeout=60):
        super().__init__(endpoints[0], timeout)
        self.clients = [DynamoClient(endpoint, timeout) for endpoint in endpoints]

    def post(self, operation, body, service="DynamoDB_20120810"):
        client = random.choice(self.clients)
        self.address = client.address
        return client.post(operation, body, service)

    def close(self):
        for client in self.clients:
            client.close()
