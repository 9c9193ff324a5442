#!/usr/bin/python3
"""`prejoin simulate` prints the same bytes on one core and on all: threads of the engine do not change what happens."""
import os
import pathlib
import subprocess
import unittest

BINARY = os.environ["PREJOIN_BINARY"]
SCENARIOS = pathlib.Path(__file__).parents[2] / "examples/scenarios"
ONE_CORE = {min(os.sched_getaffinity(0))}


def simulate(*words, cores=None):
    def pin():
        os.sched_setaffinity(0, cores)
    result = subprocess.run([BINARY, "simulate", SCENARIOS / "shop.prejoin", *map(str, words)], capture_output=True, timeout=100, check=False,
                            preexec_fn=pin if cores else None)
    return result.returncode, result.stdout


class Cores(unittest.TestCase):
    def test_one_and_all(self):
        scenarios = sorted(SCENARIOS.glob("*.scenario"))
        self.assertGreaterEqual(len(scenarios), 6)
        for scenario in scenarios:
            with self.subTest(scenario=scenario.name):
                words = ["--scenario", scenario, "--seed", 7, "--rows", 2000, "--rate", 0.03, "--json"]
                code, text = simulate(*words)
                self.assertIn(code, (0, 1))
                self.assertIn(b"calls", text)
                self.assertEqual((code, text), simulate(*words, cores=ONE_CORE))

    def test_a_storm(self):
        words = ["--until", 0.2, "--rows", 2000, "--rate", 40]
        code, text = simulate(*words)
        self.assertIn(b"ThroughputExceeded", text)
        self.assertEqual((code, text), simulate(*words, cores=ONE_CORE))

    def test_another_seed_is_another_run(self):
        words = ["--until", 1, "--rows", 2000]
        self.assertNotEqual(simulate(*words, "--seed", 1), simulate(*words, "--seed", 2))


if __name__ == "__main__":
    unittest.main()
