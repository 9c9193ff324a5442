"""Random policies around the questions that a family of requests asks: what just allows them, what just does not, and what denies one of them."""

import json

from evaluator import ACCOUNT
from world import ATTRIBUTES, INDEX, PARTITIONS, table_arn

CALLER = f"arn:aws:iam::{ACCOUNT}:user/caller"

# Keys that every request has, with values that hold and values that do not.
GLOBAL = [
    ("StringEquals", "aws:username", ["caller"], ["nobody"]),
    ("StringLike", "aws:PrincipalArn", [f"arn:aws:iam::{ACCOUNT}:*"], ["arn:aws:iam::999999999999:*"]),
    ("ArnLike", "aws:PrincipalArn", [f"arn:aws:iam::{ACCOUNT}:*/*"], [f"arn:aws:iam::{ACCOUNT}:user/nobody"]),
    ("StringEquals", "aws:PrincipalAccount", [ACCOUNT], ["999999999999"]),
    ("StringEquals", "aws:PrincipalType", ["User", "AssumedRole"], ["Account"]),
    ("StringEquals", "aws:PrincipalTag/team", ["red"], ["green"]),
    ("StringEquals", "aws:ResourceTag/team", ["red"], ["${aws:PrincipalTag/team}"]),
    ("StringEquals", "aws:ResourceTag/stage", ["prod"], ["test"]),
    ("IpAddress", "aws:SourceIp", ["127.0.0.0/8", "::1/128"], ["10.0.0.0/8"]),
    ("NotIpAddress", "aws:SourceIp", ["10.0.0.0/8"], ["127.0.0.0/8", "::1/128"]),
    ("DateGreaterThan", "aws:CurrentTime", ["2020-01-01T00:00:00Z"], ["2120-01-01T00:00:00Z"]),
    ("DateLessThan", "aws:CurrentTime", ["2120-01-01T00:00:00Z"], ["2020-01-01T00:00:00Z"]),
    ("NumericGreaterThan", "aws:EpochTime", ["1000000000"], ["9000000000"]),
    ("Bool", "aws:SecureTransport", ["false"], ["true"]),
    ("StringEquals", "aws:RequestedRegion", ["us-east-1"], ["eu-west-1"]),
    ("StringLike", "aws:UserAgent", ["oracle*"], ["Mozilla*"]),
    ("Null", "aws:TokenIssueTime", ["true"], ["false"]),
    ("DateLessThan", "aws:TokenIssueTime", ["2120-01-01T00:00:00Z"], ["2020-01-01T00:00:00Z"]),
    ("Bool", "aws:MultiFactorAuthPresent", ["false"], ["true"]),
    ("BoolIfExists", "aws:MultiFactorAuthPresent", ["false"], ["true"]),
    ("Bool", "aws:ViaAWSService", ["false"], ["true"]),
    ("StringEquals", "aws:PrincipalOrgID", ["o-1"], ["o-2"]),
    ("StringNotEquals", "aws:SourceVpce", ["vpce-1"], ["vpce-2"]),
    ("StringEquals", "aws:ResourceAccount", [ACCOUNT], ["999999999999"]),
    ("StringNotEquals", "aws:RequestTag/team", ["green"], ["red", "blue", "prod"]),
    ("StringEquals", "aws:RequestTag/team", ["red"], ["green"]),
    ("StringEqualsIfExists", "aws:RequestTag/team", ["red"], ["green"]),
    ("ForAllValues:StringEquals", "aws:TagKeys", ["team", "stage"], ["cost"]),
    ("ForAnyValue:StringEquals", "aws:TagKeys", ["team"], ["nothing"]),
    ("Null", "aws:TagKeys", ["true"], ["false"]),
]

# Keys that nobody documents. A server may refuse the document; if it takes it, no Allow may rest on them.
UNKNOWN = [
    ("StringNotEquals", "dynamodb:Colour", ["red"], ["blue"]),
    ("StringEqualsIfExists", "aws:Nonsense", ["red"], ["blue"]),
    ("Null", "aws:Nonsense", ["true"], ["false"]),
    ("ForAllValues:StringEquals", "dynamodb:Leadingkey", ["green"], ["blue"]),
    ("StringNotEquals", "s3:prefix", ["red"], ["blue"]),
    ("Null", "graph.facebook.com:id", ["true"], ["false"]),
]

