"""The Python wheel: the program as a script, the C library and the pure Python layer. One for each platform, for any Python from 3.9 on."""

import base64
import hashlib

from deterministic import ROOT, version, zipped

# The program is static, so it runs with any C library.
PLATFORMS = ("manylinux_2_17", "manylinux2014", "musllinux_1_1")


def metadata():
    return f"""Metadata-Version: 2.1
Name: prejoin
Version: {version()}
Summary: A DynamoDB-compatible database in your process: boto3 without a network, pytest fixtures, a server, a design bench
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: boto3
Requires-Dist: boto3; extra == "boto3"
Classifier: Framework :: Pytest
Classifier: Operating System :: POSIX :: Linux
Description-Content-Type: text/markdown

{(ROOT / "packaging/python/README.md").read_text()}"""


def record_line(path, contents):
    digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(contents)}\n"


def wheel(program, library, notices, machine):
    """(file name, bytes)."""
    platforms = [f"{platform}_{machine.kernel}" for platform in PLATFORMS]
    info = f"prejoin-{version()}.dist-info"
    entries = {}
    for path in sorted((ROOT / "packaging/python/prejoin").glob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            entries[f"prejoin/{path.name}"] = (path.read_bytes(), 0o644)
    entries["prejoin/_version.py"] = (f'__version__ = "{version()}"\n'.encode(), 0o644)
    entries["prejoin/lib/libprejoin.so.1"] = (library, 0o755)
    entries[f"prejoin-{version()}.data/scripts/prejoin"] = (program, 0o755)
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platforms)
    entries[f"{info}/METADATA"] = (metadata().encode(), 0o644)
    entries[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: prejoin\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644)
    entries[f"{info}/entry_points.txt"] = (b"[pytest11]\nprejoin = prejoin.pytest_plugin\n", 0o644)
    entries[f"{info}/LICENSE"] = ((ROOT / "LICENSE").read_bytes(), 0o644)
    entries[f"{info}/NOTICES.txt"] = (notices, 0o644)
    record = "".join(record_line(path, contents) for path, (contents, _) in entries.items()) + f"{info}/RECORD,,\n"
    entries[f"{info}/RECORD"] = (record.encode(), 0o644)
    return f"prejoin-{version()}-py3-none-{'.'.join(platforms)}.whl", zipped(entries)
