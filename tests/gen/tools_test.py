"""Generated files for other tools, read back: by our own importers, by a schema check of the sample's rows, by each format's grammar."""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))
sys.path.insert(0, str(ROOT / "tests" / "gen"))

import boto3  # noqa: E402
import infra_test  # noqa: E402
import server_process  # noqa: E402

MODELS = ROOT / "examples/models"
SCHOOL = MODELS / "d04_students_and_courses.prejoin"
DATASETS = sorted(MODELS.glob("d*.prejoin"))

SCHOOL_MERMAID = """erDiagram
    Student {
        text id PK
        text name
        number year
        text major
    }
    Course {
        text id PK
        text title
        number credits
        text term
    }
    Enrollment {
        text studentId PK,FK
        text courseId PK,FK
        date enrolledOn
        text grade
    }
    Student ||--o{ Enrollment : Enrolments
    Course ||--o{ Enrollment : Enrolments
"""

ENROLLMENT_DBML = """Table Enrollment {
  "studentId" "text" [not null, ref: > Student.id]
  "courseId" "text" [not null, ref: > Course.id]
  "enrolledOn" "date" [not null]
  "grade" "text"

  indexes {
    (studentId, courseId) [pk]
  }
}
"""


def run(*arguments):
    return subprocess.run([server_process.binary(), *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def problems(schema, value):
    """Why a value does not fit a schema: the keywords that ours use, and no other one may stand in them."""
    known = {"type", "properties", "required", "additionalProperties", "enum", "format", "uniqueItems"}
    if not known >= schema.keys():
        return [f"unknown keywords {schema.keys() - known}"]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float)}
    if "type" in schema and (not isinstance(value, kinds[schema["type"]]) or (schema["type"] == "number" and isinstance(value, bool))):
        return [f"{value!r} is no {schema['type']}"]
    found = [f"{value!r} is not in the list"] if "enum" in schema and value not in schema["enum"] else []
    if schema.get("format") == "date":
        datetime.date.fromisoformat(value)
    for name in schema.get("required", []):
        found += [f"{name} is missing"] if name not in value else []
    for name, inner in value.items() if isinstance(value, dict) and "properties" in schema else []:
        if name not in schema["properties"]:
            found.append(f"{name} is unknown")
        else:
            found += problems(schema["properties"][name], inner)
    return found


def as_set(values):
    return sorted(json.dumps(value, sort_keys=True) for value in values)


def plain_alias(alias):
    """`<geohash first 5>` as `<geohashFirst5>`: items do not show that a part of a key is derived, so the importer takes it for an attribute."""
    name = lambda found: found[1] + "First" + found[2]  # noqa: E731
    return re.sub(r"(?<=<)(\w+) first (\d+)(?=>)", name, alias)


def data_model(path):
    """The tables of a Workbench file, without orders that mean nothing."""
    tables = json.loads(path.read_text())["DataModel"]
    for table in tables:
        for facet in table["TableFacets"]:
            facet["KeyAttributeAlias"] = {name: plain_alias(alias) for name, alias in facet["KeyAttributeAlias"].items()}
            facet["TableData"] = as_set(facet["TableData"])
            facet["NonKeyAttributes"] = as_set(facet["NonKeyAttributes"])
        table["TableFacets"] = as_set(table["TableFacets"])
        table["NonKeyAttributes"] = as_set(table["NonKeyAttributes"])
        table["TableData"] = as_set(table["TableData"])
    return tables


class ToolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def generate(self, model, target):
        return infra_test.generate(model, target, self.folder / target / model.stem)

    def tables_and_items(self, model):
        """The tables of a model on a server, and their items."""
        with server_process.ServerProcess() as server:
            run("apply", model, "--endpoint", server.endpoint)
            client = boto3.client("dynamodb", endpoint_url=server.endpoint, **infra_test.IDENTITY)
            tables = infra_test.described(client)
            items = {name: sorted(json.dumps(item, sort_keys=True) for item in client.scan(TableName=name)["Items"]) for name in tables}
        return tables, items

    def test_workbench_files_hold_the_tables_and_the_sample(self):
        for model in DATASETS:
            with self.subTest(model=model.name):
                file, = self.generate(model, "workbench")
                written = json.loads(file.read_text())
                tables, items = self.tables_and_items(model)
                self.assertEqual({table["TableName"] for table in written["DataModel"]}, tables.keys())
                for table in written["DataModel"]:
                    stored = sorted(json.dumps(item, sort_keys=True) for item in table["TableData"])
                    self.assertEqual(stored, items[table["TableName"]])
                    self.assertTrue(stored)

    def test_a_workbench_file_comes_back_the_same(self):
        # Tables, keys, indexes, facets with their aliases, attributes and all items. Only orders that mean nothing are taken out.
        models = sorted(MODELS.glob("*.prejoin"))
        self.assertGreater(len(models), 40)
        for model in models:
            with self.subTest(model=model.name):
                first, = self.generate(model, "workbench")
                imported = self.folder / "again" / model.name
                imported.parent.mkdir(exist_ok=True)
                done = subprocess.run([server_process.binary(), "import-model", first], capture_output=True, text=True, timeout=60, check=False)
                imported.write_text(done.stdout)
                # Workbench has no relationships, so nothing bounds the collections of a local index.
                lost = ["PJ111"] if "local index" in model.read_text() else []
                found = subprocess.run([server_process.binary(), "check", imported, "--json"], capture_output=True, text=True, timeout=60, check=False)
                errors = {one["rule"] for one in json.loads(found.stdout) if one["severity"] == "error"}
                self.assertLessEqual(errors, set(lost))
                self.assertEqual((done.returncode, found.returncode), (1, 1) if errors else (0, 0), done.stderr)
                run("prove", imported)
                second, = infra_test.generate(imported, "workbench", self.folder / "again" / model.stem)
                self.assertEqual(data_model(second), data_model(first))

    def test_a_onetable_schema_comes_back_the_same(self):
        for model in DATASETS:
            files = self.generate(model, "onetable")
            self.assertTrue(files)
            for file in files:
                with self.subTest(file=file.name):
                    first = json.loads(file.read_text())
                    imported = self.folder / "again" / (file.stem + ".prejoin")
                    imported.parent.mkdir(exist_ok=True)
                    imported.write_text(run("import-model", file))
                    again, = self.generate(imported, "onetable")
                    second = json.loads(again.read_text())
                    self.assertEqual(second["indexes"], first["indexes"])
                    self.assertEqual({name: {field: about.get("value") for field, about in fields.items()}
                                      for name, fields in second["models"].items()},
                                     {name: {field: about.get("value") for field, about in fields.items()}
                                      for name, fields in first["models"].items()})

    def test_the_rows_of_the_sample_fit_the_json_schema(self):
        rows_seen = 0
        for model in DATASETS:
            file, = self.generate(model, "json-schema")
            schemas = json.loads(file.read_text())["$defs"]
            with server_process.ServerProcess() as server:
                run("apply", model, "--endpoint", server.endpoint)
                client = boto3.client("dynamodb", endpoint_url=server.endpoint, **infra_test.IDENTITY)
                for table in client.list_tables()["TableNames"]:
                    rows = self.folder / "rows" / model.stem / table
                    run("export", table, "--model", model, "--as", "jsonl", "--to", rows, "--endpoint", server.endpoint)
                    for path in sorted(rows.glob("*.jsonl")):
                        for line in path.read_text().splitlines():
                            rows_seen += 1
                            self.assertEqual(problems(schemas[path.stem], json.loads(line)), [], f"{model.name} {path.stem} {line}")
        self.assertGreater(rows_seen, 50)

    def test_a_row_that_the_model_does_not_allow_does_not_fit(self):
        file, = self.generate(SCHOOL, "json-schema")
        student = json.loads(file.read_text())["$defs"]["Student"]
        self.assertEqual(problems(student, {"id": "a", "name": "Ann", "year": 1}), [])
        self.assertEqual(problems(student, {"id": "a", "name": "Ann"}), ["year is missing"])
        self.assertEqual(problems(student, {"id": "a", "name": "Ann", "year": "1"}), ["'1' is no number"])
        self.assertEqual(problems(student, {"id": "a", "name": "Ann", "year": 1, "age": 3}), ["age is unknown"])

    def test_diagrams_say_entities_and_relationships(self):
        file, = self.generate(SCHOOL, "mermaid")
        self.assertEqual(file.read_text().split("\n", 1)[1], SCHOOL_MERMAID)
        file, = self.generate(SCHOOL, "dbml")
        self.assertTrue(file.read_text().endswith(ENROLLMENT_DBML), file.read_text())

    def test_diagrams_of_all_models_keep_to_the_grammar(self):
        mermaid = re.compile(r"%% .*|erDiagram|    \w+ \{|        \w+ \w+( PK| FK| UK| PK,FK)?|    \}|    \w+ [|}][|o]--[|o][|{] \w+ : \w+")
        dbml = re.compile(r'// .*||Table \w+ \{|  "\w+" "[\w ]+"( \[[^\]]+\])?|  indexes \{|    \([\w, ]+\) \[pk\]|  \}|\}')
        for model in sorted(MODELS.glob("*.prejoin")):
            for target, grammar in (("mermaid", mermaid), ("dbml", dbml)):
                file, = self.generate(model, target)
                lines = file.read_text().splitlines()
                self.assertGreater(len(lines), 3)
                self.assertEqual([line for line in lines if not grammar.fullmatch(line)], [], model.name)

    def test_documentation_names_every_pattern_with_its_requests(self):
        for model in DATASETS:
            file, = self.generate(model, "markdown")
            text = file.read_text()
            for name in re.findall(r"^pattern (\S+)", model.read_text(), re.M):
                self.assertRegex(text, rf"(?m)^\| {re.escape(name)} \| .* \| .+ \| (strong|eventual) \|$")


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # boto3 leaves its sockets open.
