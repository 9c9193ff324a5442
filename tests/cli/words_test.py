#!/usr/bin/python3
"""What is made from the table of the language's words (src/model/syntax/words.cc) does not lag behind it."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ["PREJOIN_BINARY"]
MADE = ["studio/src/views/model/editor/word_table.ts", "editors/vscode/syntaxes/prejoin.tmLanguage.json", "docs/model/grammar.md"]


def check(root):
    return subprocess.run([sys.executable, str(root / "scripts/words"), BINARY, "--check"], capture_output=True, text=True, timeout=60, check=False)


class Words(unittest.TestCase):
    def test_editors_and_docs_know_every_word(self):
        done = check(ROOT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_file_that_lags_is_named(self):
        for lagging in MADE:
            with self.subTest(lagging), tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder)
                for path in [*MADE, "scripts/words"]:
                    (copy / path).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / path, copy / path)
                text = (copy / lagging).read_text(encoding="utf-8")
                self.assertIn("hottest", text)
                (copy / lagging).write_text(text.replace("hottest", "hotest"), encoding="utf-8")
                done = check(copy)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stdout, f"{lagging} lags behind src/model/syntax/words.cc: run scripts/words\n")

    def test_the_table_is_printed_for_programs(self):
        done = subprocess.run([BINARY, "lsp", "--words"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        words = json.loads(done.stdout)
        self.assertEqual(set(words[0]), {"word", "place", "behind", "help", "example", "since"})
        known = {row["word"] for row in words}
        for word in "zipf hottest grows spread distinct returns exists ttl times peak remove scan".split():
            self.assertIn(word, known)


if __name__ == "__main__":
    unittest.main()
