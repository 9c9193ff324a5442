"""Decides requests by IAM policies. Written from AWS's documentation alone, so that it can disagree with the server.

Sources, in the IAM user guide: "Policy evaluation logic" (explicit deny, then allow, else implicit deny; how resource policies meet boundaries and
session policies), "Grammar of the IAM JSON policy language", "Policy variables", "Condition operators", "Principal", "IAM role trust policies".

A decision is True (allowed), False (denied) or None (the documentation leaves it open).
"""

import dataclasses
import json
import re

from conditions import Text, all3, any3, arn_like, glob, holds, not3, parse_operator, text_of

ACCOUNT = "123456789012"

# Keys that AWS documents for the actions of this server; the value is absent unless the context has it. A condition on any other key is a mistake
# of the policy's author, and an Allow must not rest on it.
DOCUMENTED_KEYS = {
    "dynamodb": {"attributes", "enclosingoperation", "fulltablescan", "leadingkeys", "returnconsumedcapacity", "returnvalues", "select",
                 "firstpartitionkeyvalues", "secondpartitionkeyvalues", "thirdpartitionkeyvalues", "fourthpartitionkeyvalues"},
    "aws": {"calledvia", "calledviafirst", "calledvialast", "currenttime", "epochtime", "federatedprovider", "multifactorauthage",
            "multifactorauthpresent", "principalaccount", "principalarn", "principalisawsservice", "principalorgid", "principalorgpaths",
            "principalservicename", "principalservicenameslist", "principaltype", "referer", "requestedregion", "resourceaccount", "resourceorgid",
            "resourceorgpaths", "securetransport", "sourceaccount", "sourcearn", "sourceidentity", "sourceip", "sourceorgid", "sourceorgpaths",
            "sourcevpc", "sourcevpce", "tagkeys", "tokenissuetime", "useragent", "userid", "username", "viaawsservice", "vpcsourceip",
            "ec2instancesourcevpc", "ec2instancesourceprivateipv4"},
    "iam": {"associatedresourcearn", "awsservicename", "organizationspolicyid", "passedtoservice", "permissionsboundary", "policyarn"},
    "sts": {"awsservicename", "durationseconds", "externalid", "rolesessionname", "sourceidentity", "transitivetagkeys"},
}
TAG_KEYS = ("aws:principaltag/", "aws:requesttag/", "aws:resourcetag/", "iam:resourcetag/")


class Malformed(Exception):
    """The document breaks the grammar."""


def documented(key):
    lowered = key.lower()
    if lowered.startswith(TAG_KEYS):
        return True
    service, _, name = lowered.partition(":")
    return name in DOCUMENTED_KEYS.get(service, ())


@dataclasses.dataclass
class Statement:
    effect: str
    actions: list
    not_actions: bool
    resources: list
    not_resources: bool
    principals: object
    not_principals: bool
    conditions: list  # (operator, key, [values])
    variables: bool


@dataclasses.dataclass
class Principal:
    """Who asks. `arn` is the user's or the session's; `role` the role's ARN for sessions of roles; `temporary` says that STS gave the credentials."""
    arn: str
    role: str = ""
    account: str = ACCOUNT
    temporary: bool = False


def as_list(value):
    return value if isinstance(value, list) else [value]


def strings(value, what):
    values = as_list(value)
    if not values or not all(isinstance(one, str) for one in values):
        raise Malformed(f"{what} has no text")
    return values


def parse_principal(value):
    if value == "*":
        return {"AWS": ["*"]}
    if not isinstance(value, dict) or not value:
        raise Malformed("Principal is neither * nor an object")
    return {kind: strings(names, "Principal") for kind, names in value.items()}


def parse_conditions(block):
    if not isinstance(block, dict):
        raise Malformed("Condition is no object")
    out = []
    for operator, keys in block.items():
        if parse_operator(operator) is None or not isinstance(keys, dict):
            raise Malformed(f"no operator {operator}")
        for key, values in keys.items():
            values = [str(one).lower() if isinstance(one, bool) else str(one) for one in as_list(values)]
            out.append((operator, key, values))
    return out


