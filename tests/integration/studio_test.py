#!/usr/bin/python3
"""The studio's side of the server: every access pattern through /model/run, writes through /model/item, and the page.

Each model gets a server of its own, started with --model, which also creates the tables. What a run says it sent is sent again
through the DynamoDB API and must read the same items for the same units.
"""

import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "rig"))
from dynamo_client import DynamoClient, DynamoError  # noqa: E402
from server_process import ServerProcess, binary  # noqa: E402

MODELS = ROOT / "examples/models"
ANSWERS = {pattern["id"]: pattern["steps"] for pattern in json.loads((HERE / "patterns.json").read_text())}


def answer(name, step=0):
    """The items that patterns.json gives for a step of a pattern, in order."""
    expected = ANSWERS[name][step]
    return expected.get("items") or expected.get("batch") or [expected["item"]]


def numbered(items):
    """The model adds a number to the key, so that a zip code can have two shops."""
    return [item + "#1" for item in items]


# Model, pattern, parameters, and the items that the answer is made of, in the order in which they are read.
RUNS = [
    ("d01_user_orders", "A1", {"user": "123"}, answer("A1")),
    ("d02_enrolment", "A2", {"student": "Alice"}, answer("A2", 0)),
    ("d02_enrolment", "A2b", {"course": "Math"}, answer("A2", 1)),
    ("d03_quick_reference", "A3", {"customer": "c123"}, answer("A3")),
    ("d03_quick_reference", "A4", {"order": "o456"}, answer("A4")),
    ("d03_quick_reference", "A5a", {"org": "o1"}, answer("A5", 0)),
    ("d03_quick_reference", "A5b", {"org": "o1", "project": "p1"}, answer("A5", 2)),
    ("d03_quick_reference", "A5c", {"org": "o1", "project": "p1", "task": "t1"}, answer("A5", 3)),
    # No legal Query leaves the tasks out, so they are read and thrown away.
    ("d03_quick_reference", "A6", {"org": "o1"}, ["ORG#o1 | ORG#o1", "ORG#o1 | PROJECT#p1", "ORG#o1 | PROJECT#p10"]),
    # The model's sample has one more repository and one user less, and its pattern asks for the user's own item too.
    ("d03_quick_reference", "A7a", {"user": "alexdebrie"},
     ["USER#alexdebrie | REPO#acme#site", *answer("A7", 0), "USER#alexdebrie | USER#alexdebrie"]),
    ("d03_quick_reference", "A7b", {"owner": "aws", "repo": "dynamodb"}, answer("A7", 1)[:2]),
    # The model keeps the ids on edges instead of in a list: the edges first, then the repositories by their ids.
    ("d03_quick_reference", "A8", {"user": "alexdebrie"},
     ["USER#alexdebrie | REPO#acme#site", "USER#alexdebrie | REPO#aws#dynamodb",
      "REPO#acme#site | REPO#acme#site", "REPO#aws#dynamodb | REPO#aws#dynamodb"]),
    ("d04_students_and_courses", "A9", {"student": "a91"}, answer("A9")),
    ("d04_students_and_courses", "A10", {"student": "a91"}, answer("A10")),
    ("d04_students_and_courses", "A11", {"course": "math204"}, answer("A11")),
    ("d04_students_and_courses", "A14", {"course": "math204"}, answer("A14")),
    ("d05_education", "A15", {"student": "S1"}, answer("A15")),
    ("d05_education", "A16", {"student": "S1"}, answer("A16")),
    ("d05_education", "A17", {"course": "C1"}, answer("A17")),
    ("d08_saas_orgs", "A18", {"org": "MICROSOFT"}, answer("A18")),
    ("d08_saas_orgs", "A19", {"org": "MICROSOFT"}, answer("A19")),
    ("d08_saas_orgs", "A20", {"org": "MICROSOFT"}, answer("A20")),
    ("d08_saas_orgs", "A21", {"org": "MICROSOFT", "user": "BILLGATES"}, answer("A21")),
    ("d08_saas_orgs", "A22", {"ticket": "1569468714-JM14"}, answer("A22", 0)),
    ("d08_saas_orgs", "A22", {"ticket": "1570952398-MQR0"}, answer("A22", 1)),
    ("d08_saas_orgs", "A23", {"org": "MICROSOFT", "user": "BILLGATES"}, answer("A23")),
    ("d09_starbucks", "A24", {"country": "USA"}, numbered(answer("A24", 0))),
    ("d09_starbucks", "A24", {"country": "FRANCE"}, numbered(answer("A24", 1))),
    ("d09_starbucks", "A25", {"country": "USA", "state": "NY"}, numbered(answer("A25"))),
    ("d09_starbucks", "A26", {"country": "USA", "state": "NY", "city": "NEWYORKCITY"}, numbered(answer("A26"))),
    ("d09_starbucks", "A27", {"country": "USA", "state": "NY", "city": "NEWYORKCITY", "zip": "10001"}, numbered(answer("A27"))),
    ("d06_customer_addresses", "A28", {"user": "alexdebrie"}, answer("A28")),
    ("d07_books_authors", "A29", {"author": "Stephen King"}, answer("A29")),
]
THROWN_AWAY = {"A6": 3}
REQUESTS = {"A8": 2}


