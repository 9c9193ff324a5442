"""A database inside this process."""

import ctypes
import json
import threading
import weakref

from ._library import checked, load


class Snapshot:
    """The contents of a database at one moment. It never changes; any number of databases can be made of it."""

    def __init__(self, handle):
        self._handle = handle
        self._free = weakref.finalize(self, load().prejoin_snapshot_free, handle)

    def open(self):
        """A new database with these contents. It takes well under a millisecond, whatever their size."""
        handle, error = ctypes.c_void_p(), ctypes.c_void_p()
        checked(load().prejoin_snapshot_open(self._handle, ctypes.byref(handle), ctypes.byref(error)), error)
        return Database._of(handle)


class Database:
    """A DynamoDB-compatible database. Thread-safe.

    Without `path` everything is in memory. `sync` is "always" (default: a write is answered after its log is on disk) or "none".
    """

    def __init__(self, path=None, *, sync=None, region=None, account=None, cache_mb=None, ttl_sweep_seconds=None):
        options = {"path": str(path) if path is not None else None, "sync": sync, "region": region, "account": account,
                   "cache_mb": cache_mb, "ttl_sweep_seconds": ttl_sweep_seconds}
        text = json.dumps({name: value for name, value in options.items() if value is not None})
        handle, error = ctypes.c_void_p(), ctypes.c_void_p()
        checked(load().prejoin_open(text.encode(), ctypes.byref(handle), ctypes.byref(error)), error)
        self._start(handle)

    @classmethod
    def _of(cls, handle):
        database = cls.__new__(cls)
        database._start(handle)
        return database

    def _start(self, handle):
        self._library = load()
        self._handle = handle
        self._idle = threading.Condition()
        self._calls = 0
        self._close = weakref.finalize(self, self._library.prejoin_close, handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Waits for calls on other threads, then closes. Calls that come later raise ValueError."""
        with self._idle:
            handle, self._handle = self._handle, None
            while self._calls:
                self._idle.wait()
        if handle is not None:
            self._close()

    def _enter(self):
        with self._idle:
            if self._handle is None:
                raise ValueError("the database is closed")
            self._calls += 1
            return self._handle

    def _leave(self):
        with self._idle:
            self._calls -= 1
            if not self._calls:
                self._idle.notify_all()

    def raw(self, operation, body):
        """(HTTP status, answer bytes) of a request. `operation` is its name or an X-Amz-Target; `body` its JSON as bytes."""
        name = operation if isinstance(operation, bytes) else operation.encode()
        answer, size = ctypes.c_void_p(), ctypes.c_size_t()
        handle = self._enter()
        try:
            status = self._library.prejoin_call(handle, name, body, len(body), ctypes.byref(answer), ctypes.byref(size))
        finally:
            self._leave()
        if not answer.value:
            raise MemoryError("no memory for the answer")
        try:
            return status, ctypes.string_at(answer.value, size.value)
        finally:
            self._library.prejoin_free(answer)

    def call(self, operation, **request):
        """The answer to a request in DynamoDB's JSON, as a dict. Raises RequestError if it is refused."""
        status, answer = self.raw(operation, json.dumps(request).encode())
        parsed = json.loads(answer)
        if status != 200:
            raise RequestError(status, parsed)
        return parsed

    def snapshot(self):
        """The contents as they are now. The cost does not depend on their size."""
        snapshot, error = ctypes.c_void_p(), ctypes.c_void_p()
        handle = self._enter()
        try:
            checked(self._library.prejoin_snapshot_take(handle, ctypes.byref(snapshot), ctypes.byref(error)), error)
        finally:
            self._leave()
        return Snapshot(snapshot)

    def restore(self, snapshot):
        """Puts everything back to the snapshot, which may be of another database."""
        error = ctypes.c_void_p()
        handle = self._enter()
        try:
            checked(self._library.prejoin_snapshot_restore(handle, snapshot._handle, ctypes.byref(error)), error)
        finally:
            self._leave()

    def advance(self, seconds):
        """Moves the clock of this database forward: items expire, tokens and iterators too."""
        handle = self._enter()
        try:
            self._library.prejoin_advance_clock(handle, int(seconds * 1000))
        finally:
            self._leave()

    def client(self, service="dynamodb", **options):
        """A boto3 client of this database; `service` may be "dynamodbstreams"."""
        return self._session().client(service, **options)

    def resource(self, **options):
        """A boto3 resource of this database."""
        return self._session().resource("dynamodb", **options)

    def _session(self):
        import boto3

        from ._boto import CREDENTIALS, patch

        session = boto3.Session(region_name="us-east-1", **CREDENTIALS)
        patch(session, self)
        return session


class RequestError(Exception):
    """A request that was refused. `name` is DynamoDB's, such as "ConditionalCheckFailedException"."""

    def __init__(self, status, answer):
        self.status = status
        self.answer = answer
        self.name = str(answer.get("__type", "")).split("#")[-1]
        super().__init__(f"{self.name}: {answer.get('message', answer.get('Message', ''))}")
