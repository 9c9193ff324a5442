"""Checks what clients have seen of one item against a single order of events.

Every write is conditional on the value that it replaces, and writes a value that nobody else ever writes. So the values of an item form
one chain, first → second → …, and the place of each in it says after how many writes it was there. A history is linearizable exactly if

1. no value has two successors of which both have happened (two writers have replaced the same value),
2. every value that was seen or acknowledged is on the chain, and
3. who asks after another one had its answer does not see an earlier place, and what he writes stands at a later one.

A write without an answer may have happened at any time from its start on, or never: it counts only if its value was seen.
"""

import dataclasses
import math


@dataclasses.dataclass
class Event:
    start: float
    end: float           # math.inf: no answer ever came.
    kind: str            # "read", "write", or "lost": a write without an answer
    value: str           # Seen by the read, or written.
    before: str = None   # The value that the write replaced.
    who: str = ""


def chain_of(first, events):
    """(places by value, problems)"""
    writes = {}
    for event in events:
        if event.kind in ("write", "lost"):
            writes[event.value] = event
    # What is known to have happened: acknowledged, seen, or replaced by something that has happened.
    happened = {event.value for event in events if event.kind in ("read", "write")}
    waiting = list(happened)
    while waiting:
        value = waiting.pop()
        write = writes.get(value)
        if write and write.before not in happened:
            happened.add(write.before)
            waiting.append(write.before)
    problems = [f"{value} was seen, but nobody has written it" for value in sorted(happened) if value != first and value not in writes]
    successors = {}
    for value in sorted(happened):
        if value in writes:
            successors.setdefault(writes[value].before, []).append(value)
    problems += [f"{before} was replaced by {' and by '.join(values)}" for before, values in successors.items() if len(values) > 1]
    places, value = {}, first
    while value is not None and value not in places:
        places[value] = len(places)
        value = successors.get(value, [None])[0]
    problems += [f"{value} is not on the chain from {first}" for value in sorted(happened) if value not in places and value in writes]
    return places, problems


def check(first, events):
    """Problems, none if the history is in order. `first` is the value before all of it."""
    places, problems = chain_of(first, events)
    if problems:
        return problems
    placed = [event for event in events if event.value in places]
    # The furthest place that was known by a time, for every time at which somebody asks.
    answered = sorted((event for event in placed if event.end < math.inf), key=lambda event: event.end)
    furthest, known = None, 0
    for event in sorted(placed, key=lambda event: event.start):
        while known < len(answered) and answered[known].end < event.start:
            if furthest is None or places[answered[known].value] > places[furthest.value]:
                furthest = answered[known]
            known += 1
        if furthest is None:
            continue
        place, least = places[event.value], places[furthest.value]
        if place < least or (place == least and event.kind != "read"):
            problems.append(f"{event.who} began a {event.kind} of {event.value} (place {place}) after {furthest.who} "
                            f"had the answer {furthest.value} (place {least})")
    return problems