class Studio:
    """A server with a model, and its three APIs."""

    def __init__(self, name):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / f"{name}.prejoin"
        shutil.copy(MODELS / self.path.name, self.path)
        self.source = self.path.read_text()
        self.server = ServerProcess(options=["--model", str(self.path)]).start()
        self.dynamodb = DynamoClient(self.server.endpoint)
        self.tables = {}
        for table in self.model("tables", source=self.source)["tables"]:
            self.tables[table["TableName"]] = [key["AttributeName"] for key in table["KeySchema"]]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.dynamodb.close()
        self.server.stop()
        self.folder.cleanup()

    def fetch(self, path, headers=None, body=None, method=None):
        """(status, headers, body); redirects are not followed."""
        request = urllib.request.Request(self.server.endpoint + path, body, headers or {}, method=method)
        opener = urllib.request.build_opener(StayHere)
        try:
            with opener.open(request, timeout=20) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def model(self, route, **body):
        status, _, text = self.fetch(f"/model/{route}", {"Content-Type": "application/json"}, json.dumps(body).encode())
        if status != 200:
            raise AssertionError(f"/model/{route}: {status} {text.decode()}")
        return json.loads(text)

    def run(self, pattern, parameters):
        return self.model("run", source=self.source, pattern=pattern, parameters=parameters)

    def name_of(self, table, keys):
        return " | ".join(keys[name]["S"] for name in self.tables[table])


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *unused):
        return None


class PatternsTest(unittest.TestCase):
    maxDiff = None

    def test_every_pattern_of_the_contract_is_run(self):
        named = {pattern.rstrip("abc") for _, pattern, _, _ in RUNS} | {"A12", "A13"}  # Those two are writes, see below.
        self.assertEqual(named, set(ANSWERS))

    def test_answers(self):
        for model in sorted({run[0] for run in RUNS}):
            with Studio(model) as studio:
                for _, pattern, parameters, expected in [run for run in RUNS if run[0] == model]:
                    with self.subTest(model=model, pattern=pattern, parameters=parameters):
                        self.check_run(studio, pattern, parameters, expected)

    def check_run(self, studio, pattern, parameters, expected):
        trace = studio.run(pattern, parameters)
        pages = [(step, page) for step in trace["steps"] for page in step["pages"]]
        returned = [studio.name_of(step["table"], keys) for step, page in pages for keys in page["returned"]]
        self.assertEqual(returned, expected)
        self.assertEqual(trace["itemsThrownAway"], THROWN_AWAY.get(pattern, 0))
        self.assertEqual(trace["requests"], REQUESTS.get(pattern, 1))
        self.assertEqual(trace["requests"], len(pages))
        self.assertEqual(trace["itemsRead"], sum(len(page["read"]) for _, page in pages))
        self.assertEqual(trace["readUnits"], sum(page["readUnits"] for _, page in pages))
        self.assertAlmostEqual(trace["price"], trace["readUnits"] * 0.125e-6)
        self.assertEqual(len(trace["rows"]), sum(section["rows"] for section in trace["sections"]))
        for step, page in pages:
            self.check_same_through_dynamodb(studio, step, page)

    def check_same_through_dynamodb(self, studio, step, page):
        self.assertEqual(page["scannedCount"], len(page["read"]))
        self.assertEqual(page["count"], len(page["returned"]))
        same = studio.dynamodb.call(step["operation"], **page["request"])
        if step["operation"] == "GetItem":
            items = [same["Item"]] if "Item" in same else []
        elif step["operation"] == "Query":
            items = same["Items"]
        else:
            items = same["Responses"][step["table"]]
        for keys, item in zip(page["read"], items, strict=True):
            self.assertEqual(keys, {name: item[name] for name in keys})
        consumed = same["ConsumedCapacity"]
        units = [part["CapacityUnits"] for part in (consumed if isinstance(consumed, list) else [consumed])]
        self.assertEqual(page["readUnits"], sum(units))

    def test_a12_the_roster_follows_its_edges(self):
        with Studio("d04_students_and_courses") as studio:
            key = {"PK": {"S": "STU#a91"}, "SK": {"S": "ENROLL#CRS#math204"}}
            studio.dynamodb.call("UpdateItem", TableName="School", Key=key, UpdateExpression="SET grade = :g",
                                 ExpressionAttributeValues={":g": {"S": "A"}})
            grades = {row["studentId"]["S"]: row.get("grade") for row in studio.run("A11", {"course": "math204"})["rows"]}
            self.assertEqual(grades["a91"], {"S": "A"})
            studio.dynamodb.call("DeleteItem", TableName="School", Key=key)
            roster = [row["studentId"]["S"] for row in studio.run("A11", {"course": "math204"})["rows"]]
            self.assertEqual(roster, ["b30"])

    def test_a13_an_item_made_by_the_model_goes_in_once(self):
        with Studio("d05_education") as studio:
            made = studio.model("item", source=studio.source, entity="Enrollment", once=True,
                                attributes={"StudentId": "S2", "CourseId": "C2", "Grade": "B"})
            put = {"TableName": made["table"], "Item": made["item"], "ConditionExpression": made["condition"],
                   "ExpressionAttributeNames": made["names"]}
            studio.dynamodb.call("PutItem", **put)
            students = [row["StudentId"]["S"] for row in studio.run("A17", {"course": "C2"})["rows"]]
            self.assertEqual(students, ["S1", "S2"])
            with self.assertRaises(DynamoError) as refused:
                studio.dynamodb.call("PutItem", **put)
            self.assertEqual(refused.exception.name, "ConditionalCheckFailedException")


