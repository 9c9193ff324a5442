"""Requests to IAM and STS: what they ask for, and random ones. The operations come from the service models of both, less those that the server does
not know; their resources are the users and roles that UserName, RoleName and RoleArn name.

Sources: the service authorization references of IAM and STS, and the API references: "If you do not specify a user name, IAM determines the user name
implicitly based on the access key ID signing the request", which only a user's own key has; GetCallerIdentity and GetSessionToken need no permission.
"""

import json
import re

from evaluator import ACCOUNT
from resources import Check, Invalid, Reading, model, tags_context
from world import PARTITIONS, USER_TAGS

USER, ROLE = f"arn:aws:iam::{ACCOUNT}:user/", f"arn:aws:iam::{ACCOUNT}:role/"
NAME = re.compile(r"[\w+=,.@-]{1,128}")
SESSION_NAME = re.compile(r"[\w+=,.@-]{2,64}")
# These act on the caller where they name nobody.
OWN = ("CreateAccessKey", "DeleteAccessKey", "UpdateAccessKey", "ListAccessKeys", "GetUser")
LISTS = ("ListUsers", "ListRoles")
FREE = ("GetCallerIdentity",)
READS = ("Get", "List", "Assume")


def members(service, operation):
    """The members of an operation's input, by the service model."""
    shapes = model(service)["shapes"]
    shape = model(service)["operations"][operation].get("input", {}).get("shape")
    return shapes[shape]["members"] if shape else {}


def known_operations(ask):
    """["iam:CreateUser", …] of the service models, less those that `ask`, which sends an empty request, is told do not exist here."""
    out = []
    for service in ("iam", "sts"):
        out += [f"{service}:{name}" for name in sorted(model(service)["operations"]) if ask(service, name).code != "InvalidAction"]
    return out


def tags_of(pairs):
    keys = {name.split(".")[2]: value for name, value in pairs.items() if re.fullmatch(r"Tags\.member\.\d+\.Key", name)}
    values = {name.split(".")[2]: value for name, value in pairs.items() if re.fullmatch(r"Tags\.member\.\d+\.Value", name)}
    return [{"Key": key, "Value": values.get(number, "")} for number, key in keys.items()]


def resource_tags(arn):
    """The tags of a user or role that is there."""
    there = arn.startswith(f"{USER}bounded") or arn in [USER + name for name in ("caller", "victim", "@SELF@")] + [ROLE + name for name in ("caller", "target")]
    return {f"{prefix}:resourcetag/{key}": [[value]] for prefix in ("aws", "iam") for key, value in USER_TAGS.items()} if there else {}


def user_of(pairs, principal, operation):
    name = pairs.get("UserName")
    if name is None and operation in OWN:
        if principal.role:
            raise Invalid("Must specify userName when calling with non-User credentials")
        return principal.arn
    if name is None or not NAME.fullmatch(name):
        raise Invalid("UserName")
    return USER + name


def assume_role(reading, pairs, trust):
    arn = pairs.get("RoleArn", "")
    if not arn.startswith(ROLE) or not NAME.fullmatch(arn[len(ROLE):]):
        raise Invalid("RoleArn")
    if not SESSION_NAME.fullmatch(pairs.get("RoleSessionName", "")):
        raise Invalid("RoleSessionName")
    seconds = int(pairs.get("DurationSeconds", "3600"))
    if not 900 <= seconds <= 43200:
        raise Invalid("DurationSeconds")
    if seconds > 3600:
        # The longest session of a role is an hour unless its MaxSessionDuration says more, which no request here does.
        raise Invalid("DurationSeconds exceeds MaxSessionDuration")
    context = {**resource_tags(arn), "sts:rolesessionname": [[pairs["RoleSessionName"]]], **tags_context(tags_of(pairs) or None)}
    if "ExternalId" in pairs:
        context["sts:externalid"] = [[pairs["ExternalId"]]]
    reading.checks.append(Check("sts:AssumeRole", arn, context))
    if tags_of(pairs):
        reading.checks.append(Check("sts:TagSession", arn, context))
    for check in reading.checks:
        check.trust = trust.get(arn)
        if check.trust is None:
            raise Invalid("no such role")


