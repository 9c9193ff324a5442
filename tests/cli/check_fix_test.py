#!/usr/bin/python3
"""`prejoin check --fix`: fixes on the file, the diff of a dry run, what is rolled back, and the fixes in JSON and SARIF."""

import json
import os
import pathlib
import stat
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PREJOIN_BINARY", str(ROOT / "build/release/prejoin"))

# A type written wrong, and an `allow` that suppresses nothing: both are safe to fix. ByCity needs an index, which is a change of the
# design.
SLIPS = """entity A {
  id   text(~4) key
  city txt(~9) // Ζürich
  count 100
}
pattern ById {
  allow PJ112 because "it was hot once"
  find A where id = :id
}
pattern ByCity {
  find A where city = :c get id
}
table T partition PK {
  item A {
    PK = "A#{id}"
  }
}
"""
SAFE = SLIPS.replace("txt(", "text(").replace('  allow PJ112 because "it was hot once"\n', "")
# The nearest entity has a layout already, and the block would then be read for the first time.
WORSE = """entity Book {
  id text(~4) key
  count 100
}
pattern ById {
  find Book where id = :id
}
table T partition PK {
  item Book {
    PK = "B#{id}"
  }
  item Books {
    PK = "{one}#{two}"
  }
}
"""


def run(*arguments, stdin=None):
    return subprocess.run([BINARY, "check", *arguments], input=stdin, capture_output=True, text=True, timeout=60, check=False)


class CheckFix(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, text, name="m.prejoin"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_safe_fixes_are_written_and_the_rest_is_reported(self):
        path = self.file(SLIPS)
        path.chmod(0o640)
        done = run("--fix", path)
        self.assertEqual(path.read_text(encoding="utf-8"), SAFE)
        self.assertEqual(done.returncode, 1)  # ByCity is still not supported.
        self.assertIn("PJ101", done.stdout)
        self.assertTrue(done.stdout.endswith("2 findings fixed; 1 file, 1 error, 0 warnings left; --unsafe-fixes has fixes for 1\n"), done.stdout)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        self.assertEqual([one.name for one in self.folder.iterdir()], ["m.prejoin"])

    def test_unsafe_fixes_are_made_on_request(self):
        path = self.file(SLIPS)
        done = run("--fix", "--unsafe-fixes", path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("index GSI1 partition GSI1PK", path.read_text(encoding="utf-8"))
        self.assertRegex(done.stdout, r"\d+ findings fixed; 1 file, 0 errors, 0 warnings left\n$")
        again = run("--fix", "--unsafe-fixes", path)
        self.assertTrue(again.stdout.endswith("0 findings fixed; 1 file, 0 errors, 0 warnings left\n"), again.stdout)

    def test_a_dry_run_prints_a_diff_that_patch_applies_and_writes_nothing(self):
        path = self.file(SLIPS)
        done = run("--fix", "--dry-run", path)
        self.assertEqual(path.read_text(encoding="utf-8"), SLIPS)
        self.assertIn("2 findings would be fixed; 1 file, 1 error, 0 warnings would be left", done.stderr)
        self.assertTrue(done.stdout.startswith(f"--- {path}\n+++ {path}\n@@ "), done.stdout)
        self.assertIn("-  city txt(~9) // Ζürich\n+  city text(~9) // Ζürich\n", done.stdout)
        patched = subprocess.run(["patch", "-s", str(path)], input=done.stdout, text=True, capture_output=True, timeout=60, check=False)
        self.assertEqual(patched.returncode, 0, patched.stdout + patched.stderr)
        self.assertEqual(path.read_text(encoding="utf-8"), SAFE)
        self.assertEqual(run("--fix", "--dry-run", path).stdout, "")

    def test_standard_input_only_in_a_dry_run(self):
        self.assertEqual(run("--fix", "-", stdin=SLIPS).returncode, 2)
        self.assertIn("+  city text(~9)", run("--fix", "--dry-run", "-", stdin=SLIPS).stdout)

    def test_a_fix_that_leaves_more_errors_is_rolled_back(self):
        path = self.file(WORSE)
        done = run("--fix", "--unsafe-fixes", path)
        self.assertEqual(path.read_text(encoding="utf-8"), WORSE)
        self.assertIn("the fix of PJ003 was rolled back: it leaves more errors than there were", done.stderr)
        self.assertIn("0 findings fixed", done.stdout)

    def test_a_symbolic_link_stays_one(self):
        path = self.file(SLIPS, "real.prejoin")
        link = self.folder / "link.prejoin"
        link.symlink_to(path)
        run("--fix", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(path.read_text(encoding="utf-8"), SAFE)

    def test_a_file_that_cannot_be_written_is_left_as_it_is(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        path = self.file(SLIPS)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        done = run("--fix", path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(path.read_text(encoding="utf-8"), SLIPS)

    def test_options_that_mean_nothing_alone_are_refused(self):
        path = self.file(SLIPS)
        for arguments in (["--dry-run"], ["--unsafe-fixes"], ["--fix", "--dry-run", "--json"], ["--fix", "--dry-run", "--sarif"]):
            self.assertEqual(run(*arguments, path).returncode, 2, arguments)
        self.assertEqual(path.read_text(encoding="utf-8"), SLIPS)

    def test_json_and_sarif_carry_the_edits(self):
        path = self.file(SLIPS)
        first = json.loads(run("--json", path).stdout)[0]
        self.assertEqual(first["suggestion"], "did you mean `text`?")
        self.assertEqual(first["fixes"], [{"title": "write `text`", "applicability": "safe", "edits": [
            {"line": 3, "column": 8, "endLine": 3, "endColumn": 11, "removed": "txt", "text": "text"}]}])
        result = json.loads(run("--sarif", path).stdout)["runs"][0]["results"][0]
        change = result["fixes"][0]["artifactChanges"][0]
        self.assertEqual(change["artifactLocation"]["uri"], str(path))
        self.assertEqual(change["replacements"], [{"deletedRegion": {"startLine": 3, "startColumn": 8, "endLine": 3, "endColumn": 11},
                                                   "insertedContent": {"text": "text"}}])
        self.assertEqual(result["fixes"][0]["description"]["text"], "write `text`")
        left = json.loads(run("--fix", "--json", path).stdout)
        self.assertEqual([(one["rule"], one["fixes"][0]["applicability"]) for one in left], [("PJ101", "unsafe")])


if __name__ == "__main__":
    unittest.main()
