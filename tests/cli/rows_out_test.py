#!/usr/bin/python3
"""Rows out: tables exported by entity and loaded into SQLite answer every pattern of every example, as SQL, with the rows that the pattern's own
requests give; and infer reads a table back."""
import csv
import json
import os
import pathlib
import re
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
def run(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=True).stdout


def references(model, entity, target):
    """Attributes of the entity → attributes of the target that they point at."""
    found = {}
    for attribute in model.entities[entity].values():
        owner, _, name = attribute.get("references", "").partition(".")
        if owner == target:
            found[attribute["name"]] = name
    return found


def condition_sql(condition, prefix):
    operands = [f":{one['parameter']}" if "parameter" in one else repr(one["value"]) for one in condition["operands"]]
    column, _, derived = condition["attribute"].partition(" ")
    name = f'{prefix}."{column}"'
    if derived:  # Both sides are compared by their beginnings.
        length = {"year": 4, "month": 7, "day": 10, "hour": 13}.get(derived) or int(derived.split()[1])
        name, operands = f"substr({name}, 1, {length})", [f"substr({one}, 1, {length})" for one in operands]
    how = condition["comparison"]
    if how == "between":
        return f"{name} BETWEEN {operands[0]} AND {operands[1]}"
    if how == "begins_with":
        return f"substr({name}, 1, length({operands[0]})) = {operands[0]}"
    if how == "in":
        return f"{name} IN ({', '.join(operands)})"
    if how in ("exists", "not exists"):
        return f"{name} IS {'NOT ' if how == 'exists' else ''}NULL"
    if how == "<>":  # What is not there is not equal to anything, either.
        return f"({name} IS NULL OR {name} <> {operands[0]})"
    return f"{name} {how} {operands[0]}"


def sql_of(model, section, given):
    """The section of a pattern as SQL with named parameters. Optional conditions count only if their parameters are given."""
    entity, via = section["entity"], section.get("via")
    source = f'"{entity}" AS e'
    if via:
        on = " AND ".join(f'v."{here}" = e."{there}"' for here, there in references(model, via, entity).items())
        source = f'"{via}" AS v JOIN "{entity}" AS e ON {on}'
    columns = []
    for number, name in enumerate(section.get("get") or []):
        owner, _, attribute = name.rpartition(".")
        if not owner:
            columns.append(f'e."{name}"')
            continue
        on = " AND ".join(f'e."{here}" = p{number}."{there}"' for here, there in references(model, entity, owner).items())
        source += f' LEFT JOIN "{owner}" AS p{number} ON {on}'
        columns.append(f'p{number}."{attribute}" AS "{attribute}"')
    where = [condition_sql(one, "v" if via and one["attribute"] in model.entities[via] else "e") for one in section.get("where", [])
             if all(operand.get("parameter", "") in given or "value" in operand for operand in one["operands"])]
    if section.get("answers"):
        columns = ["COUNT(*) AS count" if section["answers"] == "count" else f"CAST(SUM({columns[0]}) AS INTEGER) AS sum"]
    text = f"SELECT {', '.join(columns) or 'e.*'} FROM {source}" + (f" WHERE {' AND '.join(where)}" if where else "")
    if section.get("orderBy"):
        text += " ORDER BY " + ", ".join(f'e."{one["attribute"]}"' + (" DESC" if one["descending"] else "") for one in section["orderBy"])
    return text + (f" LIMIT {section['limit']}" if section.get("limit") else "")


def quoted(value):
    if not isinstance(value, str):
        return str(value)
    return f'"{value}"' if "'" in value else f"'{value}'"


