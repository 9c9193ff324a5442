#!/usr/bin/python3
"""The strictest common checks of generated files, for every example model. They need tools from package registries, so `make test` leaves
them out; `make test-gen` runs them. tsc's strict options are part of generated.py.

  TypeScript      eslint: recommended, strict and stylistic rules
  Python          mypy --strict, ruff
  CloudFormation  cfn-lint: AWS's own resource schemas
  Terraform       read by an HCL library; the tables it says are created
  CDK             synthesised; the tables it says are created
  JSON Schema     is one, by the schema of schemas
  ElectroDB       with the library: the items of the samples' rows have the design's keys
  PynamoDB        the same

strict.py FOLDER: tools are kept in FOLDER between runs.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))
sys.path.insert(0, str(ROOT / "tests" / "gen"))

import infra_test  # noqa: E402
import orm_check  # noqa: E402
import packages  # noqa: E402
import server_process  # noqa: E402

# A folder called like a library would hide it.
FOLDERS = {"pynamodb": "pynamodb-models", "boto3": "boto3-style"}
RULES = "E4,E7,E9,F,I,UP,B"

READ_HCL = """
import hcl2, json, sys
def plain(value):
    if isinstance(value, dict):
        return {plain(name): plain(inner) for name, inner in value.items() if not name.startswith("__")}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return json.loads(value) if isinstance(value, str) and value.startswith('"') else value
print(json.dumps(plain(hcl2.load(open(sys.argv[1])))))
"""

ESLINT_RULES = """
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";
export default tseslint.config(eslint.configs.recommended, tseslint.configs.strict, tseslint.configs.stylistic);
"""

META_CHECK = "import json, jsonschema, sys; [jsonschema.Draft202012Validator.check_schema(json.load(open(p))) for p in sys.argv[1:]]"

SYNTHESISE = """
import { App, Stack } from "aws-cdk-lib";
import { readdirSync } from "node:fs";
const all = {};
for (const file of readdirSync("built").sort()) {
  const construct = Object.values(await import("./built/" + file))[0];
  const app = new App({ outdir: "out" });
  const stack = new Stack(app, "Stack");
  new construct(stack, "Tables");
  all[file.replace("_tables.js", "")] = app.synth().getStackArtifact(stack.artifactId).template.Resources;
}
console.log(JSON.stringify(all));
"""


def tables_of(requests):
    """What a server has after these CreateTable requests."""
    with server_process.ServerProcess() as server:
        client = infra_test.boto3.client("dynamodb", endpoint_url=server.endpoint, **infra_test.IDENTITY)
        for request in requests:
            client.create_table(**request)
        return infra_test.described(client)


def without_empty(request):
    return {name: value for name, value in request.items() if value}


def terraform_request(table):
    """CreateTable as the AWS provider sends it for an aws_dynamodb_table."""
    def key(attribute, kind):
        return [{"AttributeName": attribute, "KeyType": kind}] if attribute else []

    def projection(index):
        return without_empty({"ProjectionType": index["projection_type"], "NonKeyAttributes": index.get("non_key_attributes")})

    return without_empty({
        "TableName": table["name"], "BillingMode": table["billing_mode"],
        "KeySchema": key(table["hash_key"], "HASH") + key(table.get("range_key"), "RANGE"),
        "AttributeDefinitions": [{"AttributeName": one["name"], "AttributeType": one["type"]} for one in table["attribute"]],
        "GlobalSecondaryIndexes": [
            {"IndexName": one["name"], "Projection": projection(one),
             "KeySchema": [{"AttributeName": part["attribute_name"], "KeyType": part["key_type"]} for part in one["key_schema"]]}
            for one in table.get("global_secondary_index", [])],
        "LocalSecondaryIndexes": [
            {"IndexName": one["name"], "Projection": projection(one),
             "KeySchema": key(table["hash_key"], "HASH") + key(one["range_key"], "RANGE")}
            for one in table.get("local_secondary_index", [])]})


def cdk_request(resource):
    """CreateTable for an AWS::DynamoDB::GlobalTable with one replica."""
    assert resource["Type"] == "AWS::DynamoDB::GlobalTable", resource["Type"]
    properties = resource["Properties"]
    replica, = properties["Replicas"]
    assert replica["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
    names = ("TableName", "BillingMode", "KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes")
    return {name: properties[name] for name in names if name in properties}


def check_tables(scratch, models, tools, cdk):
    """The models whose Terraform or CDK tables are not the model's."""
    wrong = []
    built = scratch / "cdk-run" / "built"
    built.mkdir(parents=True)
    (scratch / "cdk-run" / "node_modules").symlink_to(cdk / "node_modules")
    (scratch / "cdk-run" / "package.json").write_text('{"type": "module"}')
    (scratch / "cdk-run" / "synthesise.mjs").write_text(SYNTHESISE)
    for model in models:
        shutil.copy(next((scratch / "cdk" / model.stem).glob("*_tables.ts")), scratch / "cdk-run" / f"{model.stem}_tables.ts")
    compiler = ROOT / "tests/gen/node_modules/typescript/bin/tsc"
    sources = sorted(str(path.name) for path in (scratch / "cdk-run").glob("*.ts"))
    subprocess.run(["node", str(compiler), "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--outDir", "built",
                    *sources], cwd=scratch / "cdk-run", check=True)
    done = subprocess.run(["node", "synthesise.mjs"], cwd=scratch / "cdk-run", check=True, capture_output=True, text=True)
    synthesised = json.loads(done.stdout)
    for model in models:
        wanted = infra_test.applied(model)
        assert wanted
        file = next((scratch / "terraform" / model.stem).glob("*.tf"))
        read = subprocess.run([str(tools / "python"), "-c", READ_HCL, str(file)], check=True, capture_output=True, text=True).stdout
        terraform = [table for block in json.loads(read)["resource"] for table in block["aws_dynamodb_table"].values()]
        if tables_of(map(terraform_request, terraform)) != wanted:
            wrong.append(f"{model.name}: terraform")
        if tables_of(map(cdk_request, synthesised[model.stem].values())) != wanted:
            wrong.append(f"{model.name}: cdk")
    return wrong


