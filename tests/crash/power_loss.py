"""After a SIGKILL the kernel still holds what was never synced. This takes it away, so that a missing sync shows as lost data.

A disk writes what nobody has synced in any order. So of the bytes behind the last sync any subset of sectors may be there: the file ends
somewhere in them, and sectors that did not reach the disk read as zeros.
"""

import os
import pathlib
import re

LIBRARY = pathlib.Path(os.environ.get("PREJOIN_BINARY", pathlib.Path(__file__).resolve().parents[2] / "build/release/prejoin"))
LIBRARY = LIBRARY.parent / "tests/libsynced_sizes.so"

SECTOR = 512

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

    def strike(self, chance):
        synced = {}
        for line in self.journal.read_text().splitlines():
            length, path = line.split(" ", 1)
            synced[path] = max(int(length), synced.get(path, 0))
        for path in self.data.rglob("*"):
            if path.is_file() and GROWING.fullmatch(path.name):
                length = synced.get(str(path.resolve()), 0)
                if path.stat().st_size > length:
                    self.lose(path, length, chance)

    def lose(self, path, synced, chance):
        written = path.stat().st_size
        kept = chance.choice([synced, written, chance.randint(synced, written)])
        os.truncate(path, kept)
        self.bytes_lost += written - kept
        share = chance.choice([0, 0.1, 0.5, 1])
        with path.open("r+b") as file:
            for sector in range(synced // SECTOR, (kept + SECTOR - 1) // SECTOR):
                begin, end = max(sector * SECTOR, synced), min((sector + 1) * SECTOR, kept)
                if begin < end and chance.random() < share:
                    file.seek(begin)
                    file.write(bytes(end - begin))
                    self.bytes_lost += end - begin
