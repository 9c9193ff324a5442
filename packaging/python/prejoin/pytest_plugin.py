"""Fixtures for pytest. The package registers them; nothing is to be imported.

    def test_orders(prejoin):                        # boto3 uses a fresh database during the test
        boto3.resource("dynamodb").create_table(...)

    @pytest.fixture(scope="session")                 # in conftest.py: what every test begins with
    def prejoin_contents():
        def fill(database):
            database.client().create_table(...)
        return fill
"""

import pytest

from ._boto import mock
from ._database import Database
from ._server import start


@pytest.fixture(scope="session")
def prejoin_contents():
    """Override it to prepare what every test begins with: return a function of a Database."""
    return None


@pytest.fixture(scope="session")
def prejoin_snapshot(prejoin_contents):
    """The contents of each test's database at its start. Made once for each session."""
    with Database() as database:
        if prejoin_contents is not None:
            with mock(database):
                prejoin_contents(database)
        return database.snapshot()


@pytest.fixture
def prejoin(prejoin_snapshot):
    """A database of this test's own, with `prejoin_contents` in it. All DynamoDB clients that boto3 makes during the test use it."""
    with prejoin_snapshot.open() as database, mock(database):
        yield database


@pytest.fixture(scope="session")
def dynamodb_proc():
    """A server for the whole session, as pytest-dynamodb has it: `host`, `port`."""
    with start() as server:
        yield server


@pytest.fixture(scope="session")
def dynamodb_noproc(dynamodb_proc):
    return dynamodb_proc


@pytest.fixture
def dynamodb(prejoin):
    """A boto3 resource on a database of this test's own, as pytest-dynamodb has it."""
    return prejoin.resource()
