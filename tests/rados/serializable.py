"""Checks what clients have seen of several items against one order of everything they did.

Every item holds a list, and every write appends a value that nobody else ever appends. So whoever reads an item also sees in which order its
writes happened, and nothing about that order has to be guessed. What clients did is strictly serialisable exactly if

1. all lists that were seen of an item are beginnings of the longest one, and no value is in it twice,
2. every acknowledged append is there, none that was refused is, and of one without an answer all parts are or none,
3. a condition held on the list to which its write appended, and
4. this graph has no circle: an act points to whatever must have come after it, because it appended behind it, saw it, did not see it yet,
   or began after its answer was there.

Point 4 covers transactions over several items and single requests alike, so an item by itself is linearizable. Time enters by a chain of moments,
one for each answer: an act points to the moment of its answer, and a moment to all acts that begin before the next one.
"""

import dataclasses
import math


@dataclasses.dataclass
class Act:
    start: float
    end: float                                       # math.inf: no answer ever came.
    state: str = "done"                              # "done", "refused", or "lost": nobody knows
    reads: dict = dataclasses.field(default_factory=dict)     # item → the list that was there, before own appends
    appends: dict = dataclasses.field(default_factory=dict)   # item → value
    expects: dict = dataclasses.field(default_factory=dict)   # item → the last value of the list, by a condition that held; None: it was empty
    who: str = ""

    def __str__(self):
        seen = " ".join(f"{item}[{len(values)}]" for item, values in self.reads.items())
        written = " ".join(f"{item}+{value}" for item, value in self.appends.items())
        return f"<{self.who} {self.state} {self.start:.3f}..{self.end:.3f} saw {seen or '-'} wrote {written or '-'}>"


def longest_lists(acts):
    """(the longest list of each item, problems)"""
    longest, problems = {}, []
    for act in acts:
        for item, values in act.reads.items():
            if len(values) >= len(longest.setdefault(item, values)):
                longest[item] = values
    for act in acts:
        for item, values in act.reads.items():
            if list(values) != list(longest[item][:len(values)]):
                problems.append(f"{item}: {act} saw a list that is no beginning of the longest one")
    for item, values in longest.items():
        if len(set(values)) != len(values):
            problems.append(f"{item}: a value is there twice")
    return longest, problems


def writers_of(longest, acts):
    """({(item, place): act}, problems)"""
    writers, problems = {}, []
    by_value = {(item, value): act for act in acts for item, value in act.appends.items()}
    for item, values in longest.items():
        for place, value in enumerate(values):
            act = by_value.get((item, value))
            if act is None:
                problems.append(f"{item}: {value} is there, but nobody has written it")
            elif act.state == "refused":
                problems.append(f"{item}: {act} was refused, but it is there")
            else:
                writers[item, place] = act
    happened = {id(act) for act in writers.values()}
    places = {(item, value): place for item, values in longest.items() for place, value in enumerate(values)}
    for act in acts:
        missing = [item for item, value in act.appends.items() if (item, value) not in places]
        if missing and (act.state == "done" or id(act) in happened):
            problems.append(f"{act} {'is acknowledged' if act.state == 'done' else 'is there in part'}, and missing in {missing}")
        for item, last in act.expects.items():
            place = places.get((item, act.appends.get(item)))
            if place is not None and (longest[item][place - 1] if place else None) != last:
                problems.append(f"{item}: {act} expected {last} at the end, and stands behind another value")
    return writers, problems


def edges_of(longest, writers, acts):
    """{node: nodes after it}; nodes are the numbers of acts, and "tN" for moments."""
    number = {id(act): index for index, act in enumerate(acts)}
    happened = {id(act) for act in writers.values()}
    after = {}

    def point(one, other):
        if one is not None and other is not None and one != other:
            after.setdefault(one, set()).add(other)

    def writer(item, place):
        act = writers.get((item, place))
        return number[id(act)] if act else None

    for item, values in longest.items():
        for place in range(1, len(values)):
            point(writer(item, place - 1), writer(item, place))
    moments = []
    for index, act in enumerate(acts):
        for item, values in act.reads.items():
            point(writer(item, len(values) - 1), index)
            point(index, writer(item, len(values)))
        if act.reads or id(act) in happened:
            moments.append((act.start, 0, index))
            if act.end < math.inf:
                moments.append((act.end, 1, index))
    count = 0
    # Who begins in the moment of an answer is not behind it.
    for _, is_end, index in sorted(moments):
        if is_end:
            count += 1
            point(index, f"t{count}")
            if count > 1:
                point(f"t{count - 1}", f"t{count}")
        elif count:
            point(f"t{count}", index)
    return after


def circle_in(after):
    """The nodes of a circle, none if there is none."""
    state = {}
    for root in after:
        if root in state:
            continue
        path, stack = [root], [iter(after[root])]
        state[root] = "open"
        while stack:
            for node in stack[-1]:
                if state.get(node) == "open":
                    return path[path.index(node):]
                if node not in state:
                    state[node] = "open"
                    path.append(node)
                    stack.append(iter(after.get(node, ())))
                    break
            else:
                state[path.pop()] = "done"
                stack.pop()
    return []


def check(acts):
    """Problems, none if everything is in order."""
    longest, problems = longest_lists(acts)
    writers, more = writers_of(longest, acts)
    problems += more
    if not problems:
        circle = [node for node in circle_in(edges_of(longest, writers, acts)) if not isinstance(node, str)]
        if circle:
            problems.append("no order explains " + " and ".join(str(acts[node]) for node in circle[:6]))
    return problems
