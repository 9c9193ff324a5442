"""The server under test: its tables, its users, and the policies that are in force for one family of requests."""

import contextlib
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from client import Client, Key, field, texts
from evaluator import ACCOUNT, Policies, Principal, parse_policy
from world import INDEX, KEYS, REGION, TABLES, TAGS, USER_TAGS, items_of, table_arn, table_request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rig"))
from server_process import ServerProcess, binary  # noqa: E402

DYNAMO = "DynamoDB_20120810."
STREAMS = "DynamoDBStreams_20120810."
ROLE = f"arn:aws:iam::{ACCOUNT}:role/caller"
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
TRUST = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["sts:AssumeRole", "sts:TagSession"],
                                                  "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:user/admin"}}]}


class State:
    """Names that generators use for what only exists once the server runs; Bench.fill() puts the real ones in."""
    backups = {table: f"{table_arn(table)}/backup/@BACKUP_{table}@" for table in TABLES}
    streams = {table: f"{table_arn(table)}/stream/@STREAM_{table}@" for table in TABLES}

    @staticmethod
    def shard(table):
        return f"@SHARD_{table}@"

    @staticmethod
    def iterator(table):
        return f"@ITERATOR_{table}@"


class Refused(Exception):
    """The server refused a policy document."""


class Caller:
    def __init__(self, key, principal, policies, context):
        self.key, self.principal, self.policies, self.context = key, principal, policies, context


