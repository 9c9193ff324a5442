#!/usr/bin/python3
"""Shows that the reader and the matcher of conformance cases refuse what they must."""

import unittest

from case_file import CaseError, Reader
from matching import differences, expand


def read(text):
    return Reader("x.case", text).read()


class ReaderTest(unittest.TestCase):
    def test_tables_with_indexes(self):
        table = read("table T a:S b:N\n  gsi G c:S+d:S e:N INCLUDE x,y\n  lsi L f:B KEYS_ONLY\n").tables[0]
        self.assertEqual(table["KeySchema"], [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}])
        index = table["GlobalSecondaryIndexes"][0]
        self.assertEqual([key["KeyType"] for key in index["KeySchema"]], ["HASH", "HASH", "RANGE"])
        self.assertEqual(index["Projection"], {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "y"]})
        self.assertEqual([key["AttributeName"] for key in table["LocalSecondaryIndexes"][0]["KeySchema"]], ["a", "f"])
        self.assertEqual({row["AttributeName"]: row["AttributeType"] for row in table["AttributeDefinitions"]},
                         {"a": "S", "b": "N", "c": "S", "d": "S", "e": "N", "f": "B"})

    def test_steps(self):
        case = read('case t\ngiven @T {"a": 1}\n  {"a": 2}\nGetItem {"x":\n 1}\n=> 200 {"y": 2}\nGetItem {}\n=> 400 Bad: why\n| and\n'
                    'with {"z": 3}\nrepeat 7 PutItem {}\nwait @T\n').cases[0]
        self.assertEqual(case.given, [("@T", {"a": 1}), ("@T", {"a": 2})])
        get, bad, put, wait = case.steps
        self.assertEqual((get.request, get.status, get.answer), ({"x": 1}, 200, {"y": 2}))
        self.assertEqual((bad.status, bad.error, bad.message, bad.extra), (400, "Bad", "why\nand", {"z": 3}))
        self.assertEqual((put.repeat, put.operation, put.status), (7, "PutItem", None))
        self.assertEqual((wait.operation, wait.request), ("wait", "@T"))

    def test_mistakes_have_a_line(self):
        for text, line in [("GetItem {}\n", 1), ("case t\n\ngetitem {}\n", 3), ("case t\nGetItem {x}\n", 2), ("case t\n=> 200\n", 2),
                           ("case t\nGetItem {}\n=> 200 {}\n=> 200 {}\n", 4), ("case t\nGetItem {} more\n", 2),
                           ("table T a:S\n  osi X b:S ALL\n", 3)]:
            with self.assertRaisesRegex(CaseError, rf"^x\.case:{line}:", msg=text):
                read(text)


class MatchingTest(unittest.TestCase):
    def matches(self, expected, found, names=None):
        return not differences(expected, found, {} if names is None else names)

    def test_exact(self):
        self.assertTrue(self.matches({"a": [1, {"b": "c"}]}, {"a": [1, {"b": "c"}]}))
        self.assertTrue(self.matches(1, 1.0))
        for expected, found in [({"a": 1}, {}), ({}, {"a": 1}), ({"a": 1}, {"a": 2}), ([1], [1, 2]), ([1, 2], [2, 1]), (1, "1"),
                                (True, 1), (1, True), ({}, [])]:
            self.assertFalse(self.matches(expected, found), (expected, found))

    def test_any_value_must_still_be_there(self):
        self.assertTrue(self.matches({"a": "*"}, {"a": {"b": 1}}))
        self.assertFalse(self.matches({"a": "*"}, {}))

    def test_rest(self):
        self.assertTrue(self.matches({"…": "…", "a": 1}, {"a": 1, "b": 2}))
        self.assertFalse(self.matches({"…": "…", "a": 1}, {"b": 2}))

    def test_any_order(self):
        self.assertTrue(self.matches({"$any-order": [1, {"a": 2}]}, [{"a": 2}, 1]))
        self.assertFalse(self.matches({"$any-order": [1, 1]}, [1, 2]))
        self.assertFalse(self.matches({"$any-order": [1]}, [1, 1]))

    def test_binding(self):
        names = {}
        self.assertTrue(self.matches({"a": "$x", "b": "$x"}, {"a": 5, "b": 5}, names))
        self.assertEqual(expand({"k": "$x"}, names), {"k": 5})
        self.assertFalse(self.matches({"a": "$x"}, {"a": 6}, names))

    def test_expand(self):
        names = {"@T": "prefix-T", "$i$": 4}
        self.assertEqual(expand({"@T": ["$ab*3$", "n$i$", "$1.50", "a@b"]}, names), {"prefix-T": ["ababab", "n4", "$1.50", "a@b"]})


if __name__ == "__main__":
    unittest.main()
