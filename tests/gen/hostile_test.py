#!/usr/bin/python3
"""Models with hostile names (hostile_model.py) in every target: generated, parsed, compiled and type-checked.

hostile_test.py [--seeds 1-20] [--models FILE…] [--targets a,b] [--tools FOLDER] [--keep FOLDER] [--shrink]
Without --tools it needs what `make test` has: Python, TypeScript, a C++ compiler. With it, also mypy, ruff, Go, Java, Rust, electrodb and what
else strict.py installs. --shrink finds the smallest model for the first failure of each target.
"""

import argparse
import ast
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

import hostile_model  # noqa: E402
import packages  # noqa: E402

CODE = ["python", "boto3", "python-async", "typescript", "cpp"]
FORMATS = ["cloudformation", "cdk", "terraform", "aws-cli", "iam", "mermaid", "dbml", "json-schema", "markdown", "workbench", "onetable", "electrodb", "pynamodb",
           "pytest", "vitest", "go-test", "junit"]
NEEDS_TOOLS = ["go", "go-structs", "java", "java-beans", "rust"]

# Enough of the libraries' types for code that calls them, where the libraries themselves are not installed.
SHIMS = """declare module "electrodb" {
  export class Entity { constructor(schema: unknown, options?: unknown); }
  export class Service { constructor(entities: unknown, options?: unknown); }
  export const createSchema: (schema: unknown) => unknown;
  export type EntityItem<T> = unknown;
}
declare module "dynamodb-onetable" { export class Table { constructor(options: unknown); } }
"""


def binary():
    return os.environ.get("PREJOIN_BINARY", str(ROOT / "build/release/prejoin"))


def run(command, cwd=None, **more):
    return subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True, **more)


class Failures:
    def __init__(self):
        self.found = []

    def add(self, target, model, message):
        self.found.append((target, model, message.strip()))

    def lines(self, target, output, pattern, root=None):
        """Each line of a compiler that names a file of a model."""
        count = 0
        for match in re.finditer(pattern, output, re.M):
            self.add(target, match.group("model"), match.group(0))
            count += 1
        return count


def generate(models, targets, work, failures):
    """models: name → text. Gives the models that `check` accepts."""
    accepted = []
    for name, text in models.items():
        path = work / f"{name}.prejoin"
        path.write_text(text)
        checked = run([binary(), "check", str(path)], timeout=60)
        if checked.returncode not in (0, 1) or re.search(r": error ", checked.stdout + checked.stderr):
            failures.add("check", name, "not accepted: " + (checked.stdout + checked.stderr)[:300])
            continue
        accepted.append(name)
        for target in targets:
            done = run([binary(), "gen", str(path), "--to", target, "-o", str(work / folder_of(target) / name)], timeout=60)
            if done.returncode != 0:
                failures.add(target, name, f"gen ended with {done.returncode}: {done.stderr[-300:]}")
            for line in done.stderr.splitlines():
                if "no function for" in line:
                    failures.add("missing", name, re.sub(r"no function for [^:]*: ", "no function: ", line))
    return accepted


def folder_of(target):
    # A folder called like a library would hide it.
    return target.replace("pynamodb", "pynamodb_models").replace("boto3", "boto3_style").replace("python-async", "python_async")


def check_python(work, target, names, failures, tools):
    folder = work / folder_of(target)
    for path in sorted(folder.rglob("*.py")):
        try:
            compile(path.read_text(), str(path), "exec", dont_inherit=True)
            ast.parse(path.read_text())
        except (SyntaxError, ValueError) as error:
            failures.add(target, path.parent.name, f"{path.name}: {error}")
    if target in ("python", "boto3"):
        # Importing finds two names in one class, defaults before others, names that are not there.
        code = "import importlib, sys\nsys.path.insert(0, '.')\nfor name in sys.argv[1:]:\n  try:\n    importlib.import_module(name)\n" \
               "  except BaseException as error:\n    print(f'{name}: {type(error).__name__}: {error}')\n"
        done = run([sys.executable, "-c", code, *names], cwd=folder)
        failures.lines(target, done.stdout + done.stderr, r"^(?P<model>\w+): .*$")
    if tools:
        bins = packages.python_tools(tools)
        loose = ["--allow-untyped-calls"] if target == "pynamodb" else []
        done = run([str(bins / "mypy"), "--strict", "--no-error-summary", *loose, "."], cwd=folder)
        failures.lines(target, done.stdout, r"^(?P<model>\w+)/.*: error: .*$")
        if done.returncode not in (0, 1):
            failures.add(target, "all", done.stdout[-500:] + done.stderr[-500:])
        done = run([str(bins / "ruff"), "check", "--output-format", "concise", "--no-cache", "--select", "E4,E7,E9,F,I,UP,B", "."], cwd=folder)
        failures.lines(target, done.stdout, r"^(?P<model>\w+)/.*:\d+:\d+: .*$")
        done = run([str(bins / "ruff"), "format", "--check", "--no-cache", "."], cwd=folder)
        count = failures.lines(target, done.stdout, r"^ +--> (?P<model>\w+)/.*$")
        assert count or done.returncode == 0, done.stdout + done.stderr


