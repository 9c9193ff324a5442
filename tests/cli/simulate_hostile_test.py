#!/usr/bin/python3
"""`prejoin simulate` on models, scenarios and options that nobody would write on purpose: it ends soon, with a clear message or a report."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["PREJOIN_BINARY"]

MODEL = """model "M"
entity Thing {
  id     text(~8) key
  status text(~7) values ("OPEN", "CLOSED")
  count 5_000
}
pattern Get "One" {
  find Thing where id = :id
  rate 10/s
}
write Add "One more" {
  put Thing once
  rate 10/s
}
table Things partition PK {
  index ByStatus partition status project keys
  item Thing {
    PK = "T#{id}"
  }
}
"""
NO_TABLE = MODEL[:MODEL.index("table Things")]


def with_rate(rate):
    return re.sub(r"rate .*", f"rate {rate}", MODEL)


class Hostile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def simulate(self, *options, model=MODEL, scenario=None):
        (self.folder / "m.prejoin").write_text(model, encoding="utf-8")
        words = list(options)
        if scenario is not None:
            (self.folder / "s.scenario").write_text('scenario "S" {\n' + scenario + "\n}\n", encoding="utf-8")
            words += ["--scenario", "s.scenario"]
        result = subprocess.run([BINARY, "simulate", "m.prejoin", *words], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertIn(result.returncode, (0, 1, 2), result.stderr)
        return result

    def refused(self, message, *options, **more):
        result = self.simulate(*options, **more)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stdout, "")

    def report(self, *options, **more):
        result = self.simulate("--json", *options, **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_models(self):
        self.refused("add `rate 10/s`", model="")
        self.refused("add `rate 10/s`", model='model "M"\n')
        self.refused("add `rate 10/s`", model=re.sub(r"\n  rate .*", "", MODEL))
        self.refused("add `rate 10/s`", model=with_rate("0/s"))
        self.refused("the model has no table; `prejoin design` proposes", model=NO_TABLE)
        self.refused("million calls", model=with_rate("1000000000/s"))
        self.refused("no call arrived", model=with_rate("1/year"))
        self.refused("cannot read", "--prices", "/nowhere")
        for count in ("0", "1", "1_000_000_000_000"):
            outcome = self.report("--until", "0.2", model=MODEL.replace("5_000", count))["outcome"]
            self.assertGreater(outcome["all"]["calls"], 50, count)

    def test_lengths_and_rates(self):
        self.refused("7 days", "--until", "1e9")
        self.refused("7 days", "--until", "1e300")
        self.refused("no call arrived", "--until", "1e-9")
        self.refused("million calls", "--rate", "1e300", "--until", "1")
        self.refused("no call arrived", "--rate", "1e-300", "--until", "10")
        self.assertGreater(self.report("--until", "10079", "--rate", "1e-6")["outcome"]["all"]["calls"], 3)

    def test_peaks(self):
        """Two calls at 1/s, or at 20/s: stated as a peak, or as the busiest hours."""
        for rate, start in (("1/s peak 20/s", []), ("1/s, 20/s from 23:50 to 00:50", ["--scenario", "quiet.scenario"])):
            model = with_rate(rate)
            (self.folder / "quiet.scenario").write_text('scenario "S" {\nstart 03:00\n}\n', encoding="utf-8")
            average = self.report("--until", "10", *start, model=model)["outcome"]["all"]["calls"]
            for options, scenario in ((["--peak", "--until", "10"], None), ([], "load peak\nfor 10 minutes")):
                peak = self.report(*options, model=model, scenario=scenario)["outcome"]["all"]["calls"]
                self.assertAlmostEqual(peak / (2 * 20 * 600), 1, delta=0.05)
            self.assertAlmostEqual(average / (2 * 600), 1, delta=0.15)
            self.assertEqual("--peak" in self.simulate("--until", "1", model=model).stdout, "peak" in rate)
        self.assertNotIn("--peak", self.simulate("--until", "1").stdout)

    def test_scenarios(self):
        for line in ("load x0", "load x0 of Get\nload x0 of Add", "load x1e-300"):
            self.refused("call", scenario=line)
        self.refused("million calls", scenario="load x1000000 at 1 seconds")
        grown = self.report(scenario="for 60 seconds\nload x1000 at 10 seconds over 50 seconds")["outcome"]["all"]["calls"]
        self.assertGreater(grown, 20 * 50 * 400)
        for line, name in (("load x2 of Nobody", "Nobody"), ("hot 3% of Nobody", "Nobody"), ("scan Nobody 1/s", "Nobody"), ("physics aws,none=1", "none"),
                           ("capacity provisioned 0 read 0 write", "line 2"), ("warm -1 read 5 write", "line 2"), ("for 1e9 hours", "line 2"),
                           ("start 25:00", "line 2"), ("clients 0", "line 2"), ("timeout 0 seconds", "line 2"), ("objective p99 < nan ms", "line 2"),
                           ("load xnan", "line 2"), ("for nan minutes", "line 2"), ("hot 101%", "line 2"), ("fault error 1% of", "line 2")):
            self.refused(name, scenario=line)
        self.refused("line 1", "--scenario", "m.prejoin")
        self.refused("cannot read", "--scenario", "/nowhere")
        self.refused("cannot read", "--scenario", "/")

    def test_midnight(self):
        """Hours over midnight: an hour from 23:30 on is all busy; one from 00:00 on is half."""
        model = with_rate("1/s, 21/s from 23:30 to 00:30")
        whole = self.report(model=model)["outcome"]
        self.assertEqual(whole["startHour"], 23.5)
        half = self.report(model=model, scenario="start 00:00\nfor 60 minutes")["outcome"]
        self.assertAlmostEqual(whole["all"]["calls"] / (42 * 3600), 1, delta=0.02)
        self.assertAlmostEqual(half["all"]["calls"] / (22 * 3600), 1, delta=0.02)

    def test_a_killed_simulation_leaves_nothing(self):
        (self.folder / "m.prejoin").write_text(MODEL, encoding="utf-8")
        with subprocess.Popen([BINARY, "simulate", "m.prejoin", "--until", "9000", "--junit", "out.xml"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.terminate()
            self.assertNotEqual(process.wait(timeout=10), 0)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["m.prejoin"])


if __name__ == "__main__":
    unittest.main()
