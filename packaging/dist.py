#!/usr/bin/python3
"""Packs the static program: packaging/dist.py BUILD OUTPUT. Everything is written by scripts here; nothing is downloaded or published.

BUILD is the folder of the CMake preset `dist` or `dist-arm64`. OUTPUT gets the archive, the wheel, the npm packages, the images, the SBOM and
SHA256SUMS.
"""

import pathlib
import sys

import contents
import image
import manual
import npm
import wheel
from deterministic import ROOT, gzipped, sha256, tar, version
from machine import machine_of


def archive(program, library, notices, sbom, machine, binary):
    """`binary` is the command that runs the program here."""
    top = f"prejoin-{version()}-linux-{machine.node}"
    entries = {
        "bin/prejoin": (program, 0o755),
        "lib/libprejoin.so.1": (library, 0o755),
        "lib/libprejoin.so": ("libprejoin.so.1", 0o777),
        "include/prejoin/prejoin.h": ((ROOT / "include/prejoin/prejoin.h").read_bytes(), 0o644),
        "LICENSE": ((ROOT / "LICENSE").read_bytes(), 0o644),
        "NOTICES.txt": (notices, 0o644),
        "sbom.cdx.json": (sbom, 0o644),
        "README.txt": ((ROOT / "packaging/archive_readme.txt").read_bytes(), 0o644),
        "lib/systemd/system/prejoin.service": ((ROOT / "packaging/prejoin.service").read_bytes(), 0o644),
        "share/man/man1/prejoin.1": (manual.man_page(binary).encode(), 0o644),
        "share/bash-completion/completions/prejoin": (manual.bash_completion(binary).encode(), 0o644),
        "share/zsh/site-functions/_prejoin": (manual.zsh_completion(binary).encode(), 0o644),
        "share/fish/vendor_completions.d/prejoin.fish": (manual.fish_completion(binary).encode(), 0o644),
    }
    return f"{top}.tar.gz", gzipped(tar({f"{top}/{path}": value for path, value in entries.items()}))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    program = (build / "prejoin").read_bytes()
    machine = machine_of(program)
    library = (build / "libprejoin.so").read_bytes()
    licence = (ROOT / "LICENSE").read_bytes()
    notices, sbom = contents.notices(build, machine).encode(), contents.sbom(build, machine).encode()
    files = dict([archive(program, library, notices, sbom, machine, machine.command(str(build / "prejoin"))),
                  wheel.wheel(program, library, notices, machine)])
    files |= npm.packages(program, notices, machine)
    for name, compat in ((version(), False), (f"{version()}-compat", True)):
        files[f"prejoin-{name}-image-{machine.image}.tar"] = image.image(program, notices, licence, name, machine, compat)
    files[f"prejoin-{version()}.cdx.json"] = sbom
    files["SHA256SUMS"] = "".join(f"{sha256(data)}  {name}\n" for name, data in sorted(files.items())).encode()
    output.mkdir(parents=True, exist_ok=True)
    for old in output.iterdir():
        if old.is_file():  # The Debian packages, and those for other machines, have folders of their own there.
            old.unlink()
    for name, data in sorted(files.items()):
        (output / name).write_bytes(data)
        print(f"{len(data) / 1e6:7.1f} MB  {name}")
    print(f"{len(program) / 1e6:7.1f} MB  the program; {len(library) / 1e6:.1f} MB the library")


if __name__ == "__main__":
    main()
