"""What the packed program contains: the libraries linked into it, with versions and licences. Notices and SBOM come from here.

The list is not written down anywhere: the link command names the archives, dpkg knows their packages. Packages whose headers are compiled in
are those of scripts/setup that are no tools. The studio's page brings npm packages. Libraries for another machine are not installed but unpacked;
build/sources/MACHINE/packages.list (scripts/setup) says of each file what dpkg does not know.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import time
import uuid

from deterministic import ROOT, epoch, version

# Of the packages that scripts/setup installs for the build, those that leave nothing in the program.
TOOLS = {"g++", "cmake", "ninja-build", "ccache", "mold", "python3", "libgtest-dev", "libgmock-dev", "libbenchmark-dev"}
# The compiler adds these archives itself.
IMPLIED = ["libc.a", "libstdc++.a", "libgcc_eh.a"]


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def unpacked_root(machine):
    """The folder of the libraries for another machine; missing if they are installed."""
    return ROOT / "build/sources" / machine.image


@functools.lru_cache(maxsize=None)
def unpacked_packages(machine):
    """({path from the root: package}, {package: version}) of them."""
    listed = unpacked_root(machine) / "packages.list"
    lines = [line.split(" ", 2) for line in listed.read_text().splitlines()] if listed.exists() else []
    return {"/" + path.removeprefix("./"): name for name, _, path in lines}, {name: number for name, number, _ in lines}


def package_of(path, machine):
    """The package of a file. /lib is a link to /usr/lib, and dpkg knows either one or the other."""
    root = str(unpacked_root(machine))
    if path.startswith(root + "/"):
        return unpacked_packages(machine)[0][path.removeprefix(root)]
    for name in (str(path), os.path.realpath(path), str(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "-S", name], check=False, capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(": ")[0].split(",")[0].split(":")[0]
    raise SystemExit(f"{path} belongs to no package: nothing unknown is shipped")


def archives(build, machine):
    """Paths of the archives of other projects that the program is linked from. Below archives/ in the build folder are copies (cmake/Dist.cmake)."""
    command = output_of("ninja", "-C", str(build), "-t", "commands", "prejoin").splitlines()[-1]
    paths = set(re.findall(r"(?<!\S)(?:archives)?(/\S+\.a)\b", command))
    yield from sorted(path for path in paths if not path.startswith(f"{build.resolve()}/"))
    for name in IMPLIED:
        yield output_of(machine.compiler, f"-print-file-name={name}").strip()


def debian_packages(build, machine):
    """Name → version."""
    names = {package_of(path, machine) for path in archives(build, machine)}
    names |= set(output_of(str(ROOT / "scripts/setup"), "--packages", "build").split()) - TOOLS
    versions = unpacked_packages(machine)[1]
    return {name: versions.get(name) or output_of("dpkg-query", "-W", "-f=${Version}\n", name).splitlines()[0] for name in sorted(names)}


def copyright_of(name, machine):
    root = unpacked_root(machine) if name in unpacked_packages(machine)[1] else pathlib.Path("/")
    return (root / "usr/share/doc" / name / "copyright").read_text(errors="replace")


def page_packages():
    """Name → version of the npm packages in the studio's page."""
    packages = json.loads((ROOT / "studio/package-lock.json").read_text())["packages"]
    return {path.removeprefix("node_modules/"): entry for path, entry in sorted(packages.items()) if path and not entry.get("dev")}


def licence_of_page_package(name):
    folder = ROOT / "studio/node_modules" / name
    texts = [path.read_text() for path in sorted(folder.glob("*")) if re.match(r"(?i)(licen[cs]e|notice|ofl)", path.name)]
    if not texts:
        raise SystemExit(f"{name} has no licence file in {folder}")
    return "\n".join(texts)


def notices(build, machine):
    parts = ["Prejoin contains the following software of others. Each part has its own licence.\n\n"
             "The GNU C library is under the LGPL 2.1: to link the program with another version of it, build it from Prejoin's source\n"
             "(make dist).\n"]
    for name, number in debian_packages(build, machine).items():
        parts.append(f"{'=' * 100}\n{name} {number} (Debian)\n{'=' * 100}\n\n{copyright_of(name, machine)}")
    for name, entry in page_packages().items():
        parts.append(f"{'=' * 100}\n{name} {entry['version']} (npm; in the studio's page)\n{'=' * 100}\n\n{licence_of_page_package(name)}")
    return "\n".join(parts)


def sbom(build, machine):
    """CycloneDX 1.5."""
    components = [{"type": "library", "name": name, "version": number, "purl": f"pkg:deb/debian/{name}@{number}?distro=debian-12"}
                  for name, number in debian_packages(build, machine).items()]
    for name, entry in page_packages().items():
        component = {"type": "library", "name": name, "version": entry["version"], "purl": f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}"}
        if "license" in entry:
            component["licenses"] = [{"expression": entry["license"]}]
        components.append(component)
    # The same contents have the same number.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([version(), components]))
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch()))
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{number}", "version": 1,
        "metadata": {"timestamp": moment, "component": {"type": "application", "name": "prejoin", "version": version(),
                                                        "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": components,
    }
    return json.dumps(document, indent=1) + "\n"
