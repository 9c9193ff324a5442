"""The npm packages: `prejoin`, which is JavaScript only, and one with the program for each platform."""

import json

from deterministic import ROOT, gzipped, tar, version

FOLDER = ROOT / "packaging/npm"


def package(name, more):
    entries = {}
    for path in sorted((FOLDER / name).rglob("*")):
        if path.is_file():
            entries[f"package/{path.relative_to(FOLDER / name)}"] = (path.read_bytes(), 0o755 if path.name == "cli.js" else 0o644)
    manifest = json.loads((FOLDER / name / "package.json").read_text())
    manifest["version"] = version()
    for dependency in manifest.get("optionalDependencies", {}):
        manifest["optionalDependencies"][dependency] = version()
    entries["package/package.json"] = ((json.dumps(manifest, indent=2) + "\n").encode(), 0o644)
    entries["package/LICENSE"] = ((ROOT / "LICENSE").read_bytes(), 0o644)
    entries |= {f"package/{path}": value for path, value in more.items()}
    return gzipped(tar(entries))


def packages(program, notices, machine):
    """{file name: bytes}, named as `npm pack` names them."""
    name = f"linux-{machine.node}"
    return {
        f"prejoin-{version()}.tgz": package("prejoin", {}),
        f"prejoin-{name}-{version()}.tgz": package(name, {"prejoin": (program, 0o755), "NOTICES.txt": (notices, 0o644)}),
    }
