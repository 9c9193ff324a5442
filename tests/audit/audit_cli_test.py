#!/usr/bin/python3
"""`prejoin audit` on a dump, a data directory and a server: findings, exit codes, requests that mend."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BINARY = os.environ["PREJOIN_BINARY"]

MODEL = """
entity Warehouse {
  id   text key
  city text
}
entity Stock {
  warehouseId references Warehouse.id key
  product     text key
  pieces      number
}
pattern Inventory "What a warehouse has" {
  find Stock where warehouseId = :w
}
table Shop partition PK sort SK {
  index GSI2 partition GSI2PK sort GSI2SK project all
  item Warehouse {
    PK = "W#{id}"
    SK = "W#{id}"
  }
  item Stock {
    PK     = "P#{product}"
    SK     = "W#{warehouseId}"
    GSI2PK = "W#{warehouseId}"
    GSI2SK = "P#{product}"
    city   = copy of Warehouse.city kept by stream
  }
}
items from "dump.json"
"""


def typed(value):
    return {"N": str(value)} if isinstance(value, int) else {"S": value}


def item(**attributes):
    return {name: typed(value) for name, value in attributes.items()}


def warehouse(number):
    return item(PK=f"W#{number}", SK=f"W#{number}", id=str(number), city="Bern")


def stock(number, **changes):
    attributes = dict(PK="P#chair", SK=f"W#{number}", warehouseId=str(number), product="chair", pieces=4,
                      GSI2PK=f"W#{number}", GSI2SK="P#chair", city="Bern")
    attributes.update(changes)
    return item(**{name: value for name, value in attributes.items() if value is not None})


CLEAN = [warehouse(1), warehouse(2), stock(1), stock(2)]
# A lost row, a copy that has drifted, a key in the table's own key that the attributes contradict, and a row of no warehouse.
DAMAGED = [warehouse(1), warehouse(2), stock(1, GSI2PK=None, GSI2SK=None), stock(2, city="Rome"),
           stock(3, SK="W#9", GSI2PK="W#3")]


class Audit(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.model = self.folder / "shop.prejoin"
        self.model.write_text(MODEL)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_verb(self, verb, *arguments):
        return subprocess.run([BINARY, verb, str(self.model), *map(str, arguments)], capture_output=True, text=True,
                              timeout=60, check=False)

    def dump(self, items, name="dump.json", lines=False):
        path = self.folder / name
        path.write_text("".join(json.dumps(one) + "\n" for one in items) if lines else json.dumps({"Items": items}, indent=1))
        return path

    def load(self, items):
        """A data directory with these items."""
        data = self.folder / "data"
        self.dump(items, "items.jsonl", lines=True)
        result = subprocess.run([BINARY, "import", str(self.folder / "items.jsonl"), "--table", "shop-prod", "--key", "PK:S",
                                 "SK:S", "--data", str(data)], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result)
        return data

    def test_a_clean_dump_gives_nothing(self):
        self.dump(CLEAN)
        result = self.run_verb("audit")
        self.assertEqual((result.returncode, "0 findings" in result.stdout), (0, True), result)
        self.assertEqual(self.run_verb("prove").returncode, 0)

    def test_all_forms_of_files_give_the_same(self):
        counts = []
        for path in [self.dump(DAMAGED), self.dump(DAMAGED, "a.jsonl", lines=True),
                     self.dump([{"Item": one} for one in DAMAGED], "b.json", lines=True)]:
            result = self.run_verb("audit", "--from", path, "--json")
            self.assertEqual(result.returncode, 1, result)
            counts.append(json.loads(result.stdout)["counts"])
        self.assertEqual(counts[0], counts[1])
        self.assertEqual(counts[0], counts[2])
        self.assertEqual(counts[0], {"missing-key": 2, "stale-key": 1, "orphan": 1, "drift": 1})

    def test_names_the_pattern_that_loses_rows(self):
        self.dump(DAMAGED)
        report = json.loads(self.run_verb("audit", "--json").stdout)
        self.assertEqual([(one["name"], one["lost"]) for one in report["patterns"] if one["lost"]], [("Inventory", 1)])
        proof = self.run_verb("prove")
        self.assertEqual(proof.returncode, 1)
        self.assertIn("GSI2PK is missing", proof.stdout.replace("\n         ", " "))

    def test_fixes_are_written_or_sent(self):
        data = self.load(DAMAGED)
        where = ["--data", data, "--stored-as", "shop-prod"]
        dry = self.run_verb("audit", *where, "--fix", "--dry-run")
        self.assertEqual(dry.returncode, 1)
        requests = [json.loads(line) for line in dry.stdout.splitlines()]
        self.assertEqual(sorted(one["operation"] for one in requests), ["TransactWriteItems", "UpdateItem", "UpdateItem"])
        self.assertIn("shop-prod", dry.stdout)
        sent = self.run_verb("audit", *where, "--fix")
        self.assertIn("3 of 3 requests done", sent.stderr)
        after = json.loads(self.run_verb("audit", *where, "--json").stdout)
        self.assertEqual(after["counts"], {"orphan": 1})

    def test_a_sample_reads_a_part(self):
        data = self.load([warehouse(number) for number in range(400)])
        where = ["--data", data, "--stored-as", "shop-prod", "--json"]
        part = json.loads(self.run_verb("audit", *where, "--sample", "25").stdout)
        self.assertTrue(40 < part["items"] < 180, part["items"])
        self.assertTrue(part["notChecked"])
        self.dump([warehouse(number) for number in range(400)])
        of_file = json.loads(self.run_verb("audit", "--json", "--sample", "25").stdout)
        self.assertTrue(60 < of_file["items"] < 140, of_file["items"])

    def test_what_cannot_be_audited_is_said(self):
        for arguments, part in [
                ([], "there is no such file"),
                (["--from", self.dump(["text"], "bad.json")], "element 1"),
                (["--from", self.dump(CLEAN, "clean.json"), "--table", "Shp"], "the model has no table Shp"),
                (["--fix"], "--fix cannot change files"),
        ]:
            result = self.run_verb("audit", *arguments)
            self.assertEqual(result.returncode, 2, result)
            self.assertIn(part, result.stderr)
        empty = self.run_verb("audit", "--from", self.dump([], "empty.json"))
        self.assertEqual(empty.returncode, 1)
        self.assertIn("No items were audited", empty.stdout)


if __name__ == "__main__":
    unittest.main()
