from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from .reading import (
    Client,
    Item,
    compact,
    get_item,
    pause,
    sort_value,
    sum_of,
)

# ---- Errors


class WriteRefused(Exception):
    """Nothing was written."""

    def __init__(self, entity: str, message: str) -> None:
        super().__init__(f"{entity} {message}")
        self.entity = entity


class AlreadyExists(WriteRefused):
    """A guard refused the write: there is such an item already."""

    def __init__(self, entity: str) -> None:
        super().__init__(entity, "exists already")


class NotFound(WriteRefused):
    """A guard refused the write: there is no such item."""

    def __init__(self, entity: str) -> None:
        super().__init__(entity, "does not exist")


class ConditionNotMet(WriteRefused):
    """There is no such item, or it is not as the write demands."""

    def __init__(self, entity: str) -> None:
        super().__init__(entity, "does not exist, or does not allow this write")


class Conflict(WriteRefused):
    """Another writer was faster. Trying again is safe."""

    def __init__(self, entity: str) -> None:
        super().__init__(entity, "was changed by another writer")


# ---- Actions


class Action(NamedTuple):
    """One item to write, and what it means when its condition fails."""

    kind: str
    request: Item
    refusal: WriteRefused


Path = str | tuple[str, ...]


def put(entity: str, table: str, item: Item, guard: str | None = None) -> Action:
    """Puts an item; `guard` is a key attribute that must not exist yet."""
    request: Item = {"TableName": table, "Item": compact(item)}
    if guard is not None:
        request["ConditionExpression"] = "attribute_not_exists(#guard)"
        request["ExpressionAttributeNames"] = {"#guard": guard}
    return Action("Put", request, AlreadyExists(entity))


def update(
    entity: str,
    table: str,
    key: Item,
    changes: dict[Path, Any],
    expected: Item | None = None,
) -> Action:
    """Sets attributes of an item that exists, or of a row in a map of it.

    None removes. `expected` must still hold.
    """
    names: dict[str, str] = {}
    values: Item = {}

    def name_of(name: str) -> str:
        return names.setdefault(name, f"#n{len(names)}")

    def path_of(path: Path) -> str:
        parts = (path,) if isinstance(path, str) else path
        return ".".join(name_of(one) for one in parts)

    def value_of(value: Any) -> str:
        made = f":v{len(values)}"
        values[made] = value
        return made

    sets = []
    removes = []
    rows: dict[str, None] = {}
    for path, value in changes.items():
        if not isinstance(path, str) and len(path) > 2:
            rows[f"attribute_exists({path_of(path[:-1])})"] = None
        if value is None:
            removes.append(path_of(path))
        else:
            sets.append(f"{path_of(path)} = {value_of(value)}")
    conditions = [f"attribute_exists({name_of(name)})" for name in key] + list(rows)
    for name, value in (expected or {}).items():
        if value is None:
            conditions.append(f"attribute_not_exists({name_of(name)})")
        else:
            conditions.append(f"{name_of(name)} = {value_of(value)}")
    clauses = []
    if sets:
        clauses.append("SET " + ", ".join(sets))
    if removes:
        clauses.append("REMOVE " + ", ".join(removes))
    request: Item = {
        "TableName": table,
        "Key": key,
        "UpdateExpression": " ".join(clauses),
        "ConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeNames": {made: name for name, made in names.items()},
    }
    if values:
        request["ExpressionAttributeValues"] = values
    return Action(
        "Update", request, NotFound(entity) if expected is None else Conflict(entity)
    )


def remove(entity: str, table: str, key: Item, expected: Item | None = None) -> Action:
    """Deletes an item; one that is gone already is as good. `expected` must still hold."""
    request: Item = {"TableName": table, "Key": key}
    names = {}
    values = {}
    conditions = []
    for number, (name, value) in enumerate((expected or {}).items()):
        names[f"#n{number}"] = name
        if value is None:
            conditions.append(f"attribute_not_exists(#n{number})")
        else:
            conditions.append(f"#n{number} = :v{number}")
            values[f":v{number}"] = value
    if conditions:
        request["ConditionExpression"] = " AND ".join(conditions)
        request["ExpressionAttributeNames"] = names
    if values:
        request["ExpressionAttributeValues"] = values
    return Action("Delete", request, Conflict(entity))


def put_over(entity: str, table: str, item: Item, expected: Item) -> Action:
    """Puts an item over the one that was read before; `expected` must still hold."""
    request = dict(remove(entity, table, {}, expected).request)
    del request["Key"]
    return Action("Put", {**request, "Item": compact(item)}, Conflict(entity))


