#!/usr/bin/python3
"""Export and import through boto3 and the command line, with a directory for S3."""

import base64
import decimal
import gzip
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import boto3
import botocore.config
import botocore.exceptions

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from server_process import ServerProcess, binary  # noqa: E402

WAIT_SECONDS_MAX = 60

# The examples of AWS's page on the export format, plus a value of every type.
BOOKS = [
    {"Authors": {"SS": ["Author1", "Author2"]}, "Dimensions": {"S": "8.5 x 11.0 x 1.5"}, "ISBN": {"S": "333-3333333333"},
     "Id": {"N": "103"}, "InPublication": {"BOOL": False}, "PageCount": {"N": "600"}, "Price": {"N": "2000"},
     "ProductCategory": {"S": "Book"}, "Title": {"S": "Book 103 Title"}},
    {"Id": {"N": "205"}, "Brand": {"S": "Brand-Company B"}, "Color": {"SS": ["Blue", "Green", "Red"]}, "Sizes": {"NS": ["1", "2.5"]},
     "Gone": {"NULL": True}, "Picture": {"B": "AAECAw=="}, "Pictures": {"BS": ["AA==", "AQ=="]},
     "Nested": {"M": {"list": {"L": [{"S": "ü"}, {"N": "-1.5"}, {"M": {}}]}}}},
]
PRODUCTS = {
    "TableName": "ProductCatalog",
    "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def write_aws_export(folder, files):
    """An export as AWS writes it, by its documentation: `files` has the lines of each data file."""
    export = folder / "AWSDynamoDB" / "01693685827463-2d8752fd"
    (export / "data").mkdir(parents=True)
    (export / "_started").touch()
    manifest = ""
    for number, lines in enumerate(files):
        data = gzip.compress("".join(json.dumps({"Item": item}) + "\n" for item in lines).encode())
        name = f"asdl123dasas{number}.json.gz"
        (export / "data" / name).write_bytes(data)
        digest = hashlib.md5(data)
        manifest += json.dumps({"itemCount": len(lines), "md5Checksum": base64.b64encode(digest.digest()).decode(),
                                "etag": digest.hexdigest() + "-1",
                                "dataFileS3Key": f"AWSDynamoDB/01693685827463-2d8752fd/data/{name}"}) + "\n"
    (export / "manifest-files.json").write_text(manifest)
    (export / "manifest-files.md5").write_text(base64.b64encode(hashlib.md5(manifest.encode()).digest()).decode())
    (export / "manifest-summary.json").write_text(json.dumps({
        "version": "2020-06-30", "exportArn": "arn:aws:dynamodb:us-east-1:123456789012:table/ProductCatalog/export/01693685827463-2d8752fd",
        "itemCount": sum(map(len, files)), "outputFormat": "DYNAMODB_JSON", "exportType": "FULL_EXPORT"}))
    (export / "manifest-summary.md5").write_text("unchecked")
    return export


class TransferTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.directory.name)
        self.s3 = self.root / "s3"
        (self.s3 / "my-bucket").mkdir(parents=True)
        self.start()

    def start(self, s3=True):
        self.server = ServerProcess(self.root / "data", ["--s3", str(self.s3)] if s3 else [])
        self.server.start()
        self.client = boto3.client(
            "dynamodb", endpoint_url=self.server.endpoint, region_name="us-east-1", aws_access_key_id="test",
            aws_secret_access_key="test",
            config=botocore.config.Config(retries={"max_attempts": 0}, connect_timeout=5, read_timeout=30))

    def tearDown(self):
        self.client.close()
        self.server.stop()
        self.directory.cleanup()

    def import_table(self, prefix, table=PRODUCTS, **options):
        options.setdefault("InputFormat", "DYNAMODB_JSON")
        return self.client.import_table(S3BucketSource={"S3Bucket": "my-bucket", "S3KeyPrefix": prefix},
                                        TableCreationParameters=table, **options)["ImportTableDescription"]

    def finished(self, describe, arn, member, status):
        deadline = time.monotonic() + WAIT_SECONDS_MAX
        while time.monotonic() < deadline:
            description = describe(arn)[member]
            if description[status] != "IN_PROGRESS":
                return description
            time.sleep(0.05)
        self.fail(f"{arn} is still IN_PROGRESS")

    def finished_import(self, started):
        return self.finished(lambda arn: self.client.describe_import(ImportArn=arn), started["ImportArn"],
                             "ImportTableDescription", "ImportStatus")

    def finished_export(self, started):
        return self.finished(lambda arn: self.client.describe_export(ExportArn=arn), started["ExportArn"],
                             "ExportDescription", "ExportStatus")

    def scan(self, table):
        items, start = [], {}
        while True:
            page = self.client.scan(TableName=table, **start)
            items += page["Items"]
            if "LastEvaluatedKey" not in page:
                return sorted(map(normal, items), key=repr)
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def refused(self, code, text, call, **arguments):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            call(**arguments)
        error = caught.exception.response["Error"]
        self.assertEqual(error["Code"], code, error)
        self.assertIn(text, error["Message"])

    def run_cli(self, *arguments, code=0):
        done = subprocess.run([binary(), *map(str, arguments)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    # ---- ImportTable

    def test_imports_an_export_of_aws(self):
        write_aws_export(self.s3 / "my-bucket" / "2023", [[BOOKS[0]], [], [BOOKS[1]]])
        started = self.import_table("2023/AWSDynamoDB/01693685827463-2d8752fd/data/", InputCompressionType="GZIP")
        self.assertEqual(started["ImportStatus"], "IN_PROGRESS")
        self.assertEqual(started["TableArn"], "arn:aws:dynamodb:us-east-1:123456789012:table/ProductCatalog")
        done = self.finished_import(started)
        self.assertEqual(done["ImportStatus"], "COMPLETED", done)
        self.assertEqual((done["ProcessedItemCount"], done["ImportedItemCount"], done["ErrorCount"]), (2, 2, 0))
        self.assertEqual(done["TableCreationParameters"], PRODUCTS)
        self.assertEqual(done["InputCompressionType"], "GZIP")
        self.assertEqual(done["S3BucketSource"]["S3Bucket"], "my-bucket")
        self.assertGreater(done["ProcessedSizeBytes"], 100)
        self.assertEqual(self.scan("ProductCatalog"), sorted(map(from_wire, BOOKS), key=repr))
        listed = self.client.list_imports(TableArn=started["TableArn"])["ImportSummaryList"]
        self.assertEqual([entry["ImportArn"] for entry in listed], [started["ImportArn"]])
        self.assertEqual(listed[0]["InputFormat"], "DYNAMODB_JSON")

    def test_imports_csv_with_types_for_keys(self):
        table = {
            "TableName": "Songs",
            "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}, {"AttributeName": "Year", "AttributeType": "N"},
                                     {"AttributeName": "Label", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}, {"AttributeName": "Year", "KeyType": "RANGE"}],
            "GlobalSecondaryIndexes": [{"IndexName": "ByLabel", "KeySchema": [{"AttributeName": "Label", "KeyType": "HASH"}],
                                        "Projection": {"ProjectionType": "ALL"}}],
            "BillingMode": "PAY_PER_REQUEST",
        }
        (self.s3 / "my-bucket" / "songs.csv").write_text('Artist;Year;Label;Title\nAcme;1999;;"One; ""two"""\nAcme;2001.50;Blue;\n')
        done = self.finished_import(self.import_table("songs.csv", table, InputFormat="CSV",
                                                      InputFormatOptions={"Csv": {"Delimiter": ";"}}))
        self.assertEqual((done["ImportStatus"], done["ImportedItemCount"]), ("COMPLETED", 2), done)
        self.assertEqual(done["InputFormatOptions"], {"Csv": {"Delimiter": ";"}})
        self.assertEqual(self.scan("Songs"), sorted([
            {"Artist": "Acme", "Title": 'One; "two"', "Year": decimal.Decimal(1999)},
            {"Artist": "Acme", "Label": "Blue", "Title": "", "Year": decimal.Decimal("2001.5")}], key=repr))
        found = self.client.query(TableName="Songs", IndexName="ByLabel", KeyConditionExpression="Label = :l",
                                  ExpressionAttributeValues={":l": {"S": "Blue"}})
        self.assertEqual(found["Count"], 1)

    def test_counts_what_is_wrong_and_imports_the_rest(self):
        lines = [{"Item": {"Id": {"N": "1"}}}, {"Item": {"Other": {"N": "1"}}}, {"Item": {"Id": {"S": "text"}}}, {"Id": {"N": "2"}}]
        (self.s3 / "my-bucket" / "bad.json").write_text("\n".join(map(json.dumps, lines)) + '\nno json\n{"Item":{"Id":{"N":"3"}}}\n')
        (self.s3 / "my-bucket" / "bad.json.gz").write_text("not gzip")
        done = self.finished_import(self.import_table("bad.json"))
        self.assertEqual((done["ImportStatus"], done["FailureCode"]), ("FAILED", "ItemValidationError"), done)
        self.assertEqual((done["ProcessedItemCount"], done["ImportedItemCount"], done["ErrorCount"]), (7, 2, 5))
        self.assertTrue(done["FailureMessage"].startswith("Some of the items failed validation checks and were not imported."))
        self.assertEqual(len(self.scan("ProductCatalog")), 2)
        log = next(self.s3.glob("import-errors-*.log")).read_text()
        self.assertIn("bad.json:5: not an item: the line is not JSON", log)

    def test_refuses_imports(self):
        started = self.import_table("nothing/")
        self.assertEqual(self.finished_import(started)["ImportStatus"], "COMPLETED", "an empty prefix makes an empty table")
        self.refused("ResourceInUseException", "Table already exists: ProductCatalog", self.import_table, prefix="x")
        other = dict(PRODUCTS, TableName="Other")
        self.refused("ValidationException", "Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON.",
                     self.import_table, prefix="x", table=other, InputFormatOptions={"Csv": {"Delimiter": ";"}})
        self.refused("ValidationException", "ION", self.import_table, prefix="x", table=other, InputFormat="ION")
        self.refused("ImportNotFoundException", "Import not found", self.client.describe_import,
                     ImportArn=started["ImportArn"][:-1] + "z")
        self.refused("ValidationException", "Invalid Import ARN", self.client.describe_import, ImportArn=started["TableArn"] + "/" + "x" * 9)
        missing = self.client.import_table(S3BucketSource={"S3Bucket": "no-such-bucket"}, InputFormat="DYNAMODB_JSON",
                                           TableCreationParameters=other)["ImportTableDescription"]
        done = self.finished_import(missing)
        self.assertEqual((done["ImportStatus"], done["FailureCode"]), ("FAILED", "S3NoSuchBucket"))
        self.assertEqual(self.client.list_tables()["TableNames"], ["ProductCatalog"])

    def test_client_tokens_make_imports_idempotent(self):
        first = self.import_table("a/", ClientToken="token-1")
        self.assertEqual(self.import_table("a/", ClientToken="token-1")["ImportArn"], first["ImportArn"])
        self.refused("ImportConflictException", "Duplicate request detected with conflicting parameters", self.import_table,
                     prefix="b/", ClientToken="token-1")
        self.finished_import(first)

    def test_lists_imports_page_by_page(self):
        arns = []
        for number in range(3):
            started = self.import_table("x/", dict(PRODUCTS, TableName=f"Table{number}"))
            self.finished_import(started)
            arns.insert(0, started["ImportArn"])
        first = self.client.list_imports(PageSize=2)
        self.assertEqual([entry["ImportArn"] for entry in first["ImportSummaryList"]], arns[:2])
        second = self.client.list_imports(PageSize=2, NextToken=first["NextToken"])
        self.assertEqual([entry["ImportArn"] for entry in second["ImportSummaryList"]], arns[2:])
        self.assertNotIn("NextToken", second)

    def test_a_killed_server_says_that_the_import_failed(self):
        with open(self.s3 / "my-bucket" / "many.json", "w", encoding="utf-8") as file:
            for number in range(200_000):
                file.write('{"Item":{"Id":{"N":"%d"},"Text":{"S":"%s"}}}\n' % (number, "x" * 100))
        started = self.import_table("many.json")
        self.server.kill()
        self.start()
        done = self.client.describe_import(ImportArn=started["ImportArn"])["ImportTableDescription"]
        self.assertEqual((done["ImportStatus"], done["FailureCode"]), ("FAILED", "Interrupted"), done)
        self.assertIn("stopped before the import was done", done["FailureMessage"])

    def test_a_server_without_s3_says_so(self):
        self.server.stop()
        self.start(s3=False)
        self.refused("ValidationException", "--s3 DIR", self.import_table, prefix="x")
        self.assertEqual(self.client.list_imports()["ImportSummaryList"], [])

    # ---- ExportTableToPointInTime

    def enable_recovery(self, table):
        self.client.update_continuous_backups(TableName=table, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def test_exports_and_imports_through_the_api(self):
        before = self.load()
        arn = "arn:aws:dynamodb:us-east-1:123456789012:table/ProductCatalog"
        self.refused("PointInTimeRecoveryUnavailableException", "Point in time recovery is not enabled",
                     self.client.export_table_to_point_in_time, TableArn=arn, S3Bucket="my-bucket")
        self.enable_recovery("ProductCatalog")
        started = self.client.export_table_to_point_in_time(TableArn=arn, S3Bucket="my-bucket", S3Prefix="nightly")["ExportDescription"]
        self.client.put_item(TableName="ProductCatalog", Item={"Id": {"N": "1"}, "TooLate": {"BOOL": True}})
        done = self.finished_export(started)
        self.assertEqual((done["ExportStatus"], done["ItemCount"]), ("COMPLETED", len(before)), done)
        manifest = self.s3 / "my-bucket" / done["ExportManifest"]
        summary = json.loads(manifest.read_text())
        self.assertEqual((summary["itemCount"], summary["tableArn"]), (len(before), arn))
        files = [json.loads(line) for line in (self.s3 / "my-bucket" / summary["manifestFilesS3Key"]).read_text().splitlines()]
        for entry in files:
            data = (self.s3 / "my-bucket" / entry["dataFileS3Key"]).read_bytes()
            self.assertEqual(base64.b64encode(hashlib.md5(data).digest()).decode(), entry["md5Checksum"])
            self.assertEqual(len(gzip.decompress(data).splitlines()), entry["itemCount"])
        self.client.delete_table(TableName="ProductCatalog")
        imported = self.finished_import(self.import_table(done["ExportManifest"].rsplit("/", 1)[0] + "/data/", InputCompressionType="GZIP"))
        self.assertEqual(imported["ImportStatus"], "COMPLETED", imported)
        self.assertEqual(self.scan("ProductCatalog"), before)
        self.assertEqual(len(self.client.list_exports()["ExportSummaries"]), 1)

    # ---- The command line

    def load(self):
        self.client.create_table(**PRODUCTS)
        for item in BOOKS:
            self.client.put_item(TableName="ProductCatalog", Item=decoded(item))
        for number in range(1000, 1300):
            self.client.put_item(TableName="ProductCatalog", Item={"Id": {"N": str(number)}, "Text": {"S": "x" * 500}})
        return self.scan("ProductCatalog")

    def test_cli_exports_and_imports_over_http(self):
        before = self.load()
        out = self.run_cli("export", "ProductCatalog", "--to", self.root / "out", "--endpoint", self.server.endpoint)
        self.assertIn("302 items", out)
        self.client.delete_table(TableName="ProductCatalog")
        out = self.run_cli("import", self.root / "out", "--table", "ProductCatalog", "--endpoint", self.server.endpoint)
        self.assertIn("302 items imported", out)
        self.assertEqual(self.scan("ProductCatalog"), before)
        lines = self.root / "lines.jsonl.gz"
        self.run_cli("export", "ProductCatalog", "--as", "jsonl", "--to", lines, "--endpoint", self.server.endpoint)
        self.assertEqual(len(gzip.decompress(lines.read_bytes()).splitlines()), 302)
        self.run_cli("import", lines, "--table", "Copy", "--key", "Id:N", "--endpoint", self.server.endpoint)
        self.assertEqual(self.scan("Copy"), before)

    def test_cli_uses_a_data_directory(self):
        before = self.load()
        self.client.close()
        self.server.stop()
        data = self.root / "data"
        self.run_cli("export", "ProductCatalog", "--to", self.root / "out", "--data", data)
        self.run_cli("import", self.root / "out", "--table", "Again", "--data", data)
        (self.root / "one.csv").write_text("Id,Title\n7,Seven\n,nothing\n")
        out = self.run_cli("import", self.root / "one.csv", "--table", "Again", "--data", data, "--json", code=1)
        self.assertIn('{"table":"Again","imported":1,"refused":1}', out)
        self.start()
        self.assertEqual(self.scan("Again"), sorted(before + [{"Id": decimal.Decimal(7), "Title": "Seven"}], key=repr))

    def test_cli_loads_an_export_of_aws(self):
        write_aws_export(self.root / "aws", [BOOKS])
        self.run_cli("import", self.root / "aws", "--table", "Books", "--key", "Id:N", "--endpoint", self.server.endpoint)
        self.assertEqual(self.scan("Books"), sorted(map(from_wire, BOOKS), key=repr))

    def test_cli_applies_an_incremental_export_of_aws(self):
        self.client.create_table(**PRODUCTS)
        for number in (1, 2, 3):
            self.client.put_item(TableName="ProductCatalog", Item={"Id": {"N": str(number)}, "v": {"N": "1"}})
        export = self.root / "incr" / "AWSDynamoDB" / "01693685934212-ac809da5"
        export.mkdir(parents=True)
        data = export.parent / "data"
        data.mkdir()
        stamp = {"Metadata": {"WriteTimestampMicros": {"N": "1680109764000000"}}}
        lines = [
            {**stamp, "Keys": {"Id": {"N": "9"}}, "NewImage": {"Id": {"N": "9"}, "v": {"N": "1"}}},
            {**stamp, "Keys": {"Id": {"N": "2"}}, "OldImage": {"Id": {"N": "2"}, "v": {"N": "1"}}, "NewImage": {"Id": {"N": "2"}, "v": {"N": "2"}}},
            {**stamp, "Keys": {"Id": {"N": "3"}}, "OldImage": {"Id": {"N": "3"}, "v": {"N": "1"}}},
        ]
        (data / "mine.json.gz").write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
        (data / "of-another-export.json.gz").write_bytes(b"not to be read")
        (export / "manifest-files.json").write_text(json.dumps({"itemCount": 3, "dataFileS3Key": "incr/AWSDynamoDB/data/mine.json.gz"}) + "\n")
        (export / "manifest-summary.json").write_text(json.dumps({"version": "2023-08-01", "exportType": "INCREMENTAL_EXPORT"}))
        for where in (["--endpoint", self.server.endpoint], ["--data", self.root / "data"]):
            if where[0] == "--data":
                self.client.close()
                self.server.stop()
            self.run_cli("import", self.root / "incr", "--table", "ProductCatalog", *where)
            if where[0] == "--data":
                self.start()
            self.assertEqual([(item["Id"], item["v"]) for item in self.scan("ProductCatalog")], [(1, 1), (2, 2), (9, 1)])

    def test_cli_refuses(self):
        self.assertIn("there is no table Nothing", self.run_cli("export", "Nothing", "--to", self.root / "out", "--endpoint",
                                                               self.server.endpoint, code=1))
        self.assertIn("no such file", self.run_cli("import", self.root / "none", "--table", "T", "--endpoint", self.server.endpoint, code=2))
        (self.root / "one.jsonl").write_text('{"Id":{"N":"1"}}\n')
        self.assertIn("--key", self.run_cli("import", self.root / "one.jsonl", "--table", "T99", "--endpoint", self.server.endpoint, code=2))
        self.assertIn("NAME:S", self.run_cli("import", self.root / "one.jsonl", "--table", "T99", "--key", "Id:X", "--endpoint",
                                             self.server.endpoint, code=2))


def from_wire(item):
    """DynamoDB JSON as it stands in files, as plain Python: binary in base64."""
    return normal(decoded(item))


def decoded(value):
    if isinstance(value, dict) and list(value) == ["B"]:
        return {"B": base64.b64decode(value["B"])}
    if isinstance(value, dict) and list(value) == ["BS"]:
        return {"BS": [base64.b64decode(member) for member in value["BS"]]}
    if isinstance(value, dict):
        return {key: decoded(member) for key, member in value.items()}
    if isinstance(value, list):
        return [decoded(member) for member in value]
    return value


def plain(value):
    (kind, inner), = value.items()
    if kind == "N":
        return decimal.Decimal(inner).normalize()
    if kind in ("SS", "BS"):
        return kind, sorted(inner)
    if kind == "NS":
        return kind, sorted(decimal.Decimal(number).normalize() for number in inner)
    if kind == "L":
        return [plain(element) for element in inner]
    if kind == "M":
        return normal(inner)
    return None if kind == "NULL" else inner


def normal(item):
    """A boto3 item as plain Python; equal items are equal."""
    return {name: plain(value) for name, value in sorted(item.items())}


if __name__ == "__main__":
    unittest.main(verbosity=2)
