"""The models whose generated code is called by random scripts, in every language.

Stands apart from generated.py because the build reads it too, and a build has no boto3.
"""

import os
import pathlib
import re

import hostile_model
import random_model

ROOT = pathlib.Path(__file__).resolve().parents[2]

MODELS = ["d01", "d02", "d03", "d04", "d05", "d06", "d07", "d08", "d09",
          # Keys that an update renders again, a list, shards, two kinds of rows in one index, a sum beside what changes.
          "d10", "p02", "p11", "f01", "w04",
          # Stated values, conditions beside rendered keys, counters, totals, rows that go with others.
          "s01", "s03",
          # Counts and sums, of either side of a relationship.
          "s04", "s05",
          # Rows with an item in each of two layouts.
          "w05"]
STEPS = 36


def readme_model(folder):
    text = (ROOT / "README.md").read_text()
    path = folder / "school.prejoin"
    model = re.search(r"```prejoin\n(.*?)```", text, re.S).group(1)
    # D4 has the same title, and a package is called by it.
    path.write_text(re.sub(r'model "[^"]*"', 'model "School"', model, count=1))
    return path


def random_models(folder):
    """The same histories on the same models in every language. GEN_RANDOM_SEEDS: others, or more; gen_cpp must be built with the same."""
    for seed in os.environ.get("GEN_RANDOM_SEEDS", "1 2 3").split():
        path = folder / f"random_{seed}.prejoin"
        path.write_text(random_model.random_model(int(seed)))
        yield path


def hostile_models(seeds, folder):
    first, last = map(int, seeds.split("-"))
    for seed in range(first, last + 1):
        path = folder / f"hostile_{seed}.prejoin"
        # Two models of one title would be one package, the scripts print no bytes, and no object of JavaScript holds a `__proto__`.
        text = hostile_model.hostile_model(seed).replace(" binary(", " text(").replace("__proto__", "proto__")
        path.write_text(re.sub(r'^model ".*"', f'model "Hostile {seed}"', text, count=1))
        yield path


def model_paths(names, folder):
    if not names:
        names = MODELS
        yield readme_model(folder)
        yield from random_models(folder)
        # Lock items, removed attributes, writes that name their row, names that languages need themselves.
        yield ROOT / "tests/gen/bike_hire.prejoin"
        # Scans, of a table with several entities and lock items.
        yield ROOT / "tests/gen/scanned.prejoin"
        yield ROOT / "tests/gen/measures.prejoin"
        yield ROOT / "tests/gen/collisions.prejoin"
    for name in names:
        path = pathlib.Path(name)
        yield path if path.is_file() else next((ROOT / "examples" / "models").glob(name + "*.prejoin"))
