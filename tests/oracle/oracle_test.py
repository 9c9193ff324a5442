#!/usr/bin/python3
"""The oracle's own parts, without another server."""

import pathlib
import random
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from compare import Outcome, difference  # noqa: E402
from judgements import RULES, Case, judge, leaves_other_items  # noqa: E402
from random_requests import Requests  # noqa: E402
from random_tables import Tables  # noqa: E402
from shrink import shrink  # noqa: E402

LEDGER = HERE.parents[1] / "docs/fidelity-ledger.md"


def kind(operation, ours, theirs):
    return difference(Outcome(operation, *ours), Outcome(operation, *theirs))


class Comparison(unittest.TestCase):
    def test_sets_and_numbers_are_compared_by_value(self):
        ours = (200, {"Item": {"a": {"NS": ["1", "20"]}, "b": {"N": "1E+2"}}})
        theirs = (200, {"Item": {"a": {"NS": ["2e1", "1.0"]}, "b": {"N": "100"}}})
        self.assertIsNone(kind("GetItem", ours, theirs))
        self.assertEqual(kind("GetItem", ours, (200, {"Item": {"a": {"NS": ["1", "20"]}, "b": {"S": "100"}}})), "body")

    def test_only_a_scan_has_no_order(self):
        items = [{"p": {"S": "a"}}, {"p": {"S": "b"}}]
        self.assertIsNone(kind("Scan", (200, {"Items": items}), (200, {"Items": items[::-1]})))
        self.assertEqual(kind("Query", (200, {"Items": items}), (200, {"Items": items[::-1]})), "body")

    def test_errors_are_compared_by_name_and_reasons(self):
        refused = (400, {"__type": "x#ValidationException", "message": "one text"})
        self.assertIsNone(kind("PutItem", refused, (400, {"__type": "y#ValidationException", "Message": "another"})))
        self.assertEqual(kind("PutItem", refused, (400, {"__type": "y#ConditionalCheckFailedException"})), "error")
        self.assertEqual(kind("PutItem", refused, (200, {})), "accept")
        cancelled = {"__type": "x#TransactionCanceledException", "CancellationReasons": [{"Code": "None"}]}
        self.assertEqual(kind("TransactWriteItems", (400, cancelled), (400, cancelled | {"CancellationReasons": [{"Code": "ConditionalCheckFailed"}]})),
                         "reasons")

    def test_capacity_is_a_difference_of_its_own(self):
        def answer(units):
            return 200, {"Items": [], "ConsumedCapacity": {"TableName": "Plain", "CapacityUnits": units}}
        self.assertEqual(kind("Query", answer(0.5), answer(1.0)), "capacity")
        self.assertIsNone(kind("Query", answer(1), answer(1.0)))


class Judgements(unittest.TestCase):
    def test_every_rule_is_a_row_of_the_ledger(self):
        rows = set(re.findall(r"^\| `([a-z-]+)` \|", LEDGER.read_text(), flags=re.MULTILINE))
        self.assertEqual(rows, {rule.name for rule in RULES})

    def test_a_third_server_decides_where_no_rule_does(self):
        ours, theirs = Outcome("GetItem", 200, {"Item": {"p": {"S": "a"}}}), Outcome("GetItem", 200, {"Item": {"p": {"S": "b"}}})
        self.assertEqual(judge(Case("GetItem", {}, "body", ours, theirs, seconded=True)), "majority")

    def test_a_wrong_answer_of_ours_is_not_judged(self):
        ours = Outcome("GetItem", 200, {"Item": {"p": {"S": "a"}}})
        theirs = Outcome("GetItem", 200, {"Item": {"p": {"S": "b"}}})
        self.assertIsNone(judge(Case("GetItem", {"TableName": "Plain", "Key": {"p": {"S": "a"}}}, "body", ours, theirs)))
        failed = Outcome("GetItem", 500, {"__type": "x#InternalServerError"})
        self.assertIsNone(judge(Case("GetItem", {}, "accept", failed, theirs)))

    def test_updates_that_leave_other_items_end_a_history(self):
        self.assertTrue(leaves_other_items("UpdateItem", {"UpdateExpression": "remove a"}))
        self.assertFalse(leaves_other_items("UpdateItem", {"UpdateExpression": "SET a = :v"}))


class Shrinking(unittest.TestCase):
    def test_keeps_what_shows_the_disagreement(self):
        history = [("PutItem", {"Item": {"p": {"S": str(i)}, "v": {"S": "x"}}}) for i in range(9)] + [("Scan", {"TableName": "T", "Limit": 1})]

        def shows(tried):
            return any(request.get("Item", {}).get("p") == {"S": "4"} for _, request in tried) and "Limit" in tried[-1][1]
        self.assertEqual(shrink(history, shows), [("PutItem", {"Item": {"p": {"S": "4"}}}), ("Scan", {"Limit": 1})])

    def test_ends_within_its_budget(self):
        tries = []
        shrink([("Scan", {str(i): i for i in range(50)})], lambda tried: tries.append(tried) or False, budget=20)
        self.assertEqual(len(tries), 20)


class Generation(unittest.TestCase):
    def test_one_seed_makes_one_history(self):
        def make(seed):
            source = random.Random(seed)
            requests, tables = Requests(source), Tables(source)
            return [requests.next() for _ in range(200)] + [tables.next() for _ in range(50)]
        self.assertEqual(make(1), make(1))
        self.assertNotEqual(make(1), make(2))
        self.assertEqual({operation for operation, _ in make(3)[:200]} - set(Requests.OPERATIONS), set())


if __name__ == "__main__":
    unittest.main()
