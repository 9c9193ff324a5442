#!/usr/bin/python3
"""Shows that each rule of tidy.py can fail, and that none of them fails on sound code."""

import unittest

import tidy

README = "Owns bytes.\n"


def rules_found(files, exceptions=None):
    base = {"src/base/README.md": README}
    return [(finding.path, finding.line, finding.rule) for finding in tidy.findings_of(tidy.Tree(base | files, exceptions))]


def function_of(lines):
    body = "".join(f"  Step({number});\n" for number in range(lines - 2))
    return f"void Work() {{\n{body}}}\n"


class TidyTest(unittest.TestCase):
    def test_sound_tree_has_no_findings(self):
        self.assertEqual(rules_found({
            "src/engine/README.md": README,
            "src/engine/engine.cc": '#include "engine/engine.h"\n#include "storage/store.h"\n#include <vector>\n',
            "src/storage/README.md": README,
            "src/storage/rocks_store.cc": "#include <rocksdb/db.h>\n",
            "include/prejoin/item.h": '#include "prejoin/number.h"\n',
            "tests/engine/put_test.cc": '#include "engine/engine.h"\n',
            "docs/notes.md": "Data goes to /var/lib/prejoin/.\n",
        }), [])

    def test_rooms_that_include_each_other(self):
        files = {"src/base/a/one.h": '#include "base/b/two.h"\n', "src/base/b/two.h": "\n", "src/base/b/three.h": '#include "base/a/four.h"\n',
                 "src/base/a/four.h": "\n"}
        self.assertEqual(rules_found(files), [("src/base", 1, "rooms")])
        del files["src/base/b/three.h"]
        self.assertEqual(rules_found(files), [])

    def test_arrow_against_the_direction(self):
        self.assertIn(("src/base/check.cc", 2, "arrow"), rules_found({"src/base/check.cc": '#include <x>\n#include "value/size.h"\n'}))

    def test_arrow_that_skips_the_public_headers(self):
        self.assertIn(("src/model/plan.cc", 1, "arrow"), rules_found({"src/model/plan.cc": '#include "engine/engine.h"\n'}))

    def test_wire_does_not_know_storage(self):
        self.assertIn(("src/wire/ops/item/query.cc", 1, "arrow"), rules_found({"src/wire/ops/item/query.cc": '#include "storage/store.h"\n'}))

    def test_public_header_with_private_include(self):
        self.assertIn(("include/prejoin/item.h", 1, "arrow"), rules_found({"include/prejoin/item.h": '#include "base/check.h"\n'}))

    def test_library_in_the_wrong_folder(self):
        self.assertIn(("src/engine/x.cc", 1, "arrow"), rules_found({"src/engine/x.cc": "#include <simdjson.h>\n"}))

    def test_numbers_and_patterns_that_throw_on_input(self):
        for line in ["double d = std::stod(text);", "int n = stoi(text);", "#include <regex>", "static const std::regex kWord(text);"]:
            self.assertIn(("src/base/x.cc", 1, "throw"), rules_found({"src/base/x.cc": line + "\n"}), line)
        for line in ["n = std::strtol(text, nullptr, 10);", "n = std::atoi(text);", "return names.at(word);"]:
            found = rules_found({"src/json/README.md": README, "src/json/x.cc": line + "\n"})
            self.assertIn(("src/json/x.cc", 1, "throw"), found, line)
        for line in ["const SourceSpan at = statement.at();", "// Before: std::stod(text)", "Restore(n);", "history(n);"]:
            self.assertEqual(rules_found({"src/json/README.md": README, "src/json/x.cc": line + "\n"}), [], line)

    def test_folder_without_a_place_in_the_table(self):
        self.assertIn(("src/helpful/x.cc", 1, "arrow"), rules_found({"src/helpful/x.cc": "\n"}))

    def test_folder_size_at_the_limit(self):
        for count, found in [(39, []), (40, []), (41, [("src/base", 1, "folder")])]:
            self.assertEqual(rules_found({f"src/base/x{number}.h": "\n" for number in range(count)}), found, count)

    def test_headers_that_include_each_other(self):
        self.assertEqual(rules_found({
            "src/base/a.h": '#include "base/b.h"\n',
            "src/base/b.h": '#include "base/c.h"\n',
            "src/base/c.h": '#include "base/a.h"\n',
        }), [("src/base/a", 1, "cycle")])

    def test_a_header_and_its_source_are_one_unit(self):
        self.assertEqual(rules_found({
            "src/base/a.h": "\n",
            "src/base/a.cc": '#include "base/a.h"\n#include "base/b.h"\n',
            "src/base/b.h": '#include "base/a.h"\n',
        }), [("src/base/a", 1, "cycle")])

    def test_two_ways_to_one_header_are_no_cycle(self):
        self.assertEqual(rules_found({
            "src/base/a.h": '#include "base/b.h"\n#include "base/c.h"\n',
            "src/base/b.h": '#include "base/c.h"\n',
            "src/base/c.h": "\n",
        }), [])

    def test_file_size_at_the_limit(self):
        for lines, found in [(599, []), (600, []), (601, [("src/base/x.cc", 1, "size")])]:
            self.assertEqual(rules_found({"src/base/x.cc": "\n" * lines}), found, lines)

    def test_page_file_size_at_the_limit(self):
        for name in ["studio/src/views/x.tsx", "studio/src/views/x.css"]:
            for lines, found in [(400, []), (401, [(name, 1, "size")])]:
                self.assertEqual(rules_found({name: "\n" * lines}), found, lines)

    def test_page_function_size_at_the_limit(self):
        for first in ["export function Work() {", "export default function Work() {", "async function work() {", "const work = (x) => {"]:
            for lines, found in [(70, []), (71, [("studio/src/x.tsx", 2, "function")])]:
                text = "\n" + first + "\n" + "  step();\n" * (lines - 2) + "}\n"
                self.assertEqual(rules_found({"studio/src/x.tsx": text}), found, (first, lines))

    def test_long_files_may_only_shrink(self):
        exceptions = {"src/base/x.cc": 700}
        for lines, found in [(700, []), (701, [("src/base/x.cc", 1, "size")]), (699, [("src/base/x.cc", 1, "size")])]:
            self.assertEqual(rules_found({"src/base/x.cc": "\n" * lines}, exceptions), found, lines)

    def test_exception_for_a_file_that_is_gone_or_short(self):
        self.assertEqual(rules_found({}, {"src/base/x.cc": 700}), [("src/base/x.cc", 1, "size")])
        self.assertEqual(rules_found({"src/base/x.cc": "\n"}, {"src/base/x.cc": 1}), [("src/base/x.cc", 1, "size")])

    def test_function_size_at_the_limit(self):
        for lines, found in [(69, []), (70, []), (71, [("src/base/x.cc", 1, "function")])]:
            self.assertEqual(rules_found({"src/base/x.cc": function_of(lines)}), found, lines)

    def test_braces(self):
        bare = ["if (a) return;", "if (a)\n  return;", "for (int i : f(1))\n  g();", "while (a) b();", "if (a) {\n} else\n  b();",
                "if (f(1,\n      2))\n  g();"]
        for code in bare:
            line = 2 if code.startswith("if (a) {") else 1
            self.assertEqual(rules_found({"src/base/x.cc": code + "\n"}), [("src/base/x.cc", line, "braces")], code)
        for code in ["if (a) {\n}", "if (a) {\n} else if (b) {\n} else {\n}", "do {\n} while (a);", "if (f(1,\n      2)) {\n}",
                     "Line(\"if (a) return;\");", "// if (a) return;", "R\"(if (a)\nreturn;)\"", "#define X if (a) b", "1'000; // if (a) b",
                     "if constexpr (a) {\n}", "if (a) [[unlikely]] {\n}"]:
            self.assertEqual(rules_found({"src/base/x.cc": code + "\n"}), [], code)

    def test_long_function_with_a_reason(self):
        self.assertEqual(rules_found({"src/base/x.cc": "// Long: one switch.\n" + function_of(90)}), [])

    def test_function_after_a_table(self):
        table = "const int kTable[] = {\n" + "    1,\n" * 90 + "};\n\n"
        self.assertEqual(rules_found({"src/base/x.cc": table + function_of(20)}), [])

    def test_printing_in_the_library(self):
        for line in ["std::cout << x;", "std::cerr << x;", "printf(\"x\");", "fprintf(stderr, \"x\");"]:
            self.assertEqual(rules_found({"src/base/x.cc": line + "\n"}), [("src/base/x.cc", 1, "print")], line)
        self.assertEqual(rules_found({"src/base/x.cc": "std::snprintf(buffer, 8, \"x\");\n// std::cout\n"}), [])

    def test_printing_in_the_program(self):
        self.assertEqual(rules_found({"src/cli/main.cc": "std::cout << x;\n", "src/cli/README.md": README}), [])

    def test_tab(self):
        self.assertEqual(rules_found({"src/base/x.h": "int a;\n\tint b;\n"}), [("src/base/x.h", 2, "tab")])

    def test_todo_names_an_issue(self):
        self.assertEqual(rules_found({"src/base/x.h": "// TODO: later\n"}), [("src/base/x.h", 1, "todo")])
        self.assertEqual(rules_found({"src/base/x.h": "// TODO(#12): later\n"}), [])

    def test_path_of_one_machine(self):
        for folder in ["work/main", "home/joe", "root"]:
            path = f"/{folder}/x"
            self.assertEqual(rules_found({"docs/a.md": f"see {path}\n"}), [("docs/a.md", 1, "path")], path)
        self.assertEqual(rules_found({"docs/a.md": "see docs/root/x and http://host/home/joe/x\n"}), [])

    def test_registry_host(self):
        self.assertEqual(rules_found({"bench/x.json": '"https://registry.npmjs.org/a"\n'}), [("bench/x.json", 1, "host")])

    def test_drawer_file(self):
        for name in ["util.h", "string_utils.cc", "helpers.h", "common.h"]:
            self.assertEqual([row[2] for row in rules_found({f"src/base/{name}": "\n"})], ["drawer"], name)

    def test_readme(self):
        self.assertEqual(rules_found({"src/value/x.h": "\n"}), [("src/value/README.md", 1, "readme")])
        self.assertEqual(rules_found({"src/base/README.md": "x\n" * 15}), [])
        self.assertEqual(rules_found({"src/base/README.md": "x\n" * 16}), [("src/base/README.md", 1, "readme")])

    def test_markdown_formatted_as_code(self):
        for text in ["#migrate", "with units, money and time.- `migrator.h` does it", "        .- `state.h` is", "that its caller sends(`remote.h`),",
                     "        - Start at `plan.h`"]:
            self.assertEqual(rules_found({"docs/a.md": f"# a\n\n{text}\n"}), [("docs/a.md", 3, "markdown")], text)
        for text in ["# migrate", "- `plan.h`: a. - b", "a (`b`)", "  - below `a(`", "```\n#x\n        - y\n```", "| `f(`g`)` |", "`Find(a)`"]:
            self.assertEqual(rules_found({"docs/a.md": f"# a\n\n{text}\n"}), [], text)

    def test_text_width_at_the_limit(self):
        for columns, found in [(149, []), (150, []), (151, [("docs/a.md", 2, "width")])]:
            self.assertEqual(rules_found({"docs/a.md": "\n" + "x" * columns + "\n"}), found, columns)
        self.assertEqual(rules_found({"docs/a.md": f"```\n{'x' * 200}\n```\n|{'x' * 200}|\n![{'x' * 200}](y)\n"}), [])
        for columns, found in [(150, []), (151, [("src/base/x.h", 1, "width")])]:
            self.assertEqual(rules_found({"src/base/x.h": "// " + "x" * (columns - 3) + "\n"}), found, columns)
        self.assertEqual(rules_found({"src/base/x.h": 'const char* kText = "' + "x" * 200 + '";\n'}), [])

    def test_exceptions_file(self):
        self.assertEqual(tidy.read_exceptions("# why\nsrc/a.cc 700\n\nsrc/b c.cc 650  # reason\n"),
                         {"src/a.cc": 700, "src/b c.cc": 650})


if __name__ == "__main__":
    unittest.main()
