#!/usr/bin/python3
"""The packages for arm64, under qemu-user: arm64_test.py PACKAGES [CASES…]

Runs the program of the archive as a server in memory and on disk, all conformance cases or those named, and a proof."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import urllib.request
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/rig"))

from dynamo_client import DynamoClient  # noqa: E402
from server_process import ServerProcess  # noqa: E402

PACKAGES = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/packages/arm64").resolve()
CASES = sys.argv[1:]
EMULATOR = "qemu-aarch64-static"
ARM64 = 183  # e_machine


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **{"timeout": 1800, **options})
    if result.returncode != 0:
        raise AssertionError(f"{command} ended with {result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
    return result.stdout


def machine_of(program):
    return int.from_bytes(program[18:20], "little")


class Arm64(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        with tarfile.open(next(PACKAGES.glob("prejoin-*-linux-arm64.tar.gz"))) as archive:
            archive.extractall(cls.folder.name)
        cls.top = next(pathlib.Path(cls.folder.name).iterdir())
        cls.program = pathlib.Path(cls.folder.name) / "emulated"
        cls.program.write_text(f'#!/bin/sh\nexec {EMULATOR} {cls.top}/bin/prejoin "$@"\n')
        cls.program.chmod(0o755)
        os.environ["PREJOIN_BINARY"] = str(cls.program)
        cls.addClassCleanup(os.environ.pop, "PREJOIN_BINARY")

    def test_every_package_holds_the_program_for_arm64(self):
        program = (self.top / "bin/prejoin").read_bytes()
        self.assertEqual(machine_of(program), ARM64)
        self.assertEqual(machine_of((self.top / "lib/libprejoin.so.1").read_bytes()), ARM64)
        wheel = next(PACKAGES.glob("*.whl"))
        self.assertIn("_aarch64", wheel.name)
        with zipfile.ZipFile(wheel) as archive:
            self.assertEqual(archive.read(next(name for name in archive.namelist() if name.endswith("scripts/prejoin"))), program)
        with tarfile.open(next(PACKAGES.glob("prejoin-linux-arm64-*.tgz"))) as archive:
            self.assertEqual(archive.extractfile("package/prejoin").read(), program)
        for path in PACKAGES.glob("*-image-arm64.tar"):
            self.assertLess(path.stat().st_size, 15e6)
            with tarfile.open(path) as archive:
                self.assertEqual(json.load(archive.extractfile("index.json"))["manifests"][0]["platform"]["architecture"], "arm64")

    def test_sums(self):
        lines = (PACKAGES / "SHA256SUMS").read_text().splitlines()
        self.assertGreater(len(lines), 5)
        for line in lines:
            digest, name = line.split()
            self.assertEqual(hashlib.sha256((PACKAGES / name).read_bytes()).hexdigest(), digest)

    def test_the_program_needs_no_loader_and_no_library(self):
        self.assertNotIn("INTERP", run("readelf", "-lW", self.top / "bin/prejoin"))
        self.assertNotIn("NEEDED", run("readelf", "-dW", self.top / "bin/prejoin"))

    def test_proves_an_example(self):
        said = run(self.program, "prove", ROOT / "examples/models/d04_students_and_courses.prejoin")
        self.assertRegex(said, r"([1-9]\d*) of \1 proofs passed")

    def test_serves_the_page(self):
        with ServerProcess() as server:
            with urllib.request.urlopen(f"{server.endpoint}/studio/", timeout=60) as page:
                self.assertIn(b"<html", page.read())

    def test_keeps_data_on_disk(self):
        with tempfile.TemporaryDirectory() as data:
            for expected in ([], ["Songs"]):
                with ServerProcess(data=data) as server:
                    client = DynamoClient(server.endpoint)
                    self.assertEqual(client.call("ListTables")["TableNames"], expected)
                    if not expected:
                        client.call("CreateTable", TableName="Songs", BillingMode="PAY_PER_REQUEST",
                                    KeySchema=[{"AttributeName": "k", "KeyType": "HASH"}],
                                    AttributeDefinitions=[{"AttributeName": "k", "AttributeType": "S"}])
                        client.call("PutItem", TableName="Songs", Item={"k": {"S": "a"}, "n": {"N": "1.50"}})
                    else:
                        self.assertEqual(client.call("GetItem", TableName="Songs", Key={"k": {"S": "a"}})["Item"]["n"], {"N": "1.5"})

    def test_conformance(self):
        said = run(sys.executable, ROOT / "tests/conformance/run", *CASES).splitlines()[-1]
        self.assertRegex(said, r"([1-9]\d*) of \1 cases pass")
        print(said)


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main(verbosity=2)
