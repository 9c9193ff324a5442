"""What the scripts print: one line of JSON for each call."""

import decimal
import json


def _plain(value):
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(type(value))


def emit(line):
    print(json.dumps(line, default=_plain))


def rows_of(answer):
    if answer is None:
        return []
    return answer if isinstance(answer, list) else [answer]


def attempt(call, work):
    outcome = "ok"
    try:
        work()
    except Exception as error:  # pylint: disable=broad-except
        outcome = type(error).__name__
    emit({"call": call, "outcome": outcome})


async def attempt_async(call, work):
    outcome = "ok"
    try:
        await work
    except Exception as error:  # pylint: disable=broad-except
        outcome = type(error).__name__
    emit({"call": call, "outcome": outcome})