# Keys of DynamoDB, with the values that a policy would name.
OWN = {
    "dynamodb:LeadingKeys": PARTITIONS, "dynamodb:Attributes": ATTRIBUTES, "dynamodb:Select": ("ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT", "ALL_PROJECTED_ATTRIBUTES"),
    "dynamodb:ReturnValues": ("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"), "dynamodb:ReturnConsumedCapacity": ("NONE", "TOTAL", "INDEXES"),
    "dynamodb:EnclosingOperation": ("TransactGetItems", "TransactWriteItems", "ExecuteTransaction"), "dynamodb:FullTableScan": ("true", "false"),
}


class PolicyMaker:
    def __init__(self, rng, checks):
        self.rng = rng
        self.checks = checks or []
        self.actions = sorted({one.action for one in self.checks}) or ["dynamodb:GetItem"]
        self.resources = sorted({one.resource for one in self.checks}) or ["*"]

    def chance(self, share):
        return self.rng.random() < share

    def action(self, action):
        service, _, name = action.partition(":")
        draw = self.rng.random()
        if draw < 0.55 or not name:
            return action
        if service != "dynamodb":
            return self.rng.choice((f"{service}:*", "*", f"{service}:{name[:6]}*", action.lower(), f"{service}:{name}s", f"{service}:Get*", f"{service}:*Key"))
        return self.rng.choice((f"{service}:*", "*", f"{service}:{name[:3]}*", f"{service}:*{name[-4:]}", action.lower(), action.upper().replace(service.upper(), service),
                                f"{service}:{name[:-1]}?", f"{service}:{name}s", f"{service}:{name[:-1]}", "dynamodb:Get*", "dynamodb:*Item", "dynamodb:PartiQL*", "dynamodb:Scan"))

    def resource(self, resource):
        if resource == "*" or self.chance(0.5):
            return resource
        if resource.startswith("arn:aws:iam:"):
            users, roles = f"arn:aws:iam::{ACCOUNT}:user/", f"arn:aws:iam::{ACCOUNT}:role/"
            return self.rng.choice(("*", users + "*", roles + "*", users + "${aws:username}", users + "victim", users + "caller", roles + "target", users + "v*", f"arn:aws:iam::{ACCOUNT}:*"))
        base, _, tail = resource.partition(":table/")
        table = tail.split("/")[0]
        choices = ["*", f"{base}:table/*", f"{base}:table/{table}*", f"{base}:table/{table[:-1]}?", f"{base}:table/{table}/*", f"{base}:table/{table}/index/*",
                   f"{base}:table/{table}/index/{INDEX}", f"{base}:table/{table}", f"{base}:table/{table.lower()}", table_arn("Test"), table_arn("Prod"), f"{base}:*",
                   "arn:aws:dynamodb:*:*:table/Prod", f"{base}:table/${{aws:PrincipalTag/team}}", f"{base}:table/Pr${{aws:PrincipalTag/none, 'od'}}",
                   f"{base}:table/${{aws:PrincipalTag/none}}",
                   f"{base}:table/*/index/*", f"{base}:table/{table}/stream/*", f"{base}:table/{table}/backup/*", f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/*"]
        return self.rng.choice(choices) if tail else self.rng.choice(("*", resource))

    def own_condition(self):
        key = self.rng.choice(list(OWN))
        check = self.rng.choice(self.checks) if self.checks else None
        asked = [value for world in (check.context.get(key.lower()) or [] if check else []) for value in world or ()]
        values = set(asked) if asked and self.chance(0.6) else set()
        values |= set(self.rng.sample(list(OWN[key]), self.rng.randint(1, max(1, len(OWN[key]) - 1))))
        if asked and self.chance(0.25):
            values.discard(self.rng.choice(asked))
        values = sorted(values) or ["nothing"]
        if key == "dynamodb:LeadingKeys" and self.chance(0.3):
            values = self.rng.choice((["${aws:username}"], ["${aws:PrincipalTag/tenant}"], ["g*"], ["caller", "gr?en"], ["${aws:PrincipalTag/none}"],
                                      ["blue", "${aws:PrincipalTag/none}"], ["${aws:PrincipalTag/none, 'green'}"]))
        if key == "dynamodb:FullTableScan":
            operator = self.rng.choice(("Bool", "Bool", "BoolIfExists", "Null"))
            values = [self.rng.choice(("true", "false"))]
        elif key in ("dynamodb:LeadingKeys", "dynamodb:Attributes"):
            operator = self.rng.choices(("ForAllValues:StringEquals", "ForAllValues:StringLike", "ForAnyValue:StringEquals", "ForAllValues:StringNotEquals",
                                         "ForAnyValue:StringLike", "ForAnyValue:StringNotLike", "StringEquals", "ForAllValues:StringEqualsIgnoreCase",
                                         "ForAllValues:StringEqualsIfExists", "Null", "ForAnyValue:StringNotEquals", "ForAnyValue:StringEqualsIfExists",
                                         "ForAllValues:StringNotLikeIfExists", "StringNotEquals", "StringNotLikeIfExists"),
                                        (10, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))[0]
        else:
            operator = self.rng.choice(("StringEquals", "StringEquals", "StringEqualsIfExists", "StringNotEquals", "StringLike", "StringNotLike",
                                        "ForAnyValue:StringEquals", "Null", "StringNotEqualsIfExists", "ForAllValues:StringEquals",
                                        "ForAnyValue:StringNotEqualsIfExists", "StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase"))
            if self.chance(0.05):
                values = [*values[:1], "${aws:PrincipalTag/none}"]
        if operator == "Null":
            values = [self.rng.choice(("true", "false"))]
        return operator, key, values

    def condition(self, effect):
        block = {}
        for _ in range(self.rng.choices((1, 2, 3), (6, 3, 1))[0]):
            if self.chance(0.65):
                operator, key, values = self.own_condition()
            else:
                operator, key, right, wrong = self.rng.choice(UNKNOWN if self.chance(0.04) else GLOBAL)
                values = right if self.chance(0.6) else wrong
            key = self.rng.choice((key, key, key, key.lower()))
            block.setdefault(operator, {})[key] = values[0] if len(values) == 1 and self.chance(0.5) else values
        return block

    def statement(self, effect):
        out = {"Effect": effect}
        many = self.chance(0.5 if effect == "Allow" else 0.2)
        actions = self.actions if many else [self.action(one) for one in self.rng.sample(self.actions, self.rng.randint(1, min(3, len(self.actions))))]
        resources = self.resources if self.chance(0.4 if effect == "Allow" else 0.15) else \
            [self.resource(one) for one in self.rng.sample(self.resources, self.rng.randint(1, min(2, len(self.resources))))]
        if self.chance(0.08):
            out["NotAction"] = [one for one in actions if one != "*"] or ["dynamodb:Scan"]
        else:
            out["Action"] = actions if len(actions) > 1 or self.chance(0.5) else actions[0]
        if self.chance(0.08):
            out["NotResource"] = [one for one in resources if one != "*"] or [table_arn("Test")]
        else:
            out["Resource"] = resources if len(resources) > 1 or self.chance(0.5) else resources[0]
        if self.chance(0.55 if effect == "Allow" else 0.6):
            out["Condition"] = self.condition(effect)
        return out

    def everything(self):
        return {"Effect": "Allow", "Action": "*", "Resource": "*"}

    def exactly(self):
        """Allows what the requests need and nothing else, sometimes all but one thing."""
        actions, resources = list(self.actions), list(self.resources)
        if self.chance(0.35) and len(actions) > 1:
            actions.remove(self.rng.choice(actions))
        if self.chance(0.35) and len(resources) > 1:
            resources.remove(self.rng.choice(resources))
        out = {"Effect": "Allow", "Action": actions, "Resource": resources}
        if self.chance(0.5):
            out["Condition"] = self.condition("Allow")
        return out

    def guide(self):
        """The pattern of AWS's guide: own items, listed attributes, no way around them."""
        return {"Effect": "Allow", "Action": self.actions, "Resource": self.resources, "Condition": {
            "ForAllValues:StringEquals": {"dynamodb:LeadingKeys": self.rng.choice((["${aws:username}"], ["green"], ["green", "caller"])),
                                          "dynamodb:Attributes": sorted({"pk", "sk", *self.rng.sample(ATTRIBUTES, 3)})},
            "StringEqualsIfExists": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES", "dynamodb:ReturnValues": ["NONE", "UPDATED_OLD", "UPDATED_NEW"]}}}

    def document(self):
        draw = self.rng.random()
        if draw < 0.3:
            statements = [self.exactly()]
        elif draw < 0.4:
            statements = [self.guide()]
        elif draw < 0.65:
            statements = [self.everything(), self.statement("Deny")]
        elif draw < 0.8:
            statements = [self.statement("Allow"), self.statement("Allow")]
        else:
            statements = [self.exactly(), self.statement(self.rng.choice(("Allow", "Deny")))]
        document = {"Version": "2012-10-17", "Statement": statements}
        if self.chance(0.04):
            document["Version"] = "2008-10-17"
        if self.chance(0.02):
            del document["Version"]
        if len(statements) == 1 and self.chance(0.2):
            document["Statement"] = statements[0]
        return document

    def wide(self):
        """Allows much; for the policy types that the one under test meets."""
        return {"Version": "2012-10-17", "Statement": [self.everything()]}

    def resource_document(self, arn, principal):
        """A resource policy for a table or stream, which names the caller, its role, its session, its account, somebody else or everybody."""
        base = [arn, f"{arn}/index/*"] if ":table/" in arn and "/stream/" not in arn else [arn]
        statements = []
        for _ in range(self.rng.randint(1, 2)):
            names = self.rng.choice(([principal.arn], [principal.arn], [principal.role or principal.arn], [ACCOUNT], [f"arn:aws:iam::{ACCOUNT}:root"],
                                     [f"arn:aws:iam::{ACCOUNT}:user/nobody"], ["999999999999", principal.arn]))
            effect = self.rng.choice(("Allow", "Allow", "Deny"))
            one = {"Effect": effect, "Principal": "*" if self.chance(0.4 if effect == "Deny" else 0.1) else {"AWS": names if len(names) > 1 else names[0]},
                   "Action": self.rng.choice((self.actions, [self.rng.choice(self.actions)], ["dynamodb:*"])),
                   "Resource": self.rng.choice((base, [arn], base[-1:]))}
            # A deny of everything, or of the policy's own calls, would lock the administrator out.
            one["Action"] = [action for action in one["Action"] if action.startswith("dynamodb:") and (
                effect == "Allow" or not action.endswith(("ResourcePolicy", "*")))] or ["dynamodb:GetItem"]
            if self.chance(0.4):
                one["Condition"] = self.condition(effect)
            if effect == "Deny" and self.chance(0.35):
                one["NotPrincipal"] = {"AWS": self.spared(principal)}
                del one["Principal"]
            if self.chance(0.1):
                one["NotResource"] = one.pop("Resource")
            statements.append(one)
        return {"Version": "2012-10-17", "Statement": statements}

    def spared(self, principal):
        """The names of a NotPrincipal: all that the caller is, or a part of it, or somebody else."""
        account = self.rng.choice((ACCOUNT, f"arn:aws:iam::{ACCOUNT}:root"))
        everything = [account, principal.arn, *([principal.role] if principal.role else [])]
        if self.chance(0.5):
            return everything
        return self.rng.choice(([account], [principal.arn], everything[1:], [account, f"arn:aws:iam::{ACCOUNT}:user/nobody"], [account, principal.role or principal.arn], ["*"]))

    def malformed(self):
        """A document that breaks the grammar in one place."""
        document = json.loads(json.dumps(self.wide()))
        one = document["Statement"][0]
        kind = self.rng.randrange(10)
        if kind == 0:
            one["NotAction"] = "dynamodb:Scan"
        elif kind == 1:
            document["Statement"] = []
        elif kind == 2:
            one["Resource"] = "table/Prod"
        elif kind == 3:
            one["NotResource"] = "*"
        elif kind == 4:
            one["Effect"] = "allow"
        elif kind == 5:
            one["Condition"] = {"StringSame": {"aws:username": "caller"}}
        elif kind == 6:
            del one["Resource"]
        elif kind == 7:
            one["Action"] = "GetItem"
        elif kind == 8:
            one["Principal"] = "*"
        else:
            one["Colour"] = "red"
        return document
