"""Code in the seeds' own styles: what it looks like, and for boto3's resources, the answers of two documents from a server."""

import ast
import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))
sys.path.insert(0, str(ROOT / "tests" / "gen"))

import boto3  # noqa: E402
import infra_test  # noqa: E402
import server_process  # noqa: E402

MODELS = ROOT / "examples/models"
EDUCATION = MODELS / "d05_education.prejoin"
SAAS = MODELS / "d08_saas_orgs.prejoin"
BILL = {"org": "MICROSOFT", "user": "BILLGATES"}


class StylesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        sys.path.insert(0, folder.name)
        self.addCleanup(sys.path.remove, folder.name)

    def served(self, model, name):
        """The package of a model, and a resource of a server that holds its sample."""
        infra_test.generate(model, "boto3", self.folder / name)
        server = server_process.ServerProcess()
        server.__enter__()
        self.addCleanup(server.__exit__, None, None, None)
        subprocess.run([server_process.binary(), "apply", str(model), "--endpoint", server.endpoint], check=True, stdout=subprocess.DEVNULL)
        return importlib.import_module(name), boto3.resource("dynamodb", endpoint_url=server.endpoint, **infra_test.IDENTITY)

    def test_education_answers(self):
        school, db = self.served(EDUCATION, "styled_school")
        self.assertEqual(school.a15(db, student="S1").name, "John Doe")
        self.assertIsNone(school.a15(db, student="S9"))
        self.assertEqual([(one.course_id, one.grade) for one in school.a16(db, student="S1")], [("C1", "A"), ("C2", "B+")])
        self.assertEqual([(one.student_id, one.grade) for one in school.a17(db, course="C1")], [("S1", "A"), ("S2", "A-")])
        page = school.a17_page(db, course="C1", limit=1)
        self.assertEqual([one.student_id for one in page.rows], ["S1"])
        page = school.a17_page(db, course="C1", cursor=page.cursor)
        self.assertEqual([one.student_id for one in page.rows], ["S2"])
        with self.assertRaises(school.InvalidKeyPart):
            school.a16(db, student="")

    def test_education_writes(self):
        school, db = self.served(EDUCATION, "styled_writes")
        taken = school.Enrollment(student_id="S1", course_id="C1", enrollment_date="2024-04-01T09:00:00")
        with self.assertRaises(school.AlreadyExists):
            school.enrol(db, taken)
        school.enrol(db, school.Enrollment(student_id="S2", course_id="C2", enrollment_date="2024-04-01T09:00:00"))
        school.set_grade(db, student_id="S2", course_id="C2", grade="A")
        self.assertEqual([(one.student_id, one.grade) for one in school.a17(db, course="C2")], [("S1", "B+"), ("S2", "A")])
        with self.assertRaises(school.NotFound):
            school.set_grade(db, student_id="S9", course_id="C2", grade="A")

    def test_saas_answers(self):
        saas, db = self.served(SAAS, "styled_saas")
        self.assertEqual(saas.a18(db, org="MICROSOFT").org_name, "Microsoft")
        both = saas.a19(db, org="MICROSOFT")
        self.assertEqual((both.org.org_name, [one.user for one in both.users]), ("Microsoft", ["BILLGATES", "SATYANADELLA"]))
        self.assertEqual([one.user_name for one in saas.a20(db, org="MICROSOFT")], ["Bill Gates", "Satya Nadella"])
        self.assertEqual(saas.a21(db, **BILL).user_name, "Bill Gates")
        self.assertEqual(saas.a22(db, ticket="1570952398-MQR0").user, "BILLGATES")
        newest = saas.a23(db, **BILL)
        self.assertEqual((newest.user.user_name, [one.ticket_id[-4:] for one in newest.tickets]), ("Bill Gates", ["MQR0", "JM14"]))
        with self.assertRaises(saas.InvalidKeyPart):
            saas.a23(db, org="MICROSOFT#USER", user="BILLGATES")

    def test_boto3_code_of_all_models_asks_tables(self):
        models = sorted(MODELS.glob("*.prejoin"))
        self.assertGreater(len(models), 40)
        queries = 0
        for model in models:
            infra_test.generate(model, "boto3", self.folder / model.stem)
            for path in sorted((self.folder / model.stem).glob("*.py")):
                ast.parse(path.read_text())
            text = (self.folder / model.stem / "patterns.py").read_text()
            queries += text.count("KeyConditionExpression=Key(")
            self.assertNotIn("ExpressionAttributeValues", text)
        self.assertGreater(queries, 100)

    def test_boto3_code_reads_as_the_seeds_write_it(self):
        infra_test.generate(EDUCATION, "boto3", self.folder / "school")
        text = re.sub(r"\s+", " ", (self.folder / "school/patterns.py").read_text())
        self.assertIn('KeyConditionExpression=Key("PK").eq(enrollment_pk(student)) & Key("SK").begins_with(enrollment_sk_prefix())', text)
        self.assertIn('ConditionExpression=Attr("PK").not_exists()', (self.folder / "school/writes.py").read_text())

    def test_go_structs_name_every_attribute_of_an_item(self):
        with server_process.ServerProcess() as server:
            for model in (EDUCATION, SAAS):
                infra_test.generate(model, "go-structs", self.folder / model.stem)
                subprocess.run([server_process.binary(), "apply", str(model), "--endpoint", server.endpoint], check=True, stdout=subprocess.DEVNULL)
            client = boto3.client("dynamodb", endpoint_url=server.endpoint, **infra_test.IDENTITY)
            seen = 0
            for table, stem in (("Education", EDUCATION.stem), ("Support", SAAS.stem)):
                text = (self.folder / stem / "entities.go").read_text()
                structs = {name: set(re.findall(r'`dynamodbav:"([^",]+)', body))
                           for name, body in re.findall(r"type Stored(\w+) struct \{\n(.*?)\n\}", text, re.S)}
                for item in client.scan(TableName=table)["Items"]:
                    seen += 1
                    self.assertTrue(any(set(item) <= names for names in structs.values()), (sorted(item), structs))
        self.assertGreater(seen, 10)


if __name__ == "__main__":
    os.environ.pop("AWS_PROFILE", None)
    unittest.main(warnings="ignore")  # boto3 leaves its sockets open.