class Bench:
    def __init__(self, boundaries=(), options=()):
        self.stack = contextlib.ExitStack()
        shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
        self.folder = self.stack.enter_context(tempfile.TemporaryDirectory(dir=shared))
        self.data = os.path.join(self.folder, "data")
        made = self.command("init", "--json")
        self.admin = Key(made["AccessKeyId"], made["SecretAccessKey"])
        # Boundaries have no call of their own, so each gets a user before the server starts.
        self.boundaries = {}
        for number, document in enumerate(boundaries):
            path = pathlib.Path(self.folder, "boundary.json")
            path.write_text(json.dumps(document))
            self.command("user", "add", f"bounded{number}")
            self.command("policy", "set", "boundary", str(path), "--user", f"bounded{number}")
            made = self.command("key", "add", f"bounded{number}", "--json")
            self.boundaries[json.dumps(document)] = (f"bounded{number}", Key(made["AccessKeyId"], made["SecretAccessKey"]))
        self.server = ServerProcess(self.data, ["--auth", "required", "--sync", "none", "--threads", "2", *options]).start()
        self.stack.callback(self.server.stop)
        self.client = Client("127.0.0.1", self.server.port)
        self.stack.callback(self.client.close)
        self.shared = {}  # ARN → resource policy in force
        self.names = {}
        self.installed = {}
        self.prepare()

    def close(self):
        self.stack.close()

    def command(self, *arguments):
        done = subprocess.run([binary(), "access", *arguments, "--data", self.data], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"prejoin access {' '.join(arguments)}: {done.stderr}")
        return json.loads(done.stdout) if "--json" in arguments else None

    # ---- The administrator's calls

    def dynamo(self, operation, body, key=None):
        target = (STREAMS if operation in ("DescribeStream", "GetShardIterator", "GetRecords", "ListStreams") else DYNAMO) + operation
        return self.client.dynamo(key or self.admin, target, body if isinstance(body, str) else json.dumps(body))

    def send(self, operation, text, key=None):
        """Sends the text of any request: JSON, or, for "iam:…" and "sts:…", the pairs of a form."""
        service, colon, _ = operation.partition(":")
        return self.client.form(key or self.admin, service, [tuple(one) for one in json.loads(text)]) if colon else self.dynamo(operation, text, key)

    def must(self, operation, body):
        answer = self.dynamo(operation, body)
        if answer.code:
            raise RuntimeError(f"{operation} {body}: {answer}")
        return answer.json

    def iam(self, action, **pairs):
        answer = self.client.form(self.admin, "iam", [("Version", "2010-05-08"), ("Action", action), *pairs.items()])
        if answer.code == "MalformedPolicyDocument":
            raise Refused(answer.text)
        if answer.code:
            raise RuntimeError(f"{action} {pairs}: {answer}")
        return answer

    # ---- The world

    def prepare(self):
        for table in TABLES:
            stream = self.must("CreateTable", table_request(table))["TableDescription"]["LatestStreamLabel"]
            self.names[f"@STREAM_{table}@"] = stream
            self.must("UpdateContinuousBackups", {"TableName": table, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
            for item in items_of(table):
                self.must("PutItem", {"TableName": table, "Item": item})
            self.make_backup(table)
            arn = f"{table_arn(table)}/stream/{stream}"
            shard = self.must("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"][0]["ShardId"]
            self.names[f"@SHARD_{table}@"] = shard
            self.names[f"@ITERATOR_{table}@"] = self.must("GetShardIterator", {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"})["ShardIterator"]
        for document in self.boundaries:
            self.tag("TagUser", "UserName", self.boundaries[document][0])
        self.prepare_account()
        self.original = self.settings()

    def prepare_account(self):
        """The users and roles that requests come from and are about, as new."""
        self.installed = {name: documents for name, documents in self.installed.items() if name[1].startswith("bounded")}
        for kind in ("User", "Role"):
            for name in self.names_of(kind):
                if name != "admin" and not name.startswith("bounded"):
                    self.iam(f"Delete{kind}", **{f"{kind}Name": name})
        self.owners = {key.identifier: f"arn:aws:iam::{ACCOUNT}:user/{name}" for name, key in self.boundaries.values()}
        for name in ("caller", "victim"):
            self.iam("CreateUser", UserName=name)
            made = self.iam("CreateAccessKey", UserName=name)
            self.names[f"@{name.upper()}_KEY@"] = field(made, "AccessKeyId")
            self.owners[field(made, "AccessKeyId")] = f"arn:aws:iam::{ACCOUNT}:user/{name}"
            if name == "caller":
                self.user = Key(field(made, "AccessKeyId"), field(made, "SecretAccessKey"))
            self.tag("TagUser", "UserName", name)
        self.iam("PutUserPolicy", UserName="victim", PolicyName="kept", PolicyDocument=json.dumps(EVERYTHING))
        for name in ("caller", "target"):
            self.iam("CreateRole", RoleName=name, AssumeRolePolicyDocument=json.dumps(TRUST))
            self.tag("TagRole", "RoleName", name)
        self.iam("PutRolePolicy", RoleName="target", PolicyName="kept", PolicyDocument=json.dumps(EVERYTHING))
        self.put_identity("Role", "caller", [EVERYTHING])
        self.role_session = self.assume()
        self.user_session = self.credentials(self.user, [("Version", "2011-06-15"), ("Action", "GetSessionToken")])
        self.trust = {f"arn:aws:iam::{ACCOUNT}:role/{name}": parse_policy(TRUST, "trust") for name in ("caller", "target")}
        self.account = self.account_now()

    def names_of(self, kind):
        return texts(self.iam(f"List{kind}s"), f"{kind}Name")

    def account_now(self):
        """Users, roles and what hangs on those that requests are about, in one comparable value."""
        out = {"users": sorted(self.names_of("User")), "roles": sorted(self.names_of("Role"))}
        for name in ("victim", "caller"):
            if name not in out["users"]:
                out[f"user/{name}"] = None
                continue
            listed = self.iam("ListAccessKeys", UserName=name)
            out[f"user/{name}"] = sorted(zip(texts(listed, "AccessKeyId"), texts(listed, "Status")))
            if name == "victim":
                out["user/victim"] += texts(self.iam("ListUserPolicies", UserName="victim"), "member")
        out["role/target"] = texts(self.iam("ListRolePolicies", RoleName="target"), "member") if "target" in out["roles"] else None
        return out

    def account_changed(self, written):
        """What of the account differs from prepare_account(), but for users and roles whose ARNs are in `written`."""
        now = self.account_now()
        kinds = {"users": ":user/", "roles": ":role/"}
        return {name: {"now": now[name], "before": self.account[name]} for name in now if now[name] != self.account[name] and
                not any(one.endswith(name) or kinds.get(name, "?") in one for one in written)}

    def tag(self, action, member, name):
        pairs = {member: name}
        for number, (key, value) in enumerate(USER_TAGS.items(), 1):
            pairs[f"Tags.member.{number}.Key"], pairs[f"Tags.member.{number}.Value"] = key, value
        self.iam(action, **pairs)

    def make_backup(self, table):
        arn = self.must("CreateBackup", {"TableName": table, "BackupName": "kept"})["BackupDetails"]["BackupArn"]
        self.names[f"@BACKUP_{table}@"] = arn.rpartition("/")[2]

    def assume(self, session=None, tags=None):
        pairs = [("Version", "2011-06-15"), ("Action", "AssumeRole"), ("RoleArn", ROLE), ("RoleSessionName", "trial")]
        if session is not None:
            pairs.append(("Policy", json.dumps(session)))
        for number, (key, value) in enumerate((tags or {}).items(), 1):
            pairs += [(f"Tags.member.{number}.Key", key), (f"Tags.member.{number}.Value", value)]
        return self.credentials(self.admin, pairs)

    def credentials(self, key, pairs):
        """Temporary credentials that STS gives."""
        answer = self.client.form(key, "sts", pairs)
        if answer.code and "Policy" in dict(pairs):
            raise Refused(answer.text)
        if answer.code:
            raise RuntimeError(f"{pairs}: {answer}")
        return Key(field(answer, "AccessKeyId"), field(answer, "SecretAccessKey"), field(answer, "SessionToken"))

    def fill(self, text):
        if "@" in text:
            for name, real in self.names.items():
                text = text.replace(name, real)
        return text

    def iterators(self):
        return {self.names[f"@ITERATOR_{table}@"]: f"{table_arn(table)}/stream/{self.names[f'@STREAM_{table}@']}" for table in TABLES}

    # ---- Policies

    def put_identity(self, kind, name, documents):
        """Makes `documents` the inline policies of a user or role, with as few calls as possible."""
        now = self.installed.setdefault((kind, name), [])
        for number, document in enumerate(documents):
            if number >= len(now) or now[number] != document:
                self.iam(f"Put{kind}Policy", **{f"{kind}Name": name}, PolicyName=f"p{number}", PolicyDocument=json.dumps(document))
                now[number:number + 1] = [document]
        while len(now) > len(documents):
            self.iam(f"Delete{kind}Policy", **{f"{kind}Name": name}, PolicyName=f"p{len(now) - 1}")
            now.pop()

    def put_shared(self, documents):
        """Makes `documents`, {ARN: document}, the resource policies in force."""
        for arn in [one for one in self.shared if one not in documents]:
            self.must("DeleteResourcePolicy", {"ResourceArn": arn})
            del self.shared[arn]
        for arn, document in documents.items():
            if self.shared.get(arn) != document:
                answer = self.dynamo("PutResourcePolicy", {"ResourceArn": arn, "Policy": json.dumps(document)})
                if answer.code:
                    raise Refused(answer.text)
                self.shared[arn] = document

    def install(self, setup):
        """Puts the policies of a setup in force and returns the caller that they hold for."""
        self.names["@SELF@"] = "caller" if setup.get("boundary") is None else self.boundaries[json.dumps(setup["boundary"])][0]
        self.names["@SELF_KEY@"] = (self.user if setup.get("boundary") is None else self.boundaries[json.dumps(setup["boundary"])][1]).identifier
        setup = json.loads(self.fill(json.dumps(setup)))
        trust = setup.get("trust") or TRUST
        if self.installed.get(("Trust", "target"), TRUST) != trust:
            self.iam("UpdateAssumeRolePolicy", RoleName="target", PolicyDocument=json.dumps(trust))
            self.installed[("Trust", "target")] = trust
            self.trust[f"arn:aws:iam::{ACCOUNT}:role/target"] = parse_policy(trust, "trust")
        self.put_shared(setup.get("resource") or {})
        identity, boundary, session = setup["identity"], setup.get("boundary"), setup.get("session")
        context = {
            "aws:principalaccount": [[ACCOUNT]], "aws:sourceip": [["127.0.0.1"]], "aws:securetransport": [["false"]], "aws:requestedregion": [[REGION]],
            "aws:useragent": [["oracle/1"]], "aws:currenttime": [[datetime.datetime.now(datetime.timezone.utc).isoformat()]],
            "aws:epochtime": [[str(int(time.time()))]], "aws:viaawsservice": [["false"]], "aws:principalisawsservice": [["false"]], "aws:resourceaccount": [[ACCOUNT]],
            **{f"aws:principaltag/{key}": [[value]] for key, value in USER_TAGS.items()}}
        issued = {"aws:tokenissuetime": [[context["aws:currenttime"][0][0]]], "aws:multifactorauthpresent": [["false"]]}
        if setup["kind"] in ("user", "token"):
            name, key = ("caller", self.user) if boundary is None else self.boundaries[json.dumps(boundary)]
            self.put_identity("User", name, identity)
            principal = Principal(f"arn:aws:iam::{ACCOUNT}:user/{name}")
            context.update({"aws:username": [[name]], "aws:principalarn": [[principal.arn]], "aws:principaltype": [["User"]]})
            if setup["kind"] == "token":
                principal.temporary = True
                key = self.user_session
                context.update(issued)
        else:
            self.put_identity("Role", "caller", identity)
            # Tags of a session stand before those of its role.
            tags = setup.get("tags") or {}
            key = self.role_session if session is None and not tags else self.assume(session, tags)
            context.update({f"aws:principaltag/{name}": [[value]] for name, value in tags.items()})
            principal = Principal(f"arn:aws:sts::{ACCOUNT}:assumed-role/caller/trial", ROLE, temporary=True)
            context.update({"aws:principalarn": [[ROLE]], "aws:principaltype": [["AssumedRole"]], **issued})
        policies = Policies([parse_policy(one) for one in identity], parse_policy(boundary) if boundary else None, parse_policy(session) if session else None,
                            {arn: parse_policy(one, "resource") for arn, one in (setup.get("resource") or {}).items()})
        return Caller(key, principal, policies, context)

    # ---- What holds before and after

    def changed(self):
        """{table: what differs} from how prepare() left the tables."""
        out = {}
        for table in TABLES:
            answer = self.dynamo("Scan", {"TableName": table, "ConsistentRead": True})
            if answer.code:
                out[table] = str(answer)
                continue
            key = lambda item: json.dumps([item.get(name) for name in KEYS["Prod"]])  # noqa: E731
            now = {key(item): item for item in answer.json["Items"]}
            want = {key(item): item for item in items_of(table)}
            if now != want:
                out[table] = {"now": [now[one] for one in now if now[one] != want.get(one)], "lost": [one for one in want if one not in now]}
        return out

    def restore_items(self, table):
        answer = self.must("Scan", {"TableName": table, "ConsistentRead": True})
        want = {json.dumps(item, sort_keys=True) for item in items_of(table)}
        for item in answer["Items"]:
            if json.dumps(item, sort_keys=True) not in want:
                self.must("DeleteItem", {"TableName": table, "Key": {name: item[name] for name in KEYS[table]}})
        now = {json.dumps(item, sort_keys=True) for item in answer["Items"]}
        for item in items_of(table):
            if json.dumps(item, sort_keys=True) not in now:
                self.must("PutItem", {"TableName": table, "Item": item})

    def settings(self):
        """What else a request could have changed, in one comparable value."""
        out = {"": {"tables": self.must("ListTables", {})["TableNames"], "backups": sorted(one["BackupArn"] for one in self.must("ListBackups", {})["BackupSummaries"])}}
        for table in TABLES:
            description = self.must("DescribeTable", {"TableName": table})["Table"]
            out[table] = {name: description.get(name) for name in ("DeletionProtectionEnabled", "StreamSpecification", "TableStatus", "LatestStreamLabel")}
            out[table]["indexes"] = [one["IndexName"] for one in description["GlobalSecondaryIndexes"]]
            out[table]["tags"] = sorted(json.dumps(one) for one in self.must("ListTagsOfResource", {"ResourceArn": table_arn(table)})["Tags"])
        return out

    def settings_changed(self, written):
        """Settings that differ from those after prepare(), but for tables in `written`."""
        now = self.settings()
        names = [name for name in now if name not in written and (name or not written)]
        return {name: {"now": now[name], "before": self.original[name]} for name in names if now[name] != self.original[name]}

    def shared_changed(self):
        """ARNs of tables and streams whose resource policy is not the one that was put."""
        out = []
        for table in TABLES:
            for arn in (table_arn(table), f"{table_arn(table)}/stream/{self.names[f'@STREAM_{table}@']}"):
                answer = self.dynamo("GetResourcePolicy", {"ResourceArn": arn})
                if (None if answer.code else json.loads(answer.json["Policy"])) != self.shared.get(arn):
                    out.append(arn)
        return out

    def restore_settings(self):
        """Undoes what allowed requests did to tables, backups, tags and resource policies."""
        for table in self.must("ListTables", {})["TableNames"]:
            if table not in TABLES:
                self.delete_table(table)
        kept = set(self.names.values())
        for backup in self.must("ListBackups", {})["BackupSummaries"]:
            if backup["BackupArn"].rpartition("/")[2] not in kept:
                self.must("DeleteBackup", {"BackupArn": backup["BackupArn"]})
        present = {one["BackupArn"].rpartition("/")[2] for one in self.must("ListBackups", {})["BackupSummaries"]}
        for table in TABLES:
            if self.names[f"@BACKUP_{table}@"] not in present:
                self.make_backup(table)
            arn = table_arn(table)
            tags = {one["Key"]: one["Value"] for one in self.must("ListTagsOfResource", {"ResourceArn": arn})["Tags"]}
            if tags != TAGS[table]:
                extra = [key for key in tags if key not in TAGS[table]]
                if extra:
                    self.must("UntagResource", {"ResourceArn": arn, "TagKeys": extra})
                self.must("TagResource", {"ResourceArn": arn, "Tags": [{"Key": key, "Value": value} for key, value in TAGS[table].items()]})
            for resource in (arn, f"{arn}/stream/{self.names[f'@STREAM_{table}@']}"):
                self.dynamo("DeleteResourcePolicy", {"ResourceArn": resource})
        self.shared = {}
        self.original = self.settings()

    def delete_table(self, table):
        """Deletes a table that a request made, also while it is still being restored."""
        deadline = time.monotonic() + 30
        while True:
            answer = self.dynamo("DeleteTable", {"TableName": table})
            if answer.code != "ResourceInUseException" or time.monotonic() > deadline:
                break
        if answer.code and answer.code != "ResourceNotFoundException":
            self.must("UpdateTable", {"TableName": table, "DeletionProtectionEnabled": False})
            self.must("DeleteTable", {"TableName": table})


assert INDEX
