from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any, Generic, TypeVar

# What `boto3.resource("dynamodb").meta.client` is: it takes and gives plain Python values. boto3 itself has no
# types; with `types-boto3[dynamodb]` installed, DynamoDBClient may stand here.
Client = Any
Item = dict[str, Any]
Row = TypeVar("Row")
Value = TypeVar("Value")


class WithTables:
    """A client for tables with other names than in the model, for example of another
    stage: `WithTables(db, {"Shop": "shop-dev"})`.
    """

    def __init__(self, db: Client, table_names: Mapping[str, str]) -> None:
        self._db = db
        self.table_names = table_names

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def table_name(db: Client, table: str) -> str:
    """What a table of the model is called for this client."""
    return db.table_names.get(table, table) if isinstance(db, WithTables) else table


# ---- Values and keys


def after(prefix: str) -> str:
    """Sorts behind every text that begins with `prefix`."""
    return prefix + "\U0010ffff"


def plain_text(value: str | Decimal | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    text = f"{Decimal(value):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class InvalidKeyPart(ValueError):
    """A value that would make another key than its own."""

    def __init__(self, attribute: str, value: str, reason: str) -> None:
        super().__init__(f"{attribute} cannot be part of a key: it {reason}")
        self.attribute = attribute
        self.value = value


def check_part(attribute: str, text: str, following: str = "", *rules: str) -> None:
    """Refuses a part that is empty, or that would be read as something else: one that contains the text
    behind it, and what the rules say of both together. "*x": contains x; "^x": begins with x; "=x": is x;
    "<x": x begins with it; "@0000-00-00": does not begin in this form, which "*" skips."""
    reason = "" if text else "is empty"
    whole = text + following
    begin = 0
    for rule in (*rules, "*" + following):
        what = rule[1:]
        if reason or not what:
            continue
        if rule[0] == "@":
            if not _has_form(text, what):
                reason = f"does not begin in the form {what}"
            begin = len(what)
        elif rule[0] == "^":
            if whole.startswith(what):
                reason = f'begins with "{what}"'
        elif rule[0] == "=":
            if whole == what:
                reason = f'makes "{what}"'
        elif rule[0] == "<":
            if what.startswith(whole):
                reason = f'could go on as "{what}"'
        elif 0 <= whole.find(what, begin) < len(text):
            reason = f'contains "{what}"'
    if reason:
        raise InvalidKeyPart(attribute, text, reason)


def _has_form(text: str, form: str) -> bool:
    start = text[: len(form)]
    return "".join("0" if c in "0123456789" else c for c in start) == form


def part(value: str | Decimal | bool) -> str:
    """A value as keys write it."""
    return plain_text(value)


def padded(value: str | Decimal, width: int) -> str:
    """Padded with zeros, so that text order is number order."""
    text = part(value)
    return text.rjust(width, "0") if text else ""


def lower(value: str) -> str:
    """Lower case as the table writes it: the letters A to Z only."""
    return "".join(c.lower() if c.isascii() else c for c in part(value))


def upper(value: str) -> str:
    """Upper case as the table writes it: the letters a to z only."""
    return "".join(c.upper() if c.isascii() else c for c in part(value))


def beginning(value: str, count: int) -> str:
    """So many characters from the beginning."""
    return part(value)[:count]


def beginning_of(value: Any, count: int) -> Any:
    """The same of a text that may be absent."""
    return beginning(value, count) if isinstance(value, str) else value


def counted_down(value: Decimal, digits: int) -> str:
    """Counted down from nines, so that the largest sorts first; nothing for a number that has no such key."""
    text = part(value)
    if not text.isdecimal() or len(text) > digits:
        return ""
    return "".join(str(9 - int(digit)) for digit in text.rjust(digits, "0"))


def shard_of(value: str | Decimal | bool, count: int) -> int:
    """The shard that a value belongs to: FNV-1a of its UTF-8 bytes."""
    result = 14695981039346656037
    for byte in plain_text(value).encode():
        result = ((result ^ byte) * 1099511628211) % 2**64
    return result % count


def sort_value(value: Any) -> Any:
    """Sorts as DynamoDB does: texts by their bytes, numbers by value, absent ones first."""
    if value is None:
        return (0,)
    return (1, value.encode()) if isinstance(value, str) else (1, value)


def least(*values: Value) -> Value:
    return min(values, key=sort_value)


def greatest(*values: Value) -> Value:
    return max(values, key=sort_value)


def read_key(key: Any, literals: Sequence[str]) -> list[str] | None:
    """The attributes of a key, given the texts between them; None if it is another key."""
    if not isinstance(key, str) or not key.startswith(literals[0]):
        return None
    parts = []
    at = len(literals[0])
    for literal in literals[1:]:
        end = key.find(literal, at) if literal else len(key)
        if end <= at:
            return None
        parts.append(key[at:end])
        at = end + len(literal)
    return parts if at == len(key) else None


@dataclass(frozen=True)
class Layout:
    entity: str
    type: str
    keys: dict[str, Sequence[str] | None]

    def fits(self, item: Item) -> bool:
        return all(
            name in item
            and (literals is None or read_key(item[name], literals) is not None)
            for name, literals in self.keys.items()
        )


def entity_of(
    item: Item, layouts: Sequence[Layout], type_attribute: str = ""
) -> str | None:
    """Whose item it is: by its type attribute, else by the first layout that its keys fit."""
    for layout in layouts:
        if type_attribute and item.get(type_attribute) == layout.type:
            return layout.entity
    return next((layout.entity for layout in layouts if layout.fits(item)), None)


# ---- Reading attributes


def key_part(item: Item, name: str, literals: Sequence[str], index: int) -> str:
    """An attribute that is kept in a key only."""
    parts = read_key(item.get(name), literals)
    if parts is None:
        raise KeyError(name)
    return parts[index]


def as_bytes(value: Any) -> bytes:
    """boto3 wraps binary values in a class of its own."""
    return bytes(getattr(value, "value", value))


def compact(item: Item) -> Item:
    """The item without absent attributes."""
    return {name: value for name, value in item.items() if value is not None}


# ---- Requests


def get_item(db: Client, **request: Any) -> Item | None:
    answer = db.get_item(**request)
    item: Item | None = answer.get("Item")
    return item


def found_item(db: Client, **request: Any) -> Item:
    """The item; without attributes, if there is none."""
    return get_item(db, **request) or {}


def get_items(db: Client, **request: Any) -> list[Item]:
    item = get_item(db, **request)
    return [] if item is None else [item]


def query_all(
    db: Client, enough: Callable[[list[Item]], bool] = lambda _: False, **request: Any
) -> list[Item]:
    """All pages of a Query, or as many as `enough` asks for."""
    items: list[Item] = []
    while True:
        page = db.query(**request)
        items.extend(page["Items"])
        if "LastEvaluatedKey" not in page or enough(items):
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def count_all(db: Client, **request: Any) -> int:
    """The items that a Query finds, counted by DynamoDB."""
    counted = 0
    while True:
        page = db.query(**request)
        counted += int(page["Count"])
        if "LastEvaluatedKey" not in page:
            return counted
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def scan_all(db: Client, **request: Any) -> list[Item]:
    """All pages of a Scan."""
    items: list[Item] = []
    while True:
        page = db.scan(**request)
        items.extend(page["Items"])
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


@dataclass(frozen=True)
class Page(Generic[Row]):
    rows: list[Row]
    cursor: Item | None
    """None when there is nothing more."""


def query_page(
    db: Client, limit: int | None, cursor: Item | None, **request: Any
) -> tuple[list[Item], Item | None]:
    if limit is not None:
        request["Limit"] = limit
    if cursor is not None:
        request["ExclusiveStartKey"] = cursor
    page = db.query(**request)
    return page["Items"], page.get("LastEvaluatedKey")


THREADS_MAX = 16


def in_parallel(
    values: Iterable[Value], read: Callable[[Value], list[Item]]
) -> list[Item]:
    """The same request for each different value or shard, all at once."""
    different = list(dict.fromkeys(values))
    with ThreadPoolExecutor(max_workers=min(THREADS_MAX, len(different))) as threads:
        return [item for items in threads.map(read, different) for item in items]


def batch_get(
    db: Client, table: str, keys: Sequence[Item], consistent: bool = False
) -> list[Item | None]:
    """Items in the order of their keys; None where there is none."""
    names = list(keys[0]) if keys else []

    def id_of(item: Item) -> tuple[Any, ...]:
        return tuple(item[name] for name in names)

    left = list({id_of(key): key for key in keys}.values())
    found: dict[tuple[Any, ...], Item] = {}
    tries = 0
    while left:
        batch, left = left[:100], left[100:]
        answer = db.batch_get_item(
            RequestItems={table: {"Keys": batch, "ConsistentRead": consistent}}
        )
        found.update((id_of(item), item) for item in answer["Responses"].get(table, []))
        again = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
        left += again
        tries = tries + 1 if again else 0
        if again:
            pause(tries)
    return [found.get(id_of(key)) for key in keys]


def with_rest(
    items: Iterable[Item], others: Iterable[Item | None], needed: bool
) -> list[Item | None]:
    """Each item with what the row's other item holds; None where that is gone and needed."""
    return [
        None if needed and other is None else {**(other or {}), **item}
        for item, other in zip(items, others, strict=True)
    ]


def pause(tries: int) -> None:
    """Back-off with full jitter: up to 40 ms, then twice as long each time, up to 1 s."""
    time.sleep(random.uniform(0, min(1.0, 0.02 * 2**tries)))


def present(values: Iterable[Value | None]) -> list[Value]:
    return [value for value in values if value is not None]


def distinct(keys: Iterable[Item]) -> list[Item]:
    """Each key once, in the order in which it came first."""
    return list({tuple(key.items()): key for key in keys}.values())


# Numbers of DynamoDB have up to 38 digits; Python's own context rounds to 28.
EXACT = Context(prec=38)


def sum_of(values: Iterable[Decimal | None]) -> Decimal:
    """The exact sum; what is absent adds nothing."""
    total = Decimal(0)
    for value in values:
        if value is not None:
            total = EXACT.add(total, value)
    return total


def rows_inside(
    items: Iterable[Item],
    name: str,
    parent: Callable[[Item], Item],
    by: str = "",
    member: str = "",
) -> list[Item]:
    """The rows inside a list or map of an item, each with what it takes from the item around it."""
    rows: list[Item] = []
    for item in items:
        inside = item.get(name, [])
        if isinstance(inside, dict):
            rows += [
                {**parent(item), **row, by: key} for key, row in sorted(inside.items())
            ]
        else:
            rows += [
                {**parent(item), **({member: row} if member else row)} for row in inside
            ]
    return rows


def matches(value: Any, test: str, *operands: Any) -> bool:
    """A condition that the keys do not serve; an absent value meets those that ask for another one only."""
    if value is None:
        return test in ("not exists", "<>")
    if test in ("exists", "not exists"):
        return test == "exists"
    if test == "begins_with":
        return bool(value.startswith(operands[0]))
    if test == "contains":
        return operands[0] in value
    key, keys = sort_value(value), [sort_value(operand) for operand in operands]
    tests: dict[str, Callable[[], bool]] = {
        "=": lambda: bool(key == keys[0]),
        "<>": lambda: bool(key != keys[0]),
        "<": lambda: bool(key < keys[0]),
        "<=": lambda: bool(key <= keys[0]),
        ">": lambda: bool(key > keys[0]),
        ">=": lambda: bool(key >= keys[0]),
        "between": lambda: bool(keys[0] <= key <= keys[1]),
        "in": lambda: key in keys,
    }
    return tests[test]()


def matches_beginning(value: Any, count: int, test: str, *operands: Any) -> bool:
    """The same for the first characters of both sides."""
    others = [beginning_of(operand, count) for operand in operands]
    return matches(beginning_of(value, count), test, *others)


def sort_rows(
    items: Iterable[Item], *keys: tuple[Callable[[Item], Any], bool]
) -> list[Item]:
    """Sorted by each key, the first one first; a key is a function and whether it descends."""
    rows = list(items)
    for key_of, descending in reversed(keys):

        def key(item: Item, key_of: Callable[[Item], Any] = key_of) -> Any:
            return sort_value(key_of(item))

        rows.sort(key=key, reverse=descending)
    return rows
