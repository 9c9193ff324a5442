"""Entities for ElectroDB and models for PynamoDB, tried with the libraries themselves: each row of each sample becomes an item, whose keys must
be those that the design stores.

electrodb(tools, models): `tools` has ElectroDB in its node_modules. pynamodb(python, models): an interpreter that has PynamoDB.
Both give the number of rows that were compared.
"""

import json
import pathlib
import re
import subprocess
import tempfile

import infra_test
import server_process

ELECTRO = """
import { readFileSync } from "node:fs";
const [module, rows] = process.argv.slice(2);
const entities = await import(module);
for (const line of readFileSync(rows, "utf8").trim().split("\\n")) {
  const { entity, row } = JSON.parse(line);
  if (entities[entity] !== undefined) console.log(JSON.stringify(entities[entity].put(row).params().Item));
}
"""

PYNAMO = """
import dataclasses, decimal, importlib, json, sys
sys.path.insert(0, sys.argv[1])
package = importlib.import_module("package")
models = importlib.import_module("package.models")
base = importlib.import_module("package.base")
def plain(name):
    return name.replace("_", "").lower()
for line in open(sys.argv[2]):
    given = json.loads(line, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
    kind, model = getattr(package, given["entity"]), getattr(models, given["entity"] + "Model", None)
    if model is None:
        continue
    fields = {plain(field.name): field.name for field in dataclasses.fields(kind)}
    row = kind(**{fields[plain(name)]: value for name, value in given["row"].items() if plain(name) in fields})
    made = model.of(row)
    assert made.row() == row, (made.row(), row)
    print(json.dumps(base.item_of(made), default=str))
"""


def rows_and_items(model, folder):
    """The rows of the sample as lines in a file, and the items by their keys as texts; the key attributes of each table."""
    lines = []
    with server_process.ServerProcess() as server:
        def run(*arguments):
            subprocess.run([server_process.binary(), *map(str, arguments), "--endpoint", server.endpoint], check=True, stdout=subprocess.DEVNULL)
        run("apply", model)
        client = infra_test.boto3.client("dynamodb", endpoint_url=server.endpoint, **infra_test.IDENTITY)
        items, keys = [], {}
        for table in client.list_tables()["TableNames"]:
            about = client.describe_table(TableName=table)["Table"]
            keys[table] = {element["AttributeName"] for one in [about, *about.get("GlobalSecondaryIndexes", [])] for element in one["KeySchema"]}
            items += [item for page in client.get_paginator("scan").paginate(TableName=table) for item in page["Items"]]
            run("export", table, "--model", model, "--as", "jsonl", "--to", folder / table)
            for path in sorted((folder / table).glob("*.jsonl")):
                lines += [json.dumps({"entity": path.stem, "row": json.loads(line)}) for line in path.read_text().splitlines()]
    file = folder / "rows.jsonl"
    file.write_text("\n".join(lines) + "\n")
    names = set().union(*keys.values())
    return file, [{name: str(next(iter(value.values()))) for name, value in item.items() if name in names} for item in items], names


def compare(model, printed, items, names):
    """The library may leave out an index that it cannot make; what it has must be what is stored."""
    for line in printed.splitlines():
        made = {name: str(value) for name, value in json.loads(line).items() if name in names and value is not None}
        assert made, f"{model.name}: no key in {line}"
        assert any(made.items() <= item.items() for item in items), f"{model.name}: {made} is not stored"
    return len(printed.splitlines())


def electrodb(tools, compiler, models):
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "node_modules").symlink_to(tools / "node_modules")
        (scratch / "package.json").write_text('{"type": "module"}')
        (scratch / "rows.mjs").write_text(ELECTRO)
        for model in models:
            infra_test.generate(model, "electrodb", scratch / model.stem)
        sources = [str(next((scratch / model.stem).glob("*.ts"))) for model in models]
        subprocess.run(["node", str(compiler), "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--rootDir",
                        str(scratch), "--outDir", str(scratch / "built"), *sources], cwd=scratch, check=True)
        for model in models:
            rows, items, names = rows_and_items(model, scratch / model.stem)
            module = next((scratch / "built" / model.stem).glob("*.js"))
            done = subprocess.run(["node", "rows.mjs", str(module), str(rows)], cwd=scratch, check=True, capture_output=True, text=True)
            count += compare(model, done.stdout, items, names)
    return count


def pynamodb(python, models):
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for model in models:
            infra_test.generate(model, "pynamodb", scratch / model.stem / "package")
            rows, items, names = rows_and_items(model, scratch / model.stem)
            # An attribute of another type is compared as its text.
            done = subprocess.run([str(python), "-c", PYNAMO, str(scratch / model.stem), str(rows)], check=False, capture_output=True, text=True)
            assert done.returncode == 0, f"{model.name}: {done.stderr[-2000:]}"
            count += compare(model, done.stdout, items, names)
    return count
