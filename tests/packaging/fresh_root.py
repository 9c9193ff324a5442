"""Roots with nothing but a fresh Debian, for tests of packages. Needs root and debootstrap (scripts/setup bare).

debootstrap runs once for each release; its result lies in build/roots as a tar, and each test unpacks its own.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = pathlib.Path("/etc/apt/sources.list.d")

# Mounts belong to a namespace of their own, so that none is left behind, whatever happens.
INSIDE = r"""
mount --make-rprivate /
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount --rbind /sys "$0/sys"
mount --rbind /dev "$0/dev"
mountpoint -q "$0/dev/pts" || mount -t devpts devpts "$0/dev/pts"
exec chroot "$0" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
"""


def mirror():
    """The first source of packages that this machine has, in either of apt's formats."""
    lists = [pathlib.Path("/etc/apt/sources.list"), *sorted(SOURCES.glob("*.list")), *sorted(SOURCES.glob("*.sources"))]
    text = "\n".join(path.read_text() for path in lists if path.exists())
    return re.search(r"^(?:URIs:|deb)\s+(?:\[[^]]*\]\s+)?(\S+/debian/?)(?:\s|$)", text, re.M).group(1)


def packed_root(release):
    packed = ROOT / "build/roots" / f"{release}.tar"
    if packed.exists():
        return packed
    packed.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        made = pathlib.Path(folder) / "root"
        subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", release, str(made), mirror()], check=True,
                       stdout=subprocess.DEVNULL, timeout=900)
        # A network that signs certificates itself is part of the machine, not of Debian.
        shutil.copyfile("/etc/ssl/certs/ca-certificates.crt", made / "etc/ssl/certs/ca-certificates.crt")
        subprocess.run(["tar", "-cf", f"{packed}.new", "--numeric-owner", "-C", str(made), "."], check=True, timeout=300)
    pathlib.Path(f"{packed}.new").rename(packed)
    return packed


class FreshRoot:
    """`path` is the root of a Debian that nothing was installed into yet; removed at the end of the `with`."""

    def __init__(self, release="bookworm"):
        self._folder = tempfile.TemporaryDirectory(dir="/var/tmp")
        self.path = pathlib.Path(self._folder.name)
        subprocess.run(["tar", "-xf", str(packed_root(release)), "--numeric-owner", "-C", str(self.path)], check=True, timeout=300)
        for name in ("resolv.conf", "hosts"):
            (self.path / "etc" / name).unlink(missing_ok=True)
            shutil.copyfile(f"/etc/{name}", self.path / "etc" / name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def command(self, *words):
        """The command line, outside, of a command inside."""
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", INSIDE, str(self.path), *(str(word) for word in words)]

    def run(self, *words, expected=0, timeout=900):
        """Output of a command, both streams. Fails unless it ends with the expected exit code."""
        done = subprocess.run(self.command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              timeout=timeout)
        if done.returncode != expected:
            raise AssertionError(f"{' '.join(str(word) for word in words)} ended with {done.returncode}\n{done.stdout}")
        return done.stdout

    def shell(self, script, **options):
        return self.run("bash", "-euo", "pipefail", "-c", script, **options)