def only_if(
    action: Action, condition: str, names: dict[str, str], values: Item
) -> Action:
    """Demands more of the stored item."""
    request = dict(action.request)
    before = request.get("ConditionExpression")
    request["ConditionExpression"] = (
        condition if before is None else f"{before} AND {condition}"
    )
    request["ExpressionAttributeNames"] = {
        **request.get("ExpressionAttributeNames", {}),
        **names,
    }
    all_values = {**request.get("ExpressionAttributeValues", {}), **values}
    if all_values:
        request["ExpressionAttributeValues"] = all_values
    return Action(action.kind, request, ConditionNotMet(action.refusal.entity))


def increase(action: Action, by: Item) -> Action:
    """Adds to numbers of the item that an update changes."""
    request = dict(action.request)
    before = request["UpdateExpression"]
    first = before.count(":add")
    sums = ", ".join(f"#add{first + i} :add{first + i}" for i in range(len(by)))
    request["UpdateExpression"] = f"{before}{',' if first else ' ADD'} {sums}".strip()
    request["ExpressionAttributeNames"] = {
        **request.get("ExpressionAttributeNames", {}),
        **{f"#add{first + i}": name for i, name in enumerate(by)},
    }
    request["ExpressionAttributeValues"] = {
        **request.get("ExpressionAttributeValues", {}),
        **{f":add{first + i}": value for i, value in enumerate(by.values())},
    }
    return Action(action.kind, request, action.refusal)


def move_lock(
    entity: str, table: str, before: str | None, after: str | None, *names: str
) -> list[Action]:
    """Keeps a value unique: the old one's lock goes, the new one's must not be there yet."""
    if before == after:
        return []
    actions = []
    if before is not None:
        actions.append(remove(entity, table, dict.fromkeys(names, before)))
    if after is not None:
        actions.append(put(entity, table, dict.fromkeys(names, after), names[0]))
    return actions


def move_second(
    entity: str, table: str, before: Item, item: Item, *names: str
) -> list[Action]:
    """Keeps a row's second item where its key says. A key without one of its attributes is none."""
    old = {name: before.get(name) for name in names}
    new = {name: item.get(name) for name in names}
    actions = []
    if old != new and None not in old.values():
        actions.append(remove(entity, table, old))
    if None not in new.values():
        actions.append(put(entity, table, item, None if old == new else names[0]))
    return actions


def update_second(
    entity: str, table: str, key: Item, changes: dict[Path, Any]
) -> list[Action]:
    """Changes the second item of a row that has one."""
    return [] if None in key.values() else [update(entity, table, key, changes)]


def unchanged(entity: str, table: str, key: Item, expected: Item) -> Action:
    """The transaction holds only while these attributes are as they were read."""
    check = remove(entity, table, key, expected)
    return Action("ConditionCheck", check.request, check.refusal)


def move(
    entity: str, table: str, before: Item, key: Item, new_key: Item, changes: Item
) -> list[Action]:
    """Changes an item that was read; where its key changes, deletes it and puts it again."""
    if key == new_key:
        paths: dict[Path, Any] = {name: value for name, value in changes.items()}
        return [update(entity, table, key, paths, before)]
    item = compact({**before, **changes, **new_key})
    return [
        remove(entity, table, key, before),
        put(entity, table, item, next(iter(new_key))),
    ]


def demand(entity: str, *tests: bool) -> None:
    """Refuses a write whose condition does not hold of what was read."""
    if not all(tests):
        raise ConditionNotMet(entity)


def added(before: Any, by: Decimal) -> Decimal:
    """An absent number counts as 0."""
    return sum_of((before, by))


# ---- Changes


class Changes:
    """Actions that are written together, and what they add to sums and counts of other items."""

    def __init__(self) -> None:
        self._actions: list[Action] = []
        self._totals: list[tuple[str, str, Item, str, Decimal]] = []

    def add(self, *actions: Action) -> None:
        self._actions.extend(actions)

    def add_to(
        self, entity: str, table: str, key: Item, name: str, by: Decimal | int | None
    ) -> None:
        self._totals.append((entity, table, key, name, Decimal(by or 0)))

    def take_from(
        self, entity: str, table: str, key: Item, name: str, by: Decimal | int | None
    ) -> None:
        self._totals.append((entity, table, key, name, Decimal(by or 0).copy_negate()))

    def finished(self) -> list[Action]:
        """All actions. What a total changes by joins the action on its item, if there is one."""
        actions: list[Action] = []
        for action in self._actions:
            request = action.request
            again = action.kind == "ConditionCheck" and any(
                writes_item(other, request["TableName"], request["Key"])
                for other in actions
            )
            if not again:
                actions.append(action)
        sums: dict[Any, tuple[str, str, Item, dict[str, Decimal]]] = {}
        for entity, table, key, name, by in self._totals:
            place = (table, tuple(sorted(key.items())))
            _, _, _, so_far = sums.setdefault(place, (entity, table, key, {}))
            so_far[name] = sum_of((so_far.get(name), by))
        for entity, table, key, totals in sums.values():
            by_name = {name: by for name, by in totals.items() if by != 0}
            if not by_name:
                continue
            for i, action in enumerate(actions):
                if writes_item(action, table, key):
                    actions[i] = _including(action, by_name)
                    break
            else:
                actions.append(increase(update(entity, table, key, {}), by_name))
        return actions


