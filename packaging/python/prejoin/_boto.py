"""boto3 and aiobotocore in process: their requests are answered by a Database, before a socket is opened.

botocore emits `before-send` for each request; the first handler that returns a response replaces the HTTP call. Retries, parsing and modelled
exceptions run as ever. Nobody verifies the signature, which is a quarter of the cost of a call, so requests are not signed.
"""

import contextlib
import io
import itertools
import os

from ._database import Database

CREDENTIALS = {"aws_access_key_id": "prejoin", "aws_secret_access_key": "prejoin"}
SERVICES = ("dynamodb", "dynamodb-streams")

_request_numbers = itertools.count(1)


class _Body(bytes):
    """Bytes that can also be awaited, because aiobotocore awaits the content of a response."""

    def __await__(self):
        return bytes(self)
        yield  # Makes this a generator, which is what __await__ returns.


class _Raw(io.BytesIO):
    """What AWSResponse reads its content from."""

    def __init__(self, content, headers):
        super().__init__(content)
        self.raw_headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    def stream(self, **_):
        yield self.getvalue()


def _response(url, status, body):
    from botocore.awsrequest import AWSResponse, HeadersDict

    class Response(AWSResponse):
        @property
        def content(self):
            return _Body(body)

    headers = HeadersDict({
        "x-amzn-RequestId": f"{next(_request_numbers):052X}",
        "Content-Type": "application/x-amz-json-1.0",
        "Content-Length": str(len(body)),
    })
    return Response(url, status, headers, _Raw(body, headers))


def _answer(database, request):
    target = request.headers.get("X-Amz-Target", "")
    body = request.body or b""
    if hasattr(body, "read"):
        body = body.read()
    status, answer = database.raw(target, body if isinstance(body, bytes) else body.encode())
    return _response(request.url, status, answer)


def _events_of(target):
    if hasattr(target, "meta") and hasattr(target.meta, "client"):  # boto3 resource
        target = target.meta.client
    if hasattr(target, "meta"):  # Client, also aiobotocore's.
        return target.meta.events
    session = getattr(target, "_session", target)  # boto3's and aioboto3's sessions have botocore's inside.
    return session.get_component("event_emitter")


def patch(target, database=None):
    """Lets a boto3, botocore, aiobotocore or aioboto3 session, client or resource use `database`, or a new one in memory, instead of AWS.

    Patch a session before it makes clients: those it has made already stay as they are. Returns the database.
    """
    database = database if database is not None else Database()
    events = _events_of(target)
    for service in SERVICES:
        events.register_first(f"before-send.{service}", lambda request, **_: _answer(database, request), unique_id=f"prejoin-send-{service}")
        events.register_first(f"choose-signer.{service}", _unsigned, unique_id=f"prejoin-sign-{service}")
    return database


def _unsigned(**_):
    from botocore import UNSIGNED

    return UNSIGNED


_current = []  # The databases of the `mock` blocks that are open, the innermost last.
_built_in = False


def _answer_current(request, **_):
    return _answer(_current[-1], request) if _current else None


def _unsigned_current(**_):
    return _unsigned() if _current else None


def _build_in():
    """Adds the handlers to every session that botocore makes from now on; they do nothing outside of `mock`."""
    global _built_in
    if not _built_in:
        import botocore.handlers

        for service in SERVICES:
            botocore.handlers.BUILTIN_HANDLERS += [(f"before-send.{service}", _answer_current), (f"choose-signer.{service}", _unsigned_current)]
        _built_in = True


@contextlib.contextmanager
def mock(database=None):
    """All DynamoDB clients that boto3 makes inside the block use `database`, or a new one in memory. Also a decorator, as moto's mock_aws.

    The environment gets credentials that AWS does not know, so that no request can reach it by accident, and a region if there is none.
    """
    _build_in()
    fresh = database is None
    database = Database() if fresh else database
    values = {"AWS_ACCESS_KEY_ID": "prejoin", "AWS_SECRET_ACCESS_KEY": "prejoin",
              "AWS_DEFAULT_REGION": os.environ.get("AWS_DEFAULT_REGION", "us-east-1")}
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    _forget_default_session()
    _current.append(database)
    try:
        yield database
    finally:
        _current.remove(database)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        _forget_default_session()
        if fresh:
            database.close()


def _forget_default_session():
    """boto3's own session may have been made before the handler was there, or with other credentials."""
    import sys

    boto3 = sys.modules.get("boto3")
    if boto3 is not None:
        boto3.DEFAULT_SESSION = None
