"""After a SIGKILL the kernel still holds what was never synced. This takes it away, so that a missing sync shows as lost data."""

import os
import pathlib
import re

LIBRARY = pathlib.Path(os.environ.get("PREJOIN_BINARY", pathlib.Path(__file__).resolve().parents[2] / "build/release/prejoin"))
LIBRARY = LIBRARY.parent / "tests/libsynced_sizes.so"

# Files that only grow and keep their names. Others (CURRENT, OPTIONS) are written aside, synced and renamed.
GROWING = re.compile(r"\d+\.(log|sst)|MANIFEST-\d+")


class PowerLoss:
    def __init__(self, folder):
        if not LIBRARY.exists():
            raise SystemExit(f"--power-loss needs {LIBRARY}, which the build of the tests makes")
        self.data = folder / "data"
        self.journal = folder / "synced_sizes.txt"
        self.bytes_lost = 0

    def environment(self):
        return os.environ | {"LD_PRELOAD": str(LIBRARY), "PREJOIN_SYNCED_SIZES": str(self.journal)}

    def strike(self):
        synced = {}
        for line in self.journal.read_text().splitlines():
            length, path = line.split(" ", 1)
            synced[path] = max(int(length), synced.get(path, 0))
        for path in self.data.rglob("*"):
            if path.is_file() and GROWING.fullmatch(path.name):
                length = synced.get(str(path.resolve()), 0)
                if path.stat().st_size > length:
                    self.bytes_lost += path.stat().st_size - length
                    os.truncate(path, length)
