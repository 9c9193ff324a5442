#!/usr/bin/python3
"""Shows that each check of names.py can fail, and that none of them fails on sound pages."""

import unittest

import names

VERBS = """# Verbs

## prejoin

```
Usage: prejoin [OPTIONS] SUBCOMMAND
```

## prejoin serve

```
Options:
  --port UINT=8000            Port
  -o,--output TEXT            File
```

## prejoin access

```
Subcommands: key
```

### prejoin access key

```
  --data TEXT                 Directory
```
"""

CODE = {
    "docs/verbs.md": VERBS,
    "Makefile": "test:\n\t@true\ntest-crash: build\n",
    "src/engine/item/item_write.cc": "Status RunWrites(Engine& engine) { catalog.change_mutex_; }\n",
    "src/engine/item/item_write.h": "class Catalog;\n",
    "tests/crash/run": 'parser.add_argument("--rounds")\n',
    "docs/adr/0018-budgets.md": "# Budgets\n",
}


def found(text, path="docs/page.md", foreign=()):
    tree = names.Tree(CODE | {path: text}, foreign=foreign)
    return [(finding.kind, finding.line) for finding in names.findings_of(tree)]


class NamesTest(unittest.TestCase):
    def test_sound_page(self):
        self.assertEqual(found("""# Page
`src/engine/item/item_write.{h,cc}`, `engine/item/item_write.cc`, `item_write.h`, `src/engine/item/item_*.h`, src/engine/ and docs/adr/0018.
`prejoin serve --port 0`, `serve --port 0 -o x`, `--port`, `--rounds 5`, `prejoin access key --data D`, `make test`, [here](#page) and [there](adr/0018-budgets.md).
`RunWrites`, `Catalog::change_mutex_`, `GET /healthz`, `12`.

```
prejoin serve --port 0 | tests/crash/run --rounds 5   # all of it
aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000
    --key-schema AttributeName=a,KeyType=HASH
```

```cpp
#include "no/such.h"
```
"""), [])

    def test_wrong_paths(self):
        for text in ["`src/engine/item/item_wrote.cc`", "see src/engine/items/ for it", "`engine/item/item_wrote.cc`", "`item_wrote.h`",
                     "`src/engine/item/item_write.{h,py}`", "`src/engine/*.py`", "docs/adr/0019", "```\ntests/crash/runs --rounds 1\n```"]:
            self.assertEqual([kind for kind, _ in found(text)], ["path"], text)

    def test_wrong_links(self):
        for text in ["[x](nowhere.md)", "[x](../src/engine/none)", "[x](#nothing)", "[x](adr/0018-budgets.md#nothing)"]:
            self.assertEqual(found("# Page\n" + text), [("link", 2)], text)

    def test_wrong_options_and_verbs(self):
        for text in ["`--prot`", "`prejoin serve --rounds 5`", "`serve --rounds 5`", "`prejoin access key --port 1`", "say --prot to it",
                     "```\nprejoin serve --prot 1\n```", "```\nX=1 build/release/prejoin serve --memory\n```"]:
            self.assertEqual([kind for kind, _ in found(text)], ["option"], text)
        self.assertEqual(found("`prejoin sevre`"), [("verb", 1)])
        self.assertEqual(found("```\nprejoin sevre --port 1\n```"), [("verb", 2)])

    def test_wrong_target(self):
        for text in ["`make tset`", "```\nmake tset\n```", "```\nscripts && make tset\n```"]:
            self.assertIn("target", [kind for kind, _ in found(text)], text)

    def test_wrong_identifiers(self):
        for text in ["`RunWriters`", "`Catalog::changing_mutex_`", "`RunWriters()`"]:
            self.assertEqual(found("\n" + text), [("identifier", 2)], text)

    def test_foreign_names(self):
        self.assertEqual(found("`RunWriters`, `item_wrote.h`", foreign=["RunWriters", "item_wrote.h"]), [])

    def test_paths_in_comments(self):
        for text, expected in [("// As tests/crash/runs.py says.\n", [("path", 1)]), ("int a;  // docs/formats/none.md\n", [("path", 1)]),
                               ("// src/engine/item/item_write.cc, docs/adr/0018-budgets.md\n", []), ('Open("src/none.cc");\n', [])]:
            self.assertEqual(found(text, path="src/engine/x.cc"), expected, text)

    def test_pages_of_the_past_are_not_read(self):
        self.assertEqual(found("`RunWriters`", path="CHANGELOG.md"), [])
        self.assertEqual(found("`RunWriters`", path="src/engine/README.md"), [("identifier", 1)])


if __name__ == "__main__":
    unittest.main()
