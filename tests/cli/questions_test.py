#!/usr/bin/python3
"""Every command of docs/questions.md runs and answers."""
import os
import pathlib
import re
import subprocess
import unittest

BINARY = os.environ["PREJOIN_BINARY"]
ROOT = pathlib.Path(__file__).parent.parent.parent
MODELS = ROOT / "examples/models"

TREE = """
entity Org {
  id    text(~6) key
  count 1_000
}
entity Project {
  orgId references Org.id key
  id    text(~6) key
  title text(~20)
}
entity Task {
  orgId     references Project.orgId key
  projectId references Project.id key
  id        text(~6) key
  text      text(~60)
}
relationship Projects: Org one-to-many Project {
  each Org has ~8, at most 100
}
relationship Tasks: Project one-to-many Task {
  each Project has ~20, at most 500
}
pattern Tree {
  find Org where id = :o
  find Project where orgId = :o
  find Task where orgId = :o
  rate 10/s
}
"""


def commands():
    """The commands that name an example, as lists of words."""
    for text in re.findall(r"`prejoin ([^`]+)`", (ROOT / "docs/questions.md").read_text()):
        words = text.split()
        if any((MODELS / word).is_file() and not word.startswith("broken/") for word in words):
            yield words


def run(*words, stdin=None):
    return subprocess.run([BINARY, *words], cwd=MODELS, capture_output=True, text=True, timeout=60, check=False, input=stdin)


class Questions(unittest.TestCase):
    def said(self, result, part):
        self.assertIn(part, " ".join(result.stdout.split()))

    def test_every_command_answers(self):
        count = 0
        for words in commands():
            with self.subTest(" ".join(words)):
                result = run(*words)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertGreater(len(result.stdout), 40)
            count += 1
        self.assertGreaterEqual(count, 10)

    def test_every_slip_is_found(self):
        slips = re.findall(r"`prejoin check (broken/[^`]+)`: (PJ\d+)", (ROOT / "docs/questions.md").read_text())
        self.assertGreaterEqual(len(slips), 5)
        for file, rule in slips:
            with self.subTest(file):
                self.said(run("check", file), rule + ":")
        self.said(run("check", "broken/x21_large_items.prejoin"), "489 requests and 62,626 RCU")

    def test_listing_all_is_a_scan_with_a_price_or_an_index_to_paste(self):
        model = (MODELS / "d08_saas_orgs.prejoin").read_text()
        asked = run("check", "-", stdin=model + "pattern All { find Org }\n")
        self.said(asked, "it takes a Scan")
        self.said(asked, "GSI1PK = \"ORG\"")
        allowed = model + 'pattern All {\n  find Org\n  scan allowed because "nightly"\n  rate 1/day\n}\n'
        self.assertRegex(run("cost", "-", stdin=allowed).stdout, r"All +[\d,]+ +[\d,]+ ")

    def test_the_sort_key_that_repeats_the_partition_key_is_explained(self):
        answer = run("explain", "p14_single_item_collections.prejoin", "--key", "SK").stdout
        self.assertIn("alone in its item collection", " ".join(answer.split()))

    def test_listing_all_has_its_price_beside_the_scan(self):
        model = (MODELS / "d08_saas_orgs.prejoin").read_text() + "pattern All { find Org }\n"
        answer = " ".join(run("check", "-", stdin=model).stdout.split())
        self.assertRegex(answer, r"PJ101: `All` is not supported by any key: .*it takes a Scan of [\d,]+ RCU each time, or [\d,]+ RCU with the keys below")

    def test_one_key_order_cannot_give_both(self):
        model = "".join(line for line in (MODELS / "d10_shop_items.prejoin").read_text().splitlines(True) if "GSI2" not in line)
        answer = " ".join(run("check", "-", stdin=model).stdout.split())
        self.assertIn("PJ208", answer)
        self.assertIn('sorted by "{Status}#{Category}#{CreatedDate}"', answer)

    def test_analytics_are_named(self):
        model = (MODELS / "d08_saas_orgs.prejoin").read_text() + "pattern Some { find Org where contains(Org, :part) }\n"
        self.assertIn("is analytics: `prejoin export ", " ".join(run("check", "-", stdin=model).stdout.split()))

    def test_three_levels_get_one_sort_key(self):
        advice = run("advise", "-", stdin=TREE)
        self.said(advice, "composite-sort-key (P5)")
        self.said(advice, "R6 (hierarchy) More than two levels? yes. Whole subtree wanted at each? yes")


if __name__ == "__main__":
    unittest.main()
