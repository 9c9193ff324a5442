"""The tables of src/gen: whether each entry is whole, names only what is there, and is used."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2] / "src/gen"
STYLES = [("python", "boto3"), ("go", "structs"), ("java", "beans")]
LANGUAGES = ["typescript", "python", "go", "java", "cpp", "rust"]
# What C++ makes out of parts: Styled, the shapes of values, places, modules and files.
MADE = re.compile(r".*_(style|taken|suffix|type|reader|literal|top|open|bottom|modules|path|file|in_header|in_keys)|(path|import|entry|declares)_.*")


def entries(text):
    table = {}
    name = None
    for line in text.splitlines():
        if line.startswith("#"):
            name = None
        elif line.startswith("  ") or not line:
            if name:
                table[name] += line + "\n"
        else:
            name, rest = line.split(":", 1)
            table[name] = rest
    return table


def faults(text, code):
    """What is wrong with a table, given the texts in quotes of the code that reads it."""
    table = entries(text)
    included = set()
    found = []
    for name, value in table.items():
        names = re.findall(r"\$>([a-z_]+)", value)
        included.update(names)
        found += [f"{name} includes {one}, which is not there" for one in names if one not in table]
        if value.count("«") != value.count("»"):
            found.append(f"{name} has an open group")
    return found + [f"{name} is not used" for name in table if name not in code | included and not MADE.fullmatch(name)]


# What a support file declares at its top level, which no generated name may hide.
TOP_LEVEL = {
    "typescript": r"^(?:export )?(?:async )?(?:function|class|interface|type|const) (\w+)",
    "python": r"^(?:def|class) ([A-Za-z]\w*)|^([A-Za-z]\w*)(?:: .*)? = ",
    "go": r"^(?:func|type|var|const) (\w+)",
    "java": r"^\s+(?:public |private )?static (?!final)[^=;(]*?(\w+)\(|^(?:public )?(?:final |abstract )*(?:class|record|interface) (\w+)",
    "rust": r"^(?:pub )?(?:async |const )?(?:fn|struct|enum|trait|type|const) (\w+)|^macro_rules! (\w+)",
    "cpp": r"^(?:inline |template.*> )?(?:[\w:<>]+[ &*]+)+(\w+)\(|^(?:struct|class|using|enum class) (\w+)",
}


def declared(language):
    names = set()
    for path in (ROOT / language).iterdir():
        if path.suffix in (".ts", ".py", ".go", ".java", ".rs", ".in") and path.name != "pynamodb_base.py":
            for match in re.finditer(TOP_LEVEL[language], path.read_text(), re.M):
                names.update(name for name in match.groups() if name)
    return names


class SpellingTest(unittest.TestCase):
    def setUp(self):
        self.code = {text for path in (ROOT / "emit").iterdir() for text in re.findall(r'"(\w+)"', path.read_text())}

    def test_tables_are_whole(self):
        for language in LANGUAGES:
            with self.subTest(language):
                self.assertEqual(faults((ROOT / language / f"{language}.spelling").read_text(), self.code), [])

    def test_styles_are_whole_with_their_language(self):
        for language, style in STYLES:
            with self.subTest(style):
                table = entries((ROOT / language / f"{language}.spelling").read_text())
                own = entries((ROOT / language / f"{style}.spelling").read_text())
                whole = "".join(f"{name}:{text}\n" for name, text in (table | own).items())
                self.assertEqual(faults(whole, self.code), [])
                self.assertEqual([name for name in own if own[name] == table.get(name)], [])

    def test_names_of_the_support_files_are_reserved(self):
        for language in LANGUAGES:
            with self.subTest(language):
                table = entries((ROOT / language / f"{language}.spelling").read_text())
                names = declared(language)
                self.assertGreater(len(names), 20)
                self.assertEqual(sorted(names - set(table["reserved"].split())), [])

    def test_imported_names_are_reserved(self):
        for language, style in [*((language, language) for language in LANGUAGES), *STYLES]:
            with self.subTest(style):
                table = entries((ROOT / language / f"{language}.spelling").read_text())
                used = table | entries((ROOT / language / f"{style}.spelling").read_text())
                imported = {name for module in used["modules"].split() + used.get("pynamodb_modules", "").split()
                            for name in used.get(f"import_{module}", "").split() if name.isidentifier()}
                self.assertEqual(sorted(imported - set(used["reserved"].split())), [])

    def test_faults_are_found(self):
        self.assertEqual(faults("rows: $>none\nsort: $?x«y\nodd: 1\n", {"rows", "sort"}),
                         ["rows includes none, which is not there", "sort has an open group", "odd is not used"])


if __name__ == "__main__":
    unittest.main()
