#!/usr/bin/python3
"""What large models and large proofs take: bench/models.py [ROWS], with PREJOIN_BINARY or build/release/prejoin.

A model of 60 entities, 150 patterns and 60 writes beside one of a tenth of that, and the proof of ROWS generated rows (a million
unless told) beside that of a tenth: the ratios show what does not grow in proportion.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = os.environ.get("PREJOIN_BINARY", str(ROOT / "build/release/prejoin"))
ROUNDS = 5
PROOFS = 3
VERBS = (["check"], ["explain"], ["cost"])


def write_model(entities, patterns):
    """Owners with things: a collection, an index by state and one by day, copies and writes."""
    out, items = ['model "Large"\n'], []
    pairs = entities // 2
    for n in range(pairs):
        out.append(f"""
entity Owner{n} {{
  id    text(~8) key
  name  text(~20) changes 1/year
  since date
  count 1_000
}}
entity Thing{n} {{
  ownerId references Owner{n}.id key
  id      text(~8) key
  title   text(~30)
  state   text(~6) values ("open", "done", "lost")
  day     date distinct 400
  size    number(4)
}}
relationship Things{n}: Owner{n} one-to-many Thing{n} {{
  each Owner{n} has ~20, at most 500
}}
write Add{n} {{
  put Thing{n} once
  rate 5/s
}}
write Close{n} {{
  update Thing{n} set state
  rate 1/s
}}
""")
        items.append(f"""  item Owner{n} {{
    PK = "OWNER{n}#{{id}}"
    SK = "#OWNER"
  }}
  item Thing{n} {{
    PK     = "OWNER{n}#{{ownerId}}"
    SK     = "THING#{{id}}"
    GSI1PK = "THING{n}#{{state}}#{{shard 4 of id}}"
    GSI1SK = "{{day}}#{{id}}"
    GSI2PK = "THING{n}#{{id}}"
    GSI2SK = "THING"
    ownerName = copy of Owner{n}.name kept by stream
  }}
""")
    asks = (
        lambda n: f"  find Owner{n} where id = :o\n  find Thing{n} where ownerId = :o order by id\n  rate 20/s\n",
        lambda n: f"  find Thing{n} where state = :s and day >= :from order by day limit 20\n  rate 5/s\n",
        lambda n: f"  find Thing{n} where id = :t\n  rate 50/s\n",
        lambda n: f"  find Thing{n} where ownerId = :o get id, title, Owner{n}.name\n  rate 10/s\n",
        lambda n: f"  find Thing{n} where ownerId = :o and state = :s\n  rate 2/s\n",
    )
    for i in range(patterns):
        out.append(f"pattern Ask{i} {{\n{asks[i // pairs % len(asks)](i % pairs)}}}\n")
    out.append("table Main partition PK sort SK {\n"
               "  index GSI1 partition GSI1PK sort GSI1SK project all\n"
               "  index GSI2 partition GSI2PK sort GSI2SK project all\n" + "".join(items) + "}\n")
    return "".join(out)


def run(*words):
    """Seconds of processor time and megabytes at most."""
    with subprocess.Popen([BINARY, *words], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 1:
        raise SystemExit(f"prejoin {' '.join(words)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(name, small, large, count=ROUNDS):
    """The medians of two commands that take turns, and their ratio."""
    rounds = [(run(*small), run(*large)) for _ in range(count)]
    base = statistics.median(one[0][0] for one in rounds)
    took = statistics.median(one[1][0] for one in rounds)
    memory = max(one[1][1] for one in rounds)
    print(f"{name:<28}{took:>8.2f} s{memory:>8.0f} MB   {took / base:.1f} times the tenth")


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        small, large = pathlib.Path(folder, "small.prejoin"), pathlib.Path(folder, "large.prejoin")
        small.write_text(write_model(6, 15))
        large.write_text(write_model(60, 150))
        for verb in VERBS:
            compare(f"{verb[0]}, 60 entities", [*verb, str(small)], [*verb, str(large)])
    school = str(ROOT / "examples/models/d04_students_and_courses.prejoin")
    compare(f"prove, {rows:,} rows", ["prove", school, "--scale", str(rows // 10)],
            ["prove", school, "--scale", str(rows)], PROOFS)


if __name__ == "__main__":
    main()
