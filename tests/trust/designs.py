#!/usr/bin/env python3
"""Proves pairs of designs: a wrong one, which `prejoin prove` must find, and its right twin, which it must not accuse.

A pair is a model file in which lines that begin with `-` belong to the wrong design and lines that begin with `+` to the
right one. `// finds: REGEX` in its head is about the report of the wrong one, so that a design that is refused for another
reason does not count as found.

    designs.py PREJOIN [NAME ...] [--folder DIR] [--write DIR] [--verbose]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def split(text):
    wrong, right = [], []
    for line in text.splitlines():
        if line.startswith("-"):
            wrong.append(" " + line[1:])
        elif line.startswith("+"):
            right.append(" " + line[1:])
        else:
            wrong.append(line)
            right.append(line)
    return "\n".join(wrong) + "\n", "\n".join(right) + "\n"


def prove(prejoin, path):
    # Estimates have judges of their own.
    done = subprocess.run([prejoin, "prove", "--no-estimates", path], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def judge(prejoin, pair, folder):
    """The complaints about one pair, and what was printed."""
    text = pair.read_text(encoding="utf-8")
    finds = re.search(r"^// finds: (.*)$", text, re.MULTILINE)
    wrong, right = split(text)
    complaints, printed = [], ""
    if not finds:
        complaints.append("does not say what it finds")
    if wrong == right:
        complaints.append("has no twin")
    for kind, model in (("wrong", wrong), ("right", right)):
        path = folder / f"{pair.stem}.{kind}.prejoin"
        path.write_text(model, encoding="utf-8")
        code, output = prove(prejoin, path)
        printed += output
        # Reports are folded to the width of a terminal.
        flat = re.sub(r"\s+", " ", output)
        if kind == "wrong" and code == 0:
            complaints.append("missed")
        elif kind == "wrong" and finds and not re.search(finds[1], flat):
            complaints.append("refused for another reason")
        elif kind == "right" and code != 0:
            complaints.append("right twin accused")
    return complaints, printed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prejoin")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(__file__).parent / "designs")
    parser.add_argument("--write", type=pathlib.Path, help="keep the model files of the pairs here")
    parser.add_argument("--verbose", action="store_true", help="print the reports of pairs with complaints")
    arguments = parser.parse_args()
    pairs = sorted(p for p in arguments.folder.glob("*.pair") if not arguments.names or p.stem in arguments.names)
    if not pairs:
        sys.exit("designs.py: there are no pairs")
    counts = {}
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.write or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for pair in pairs:
            complaints, printed = judge(arguments.prejoin, pair, folder)
            failed += 1 if complaints else 0
            for complaint in complaints:
                counts[complaint] = counts.get(complaint, 0) + 1
            print(f"{pair.stem}: {', '.join(complaints) or 'found, twin clean'}")
            if complaints and arguments.verbose:
                print(printed)
    missed = counts.get("missed", 0) + counts.get("refused for another reason", 0)
    print(f"{len(pairs) - missed} of {len(pairs)} wrong designs found, "
          f"{counts.get('right twin accused', 0)} of {len(pairs)} right ones accused")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
