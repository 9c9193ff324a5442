#!/usr/bin/python3
"""The packages do not depend on where, when and how they are built: reproducible_test.py PACKAGES [PRESET] [--cached]

PACKAGES is what packaging/dist.py wrote from this tree. The last commit is cloned into another folder, at another depth, and built there without
the compiler cache, in another time zone, language and umask. Every file has to be equal, bit by bit. Takes as long as a build from nothing;
with --cached, minutes: what the cache has is not compiled again, so that paths, links and packages are compared, and not the compiler with itself.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHED = "--cached" in sys.argv
sys.argv = [word for word in sys.argv if word != "--cached"]
PRESET = sys.argv.pop(2) if len(sys.argv) > 2 else "dist"
PACKAGES = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/packages").resolve()
# The cache keeps what was compiled in one language apart from what was compiled in another, because messages differ.
ELSEWHERE = {"TZ": "Pacific/Kiritimati", **({} if CACHED else {"CCACHE_DISABLE": "1", "LC_ALL": "C", "LANG": "C"})}


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def first_difference(one, other):
    at = next((at for at, (left, right) in enumerate(zip(one, other)) if left != right), min(len(one), len(other)))
    return f"{len(one)} and {len(other)} bytes, different from byte {at} on"


class Reproducible(unittest.TestCase):
    def test_a_build_elsewhere_is_equal(self):
        changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        self.assertEqual(changed, "", "the tree has changes that a clone of its last commit has not")
        environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"} | ELSEWHERE
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            clone = pathlib.Path(folder) / "some/other place/tree"
            run("git", "clone", "--quiet", ROOT, clone)
            shutil.copytree(ROOT / "build/sources", clone / "build/sources", symlinks=True)
            for command in (["cmake", "--preset", PRESET],
                            ["cmake", "--build", f"build/{PRESET}", "-j", os.cpu_count(), "--target", "prejoin", "prejoin_shared"],
                            ["packaging/dist.py", f"build/{PRESET}", "build/packages"]):
                run(*command, cwd=clone, env=environment, umask=0o027, stdout=subprocess.DEVNULL)
            here, there = files(PACKAGES), files(clone / "build/packages")
        self.assertGreater(len(here), 5)
        self.assertEqual(set(here), set(there))
        differences = {name: first_difference(here[name], there[name]) for name in here if here[name] != there[name]}
        self.assertEqual(differences, {})


if __name__ == "__main__":
    unittest.main(verbosity=2)
