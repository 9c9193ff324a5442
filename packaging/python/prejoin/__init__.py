"""Prejoin: a DynamoDB-compatible database in your Python process.

    import boto3, prejoin

    with prejoin.mock():                       # boto3 answers from a new database in memory: no network, no server
        table = boto3.resource("dynamodb").create_table(...)

    database = prejoin.Database()              # the same, for one session only
    session = boto3.Session(region_name="us-east-1")
    prejoin.patch(session, database)

    with prejoin.start() as server:            # a server in a process of its own, for programs in other languages
        client = boto3.client("dynamodb", **server.client_options)

With pytest, the fixture `prejoin` gives each test a fresh database. The command `prejoin` is installed too.
"""

from ._boto import mock, patch
from ._database import Database, Snapshot
from ._library import LibraryError, PrejoinError
from ._server import Server, find_binary, start
from ._version import __version__

__all__ = ["Database", "LibraryError", "PrejoinError", "Server", "Snapshot", "__version__", "find_binary", "mock", "patch", "start"]
