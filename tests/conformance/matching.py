"""Compares an answer with what a case expects. README.md lists the wildcards."""

import json
import re

REST = "…"
ANY_ORDER = "$any-order"


def expand(value, names):
    """Replaces @Table, $i$, $x*1000$ and bound $names in whatever is sent or expected."""
    if isinstance(value, dict):
        return {expand(key, names): expand(member, names) for key, member in value.items()}
    if isinstance(value, list):
        return [expand(member, names) for member in value]
    if not isinstance(value, str):
        return value
    if re.fullmatch(r"\$\w+", value) and value in names:
        return names[value]
    value = re.sub(r"\$([^$*]+)\*(\d+)\$", lambda match: match.group(1) * int(match.group(2)), value)
    value = re.sub(r"@(\w+)", lambda match: names.get(match.group(0), match.group(0)), value)
    return value.replace("$i$", str(names.get("$i$", "$i$")))


def differences(expected, found, names, path="answer"):
    """Sentences about where they differ; empty if they match. Binds $names that are met for the first time."""
    if expected == "*":
        return []
    if isinstance(expected, str) and re.fullmatch(r"\$\w+", expected):
        if expected not in names:
            names[expected] = found
            return []
        expected = names[expected]
    if isinstance(expected, dict) and list(expected) == [ANY_ORDER]:
        return differences_in_any_order(expected[ANY_ORDER], found, names, path)
    if isinstance(expected, dict) and isinstance(found, dict):
        return [line for key in sorted(set(expected) | set(found)) if key != REST
                for line in member_differences(expected, found, key, names, path)]
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return [f"{path}: {len(expected)} expected, {len(found)} found: {brief(found)}"]
        return [line for index, pair in enumerate(zip(expected, found))
                for line in differences(*pair, names, f"{path}[{index}]")]
    same_type = isinstance(expected, bool) == isinstance(found, bool)
    if expected == found and same_type:
        return []
    return [f"{path}: expected {brief(expected)}, found {brief(found)}"]


def member_differences(expected, found, key, names, path):
    if key not in found:
        return [f"{path}.{key}: missing, expected {brief(expected[key])}"]
    if key not in expected:
        return [] if REST in expected else [f"{path}.{key}: not expected, found {brief(found[key])}"]
    return differences(expected[key], found[key], names, f"{path}.{key}")


def differences_in_any_order(expected, found, names, path):
    if not isinstance(found, list) or len(found) != len(expected):
        return [f"{path}: {len(expected)} members expected in any order, found {brief(found)}"]
    left = list(found)
    for member in expected:
        match = next((candidate for candidate in left if not differences(member, candidate, dict(names))), None)
        if match is None:
            return [f"{path}: no member is {brief(member)} among {brief(left)}"]
        differences(member, match, names)
        left.remove(match)
    return []


def brief(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:200]}… ({len(text)} characters)"
