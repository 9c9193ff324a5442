"""Compares an answer of the server with what the policies say."""

import json
import re

from account import readings_of_form
from conditions import all3
from evaluator import decide
from generate import ITEM_OPERATIONS
from resources import analyse, without_plan
from world import CANARY, TABLES


def readings_of(operation, text, iterators):
    """How a request can be read: repeated members count first or last. A text that is no JSON has no reading."""
    bodies = []
    for hook in (dict, lambda pairs: dict(reversed(pairs))):
        try:
            body = json.loads(text, object_pairs_hook=hook)
        except ValueError:
            return []
        if body not in bodies:
            bodies.append(body)
    return [analyse(operation, body, iterators) for body in bodies]


def decide_check(check, caller):
    def ask(context):
        return decide(caller.principal, check.action, check.resource, {**caller.context, **context}, caller.policies, check.trust)

    # A batch is allowed if each of its items is: no item may hide behind another one.
    return all3(ask(context) for context in check.each) if check.each else ask(check.context)


def decide_reading(reading, caller):
    """True, False or None (open); an invalid reading is False, because it must not succeed."""
    if reading.invalid:
        return False
    return None if reading.open else all3(decide_check(one, caller) for one in reading.checks)


def covers(show, table, partition, attribute):
    return show.table == table and (show.partitions is None or partition in show.partitions) and (show.attributes is None or attribute in show.attributes)


def leaks(answer, allowed):
    """Canaries in the answer that no allowed reading may show."""
    shows = [show for reading in allowed for show in reading.shows]
    return [found for found in sorted(set(CANARY.findall(answer.text))) if not any(covers(show, *found) for show in shows)]


class Verdict:
    def __init__(self, problem="", decision=None, written=()):
        self.problem, self.decision, self.written = problem, decision, set(written)


def judge_statements(bench, text, answer, reading, caller):
    """BatchExecuteStatement: each statement has an answer of its own."""
    decisions = [decide_reading(one, caller) for one in reading.statements]
    if answer.status != 200:
        if answer.denied and True in decisions:
            return Verdict("wrong deny", True)
        return Verdict(decision=None if None in decisions else False)
    problem, written = "", set()
    retried = None
    for number, (part, decision, said) in enumerate(zip(reading.statements, decisions, answer.json.get("Responses", []))):
        error = said.get("Error", {}).get("Code", "")
        if decision is True and error == "AccessDenied" and not part.foreign:
            retried = retried or bench.dynamo("BatchExecuteStatement", text)
            written |= reading.writes
            if retried.status == 200 and "Error" not in retried.json["Responses"][number]:
                problem = problem or "wrong deny"
        elif decision is False and not error:
            problem = problem or "wrong allow"
        elif decision is False and not part.invalid and not part.foreign and error != "AccessDenied":
            if not cannot_be_planned(error, json.dumps(said)) or decide_reading(without_plan(part), caller) is False:
                problem = problem or f"denied, yet says {error}"
        elif not error:
            written |= part.writes
    allowed = [one for one, decision in zip(reading.statements, decisions) if decision is not False]
    if found := leaks(answer, allowed):
        problem = f"leak of {found[0]}"
    return Verdict(problem, all3(decisions), written)


# Errors of requests that cannot be planned. Whoever may do such a request under some condition on its items may see them.
UNPLANNED = ("ValidationException", "ResourceNotFoundException", "ValidationError", "ResourceNotFound")
# Texts of errors that depend on what an item holds.
OF_ITEMS = ("does not exist in the item", "incorrect data type", "conditional request failed", "Item size", "already exists")


def cannot_be_planned(code, text):
    if code == "TransactionCanceledException":
        codes = {one.get("Code") for one in json.loads(text).get("CancellationReasons", [])}
        return codes <= {"None", "ValidationError"} and not any(one in text for one in OF_ITEMS)
    return code in UNPLANNED and not any(one in text for one in OF_ITEMS)


# Errors that do not depend on what the server holds may come before a decision, as on AWS. `independent` tries that.
EARLY = ("ValidationException", "SerializationException", "UnknownOperationException", "LimitExceededException", "ValidationError",
         "MalformedPolicyDocument")


def elsewhere(text):
    """The same request about tables that are not there."""
    return re.sub("|".join(TABLES), lambda match: f"Nowhere{match.group()}", text)


def same_elsewhere(bench, operation, text, answer):
    """Whether the administrator gets the same error for tables that do not exist, so that the error tells nothing about those that do."""
    other = bench.dynamo(operation, elsewhere(text))
    return other.code == answer.code and elsewhere(answer.text).replace("NowhereNowhere", "Nowhere") in (other.text, elsewhere(other.text).replace("NowhereNowhere", "Nowhere"))


def judge(bench, caller, operation, text, answer):
    account = ":" in operation
    readings = readings_of_form(operation, text, caller, bench) if account else readings_of(operation, text, bench.iterators())
    if answer.status >= 500:
        return Verdict(f"status {answer.status}")
    if len(readings) == 1 and readings[0].statements is not None:
        return judge_statements(bench, text, answer, readings[0], caller)
    if any(one.statements is not None for one in readings):
        # Repeated members in a batch of statements: which answer belongs to which reading is not known, so only the sum is judged.
        parts = [part for one in readings for part in one.statements or []]
        decisions = [decide_reading(part, caller) for part in parts]
        allowed = [part for part, decision in zip(parts, decisions) if decision is not False]
        found = leaks(answer, allowed)
        return Verdict(f"leak of {found[0]}" if found else "", all3(decisions), {table for part in allowed for table in part.writes})
    decisions = [decide_reading(one, caller) for one in readings]
    allowed = [reading for reading, decision in zip(readings, decisions) if decision is not False]
    whole = all3(decisions) if decisions else False
    written = {table for reading in allowed for table in reading.writes} if answer.status == 200 else set()
    if found := leaks(answer, allowed):
        return Verdict(f"leak of {found[0]}", whole, written)
    if answer.denied:
        # Any refusal of repeated members is right, and of ARNs of other regions.
        wrong = whole is True and len(readings) == 1 and not readings[0].foreign
        if wrong and operation in ITEM_OPERATIONS and bench.dynamo(operation, text).status != 200:
            # The request fails for the administrator too. Before it could be planned its keys are not known, so a denial instead of the
            # error tells less, and denies nothing that would have been done.
            return Verdict(decision=whole)
        return Verdict("wrong deny" if wrong else "", whole, {table for reading in readings for table in reading.writes} if wrong else ())
    if not allowed:
        if answer.status == 200:
            return Verdict("wrong allow", False)
        if any(one.invalid or one.foreign for one in readings):
            return Verdict(decision=False)
        if operation in ITEM_OPERATIONS and cannot_be_planned(answer.code, answer.text) and \
                any(decide_reading(without_plan(one), caller) is not False for one in readings):
            return Verdict(decision=False)
        if readings and answer.code not in EARLY:
            return Verdict(f"denied, yet says {answer.code}", False)
        if len(readings) == 1 and not account and not same_elsewhere(bench, operation, text, answer):
            return Verdict(f"denied, yet tells {answer.code}", False)
    return Verdict("", whole, written)
