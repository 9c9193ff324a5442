"""Compares what two builds generate, byte for byte: every target, for every model of the tree and for random and hostile ones.

same_output.py BEFORE AFTER [COUNT]: two binaries of gen_script, and how many models of each random kind; exits with 1 if a file differs.
"""

import pathlib
import subprocess
import sys
import tempfile

import random_model

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOWN_MAX = 40


def write_models(tool, folder, count):
    """Copies, so that two models with one file name stay apart."""
    for path in sorted([*ROOT.glob("examples/**/*.prejoin"), *ROOT.glob("tests/**/*.prejoin")]):
        (folder / ("_".join(path.relative_to(ROOT).parts))).write_bytes(path.read_bytes())
    for seed in range(1, count + 1):
        (folder / f"written_{seed}.prejoin").write_text(random_model.random_model(seed))
        for kind in ("random", "hostile"):
            text = subprocess.run([tool, "model", kind, str(seed)], check=True, capture_output=True).stdout
            (folder / f"{kind}_{seed}.prejoin").write_bytes(text)


def files_of(tool, models, folder):
    if subprocess.run([tool, "files", folder, *models], check=False).returncode != 0:
        sys.exit(f"{tool} failed")
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def first_difference(before, after):
    lines = zip([*before.split(b"\n"), b"<end>"], [*after.split(b"\n"), b"<end>"])
    for number, (old, new) in enumerate(lines, start=1):
        if old != new:
            return f"line {number}:\n  - {old.decode(errors='replace')}\n  + {new.decode(errors='replace')}"
    return "same lines"


def main(before, after, count="60"):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = folder / "models"
        models.mkdir()
        write_models(after, models, int(count))
        paths = sorted(models.iterdir())
        old, new = (files_of(tool, paths, folder / side) for tool, side in ((before, "before"), (after, "after")))
    if not old:
        sys.exit("nothing was generated")
    different = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path)]
    for path in different[:SHOWN_MAX]:
        gone = "is gone" if path not in new else "is new" if path not in old else first_difference(old[path], new[path])
        print(f"{path}: {gone}")
    print(f"{len(old)} files of {len(paths)} models, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
