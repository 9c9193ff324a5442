#!/usr/bin/python3
"""Rows out: tables exported by entity and loaded into SQLite answer every pattern, as SQL, as often as the model's examples say; and infer reads
a table back."""
import csv
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from server_process import ServerProcess  # noqa: E402

BINARY = os.environ["PREJOIN_BINARY"]
MODELS = HERE.parents[1] / "examples/models"
NAMES = ["d04_students_and_courses", "d05_education", "d07_books_authors", "d08_saas_orgs"]


def run(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=True).stdout


def sql_of(section):
    """The section of a pattern as SQL with named parameters."""
    conditions = []
    for condition in section.get("where", []):
        operands = [f":{one['parameter']}" if "parameter" in one else repr(one["value"]) for one in condition["operands"]]
        name = f'"{condition["attribute"]}"'
        how = condition["comparison"]
        if how == "between":
            conditions.append(f"{name} BETWEEN {operands[0]} AND {operands[1]}")
        elif how == "begins_with":
            conditions.append(f"substr({name}, 1, length({operands[0]})) = {operands[0]}")
        elif how == "in":
            conditions.append(f"{name} IN ({', '.join(operands)})")
        else:
            conditions.append(f"{name} {how} {operands[0]}")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    limit = f" LIMIT {section['limit']}" if section.get("limit") else ""
    return f'SELECT * FROM "{section["entity"]}"{where}{limit}'


class RowsOut(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ServerProcess().start()
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.folder.cleanup()

    def apply(self, model):
        # Another test may have made the table already.
        subprocess.run([BINARY, "apply", model, "--endpoint", self.server.endpoint], capture_output=True, check=False, timeout=60)

    def test_each_example_gives_its_rows_in_sqlite(self):
        compared = 0
        for name in NAMES:
            model = json.loads(run("fmt", "--json", MODELS / f"{name}.prejoin"))
            self.apply(MODELS / f"{name}.prejoin")
            database = sqlite3.connect(":memory:")
            for table in model["tables"]:
                folder = pathlib.Path(self.folder.name) / f"{name}-{table['name']}"
                run("export", table["name"], "--model", MODELS / f"{name}.prejoin", "--as", "sql", "--to", folder, "--endpoint",
                    self.server.endpoint)
                for file in sorted(folder.iterdir()):
                    database.executescript(file.read_text())
            for pattern in model["patterns"]:
                sections = pattern["find"]
                if any(one.get("via") for one in sections):
                    continue
                for example in pattern.get("examples", []):
                    if example.get("rows") is None:
                        continue
                    rows = sum(len(database.execute(sql_of(one), example["arguments"]).fetchall()) for one in sections)
                    self.assertEqual(rows, example["rows"], f"{name} {pattern['name']}")
                    compared += 1
        self.assertGreater(compared, 8)

    def test_csv_and_json_lines_hold_the_same_rows(self):
        model = MODELS / "d04_students_and_courses.prejoin"
        self.apply(model)
        folder = pathlib.Path(self.folder.name)
        for kind in ("csv", "jsonl"):
            run("export", "School", "--model", model, "--as", kind, "--to", folder / kind, "--endpoint", self.server.endpoint)
        with open(folder / "csv/Enrollment.csv", encoding="utf-8", newline="") as file:
            rows = sorted((row["studentId"], row["courseId"], row["grade"]) for row in csv.DictReader(file))
        lines = [json.loads(line) for line in (folder / "jsonl/Enrollment.jsonl").read_text().splitlines()]
        self.assertEqual(rows, sorted((one["studentId"], one["courseId"], one.get("grade", "")) for one in lines))
        self.assertEqual(len(rows), 3)

    def test_infer_reads_a_table_and_an_export_alike(self):
        model = MODELS / "d04_students_and_courses.prejoin"
        self.apply(model)
        folder = pathlib.Path(self.folder.name)
        live = run("infer", "--table", "School", "--endpoint", self.server.endpoint)
        run("export", "School", "--to", folder / "aws", "--endpoint", self.server.endpoint)
        stored = run("infer", "--table", "School", "--from", folder / "aws")
        self.assertEqual(live.splitlines()[1:], stored.splitlines()[1:])
        self.assertIn('"CRS#{', live)
        self.assertIn('"ENROLL#CRS#{', live)
        path = folder / "inferred.prejoin"
        path.write_text(live)
        self.assertIn("0 errors", run("check", path))
        self.assertIn(" right", run("prove", path))


if __name__ == "__main__":
    sys.exit(unittest.main())
