#!/usr/bin/python3
"""Shows that each check of check.py finds what it is there for."""

import unittest

import check
import load
import stream


def item(partition, sort_key, **attributes):
    return {"pk": load.text(partition), "sk": load.text(sort_key)} | attributes


def shared(ledger=(), balances=None, counters=None):
    items = [item("COUNTER", str(which), n=load.number((counters or [0] * load.COUNTERS)[which])) for which in range(load.COUNTERS)]
    items += [item("ACCOUNT", str(which), balance=load.number((balances or [100] * load.ACCOUNTS)[which]))
              for which in range(load.ACCOUNTS)]
    return check.by_key(items + list(ledger))


def line(name, giver, taker, amount):
    return item("LEDGER#1", name, giver=load.number(giver), taker=load.number(taker), amount=load.number(amount))


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.writer = load.Writer(0, 0, 1)
        self.old = item("WRITER#0", "a", version=load.number(1))
        self.new = item("WRITER#0", "a", version=load.number(2))
        self.other = item("WRITER#0", "b", version=load.number(2))

    def found(self, *items):
        return check.check_writer(self.writer, check.by_key(items))

    def test_acknowledged_write_must_be_there(self):
        self.writer.items = {"a": self.new}
        self.assertEqual(self.found(self.new), [])
        self.assertEqual(len(self.found()), 1)
        self.assertEqual(len(self.found(self.old)), 1)

    def test_nothing_else_may_be_there(self):
        self.assertEqual(len(self.found(self.other)), 1)

    def test_request_in_flight_counts_as_a_whole_or_not_at_all(self):
        self.writer.items = {"a": self.old}
        self.writer.in_flight = {"a": self.new, "b": self.other}
        self.assertEqual(self.found(self.old), [])
        self.assertEqual(self.found(self.new, self.other), [])
        self.assertEqual(len(self.found(self.new)), 1)
        self.assertEqual(len(self.found(self.old, self.other)), 1)

    def test_delete_in_flight(self):
        self.writer.items = {"a": self.old}
        self.writer.in_flight = {"a": None}
        self.assertEqual(self.found(self.old), [])
        self.assertEqual(self.found(), [])

    def test_vectors_are_those_of_the_table(self):
        def vector(*parts):
            return {"L": [load.number(part) for part in parts]}
        table = check.by_key([self.new | {"e": vector(3, 4, 0)}, self.other | {"e": vector(0, 0, 1)}, item("WRITER#1", "a", e=vector(0, 0, 0))])
        near = {"Item": self.other, "Score": 1.0}
        far = {"Item": self.new, "Score": 5.0}
        self.assertEqual(check.check_vectors(table, "WRITER#0", [near, far]), [])
        self.assertEqual(len(check.check_vectors(table, "WRITER#0", [far, near])), 1)
        self.assertEqual(len(check.check_vectors(table, "WRITER#0", [near])), 1)
        self.assertEqual(len(check.check_vectors(table, "WRITER#0", [near, far | {"Score": 6.0}])), 1)
        self.assertEqual(len(check.check_vectors(table, "WRITER#0", [near, far | {"Item": self.old}])), 1)

    def test_restored_table_is_the_one_before(self):
        before = check.by_key([self.old, self.other])
        self.assertEqual(check.check_restored(before, dict(before)), [])
        self.assertEqual(len(check.check_restored(before, check.by_key([self.new]))), 2)
        self.assertEqual(len(check.check_restored({}, before)), 2)

    def test_stream_makes_the_table(self):
        consumer = stream.Consumer("arn")
        keys = {"pk": load.text("WRITER#0"), "sk": load.text("a")}
        insert = {"dynamodb": {"Keys": keys, "SequenceNumber": "1", "NewImage": self.old}}
        modify = {"dynamodb": {"Keys": keys, "SequenceNumber": "2", "OldImage": self.old, "NewImage": self.new}}
        self.assertEqual(consumer.take(insert), [])
        table = check.by_key([self.new])
        self.assertEqual(len(check.check_stream(table, consumer)), 1)
        self.assertEqual(consumer.take(modify), [])
        self.assertEqual(check.check_stream(table, consumer), [])
        # The same record again, and an old image that nobody left.
        self.assertEqual(len(consumer.take(modify)), 2)

    def test_expired_items_go_and_only_they(self):
        consumer = stream.Consumer("arn")
        self.writer.expiring = {"x"}
        there = check.by_key([item(load.EXPIRING, "x")])
        self.assertEqual(len(check.check_expired([self.writer], there, consumer)), 2)
        consumer.by_service = {(load.EXPIRING, "x")}
        self.assertEqual(check.check_expired([self.writer], {}, consumer), [])
        consumer.by_service.add(("WRITER#0", "a"))
        self.assertEqual(len(check.check_expired([self.writer], {}, consumer)), 1)

    def test_counter_between_acknowledged_and_in_flight(self):
        self.writer.counted = [3, 0, 0, 0]
        self.writer.counting = 0
        for value, problems in [(2, 1), (3, 0), (4, 0), (5, 1)]:
            table = shared(counters=[value, 0, 0, 0])
            self.assertEqual(len(check.check_counters([self.writer], table, [0, 0, 0, 0])), problems, value)

    def transfers(self, *arguments, **options):
        return check.check_transfers([self.writer], shared(*arguments, **options), [100] * load.ACCOUNTS)

    def test_acknowledged_transfer_must_be_in_the_ledger(self):
        self.writer.transfers = {"t1"}
        moved = [90, 110] + [100] * (load.ACCOUNTS - 2)
        self.assertEqual(self.transfers([line("t1", 0, 1, 10)], balances=moved), [])
        self.assertEqual(len(self.transfers()), 1)

    def test_refused_transfer_must_not_be_in_the_ledger(self):
        moved = [90, 110] + [100] * (load.ACCOUNTS - 2)
        self.assertEqual(len(self.transfers([line("t1", 0, 1, 10)], balances=moved)), 1)

    def test_half_a_transfer(self):
        self.writer.transferring = "t1"
        self.assertEqual(self.transfers(), [])
        for balances in ([90, 100], [100, 110], [100, 100]):
            table = [line("t1", 0, 1, 10)]
            self.assertEqual(len(self.transfers(table, balances=balances + [100] * (load.ACCOUNTS - 2))), 1, balances)
        self.assertEqual(len(self.transfers(balances=[90] + [100] * (load.ACCOUNTS - 1))), 1)

    def test_indexes_equal_the_table(self):
        indexed = item("p", "a", gpk=load.text("g"), gsk=load.number(1), lsk=load.text("l"), version=load.number(1), payload=load.text("x"))
        local = {name: indexed[name] for name in ("pk", "sk", "lsk", "version")}
        table = check.by_key([indexed, item("p", "b", gpk=load.text("g"))])
        self.assertEqual(check.check_indexes(table, [indexed], [local]), [])
        self.assertEqual(len(check.check_indexes(table, [], [local])), 1)
        self.assertEqual(len(check.check_indexes(table, [indexed], [])), 1)
        self.assertEqual(len(check.check_indexes(table, [indexed, item("p", "gone")], [local])), 1)
        self.assertEqual(len(check.check_indexes(table, [indexed | {"version": load.number(0)}], [local])), 1)
        self.assertEqual(len(check.check_indexes(table, [indexed], [local | {"payload": load.text("x")}])), 1)
        self.assertEqual(len(check.check_indexes(table, [indexed, indexed], [local])), 1)


if __name__ == "__main__":
    unittest.main()
