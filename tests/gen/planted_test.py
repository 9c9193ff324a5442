#!/usr/bin/python3
"""Faults planted in the tables of spellings, and whether the random histories find them: a part exchanged for another one, a line or an
optional part left out. A fault counts if it changes the code of the models, not only its comments.

planted_test.py [--languages python,typescript] [--faults 6] [--seed 1]: needs GEN_SCRIPT, and what the languages need (generated.py).
It fails if fewer than nine in ten faults of a language are found, and prints the others.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "rig"))

import random_model  # noqa: E402
import spelling_test  # noqa: E402

TABLES = {"python": "python/python", "boto3": "python/boto3", "typescript": "typescript/typescript", "go": "go/go", "go-structs": "go/structs",
          "java": "java/java", "java-beans": "java/beans", "rust": "rust/rust", "cpp": "cpp/cpp"}
# Names, imports and texts around the code.
ASIDE = re.compile(r"(reserved|declares|import|path|readme|files|modules|language|install|needs|fence|lines|support|package|example)(_.*)?|"
                   r".*_(top|bottom|taken|style|suffix|modules)")
COMMENT = re.compile(r"^\s*(//|///|#|\*|/\*).*$|\"\"\".*?\"\"\"", re.M | re.S)


def faulty(text, choose):
    """The text with one fault, or nothing if it has no place for one."""
    parts = list(re.finditer(r"\$[a-z_]+", text))
    groups = list(re.finditer(r"\$[?!][a-z_]+«[^«»]*»", text))
    kind = choose.choice(["swap", "group", "line"])
    if kind == "swap" and len({part.group() for part in parts}) > 1:
        one, other = sorted(choose.sample(parts, 2), key=lambda part: part.start())
        return text[:one.start()] + other.group() + text[one.end():other.start()] + one.group() + text[other.end():]
    if kind == "group" and groups:
        gone = choose.choice(groups)
        return text[:gone.start()] + text[gone.end():]
    lines = text.splitlines(keepends=True)
    if kind == "line" and len(lines) > 3:
        del lines[choose.randrange(1, len(lines))]
        return "".join(lines)
    return None


def files_of(model, language, texts, folder):
    """The generated package without comments; nothing if it cannot be written."""
    done = subprocess.run([os.environ["GEN_SCRIPT"], "files", str(folder), str(model)], check=False, capture_output=True,
                          env={**os.environ, "GEN_TEXTS": str(texts)})
    if done.returncode != 0:
        return None
    made = folder / model.stem / language
    return {path.name: COMMENT.sub("", path.read_text()) for path in sorted(made.rglob("*")) if path.is_file() and path.suffix != ".md"}


def planted(language, model, choose, work):
    """A copy of src/gen with a fault in the language's table that changes the code of the model, and what the fault is."""
    whole = files_of(model, language, ROOT / "src/gen", work / "whole")
    assert whole
    for attempt in range(1000):
        texts, name = work / f"texts{attempt}", f"{TABLES[language]}.spelling"
        table = (ROOT / "src/gen" / name).read_text()
        entries = {entry: text for entry, text in spelling_test.entries(table).items() if not ASIDE.fullmatch(entry)}
        entry = choose.choice(sorted(entries))
        changed = faulty(entries[entry], choose)
        if changed is None or changed == entries[entry]:
            continue
        shutil.copytree(ROOT / "src/gen", texts)
        (texts / name).write_text(table.replace(f"\n{entry}:{entries[entry]}".rstrip("\n"), f"\n{entry}:{changed}".rstrip("\n"), 1))
        made = files_of(model, language, texts, work / f"made{attempt}")
        if made is not None and made != whole:
            return texts, f"{entry}: {changed.strip()} instead of {entries[entry].strip()}"
        shutil.rmtree(texts)
    raise AssertionError(f"no fault changes the code of {language}")


def is_found(language, models, texts):
    command = [sys.executable, str(ROOT / "tests/gen/generated.py"), language, *map(str, models)]
    return subprocess.run(command, check=False, capture_output=True, env={**os.environ, "GEN_TEXTS": str(texts)}).returncode != 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--languages", default="python,typescript")
    parser.add_argument("--faults", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = False
    for language in options.languages.split(","):
        choose, missed = random.Random(f"{options.seed} {language}"), []
        for _ in range(options.faults):
            with tempfile.TemporaryDirectory() as work:
                work = pathlib.Path(work)
                models = []
                for seed in (1, 2, 3):
                    models.append(work / f"random_{seed}.prejoin")
                    models[-1].write_text(random_model.random_model(seed))
                texts, fault = planted(language, models[0], choose, work)
                if not is_found(language, models, texts):
                    missed.append(fault)
        print(f"{language}: {options.faults - len(missed)} of {options.faults} planted faults found")
        for fault in missed:
            print(f"  not found: {fault}")
        failed = failed or len(missed) * 10 > options.faults
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
