"""Signed requests, fast: one connection that is kept, one signing key for each secret. Python's standard library only."""

import datetime
import functools
import hashlib
import hmac
import http.client
import json
import urllib.parse
import xml.etree.ElementTree

from world import REGION


@functools.lru_cache(maxsize=4096)
def signing_key(secret, day, service):
    key = b"AWS4" + secret.encode()
    for part in (day, REGION, service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key


class Key:
    def __init__(self, identifier, secret, token=None):
        self.identifier, self.secret, self.token = identifier, secret, token


class Answer:
    """What the server said. `code` is the error's name without a prefix, "" for success."""

    def __init__(self, status, text, code):
        self.status, self.text, self.code = status, text, code

    @property
    def json(self):
        return json.loads(self.text or "{}")

    @property
    def denied(self):
        return self.code in ("AccessDeniedException", "AccessDenied")

    def __str__(self):
        return f"{self.status} {self.text[:400]}"


class Client:
    def __init__(self, host, port):
        self.host, self.port = host, port
        self.connection = None

    def post(self, key, service, target, data, content_type):
        moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        signed = {"host": f"{self.host}:{self.port}", "x-amz-date": moment}
        if key.token:
            signed["x-amz-security-token"] = key.token
        if target:
            signed["x-amz-target"] = target
        names = ";".join(signed)
        lines = "".join(f"{name}:{value}\n" for name, value in signed.items())
        canonical = f"POST\n/\n\n{lines}\n{names}\n{hashlib.sha256(data).hexdigest()}"
        scope = f"{moment[:8]}/{REGION}/{service}/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        signature = hmac.new(signing_key(key.secret, moment[:8], service), text.encode(), hashlib.sha256).hexdigest()
        headers = {"Host": signed["host"], "Content-Type": content_type, "X-Amz-Date": moment, "User-Agent": "oracle/1",
                   "Authorization": f"AWS4-HMAC-SHA256 Credential={key.identifier}/{scope}, SignedHeaders={names}, Signature={signature}"}
        if key.token:
            headers["X-Amz-Security-Token"] = key.token
        if target:
            headers["X-Amz-Target"] = target
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            self.connection.request("POST", "/", data, headers)
            response = self.connection.getresponse()
            return response.status, response.read().decode("utf-8", "replace")
        except Exception:
            self.close()
            raise

    def dynamo(self, key, target, text):
        status, answer = self.post(key, "dynamodb", target, text.encode("utf-8", "surrogatepass"), "application/x-amz-json-1.0")
        code = ""
        if status != 200:
            try:
                code = json.loads(answer).get("__type", "").split("#")[-1] or str(status)
            except ValueError:
                code = str(status)
        return Answer(status, answer, code)

    def form(self, key, service, pairs):
        """A request of IAM or STS; `pairs` may repeat names."""
        data = urllib.parse.urlencode(pairs).encode()
        status, answer = self.post(key, service, None, data, "application/x-www-form-urlencoded; charset=utf-8")
        code = ""
        if status != 200:
            try:
                code = next(one.text for one in xml.etree.ElementTree.fromstring(answer).iter() if one.tag.rpartition("}")[2] == "Code")
            except (xml.etree.ElementTree.ParseError, StopIteration):
                code = str(status)
        return Answer(status, answer, code)

    def close(self):
        if self.connection:
            self.connection.close()
            self.connection = None


def field(answer, name):
    """The first element of that name in an XML answer."""
    for one in xml.etree.ElementTree.fromstring(answer.text).iter():
        if one.tag.rpartition("}")[2] == name:
            return one.text
    raise KeyError(f"{name} in {answer}")


def texts(answer, name):
    """The texts of all elements of that name in an XML answer."""
    return [one.text for one in xml.etree.ElementTree.fromstring(answer.text).iter() if one.tag.rpartition("}")[2] == name and one.text is not None]