def lint_typescript(scratch, tools):
    """Whether eslint has nothing to say. It looks only at files below its configuration."""
    folder = scratch / "typescript"
    (folder / "node_modules").symlink_to(tools / "node_modules")
    (folder / "eslint.config.mjs").write_text(ESLINT_RULES)
    command = ["node", "node_modules/eslint/bin/eslint.js", "--max-warnings", "0", "."]
    return subprocess.run(command, cwd=folder, check=False).returncode == 0


def main():
    folder = pathlib.Path(sys.argv[1])
    tools = packages.python_tools(folder)
    cdk, electrodb, eslint = (packages.npm_tools(folder, one) for one in (packages.CDK, packages.ELECTRODB, packages.ESLINT))
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        models = sorted((ROOT / "examples/models").glob("*.prejoin"))
        assert models
        for model in models:
            for target in ("typescript", "python", "boto3", "cloudformation", "terraform", "cdk", "json-schema", "pynamodb", "python-async"):
                infra_test.generate(model, target, scratch / FOLDERS.get(target, target) / model.stem)
        templates = sorted(map(str, (scratch / "cloudformation").rglob("*.json")))
        schemas = sorted(map(str, (scratch / "json-schema").rglob("*.json")))
        for command in (["mypy", "--strict", "python"], ["mypy", "--strict", "boto3-style"], ["mypy", "--strict", "python-async"], ["mypy", "--strict", "--allow-untyped-calls", "pynamodb-models"],
                        ["ruff", "check", "--select", RULES, "python", "boto3-style", "python-async", "pynamodb-models"], ["cfn-lint", *templates],
                        ["python", "-c", META_CHECK, *schemas]):
            if subprocess.run([str(tools / command[0]), *command[1:]], cwd=scratch, check=False).returncode != 0:
                failed.append(" ".join(command[:2]))
        if not lint_typescript(scratch, eslint):
            failed.append("eslint")
        failed += check_tables(scratch, [model for model in models if model.name.startswith(("d", "f", "p"))], tools, cdk)
    datasets = [model for model in models if model.name.startswith("d")]
    compiler = ROOT / "tests/gen/node_modules/typescript/bin/tsc"
    assert orm_check.electrodb(electrodb, compiler, datasets) > 20
    assert orm_check.pynamodb(tools / "python", datasets) > 20
    print("strict checks:", "failed: " + ", ".join(failed) if failed else "fine")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
