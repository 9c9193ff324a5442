"""`prejoin gen` as a command: deterministic, `--check` for CI, small diffs for small changes."""

import ast
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))

import server_process  # noqa: E402

# What says nothing about patterns, and nothing about tables.
NO_PATTERNS = {"cloudformation", "cdk", "terraform", "aws-cli", "mermaid", "dbml", "json-schema", "workbench", "onetable", "electrodb",
               "pynamodb"}
LOGICAL = {"mermaid", "dbml", "json-schema", "iam"}
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

    def test_what_is_one_file_may_be_printed(self):
        model = self.path / "school.prejoin"
        model.write_text(SCHOOL)
        run = [server_process.binary(), "gen", str(model), "--to"]
        self.gen(target="cloudformation")
        printed = subprocess.run([*run, "cloudformation"], check=True, capture_output=True, text=True).stdout
        self.assertEqual([printed], list(self.files().values()))
        several = subprocess.run([*run, "python"], check=False, capture_output=True, text=True)
        self.assertEqual((several.returncode, several.stdout), (2, ""))
        self.assertIn("files: name a directory with -o DIRECTORY", several.stderr)

    def files(self, output="out"):
        root = self.path / output
        return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}

    def changed_lines(self, source, target):
        """Lines that are gone and lines that came, blanks apart: a formatter's columns are nobody's own."""
        self.gen(target=target, output=target + "-a")
        self.gen(target=target, output=target + "-b", source=source)
        before, after = ([" ".join(line.split()).rstrip(",") for name, text in self.files(target + side).items()
                          for line in [f"-- {name}", *text.splitlines()]] for side in ("-a", "-b"))
        lines = list(difflib.ndiff(before, after))
        return [[line[2:] for line in lines if line[:2] == sign and line[2:].strip("()[]{};., ")] for sign in ("- ", "+ ")]

    def targets(self):
        listed = subprocess.run([server_process.binary(), "gen", "--help"], check=True, capture_output=True, text=True).stdout
        names = re.findall(r"^  ([a-z-]+)  +\S", listed[listed.index("Targets:"):], re.M)
        self.assertGreater(len(names), 15)
        return names

    def test_the_same_model_gives_the_same_files(self):
        self.assertEqual(self.gen(output="a").returncode, 0)
        self.assertEqual(self.gen(output="b").returncode, 0)
        self.assertTrue(self.files("a"))
        self.assertEqual(self.files("a"), self.files("b"))

    def test_a_name_that_a_language_needs_gets_another(self):
        source = SCHOOL
        for number, name in enumerate(("Return", "Delete", "Import", "Put", "Await")):
            pattern = re.findall(r"^(?:pattern|write) (\w+)", SCHOOL, re.M)[number]
            source = re.sub(rf"\b{pattern}\b", name, source)
        for target, spelled in (("python", "def do_return("), ("typescript", "function doDelete("), ("go", "DoImport("), ("java", "doPut("),
                                ("rust", "fn do_await("), ("cpp", "DoAwait(")):
            with self.subTest(target=target):
                self.assertEqual(self.gen(target=target, output=target, source=source).returncode, 0)
                self.assertIn(spelled, "".join(self.files(target).values()))
        for name, text in self.files("python").items():
            if name.endswith(".py"):
                ast.parse(text, name)

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

    def test_check_knows_every_target(self):
        for target in self.targets():
            with self.subTest(target=target):
                self.assertEqual(self.gen("--check", target=target, output=target).returncode, 1)
                self.assertEqual(self.gen(target=target, output=target).returncode, 0)
                self.assertEqual(self.gen("--check", target=target, output=target).returncode, 0)
                path = next(path for path in sorted((self.path / target).rglob("*")) if path.is_file() and path.read_text())
                path.write_text(path.read_text() + "\n")
                self.assertEqual(self.gen("--check", target=target, output=target).returncode, 1)

    def test_a_file_that_the_model_no_longer_makes_is_found_and_removed(self):
        without_drop = re.sub(r"write Drop .*?\n}\n", "", SCHOOL, flags=re.S)
        cases = [("java", SCHOOL.replace("Student", "Learner"), "Student.java"), ("iam", without_drop, "write_drop.json"),
                 ("cpp", SCHOOL.replace('model "Students and courses"', 'model "Teaching"'), "students_and_courses.cc")]
        for target, changed, stale in cases:
            with self.subTest(target=target):
                self.gen(target=target, output=target)
                own = self.path / target / ("kept" + pathlib.Path(stale).suffix)
                own.write_text("not generated")
                self.assertTrue((self.path / target / stale).exists())
                (self.path / target / stale).rename(self.path / "held")
                self.gen(target=target, output=target, source=changed)
                self.assertEqual(self.gen("--check", target=target, output=target, source=changed).returncode, 0)
                (self.path / "held").rename(self.path / target / stale)
                done = self.gen("--check", target=target, output=target, source=changed)
                self.assertEqual(done.returncode, 1)
                self.assertIn(stale, done.stderr)
                self.gen(target=target, output=target, source=changed)
                self.assertFalse((self.path / target / stale).exists())
                self.assertTrue(own.exists())

    def test_targets_may_share_a_folder(self):
        for target in ("typescript", "cdk"):
            self.gen(target=target)
        for target in ("typescript", "cdk"):
            self.assertEqual(self.gen("--check", target=target).returncode, 0)

    def test_a_renamed_attribute_touches_its_own_lines_only(self):
        renamed = SCHOOL.replace("major", "minor")
        for target in self.targets():
            with self.subTest(target=target):
                gone, came = self.changed_lines(renamed, target)
                self.assertEqual([line for line in gone if "major" not in line.lower()], [])
                self.assertEqual([line for line in came if "minor" not in line.lower()], [])
        self.assertTrue(gone)

    def test_a_new_pattern_only_adds(self):
        added = SCHOOL.replace('write A13', 'pattern OneStudent "A student" {\n  find Student where id = :student\n  rate 1/s\n}\n\nwrite A13')
        for target in self.targets():
            with self.subTest(target=target):
                gone, came = self.changed_lines(added, target)
                # At most an import that got longer; the documentation counts and adds up.
                self.assertEqual([line for line in gone if "import" not in line and target != "markdown"], [])
                self.assertLessEqual(len(gone), 6, gone)
                self.assertTrue(came or target in NO_PATTERNS)

    def test_a_new_index_only_adds(self):
        added = SCHOOL.replace("project enrolledOn, grade\n", "project enrolledOn, grade\n  index GSI2 partition GSI2PK sort GSI2SK\n") \
            .replace('    SK = "PROFILE"\n', '    SK = "PROFILE"\n    GSI2PK = "MAJOR#{major}"\n    GSI2SK = "STU#{id}"\n', 1)
        for target in self.targets():
            with self.subTest(target=target):
                gone, came = self.changed_lines(added, target)
                self.assertEqual([line for line in gone if "import" not in line and target != "markdown"], [])
                self.assertLessEqual(len(gone), 8, gone)  # The documentation's tables have a column for each key.
                self.assertTrue(came or target in LOGICAL)

    def test_a_model_without_tables_is_one_sentence(self):
        logical = SCHOOL[:SCHOOL.index("\ntable ") + 1]
        for options, code in (((), 0), (("--strict",), 1)):
            done = self.gen(*options, source=logical)
            self.assertEqual(done.returncode, code)
            self.assertEqual(done.stderr.strip().splitlines(),
                             ["prejoin gen: school.prejoin has no tables, so no pattern and no write has code; next: prejoin design"])

    def test_the_readme_shows_a_call_of_a_model_without_examples(self):
        without = "\n".join(line for line in SCHOOL.splitlines() if not line.lstrip().startswith("example "))
        for target, call in (("python", r"print\(\w+\(db, \w+=\"\w+-1\"\)\)"), ("typescript", r"await \w+\(db, \{ \w+: \"\w+-1\" \}\)"),
                             ("go", r"client\.\w+\(ctx, \w+\.\w+Args\{\w+: \"\w+-1\"\}\)")):
            self.assertEqual(self.gen(source=without, target=target, output=target).returncode, 0)
            self.assertRegex(self.files(target)["README.md"], call)

    def test_an_unknown_target_names_the_ones_there_are(self):
        done = self.gen(target="typscript")
        self.assertEqual(done.returncode, 2)
        self.assertIn("typescript", done.stderr)


if __name__ == "__main__":
    unittest.main()
