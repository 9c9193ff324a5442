"""Generated code against the server: each model's functions called in a language, answers and tables compared.

generated.py LANGUAGE [MODEL…]: without models, D1 to D9, the README's, and the ones that show what those do not.
generated.py LANGUAGE --hostile FIRST-LAST: models with hostile names instead, of these seeds (hostile_model.py).

The scripts and what
they must print come from gen_script (GEN_SCRIPT); the server is PREJOIN_BINARY. C++ runs on the embedded library instead, in one program
for all models (GEN_CPP, made by cpp_program.py). Go, Java and Rust need their SDKs from the network: `make test-gen`.
"""

import decimal
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))

import boto3  # noqa: E402
import packages  # noqa: E402
import scripted_models  # noqa: E402
import server_process  # noqa: E402


def comparable(line):
    """Rows without an order compare as a set; absent attributes are not there."""
    if "sections" not in line:
        return line
    sections = []
    for rows in line["sections"]:
        rows = [{name: value for name, value in row.items() if value is not None} for row in rows]
        for row in rows:
            for name, value in row.items():
                if isinstance(value, list):
                    row[name] = sorted(value, key=str)
        sections.append(rows)
    return {**line, "sections": sections}


def check_lines(expected, printed):
    assert expected, "the script calls nothing"
    found = 0
    for number, (want, got) in enumerate(zip(expected, printed)):
        want, got = comparable(want), comparable(got)
        order = want.pop("order", None)
        if "sections" not in want:
            assert want == got, f"call {number}: {got} instead of {want}"
            continue
        assert want["call"] == got["call"]
        for keys, rows, answer in zip(order, want["sections"], got["sections"], strict=True):
            found += len(rows)
            assert sorted(map(row_text, rows)) == sorted(map(row_text, answer)), \
                f"call {number}, {want['call']}: {answer} instead of {rows}"
            assert [[row.get(key) for key in keys] for row in rows] == [[row.get(key) for key in keys] for row in answer], \
                f"call {number}, {want['call']}: in another order"
    assert len(expected) == len(printed), f"{len(printed)} lines instead of {len(expected)}"
    assert found, "no row was ever found"


def row_text(row):
    return json.dumps(row, sort_keys=True)


def stored_items(table, client):
    return [item for page in client.get_paginator("scan").paginate(TableName=table) for item in page["Items"]]


def check_tables(expected, stored_in):
    for table, items in expected.items():
        stored = stored_in(table)
        assert sorted(map(normal, items)) == sorted(map(normal, stored)), \
            f"{table}: only wanted {missing(items, stored)}, only stored {missing(stored, items)}"


def missing(items, others):
    known = set(map(normal, others))
    return [item for item in items if normal(item) not in known]


def normal(item):
    def plain(value):
        (kind, inner), = value.items()
        if kind == "N":
            return ["N", str(decimal.Decimal(inner).normalize())]
        if kind in ("SS", "NS"):
            return [kind, sorted(inner)]
        if kind == "L":
            return ["L", [plain(one) for one in inner]]
        if kind == "M":
            return ["M", {name: plain(one) for name, one in inner.items()}]
        if isinstance(inner, bytes):
            return [kind, inner.hex()]
        return [kind, inner]
    return json.dumps({name: plain(value) for name, value in item.items()}, sort_keys=True)


class TypeScript:
    target = "typescript"

    def prepare(self, work, folders):
        shutil.copy(ROOT / "tests/gen/printing.ts", work)
        (work / "node_modules").symlink_to(ROOT / "tests/gen/node_modules")
        (work / "package.json").write_text('{"type": "module"}')
        for folder in folders:
            (work / folder.name).symlink_to(folder / "typescript")
        shutil.copy(ROOT / "tests/gen/tsconfig.json", work)
        subprocess.run(["node", str(work / "node_modules/typescript/bin/tsc"), "-p", str(work)], check=True)

    def command(self, work, folder):
        return ["node", str(work / "built" / folder.name / "script.js")]


class Python:
    target = "python"

    def prepare(self, work, folders):
        shutil.copy(ROOT / "tests/gen/printing.py", work)
        os.environ["PYTHONPATH"] = str(work)

    def command(self, work, folder):
        return ["/usr/bin/python3", str(folder / self.target / "script.py")]


class Boto3(Python):
    target = "boto3"


class PythonAsync(Python):
    """Needs aioboto3, which strict.py installs."""

    target = "python-async"

    def command(self, work, folder):
        interpreter = os.environ.get("ASYNC_PYTHON", str(ROOT / "build/python-tools/bin/python"))
        return [interpreter, str(folder / self.target / "script.py")]


