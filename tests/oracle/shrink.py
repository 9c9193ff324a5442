"""Makes a history that shows a disagreement smaller: fewer requests before it, fewer members in them."""

import copy


def without_parts(node):
    """Copies of a JSON document, each with one part less."""
    if isinstance(node, dict):
        for name in node:
            yield {other: value for other, value in node.items() if other != name}
        for name, value in node.items():
            for smaller in without_parts(value):
                yield node | {name: smaller}
    elif isinstance(node, list):
        for index in range(len(node)):
            yield node[:index] + node[index + 1:]
        for index, value in enumerate(node):
            for smaller in without_parts(value):
                yield node[:index] + [smaller] + node[index + 1:]
    elif isinstance(node, str) and len(node) > 1:
        for clause in (" AND ", " OR ", ", "):
            head, found, tail = node.partition(clause)
            if found:
                yield head
                yield tail


def shrink(history, shows, budget=120):
    """The smallest history found for which `shows(history)` holds, in at most `budget` tries. The last request is the one that shows it."""
    history = copy.deepcopy(history)
    tries = 0
    step = max(1, (len(history) - 1) // 2)
    while step and tries < budget:
        index = 0
        while index < len(history) - 1 and tries < budget:
            candidate = history[:index] + history[min(index + step, len(history) - 1):]
            tries += 1
            if shows(candidate):
                history = candidate
            else:
                index += step
        step //= 2
    smaller = True
    while smaller and tries < budget:
        smaller = False
        for at in reversed(range(len(history))):
            operation, request = history[at]
            for candidate_request in without_parts(request):
                if tries >= budget:
                    break
                candidate = history[:at] + [(operation, candidate_request)] + history[at + 1:]
                tries += 1
                if shows(candidate):
                    history = candidate
                    smaller = True
                    break
    return history
