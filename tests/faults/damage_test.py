#!/usr/bin/env python3
"""Files of a data directory that are missing or have a flipped byte: each is noticed, named, and told what to do about; nothing is made up.

PREJOIN_BINARY names the program."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

import rig
from rig import FaultTest, LoggingServer, Things, flip, health, metric, prejoin

COUNT = 500


class SampleTest(FaultTest):
    """Each test begins with a directory that has a table file, and behind it a log with acknowledged writes."""

    @classmethod
    def setUpClass(cls):
        cls.sample = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.sample)
        data = os.path.join(cls.sample, "data")
        with LoggingServer(data) as server:
            things = Things(server).create()
            things.put_many(f"old{number}" for number in range(COUNT))
        server = LoggingServer(data).start()
        things = Things(server, things.acknowledged)
        things.put_many(f"new{number}" for number in range(COUNT))
        server.kill()
        cls.names = frozenset(things.acknowledged)

    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(self.sample, "data"), self.data)

    def newest_log(self):
        return max((log for log in self.files("*.log") if log.stat().st_size), key=lambda log: log.name)


class MissingFileTest(SampleTest):
    def check_refused_then_restored(self, path, *words):
        path = pathlib.Path(path)
        aside = os.path.join(self.root, "aside")
        shutil.move(path, aside)
        refusal = self.refusal()
        for word in (path.name, self.data, "Nothing was changed", *words):
            self.assertIn(word, refusal)
        self.assertEqual(prejoin("verify", self.data).returncode, 1)
        shutil.move(aside, path)
        self.check_sound(self.names)

    def test_newest_log(self):
        self.check_refused_then_restored(self.newest_log(), "is missing", "prejoin repair")

    def test_newest_log_and_repair(self):
        os.remove(self.newest_log())
        self.refusal()
        repaired = prejoin("repair", self.data)
        self.assertEqual(repaired.returncode, 0, repaired.stderr)
        self.assertIn("is missing", repaired.stdout)
        self.check_sound([f"old{number}" for number in range(COUNT)])

    def test_newest_log_shortened(self):
        """As far as it is known: a start knows how long the logs of the last run were."""
        server = self.start()  # Reads the log, and leaves it.
        server.kill()
        log = min((log for log in self.files("*.log") if log.stat().st_size), key=lambda log: log.name)
        copy = self.copy_of_data()
        os.truncate(log, log.stat().st_size // 2)
        refusal = self.refusal()
        self.assertIn(log.name, refusal)
        self.assertIn("acknowledged changes may be lost", refusal)
        self.restore(copy)
        self.check_sound(self.names)

    def test_newest_log_without_its_last_byte(self):
        """The server was killed, and left a note of how far the log was synced."""
        log = self.newest_log()
        copy = self.copy_of_data()
        os.truncate(log, log.stat().st_size - 1)
        refusal = self.refusal()
        self.assertIn(log.name, refusal)
        self.assertIn("acknowledged changes may be lost", refusal)
        self.assertEqual(prejoin("repair", self.data).returncode, 0)
        with LoggingServer(self.data) as server:
            kept = Things(server).names()
        self.assertLess(kept, self.names)
        self.assertGreaterEqual(len(kept), len(self.names) - 25)  # The last batch at most.
        self.restore(copy)
        self.check_sound(self.names)

    def test_table_file(self):
        self.check_refused_then_restored(self.files("*.sst")[0], "missing", "Restore")

    def test_current(self):
        self.check_refused_then_restored(self.files("CURRENT")[0], "missing", "prejoin repair")
        os.remove(self.files("CURRENT")[0])
        self.assertEqual(prejoin("repair", self.data).returncode, 0)
        self.check_sound(self.names)

    def test_manifest(self):
        path = self.files("MANIFEST-*")[0]
        aside = os.path.join(self.root, "aside")
        shutil.move(path, aside)
        self.assertIn("MANIFEST", self.refusal())
        self.assertEqual(prejoin("repair", self.data).returncode, 2)
        shutil.move(aside, path)
        self.check_sound(self.names)

    def test_marker(self):
        path = self.files("PREJOIN")[0]
        aside = os.path.join(self.root, "aside")
        shutil.move(path, aside)
        self.assertIn("is not a Prejoin data directory", self.refusal())
        shutil.move(aside, path)
        self.check_sound(self.names)

    def test_files_that_nobody_needs(self):
        for pattern in ("OPTIONS-*", "IDENTITY", "LOG", "PREJOIN.logs", "PREJOIN.synced"):
            for path in self.files(pattern):
                os.remove(path)
        self.check_sound(self.names)


class FlippedByteTest(SampleTest):
    def flipped(self, path, at):
        copy = self.copy_of_data()
        flip(path, at)
        return copy

    def check_refused(self, path, at, *words):
        copy = self.flipped(path, at)
        refusal = self.refusal()
        for word in (pathlib.Path(path).name, *words):
            self.assertIn(word, refusal)
        self.restore(copy)
        self.check_sound(self.names)

    def test_log(self):
        log = self.newest_log()
        self.check_refused(log, log.stat().st_size // 2, "damaged", "prejoin repair")

    def test_manifest(self):
        self.check_refused(self.files("MANIFEST-*")[0], 20)

    def test_current(self):
        self.check_refused(self.files("CURRENT")[0], 3, "damaged", "prejoin repair")

    def test_marker(self):
        self.check_refused(self.files("PREJOIN")[0], 3, "damaged")

    def test_register_of_logs(self):
        self.check_refused(self.files("PREJOIN.logs")[0], 3, "damaged", "prejoin repair")
        flip(self.files("PREJOIN.logs")[0], 3)
        self.assertEqual(prejoin("repair", self.data).returncode, 0)
        self.check_sound(self.names)

    def test_files_that_nobody_needs(self):
        for pattern in ("OPTIONS-*", "IDENTITY"):
            for path in self.files(pattern):
                flip(path, 5)
        self.check_sound(self.names)

    def test_table_file(self):
        """Each part of a table file. What the damage does not touch is served and written."""
        table = max(self.files("*.sst"), key=lambda path: path.stat().st_size)
        size = table.stat().st_size
        for part, at in {"data": int(size * 0.3), "filter or index": int(size * 0.93), "properties": -400, "footer": -5}.items():
            with self.subTest(part=part):
                copy = self.flipped(table, at)
                verified = prejoin("verify", self.data, "--json")
                self.assertEqual(verified.returncode, 1, f"{part}: {verified.stdout}{verified.stderr}")
                self.assertIn(table.name, json.dumps(json.loads(verified.stdout)["findings"]))
                repaired = prejoin("repair", self.data)
                self.assertIn(repaired.returncode, (1, 2), repaired.stdout)
                self.assertIn(table.name, repaired.stdout + repaired.stderr)
                if part == "data":
                    self.check_served(table)
                self.restore(copy)
        self.check_sound(self.names)

    def check_served(self, table):
        server = self.start()
        things = Things(server)
        failed = [name for name in sorted(self.names) if self.fails(things, name)]
        self.assertTrue(0 < len(failed) < COUNT, len(failed))
        # Others are written, and so is the rest of the server.
        things.put("another")
        things.put("new0")
        self.assertTrue(things.get("another"))
        self.assertEqual(things.try_put(failed[0]).status, 500)
        self.assertEqual(health(server), (200, "ok\n"))
        self.assertEqual(metric(server, "prejoin_damaged_files"), 1)
        self.assertGreaterEqual(metric(server, "prejoin_damaged_reads"), len(failed))
        lines = server.log_lines("stored data is damaged")
        self.assertEqual(len(lines), 1, server.log())
        self.assertIn(table.name, lines[0])
        self.assertIn("Things", lines[0])
        server.kill()

    def fails(self, things, name):
        try:
            self.assertTrue(things.get(name), name)
        except rig.DynamoError as error:
            self.assertEqual(error.status, 500)
            return True
        return False


class OwnFilesTest(FaultTest):
    """The key file, without which no secret can be read."""

    OPTIONS = ("--auth", "required", "--credentials", str(pathlib.Path(__file__).resolve().parents[1] / "rig/credentials"))

    def test_key_file(self):
        server = self.start(self.OPTIONS)
        server.stop()
        key_file = pathlib.Path(self.data + ".key")
        good = key_file.read_bytes()
        for damage in (b"", good[:-10], (b"0" if good[:1] != b"0" else b"1") + good[1:], b"no key at all\n"):
            key_file.write_bytes(damage)
            self.assertIn("key", self.refusal(self.OPTIONS))
        key_file.write_bytes(good)
        self.start(self.OPTIONS).stop()


if __name__ == "__main__":
    unittest.main(warnings="ignore")