def writes_item(action: Action, table: str, key: Item) -> bool:
    own = action.request.get("Key") or action.request["Item"]
    return action.request["TableName"] == table and all(
        own.get(name) == value for name, value in key.items()
    )


def _including(action: Action, by: dict[str, Decimal]) -> Action:
    """The action with totals: in the item that it puts, or added to the item that it changes."""
    if action.kind == "Delete":
        return action
    if action.kind == "Put":
        item = action.request["Item"]
        totals = {name: added(item.get(name), value) for name, value in by.items()}
        return action._replace(request={**action.request, "Item": {**item, **totals}})
    request = {"UpdateExpression": "", **action.request}
    return increase(Action("Update", request, action.refusal), by)


# ---- Writes


ACTIONS_MAX = 100


def write_changes(db: Client, changes: Changes) -> None:
    write(db, *changes.finished())


def write_in_groups(db: Client, changes: Changes) -> None:
    """One transaction, or several if there are more actions than one can have, in their order."""
    actions = changes.finished()
    for first in range(0, len(actions), ACTIONS_MAX):
        write(db, *actions[first : first + ACTIONS_MAX])


def write(db: Client, *actions: Action) -> None:
    """One action as it is, several in one transaction: all of them happen, or none."""
    errors = db.exceptions
    try:
        if len(actions) == 1:
            _write_one(db, actions[0])
        elif actions:
            db.transact_write_items(
                TransactItems=[{action.kind: action.request} for action in actions]
            )
    except errors.ConditionalCheckFailedException as error:
        raise actions[0].refusal from error
    except errors.TransactionConflictException as error:
        raise Conflict("an item") from error
    except errors.TransactionCanceledException as error:
        raise _refusal_of(error, actions) from error


def _write_one(db: Client, action: Action) -> None:
    calls = {"Put": db.put_item, "Update": db.update_item, "Delete": db.delete_item}
    calls[action.kind](**action.request)


def _refusal_of(error: Any, actions: Sequence[Action]) -> Exception:
    codes = [
        reason.get("Code") for reason in error.response.get("CancellationReasons", [])
    ]
    for action, code in zip(actions, codes, strict=False):
        if code == "ConditionalCheckFailed":
            return action.refusal
    if "TransactionConflict" in codes:
        return Conflict("an item")
    cancelled: Exception = error
    return cancelled


TRIES_MAX = 5


def retrying(work: Callable[[], None]) -> None:
    """Reads, computes and writes again when another writer was faster."""
    for tries in range(1, TRIES_MAX + 1):
        try:
            return work()
        except Conflict:
            if tries == TRIES_MAX:
                raise
        pause(tries)


def rewrite_list(
    db: Client,
    entity: str,
    table: str,
    key: Item,
    name: str,
    change: Callable[[list[Item]], list[Item]],
) -> None:
    """Changes a list inside an item; nothing that another writer adds meanwhile is lost."""

    def work() -> None:
        item = get_item(db, TableName=table, Key=key, ConsistentRead=True)
        if item is None:
            raise NotFound(entity)
        rows = item.get(name)
        write(db, update(entity, table, key, {name: change(rows or [])}, {name: rows}))

    retrying(work)


def same_row(a: Item, b: Item, names: Sequence[str]) -> bool:
    return all(a.get(name) == b.get(name) for name in names)


def with_row(rows: Sequence[Item], row: Item, names: Sequence[str]) -> list[Item]:
    """In place of the row with the same key, or where its key belongs."""
    others = [other for other in rows if not same_row(other, row, names)]
    return sorted(
        [*others, compact(row)],
        key=lambda one: [sort_value(one.get(name)) for name in names],
    )


def ignoring_missing(db: Client, action: Action) -> None:
    """For an item that may be gone before its copy is written."""
    try:
        write(db, action)
    except NotFound:
        pass
