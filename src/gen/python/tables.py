from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .reading import Client, table_name
from .writing import Conflict, WriteRefused

# `db` is what `boto3.resource("dynamodb")` gives, or WithTables of it.


def table_of(db: Client, table: str) -> Any:
    """A table of the model, as a resource of boto3."""
    return db.Table(table_name(db, table))


@contextmanager
def refused_as(db: Client, refusal: WriteRefused) -> Iterator[None]:
    """What it means when the condition of the request fails."""
    errors = db.meta.client.exceptions
    try:
        yield
    except errors.ConditionalCheckFailedException as error:
        raise refusal from error
    except errors.TransactionConflictException as error:
        raise Conflict("an item") from error
