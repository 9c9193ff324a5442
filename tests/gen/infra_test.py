"""Generated infrastructure: the tables that each form describes are the model's, and policies name what a pattern needs."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))

import boto3  # noqa: E402
import server_process  # noqa: E402

MODELS = sorted((ROOT / "examples/models").glob("d0*.prejoin")) + sorted((ROOT / "examples/models").glob("[fp]*.prejoin"))
SCHOOL = ROOT / "examples/models/d04_students_and_courses.prejoin"
IDENTITY = {"region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}


def generate(model, target, folder):
    subprocess.run([server_process.binary(), "gen", str(model), "--to", target, "-o", str(folder)], check=True, stderr=subprocess.DEVNULL)
    return sorted(path for path in pathlib.Path(folder).iterdir() if path.is_file())


def described(client):
    """What makes tables equal, without times, sizes and identifiers."""
    tables = {}
    for name in client.list_tables()["TableNames"]:
        table = client.describe_table(TableName=name)["Table"]
        tables[name] = {"keys": table["KeySchema"], "types": sorted(map(str, table["AttributeDefinitions"])),
                        "billing": table["BillingModeSummary"]["BillingMode"]}
        for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
            tables[name][kind] = sorted(str((one["IndexName"], one["KeySchema"], one["Projection"]["ProjectionType"],
                                             sorted(one["Projection"].get("NonKeyAttributes", [])))) for one in table.get(kind, []))
    return tables


def applied(model):
    """The tables that `prejoin apply` makes of a model."""
    with server_process.ServerProcess() as server:
        subprocess.run([server_process.binary(), "apply", str(model), "--endpoint", server.endpoint], check=True,
                       stdout=subprocess.DEVNULL)
        return described(boto3.client("dynamodb", endpoint_url=server.endpoint, **IDENTITY))


class InfraTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_cloudformation_describes_the_tables_of_the_model(self):
        for model in MODELS:
            with self.subTest(model=model.name), server_process.ServerProcess() as server:
                template, = generate(model, "cloudformation", self.folder / model.stem)
                client = boto3.client("dynamodb", endpoint_url=server.endpoint, **IDENTITY)
                resources = json.loads(template.read_text())["Resources"]
                for resource in resources.values():
                    self.assertEqual(resource["Type"], "AWS::DynamoDB::Table")
                    properties = dict(resource["Properties"])
                    self.assertTrue(properties.pop("PointInTimeRecoverySpecification")["PointInTimeRecoveryEnabled"])
                    stream = properties.pop("StreamSpecification", None)
                    if stream:
                        properties["StreamSpecification"] = {"StreamEnabled": True, **stream}
                    client.create_table(**properties)
                tables = described(client)
                self.assertTrue(tables)
                self.assertEqual(tables, applied(model))

    def test_the_aws_cli_script_creates_the_tables_of_the_model(self):
        for name in ("d04_students_and_courses", "f03_optional_conditions"):
            model = ROOT / "examples/models" / (name + ".prejoin")
            script, = generate(model, "aws-cli", self.folder / name)
            with server_process.ServerProcess() as server:
                environment = {"PATH": "/usr/bin:/bin", "ENDPOINT": "--endpoint-url " + server.endpoint, "AWS_DEFAULT_REGION": "us-east-1",
                               "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}
                subprocess.run(["bash", str(script)], check=True, env=environment, stdout=subprocess.DEVNULL)
                tables = described(boto3.client("dynamodb", endpoint_url=server.endpoint, **IDENTITY))
            self.assertTrue(tables)
            self.assertEqual(tables, applied(model))

    def test_an_attribute_that_says_when_a_row_expires_is_the_tables_ttl(self):
        model = self.folder / "school.prejoin"
        model.write_text(SCHOOL.read_text().replace("  enrolledOn date\n", "  enrolledOn date\n  endsAt number optional\n  ttl endsAt\n", 1))
        template, = generate(model, "cloudformation", self.folder / "cloudformation")
        table, = json.loads(template.read_text())["Resources"].values()
        self.assertEqual(table["Properties"]["TimeToLiveSpecification"], {"AttributeName": "endsAt", "Enabled": True})
        for target, line in (("cdk", 'timeToLiveAttribute: "endsAt",'), ("terraform", 'attribute_name = "endsAt"'),
                             ("aws-cli", "Enabled=true,AttributeName=endsAt")):
            self.assertIn(line, generate(model, target, self.folder / target)[0].read_text())

    def test_terraform_and_cdk_name_every_key_and_index(self):
        """Whether the tables are the same says `make test-gen`, which has their libraries."""
        for model in MODELS:
            tables = applied(model) if model.name.startswith("d0") else {}
            for target in ("terraform", "cdk"):
                text = generate(model, target, self.folder / target / model.stem)[0].read_text()
                self.assertEqual(text.count("{"), text.count("}"))
                for name, table in tables.items():
                    self.assertIn(f'"{name}"', text)
                    for key in table["keys"]:
                        self.assertIn(f'"{key["AttributeName"]}"', text)

    def test_a_policy_allows_what_a_pattern_does_for_its_tenant_and_no_more(self):
        folder = self.folder / "iam"
        generate(ROOT / "examples/models/d08_saas_orgs.prejoin", "iam", folder)
        statement, = json.loads((folder / "read_a19.json").read_text())["Statement"]
        self.assertEqual(statement["Action"], ["dynamodb:Query"])
        self.assertEqual(statement["Resource"], "arn:aws:dynamodb:*:*:table/Support")
        self.assertEqual(statement["Condition"]["ForAllValues:StringLike"], {"dynamodb:LeadingKeys": ["ORG#${aws:PrincipalTag/tenant}"]})
        self.assertEqual(statement["Condition"]["Null"], {"dynamodb:LeadingKeys": "false"})
        tickets, = json.loads((folder / "read_a23.json").read_text())["Statement"]
        self.assertEqual(tickets["Resource"], "arn:aws:dynamodb:*:*:table/Support/index/GSI1")
        self.assertEqual(tickets["Condition"]["ForAllValues:StringLike"],
                         {"dynamodb:LeadingKeys": ["ORG#${aws:PrincipalTag/tenant}#USER#*"]})
        sign_up, = json.loads((folder / "write_sign_up.json").read_text())["Statement"]
        self.assertEqual(sign_up["Action"], ["dynamodb:PutItem"])


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # boto3 leaves its sockets open.
