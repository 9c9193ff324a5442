#!/usr/bin/env python3
"""A disk that fills up while the server runs: writes get 503, reads go on, the log says it once, and writes work again when there is room.

The disks are small file systems in memory, in a mount namespace of this test's own; where the system allows none, the test is skipped.
PREJOIN_BINARY names the program."""

import os
import signal
import subprocess
import sys

import rig
from rig import FaultTest, Things, health, metric, wait_until

ITEM_BYTES = 300_000


class FullDiskTest(FaultTest):
    def setUp(self):
        super().setUp()
        self.disk = os.path.join(self.root, "disk")
        os.mkdir(self.disk)
        rig.mount("-t", "tmpfs", "-o", "size=40m", "none", self.disk)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        self.data = os.path.join(self.disk, "data")

    def fill(self, things, name="n"):
        for number in range(1000):
            error = things.try_put(f"{name}{number}", ITEM_BYTES)
            if error:
                return error
        raise AssertionError("the disk never filled up")

    def check_full(self, server, things):
        error = self.fill(things)
        self.assertEqual(error.status, 503)
        self.assertEqual(error.name, "ServiceUnavailableException")
        self.assertGreater(len(things.acknowledged), 10)
        wait_until(lambda: health(server)[0] == 503, "health tells")
        self.assertRegex(health(server)[1], "(?i)cannot write: .*(no space|full)")
        self.assertEqual(metric(server, "prejoin_writable"), 0)
        self.assertEqual(things.try_put("refused").status, 503)
        self.assertGreaterEqual(things.names(), things.acknowledged)
        self.assertTrue(things.get("n0"))

    def check_recovered(self, server, things):
        wait_until(lambda: things.try_put("again") is None, "a write works")
        self.assertEqual(health(server), (200, "ok\n"))
        self.assertEqual(metric(server, "prejoin_writable"), 1)
        self.assertEqual(metric(server, "prejoin_write_outages"), 1)
        self.assertEqual(len(server.log_lines("writes fail until there is room")), 1, server.log())
        wait_until(lambda: len(server.log_lines("writes work again")) == 1, "the log tells")
        self.assertGreaterEqual(things.names(), things.acknowledged)

    def test_room_again_without_a_restart(self):
        cells = "--cells" in os.environ.get("PREJOIN_SERVE_OPTIONS", "")
        for sync in ("always",) if cells else ("always", "none"):
            with self.subTest(sync=sync):
                rig.mount("-o", "remount,size=40m", self.disk)
                server = self.start(["--sync", sync])
                things = Things(server).create()
                self.check_full(server, things)
                rig.mount("-o", "remount,size=300m", self.disk)
                self.check_recovered(server, things)
                # Killed right behind: what was acknowledged before, during and after is there.
                server.kill()
                self.check_sound(things.acknowledged)
                subprocess.run(["rm", "-rf", self.data], check=True)

    def test_restart_while_full(self):
        server = self.start()
        things = Things(server).create()
        self.fill(things)
        server.kill()
        rig.mount("-o", "remount,size=300m", self.disk)
        self.check_sound(things.acknowledged)

    def test_read_only_disk(self):
        server = self.start()
        things = Things(server).create()
        things.put("kept")
        server.stop()
        rig.mount("-o", "remount,ro", self.disk)
        refusal = self.refusal()
        self.assertIn(self.data, refusal)
        self.assertIn("Read-only file system", refusal)
        rig.mount("-o", "remount,rw", self.disk)
        self.check_sound({"kept"})

    def test_missing_mount(self):
        """The data directory is a mount point whose disk is not there: an empty directory must not become a new database."""
        server = self.start()
        Things(server).create().put("kept")
        server.stop()
        moved = os.path.join(self.root, "moved")
        os.mkdir(moved)
        rig.mount("--make-private", self.disk)
        rig.mount("--move", self.disk, moved)
        self.addCleanup(subprocess.run, ["umount", "-l", moved], check=True)
        rig.mount("-t", "tmpfs", "none", self.disk)
        rig.mount("-o", "remount,ro", self.disk)
        self.assertIn(self.data, self.refusal())


class FileSizeTest(FaultTest):
    """`ulimit -f`: files may not grow beyond a size. No signal ends the server, and it goes on with new files."""

    def test_limit_and_its_end(self):
        server = self.start(limits="ulimit -S -f 4096")  # 4 MB.
        things = Things(server).create()
        for number in range(60):
            things.try_put(f"n{number}", ITEM_BYTES)
        self.assertIsNone(server.process.poll())
        self.assertGreaterEqual(metric(server, "prejoin_write_outages"), 1)
        self.assertGreaterEqual(things.names(), things.acknowledged)
        subprocess.run(["prlimit", "--pid", str(server.process.pid), "--fsize=unlimited"], check=True)
        wait_until(lambda: things.try_put("again") is None, "a write works")
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        self.check_sound(things.acknowledged)


if __name__ == "__main__":
    sys.argv[0] = os.path.abspath(sys.argv[0])
    rig.run_in_namespace()