def analyse_account(operation, pairs, principal, trust, owners):
    """The Reading of a form request. `trust`: role ARN → statements of its trust policy; `owners`: access key → user's ARN."""
    reading = Reading()
    service, _, name = operation.partition(":")
    try:
        if name == "GetSessionToken":
            # "No permissions are required for users to perform this operation"; it cannot be called with temporary credentials.
            if principal.temporary:
                raise Invalid("temporary credentials")
            if not 900 <= int(pairs.get("DurationSeconds", "43200")) <= 129600:
                raise Invalid("DurationSeconds")
            return reading
        if name in FREE:
            return reading
        if name == "AssumeRole":
            assume_role(reading, pairs, trust)
            return reading
        if name in LISTS:
            # The reference has no resource type for them, so policies should say "*"; AWS's messages name the path that is listed, and that is
            # what a narrower pattern meets.
            reading.checks.append(Check(operation, USER if name == "ListUsers" else ROLE))
            return reading
        if name == "GetAccessKeyLastUsed":
            owner = owners.get(pairs.get("AccessKeyId"))
            if owner is None:
                raise Invalid("AccessKeyId")
            reading.checks.append(Check(operation, owner, resource_tags(owner)))
            return reading
        if "UserName" in members(service, name):
            resource = user_of(pairs, principal, name)
        else:
            if not NAME.fullmatch(pairs.get("RoleName", "")):
                raise Invalid("RoleName")
            resource = ROLE + pairs["RoleName"]
        tags = tags_of(pairs)
        context = {**resource_tags(resource), **tags_context(tags or None)}
        reading.checks.append(Check(operation, resource, context))
        if tags and name in ("CreateUser", "CreateRole"):
            # "To create a user with tags you need iam:TagUser as well."
            reading.checks.append(Check(f"iam:Tag{name[6:]}", resource, context))
        if name in ("DeleteAccessKey", "UpdateAccessKey") and owners.get(pairs.get("AccessKeyId")) not in (None, resource):
            raise Invalid("a key of somebody else")
        reading.writes.add(resource)
    except Invalid as error:
        reading.invalid = str(error) or "empty"
    except ValueError as error:
        reading.invalid = str(error)
    return reading


def readings_of_form(operation, text, caller, bench):
    """A repeated member counts first or last."""
    pairs = [tuple(one) for one in json.loads(text)]
    forms = [dict(pairs)]
    if dict(reversed(pairs)) != forms[0]:
        forms.append(dict(reversed(pairs)))
    return [analyse_account(operation, one, caller.principal, bench.trust, bench.owners) for one in forms]


