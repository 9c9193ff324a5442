"""Makes a failing pair smaller while it keeps failing in the same way."""

import copy
import json

TRIALS_MAX = 150


def without(container, path):
    """A copy of a JSON value without the member at `path`."""
    out = copy.deepcopy(container)
    inner = out
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return out


def paths_of(value, path=()):
    """Every member and element, outer ones first."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = []
    for step, one in steps:
        yield path + (step,)
        inner.append((step, one))
    for step, one in inner:
        yield from paths_of(one, path + (step,))


def smaller_setups(setup):
    for name in ("session", "boundary", "resource", "tags", "trust"):
        if setup.get(name):
            yield {key: value for key, value in setup.items() if key != name}
    for path in paths_of(setup["identity"]):
        yield {**setup, "identity": without(setup["identity"], path)}
    for name in ("session", "resource"):
        for path in paths_of(setup.get(name) or {}):
            yield {**setup, name: without(setup[name], path)}


def smaller_texts(text):
    try:
        repeats = []
        body = json.loads(text, object_pairs_hook=lambda pairs: repeats.append(len({key for key, _ in pairs}) < len(pairs)) or dict(pairs))
    except ValueError:
        return
    if any(repeats):
        return
    for path in paths_of(body):
        # A form is a list of pairs, of which only whole ones can go, and not Action and Version.
        if isinstance(body, dict) or len(path) == 1 and path[0] > 1:
            yield json.dumps(without(body, path))


def shrink(trial, problem, setup, operation, text, answer):
    """(setup, text, answer) of a smaller pair with the same kind of problem; unchanged if the pair does not fail alone."""
    kind = " ".join(problem.split()[:2])
    budget = TRIALS_MAX

    def fails(new_setup, new_text):
        try:
            found, said = trial.one(new_setup, operation, new_text)
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError, StopIteration):
            return None
        return said if found and " ".join(found.split()[:2]) == kind else None

    progress = True
    while progress and budget > 0:
        progress = False
        for candidate in [*((one, text) for one in smaller_setups(setup)), *((setup, one) for one in smaller_texts(text))]:
            budget -= 1
            if budget <= 0:
                break
            said = fails(*candidate)
            if said is not None:
                setup, text, answer, progress = *candidate, said, True
                break
    return setup, text, answer