class Model:
    """A model with its rows in SQLite, as `prejoin export --as sql` writes them."""

    def __init__(self, path, endpoint, folder):
        self.path = path
        self.endpoint = endpoint
        self.json = json.loads(run("fmt", "--json", path))
        self.entities = {entity["name"]: {one["name"]: one for one in entity["attributes"]} for entity in self.json["entities"]}
        self.database = sqlite3.connect(":memory:")
        self.database.row_factory = sqlite3.Row
        run("apply", path, "--replace", "--endpoint", endpoint)
        for table in self.json["tables"]:
            rows = folder / f"{path.stem}-{table['name']}"
            done = json.loads(run("export", table["name"], "--model", path, "--as", "sql", "--to", rows, "--json", "--endpoint", endpoint))
            # Items that only guard a unique value are no rows.
            assert done["items"] >= done["unknown"] and sum(done["rows"].values()) > 0, done
            for file in sorted(rows.iterdir()):
                self.database.executescript(file.read_text())
        # A second layout is a table of its own; what only it holds belongs to the same row.
        for layout, entity in re.findall(r"^ *item (\w+) of (\w+)", path.read_text(), re.M):
            same = " AND ".join(f'l."{name}" = "{entity}"."{name}"' for name, one in self.entities[entity].items() if one.get("key"))
            assert same, entity
            for name in self.entities[entity]:
                self.database.execute(f'UPDATE "{entity}" SET "{name}" = (SELECT l."{name}" FROM "{layout}" l WHERE {same}) WHERE "{name}" IS NULL')

    def arguments_of(self, pattern):
        """What the pattern's examples give, and values that the rows have."""
        found = [example["arguments"] for example in pattern.get("examples", [])]
        first = pattern["find"][0]
        owner = first.get("via") or first["entity"]
        for row in self.database.execute(f'SELECT * FROM "{owner}" LIMIT 4').fetchall():
            given = {}
            for condition in first.get("where", []):
                if condition["attribute"] not in row.keys() or row[condition["attribute"]] is None:
                    continue
                for operand in condition["operands"]:
                    if "parameter" in operand:
                        given.setdefault(operand["parameter"], row[condition["attribute"]])
            if set(given) == set(pattern["parameters"]) and given not in found:
                found.append(given)
        return found

    def run_patterns(self, calls):
        """The rows of each call, by the requests of its plan."""
        script = ""
        for pattern, given in calls:
            words = "".join(f" {name}={quoted(value)}" for name, value in given.items())
            script += f"\\run {pattern}{words}\n\\call ListTables {{}}\n"
        done = subprocess.run([BINARY, "shell", "--json", "--endpoint", self.endpoint, "--model", self.path], input=script, text=True,
                              capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        answers = [[]]
        for line in done.stdout.splitlines():
            row = json.loads(line)
            if "TableNames" in row:
                answers.append([])
            else:
                answers[-1].append(row)
        return answers[:-1]

    def plain(self, row):
        """Values that SQL and JSON write alike, as text; lists and maps are left to the proof."""
        types = {name: one["type"] for attributes in self.entities.values() for name, one in attributes.items()}
        found = {}
        for name in row.keys():
            name = str(name)
            value = row[name]
            kind = types.get(name.rpartition(".")[2], "text")
            if value is None or kind in ("list", "map", "text-set", "number-set", "binary"):
                continue
            found[name.rpartition(".")[2]] = str(bool(value)) if kind == "bool" else str(float(value)) if kind == "number" else str(value)
        return tuple(sorted(found.items()))


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

    def test_every_pattern_of_every_example_as_sql(self):
        patterns = rows = 0
        for path in sorted(MODELS.glob("*.prejoin")):
            model = Model(path, self.server.endpoint, pathlib.Path(self.folder.name))
            calls = [(pattern, given) for pattern in model.json["patterns"] for given in model.arguments_of(pattern)]
            answers = model.run_patterns([(pattern["name"], given) for pattern, given in calls])
            self.assertEqual(len(answers), len(calls))
            for (pattern, given), answer in zip(calls, answers):
                wanted = [row for section in pattern["find"] for row in model.database.execute(sql_of(model, section, given), given)]
                with self.subTest(model=path.stem, pattern=pattern["name"], given=given):
                    # Without an order, a limit takes any.
                    if any(one.get("limit") and not one.get("orderBy") for one in pattern["find"]):
                        self.assertEqual(len(answer), len(wanted))
                    else:
                        self.assertEqual(sorted(map(model.plain, answer)), sorted(map(model.plain, wanted)))
                rows += len(wanted)
            patterns += len({pattern["name"] for pattern, _ in calls})
        print(f"{patterns} patterns, {rows} rows", file=sys.stderr)
        self.assertGreater(patterns, 100)
        self.assertGreater(rows, 150)

    def test_check_names_what_no_key_serves_and_its_command_takes_the_rows_out(self):
        model = MODELS / "d04_students_and_courses.prejoin"
        self.apply(model)
        folder = pathlib.Path(self.folder.name)
        asked = folder / "analytics.prejoin"
        asked.write_text(model.read_text() + "\npattern GoodGrades {\n  find Enrollment where grade <= :worst\n  rate 1/day\n}\n")
        done = subprocess.run([BINARY, "check", "--json", asked], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 1)
        finding, = [one for one in json.loads(done.stdout) if one["rule"] == "PJ101"]
        self.assertIn("`GoodGrades` is not supported by any key", finding["message"])
        command = re.search("`prejoin (export [^`]+)` writes the rows as SQL", finding["message"])[1]
        to = folder / "analytics"
        run(*command.replace("FILE", str(asked)).replace("DIR", str(to)).split(), "--endpoint", self.server.endpoint)
        database = sqlite3.connect(":memory:")
        for path in sorted(to.glob("*.sql")):
            database.executescript(path.read_text())
        self.assertEqual(database.execute("SELECT count(*) FROM Enrollment WHERE grade <= 'B'").fetchone(), (2,))

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

    def test_rows_that_a_database_would_refuse_go_to_a_file_of_their_own(self):
        folder = pathlib.Path(self.folder.name)
        model = folder / "shop.prejoin"
        model.write_text("""
entity Shop {
  id   text key
  name text
}
entity Sale {
  shop references Shop.id key
  id   number key
  at   time
  data map optional
  pic  binary optional
  ok   bool optional
}
table Shops partition PK sort SK {
  item Shop {
    PK = "S#{id}"
    SK = "S"
  }
  item Sale {
    PK = "S#{shop}"
    SK = "A#{id pad 6}"
  }
}
""")
        run("apply", model, "--endpoint", self.server.endpoint)
        good = {"PK": "S#a", "SK": "A#000001", "shop": "a", "id": 1, "at": "2024-02-29T12:00:00Z", "data": {"k": ["it's \\"]}, "ok": True}
        items = [{"PK": "S#a", "SK": "S", "id": "a", "name": "O'Neil\\ \u00e9"}, good,
                 {**good, "SK": "A#000002", "id": 2, "at": "2023-02-29T12:00:00Z"},
                 {**good, "PK": "S#b", "SK": "A#000003", "shop": "b", "id": 3},
                 {**good, "SK": "A#000004", "id": "4"}, {"PK": "X", "SK": "Y"}]
        lines = folder / "items.jsonl"
        def typed(value):
            if isinstance(value, bool):
                return {"BOOL": value}
            if isinstance(value, int):
                return {"N": str(value)}
            if isinstance(value, dict):
                return {"M": {name: typed(one) for name, one in value.items()}}
            return {"L": [typed(one) for one in value]} if isinstance(value, list) else {"S": value}
        lines.write_text("".join(json.dumps({"Item": typed(one)["M"]}) + "\n" for one in items))
        run("import", lines, "--table", "Shops", "--endpoint", self.server.endpoint)
        for dialect in ("sqlite", "postgres", "mysql", "duckdb"):
            to = folder / dialect
            done = subprocess.run([BINARY, "export", "Shops", "--model", model, "--as", "sql", "--dialect", dialect, "--to", to, "--json",
                                   "--endpoint", self.server.endpoint], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual((report["rows"], report["rejected"]), ({"Shop": 1, "Sale": 1}, 4))
            rejects = [json.loads(line)["why"] for line in (to / "rejects.jsonl").read_text().splitlines()]
            for why in ("at is no time", "references a row of Shop", "id is of another type", "fits no entity"):
                self.assertTrue(any(why in one for one in rejects), rejects)
            files = sorted(path.name for path in to.glob("*.sql"))
            self.assertEqual(files, ["01-Shop.sql", "02-Sale.sql"])
            sale = (to / files[1]).read_text()
            self.assertIn("FOREIGN KEY", sale)
            self.assertIn({"sqlite": '"at" TEXT', "postgres": '"at" TIMESTAMPTZ', "mysql": "`at` DATETIME(6)",
                           "duckdb": '"at" TIMESTAMP'}[dialect], sale)
        database = sqlite3.connect(":memory:")
        database.execute("PRAGMA foreign_keys = ON")
        for path in sorted((folder / "sqlite").glob("*.sql")):
            database.executescript(path.read_text())
        self.assertEqual(database.execute('SELECT s.name, a.data FROM Sale a JOIN Shop s ON a.shop = s.id').fetchall(),
                         [("O'Neil\\ \u00e9", '{"k":["it\'s \\\\"]}')])

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
        self.assertIn(" passed", run("prove", path))

    def test_an_audit_finds_nothing_wrong_with_what_was_inferred(self):
        # Keys with several parts, lock items, calculated shards, a local index, one-way and many-to-many relationships.
        for name in ("d04_students_and_courses", "d08_saas_orgs", "l09_two_indexes", "p05_composite_sort_key", "p11_write_sharding", "w04_guests"):
            server = ServerProcess().start()
            try:
                run("prove", MODELS / f"{name}.prejoin", "--scale", 1000, "--endpoint", server.endpoint, "--keep")
                table = json.loads(run("fmt", "--json", MODELS / f"{name}.prejoin"))["tables"][0]["name"]
                path = pathlib.Path(self.folder.name) / f"{name}.prejoin"
                run("infer", "--table", table, "--endpoint", server.endpoint, "-o", path)
                checked = run("check", path)
                self.assertIn("0 errors", checked)
                self.assertNotIn("no sample row of", checked)
                run("prove", path, "--no-estimates")
                self.assertEqual("{shard 8 of voterId}" in path.read_text(), name == "p11_write_sharding")
                report = json.loads(run("audit", path, "--endpoint", server.endpoint, "--json"))
                self.assertTrue(report["clean"])
                self.assertGreater(report["items"], 500, name)
            finally:
                server.stop()

    def test_infer_takes_wrapped_lines_under_any_name_and_says_what_is_no_item(self):
        path = pathlib.Path(self.folder.name) / "items.jsonl"
        lines = [json.dumps({"Item": {"PK": {"S": f"USER#{n}"}, "SK": {"S": "PROFILE"}, "name": {"S": f"N{n}"}}}) for n in range(30)]
        path.write_text("\n".join(lines + ["{not an item"]) + "\n")
        done = subprocess.run([BINARY, "infer", "--from", path, "--key", "PK", "SK"], capture_output=True, text=True, timeout=60, check=True)
        self.assertIn('PK = "USER#{userId}"', done.stdout)
        self.assertIn("1 lines are not items", done.stderr)
        path.write_text("{not an item\n")
        failed = subprocess.run([BINARY, "infer", "--from", path, "--key", "PK", "SK"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(failed.returncode, 2)
        self.assertIn("items.jsonl:1", failed.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
