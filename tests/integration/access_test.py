#!/usr/bin/python3
"""Access control through boto3: keys, policies, tenants, sessions, revocation, and what the command line does. PREJOIN_BINARY names the program."""

import datetime
import gzip
import json
import os
import pathlib
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

TABLE = "Orders"
ARN = f"arn:aws:dynamodb:us-east-1:123456789012:table/{TABLE}"
ITEM_ACTIONS = [
    "dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:UpdateItem",
    "dynamodb:DeleteItem", "dynamodb:BatchWriteItem", "dynamodb:ConditionCheckItem", "dynamodb:PartiQLSelect",
    "dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate", "dynamodb:PartiQLDelete",
]
# The pattern of AWS's guide: a tenant's own partition keys, in the table and in its index, and no scans.
TENANT_POLICY = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Sid": "OwnRows", "Effect": "Allow", "Action": ITEM_ACTIONS, "Resource": [ARN, ARN + "/index/*"],
            "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}},
        },
        {
            "Sid": "NoScan", "Effect": "Deny", "Action": ["dynamodb:PartiQLSelect"], "Resource": "*",
            "Condition": {"Bool": {"dynamodb:FullTableScan": "true"}},
        },
    ],
}


def access(*arguments):
    done = subprocess.run([binary(), "access", *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def client(endpoint, key, service="dynamodb", region="us-east-1"):
    return boto3.client(
        service, endpoint_url=endpoint, region_name=region, aws_access_key_id=key[0], aws_secret_access_key=key[1],
        aws_session_token=key[2] if len(key) > 2 else None,
        config=botocore.config.Config(retries={"max_attempts": 0}, connect_timeout=5, read_timeout=20),
    )


def ask(endpoint, key, operation, body):
    """A request with parameters that this machine's boto3 may not know yet."""
    request = botocore.awsrequest.AWSRequest(
        "POST", endpoint + "/", data=json.dumps(body).encode(),
        headers={"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"})
    botocore.auth.SigV4Auth(botocore.credentials.Credentials(*key), "dynamodb", "us-east-1").add_auth(request)
    try:
        with urllib.request.urlopen(urllib.request.Request(request.url, request.data, dict(request.headers)), timeout=10) as answer:
            return json.loads(answer.read() or "{}")
    except urllib.error.HTTPError as error:
        with error:
            answer = json.loads(error.read())
        code = answer["__type"].split("#")[1]
        message = answer.get("message", answer.get("Message", ""))
        raise botocore.exceptions.ClientError({"Error": {"Code": code, "Message": message}}, operation) from None


def row(tenant, number):
    return {"tenant": {"S": tenant}, "nr": {"S": f"{number}"}, "holder": {"S": tenant}, "eur": {"N": "1"}, "memo": {"S": f"of {tenant}"}}


class AccessTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.data = os.path.join(cls.folder.name, "data")
        cls.admin = cls.make_key("init")
        for tenant in ("green", "blue"):
            assert access("user", "add", tenant, "--data", cls.data)[0] == 0
        policy = os.path.join(cls.folder.name, "tenant.json")
        pathlib.Path(policy).write_text(json.dumps(TENANT_POLICY))
        for tenant in ("green", "blue"):
            code, _, errors = access("policy", "set", "tenant", policy, "--user", tenant, "--data", cls.data)
            assert code == 0, errors
        cls.green = cls.make_key("key", "add", "green")
        cls.blue = cls.make_key("key", "add", "blue")
        cls.audit = os.path.join(cls.folder.name, "audit.log")
        cls.server = ServerProcess(cls.data, ["--auth", "required", "--audit-log", cls.audit]).start()
        cls.addClassCleanup(cls.server.stop)
        cls.root = client(cls.server.endpoint, cls.admin)
        cls.root.create_table(
            TableName=TABLE, BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "tenant", "KeyType": "HASH"}, {"AttributeName": "nr", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("tenant", "nr", "holder")],
            GlobalSecondaryIndexes=[
                {"IndexName": "ByOwner", "KeySchema": [{"AttributeName": "holder", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
            ],
        )
        cls.root.create_table(TableName="Elsewhere", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "a", "KeyType": "HASH"}],
                              AttributeDefinitions=[{"AttributeName": "a", "AttributeType": "S"}])
        for tenant in ("green", "blue"):
            for number in range(3):
                cls.root.put_item(TableName=TABLE, Item=row(tenant, number))

    @classmethod
    def make_key(cls, *arguments):
        code, output, errors = access(*arguments, "--data", cls.data, "--json")
        assert code == 0, errors
        made = json.loads(output)
        return made["AccessKeyId"], made["SecretAccessKey"]

    def of(self, key, **options):
        return client(self.server.endpoint, key, **options)

    def refused(self, code, call, *arguments, text=None, **options):
        with self.assertRaises(botocore.exceptions.ClientError) as caught:
            call(*arguments, **options)
        error = caught.exception.response["Error"]
        self.assertEqual(error["Code"], code, error)
        if text is not None:
            self.assertIn(text, error["Message"])
        return error["Message"]

    # ---- Signatures

    def test_wrong_credentials_are_refused_as_aws_does(self):
        self.refused("UnrecognizedClientException", self.of(("AKIAUNKNOWN", "x")).list_tables,
                     text="The security token included in the request is invalid.")
        self.refused("InvalidSignatureException", self.of((self.admin[0], "wrong")).list_tables,
                     text="The request signature we calculated does not match")
        self.refused("InvalidSignatureException", self.of(self.admin, region="eu-west-1").list_tables,
                     text="Credential should be scoped to a valid region.")

    def send(self, change=lambda request: None, sent_body=None, minutes=0, headers=None):
        """A signed ListTables that `change` then alters."""
        body = b"{}"
        request = botocore.awsrequest.AWSRequest(
            "POST", self.server.endpoint + "/", data=body,
            headers={"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0", **(headers or {})})
        if headers and headers.get("Content-Encoding") == "gzip":
            request.data = gzip.compress(body)
        signer = botocore.auth.SigV4Auth(botocore.credentials.Credentials(*self.admin), "dynamodb", "us-east-1")
        real = botocore.auth.get_current_datetime if hasattr(botocore.auth, "get_current_datetime") else None
        moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)
        if real is not None:
            botocore.auth.get_current_datetime = lambda remove_tzinfo=True: moment.replace(tzinfo=None)
        else:
            class Moved(datetime.datetime):
                @classmethod
                def utcnow(cls):
                    return moment.replace(tzinfo=None)
            module, botocore.auth.datetime = botocore.auth.datetime, type("m", (), {"datetime": Moved})
        try:
            signer.add_auth(request)
        finally:
            if real is not None:
                botocore.auth.get_current_datetime = real
            else:
                botocore.auth.datetime = module
        change(request)
        prepared = urllib.request.Request(request.url, data=sent_body or request.data, headers=dict(request.headers), method="POST")
        try:
            with urllib.request.urlopen(prepared, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def test_altered_requests_are_refused(self):
        self.assertEqual(self.send()[0], 200)
        self.assertEqual(self.send(headers={"Content-Encoding": "gzip"})[0], 200)
        status, body = self.send(sent_body=b"{ }")
        self.assertEqual(status, 400)
        self.assertIn("InvalidSignatureException", body)

        def retarget(request):
            request.headers.replace_header("X-Amz-Target", "DynamoDB_20120810.DescribeLimits")

        self.assertIn("InvalidSignatureException", self.send(retarget)[1])

        def requery(request):
            request.url += "?a=b"

        self.assertIn("InvalidSignatureException", self.send(requery)[1])

    def test_old_and_future_requests_are_refused(self):
        self.assertEqual(self.send(minutes=-4)[0], 200)
        self.assertIn("Signature expired: ", self.send(minutes=-6)[1])
        self.assertIn("Signature not yet current: ", self.send(minutes=6)[1])

    # ---- Tenants

    def test_a_tenant_sees_its_own_rows(self):
        green = self.of(self.green)
        self.assertEqual(green.get_item(TableName=TABLE, Key={"tenant": {"S": "green"}, "nr": {"S": "1"}})["Item"]["memo"]["S"], "of green")
        self.assertEqual(green.query(TableName=TABLE, KeyConditionExpression="tenant = :t", ExpressionAttributeValues={":t": {"S": "green"}})["Count"], 3)
        self.assertEqual(
            green.query(TableName=TABLE, IndexName="ByOwner", KeyConditionExpression="holder = :t",
                        ExpressionAttributeValues={":t": {"S": "green"}})["Count"], 3)
        self.assertEqual(len(green.execute_statement(Statement=f"SELECT * FROM {TABLE} WHERE tenant = 'green'")["Items"]), 3)
        green.transact_write_items(TransactItems=[{"Put": {"TableName": TABLE, "Item": row("green", 7)}}])
        green.batch_write_item(RequestItems={TABLE: [{"DeleteRequest": {"Key": {"tenant": {"S": "green"}, "nr": {"S": "7"}}}}]})

    def ask_green(self, operation, **body):
        return ask(self.server.endpoint, self.green, operation, body)

    def other_tenants_requests(self, green, blue_key, blue_item):
        """Every way to another tenant's rows; each must be refused."""
        t = {":t": {"S": "blue"}}
        own = {"tenant": {"S": "green"}, "nr": {"S": "1"}}
        yield green.get_item, dict(TableName=TABLE, Key=blue_key)
        yield green.get_item, dict(TableName=ARN, Key=blue_key, ProjectionExpression="eur", ReturnConsumedCapacity="TOTAL")
        yield green.query, dict(TableName=TABLE, KeyConditionExpression="tenant = :t", ExpressionAttributeValues=t)
        yield green.query, dict(TableName=TABLE, KeyConditionExpression="tenant = :t", ExpressionAttributeValues=t, Select="COUNT")
        yield green.query, dict(TableName=TABLE, IndexName="ByOwner", KeyConditionExpression="holder = :t",
                                ExpressionAttributeValues=t)
        yield green.scan, dict(TableName=TABLE)
        yield green.scan, dict(TableName=TABLE, IndexName="ByOwner")
        yield green.batch_get_item, dict(RequestItems={TABLE: {"Keys": [own, blue_key]}})
        yield green.transact_get_items, dict(TransactItems=[{"Get": {"TableName": TABLE, "Key": own}}, {"Get": {"TableName": TABLE, "Key": blue_key}}])
        yield green.put_item, dict(TableName=TABLE, Item=blue_item)
        yield self.ask_green, dict(operation="PutItem", TableName=TABLE, Item=blue_item, ConditionExpression="attribute_not_exists(tenant)",
                                   ReturnValuesOnConditionCheckFailure="ALL_OLD")
        yield green.update_item, dict(TableName=TABLE, Key=blue_key, ReturnValues="ALL_NEW")
        yield green.delete_item, dict(TableName=TABLE, Key=blue_key, ReturnValues="ALL_OLD")
        yield green.batch_write_item, dict(RequestItems={TABLE: [{"PutRequest": {"Item": row("green", 8)}}, {"DeleteRequest": {"Key": blue_key}}]})
        yield green.transact_write_items, dict(TransactItems=[
            {"Put": {"TableName": TABLE, "Item": row("green", 8)}},
            {"ConditionCheck": {"TableName": TABLE, "Key": blue_key, "ConditionExpression": "attribute_exists(memo)",
                                "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}])
        for statement in (f"SELECT * FROM {TABLE}", f"SELECT * FROM {TABLE} WHERE tenant = 'blue'",
                          f"SELECT * FROM {TABLE} WHERE tenant IN ['green', 'blue']", f"SELECT * FROM {TABLE} WHERE memo = 'of blue'",
                          f"SELECT * FROM {TABLE} WHERE tenant = 'green' OR tenant = 'blue'",
                          f"SELECT * FROM {TABLE}.ByOwner WHERE holder = 'blue'",
                          f"UPDATE {TABLE} SET eur = 2 WHERE tenant = 'blue' AND nr = '{blue_key['nr']['S']}' RETURNING ALL OLD *",
                          f"DELETE FROM {TABLE} WHERE tenant = 'blue' AND nr = '{blue_key['nr']['S']}' RETURNING ALL OLD *",
                          f"INSERT INTO {TABLE} VALUE {{'tenant': 'blue', 'nr': '{blue_key['nr']['S']}'}}"):
            yield green.execute_statement, dict(Statement=statement)
        yield green.execute_transaction, dict(TransactStatements=[{"Statement": f"EXISTS(SELECT * FROM {TABLE} WHERE tenant = 'blue' AND nr = '1' AND memo = 'x')"}])

    def test_no_request_reaches_another_tenant(self):
        green = self.of(self.green)
        before = self.root.scan(TableName=TABLE)["Items"]
        answers = []
        # Once for a row that is there, once for one that is not: the answers may not differ.
        for number in ("1", "no such row"):
            key = {"tenant": {"S": "blue"}, "nr": {"S": number}}
            item = {**row("blue", 0), **key}
            answers.append([self.refused("AccessDeniedException", call, **arguments)
                            for call, arguments in self.other_tenants_requests(green, key, item)])
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(len(answers[0]), 25)
        key = lambda item: (item["tenant"]["S"], item["nr"]["S"])  # noqa: E731
        self.assertEqual(sorted(before, key=key), sorted(self.root.scan(TableName=TABLE)["Items"], key=key))

    def test_batch_statements_are_refused_one_by_one(self):
        answer = self.of(self.green).batch_execute_statement(Statements=[
            {"Statement": f"SELECT * FROM {TABLE} WHERE tenant = 'green' AND nr = '1'"},
            {"Statement": f"SELECT * FROM {TABLE} WHERE tenant = 'blue' AND nr = '1'"},
            {"Statement": "SELECT * FROM Elsewhere WHERE a = 'blue'"}])["Responses"]
        self.assertEqual(answer[0]["Item"]["memo"]["S"], "of green")
        for refused in answer[1:]:
            self.assertEqual(refused["Error"]["Code"], "AccessDenied", refused)
            self.assertNotIn("Item", refused)

    def test_start_keys_of_others_are_refused(self):
        start = {"tenant": {"S": "blue"}, "nr": {"S": "0"}}
        self.refused("ValidationException", self.of(self.green).query, TableName=TABLE, KeyConditionExpression="tenant = :t",
                     ExpressionAttributeValues={":t": {"S": "green"}}, ExclusiveStartKey=start)

    def test_tables_are_not_revealed(self):
        green = self.of(self.green)
        for table in ("Elsewhere", "Nowhere"):
            self.refused("AccessDeniedException", green.describe_table, TableName=table,
                         text=f"is not authorized to perform: dynamodb:DescribeTable on resource: arn:aws:dynamodb:us-east-1:123456789012:table/{table}")
            self.refused("AccessDeniedException", green.get_item, TableName=table, Key={"a": {"S": "x"}})
            self.refused("AccessDeniedException", green.execute_statement, Statement=f"SELECT * FROM {table} WHERE a = 'x'")
        for call, arguments in ((green.list_tables, {}), (green.delete_table, {"TableName": TABLE})):
            self.refused("AccessDeniedException", call, text="because no identity-based policy allows the", **arguments)
        self.refused("AccessDeniedException", self.of(self.green, service="dynamodbstreams").list_streams)

    # ---- Sessions and administration

    def test_sessions(self):
        sts = self.of(self.green, service="sts")
        self.assertEqual(sts.get_caller_identity()["Arn"], "arn:aws:iam::123456789012:user/green")
        made = sts.get_session_token()["Credentials"]
        session = (made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"])
        green = self.of(session)
        self.assertEqual(green.query(TableName=TABLE, KeyConditionExpression="tenant = :t", ExpressionAttributeValues={":t": {"S": "green"}})["Count"], 3)
        self.refused("AccessDeniedException", green.scan, TableName=TABLE)
        self.refused("UnrecognizedClientException", self.of((session[0], session[1], session[2][:-8] + "AAAAAAA=")).list_tables)
        self.refused("InvalidSignatureException", self.of((session[0], "x", session[2])).list_tables)
        self.refused("UnrecognizedClientException", self.of((session[0], session[1])).list_tables)

    def test_roles(self):
        iam = self.of(self.admin, service="iam")
        trust = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole",
                                                          "Principal": {"AWS": "arn:aws:iam::123456789012:user/green"}}]}
        iam.create_role(RoleName="reader", AssumeRolePolicyDocument=json.dumps(trust))
        iam.put_role_policy(RoleName="reader", PolicyName="read", PolicyDocument=json.dumps({
            "Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:Scan"], "Resource": ARN}]}))
        role = "arn:aws:iam::123456789012:role/reader"
        self.refused("AccessDenied", self.of(self.blue, service="sts").assume_role, RoleArn=role, RoleSessionName="s0")
        made = self.of(self.green, service="sts").assume_role(
            RoleArn=role, RoleSessionName="s1",
            Policy=json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "dynamodb:Scan", "Resource": "*"}]}))
        self.assertEqual(made["AssumedRoleUser"]["Arn"], "arn:aws:sts::123456789012:assumed-role/reader/s1")
        session = self.of(tuple(made["Credentials"][name] for name in ("AccessKeyId", "SecretAccessKey", "SessionToken")))
        self.assertGreater(session.scan(TableName=TABLE)["Count"], 3)
        self.refused("AccessDeniedException", session.get_item, TableName=TABLE, Key={"tenant": {"S": "blue"}, "nr": {"S": "1"}},
                     text="because no session policy allows the dynamodb:GetItem action")
        iam.delete_role(RoleName="reader")
        self.refused("UnrecognizedClientException", session.scan, TableName=TABLE)

    def test_tags_say_which_tenant_a_role_or_user_acts_for(self):
        iam = self.of(self.admin, service="iam")
        tenants = json.dumps(TENANT_POLICY).replace("${aws:username}", "${aws:PrincipalTag/tenant}")
        trust = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sts:AssumeRole", "sts:TagSession"],
                                                          "Principal": {"AWS": "arn:aws:iam::123456789012:user/admin"}}]}
        iam.create_role(RoleName="tenant", AssumeRolePolicyDocument=json.dumps(trust))
        iam.put_role_policy(RoleName="tenant", PolicyName="own", PolicyDocument=tenants)
        role = "arn:aws:iam::123456789012:role/tenant"
        sts = self.of(self.admin, service="sts")

        def count(key, tenant):
            return self.of(key).query(TableName=TABLE, KeyConditionExpression="tenant = :t", ExpressionAttributeValues={":t": {"S": tenant}})["Count"]

        def session(**options):
            made = sts.assume_role(RoleArn=role, RoleSessionName="some", **options)["Credentials"]
            return made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"]

        blue = session(Tags=[{"Key": "tenant", "Value": "blue"}])
        self.assertEqual(count(blue, "blue"), 3)
        self.refused("AccessDeniedException", count, blue, "green")
        self.refused("AccessDeniedException", count, session(), "blue")
        # A role's own tag holds where the session brings none.
        iam.tag_role(RoleName="tenant", Tags=[{"Key": "tenant", "Value": "green"}])
        self.assertEqual(count(session(), "green"), 3)
        self.refused("AccessDeniedException", count, blue, "green")
        # Tags are a right of their own.
        trust["Statement"][0]["Action"] = "sts:AssumeRole"
        iam.update_assume_role_policy(RoleName="tenant", PolicyDocument=json.dumps(trust))
        self.refused("AccessDenied", session, Tags=[{"Key": "tenant", "Value": "blue"}], text="sts:TagSession")
        iam.delete_role(RoleName="tenant")
        iam.create_user(UserName="tagged")
        iam.put_user_policy(UserName="tagged", PolicyName="own", PolicyDocument=tenants)
        made = iam.create_access_key(UserName="tagged")["AccessKey"]
        tagged = (made["AccessKeyId"], made["SecretAccessKey"])
        self.refused("AccessDeniedException", count, tagged, "blue")
        iam.tag_user(UserName="tagged", Tags=[{"Key": "tenant", "Value": "blue"}])
        self.assertEqual(count(tagged, "blue"), 3)
        iam.delete_user(UserName="tagged")

    def test_revocation_is_immediate(self):
        iam = self.of(self.admin, service="iam")
        iam.create_user(UserName="temp")
        iam.put_user_policy(UserName="temp", PolicyName="all", PolicyDocument=json.dumps({
            "Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*"}]}))
        made = iam.create_access_key(UserName="temp")["AccessKey"]
        temp = self.of((made["AccessKeyId"], made["SecretAccessKey"]))
        temp.list_tables()
        iam.delete_user_policy(UserName="temp", PolicyName="all")
        self.refused("AccessDeniedException", temp.list_tables)
        iam.update_access_key(UserName="temp", AccessKeyId=made["AccessKeyId"], Status="Inactive")
        self.refused("UnrecognizedClientException", temp.list_tables)
        iam.update_access_key(UserName="temp", AccessKeyId=made["AccessKeyId"], Status="Active")
        self.refused("AccessDeniedException", temp.list_tables)
        iam.delete_access_key(UserName="temp", AccessKeyId=made["AccessKeyId"])
        self.refused("UnrecognizedClientException", temp.list_tables)
        self.refused("AccessDenied", self.of(self.green, service="iam").create_user, UserName="mallory")
        iam.delete_user(UserName="temp")

    def test_resource_policies_are_enforced(self):
        def put(*statements):
            ask(self.server.endpoint, self.admin, "PutResourcePolicy",
                {"ResourceArn": ARN, "Policy": json.dumps({"Version": "2012-10-17", "Statement": statements})})

        put({"Sid": "BlueMayScan", "Effect": "Allow", "Action": "dynamodb:Scan", "Resource": ARN,
             "Principal": {"AWS": "arn:aws:iam::123456789012:user/blue"}})
        try:
            self.assertGreater(self.of(self.blue).scan(TableName=TABLE)["Count"], 3)
            self.refused("AccessDeniedException", self.of(self.green).scan, TableName=TABLE)
            put({"Effect": "Deny", "Action": "dynamodb:GetItem", "Resource": ARN, "Principal": "*"})
            self.refused("AccessDeniedException", self.root.get_item, TableName=TABLE, Key={"tenant": {"S": "blue"}, "nr": {"S": "1"}},
                         text="with an explicit deny in a resource-based policy")
        finally:
            ask(self.server.endpoint, self.admin, "DeleteResourcePolicy", {"ResourceArn": ARN})

    # AWS's guide: attributes, with Select and ReturnValues held.
    def test_attributes(self):
        iam = self.of(self.admin, service="iam")
        iam.create_user(UserName="narrow")
        iam.put_user_policy(UserName="narrow", PolicyName="attributes", PolicyDocument=json.dumps({
            "Version": "2012-10-17", "Statement": [{
                "Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem", "dynamodb:PutItem"], "Resource": ARN,
                "Condition": {"ForAllValues:StringEquals": {"dynamodb:Attributes": ["tenant", "nr", "eur"]},
                              "StringEqualsIfExists": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES",
                                                       "dynamodb:ReturnValues": ["NONE", "UPDATED_OLD", "UPDATED_NEW"]}}}]}))
        made = iam.create_access_key(UserName="narrow")["AccessKey"]
        narrow = self.of((made["AccessKeyId"], made["SecretAccessKey"]))
        key = {"tenant": {"S": "blue"}, "nr": {"S": "2"}}
        self.assertEqual(narrow.get_item(TableName=TABLE, Key=key, ProjectionExpression="eur")["Item"], {"eur": {"N": "1"}})
        denied = "AccessDeniedException"
        self.refused(denied, narrow.get_item, TableName=TABLE, Key=key)
        self.refused(denied, narrow.get_item, TableName=TABLE, Key=key, ProjectionExpression="eur, memo")
        self.refused(denied, narrow.query, TableName=TABLE, KeyConditionExpression="tenant = :t", ExpressionAttributeValues={":t": {"S": "blue"}})
        self.refused(denied, narrow.query, TableName=TABLE, KeyConditionExpression="tenant = :t", ProjectionExpression="eur",
                     FilterExpression="memo = :n", ExpressionAttributeValues={":t": {"S": "blue"}, ":n": {"S": "x"}})
        narrow.update_item(TableName=TABLE, Key=key, UpdateExpression="SET #t = :one", ExpressionAttributeNames={"#t": "eur"},
                           ExpressionAttributeValues={":one": {"N": "1"}})
        self.refused(denied, narrow.update_item, TableName=TABLE, Key=key, UpdateExpression="SET #t = memo", ExpressionAttributeNames={"#t": "eur"})
        self.refused(denied, narrow.update_item, TableName=TABLE, Key=key, ReturnValues="ALL_NEW")
        self.refused(denied, narrow.update_item, TableName=TABLE, Key=key, ConditionExpression="attribute_exists(memo)")
        self.refused(denied, ask, self.server.endpoint, (made["AccessKeyId"], made["SecretAccessKey"]), "UpdateItem",
                     {"TableName": TABLE, "Key": key, "ConditionExpression": "attribute_not_exists(tenant)",
                      "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
        self.refused(denied, narrow.put_item, TableName=TABLE, Item=row("blue", 2))
        iam.delete_user(UserName="narrow")

    def test_other_paths_need_an_identity(self):
        for path in ("/metrics", "/insights", "/model/examples"):
            with self.assertRaises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(self.server.endpoint + path, timeout=10)
            self.assertEqual(caught.exception.code, 403, path)
            caught.exception.close()
        with urllib.request.urlopen(self.server.endpoint + "/healthz", timeout=10) as answer:
            self.assertEqual(answer.status, 200)

        def get(path, key):
            request = botocore.awsrequest.AWSRequest("GET", self.server.endpoint + path)
            botocore.auth.SigV4Auth(botocore.credentials.Credentials(*key), "dynamodb", "us-east-1").add_auth(request)
            try:
                with urllib.request.urlopen(urllib.request.Request(request.url, headers=dict(request.headers)), timeout=10) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                error.close()
                return error.code

        self.assertEqual(get("/metrics", self.admin), 200)
        self.assertEqual(get("/metrics", self.green), 403)

    def test_the_audit_log_says_who_and_why(self):
        self.refused("AccessDeniedException", self.of(self.green).scan, TableName=TABLE)
        self.refused("UnrecognizedClientException", self.of(("AKIAUNKNOWN", "x")).list_tables)
        lines = [json.loads(line) for line in pathlib.Path(self.audit).read_text().splitlines()]
        scans = [line for line in lines if line.get("operation") == "Scan" and line.get("who", "").endswith("user/green")]
        self.assertEqual(scans[-1]["decisions"], [{"action": "dynamodb:Scan", "resource": ARN, "decision": "not allowed"}])
        self.assertEqual(scans[-1]["from"], "127.0.0.1")
        self.assertTrue(any(line.get("refused") == "UnrecognizedClientException" for line in lines))
        self.assertNotIn("of green", pathlib.Path(self.audit).read_text())


class CommandTest(unittest.TestCase):
    def test_a_server_for_the_network_wants_an_administrator(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            done = subprocess.run([binary(), "serve", "--data", data, "--port", "0", "--host", "0.0.0.0"], capture_output=True, text=True, timeout=20)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"prejoin access init --data {data}", done.stderr)

    def test_deleted_keys_stay_deleted_and_secrets_sealed(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            code, output, errors = access("init", "--data", data, "--json")
            self.assertEqual(code, 0, errors)
            first = json.loads(output)
            self.assertEqual(os.stat(data + ".key").st_mode & 0o777, 0o600)
            code, output, _ = access("key", "add", "admin", "--data", data, "--json")
            second = json.loads(output)
            self.assertEqual(access("key", "delete", first["AccessKeyId"], "--data", data)[0], 0)
            with ServerProcess(data, ["--auth", "required"]) as server:
                client(server.endpoint, (second["AccessKeyId"], second["SecretAccessKey"])).list_tables()
                with self.assertRaises(botocore.exceptions.ClientError):
                    client(server.endpoint, (first["AccessKeyId"], first["SecretAccessKey"])).list_tables()
            self.assertIn("used 20", access("key", "list", "--data", data)[1])
            stored = b"".join(path.read_bytes() for path in pathlib.Path(data).rglob("*") if path.is_file())
            self.assertIn(second["AccessKeyId"].encode(), stored)
            self.assertNotIn(second["SecretAccessKey"].encode(), stored)
            pathlib.Path(data + ".key").write_text("00" * 32 + "\n")
            code, _, errors = access("key", "list", "--data", data)
            self.assertEqual(code, 2)
            self.assertIn("the key file is not the one", errors)

    def test_proves_that_tenants_are_kept_apart(self):
        model = HERE.parents[1] / "examples/models/d08_saas_orgs.prejoin"
        for scale in ((), ("--scale", "25000")):
            done = subprocess.run([binary(), "prove", str(model), "--as-tenant", *scale], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("ORG#${aws:PrincipalTag/tenant}#USER#*", done.stdout)
            report = " ".join(done.stdout.split())
            self.assertRegex(report, r"ok A20 [1-9]\d* runs on the tenant's own data, [1-9]\d* rows; [1-9]\d* runs on other tenants' data, all refused")
            self.assertRegex(report, r"ok A22 not allowed for tenants, because its key does not begin with one; [1-9]\d* runs refused")
            self.assertIn("No tenant received a row of another, and no own row was refused.", report)
        # Users in a partition that all organisations share: nothing is left that a tenant may read of them.
        with tempfile.TemporaryDirectory() as folder:
            shared = os.path.join(folder, "shared.prejoin")
            pathlib.Path(shared).write_text(model.read_text().replace('PK     = "ORG#{Org}"\n    SK     = "USER#{User}"', 'PK     = "USERS"\n    SK     = "{Org}#USER#{User}"'))
            done = subprocess.run([binary(), "prove", shared, "--as-tenant"], capture_output=True, text=True, timeout=60)
            self.assertIn("Not allowed: User in Support: PK does not begin with the tenant", done.stdout + done.stderr)

    def test_simulate(self):
        with tempfile.TemporaryDirectory() as folder:
            policy = os.path.join(folder, "tenant.json")
            pathlib.Path(policy).write_text(json.dumps(TENANT_POLICY))

            def simulate(action, leading):
                return access("simulate", "--policy", policy, "--action", action, "--resource", ARN,
                              "--context", f"dynamodb:LeadingKeys={leading}", "--context", "aws:username=green")

            self.assertEqual(simulate("dynamodb:Query", "green")[:2], (0, "allowed (policy, OwnRows)\n"))
            code, output, _ = simulate("dynamodb:Query", "blue")
            self.assertEqual(code, 1)
            self.assertIn("its condition on dynamodb:LeadingKeys wants ${aws:username}, the request has blue", output)
            self.assertIn("add the action dynamodb:Scan", simulate("dynamodb:Scan", "green")[1])


if __name__ == "__main__":
    unittest.main()
