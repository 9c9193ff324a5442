#!/usr/bin/python3
"""The lines under "Install" in README.md, each as it is printed, in a fresh Debian 12 that has only what the line itself names (pip, npm, podman).
`make test-readme` runs it after `make dist` and `make deb`. Needs root."""

import re
import shutil
import unittest

from fresh_root import ROOT, FreshRoot

# Of each line: the Debian packages that bring its command, and what must work behind it.
LINES = {
    "tar": ("", "prejoin-*-linux-x64/bin/prejoin prove /clone/school.prejoin"),
    "pip": ("python3-venv", """
        prejoin prove /clone/school.prejoin
        python3 -c 'import boto3, prejoin
        with prejoin.mock():
            assert boto3.client("dynamodb").list_tables()["TableNames"] == []'"""),
    "npm": ("nodejs npm", """
        npx --no-install prejoin prove /clone/school.prejoin
        node -e 'require("prejoin").start().then(server => fetch(server.endpoint).then(answer => answer.text())
          .then(text => { if (!text.startsWith("healthy")) throw text; return server.stop(); }))'"""),
    "podman": ("podman", "podman image inspect prejoin:0.1.0 | grep -q org.opencontainers.image.version"),
    "apt": ("", "prejoin prove /clone/school.prejoin && test -f /lib/systemd/system/prejoin.service"),
}


def printed_lines():
    section = (ROOT / "README.md").read_text().split("\n## Install\n")[1].split("\n## ")[0]
    return [line for line in re.search(r"```\n(.*?)```", section, re.S).group(1).splitlines() if line.strip()]


class Install(unittest.TestCase):
    def test_each_line(self):
        lines = printed_lines()
        self.assertEqual([line.split()[0] for line in lines], list(LINES))
        for line in lines:
            with self.subTest(line), FreshRoot() as root:
                shutil.copytree(ROOT / "build/packages", root.path / "clone/build/packages")
                shutil.copy(ROOT / "examples/models/d04_students_and_courses.prejoin", root.path / "clone/school.prejoin")
                command = line.split()[0]
                packages, check = LINES[command]
                root.shell(f"apt-get update -qq; apt-get install -y -qq --no-install-recommends {packages}")
                before = "python3 -m venv /venv; . /venv/bin/activate;" if command == "pip" else ""
                # What podman asks the kernel for, a chroot has not.
                storage = "export STORAGE_DRIVER=vfs;" if command == "podman" else ""
                line = line.replace("apt install", "apt install -y")
                print(root.shell(f"cd /clone; {before} {storage}\n{line}\n" + check.replace("\n        ", "\n"))[-300:])


if __name__ == "__main__":
    unittest.main(verbosity=2)
