#!/usr/bin/python3
"""docs/verbs.md is what scripts/verbs writes from the built program."""

import difflib
import importlib.machinery
import importlib.util
import os
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PREJOIN_BINARY", str(ROOT / "build/release/prejoin"))


def load_generator():
    loader = importlib.machinery.SourceFileLoader("verbs", str(ROOT / "scripts/verbs"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("verbs", loader))
    loader.exec_module(module)
    return module


class Verbs(unittest.TestCase):
    def test_page_is_what_the_program_says(self):
        made = load_generator().page(BINARY)
        self.assertGreater(made.count("\n## "), 20, "the program lists too few verbs")
        stored = (ROOT / "docs/verbs.md").read_text()
        lines = difflib.unified_diff(stored.splitlines(), made.splitlines(), "docs/verbs.md", "the program", lineterm="")
        self.assertEqual(stored, made, "run scripts/verbs build/release/prejoin > docs/verbs.md\n" + "\n".join(lines))

    def test_reads_the_list_of_verbs(self):
        verbs_in = load_generator().manual.verbs_in
        listed = "Subcommands:\n  serve      Serve.\n  import-model  Read.\n             more of it\n\nExample:\n  prejoin serve\n"
        self.assertEqual(verbs_in("Usage: x [OPTIONS] SUBCOMMAND\n\n" + listed), [("serve", "Serve."), ("import-model", "Read.")])
        grouped = "Options:\n  --color    Colour.\n\nRun it:\n  serve      Serve.\n\nUse it:\n  gen        Write code.\n"
        self.assertEqual(verbs_in("Usage: x SUBCOMMAND\n\n" + grouped), [("serve", "Serve."), ("gen", "Write code.")])
        self.assertEqual(verbs_in("Usage: x [OPTIONS]\n\n" + listed), [])


if __name__ == "__main__":
    unittest.main()
