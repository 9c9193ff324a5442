#!/usr/bin/python3
"""Ways past a policy that were open once, each through boto3 or a request of its own. PREJOIN_BINARY names the program."""

import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

import boto3
import botocore.auth
import botocore.awsrequest
import botocore.config
import botocore.credentials
import botocore.exceptions

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from server_process import ServerProcess, binary  # noqa: E402

ACCOUNT = "123456789012"
PLACE = f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:"
RESTORES = [f"dynamodb:{action}" for action in ("BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "UpdateItem")]
ITEM = {"p": {"S": "a"}, "open": {"S": "seen"}, "secret": {"S": "hidden"}}


def access(*arguments):
    return subprocess.run([binary(), "access", *arguments], capture_output=True, text=True)


def make_key(data, *arguments):
    done = access(*arguments, "--data", data, "--json")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    return made["AccessKeyId"], made["SecretAccessKey"]


def client(endpoint, key, service="dynamodb"):
    return boto3.client(
        service, endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id=key[0], aws_secret_access_key=key[1],
        aws_session_token=key[2] if len(key) > 2 else None,
        config=botocore.config.Config(retries={"max_attempts": 0}, connect_timeout=5, read_timeout=20))


def send(endpoint, key, operation, text):
    """A body as it is, which no client would write. Gives the status and the body of the answer."""
    request = botocore.awsrequest.AWSRequest(
        "POST", endpoint + "/", data=text.encode(),
        headers={"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"})
    botocore.auth.SigV4Auth(botocore.credentials.Credentials(*key), "dynamodb", "us-east-1").add_auth(request)
    try:
        with urllib.request.urlopen(urllib.request.Request(request.url, request.data, dict(request.headers)), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def statement(action, resource, effect="Allow", **more):
    return {"Effect": effect, "Action": action, "Resource": resource, **more}


def document(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


class PolicyCase(unittest.TestCase):
    options = []

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        data = os.path.join(cls.folder.name, "data")
        cls.admin = make_key(data, "init")
        cls.server = ServerProcess(data, ["--auth", "required", *cls.options]).start()
        cls.addClassCleanup(cls.server.stop)
        cls.root = client(cls.server.endpoint, cls.admin)
        cls.iam = client(cls.server.endpoint, cls.admin, "iam")
        cls.root.create_table(TableName="Prod", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
                              AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}])
        cls.root.update_continuous_backups(TableName="Prod", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def setUp(self):
        self.root.put_item(TableName="Prod", Item=ITEM)

    def user(self, *statements, tags=()):
        """A new user with that policy."""
        name = "u" + str(len(self.iam.list_users()["Users"]))
        self.iam.create_user(UserName=name)
        if tags:
            self.iam.tag_user(UserName=name, Tags=list(tags))
        self.iam.put_user_policy(UserName=name, PolicyName="p", PolicyDocument=document(*statements))
        made = self.iam.create_access_key(UserName=name)["AccessKey"]
        return made["AccessKeyId"], made["SecretAccessKey"]

    def of(self, key, service="dynamodb"):
        return client(self.server.endpoint, key, service)

    def refused(self, code, call, **options):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            call(**options)
        self.assertIn(caught.exception.response["Error"]["Code"], code if isinstance(code, tuple) else (code,), caught.exception)
        return caught.exception.response["Error"]["Message"]


class PolicyHolesTest(PolicyCase):
    def test_a_restore_is_checked_against_its_source_by_name_and_by_arn(self):
        key = self.user(statement("dynamodb:*", PLACE + "table/Copy*"))
        for source in ({"SourceTableArn": PLACE + "table/Prod"}, {"SourceTableName": "Prod"}):
            self.refused("AccessDeniedException", self.of(key).restore_table_to_point_in_time,
                         TargetTableName="Copy1", UseLatestRestorableTime=True, **source)

    def test_a_restore_needs_the_rights_to_fill_the_table(self):
        key = self.user(statement("dynamodb:RestoreTableToPointInTime", "*"))
        self.refused("AccessDeniedException", self.of(key).restore_table_to_point_in_time, SourceTableName="Prod",
                     TargetTableName="Copy2", UseLatestRestorableTime=True)

    def test_an_arn_with_a_tail_is_no_way_to_the_table(self):
        key = self.user(statement("dynamodb:*", PLACE + "table/Prod/*"))
        for tail in ("x", "index/x", "stream/2026-01-01T00:00:00.000"):
            arn = f"{PLACE}table/Prod/{tail}"
            denied = ("ValidationException", "AccessDeniedException")
            self.refused(denied, self.of(key).describe_table, TableName=arn)
            self.refused(denied, self.of(key).delete_table, TableName=arn)
            self.refused(denied, self.of(key).get_item, TableName=arn, Key={"p": {"S": "a"}})
        self.assertEqual(self.root.describe_table(TableName=PLACE + "table/Prod")["Table"]["TableStatus"], "ACTIVE")

    def test_a_batch_does_not_lose_a_table_that_it_names_twice(self):
        put = [{"PutRequest": {"Item": ITEM}}]
        both = json.dumps({"RequestItems": {"Prod": put, PLACE + "table/Prod": put}})
        status, answer = send(self.server.endpoint, self.admin, "BatchWriteItem", both)
        self.assertEqual((status, "twice" in answer), (400, True), answer)

    def test_arns_of_other_accounts_and_regions_are_refused(self):
        for arn in ("arn:aws:dynamodb:us-east-1:999999999999:table/Prod", f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/Prod"):
            self.refused(("AccessDeniedException", "ResourceNotFoundException", "ValidationException"),
                         self.root.get_item, TableName=arn, Key={"p": {"S": "a"}})
            self.refused(("AccessDeniedException", "ResourceNotFoundException", "ValidationException"),
                         self.root.describe_table, TableName=arn)

    def test_a_role_without_a_user_name_touches_nobody(self):
        self.user(statement("dynamodb:*", "*"))
        victim = self.user(statement("dynamodb:ListTables", "*"))
        trust = document({"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "sts:AssumeRole"})
        self.iam.create_role(RoleName="keys", AssumeRolePolicyDocument=trust)
        self.iam.put_role_policy(RoleName="keys", PolicyName="p", PolicyDocument=document(
            statement("iam:*", f"arn:aws:iam::{ACCOUNT}:user/")))
        made = client(self.server.endpoint, self.admin, "sts").assume_role(
            RoleArn=f"arn:aws:iam::{ACCOUNT}:role/keys", RoleSessionName="s1")["Credentials"]
        iam = self.of((made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"]), "iam")
        self.refused("ValidationError", iam.update_access_key, AccessKeyId=victim[0], Status="Inactive")
        self.refused("ValidationError", iam.delete_access_key, AccessKeyId=victim[0])
        self.refused("ValidationError", iam.list_access_keys)
        self.of(victim).list_tables()

    def test_attributes_are_shown_by_no_other_way(self):
        narrow = {"Condition": {
            "ForAllValues:StringEquals": {"dynamodb:Attributes": ["p", "open"]},
            "StringEqualsIfExists": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES", "dynamodb:ReturnValues": ["NONE", "UPDATED_NEW"]}}}
        actions = ["GetItem", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem", "PartiQLUpdate", "PartiQLDelete", "PartiQLSelect"]
        key = self.user(statement(["dynamodb:" + action for action in actions], PLACE + "table/Prod", **narrow))
        where = "WHERE p = 'a'"
        for text in (f"UPDATE Prod SET open = 'x' {where} RETURNING ALL OLD *", f"UPDATE Prod SET open = 'x' {where} RETURNING ALL NEW *",
                     f"DELETE FROM Prod {where} RETURNING ALL OLD *"):
            self.refused("AccessDeniedException", self.of(key).execute_statement, Statement=text)
        self.of(key).execute_statement(Statement=f"UPDATE Prod SET open = 'x' {where} RETURNING MODIFIED NEW *")
        check = {"ConditionCheck": {"TableName": "Prod", "Key": {"p": {"S": "a"}}, "ConditionExpression": "attribute_not_exists(p)",
                                    "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}
        self.refused("AccessDeniedException", self.of(key).transact_write_items, TransactItems=[check])
        body = '{"TableName":"Prod","Key":{"p":{"S":"a"}},%s}'
        for members in ('"ReturnValues":"ALL_OLD","ReturnValues":null', '"ReturnValues":null,"ReturnValues":"ALL_OLD"',
                        '"ReturnValues":"ALL_OLD","Retur\\u006eValues":"NONE"', '"Retur\\u006eValues":"NONE","ReturnValues":"ALL_OLD"'):
            status, answer = send(self.server.endpoint, key, "DeleteItem", body % members)
            self.assertEqual(status, 400, members)
            self.assertNotIn("hidden", answer)
        self.assertIn("secret", self.root.get_item(TableName="Prod", Key={"p": {"S": "a"}})["Item"])

    def test_a_deny_on_transactions_holds_for_one_that_cannot_be_planned(self):
        key = self.user(statement("*", "*"), statement("dynamodb:GetItem", "*", "Deny", Condition={
            "StringEquals": {"dynamodb:EnclosingOperation": "TransactGetItems"}}))
        for wrong in ({"TableName": "Prod", "Key": {"q": {"S": "1"}}}, {"TableName": "NoSuchTable", "Key": {"p": {"S": "1"}}}):
            self.refused("AccessDeniedException", self.of(key).transact_get_items, TransactItems=[{"Get": wrong}])

    def test_conditions_know_the_tags_of_a_request(self):
        only_team = {"Condition": {"ForAllValues:StringEquals": {"aws:TagKeys": ["team"]},
                                   "StringEquals": {"aws:RequestTag/team": "${aws:PrincipalTag/team}"}}}
        key = self.user(statement("dynamodb:TagResource", "*", **only_team), tags=[{"Key": "team", "Value": "green"}])
        tag = self.of(key).tag_resource
        arn = PLACE + "table/Prod"
        tag(ResourceArn=arn, Tags=[{"Key": "team", "Value": "green"}])
        self.refused("AccessDeniedException", tag, ResourceArn=arn, Tags=[{"Key": "team", "Value": "blue"}])
        self.refused("AccessDeniedException", tag, ResourceArn=arn, Tags=[{"Key": "team", "Value": "green"}, {"Key": "cost", "Value": "1"}])
        without = self.user(statement("dynamodb:TagResource", "*", Condition={"ForAllValues:StringEquals": {"aws:TagKeys": ["team"]}}))
        self.refused("AccessDeniedException", self.of(without).tag_resource, ResourceArn=arn, Tags=[{"Key": "cost", "Value": "1"}])

    def test_unknown_condition_keys_are_refused(self):
        self.iam.create_user(UserName="typo")
        for condition in ({"StringEqualsIfExists": {"dynamodb:LeadingKey": "a"}}, {"ForAllValues:StringEquals": {"aws:Usernme": "a"}}):
            message = self.refused("MalformedPolicyDocument", self.iam.put_user_policy, UserName="typo", PolicyName="p",
                                   PolicyDocument=document(statement("*", "*", Condition=condition)))
            self.assertIn("not a key that AWS documents", message)
        self.iam.delete_user(UserName="typo")

    def test_a_resource_policy_that_names_the_account_delegates(self):
        key = self.user(statement("dynamodb:ListTables", "*"))
        policy = json.dumps({"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "dynamodb:GetItem", "Resource": PLACE + "table/Prod"}]})
        # Debian's boto3 does not know these operations yet.
        table = {"ResourceArn": PLACE + "table/Prod"}
        put, _ = send(self.server.endpoint, self.admin, "PutResourcePolicy", json.dumps({**table, "Policy": policy}))
        self.assertEqual(put, 200)
        self.addCleanup(send, self.server.endpoint, self.admin, "DeleteResourcePolicy", json.dumps(table))
        self.refused("AccessDeniedException", self.of(key).get_item, TableName="Prod", Key={"p": {"S": "a"}})

    def test_a_new_tables_policy_and_tags_need_permissions_of_their_own(self):
        key = self.user(statement("dynamodb:CreateTable", "*"))
        table = {"BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
                 "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}]}
        self.refused("AccessDeniedException", self.of(key).create_table, TableName="Mine", Tags=[{"Key": "a", "Value": "b"}], **table)
        status, answer = send(self.server.endpoint, key, "CreateTable", json.dumps({"TableName": "Mine", "ResourcePolicy": document(
            {"Effect": "Allow", "Principal": "*", "Action": "dynamodb:*", "Resource": "*"}), **table}))
        self.assertEqual((status, "AccessDenied" in answer), (400, True), answer)
        self.of(key).create_table(TableName="Mine", **table)

    def test_everything_on_oneself_does_not_list_others(self):
        key = self.user(statement("iam:*", "arn:aws:iam::*:user/${aws:username}"))
        self.refused("AccessDenied", self.of(key, "iam").list_users)
        self.refused("AccessDenied", self.of(key, "iam").get_access_key_last_used, AccessKeyId=self.admin[0])
        self.of(key, "iam").list_access_keys()

    def test_a_deny_on_return_values_holds_for_statements_of_a_batch(self):
        key = self.user(statement("dynamodb:*", "*"), statement("dynamodb:*", "*", "Deny", Condition={"StringLike": {"dynamodb:ReturnValues": "ALL_*"}}))
        update = {"Statement": "UPDATE Prod SET v = 1 WHERE p = 'a' AND secret = 'x'"}
        shown = {**update, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        for asked, code in ((update, "ConditionalCheckFailed"), (shown, "AccessDenied")):
            status, answer = send(self.server.endpoint, key, "BatchExecuteStatement", json.dumps({"Statements": [asked]}))
            self.assertEqual(status, 200, answer)
            error = json.loads(answer)["Responses"][0]["Error"]
            self.assertEqual((error["Code"], "Item" in error), (code, False), answer)

    def test_an_index_that_cannot_be_one_tells_nothing_about_its_table(self):
        key = self.user(statement("dynamodb:GetItem", PLACE + "table/Other"))
        for table in ("Prod", "Nowhere"):
            for index in ("a/b", "a b", "x" * 300):
                self.refused("AccessDeniedException", self.of(key).execute_statement, Statement=f'SELECT * FROM "{table}"."{index}"')

    def test_a_page_needs_the_key_attributes_that_its_end_shows(self):
        def reader(*names):
            return self.of(self.user(statement("dynamodb:Scan", "*", Condition={"ForAllValues:StringEquals": {"dynamodb:Attributes": list(names)}})))

        self.root.put_item(TableName="Prod", Item={"p": {"S": "b"}})
        page = {"TableName": "Prod", "Select": "SPECIFIC_ATTRIBUTES", "ProjectionExpression": "#o", "ExpressionAttributeNames": {"#o": "open"}, "Limit": 1}
        self.refused("AccessDeniedException", reader("open").scan, **page)
        self.assertIn("p", reader("open", "p").scan(**page)["LastEvaluatedKey"])

    def test_list_tables_is_about_all_tables(self):
        for resource, is_denied in ((PLACE + "*", True), (PLACE + "table/*", True), (PLACE + "table/Prod", False)):
            key = self.user(statement("dynamodb:*", "*"), statement("dynamodb:ListTables", resource, "Deny"))
            if is_denied:
                self.refused("AccessDeniedException", self.of(key).list_tables)
            else:
                self.assertIn("Prod", self.of(key).list_tables()["TableNames"])

    def test_not_principal_spares_nobody_by_the_account_alone(self):
        key = self.user(statement("dynamodb:*", "*"))
        own = self.of(key, "sts").get_caller_identity()["Arn"]
        admin = self.of(self.admin, "sts").get_caller_identity()["Arn"]
        arn = {"ResourceArn": PLACE + "table/Prod"}

        def put(effect, names):
            policy = document({"Effect": effect, "NotPrincipal": {"AWS": names}, "Action": "dynamodb:GetItem", "Resource": PLACE + "table/Prod"})
            return send(self.server.endpoint, self.admin, "PutResourcePolicy", json.dumps({**arn, "Policy": policy}))[0]

        self.addCleanup(send, self.server.endpoint, self.admin, "DeleteResourcePolicy", json.dumps(arn))
        for names, is_denied in (([ACCOUNT, admin], True), ([own, admin], True), ([ACCOUNT, own, admin], False)):
            self.assertEqual(put("Deny", names), 200)
            if is_denied:
                self.refused("AccessDeniedException", self.of(key).get_item, TableName="Prod", Key={"p": {"S": "a"}})
            else:
                self.assertEqual(self.of(key).get_item(TableName="Prod", Key={"p": {"S": "a"}})["Item"], ITEM)
        self.assertEqual(put("Allow", [ACCOUNT]), 400)

    def test_not_equal_to_what_the_caller_lacks_allows_nothing(self):
        condition = {"StringNotEquals": {"dynamodb:Select": "${aws:PrincipalTag/hidden}"}}
        key = self.user(statement("dynamodb:Scan", "*", Condition=condition))
        self.refused("AccessDeniedException", self.of(key).scan, TableName="Prod")
        key = self.user(statement("dynamodb:Scan", "*", Condition=condition), tags=[{"Key": "hidden", "Value": "COUNT"}])
        self.assertTrue(self.of(key).scan(TableName="Prod")["Items"])

    def test_one_of_several_attributes_does_not_allow_the_others(self):
        key = self.user(statement("dynamodb:GetItem", "*", Condition={"StringEquals": {"dynamodb:Attributes": ["p", "open"]}}))
        read = {"TableName": "Prod", "Key": {"p": {"S": "a"}}}
        self.refused("AccessDeniedException", self.of(key).get_item, ProjectionExpression="p, secret", **read)
        self.assertTrue(self.of(key).get_item(ProjectionExpression="p", **read)["Item"])

    def test_a_table_can_be_made_by_its_arn(self):
        made = {"BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}]}
        key = self.user(statement(["dynamodb:CreateTable", "dynamodb:RestoreTableToPointInTime", *RESTORES], [PLACE + "table/Made*", PLACE + "table/Prod"]))
        done = self.of(key).create_table(TableName=PLACE + "table/Made1", **made)["TableDescription"]
        self.assertEqual((done["TableName"], done["TableArn"]), ("Made1", PLACE + "table/Made1"))
        self.refused("AccessDeniedException", self.of(key).create_table, TableName=PLACE + "table/Else", **made)
        for name, code in ((PLACE + "table/Made2/index/x", "ValidationException"), (PLACE + "table/M", "ValidationException"),
                           (f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/Made2", "ValidationException"),
                           ("arn:aws:dynamodb:us-east-1:999999999999:table/Made2", "AccessDeniedException")):
            self.refused(code, self.root.create_table, TableName=name, **made)
        # A restore takes plain names only.
        self.refused("ValidationException", self.of(key).restore_table_to_point_in_time, SourceTableName="Prod",
                     TargetTableName=PLACE + "table/Made3", UseLatestRestorableTime=True)
        self.assertEqual([name for name in self.root.list_tables()["TableNames"] if name.startswith(("Made", "Else"))], ["Made1"])

    def test_names_of_sessions_are_checked(self):
        trust = document({"Effect": "Allow", "Principal": {"AWS": ACCOUNT}, "Action": "sts:AssumeRole"})
        self.iam.create_role(RoleName="brief", AssumeRolePolicyDocument=trust)
        sts = boto3.client("sts", endpoint_url=self.server.endpoint, region_name="us-east-1", aws_access_key_id=self.admin[0],
                           aws_secret_access_key=self.admin[1], config=botocore.config.Config(parameter_validation=False))
        role = f"arn:aws:iam::{ACCOUNT}:role/brief"
        for options in ({"RoleSessionName": "a/b"}, {"RoleSessionName": "x"}, {"RoleSessionName": "ok", "DurationSeconds": 129600},
                        {"RoleSessionName": "ok", "DurationSeconds": 3601}):
            self.refused("ValidationError", sts.assume_role, RoleArn=role, **options)
        sts.assume_role(RoleArn=role, RoleSessionName="ok", DurationSeconds=3600)


class AccountPathsTest(PolicyCase):
    """The paths and APIs beside DynamoDB's."""

    options = ["--physics", "aws", "--clock", "virtual"]

    def path(self, key, method, path, body=None):
        request = botocore.awsrequest.AWSRequest(method, self.server.endpoint + path, data=body, headers={"Content-Type": "application/json"})
        if key:
            botocore.auth.SigV4Auth(botocore.credentials.Credentials(*key), "dynamodb", "us-east-1").add_auth(request)
        sent = urllib.request.Request(request.url, request.data, dict(request.headers), method=method)
        try:
            with urllib.request.urlopen(sent, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def test_each_operation_of_cloudwatch_is_an_action(self):
        metric = {"Namespace": "AWS/DynamoDB", "MetricName": "UserErrors"}
        times = {"StartTime": 1, "EndTime": 1_000}
        calls = {"ListMetrics": {}, "GetMetricStatistics": {**metric, **times, "Period": 60, "Statistics": ["Sum"]},
                 "GetMetricData": {**times, "MetricDataQueries": [{"Id": "a", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum"}}]}}
        names = {"ListMetrics": "list_metrics", "GetMetricStatistics": "get_metric_statistics", "GetMetricData": "get_metric_data"}
        for allowed in calls:
            key = self.user(statement(f"cloudwatch:{allowed}", "*"), statement("dynamodb:*", "*"))
            for operation, arguments in calls.items():
                call = getattr(self.of(key, "cloudwatch"), names[operation])
                if operation == allowed:
                    call(**arguments)
                else:
                    self.refused("AccessDenied", call, **arguments)
        key = self.user(statement("cloudwatch:*", "*"), statement("cloudwatch:ListMetrics", "*", "Deny"))
        self.refused("AccessDenied", self.of(key, "cloudwatch").list_metrics)

    def test_each_path_needs_an_action_and_a_signature(self):
        paths = {("GET", "/clock"): "clock", ("POST", "/clock"): "clock", ("GET", "/partitions"): "partitions", ("POST", "/faults"): "faults",
                 ("GET", "/insights"): "insights", ("GET", "/metrics"): "metrics", ("POST", "/model/check"): "model"}
        bodies = {"/clock": b'{"advance": 0}', "/faults": b"", "/model/check": b'{"source": ""}'}
        stranger = self.user(statement("dynamodb:*", "*"))
        for (method, path), action in paths.items():
            body = bodies.get(path) if method == "POST" else None
            self.assertEqual(self.path(None, method, path, body), 403, path)
            self.assertEqual(self.path(stranger, method, path, body), 403, path)
            self.assertEqual(self.path(self.user(statement(f"prejoin:{action}", "*")), method, path, body), 200, path)


class PrivateFilesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.data = os.path.join(self.folder.name, "data")
        self.admin = make_key(self.data, "init")

    def serve(self, *options):
        server = ServerProcess(self.data, ["--auth", "required", *options]).start()
        self.addCleanup(server.stop)
        return server

    def test_nobody_but_the_owner_reads_the_data(self):
        os.chmod(self.data, 0o755)  # As an earlier version left it.
        server = self.serve()
        client(server.endpoint, self.admin).create_table(
            TableName="Tab", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}])
        self.assertEqual(stat.S_IMODE(os.stat(self.data).st_mode), 0o700)
        names = os.listdir(self.data)
        self.assertGreater(len(names), 3)
        for name in names:
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.data, name)).st_mode) & 0o077, 0, name)

    def test_a_key_file_that_others_can_read_is_refused(self):
        for mode in (0o644, 0o640, 0o604):
            os.chmod(self.data + ".key", mode)
            done = access("user", "add", "ann", "--data", self.data)
            self.assertNotEqual(done.returncode, 0, oct(mode))
            self.assertIn("chmod 600 " + self.data + ".key", done.stderr)
        os.chmod(self.data + ".key", 0o600)
        self.assertEqual(access("user", "add", "ann", "--data", self.data).returncode, 0)

    def test_regions_are_not_apart_where_policies_decide(self):
        done = subprocess.run([binary(), "serve", "--data", self.data, "--auth", "required", "--separate-regions", "--port", "0"],
                              capture_output=True, text=True, timeout=20)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--auth off", done.stderr)

    # /dev/full takes no byte, as a full disk does.
    def test_requests_without_an_audit_line_are_refused_if_so_chosen(self):
        server = self.serve("--audit-log", "/dev/full", "--audit-failure", "refuse")
        status, answer = send(server.endpoint, self.admin, "ListTables", "{}")
        self.assertEqual(status, 503, answer)
        self.assertIn("--audit-failure count", answer)
        with self.assertRaises(botocore.exceptions.ClientError):
            client(server.endpoint, self.admin, "iam").create_user(UserName="unseen")
        server.stop()
        self.assertNotIn("unseen", access("user", "list", "--data", self.data).stdout)

    def test_lost_audit_lines_are_counted(self):
        server = self.serve("--audit-log", "/dev/full")
        for _ in range(3):
            self.assertEqual(send(server.endpoint, self.admin, "ListTables", "{}")[0], 200)
        request = botocore.awsrequest.AWSRequest("GET", server.endpoint + "/metrics")
        botocore.auth.SigV4Auth(botocore.credentials.Credentials(*self.admin), "dynamodb", "us-east-1").add_auth(request)
        with urllib.request.urlopen(urllib.request.Request(request.url, headers=dict(request.headers)), timeout=10) as answer:
            metrics = answer.read().decode()
        lost = [line for line in metrics.splitlines() if line.startswith("prejoin_audit_lines_lost ")]
        self.assertGreaterEqual(int(lost[0].split()[1]), 3, metrics)


if __name__ == "__main__":
    unittest.main()
