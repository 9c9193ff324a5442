#!/usr/bin/python3
"""Every metric that a page names is in /metrics of a running server, and every metric there is explained in docs/operations.md."""

import os
import pathlib
import re
import sys
import tempfile
import unittest
import urllib.request

import botocore.auth
import botocore.awsrequest
import botocore.credentials

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/rig"))
from server_process import ServerProcess  # noqa: E402

METRIC = r"(?<![\w.])prejoin_[a-z][a-z_]*[a-z]\b"
# Names of that form that are no metrics: the module for RADOS.
# Functions and types of the C library and fixtures of pytest begin in the same way.
NOT_METRICS = {"prejoin_rados", "prejoin_contents"} | set(re.findall(r"\bprejoin_[a-z_]+", (ROOT / "include/prejoin/prejoin.h").read_text()))
# Only a gateway has these, and a gateway needs a Ceph cluster: src/cli/cluster adds them.
CLUSTER_SOURCES = "src/cli/cluster"


def named_in(text):
    return set(re.findall(METRIC, text)) - NOT_METRICS


def problems(named, explained, served):
    """What pages name and the server does not have, and what the server has and nothing explains."""
    return sorted(f"{name} is not in /metrics" for name in named - served) + sorted(
        f"{name} is not explained in docs/operations.md" for name in served - explained)


class Metrics(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        credentials = ROOT / "tests/rig/credentials"
        options = ["--auth", "required", "--credentials", str(credentials), "--audit-log", f"{folder.name}/audit"]
        os.environ.pop("PREJOIN_SERVE_OPTIONS", None)
        self.server = ServerProcess(data=f"{folder.name}/data", options=options).start()
        self.addCleanup(self.server.stop)
        text = credentials.read_text()
        self.key = [re.search(rf"{name}\s*=\s*(\S+)", text).group(1) for name in ("aws_access_key_id", "aws_secret_access_key")]

    def get(self, path):
        request = botocore.awsrequest.AWSRequest(method="GET", url=self.server.endpoint + path)
        botocore.auth.SigV4Auth(botocore.credentials.Credentials(*self.key), "dynamodb", "us-east-1").add_auth(request)
        with urllib.request.urlopen(urllib.request.Request(request.url, headers=dict(request.headers))) as answer:
            return answer.read().decode()

    def test_metrics_of_the_pages_exist(self):
        served = set(re.findall(r"^# TYPE (\w+)", self.get("/metrics"), re.MULTILINE))
        self.assertGreater(len(served), 20)
        for path in (ROOT / CLUSTER_SOURCES).glob("*.cc"):
            served |= set(re.findall(rf'AddGauge\(\s*"({METRIC})"', path.read_text()))
        self.assertIn("prejoin_cluster_leads", served)
        pages = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/*/README.md")] if path.name != "CHANGELOG.md"]
        named = set().union(*(named_in(path.read_text()) for path in pages))
        explained = named_in((ROOT / "docs/operations.md").read_text())
        self.assertGreater(len(named), 20)
        self.assertEqual(problems(named, explained, served), [])


class Problems(unittest.TestCase):
    def test_finds_a_wrong_name_and_a_missing_explanation(self):
        named = named_in("`prejoin_writable`, `prejoin_writeable` and prejoin_rados.so; ~/.prejoin_history, prejoin_tables")
        self.assertEqual(named, {"prejoin_writable", "prejoin_writeable", "prejoin_tables"})
        self.assertEqual(problems(named, {"prejoin_writable"}, {"prejoin_writable", "prejoin_tables"}),
                         ["prejoin_writeable is not in /metrics", "prejoin_tables is not explained in docs/operations.md"])
        self.assertEqual(problems({"prejoin_tables"}, {"prejoin_tables"}, {"prejoin_tables"}), [])


if __name__ == "__main__":
    unittest.main()