def parse_statement(raw, kind, variables):
    known = {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Principal", "NotPrincipal", "Condition"}
    if not isinstance(raw, dict) or set(raw) - known:
        raise Malformed("unknown element")
    if raw.get("Effect") not in ("Allow", "Deny"):
        raise Malformed("Effect")
    needs_resource, needs_principal = kind != "trust", kind in ("resource", "trust")
    for positive, negative, needed in (("Action", "NotAction", True), ("Resource", "NotResource", needs_resource),
                                       ("Principal", "NotPrincipal", needs_principal)):
        given = (positive in raw) + (negative in raw)
        if given > 1 or (needed and not given) or (given and not needed):
            raise Malformed(positive)
    actions = strings(raw.get("Action", raw.get("NotAction")), "Action")
    if not all(one == "*" or re.fullmatch(r"[A-Za-z0-9-]+:[A-Za-z0-9*?]+", one) for one in actions):
        raise Malformed("Action")
    resources = strings(raw.get("Resource", raw.get("NotResource")), "Resource") if needs_resource else []
    if not all(one == "*" or one.startswith("arn:") for one in resources):
        raise Malformed("Resource")
    if "NotPrincipal" in raw and (raw["Effect"] == "Allow" or kind == "trust"):
        # "NotPrincipal must be used with Deny"; "you cannot use the NotPrincipal element in an IAM role trust policy".
        raise Malformed("NotPrincipal")
    principals = parse_principal(raw.get("Principal", raw.get("NotPrincipal"))) if needs_principal else None
    return Statement(raw["Effect"], actions, "NotAction" in raw, resources, "NotResource" in raw, principals, "NotPrincipal" in raw,
                     parse_conditions(raw.get("Condition", {})), variables)


def parse_policy(document, kind="identity"):
    """The statements of a document. `kind`: identity (also boundaries and session policies), resource, trust."""
    raw = json.loads(document) if isinstance(document, str) else document
    if not isinstance(raw, dict) or set(raw) - {"Version", "Id", "Statement"}:
        raise Malformed("document")
    version = raw.get("Version", "2008-10-17")
    if version not in ("2008-10-17", "2012-10-17"):
        raise Malformed("Version")
    statements = as_list(raw.get("Statement"))
    if not statements or statements == [None]:
        raise Malformed("Statement")
    return [parse_statement(one, kind, version == "2012-10-17") for one in statements]


VARIABLE = re.compile(r"\$\{\s*([^},]+?)\s*(?:,\s*'([^']*)'\s*)?\}")


def replace_variables(text, context, enabled):
    """The text with its variables replaced, as Text; None where one has no value. "${*}" stands for the character itself."""
    if not enabled or "${" not in text:
        return text_of([(text, True)])
    parts, end = [], 0
    for match in VARIABLE.finditer(text):
        parts.append((text[end:match.start()], True))
        name, default = match.groups()
        end = match.end()
        if name in ("*", "?", "$"):
            parts.append((name, False))
            continue
        worlds = context.get(name.lower(), [None])
        if len(worlds) != 1 or (worlds[0] and len(worlds[0]) > 1):
            return None
        if worlds[0]:
            parts.append((worlds[0][0], False))
        elif default is not None:
            parts.append((default, False))
        else:
            return None
    parts.append((text[end:], True))
    return text_of([part for part in parts if part[0]])


def resource_matches(pattern, resource):
    """Wildcards hold within a colon-separated segment, says "IAM JSON policy elements: Resource"; that they would also span segments is
    common belief. Where the two differ the answer is open."""
    if pattern is None:
        return False
    whole = glob(pattern, resource)
    if str(pattern).count(":") < 5 or not resource.startswith("arn:"):
        return whole
    return whole if whole == arn_like(pattern, resource) else None


def match_resources(statement, resource, context):
    hits = [resource_matches(replace_variables(one, context, statement.variables), resource) for one in statement.resources]
    if statement.not_resources:
        # A variable without a value excludes nothing that is known. Such a statement must not allow, and does not spare from a Deny (docs/adr/0027).
        open_variable = any(replace_variables(one, context, statement.variables) is None for one in statement.resources)
        hit = any3(hits)
        return not3(hit) if hit or not open_variable else statement.effect == "Deny"
    return any3(hits)


def match_conditions(statement, context):
    results = []
    for operator, key, values in statement.conditions:
        if not documented(key):
            # An Allow never rests on a key that nobody documents, and a Deny does not end with one (docs/adr/0027).
            results.append(statement.effect == "Deny")
            continue
        wanted = [replace_variables(one, context, statement.variables) for one in values]
        outcomes = {holds(operator, wanted, world, statement.effect == "Deny") for world in context.get(key.lower(), [None])}
        results.append(outcomes.pop() if len(outcomes) == 1 else None)
    return all3(results)


def match_action(statement, action):
    hit = any(glob(one, action, ignore_case=True) for one in statement.actions)
    return hit != statement.not_actions


def match_statement(statement, action, resource, context):
    if not match_action(statement, action):
        return False
    return all3([match_resources(statement, resource, context) if statement.resources else True, match_conditions(statement, context)])


def principal_kind(statement, principal):
    """How a statement of a resource policy names the caller: "direct", "role", "account", or None."""
    names = statement.principals.get("AWS", [])
    if principal.arn in names or "*" in names:
        return "direct"
    if principal.role and principal.role in names:
        return "role"
    if principal.account in names or f"arn:aws:iam::{principal.account}:root" in names:
        return "account"
    return None


@dataclasses.dataclass
class Policies:
    """Everything that is asked. A boundary or session policy of None means that there is none."""
    identity: list = dataclasses.field(default_factory=list)  # of lists of statements
    boundary: list = None
    session: list = None
    resource: dict = dataclasses.field(default_factory=dict)  # ARN of a table or stream → statements


def resource_policy_of(policies, resource):
    """A table's policy covers its indexes ("Resource-based policies for DynamoDB"), a stream has its own, backups and exports have none."""
    if "/index/" in resource:
        resource = resource[: resource.index("/index/")]
    return policies.resource.get(resource)


def matches(statements, effect, action, resource, context):
    return any3(match_statement(one, action, resource, context) for one in statements if one.effect == effect)


def escapes(statement, principal, bounded):
    """Whether a NotPrincipal spares the caller. The guide names, besides the one to spare, its account, and for a session its role: naming less
    "might explicitly deny access to the account". It "will always deny any IAM principal that has a permissions boundary"."""
    names = statement.principals.get("AWS", [])
    account = principal.account in names or f"arn:aws:iam::{principal.account}:root" in names
    named = account and principal.arn in names and (not principal.role or principal.role in names)
    return not bounded and ("*" in names or named)


def resource_grants(statements, principal, action, resource, context, bounded):
    """({"direct": …, "role": …, "account": …}, denied) of a resource policy."""
    grants, denied = {"direct": False, "role": False, "account": False}, False
    for one in statements:
        kind = principal_kind(one, principal)
        if one.not_principals:
            kind = None if escapes(one, principal, bounded) else "direct"
        if kind is None:
            continue
        hit = match_statement(one, action, resource, context)
        if one.effect == "Deny":
            denied = any3([denied, hit])
        else:
            grants[kind] = any3([grants[kind], hit])
    return grants, denied


def decide(principal, action, resource, context, policies, trust=None):
    """Whether the action is allowed. With `trust`, a role's trust policy, that policy has to allow it too."""
    own = [*policies.identity, *([policies.boundary] if policies.boundary is not None else []),
           *([policies.session] if policies.session is not None else [])]
    denied = any3(matches(one, "Deny", action, resource, context) for one in own)
    grants = {"direct": False, "role": False, "account": False}
    shared = trust if trust is not None else resource_policy_of(policies, resource)
    if shared is not None:
        grants, shared_denied = resource_grants(shared, principal, action, resource, context, policies.boundary is not None)
        denied = any3([denied, shared_denied])
    identity = any3(matches(one, "Allow", action, resource, context) for one in policies.identity)
    boundary = True if policies.boundary is None else matches(policies.boundary, "Allow", action, resource, context)
    session = True if policies.session is None else matches(policies.session, "Allow", action, resource, context)
    if trust is not None:
        # "IAM role trust policies must explicitly allow access for principals": naming the account hands the decision to its identity policies.
        allowed = any3([grants["direct"], all3([any3([grants["role"], all3([grants["account"], identity])]), boundary, session])])
    else:
        # An account as principal delegates, which within the account adds nothing to what identity policies say.
        allowed = any3([grants["direct"], all3([any3([identity, grants["role"]]), boundary, session])])
    return all3([not3(denied), allowed])
