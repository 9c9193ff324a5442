#!/usr/bin/python3
"""Writes the Debian packages: packaging/deb.py BUILD OUTPUT. BUILD is a finished build of the CMake preset `release`, on Debian 12.

The packages link Debian's libraries and contain RADOS, as the static program of `make dist` cannot. Needs debhelper.
"""

import email.utils
import os
import pathlib
import re
import shutil
import subprocess
import sys

import contents
import manual
from deterministic import ROOT, epoch, version


def maintainer():
    return re.search(r"^Maintainer: (.*)$", (ROOT / "packaging/debian/control").read_text(), re.M).group(1)


def stage(build, folder):
    """A source tree with nothing but debian/, complete."""
    shutil.rmtree(folder, ignore_errors=True)
    debian = folder / "debian"
    shutil.copytree(ROOT / "packaging/debian", debian, ignore=shutil.ignore_patterns("README.md"))
    shutil.copy(ROOT / "packaging/prejoin.service", debian / "prejoin.service")
    date = email.utils.formatdate(epoch())
    (debian / "changelog").write_text(f"prejoin ({version()}) unstable; urgency=medium\n\n  * Release {version()}: changelog.gz lists what changed.\n\n"
                                      f" -- {maintainer()}  {date}\n")
    program = str(build / "prejoin")
    (debian / "prejoin.1").write_text(manual.man_page(program))
    completions = debian / "completions"
    completions.mkdir()
    (completions / "prejoin").write_text(manual.bash_completion(program))
    (completions / "_prejoin").write_text(manual.zsh_completion(program))
    (completions / "prejoin.fish").write_text(manual.fish_completion(program))
    # The libraries are Debian's own packages; the page's npm packages and the headers are inside.
    with (debian / "copyright").open("a") as out:
        for name, entry in contents.page_packages().items():
            text = contents.licence_of_page_package(name)
            indented = "".join(f" {line}\n" if line.strip() else " .\n" for line in text.splitlines())
            licence = f"{entry.get('license', 'unknown')}-{name.replace('@', '').replace('/', '-')}"
            out.write(f"\nFiles: studio/node_modules/{name}/*\nCopyright: the authors of {name}\nLicense: {licence}\n{indented}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    folder = ROOT / "build/deb" / f"prejoin-{version()}"
    stage(build, folder)
    environment = {**os.environ, "PREJOIN_SOURCE": str(ROOT), "PREJOIN_BUILD": str(build), "SOURCE_DATE_EPOCH": str(epoch()), "DEB_BUILD_OPTIONS": "nocheck noautodbgsym"}
    for old in folder.parent.glob("*.*deb"):
        old.unlink()
    log = folder.parent / "log"
    with log.open("w") as out:
        done = subprocess.run(["dpkg-buildpackage", "--build=binary", "--no-sign"], cwd=folder, env=environment, stdout=out, stderr=out, check=False)
    if done.returncode != 0:
        sys.exit(log.read_text()[-5000:])
    output.mkdir(parents=True, exist_ok=True)
    for old in output.glob("*.deb"):
        old.unlink()
    for package in sorted(folder.parent.glob("*.deb")):
        shutil.copy(package, output)
        print(f"{package.stat().st_size / 1e6:7.1f} MB  {package.name}")


if __name__ == "__main__":
    main()
