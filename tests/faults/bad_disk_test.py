#!/usr/bin/env python3
"""A disk that goes bad under a running server: it becomes read-only, or its syncs fail. Writes get 500, reads go on and show durable state only, the log
says it once, and nothing but a restart on a repaired disk brings writes back.

The read-only disk is an ext4 file system in a file, which the kernel itself makes read-only when it meets an error; skipped where that cannot be mounted.
FAILING_SYNC names the library that lets syncs fail. PREJOIN_BINARY names the program."""

import os
import pathlib
import subprocess
import sys
import unittest

import rig
from rig import FaultTest, Things, health, metric, wait_until

SYNC = os.environ.get("FAILING_SYNC")
DISK_BYTES = 200 << 20


class BadDiskTest(FaultTest):
    def check_bad(self, server, things, reason):
        """`things` has written since the disk went bad, and got an error."""
        wait_until(lambda: health(server)[0] == 503, "health tells")
        self.assertRegex(health(server)[1], "cannot write: .*" + reason)
        self.assertEqual(metric(server, "prejoin_writable"), 0)
        self.assertEqual(metric(server, "prejoin_write_outages"), 1)
        for name in ("refused 1", "refused 2"):
            self.assertEqual(things.try_put(name).status, 500)
        # What was acknowledged is there; what was not is not shown, for it may be gone after the restart.
        self.assertEqual(things.names(), things.acknowledged)
        self.assertTrue(things.get("n0"))
        self.assertIsNone(server.process.poll())
        # Another thread than the one that answers writes it.
        wait_until(lambda: server.log_lines("writes fail until the next start"), "the log tells")
        self.assertEqual(len(server.log_lines("writes fail until the next start")), 1, server.log())

    def check_still_bad(self, server, things):
        """The disk works again, and the server does not believe it."""
        self.assertEqual(things.try_put("still refused").status, 500)
        self.assertEqual(health(server)[0], 503)
        self.assertEqual(things.names(), things.acknowledged)

    @unittest.skipUnless(SYNC, "FAILING_SYNC names no library")
    def test_sync_fails(self):
        switch = pathlib.Path(self.root, "syncs fail")
        environment = os.environ | {"LD_PRELOAD": SYNC, "PREJOIN_TEST_SYNC_FAILS": str(switch)}
        server = self.start(environment=environment)
        things = Things(server).create()
        for number in range(100):
            things.put(f"n{number}")
        switch.touch()
        self.assertEqual(things.try_put("lost").status, 500)
        self.check_bad(server, things, "Input/output error")
        switch.unlink()
        self.check_still_bad(server, things)
        server.kill()
        self.check_sound(things.acknowledged)

    @unittest.skipUnless(SYNC, "FAILING_SYNC names no library")
    def test_sync_fails_and_the_server_is_stopped(self):
        """An orderly end has nothing to flush that could be believed, and is quick about it."""
        switch = pathlib.Path(self.root, "syncs fail")
        server = self.start(environment=os.environ | {"LD_PRELOAD": SYNC, "PREJOIN_TEST_SYNC_FAILS": str(switch)})
        things = Things(server).create()
        things.put("n0")
        switch.touch()
        self.assertEqual(things.try_put("lost").status, 500)
        server.stop()
        self.check_sound(things.acknowledged)

    def test_disk_becomes_read_only(self):
        disk = self.mount_disk()
        self.data = os.path.join(disk, "data")
        server = self.start()
        things = Things(server).create()
        for number in range(100):
            things.put(f"n{number}")
        self.make_read_only(disk)
        error = things.try_put("lost")
        self.assertIsNotNone(error)
        self.assertEqual(error.status, 500)
        self.check_bad(server, things, "(Read-only file system|Input/output error)")
        server.kill()
        self.assertRegex(self.refusal(), "Read-only file system")
        self.repair_disk(disk)
        self.check_sound(things.acknowledged)

    # ---- A disk of its own

    def mount_disk(self):
        self.image = os.path.join(self.root, "image")
        with open(self.image, "wb") as file:
            file.truncate(DISK_BYTES)
        disk = os.path.join(self.root, "disk")
        os.mkdir(disk)
        made = subprocess.run(["mkfs.ext4", "-q", "-F", self.image], capture_output=True)
        mounted = subprocess.run(["mount", "-o", "loop,errors=remount-ro", self.image, disk], capture_output=True, text=True)
        if made.returncode != 0 or mounted.returncode != 0:
            self.skipTest("no ext4 on a loop device here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        return disk

    def make_read_only(self, disk):
        device = subprocess.run(["findmnt", "-n", "-o", "SOURCE", disk], capture_output=True, text=True, check=True).stdout.strip()
        trigger = pathlib.Path("/sys/fs/ext4", os.path.basename(device), "trigger_fs_error")
        if not os.access(trigger, os.W_OK):
            self.skipTest(f"{trigger} cannot be written")
        trigger.write_text("a test of read-only disks")
        with self.assertRaises(OSError):
            pathlib.Path(disk, "probe").touch()

    def repair_disk(self, disk):
        subprocess.run(["umount", disk], check=True)
        repaired = subprocess.run(["e2fsck", "-f", "-y", self.image], capture_output=True, text=True)
        self.assertLess(repaired.returncode, 4, repaired.stdout + repaired.stderr)
        rig.mount("-o", "loop", self.image, disk)


if __name__ == "__main__":
    sys.argv[0] = os.path.abspath(sys.argv[0])
    rig.run_in_namespace()
