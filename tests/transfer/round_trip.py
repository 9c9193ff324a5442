#!/usr/bin/python3
"""Export, drop, import: the table comes back equal. By hand with a million items; by ctest with few.

    tests/transfer/round_trip.py --items 1000000

Makes a table with a sort key and a global index, exports it with the command line, removes the database, imports it again, and compares
fingerprints of all items. Prints times and the most memory each step took; on a terminal the steps show their progress.
"""

import argparse
import hashlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "rig"))
from server_process import binary  # noqa: E402

TABLE = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in (("PK", "S"), ("SK", "N"), ("City", "S"))],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{"IndexName": "ByCity", "Projection": {"ProjectionType": "ALL"},
                                "KeySchema": [{"AttributeName": "City", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]}],
}


def write_items(path, count):
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(f'{{"PK":{{"S":"CUSTOMER#{number % (count // 10 + 1)}"}},"SK":{{"N":"{number}"}},"Price":{{"N":"{number % 997}.5"}},'
                       f'"City":{{"S":"City {number % 500}"}},"Tags":{{"SS":["a","t{number % 7}"]}},"Note":{{"S":"{"x" * (50 + number % 100)}"}},'
                       f'"Lines":{{"L":[{{"M":{{"sku":{{"S":"SKU{number % 1000}"}},"count":{{"N":"2"}}}}}}]}}}}\n')


def run(title, *arguments):
    """Runs the command and says how long it took and how much memory. Its progress goes to our terminal."""
    begin = time.monotonic()
    process = subprocess.Popen([binary(), *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    print(f"{title:28} {time.monotonic() - begin:7.1f} s  {usage.ru_maxrss / 1024:6.0f} MB   {out.strip().splitlines()[-1] if out else ''}", flush=True)
    if process.returncode != 0:
        sys.exit(f"{title} failed with exit code {process.returncode}: {out}")
    return usage.ru_maxrss / 1024


def fingerprint(path):
    """Of a set of lines, whatever their order: the sum of their hashes."""
    total, count = 0, 0
    with open(path, "rb") as file:
        for line in file:
            total = (total + int.from_bytes(hashlib.blake2b(line, digest_size=16).digest(), "little")) % (1 << 128)
            count += 1
    return total, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--memory-mb-max", type=int, default=700)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        write_items(root / "source.jsonl", arguments.items)
        # The schema travels with an export, so the first import gets it as if from one.
        first = root / "first"
        (first / "data").mkdir(parents=True)
        (root / "source.jsonl").rename(first / "data" / "source.jsonl")
        (first / "table.json").write_text(json.dumps(TABLE))
        steps = [run("load", "import", first, "--table", "Orders", "--data", root / "data")]
        run("list", "export", "Orders", "--as", "jsonl", "--to", root / "before.jsonl", "--data", root / "data")
        steps.append(run("export", "export", "Orders", "--to", root / "exported", "--data", root / "data"))
        subprocess.run(["rm", "-rf", str(root / "data")], check=True)
        steps.append(run("import", "import", root / "exported", "--table", "Orders", "--data", root / "data"))
        run("list", "export", "Orders", "--as", "jsonl", "--to", root / "after.jsonl", "--data", root / "data")
        before, after = fingerprint(root / "before.jsonl"), fingerprint(root / "after.jsonl")
        if before != after or before[1] != arguments.items:
            sys.exit(f"the tables differ: {before} before, {after} after")
        if max(steps) > arguments.memory_mb_max:
            sys.exit(f"a step took {max(steps):.0f} MB; {arguments.memory_mb_max} is the most")
    print(f"equal: {before[1]} items; own memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