class Cpp:
    target = "cpp"

    def prepare(self, work, folders):
        pass

    def command(self, work, folder):
        return [os.environ["GEN_CPP"], folder.name + ".prejoin"]


GO_MAIN = """package main

import (
  "context"
  "os"

  "github.com/aws/aws-sdk-go-v2/aws"
  "github.com/aws/aws-sdk-go-v2/service/dynamodb"
%(imports)s
)

func main() {
  identity := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
    return aws.Credentials{AccessKeyID: "x", SecretAccessKey: "x"}, nil
  })
  db := dynamodb.New(dynamodb.Options{
    BaseEndpoint: aws.String(os.Getenv("AWS_ENDPOINT_URL")), Region: "us-east-1", Credentials: identity})
  switch os.Args[1] {
%(cases)s
  }
}
"""


class Go:
    """One program for all models: the SDK costs more than the code of a model. Needs the SDK from Go's proxy."""

    target = "go"

    def prepare(self, work, folders):
        for name in ("go.mod", "go.sum"):
            shutil.copy(ROOT / "tests/gen/go" / name, work)
        printing = (ROOT / "tests/gen/go/printing.go").read_text()
        for folder in folders:
            package = work / folder.name
            shutil.copytree(folder / self.target, package)
            formatted = subprocess.run(["gofmt", "-l", "."], cwd=package, check=True, capture_output=True, text=True).stdout.split()
            # The script is the tests' own.
            assert formatted in ([], ["script.go"]), f"{folder.name}: not as gofmt writes it: {formatted}"
            name = re.search(r"^package (\w+)", (package / "script.go").read_text(), re.M).group(1)
            (package / "printing.go").write_text(printing.replace("package generated", "package " + name))
        (work / "main.go").write_text(GO_MAIN % {
            "imports": "\n".join(f'\t{folder.name} "generated/{folder.name}"' for folder in folders),
            "cases": "\n".join(f'\tcase "{folder.name}":\n\t\t{folder.name}.RunScript(context.Background(), {folder.name}.New(db))'
                               for folder in folders)})
        subprocess.run(["go", "vet", "./..."], cwd=work, check=True)
        subprocess.run(["go", "build", "-o", "scripts", "."], cwd=work, check=True)

    def command(self, work, folder):
        return [str(work / "scripts"), folder.name]


class GoStructs(Go):
    target = "go-structs"


JAVA_MAIN = """import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

public final class Main {
  public static void main(String[] arguments) {
    var db = DynamoDbClient.builder()
        .endpointOverride(URI.create(System.getenv("AWS_ENDPOINT_URL")))
        .region(Region.US_EAST_1)
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("x", "x")))
        .build();
    switch (arguments[0]) {
%s
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }
}
"""


