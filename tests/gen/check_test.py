"""`prejoin gen` as a command: deterministic, `--check` for CI, small diffs for small changes."""

import difflib
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))

import server_process  # noqa: E402

SCHOOL = (ROOT / "examples/models/d04_students_and_courses.prejoin").read_text()


class GenTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def gen(self, *options, source=SCHOOL, target="typescript", output="out"):
        model = self.path / "school.prejoin"
        model.write_text(source)
        return subprocess.run([server_process.binary(), "gen", str(model), "--to", target, "-o", str(self.path / output), *options],
                              check=False, capture_output=True, text=True)

    def files(self, output="out"):
        root = self.path / output
        return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}

    def changed_lines(self, source, target):
        self.gen(target=target, output="a")
        self.gen(target=target, output="b", source=source)
        before, after = self.files("a"), self.files("b")
        self.assertEqual(before.keys(), after.keys())
        return [line for name in before for line in difflib.ndiff(before[name].splitlines(), after[name].splitlines())
                if line[:2] in ("- ", "+ ")]

    def test_the_same_model_gives_the_same_files(self):
        self.assertEqual(self.gen(output="a").returncode, 0)
        self.assertEqual(self.gen(output="b").returncode, 0)
        self.assertTrue(self.files("a"))
        self.assertEqual(self.files("a"), self.files("b"))

    def test_check_fails_when_files_and_model_differ(self):
        self.assertEqual(self.gen("--check").returncode, 1)  # Nothing is there yet.
        self.gen()
        self.assertEqual(self.gen("--check").returncode, 0)
        self.assertEqual(self.gen("--check", source=SCHOOL.replace("  grade      text(~2) optional", "  mark       text(~2) optional")
                                  .replace("set grade", "set mark").replace("enrolledOn, grade", "enrolledOn, mark")).returncode, 1)
        (self.path / "out/patterns.ts").write_text("edited by hand")
        done = self.gen("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("patterns.ts", done.stderr)
        self.assertEqual((self.path / "out/patterns.ts").read_text(), "edited by hand")

    def test_a_renamed_attribute_touches_its_own_lines_only(self):
        renamed = SCHOOL.replace("major", "subject")
        for target in ("typescript", "python"):
            lines = self.changed_lines(renamed, target)
            self.assertTrue(lines)
            self.assertEqual([line for line in lines if "major" not in line and "subject" not in line], [])

    def test_a_new_pattern_only_adds(self):
        added = SCHOOL.replace('write A13', 'pattern OneStudent "A student" {\n  find Student where id = :student\n  rate 1/s\n}\n\nwrite A13')
        for target in ("typescript", "python"):
            lines = self.changed_lines(added, target)
            self.assertTrue(lines)
            removed = [line for line in lines if line.startswith("- ")]
            self.assertLessEqual(len(removed), 2, removed)  # At most an import line that got longer.

    def test_an_unknown_target_names_the_ones_there_are(self):
        done = self.gen(target="typscript")
        self.assertEqual(done.returncode, 2)
        self.assertIn("typescript", done.stderr)


if __name__ == "__main__":
    unittest.main()
