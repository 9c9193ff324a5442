#!/usr/bin/python3
"""What the command says about command lines it cannot run, and how wide it prints."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["PREJOIN_BINARY"]
MODELS = os.path.join(os.path.dirname(__file__), "../../examples/models")
SCHOOL = os.path.join(MODELS, "d04_students_and_courses.prejoin")


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60, check=False)


class Usage(unittest.TestCase):
    def refused(self, arguments, *parts):
        result = run(*arguments)
        self.assertEqual(result.returncode, 2, result)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertNotIn("->", result.stderr)

    def test_names_the_nearest_verb_and_option(self):
        self.refused(["chek", SCHOOL], "there is no verb `chek`; did you mean `check`?")
        self.refused(["check", "--jsn", SCHOOL], "there is no option --jsn; did you mean --json?")
        self.refused(["--verson"], "did you mean --version?")
        self.refused(["frobnicate"], "there is no verb `frobnicate`", "check", "prove")

    def test_an_audit_log_without_authentication_is_refused(self):
        result = run("serve", "--memory", "--port", "0", "--audit-log", "/tmp/nowhere")
        self.assertEqual(result.returncode, 2, result)
        self.assertIn("add --auth verify or --auth required", result.stderr)

    def test_says_what_an_option_takes(self):
        self.refused(["chart", SCHOOL, "--as", "pdf"], "--as cannot be `pdf`", "text", "markdown", "svg")
        self.refused(["prove", SCHOOL, "--rows", "abc"], "--rows cannot be `abc`; it is a number")
        self.refused(["cost", SCHOOL, "--scale", "-1"], "--scale cannot be `-1`; it is a number above 0")
        for verb, option in (("cost", "--scale"), ("cost", "--max-cost"), ("simulate", "--until"), ("simulate", "--rate"), ("simulate", "--rows"),
                             ("design", "--seconds"), ("prove", "--rows"), ("audit", "--sample")):
            for number in ("nan", "inf", "-inf", "1e999"):
                self.refused([verb, SCHOOL, option, number], f"{option} cannot be `{number}`; it is a number")
        self.refused(["serve", "--memory", "--port", "99999"], "a port is a number from 0 to 65535")
        self.refused(["serve", "--memory", "--sync", "maybe"], "--sync cannot be `maybe`; it is one of always, none")
        self.refused(["serve", "--memory", "--threads", "5000"], "it is a number from 0 to 1024")
        self.refused(["serve", "--memory", "--allow-embed", "blog"], "--allow-embed cannot be `blog`; Origin, such as https://blog.example")

    def test_several_files_are_one_json_document_with_their_names(self):
        other = os.path.join(MODELS, "d01_user_orders.prejoin")
        for arguments in (["prove", "--json"], ["fmt", "--json"]):
            one = run(*arguments, SCHOOL)
            self.assertEqual(one.returncode, 0, one.stderr)
            alone = json.loads(one.stdout)
            self.assertNotIn("file", alone)
            both = run(*arguments, SCHOOL, other)
            self.assertEqual(both.returncode, 0, both.stderr)
            documents = json.loads(both.stdout)
            self.assertEqual([document["file"] for document in documents], [SCHOOL, other])
            self.assertEqual({**documents[0]}, {"file": SCHOOL, **alone})
            # One that cannot be read is named too, and what comes behind it is still done.
            missing = run(*arguments, "/nowhere.prejoin", SCHOOL)
            self.assertEqual(missing.returncode, 2)
            documents = json.loads(missing.stdout)
            self.assertEqual(documents[0]["file"], "/nowhere.prejoin")
            self.assertIn("error", documents[0])
            self.assertEqual(documents[1], {"file": SCHOOL, **alone})
        findings = json.loads(run("check", "--json", SCHOOL, other).stdout)
        self.assertTrue(all("file" in finding for finding in findings))
        self.refused(["prove", SCHOOL, "--as-tenant", "--json"], "--as-tenant")

    def test_lists_the_keys_when_one_is_unknown(self):
        self.refused(["explain", SCHOOL, "--key", "NOPE"], "known: PK, SK, GSI1PK, GSI1SK")
        self.refused(["explain", SCHOOL, "--key", "GS1SK"], "did you mean `GSI1SK`?")

    def test_an_endpoint_without_a_scheme_says_how_to_write_it(self):
        self.refused(["apply", SCHOOL, "--endpoint", "localhost:8000"], "did you mean http://localhost:8000?")

    def test_a_verb_speaks_under_its_own_name(self):
        self.refused(["studio", "--endpoint", "nonsense"], "prejoin studio: ")
        self.refused(["serve"], "prejoin serve: choose where the data is stored")

    def test_missing_files_and_directories_are_named(self):
        self.refused(["check", "/nowhere/x.prejoin"], "cannot read /nowhere/x.prejoin: No such file")
        self.refused(["prove"], "FILE is required")

    def test_an_empty_file_passes_nothing(self):
        with tempfile.NamedTemporaryFile(suffix=".prejoin") as empty:
            self.assertEqual(run("check", empty.name).returncode, 1)
            self.assertIn("PJ005", run("check", empty.name).stdout)
            self.assertEqual(run("prove", empty.name).returncode, 1)
            self.assertIn("Nothing to prove", run("prove", empty.name).stdout)

    def test_counts_one_as_one(self):
        self.assertTrue(run("check", SCHOOL).stdout.endswith("1 file, 0 errors, 0 warnings\n"))

    def test_an_unserved_pattern_has_no_run_line(self):
        with open(SCHOOL, encoding="utf-8") as source, tempfile.NamedTemporaryFile("w", suffix=".prejoin") as broken:
            broken.writelines(line for line in source if "GSI1" not in line)
            broken.flush()
            proof = run("prove", broken.name)
        self.assertEqual(proof.returncode, 1)
        self.assertIn("! not supported by any key", proof.stdout)
        self.assertNotIn("0 runs", proof.stdout)

    def test_folds_prose_to_eighty_columns(self):
        for name in sorted(os.listdir(MODELS)):
            if not name.endswith(".prejoin"):
                continue
            for verb in ("explain", "advise", "prove", "cost"):
                for line in run(verb, os.path.join(MODELS, name)).stdout.splitlines():
                    # One word, such as a path or a template, may be longer than the line.
                    self.assertTrue(len(line) <= 80 or " " not in line.strip(), f"{verb} {name}: {line}")


if __name__ == "__main__":
    sys.exit(unittest.main())
