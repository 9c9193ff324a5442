"""Condition operators of IAM policies, after AWS's "IAM JSON policy elements: Condition operators" and "Set operators for multivalued keys".

Answers are three-valued: True, False, and None where AWS's documentation leaves the answer open. The caller treats None as "either is right", so
that the comparison with the server never rests on a guess.
"""

import base64
import binascii
import datetime
import decimal
import functools
import ipaddress
import re


def all3(values):
    values = list(values)
    return False if False in values else None if None in values else True


def any3(values):
    values = list(values)
    return True if True in values else None if None in values else False


def not3(value):
    return None if value is None else not value


class Text(str):
    """A policy's text in which variables have been replaced. `parts` says which characters are a pattern: [(text, is_pattern)]."""

    parts = ()


def text_of(parts):
    text = Text("".join(part for part, _ in parts))
    text.parts = tuple(parts)
    return text


@functools.lru_cache(maxsize=20000)
def compile_parts(parts, ignore_case):
    out = []
    for part, is_pattern in parts:
        escaped = re.escape(part)
        out.append(escaped.replace(r"\*", ".*").replace(r"\?", ".") if is_pattern else escaped)
    return re.compile("".join(out), re.DOTALL | (re.IGNORECASE if ignore_case else 0))


def glob(pattern, text, ignore_case=False):
    parts = pattern.parts if isinstance(pattern, Text) else ((pattern, True),)
    return compile_parts(tuple(parts), ignore_case).fullmatch(text) is not None


def split_fields(parts, count):
    """The colon-separated fields of a text with parts; the last of `count` fields keeps its colons."""
    fields = [[]]
    for part, is_pattern in parts:
        while part:
            head, colon, rest = part.partition(":")
            if colon and len(fields) < count:
                fields[-1].append((head, is_pattern))
                fields.append([])
                part = rest
            else:
                fields[-1].append((part, is_pattern))
                part = ""
    return fields


def arn_like(pattern, text):
    """Each of the six colon-delimited components is checked separately, and each can have wildcards."""
    parts = pattern.parts if isinstance(pattern, Text) else ((pattern, True),)
    fields, values = split_fields(parts, 6), text.split(":", 5)
    if len(values) != 6 or len(fields) != 6:
        return False
    return all(glob(text_of(field), value) for field, value in zip(fields, values))


def number(text):
    try:
        value = decimal.Decimal(text)
        return value if value.is_finite() else None
    except decimal.InvalidOperation:
        return None


def moment(text):
    """ISO 8601 (W3C profile) or epoch seconds, as a number of seconds."""
    if re.fullmatch(r"\d+", text):
        return decimal.Decimal(text)
    try:
        value = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    return decimal.Decimal(value.timestamp())


def ordered(parse, compare):
    def check(wanted, value):
        left, right = parse(value), parse(str(wanted))
        return None if left is None or right is None else compare(left, right)
    return check


def in_network(wanted, value):
    try:
        return ipaddress.ip_address(value) in ipaddress.ip_network(str(wanted), strict=False)
    except ValueError:
        return None


def binary(wanted, value):
    try:
        return base64.b64decode(str(wanted), validate=True) == base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None


# name: (compare(policy value, request value), negated)
OPERATORS = {
    "stringequals": (lambda wanted, value: str(wanted) == value, False),
    "stringnotequals": (lambda wanted, value: str(wanted) == value, True),
    "stringequalsignorecase": (lambda wanted, value: str(wanted).lower() == value.lower(), False),
    "stringnotequalsignorecase": (lambda wanted, value: str(wanted).lower() == value.lower(), True),
    "stringlike": (glob, False),
    "stringnotlike": (glob, True),
    "numericequals": (ordered(number, lambda a, b: a == b), False),
    "numericnotequals": (ordered(number, lambda a, b: a == b), True),
    "numericlessthan": (ordered(number, lambda a, b: a < b), False),
    "numericlessthanequals": (ordered(number, lambda a, b: a <= b), False),
    "numericgreaterthan": (ordered(number, lambda a, b: a > b), False),
    "numericgreaterthanequals": (ordered(number, lambda a, b: a >= b), False),
    "dateequals": (ordered(moment, lambda a, b: a == b), False),
    "datenotequals": (ordered(moment, lambda a, b: a == b), True),
    "datelessthan": (ordered(moment, lambda a, b: a < b), False),
    "datelessthanequals": (ordered(moment, lambda a, b: a <= b), False),
    "dategreaterthan": (ordered(moment, lambda a, b: a > b), False),
    "dategreaterthanequals": (ordered(moment, lambda a, b: a >= b), False),
    "bool": (lambda wanted, value: str(wanted).lower() == value.lower(), False),
    "binaryequals": (binary, False),
    "ipaddress": (in_network, False),
    "notipaddress": (in_network, True),
    # AWS's documentation: ArnEquals and ArnLike behave identically.
    "arnequals": (arn_like, False),
    "arnlike": (arn_like, False),
    "arnnotequals": (arn_like, True),
    "arnnotlike": (arn_like, True),
}


def parse_operator(name):
    """(qualifier, operator, if_exists) of "ForAllValues:StringLikeIfExists", or None if there is no such operator."""
    qualifier, _, operator = name.rpartition(":")
    if qualifier not in ("", "ForAllValues", "ForAnyValue"):
        return None
    lowered = operator.lower()
    if lowered == "null":
        return qualifier, "null", False
    if_exists = lowered.endswith("ifexists")
    lowered = lowered[: -len("ifexists")] if if_exists else lowered
    return (qualifier, lowered, if_exists) if lowered in OPERATORS else None


def holds(operator_name, wanted, values, doubt):
    """Whether a condition holds. `wanted` has the policy's values (None for one whose variable has no value), `values` the request's, or None
    for a key that the request does not have. `doubt` is the answer where the documentation has none: such a clause fails in an Allow and holds in
    a Deny (docs/adr/0027)."""
    qualifier, operator, if_exists = parse_operator(operator_name)
    if operator == "null":
        absent = not values
        return any3((str(one).lower() == "true") == absent for one in wanted)
    if not values:
        if if_exists:
            return True
        if qualifier:
            # "If the key values resolve to an empty data set, ForAllValues returns true and ForAnyValue returns false."
            return qualifier == "ForAllValues"
        return OPERATORS[operator][1]
    compare, negated = OPERATORS[operator]

    def one(value):
        # A variable without a value matches nothing; what that means when negated is not documented.
        hits = [compare(want, value) for want in wanted if want is not None]
        if negated and None in wanted and True not in hits:
            return doubt
        return not3(any3(hits)) if negated else any3(hits)

    results = [one(value) for value in values]
    if qualifier == "ForAllValues":
        return all3(results)
    if qualifier == "ForAnyValue":
        return any3(results)
    # Without a set operator, a key with several values is documented as a mistake, not as a result.
    return results[0] if all(result is results[0] for result in results) else doubt
