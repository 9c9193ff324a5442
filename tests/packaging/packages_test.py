#!/usr/bin/python3
"""The packages that packaging/ writes: their layout, and that the same contents give the same bytes. Stand-ins take the place of the program and
the library; `make test-dist` tries the real ones."""

import base64
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"

import image  # noqa: E402
import machine  # noqa: E402
import manual  # noqa: E402
import npm  # noqa: E402
import wheel  # noqa: E402

PROGRAM, LIBRARY, NOTICES = b"#!/bin/sh\necho stand-in\n", b"a library", b"notices"
X64, ARM64 = machine.MACHINES


class Wheel(unittest.TestCase):
    def test_layout_and_record(self):
        name, data = wheel.wheel(PROGRAM, LIBRARY, NOTICES, X64)
        self.assertRegex(name, r"^prejoin-[0-9.]+-py3-none-manylinux_\S+_x86_64\.whl$")
        self.assertEqual((name, data), wheel.wheel(PROGRAM, LIBRARY, NOTICES, X64))
        self.assertRegex(wheel.wheel(PROGRAM, LIBRARY, NOTICES, ARM64)[0], r"^prejoin-[0-9.]+-py3-none-(\w+_aarch64\.?)+\.whl$")
        archive = zipfile.ZipFile(io.BytesIO(data))
        names = archive.namelist()
        self.assertEqual(len(names), len(set(names)))
        record = next(entry for entry in names if entry.endswith("/RECORD"))
        rows = {row[0]: row for row in csv.reader(io.StringIO(archive.read(record).decode()))}
        self.assertEqual(set(rows), set(names))
        for entry in names:
            if entry != record:
                digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(entry)).digest()).rstrip(b"=").decode()
                self.assertEqual(rows[entry][1:], [f"sha256={digest}", str(len(archive.read(entry)))])
        script = next(info for info in archive.infolist() if info.filename.endswith(".data/scripts/prejoin"))
        self.assertEqual(script.external_attr >> 16 & 0o777, 0o755)
        self.assertTrue({"prejoin/__init__.py", "prejoin/py.typed", "prejoin/lib/libprejoin.so.1"} <= set(names))
        with tempfile.TemporaryDirectory() as folder:
            archive.extractall(folder)
            version = subprocess.run([sys.executable, "-c", "import prejoin; print(prejoin.__version__)"], check=True, capture_output=True, text=True,
                                     env={**os.environ, "PYTHONPATH": folder}).stdout.strip()
            self.assertEqual(version, wheel.version())


class NpmPackages(unittest.TestCase):
    def test_layout(self):
        packages = npm.packages(PROGRAM, NOTICES, X64)
        self.assertEqual(packages, npm.packages(PROGRAM, NOTICES, X64))
        packages |= npm.packages(PROGRAM, NOTICES, ARM64)
        manifests = {}
        for data in packages.values():
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                manifest = json.load(archive.extractfile("package/package.json"))
                manifests[manifest["name"]] = (manifest, set(archive.getnames()))
        main, names = manifests["prejoin"]
        self.assertEqual(main["optionalDependencies"], {f"@prejoin/linux-{machine}": main["version"] for machine in ("arm64", "x64")})
        for path in ("index.js", "cli.js", "index.d.ts", "jest/jest-preset.js", "vitest.mjs"):
            self.assertIn(f"package/{path}", names)
        self.assertEqual(set(manifests), {"prejoin", *main["optionalDependencies"]})
        for name in main["optionalDependencies"]:
            manifest, names = manifests[name]
            self.assertEqual((manifest["version"], manifest["os"], manifest["cpu"]), (main["version"], ["linux"], [name.rsplit("-", 1)[1]]))
            self.assertIn("package/prejoin", names)

    def test_starts_a_server_that_ends_with_its_script(self):
        program = ("const {start} = require('./packaging/npm/prejoin');"
                   "start().then(async (server) => { const answer = await fetch(server.endpoint + '/healthz');"
                   "console.log(await answer.text(), server.pid); if (process.argv[1] === 'stop') await server.stop(); })")
        for argument in ("stop", "leave"):
            result = subprocess.run(["node", "-e", program, argument], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(result.stdout.startswith("ok"), result.stdout)

    def test_says_how_to_get_the_program(self):
        result = subprocess.run(["node", "-e", "require('./packaging/npm/prejoin').findBinary()"], cwd=ROOT, capture_output=True, text=True, timeout=60,
                                check=False, env={**os.environ, "PREJOIN_BINARY": ""})
        self.assertIn("npm install @prejoin/", result.stderr)


class Image(unittest.TestCase):
    def members(self, data):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return {member.name: archive.extractfile(member).read() for member in archive.getmembers() if member.isfile()}

    def test_every_digest_is_right_and_two_builds_are_equal(self):
        for compat in (False, True):
            data = image.image(PROGRAM, NOTICES, b"licence", "1.2.3", ARM64, compat)
            self.assertEqual(data, image.image(PROGRAM, NOTICES, b"licence", "1.2.3", ARM64, compat))
            members = self.members(data)
            for name, contents in members.items():
                if name.startswith("blobs/sha256/"):
                    self.assertEqual(name.rsplit("/", 1)[1], hashlib.sha256(contents).hexdigest())
            manifest_blob = json.loads(members["index.json"])["manifests"][0]
            manifest = json.loads(members["blobs/" + manifest_blob["digest"].replace(":", "/")])
            config = json.loads(members["blobs/" + manifest["config"]["digest"].replace(":", "/")])
            layer = gzip.decompress(members["blobs/" + manifest["layers"][0]["digest"].replace(":", "/")])
            self.assertEqual((config["architecture"], manifest_blob["platform"]["architecture"]), ("arm64", "arm64"))
            self.assertEqual(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layer).hexdigest()])
            self.assertEqual(config["config"]["User"], "65532:65532")
            self.assertEqual(json.loads(members["manifest.json"])[0]["Layers"], ["blobs/" + manifest["layers"][0]["digest"].replace(":", "/")])
            with tarfile.open(fileobj=io.BytesIO(layer)) as archive:
                self.assertEqual(archive.getmember("data").uid, 65532)
                self.assertEqual(archive.getmember("usr/bin/prejoin").mode, 0o755)
                self.assertEqual("usr/bin/java" in archive.getnames(), compat)


class Manual(unittest.TestCase):
    def test_names_every_verb(self):
        program = os.environ["PREJOIN_BINARY"]
        page = manual.man_page(program)
        verbs = [verb for verb, _ in manual.verbs_in(manual.help_of(program))]
        self.assertGreater(len(verbs), 20)
        for verb in verbs:
            self.assertIn(manual.escaped(f"prejoin {verb}"), page)
        script = manual.bash_completion(program) + '\nCOMP_WORDS=(prejoin serve --mem)\nCOMP_CWORD=2\n_prejoin\necho "${COMPREPLY[*]}"\n' \
            'COMP_WORDS=(prejoin prov)\nCOMP_CWORD=1\n_prejoin\necho "${COMPREPLY[*]}"\n'
        result = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stdout.split(), ["--memory", "prove"])


if __name__ == "__main__":
    unittest.main()