class ModelFileTest(unittest.TestCase):
    def test_a_save_lands_in_the_file_and_a_second_one_from_the_same_version_does_not(self):
        with Studio("d05_education") as studio:
            before = json.loads(studio.fetch("/model/source")[2])
            self.assertEqual(before["source"], studio.source)
            self.assertEqual((before["file"], before["writable"]), ("d05_education.prejoin", True))
            studio.model("source", source="// mine\n" + studio.source, version=before["version"])
            self.assertEqual(studio.path.read_text(), "// mine\n" + studio.source)
            late = json.dumps({"source": "// late\n", "version": before["version"]}).encode()
            status, _, text = studio.fetch("/model/source", {"Content-Type": "application/json"}, late)
            self.assertEqual((status, json.loads(text)["error"]["code"]), (409, "FileChanged"))
            self.assertEqual(studio.path.read_text(), "// mine\n" + studio.source)
            self.assertEqual(os.listdir(studio.folder.name), ["d05_education.prejoin"])

    def test_tables_are_filled_once(self):
        with tempfile.TemporaryDirectory() as data:
            options = ["--model", str(MODELS / "d05_education.prejoin")]
            for expected in (b"table Education: created, 7 items\n", b"table Education: exists already\n"):
                server = ServerProcess(data, options).start()
                try:
                    lines = [server.process.stdout.readline() for _ in range(2)]
                    self.assertIn(expected, lines)
                finally:
                    server.stop()

    def test_a_model_with_errors_is_refused_before_anything_happens(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder) / "data"
            broken = MODELS / "broken/x05_not_unique.prejoin"
            ended = subprocess.run([binary(), "serve", "--port", "0", "--data", str(data), "--model", str(broken)],
                                   capture_output=True, text=True, timeout=20, check=False)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(f"{broken}:", ended.stderr)
            self.assertIn("the model has errors", ended.stderr)


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio("d05_education")
        status, _, cls.index = cls.studio.fetch("/studio/")
        if status == 404:
            cls.tearDownClass()
            raise unittest.SkipTest("built without the page (PREJOIN_STUDIO=OFF)")

    @classmethod
    def tearDownClass(cls):
        cls.studio.__exit__()

    def asset(self):
        at = self.index.index(b"/studio/assets/")
        return self.index[at:self.index.index(b'"', at)].decode()

    def test_index_is_html_that_nothing_can_be_injected_into(self):
        status, headers, body = self.studio.fetch("/studio/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(b"<title>", body)
        policy = headers["Content-Security-Policy"]
        for rule in ("default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"):
            self.assertIn(rule, policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Cache-Control"], "no-cache")

    def test_assets_are_compressed_and_kept_for_ever(self):
        _, plain_headers, plain = self.studio.fetch(self.asset())
        status, headers, packed = self.studio.fetch(self.asset(), {"Accept-Encoding": "gzip"})
        self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
        self.assertEqual(gzip.decompress(packed), plain)
        self.assertIsNone(plain_headers["Content-Encoding"])
        self.assertIn("immutable", headers["Cache-Control"])
        status, _, body = self.studio.fetch(self.asset(), {"If-None-Match": headers["ETag"]})
        self.assertEqual((status, body), (304, b""))

    def test_deep_links_are_the_page_and_missing_files_are_not(self):
        self.assertEqual(self.studio.fetch("/studio/model/A17?course=C1")[2], self.index)
        self.assertEqual(self.studio.fetch("/studio/assets/nothing.js")[0], 404)

    def test_browsers_are_sent_to_the_page_and_health_checks_are_not(self):
        status, headers, _ = self.studio.fetch("/", {"Accept": "text/html,*/*;q=0.8"})
        self.assertEqual((status, headers["Location"]), (302, "/studio/"))
        self.assertTrue(self.studio.fetch("/", {"Accept": "*/*"})[2].startswith(b"healthy"))
        status, headers, _ = self.studio.fetch("/studio")
        self.assertEqual((status, headers["Location"]), (302, "/studio/"))


if __name__ == "__main__":
    unittest.main()