class Java:
    """One program for all models. Needs the SDK from Maven's repository; its jars are kept in the build folder."""

    target = "java"

    def __init__(self):
        self.jars = packages.java_jars(ROOT / "build")

    def prepare(self, work, folders):
        printing = (ROOT / "tests/gen/java/Printing.java").read_text()
        packages = {}
        for folder in folders:
            name = re.search(r"^package (\w+);", (folder / self.target / "Keys.java").read_text(), re.M).group(1)
            packages[folder.name] = name
            shutil.copytree(folder / self.target, work / name)
            (work / name / "Printing.java").write_text(printing.replace("package generated", "package " + name))
        cases = "\n".join(f'      case "{folder}" -> {name}.Script.run(db);' for folder, name in packages.items())
        (work / "Main.java").write_text(JAVA_MAIN % cases)
        (work / "sources").write_text("\n".join(sorted(str(path) for path in work.rglob("*.java"))))
        subprocess.run(["javac", "-Xlint:all", "-Werror", "-proc:none", "-cp", f"{self.jars}/*", "-d", str(work / "classes"), f"@{work}/sources"], check=True)

    def command(self, work, folder):
        return ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", f"{work}/classes:{self.jars}/*", "Main", folder.name]


class JavaBeans(Java):
    target = "java-beans"


RUST_MAIN = """#![deny(warnings)]

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};

%(modules)s

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(std::env::var("AWS_ENDPOINT_URL").unwrap())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("x", "x", None, None, "test"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    let db = aws_sdk_dynamodb::Client::from_conf(config);
    match std::env::args().nth(1).unwrap().as_str() {
%(cases)s
        other => panic!("there is no {other}"),
    }
}
"""


class Rust:
    """One program for all models. Needs the SDK from crates.io; what cargo builds of it is kept in the build folder."""

    target = "rust"

    def prepare(self, work, folders):
        (work / "src").mkdir()
        for name in ("Cargo.toml", "Cargo.lock"):
            shutil.copy(ROOT / "tests/gen/rust" / name, work)
        for folder in folders:
            formatted = subprocess.run(["rustfmt", "--edition", "2021", "--check", str(folder / "rust/mod.rs")], check=False, capture_output=True, text=True)
            assert formatted.returncode == 0, f"{folder.name}: not as rustfmt writes it: {formatted.stdout}"
            module = work / "src" / folder.name
            shutil.copytree(folder / "rust", module)
            shutil.copy(ROOT / "tests/gen/rust/printing.rs", module)
            with open(module / "mod.rs", "a") as entry:
                entry.write("mod printing;\n// The script is the tests' own.\n#[allow(clippy::all)]\npub mod script;\n")
        (work / "src/main.rs").write_text(RUST_MAIN % {
            "modules": "\n".join(f"mod {folder.name};" for folder in folders),
            "cases": "\n".join(f'        "{folder.name}" => {folder.name}::script::run(&{folder.name}::Client::new(db)).await,'
                               for folder in folders)})
        environment = packages.cargo(ROOT / "build")
        for command in (["clippy", "--quiet", "--locked", "--", "-D", "warnings"], ["build", "--quiet", "--locked"]):
            subprocess.run(["cargo", *command], cwd=work, check=True, env=environment)
        shutil.copy(ROOT / "build/rust-sdk/debug/scripts", work)

    def command(self, work, folder):
        return [str(work / "scripts"), folder.name]


LANGUAGES = {"typescript": TypeScript, "python": Python, "boto3": Boto3, "python-async": PythonAsync, "cpp": Cpp, "go": Go, "go-structs": GoStructs,
             "java": Java, "java-beans": JavaBeans, "rust": Rust}


def check_run(model, folder, done, stored_in):
    """What the script printed, and the tables it left."""
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if '"call"' in line]
    expected = [json.loads(line) for line in (folder / "expected.jsonl").read_text().splitlines()]
    check_lines(expected, lines)
    check_tables(json.loads((folder / "after.json").read_text()), stored_in)
    outcomes = [line["outcome"] for line in lines if "outcome" in line]
    print(f"{model.name}: {len(lines)} calls, {outcomes.count('ok')} of {len(outcomes)} writes done")


def run_embedded(language, work, model, folder):
    done = subprocess.run(language.command(work, folder), check=False, capture_output=True, text=True)
    items = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"table"')]
    check_run(model, folder, done, lambda table: [one["item"] for one in items if one["table"] == table])


def run_model(language, work, model, folder):
    with server_process.ServerProcess() as server:
        environment = {**os.environ, "AWS_ENDPOINT_URL_DYNAMODB": server.endpoint, "AWS_ENDPOINT_URL": server.endpoint,
                       "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x",
                       "AWS_SECRET_ACCESS_KEY": "x"}
        subprocess.run([server_process.binary(), "apply", str(model), "--endpoint", server.endpoint], check=True, stdout=subprocess.DEVNULL)
        client = boto3.client("dynamodb", endpoint_url=server.endpoint, region_name="us-east-1", aws_access_key_id="x",
                              aws_secret_access_key="x")
        check_tables(json.loads((folder / "before.json").read_text()), lambda table: stored_items(table, client))
        done = subprocess.run(language.command(work, folder), env=environment, check=False, capture_output=True, text=True)
        check_run(model, folder, done, lambda table: stored_items(table, client))


def main():
    language = LANGUAGES[sys.argv[1]]()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        hostile = sys.argv[2:3] == ["--hostile"]
        models = list(scripted_models.hostile_models(sys.argv[3], scratch) if hostile else scripted_models.model_paths(sys.argv[2:], scratch))
        assert models
        folders = []
        for model in models:
            folders.append(scratch / model.stem)
            subprocess.run([os.environ["GEN_SCRIPT"], str(model), "7", str(scripted_models.STEPS), str(folders[-1]), language.target], check=True)
        work = scratch / "work"
        work.mkdir()
        language.prepare(work, folders)
        for model, folder in zip(models, folders):
            try:
                (run_embedded if language.target == "cpp" else run_model)(language, work, model, folder)
            except AssertionError as error:
                failed += 1
                print(f"{model.name}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
