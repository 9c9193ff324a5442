#!/usr/bin/python3
"""What CI reads: JUnit files and annotations of `check` and `prove`, and the limits of `diff` and `cost`."""

import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PREJOIN_BINARY", str(ROOT / "build/release/prejoin"))
SCHOOL = ROOT / "examples/models/d04_students_and_courses.prejoin"

# ByCity is served by no key; the percent sign and the comma mean something to GitHub.
UNSERVED = """entity A {
  id   text(~4) key
  city text(~9)
  count 100
}
pattern ById {
  find A where id = :id
  rate 1/s
}
pattern ByCity "100%, all" {
  find A where city = :c get id
  rate 1/s
}
table T partition PK {
  item A {
    PK = "A#{id}"
  }
}
"""


def run(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], check=False, capture_output=True, text=True)


class CiTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "a,b.prejoin"
        self.model.write_text(UNSERVED)

    def test_findings_are_cases_of_a_junit_file(self):
        report = self.folder / "report.xml"
        self.assertEqual(run("check", "--junit", report, self.model, SCHOOL).returncode, 1)
        suite, = xml.parse(report).getroot()
        cases = list(suite)
        failed = [case for case in cases if case.find("failure") is not None]
        self.assertEqual([case.get("name") for case in failed], ["PJ101"])
        self.assertEqual(failed[0].get("classname"), str(self.model))
        self.assertEqual((suite.get("tests"), suite.get("failures")), (str(len(cases)), "1"))
        self.assertTrue(any(case.get("classname") == str(SCHOOL) for case in cases))

    def test_annotations_stand_at_the_line_of_the_finding(self):
        lines = [line for line in run("check", "--github", self.model).stdout.splitlines() if line.startswith("::error")]
        self.assertEqual(len(lines), 1)
        escaped = str(self.model).replace(",", "%2C")
        self.assertTrue(lines[0].startswith(f"::error file={escaped},line=10,col="), lines[0])
        self.assertIn(",title=PJ101::", lines[0])

    def test_patterns_and_writes_are_cases_of_a_proof(self):
        report = self.folder / "report.xml"
        self.assertEqual(run("prove", "--junit", report, SCHOOL).returncode, 0)
        suite, = xml.parse(report).getroot()
        names = [case.get("name") for case in suite]
        self.assertTrue(any(name.startswith("pattern ") for name in names))
        self.assertTrue(any(name.startswith("write ") for name in names))
        self.assertEqual(suite.get("failures"), "0")

    def test_a_report_that_cannot_be_written_is_an_error(self):
        self.assertEqual(run("check", "--junit", self.folder / "none/report.xml", SCHOOL).returncode, 2)

    def test_diff_and_cost_have_limits(self):
        text = SCHOOL.read_text()
        dearer = self.folder / "dearer.prejoin"
        dearer.write_text(text.replace("rate 40/s", "rate 4000/s", 1))
        self.assertNotEqual(dearer.read_text(), text)
        self.assertEqual(run("diff", "--exit-code", SCHOOL, SCHOOL).returncode, 0)
        self.assertEqual(run("diff", "--max-increase", "5%", SCHOOL, SCHOOL).returncode, 0)
        done = run("diff", "--max-increase", "5%", SCHOOL, dearer)
        self.assertEqual(done.returncode, 1)
        self.assertIn("--max-increase 5%", done.stderr)
        self.assertEqual(run("diff", "--max-increase", "many", SCHOOL, dearer).returncode, 2)
        changed = self.folder / "changed.prejoin"
        changed.write_text(text.replace('"PROFILE"', '"ABOUT"'))
        self.assertEqual(run("diff", "--exit-code", SCHOOL, changed).returncode, 1)
        self.assertEqual(run("cost", "--max-cost", "1000000", SCHOOL).returncode, 0)
        self.assertEqual(run("cost", "--max-cost", "0", SCHOOL).returncode, 1)

    def test_summaries_are_appended_by_every_verb_of_a_build(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            model = path / "a.prejoin"
            model.write_text(UNSERVED)
            summary = path / "summary.md"
            self.assertEqual(run("check", model, "--summary", summary).returncode, 1)
            self.assertEqual(run("prove", SCHOOL, "--summary", summary, "--no-estimates").returncode, 0)
            other = path / "b.prejoin"
            other.write_text(SCHOOL.read_text().replace('"CRS#{courseId}"', '"COURSE#{courseId}"'))
            self.assertEqual(run("diff", SCHOOL, SCHOOL, "--summary", summary, "--junit", path / "diff.xml").returncode, 0)
            self.assertEqual(run("simulate", SCHOOL, "--until", 1, "--summary", summary, "--github").returncode, 0)
            text = summary.read_text()
            self.assertEqual([line for line in text.splitlines() if line.startswith("###")],
                             ["### \u274c prejoin check", "### \u2705 prejoin prove", "### \u2705 prejoin diff", "### \u2705 prejoin simulate"])
            self.assertIn("| error | `", text)
            self.assertIn("monthly cost", text)
            self.assertGreater(len(xml.parse(path / "diff.xml").findall(".//testcase")), 5)
            self.assertEqual(run("check", SCHOOL, "--summary", folder).returncode, 2)

    def test_a_pattern_that_loses_its_key_fails_the_comparison(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            served = path / "served.prejoin"
            served.write_text(UNSERVED.replace("table T partition PK {",
                                               "table T partition PK {\n  index ByCity partition city project all\n"))
            after = path / "after.prejoin"
            after.write_text(UNSERVED)
            done = run("diff", served, after, "--github")
            self.assertIn("::error file=", done.stdout)
            self.assertIn("not supported by any key", done.stdout)


if __name__ == "__main__":
    unittest.main()