class AccountMaker:
    """Makes requests to IAM and STS around one user or role."""

    def __init__(self, rng):
        self.rng = rng
        self.table = "Prod"
        self.name = rng.choice(("victim", "victim", "@SELF@"))

    def chance(self, share):
        return self.rng.random() < share

    def user(self):
        return self.name if self.chance(0.75) else self.rng.choice(("victim", "@SELF@", "nobody", "", "victim/x", "../victim", "*", "caller"))

    def role(self):
        return self.rng.choices(("target", "caller", "nothing", "", "target/x", "*"), (6, 2, 1, 1, 1, 1))[0]

    def document(self, principal=None):
        statement = {"Effect": "Allow", "Action": "sts:AssumeRole" if principal else "dynamodb:GetItem"}
        statement["Principal" if principal else "Resource"] = principal or "*"
        return json.dumps({"Version": "2012-10-17", "Statement": [statement]})

    def member(self, name, operation):
        if name == "UserName":
            return self.user()
        if name == "RoleName":
            return self.rng.choice(("made", "target")) if operation == "CreateRole" else self.role()
        return {"AccessKeyId": lambda: self.rng.choice(("@VICTIM_KEY@", "@VICTIM_KEY@", "@SELF_KEY@", "AKIAAAAAAAAAAAAAAAAA")), "Status": lambda: "Inactive",
                "PolicyName": lambda: self.rng.choice(("kept", "made")), "PolicyDocument": lambda: self.document({"AWS": ACCOUNT}) if "Assume" in operation else self.document(),
                "AssumeRolePolicyDocument": lambda: self.document({"AWS": ACCOUNT}), "RoleArn": lambda: ROLE + self.role(),
                "RoleSessionName": lambda: self.rng.choices(("trial", "a", "a/b", "x" * 65, "trial two", "green"), (8, 1, 1, 1, 1, 2))[0],
                "ExternalId": lambda: self.rng.choice(PARTITIONS), "DurationSeconds": lambda: self.rng.choice(("900", "3600", "899", "43201", "129601", "7200"))}.get(name)

    def request(self, operation):
        service, _, name = operation.partition(":")
        if name == "CreateUser" and self.chance(0.7):
            self_name, self.name = self.name, "made"
        else:
            self_name = self.name
        wanted = members(service, name)
        required = set(model(service)["shapes"][model(service)["operations"][name]["input"]["shape"]].get("required", [])) if wanted else set()
        pairs = [("Action", name), ("Version", "2010-05-08" if service == "iam" else "2011-06-15")]
        for member in wanted:
            share = 0.97 if member in required else {"UserName": 0.6, "ExternalId": 0.4, "DurationSeconds": 0.3}.get(member, 0)
            value = self.member(member, name)
            if value is not None and self.chance(share):
                value = value() if callable(value) else value
                pairs.append((member, value))
                if self.chance(0.05):
                    other = self.member(member, name)
                    pairs.append((member, other() if callable(other) else other))
        if "Tags" in wanted and self.chance(0.9 if name.startswith("Tag") else 0.25):
            for number, key in enumerate(self.rng.sample(("team", "stage", "cost"), self.rng.randint(1, 2)), 1):
                pairs += [(f"Tags.member.{number}.Key", key), (f"Tags.member.{number}.Value", self.rng.choice(("red", "blue")))]
        self.name = self_name
        return json.dumps(pairs)


def account_family(rng, operations, lead, count):
    maker = AccountMaker(rng)
    out = [(lead, maker.request(lead))]
    while len(out) < count:
        operation = lead if rng.random() < 0.7 else rng.choice(operations)
        out.append((operation, maker.request(operation)))
    return maker, out


def trust_document(rng):
    """A trust policy for the role "target"."""
    names = rng.choice(([f"{USER}@SELF@"], [f"{USER}@SELF@"], [ACCOUNT], [f"arn:aws:iam::{ACCOUNT}:root"], [f"{USER}victim"], [f"{ROLE}caller"],
                        [f"arn:aws:sts::{ACCOUNT}:assumed-role/caller/trial"], ["*"]))
    statements = [{"Effect": "Allow", "Principal": {"AWS": names if len(names) > 1 else names[0]},
                   "Action": rng.choice(("sts:AssumeRole", ["sts:AssumeRole", "sts:TagSession"], "sts:*"))}]
    if rng.random() < 0.5:
        operator, key, values = rng.choice((("StringEquals", "sts:ExternalId", ["green", "blue"]), ("StringNotEquals", "sts:ExternalId", ["green"]),
                                            ("StringEquals", "sts:RoleSessionName", ["trial"]), ("StringLike", "sts:RoleSessionName", ["${aws:username}"]),
                                            ("StringEquals", "aws:PrincipalTag/team", ["red"]), ("StringEquals", "aws:RequestTag/team", ["red"]),
                                            ("ForAllValues:StringEquals", "aws:TagKeys", ["team"]), ("StringEqualsIfExists", "sts:Nonsense", ["x"]),
                                            ("Null", "sts:ExternalId", ["false"])))
        statements[0]["Condition"] = {operator: {key: values}}
    if rng.random() < 0.2:
        statements.append({"Effect": "Deny", "Principal": {"AWS": f"{USER}@SELF@"}, "Action": "sts:AssumeRole", "Condition": {"StringEquals": {"sts:ExternalId": "blue"}}})
    return {"Version": "2012-10-17", "Statement": statements}
