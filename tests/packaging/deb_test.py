#!/usr/bin/python3
"""The Debian packages in a fresh Debian 12: lintian, install, use, upgrade, purge. deb_test.py PACKAGES; `make test-deb` runs it. Needs root."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

from fresh_root import ROOT, FreshRoot

PACKAGES = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/packages/deb").resolve()
NAMES = ("prejoin", "prejoin-rados", "libprejoin1", "libprejoin-dev")


def package(name):
    return next(PACKAGES.glob(f"{name}_*.deb"))


def newer(path, folder):
    """The same package with a higher version, which depends on the others in theirs."""
    unpacked = pathlib.Path(folder) / path.stem
    subprocess.run(["dpkg-deb", "-R", str(path), str(unpacked)], check=True)
    control = unpacked / "DEBIAN/control"
    version = path.name.split("_")[1]
    control.write_text(control.read_text().replace(version, f"{version}+next"))
    made = pathlib.Path(folder) / f"{path.stem}-next.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", str(unpacked), str(made)], check=True, stdout=subprocess.DEVNULL)
    return made


class Lintian(unittest.TestCase):
    def test_has_nothing_to_say(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", *(str(package(name)) for name in NAMES)], capture_output=True,
                              text=True, check=False, timeout=900)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stdout + done.stderr)


class InFreshDebian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = FreshRoot("bookworm")
        cls.addClassCleanup(cls.root.__exit__)
        cls.debs = cls.root.path / "debs"
        cls.debs.mkdir()
        for name in NAMES:
            shutil.copy(package(name), cls.debs)
        with tempfile.TemporaryDirectory() as folder:
            for name in NAMES:
                shutil.copy(newer(package(name), folder), cls.debs)
        cls.root.shell("apt-get update -qq")

    def test_life(self):
        """In one test, because each step needs the one before."""
        root = self.root
        current = " ".join(f"/debs/{package(name).name}" for name in NAMES)
        with self.subTest("install"):
            root.shell(f"apt-get install -y -qq --no-install-recommends {current} systemd man-db gcc pkg-config libc6-dev")
            self.assertIn("prejoin", root.run("prejoin", "--version"))
            self.assertIn("/etc/default/prejoin\n", root.run("dpkg-query", "-L", "prejoin"))
            self.assertIn("PREJOIN(1)", root.shell("man -P cat prejoin"))
        with self.subTest("the service is installed, right, and off"):
            root.run("systemd-analyze", "verify", "/lib/systemd/system/prejoin.service")
            self.assertIn("disabled", root.run("systemctl", "is-enabled", "prejoin.service", expected=1))
            exposure = root.shell("systemd-analyze security --offline=true --no-pager prejoin.service | tail -n 1")
            self.assertRegex(exposure, r": [0-2]\.\d", "the unit is more open than it was")
        with self.subTest("serve, prove, RADOS"):
            root.shell("""
                prejoin serve --data /tmp/data --port 8123 >/tmp/log & server=$!
                for i in $(seq 100); do grep -q listening /tmp/log && break; sleep 0.1; done
                prejoin health --endpoint http://127.0.0.1:8123
                kill $server; wait $server""")
            shutil.copy(ROOT / "examples/models/d04_students_and_courses.prejoin", root.path / "tmp/school.prejoin")
            root.run("prejoin", "prove", "/tmp/school.prejoin")
            # The module is found and loaded; there is no cluster to reach.
            told = root.shell("echo 'mon_host = 127.0.0.1:1' >/tmp/ceph.conf; timeout 20 prejoin serve --rados /tmp/ceph.conf 2>&1 || true")
            self.assertNotIn("cannot load prejoin_rados.so", told)
        with self.subTest("a C program"):
            (root.path / "tmp/use.c").write_text((ROOT / "tests/packaging/use_library.c").read_text())
            self.assertRegex(root.shell("gcc -std=c99 /tmp/use.c -o /tmp/use $(pkg-config --cflags --libs prejoin) && /tmp/use"), ": 0 failures")
        with self.subTest("upgrade keeps changed settings"):
            root.shell("echo PREJOIN_OPTIONS=--model=/etc/x >/etc/default/prejoin; apt-get install -y -qq /debs/*-next.deb")
            self.assertIn("+next", root.run("dpkg-query", "-W", "prejoin"))
            self.assertIn("--model=/etc/x", root.run("cat", "/etc/default/prejoin"))
        with self.subTest("remove keeps settings, purge removes everything but the data"):
            root.shell("mkdir -p /var/lib/prejoin/data && touch /var/lib/prejoin/data/of_the_user")
            root.shell(f"apt-get remove -y -qq {' '.join(NAMES)}; test -e /etc/default/prejoin")
            root.shell("dpkg --purge prejoin")  # The others have no settings, so that nothing is left of them.
            left = root.shell("find / -xdev -iname '*prejoin*' -not -path '/proc/*' -not -path '/debs/*' -not -path '/tmp/*' -not -path '/var/cache/man/*'")
            self.assertEqual(left.split(), ["/var/lib/prejoin"], textwrap.shorten(left, 1000))


if __name__ == "__main__":
    unittest.main(verbosity=2)
