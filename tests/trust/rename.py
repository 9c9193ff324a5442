#!/usr/bin/env python3
"""Renames everything in models and compares the verdicts: what `check` and `prove` say must not depend on names.

Entities, attributes, parameters and key attributes get names of the same length that mean nothing, so sizes and prices stay
as they are too. Words of the language keep their meaning: a name that is one stays.

    rename.py PREJOIN FILE ... [--write DIR]
"""
import argparse
import json
import pathlib
import re
import string
import subprocess
import sys
import tempfile

SYMBOLS = string.digits + string.ascii_lowercase


def run(prejoin, *arguments):
    done = subprocess.run([prejoin, *arguments], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout


def names_of(model):
    """The names that a person chose, without those of parameters."""
    names = set()

    def attributes(all_of_them):
        for one in all_of_them:
            names.add(one["name"])
            attributes(one.get("members", []))

    for kind in ("entities", "relationships", "patterns", "writes", "tables"):
        for one in model.get(kind, []):
            names.add(one["name"])
    for entity in model["entities"]:
        attributes(entity["attributes"])
    for table in model.get("tables", []):
        for one in [table, *table.get("indexes", [])]:
            names.update(one[key] for key in ("name", "partition", "sort", "typeAttribute") if isinstance(one.get(key), str))
            names.update(name for key in ("partition", "sort") if isinstance(one.get(key), list) for name in one[key])
        for item in table.get("items", []):
            names.update(stored["name"] for stored in item.get("attributes", []))
    return {name for name in names if name}


class Neutral:
    """Names of the same length as the old ones, in the order in which they come up."""

    def __init__(self, taken):
        self.names, self.taken, self.numbers = {}, set(taken), {}

    def __call__(self, kind, name):
        key = (kind, name)
        while key not in self.names:
            number = self.numbers[len(name)] = self.numbers.get(len(name), -1) + 1
            first = "Z" if name[0].isupper() else "q"
            rest = ""
            for _ in range(len(name) - 1):
                rest, number = SYMBOLS[number % len(SYMBOLS)] + rest, number // len(SYMBOLS)
            new = (first + rest) if len(name) > 1 else (string.ascii_letters[number % 52])
            # Hyphens need placeholders in expressions, which is a finding of its own.
            new = "".join(old if not old.isalnum() else now for old, now in zip(name, new, strict=True))
            if number > 0 and len(name) > 1:
                new = name  # No name of this length is left.
            elif new in self.taken:
                continue
            self.names[key] = new
            self.taken.add(new)
        return self.names[key]


def renamed(text, names, words):
    neutral = Neutral(names | words)
    chosen = names - words

    def swap(code):
        def one(match):
            name = match[2]
            if match[1] == ":":
                return ":" + neutral("parameter", name)
            return match[1] + (neutral("name", name) if name in chosen else name)
        return re.sub(r"([:]?)\b([A-Za-z_][A-Za-z0-9_]*(?:[-#][A-Za-z0-9_]+)*)", one, code)

    def line(source):
        if re.match(r"\s*example\b", source):
            source = re.sub(r"(\w+)( *=)", lambda m: neutral("parameter", m[1]) + m[2], source)
            return source
        parts = re.split(r'("(?:[^"\\]|\\.)*"|//.*)', source)
        keys = re.match(r"\s*[\w#-]+\s*=\s*$", parts[0]) is not None
        for i, part in enumerate(parts):
            if i % 2 == 0:
                parts[i] = swap(part)
            elif keys and part.startswith('"'):
                parts[i] = re.sub(r"\{([^}]*)\}", lambda m: "{" + swap(m[1]) + "}", part)
        return "".join(parts)

    return "\n".join(line(one) for one in text.split("\n"))


def verdict(prejoin, path):
    code, found = run(prejoin, "check", "--json", path)
    rules = sorted((one["rule"], one["line"]) for one in json.loads(found)) if found else [code]
    code, proof = run(prejoin, "prove", "--no-estimates", "--json", path)
    if not proof:
        return rules, [code]
    proof = json.loads(proof)
    # Word by word only the names differ; the number of problems is enough.
    parts = [len(one["problems"]) for kind in ("patterns", "writes") for one in proof.get(kind, [])]
    return rules, [code, parts]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prejoin")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path, help="keep the renamed models here")
    arguments = parser.parse_args()
    words = {word["word"] for word in json.loads(run(arguments.prejoin, "lsp", "--words")[1])}
    failed = compared = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.write or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for path in arguments.files:
            code, tree = run(arguments.prejoin, "fmt", "--json", path)
            if code != 0:
                continue  # A model with errors has no names to ask for.
            text = path.read_text(encoding="utf-8")
            other = folder / path.name
            other.write_text(renamed(text, names_of(json.loads(tree)), words), encoding="utf-8")
            before, after = verdict(arguments.prejoin, path), verdict(arguments.prejoin, other)
            compared += 1
            if before != after:
                failed += 1
                print(f"{path.stem}: with other names the verdict is different\n  {before}\n  {after}")
    print(f"{compared} models compared under neutral names, {failed} differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
