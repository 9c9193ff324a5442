#!/usr/bin/python3
"""The checker finds each fault that is planted, and none in what is in order."""

import math
import random
import unittest

from linearizable import Event, check


def write(start, end, before, value):
    return Event(start, end, "write", value, before)


def read(start, end, value):
    return Event(start, end, "read", value)


def lost(start, before, value):
    return Event(start, math.inf, "lost", value, before)


def made_up_history(random_source, length=60):
    """What clients of a correct register see: each event takes effect at a moment between start and end."""
    events, value, moment, number = [], "0", 0.0, 0
    for _ in range(length):
        moment += random_source.random()
        start, end = moment - random_source.random() * 3, moment + random_source.random() * 3
        choice = random_source.random()
        if choice < 0.5:
            events.append(Event(start, end, "read", value))
            continue
        number += 1
        if choice < 0.8:
            events.append(Event(start, end, "write", str(number), value))
            value = str(number)
        else:
            events.append(Event(start, math.inf, "lost", str(number), value))
            if random_source.random() < 0.5:
                value = str(number)
    return events


class CheckerTest(unittest.TestCase):
    def test_accepts_what_is_in_order(self):
        self.assertEqual(check("0", [write(0, 1, "0", "a"), read(0.5, 2, "0"), read(2, 3, "a"), lost(3, "a", "b"), read(4, 5, "a"),
                                     read(6, 7, "b"), write(8, 9, "b", "c")]), [])

    def test_accepts_every_history_of_a_correct_register(self):
        for seed in range(300):
            self.assertEqual(check("0", made_up_history(random.Random(seed))), [], seed)

    def test_finds_a_lost_write(self):
        self.assertTrue(check("0", [write(0, 1, "0", "a"), write(2, 3, "0", "b")]))

    def test_finds_a_stale_read(self):
        self.assertTrue(check("0", [write(0, 1, "0", "a"), read(2, 3, "0")]))

    def test_finds_a_read_behind_another_read(self):
        self.assertTrue(check("0", [lost(0, "0", "a"), read(1, 2, "a"), read(3, 4, "0")]))

    def test_finds_a_value_out_of_nowhere(self):
        self.assertTrue(check("0", [read(0, 1, "x")]))

    def test_finds_a_write_before_its_start(self):
        self.assertTrue(check("0", [read(0, 1, "a"), write(2, 3, "0", "a")]))

    def test_finds_a_write_that_happened_twice(self):
        # "a" was taken back by "b" and came again.
        self.assertTrue(check("0", [write(0, 1, "0", "a"), write(2, 3, "a", "b"), read(4, 5, "a")]))

    def test_finds_most_stale_reads_planted_at_random(self):
        found = 0
        for seed in range(200):
            source = random.Random(seed)
            events = made_up_history(source)
            answered = [event for event in events if event.kind == "write"]
            if len(answered) < 2:
                continue
            late = max(event.end for event in events if event.end < math.inf) + 1
            events.append(Event(late, late + 1, "read", answered[0].before))
            found += bool(check("0", events))
        self.assertGreater(found, 190)


if __name__ == "__main__":
    unittest.main()
