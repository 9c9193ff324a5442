#!/usr/bin/python3
"""The checker finds each fault that is planted, and none in what is in order."""

import math
import random
import unittest

from serializable import Act, check

ITEMS = ["a", "b", "c"]


def read(start, end, **lists):
    return Act(start, end, reads={item: list(values) for item, values in lists.items()})


def append(start, end, **values):
    return Act(start, end, appends=values)


def lost(start, **values):
    return Act(start, math.inf, "lost", appends=values)


class Simulation:
    """A correct store: each act takes effect at one moment between its start and its end. Faults are planted by name, some of the time."""

    def __init__(self, seed, fault=None):
        self.source = random.Random(seed)
        self.lists = {item: [] for item in ITEMS}
        self.stale = {item: [] for item in ITEMS}
        self.fault = fault
        self.acts, self.moment, self.number, self.planted = [], 0.0, 0, 0

    def plant(self, fault):
        if self.fault != fault or self.source.random() > 0.3:
            return False
        self.planted += 1
        return True

    def step(self):
        source = self.source
        self.moment += source.random()
        start, end = self.moment - source.random() * 2, self.moment + source.random() * 2
        items = source.sample(ITEMS, source.choice([1, 1, 2, 3]))
        if source.random() < 0.4:
            reads = {item: list(self.lists[item]) for item in items}
            if self.misses_an_answer(items) and self.plant("stale read"):
                start = max(act.end for act in self.acts if act.end < math.inf) + 0.1
                self.moment = end = start + 1
                reads = {item: list(self.stale[item]) for item in items}
            self.acts.append(Act(start, end, reads=reads))
            return
        self.write(start, end, items)
        if source.random() < 0.1:
            self.stale = {item: list(values) for item, values in self.lists.items()}

    def misses_an_answer(self, items):
        return any(act.state == "done" and item in items and value not in self.stale[item] for act in self.acts for item, value in act.appends.items())

    def write(self, start, end, items):
        source = self.source
        self.number += 1
        values = {item: f"{self.number}" for item in items}
        act = Act(start, end, appends=values, expects={item: self.lists[item][-1] if self.lists[item] else None for item in items if source.random() < 0.5})
        choice = source.random()
        done = items
        if choice < 0.1:
            act.state, done = "refused", []
            if self.plant("refused, yet done"):
                done = items
        elif choice < 0.25:
            act.state, act.end = "lost", math.inf
            done = items if source.random() < 0.5 else []
            if len(items) > 1 and done and self.plant("half a transaction"):
                done = items[1:]
        elif self.plant("lost write"):
            done = items[1:]
        elif any(self.lists[item] for item in act.expects) and self.plant("condition ignored"):
            act.expects = {item: "another" for item in act.expects}
        for item in done:
            self.lists[item].append(values[item])
        if done and self.plant("done twice"):
            self.lists[done[0]].append(values[done[0]])
        self.acts.append(act)

    def finish(self):
        late = self.moment + 10
        self.acts.append(Act(late, late + 1, reads={item: list(values) for item, values in self.lists.items()}))
        return self.acts


class CheckerTest(unittest.TestCase):
    def test_accepts_every_history_of_a_correct_store(self):
        for seed in range(200):
            simulation = Simulation(seed)
            for _ in range(80):
                simulation.step()
            self.assertEqual(check(simulation.finish()), [], seed)

    def test_finds_faults_planted_at_random(self):
        for fault in ["stale read", "refused, yet done", "half a transaction", "lost write", "condition ignored", "done twice"]:
            planted = 0
            for seed in range(60):
                simulation = Simulation(seed, fault)
                for _ in range(80):
                    simulation.step()
                acts = simulation.finish()
                if simulation.planted:
                    planted += 1
                    self.assertTrue(check(acts), f"{fault}, seed {seed}")
            self.assertGreater(planted, 20, fault)

    def test_finds_a_transaction_seen_in_part(self):
        self.assertTrue(check([append(0, 1, a="1", b="1"), read(0, 1, a=["1"], b=[]), read(2, 3, a=["1"], b=["1"])]))

    def test_finds_two_readers_who_saw_two_orders(self):
        writes = [append(0, 9, a="1"), append(0, 9, b="2")]
        last = read(20, 21, a=["1"], b=["2"])
        self.assertFalse(check([*writes, read(0, 9, a=["1"], b=[]), last]))
        self.assertTrue(check([*writes, read(0, 9, a=["1"], b=[]), read(0, 9, a=[], b=["2"]), last]))

    def test_finds_a_write_skew(self):
        one = Act(0, 9, reads={"a": [], "b": []}, appends={"a": "1"})
        other = Act(0, 9, reads={"a": [], "b": []}, appends={"b": "2"})
        self.assertTrue(check([one, other, read(20, 21, a=["1"], b=["2"])]))

    def test_finds_an_order_against_time_over_two_items(self):
        # "2" began after "1" had its answer, and was seen without it.
        acts = [append(0, 1, a="1"), append(2, 3, b="2"), read(0, 9, a=[], b=["2"]), read(20, 21, a=["1"], b=["2"])]
        self.assertTrue(check(acts))
        acts[1].start = 0.5
        self.assertFalse(check(acts))

    def test_finds_a_read_behind_another_read(self):
        self.assertTrue(check([lost(0, a="1"), read(1, 2, a=["1"]), read(3, 4, a=[]), read(5, 6, a=["1"])]))

    def test_accepts_a_write_without_an_answer_that_came_late_or_never(self):
        self.assertFalse(check([lost(0, a="1"), read(1, 2, a=[]), read(3, 4, a=["1"])]))
        self.assertFalse(check([lost(0, a="1"), read(1, 2, a=[])]))


if __name__ == "__main__":
    unittest.main()
