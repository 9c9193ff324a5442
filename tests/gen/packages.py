"""What `make test-gen` takes from package registries, pinned, and kept in a folder between runs: `build`, unless a caller names another."""

import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

PYTHON = ["mypy==2.4.1", "ruff==0.17.4", "pynamodb==6.1.0", "aioboto3==15.5.0", "python-hcl2==8.1.4", "cfn-lint==1.58.0", "jsonschema==4.26.0",
          "pytest==9.0.1"]
SDK = ["@aws-sdk/client-dynamodb@3.948.0", "@aws-sdk/lib-dynamodb@3.948.0", "@types/node@18.19.130", "typescript@5.9.3"]
CDK = ["aws-cdk-lib@2.276.0", "constructs@10"]
ELECTRODB = ["electrodb@3.9.3", "@aws-sdk/client-dynamodb@3.948.0"]
ESLINT = ["eslint@10.14.0", "@eslint/js@10.0.1", "typescript-eslint@8.72.2", "typescript@5.9.3"]
VITEST = ["vitest@3.2.4", "jest@30.2.0", "@jest/globals@30.2.0", *SDK]


def is_installed(folder, wanted):
    """Whether the folder holds what is wanted; else it is empty afterwards, and `remember` says when it holds it."""
    if (folder / "installed").exists() and (folder / "installed").read_text() == wanted:
        return True
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return False


def remember(folder, wanted):
    (folder / "installed").write_text(wanted)


def python_tools(tools):
    """The folder of the programs of a virtual environment."""
    folder, wanted = tools.resolve() / "python-tools", "\n".join(PYTHON)
    if not is_installed(folder, wanted):
        subprocess.run(["python3", "-m", "venv", str(folder)], check=True)
        subprocess.run([str(folder / "bin/pip"), "install", "--quiet", *PYTHON], check=True)
        remember(folder, wanted)
    return folder / "bin"


def npm_tools(tools, packages):
    """A folder with these packages, the first of which names it."""
    folder, wanted = tools.resolve() / f"{packages[0].rsplit('@', 1)[0]}-tools", "\n".join(packages)
    if not is_installed(folder, wanted):
        (folder / "package.json").write_text('{"type": "module", "private": true}')
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *packages], cwd=folder, check=True)
        remember(folder, wanted)
    return folder


def java_jars(tools):
    """The folder of the jars that tests/gen/java/pom.xml names."""
    folder, pom = tools.resolve() / "java-sdk", ROOT / "tests/gen/java/pom.xml"
    if not is_installed(folder, pom.read_text()):
        subprocess.run(["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={folder}"], check=True)
        remember(folder, pom.read_text())
    return folder


def cargo(tools):
    """The environment in which cargo keeps what it builds of the SDK."""
    return {**os.environ, "CARGO_TARGET_DIR": str(tools.resolve() / "rust-sdk")}
