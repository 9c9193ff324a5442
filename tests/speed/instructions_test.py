#!/usr/bin/python3
"""The hot operations cost as many instructions as tests/speed/instructions.txt says, within 3 %. A clock cannot be asked on a shared machine.

A change that makes one dearer fails, and so does one that makes it cheaper, so that the figures stay true. When the change is meant:
tests/speed/instructions_test.py --write. The figures hold for the release build with the compiler and the libraries of Debian 12 on x86-64.
"""

import os
import pathlib
import platform
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import callgrind  # noqa: E402

FIGURES = pathlib.Path(__file__).resolve().parent / "instructions.txt"
PROGRAM = os.environ.get("PREJOIN_BINARY", str(ROOT / "build/release/prejoin"))
TOLERANCE = 0.03
SKIPPED = 77


def reason_to_skip():
    if platform.machine() != "x86_64":
        return "the figures are those of x86-64"
    if os.environ.get("PREJOIN_SANITIZE"):
        return "a sanitizer costs more than what it watches"
    debian = pathlib.Path("/etc/debian_version")
    if not debian.exists() or not debian.read_text().startswith("12."):
        return "the figures hold for the compiler and the libraries of Debian 12"
    if shutil.which("valgrind") is None:
        return "valgrind is missing: scripts/setup test"
    return None


def read_figures():
    figures = {}
    for line in FIGURES.read_text().splitlines():
        if line and not line.startswith("#"):
            operation, number = line.rsplit(" ", 1)
            figures[operation.strip()] = int(number)
    return figures


def write_figures(counts):
    lines = ["# Instructions of one request in memory, in user space, on the event loop: tests/speed/instructions_test.py --write"]
    lines += [f"{operation:<20} {number:.0f}" for operation, number in counts.items()]
    FIGURES.write_text("\n".join(lines) + "\n")


def main():
    if reason := reason_to_skip():
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    counts = dict(callgrind.per_request(PROGRAM, "memory", list(callgrind.REQUESTS)))
    if sys.argv[1:] == ["--write"]:
        write_figures(counts)
        return
    figures = read_figures()
    assert figures.keys() == counts.keys(), f"{FIGURES} has {list(figures)}"
    failed = False
    for operation, number in counts.items():
        ratio = number / figures[operation]
        wrong = abs(ratio - 1) > TOLERANCE
        failed = failed or wrong
        print(f"{operation:<20} {number:>8,.0f}, expected {figures[operation]:>8,}: {ratio:.3f}{'  <- more than 3 % off' if wrong else ''}")
    if failed:
        sys.exit(f"If that is meant, run {pathlib.Path(__file__).name} --write and commit {FIGURES.name} with the reason.")


if __name__ == "__main__":
    main()
