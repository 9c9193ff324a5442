#!/usr/bin/python3
"""Backups and point-in-time restore through boto3, across a kill -9 of the server."""

import datetime
import pathlib
import sys
import tempfile
import time
import unittest

import botocore.exceptions

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
sys.path.insert(0, str(HERE))
from boto3_test import connect  # noqa: E402
from server_process import ServerProcess  # noqa: E402

INDEX = {
    "IndexName": "by-colour",
    "KeySchema": [{"AttributeName": "colour", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}


class BackupTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.server = ServerProcess(self.directory.name).start()
        self.client = connect(self.server.endpoint)
        self.client.create_table(
            TableName="Things",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("id", "colour")],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            GlobalSecondaryIndexes=[INDEX],
            BillingMode="PAY_PER_REQUEST",
            Tags=[{"Key": "team", "Value": "a"}],
        )
        self.write(0, 120, "red")

    def tearDown(self):
        self.server.stop()
        self.directory.cleanup()

    def restart(self):
        self.server.kill()
        self.server = ServerProcess(self.directory.name).start()
        self.client = connect(self.server.endpoint)

    def write(self, first, end, colour):
        for at in range(first, end):
            self.client.put_item(TableName="Things", Item={"id": {"S": f"thing-{at:04}"}, "colour": {"S": colour}})

    def wait(self, table):
        self.client.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 0.1, "MaxAttempts": 300})
        return self.client.describe_table(TableName=table)["Table"]

    def colours(self, table, index=None):
        found = {}
        arguments = {"TableName": table} | ({"IndexName": index} if index else {})
        for page in self.client.get_paginator("scan").paginate(**arguments):
            for item in page["Items"]:
                found[item["id"]["S"]] = item["colour"]["S"]
        return found

    def assert_refused(self, name, call, **arguments):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            call(**arguments)
        self.assertEqual(caught.exception.response["Error"]["Code"], name)

    def test_backup_delete_and_restore(self):
        before = self.colours("Things")
        details = self.client.create_backup(TableName="Things", BackupName="nightly")["BackupDetails"]
        arn = details["BackupArn"]
        self.assertRegex(arn, r"^arn:aws:dynamodb:[a-z0-9-]+:\d{12}:table/Things/backup/0\d{13}-[0-9a-f]{8}$")
        self.write(60, 200, "blue")
        self.restart()
        described = self.client.describe_backup(BackupArn=arn)["BackupDescription"]
        self.assertEqual(described["BackupDetails"]["BackupStatus"], "AVAILABLE")
        self.assertEqual(described["SourceTableDetails"]["ItemCount"], 120)
        self.assertEqual(described["SourceTableFeatureDetails"]["GlobalSecondaryIndexes"][0]["IndexName"], "by-colour")
        listed = self.client.list_backups(TableName="Things")["BackupSummaries"]
        self.assertEqual([backup["BackupArn"] for backup in listed], [arn])
        self.client.delete_table(TableName="Things")

        answer = self.client.restore_table_from_backup(TargetTableName="Again", BackupArn=arn)
        self.assertEqual(answer["TableDescription"]["TableStatus"], "CREATING")
        self.assertTrue(answer["TableDescription"]["RestoreSummary"]["RestoreInProgress"])
        table = self.wait("Again")
        self.assertEqual(table["RestoreSummary"]["SourceBackupArn"], arn)
        self.assertEqual(self.colours("Again"), before)
        self.assertEqual(self.colours("Again", "by-colour"), before)
        self.assertEqual(self.client.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"], [])
        self.client.restore_table_from_backup(
            TargetTableName="Plain",
            BackupArn=arn,
            GlobalSecondaryIndexOverride=[],
            BillingModeOverride="PROVISIONED",
            ProvisionedThroughputOverride={"ReadCapacityUnits": 3, "WriteCapacityUnits": 4},
        )
        table = self.wait("Plain")
        self.assertNotIn("GlobalSecondaryIndexes", table)
        self.assertEqual(table["ProvisionedThroughput"]["WriteCapacityUnits"], 4)
        self.assert_refused(
            "TableAlreadyExistsException", self.client.restore_table_from_backup, TargetTableName="Plain", BackupArn=arn
        )
        deleted = self.client.delete_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"]
        self.assertEqual(deleted["BackupStatus"], "DELETED")
        self.assert_refused("BackupNotFoundException", self.client.describe_backup, BackupArn=arn)

    def test_restore_to_a_second(self):
        disabled = self.client.describe_continuous_backups(TableName="Things")["ContinuousBackupsDescription"]
        self.assertEqual(disabled["ContinuousBackupsStatus"], "ENABLED")
        self.assertEqual(disabled["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"], "DISABLED")
        self.assert_refused(
            "PointInTimeRecoveryUnavailableException",
            self.client.restore_table_to_point_in_time,
            SourceTableName="Things",
            TargetTableName="New",
            UseLatestRestorableTime=True,
        )
        enabled = self.client.update_continuous_backups(
            TableName="Things",
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
        )["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.assertEqual(enabled["PointInTimeRecoveryStatus"], "ENABLED")
        moments = []
        for colour in ("green", "blue", "white"):
            self.write(0, 50, colour)
            # Times are sent as whole seconds, so the moment is the next one.
            time.sleep(1.05 - time.time() % 1)
            moments.append((datetime.datetime.fromtimestamp(int(time.time()), datetime.timezone.utc), self.colours("Things")))
            time.sleep(0.05)
        self.restart()
        restore = self.client.restore_table_to_point_in_time
        for number, (moment, expected) in enumerate(moments):
            restore(SourceTableName="Things", TargetTableName=f"New{number}", RestoreDateTime=moment)
            self.assertEqual(self.wait(f"New{number}")["RestoreSummary"]["RestoreDateTime"], moment)
            self.assertEqual(self.colours(f"New{number}"), expected)
            self.assertEqual(self.colours(f"New{number}", "by-colour"), expected)
        self.assert_refused(
            "InvalidRestoreTimeException",
            restore,
            SourceTableName="Things",
            TargetTableName="Old",
            RestoreDateTime=moments[0][0] - datetime.timedelta(days=8),
        )
        arn = self.client.describe_table(TableName="Things")["Table"]["TableArn"]
        restore(SourceTableArn=arn, TargetTableName="Latest", UseLatestRestorableTime=True)
        self.wait("Latest")
        self.assertEqual(self.colours("Latest"), self.colours("Things"))
        # Deleted with recovery on: the service keeps a backup.
        self.client.delete_table(TableName="Things")
        kept = self.client.list_backups(BackupType="SYSTEM")["BackupSummaries"]
        self.assertEqual([backup["BackupName"] for backup in kept], ["Things$DeletedTableBackup"])
        self.assertIn("BackupExpiryDateTime", kept[0])

    def test_refusals(self):
        self.assert_refused("TableNotFoundException", self.client.create_backup, TableName="None", BackupName="abc")
        self.assert_refused("TableNotFoundException", self.client.describe_continuous_backups, TableName="None")
        with self.assertRaises(botocore.exceptions.ParamValidationError):
            self.client.create_backup(TableName="Things", BackupName="ab")
        self.assert_refused("ValidationException", self.client.create_backup, TableName="Things", BackupName="a b c")
        self.assert_refused("ValidationException", self.client.restore_table_to_point_in_time, TargetTableName="New1")


if __name__ == "__main__":
    unittest.main()