def check_typescript(work, target, names, failures, tools):
    folder = work / folder_of(target)
    (folder / "node_modules").symlink_to(ROOT / "tests/gen/node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    config = json.loads((ROOT / "tests/gen/tsconfig.json").read_text())
    if target != "typescript":
        (folder / "shims.d.ts").write_text(SHIMS)
    (folder / "tsconfig.json").write_text(json.dumps(config))
    done = run(["node", "node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "false", "-p", "."], cwd=folder)
    failures.lines(target, done.stdout, r"^(?P<model>\w+)/.*: error .*$")
    if done.returncode != 0 and not done.stdout.strip():
        failures.add(target, "all", done.stderr[-500:])


def check_cpp(work, target, names, failures, tools):
    folder = work / "cpp"
    compiler = os.environ.get("CXX", "g++")
    groups = []
    for name in names:
        source = next((folder / name).glob("*.cc"), None)
        if source is None:
            continue
        # Two models of one title are one namespace.
        group = next((one for one in groups if source.name not in {path.name for path in one}), None)
        if group is None:
            groups.append(group := [])
        group.append(source)
    for number, group in enumerate(groups):
        whole = folder / f"all{number}.cc"
        whole.write_text("".join(f'#include "{path.relative_to(folder)}"\n' for path in group))
        done = run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-fmax-errors=200", f"-I{ROOT}/include", f"-I{folder}", str(whole)])
        if not failures.lines(target, done.stderr, r"^.*/cpp/(?P<model>\w+)/[^:]*:\d+:\d+: (fatal )?error: .*$") and done.returncode != 0:
            failures.add(target, "all", done.stderr[:800])


def check_go(work, target, names, failures, tools):
    folder = work / target
    for name in ("go.mod", "go.sum"):
        shutil.copy(ROOT / "tests/gen/go" / name, folder)
    done = run(["gofmt", "-l", "."], cwd=folder)
    failures.lines(target, done.stdout, r"^(?P<model>\w+)/.*$")
    failures.lines(target, done.stderr, r"^(?P<model>\w+)/.*:\d+:\d+: .*$")
    done = run(["go", "vet", "./..."], cwd=folder)
    if not failures.lines(target, done.stderr, r"^(vet: )?(\./)?(?P<model>\w+)/[^:]*:\d+:\d+: .*$") and done.returncode != 0:
        failures.add(target, "all", done.stderr[:800])


def check_java(work, target, names, failures, tools):
    jars = packages.java_jars(tools)
    folder = work / target
    for name in names:
        # Two models of one title are one package.
        sources = sorted(map(str, (folder / name).glob("*.java")))
        (folder / f"{name}.list").write_text("\n".join(sources))
    by_package = {}
    for name in names:
        package = re.search(r"^package ([^;]*);", (folder / name / "Keys.java").read_text(), re.M).group(1)
        by_package.setdefault(package, []).append(name)
    while by_package:
        batch = [group.pop() for group in by_package.values()]
        by_package = {package: group for package, group in by_package.items() if group}
        listed = folder / "batch.list"
        listed.write_text("\n".join((folder / f"{name}.list").read_text() for name in batch))
        done = run(["javac", "-Xlint:all", "-Werror", "-Xmaxerrs", "1000", "-proc:none", "-cp", f"{jars}/*", "-d", str(folder / "classes"), f"@{listed}"])
        found = failures.lines(target, done.stderr, rf"^.*/{target}/(?P<model>\w+)/\w+\.java:\d+: .*$")
        if done.returncode != 0 and not found:
            failures.add(target, "all", done.stderr[:800])


def check_rust(work, target, names, failures, tools):
    """One crate for all models: formatted, compiled and linted."""
    crate = work / "rust_crate"
    (crate / "src").mkdir(parents=True)
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(ROOT / "tests/gen/rust" / name, crate)
    for name in names:
        (crate / "src" / name).symlink_to((work / "rust" / name).resolve())
    (crate / "src/main.rs").write_text("".join(f"pub mod {name};\n" for name in names) + "fn main() {}\n")
    done = run(["rustfmt", "--edition", "2021", "--check", "-l", *(f"src/{name}/mod.rs" for name in names)], cwd=crate)
    failures.lines(target, done.stdout, r"^.*/(?:src|rust)/(?P<model>\w+)/\w+\.rs$")
    failures.lines(target, done.stderr, r"^ *--> .*?(?P<model>\w+)/\w+\.rs:\d+:\d+$")
    done = run(["cargo", "clippy", "--quiet", "--locked", "--message-format", "short", "--", "-D", "warnings"], cwd=crate,
               env=packages.cargo(tools))
    if not failures.lines(target, done.stderr, r"^src/(?P<model>\w+)/[^:]*:\d+:\d+: .*$") and done.returncode != 0:
        failures.add(target, "all", done.stderr[:800])


def check_parses(work, target, names, failures, tools):
    for name in names:
        for path in sorted((work / folder_of(target) / name).rglob("*")):
            text = path.read_text() if path.is_file() else ""
            if path.suffix == ".json":
                try:
                    json.loads(text)
                except ValueError as error:
                    failures.add(target, name, f"{path.name}: {error}")
            elif path.suffix == ".sh":
                done = run(["bash", "-n", str(path)])
                if done.returncode != 0:
                    failures.add(target, name, done.stderr)


CHECKS = {"python": check_python, "boto3": check_python, "python-async": check_python, "pynamodb": check_python, "typescript": check_typescript, "cdk": check_parses,
          "electrodb": check_typescript, "cpp": check_cpp, "go": check_go, "go-structs": check_go, "java": check_java,
          "java-beans": check_java, "rust": check_rust}


def failures_of(models, targets, tools, keep=None):
    failures = Failures()
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(keep or scratch)
        work.mkdir(parents=True, exist_ok=True)
        names = generate(models, targets, work, failures)
        for target in targets:
            made = [name for name in names if (work / folder_of(target) / name).exists()]
            if made:
                CHECKS.get(target, check_parses)(work, target, made, failures, tools)
    return failures.found


def kind_of(message):
    """A message without what differs between models."""
    message = re.sub(r"^\S*?[\w/.-]+\.(py|ts|go|java|rs|cc|h)[:(][\d:,)]*", "", message)
    return re.sub(r"['\"‘’“”`][^'\"‘’“”`]*['\"‘’“”`]|\b\d+\b", "…", message)[:110]


def shrink(seed, target, tools, kind):
    """The smallest model of the seed that fails so."""
    def fails(without, tame):
        found = failures_of({f"m{seed}": hostile_model.hostile_model(seed, without, tame)}, [target], tools)
        return any(one[0] == target and kind_of(one[2]) == kind for one in found)
    whole = hostile_model.Model(seed)
    without, tame = set(), set()
    for part in range(1, whole.parts + 1):
        if fails(without | {part}, tame):
            without.add(part)
    for name in range(1, whole.names.number + 1):
        if fails(without, tame | {name}):
            tame.add(name)
    return hostile_model.hostile_model(seed, without, tame)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="1-12")
    parser.add_argument("--models", nargs="*", default=None)
    parser.add_argument("--targets", default="")
    parser.add_argument("--tools", type=pathlib.Path)
    parser.add_argument("--keep")
    parser.add_argument("--shrink", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    tools = options.tools.resolve() if options.tools else None
    targets = options.targets.split(",") if options.targets else CODE + FORMATS + (NEEDS_TOOLS if tools else [])
    if options.models is not None:
        models = {re.sub(r"\W", "_", pathlib.Path(path).stem): pathlib.Path(path).read_text() for path in options.models}
    else:
        first, _, last = options.seeds.partition("-")
        models = {f"m{seed}": hostile_model.hostile_model(seed) for seed in range(int(first), int(last or first) + 1)}
    assert models
    found = failures_of(models, targets, tools, options.keep)
    kinds = {}
    for target, model, message in found:
        kinds.setdefault((target, kind_of(message)), []).append((model, message))
    for (target, kind), cases in sorted(kinds.items()):
        print(f"{target}: {len(cases)} in {len({model for model, _ in cases})} models: {cases[0][0]}: {cases[0][1][:260]}")
        if options.shrink and target not in ("check", "missing") and options.models is None:
            print(shrink(int(cases[0][0][1:]), target, tools, kind))
    bad = {model for target, model, _ in found if target not in ("check", "missing")}
    refused = {model for target, model, _ in found if target == "check"}
    print(f"{len(models)} models, {len(targets)} targets: {len(refused)} models not accepted by check, {len(bad)} with code that fails")
    # A run in which check refused most of the models would show nothing.
    return 1 if bad or len(refused) * 2 > len(models) else 0


if __name__ == "__main__":
    sys.exit(main())
