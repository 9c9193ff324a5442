#!/usr/bin/python3
"""Rules of the source tree that a compiler does not check.

Prints one line for each finding, `file:line: [rule] text`, and exits 1 if there is any. The rules are small functions over a Tree,
so that tidy_test.py can show on made-up trees that each of them can fail.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

# Which folders of src/ the sources of a folder may include. docs/ARCHITECTURE.md draws the same arrows; `model` and user programs
# alike know the engine only through include/prejoin.
ALLOWED_FOLDERS = {
    "base": [],
    "value": ["base"],
    "json": ["base", "value"],
    "expr": ["base", "value"],
    "partiql": ["base", "value", "expr"],
    "storage": ["base"],
    "cells": ["base", "storage"],
    "cluster": ["base", "storage"],
    "rados": ["cluster"],
    "vector": ["base"],
    "engine": ["base", "value", "expr", "partiql", "storage", "cells", "vector"],
    "transfer": ["base", "value", "json", "expr", "partiql", "storage", "engine"],
    "wire": ["base", "value", "json", "expr", "partiql", "engine", "transfer"],
    "capi": ["base", "json", "storage", "engine", "wire"],
    "auth": ["base"],
    "access": ["base", "value", "json", "storage", "engine"],
    "client": ["base", "value", "json", "auth"],
    "model": ["base", "json", "client"],
    "server": ["base", "value", "json", "expr", "storage", "engine", "transfer", "wire", "auth", "access", "model"],
    "simulate": ["base", "value", "json", "engine", "model"],
    "gen": ["base", "json", "model"],
    "evolve": ["json", "model", "audit"],
    "migrate": ["base", "value", "json", "client", "model", "audit", "evolve"],
    "design": ["base", "json", "model", "evolve"],
    "process": ["base"],
    "embedded": ["base", "server"],
    "studio": ["base", "value", "json", "client", "wire", "model", "server", "design", "gen", "draft", "process", "embedded"],
    "draft": ["base", "value", "json", "model"],
    "audit": ["base", "value", "json", "client", "model"],
    "rpc": ["base", "json"],
    "lsp": ["json", "model", "rpc"],
    "mcp": ["base", "json", "model", "rpc", "draft", "wire", "server", "embedded", "gen", "audit", "design", "process", "evolve", "simulate"],
    "shell": ["base", "json", "client", "model"],
    "cli": ["base", "value", "json", "client", "draft", "rpc", "lsp", "mcp", "shell", "expr", "storage", "engine", "transfer", "wire", "auth", "access", "model", "server", "studio", "gen", "audit", "evolve", "migrate", "design", "simulate", "cluster", "process", "embedded"],
}

# A library that only some folders may know: pattern of the include → those folders.
LIBRARY_FOLDERS = {
    r"simdjson": ["json"],
    r"rocksdb/": ["storage", "cluster"],
    r"rados/": ["rados"],
    r"boost/(asio|beast)": ["server"],
    r"sys/(socket|epoll)\.h": ["server", "client", "cli", "process"],
    r"(spawn|sys/wait|sys/prctl|linux/seccomp)\.h": ["process"],
    r"CLI/": ["cli"],
    r"openssl/": ["auth", "access", "client", "transfer", "server"],
    r"pg_query": ["draft"],
    r"^yaml\.h": ["draft"],
    r"editline/": ["shell"],
}

# Folders that make up the library: they return errors and never print.
SILENT_FOLDERS = ["base", "cells", "capi", "access", "vector", "value", "json", "client", "expr", "partiql", "storage", "engine", "transfer", "wire", "auth", "model", "studio", "draft", "rpc", "lsp", "mcp", "shell", "gen", "audit", "evolve", "migrate", "design", "process", "embedded"]

# Rooms (folders inside a layer) that include each other, by layer. The numbers may only shrink; a layer that is not here has none.
ROOMS_IN_CYCLES = {"cli": 6, "design": 2, "engine": 10, "gen": 5, "model": 4, "server": 2, "wire": 3}

FILE_LINES_MAX = 600
PAGE_FILE_LINES_MAX = 400  # Of .tsx and .css: markup and rules are looked through, not read.
FUNCTION_LINES_MAX = 70
README_LINES_MAX = 15
FOLDER_FILES_MAX = 40
TEXT_COLUMNS_MAX = 150  # Of prose in Markdown and of comments, which no formatter folds.

PAGE_SUFFIXES = {".tsx", ".css"}
CODE_SUFFIXES = {".cc", ".h", ".ts", ".mjs", ".py"} | PAGE_SUFFIXES
TEXT_SUFFIXES = CODE_SUFFIXES | {".md", ".txt", ".cmake", ".json", ".case", ".lua", ".sh", ".html", ".prejoin", ".conf", ""}


@dataclasses.dataclass(frozen=True)
class Finding:
    path: str
    line: int
    rule: str
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.rule}] {self.text}"


class Tree:
    """The text files of the project, by path relative to its root."""

    def __init__(self, files, exceptions=None, rooms_in_cycles=None):
        self.files = files
        self.exceptions = exceptions or {}
        self.rooms_in_cycles = rooms_in_cycles or {}

    def of(self, suffixes, under=""):
        for path, text in sorted(self.files.items()):
            if pathlib.PurePath(path).suffix in suffixes and path.startswith(under):
                yield path, text.splitlines()


def folder_of(path):
    parts = path.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "src" else None


def check_arrows(tree):
    for path, lines in tree.of({".cc", ".h"}):
        folder = folder_of(path)
        public = path.startswith("include/")
        if folder is None and not public:
            continue
        if folder is not None and folder not in ALLOWED_FOLDERS:
            yield Finding(path, 1, "arrow", f"src/{folder} is not in the table of folders")
            continue
        for number, line in enumerate(lines, 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if not match:
                continue
            target = match.group(1)
            first = target.split("/")[0]
            if first in ALLOWED_FOLDERS and "/" in target:
                if public:
                    yield Finding(path, number, "arrow", f"a public header includes {target}, which users do not have")
                elif first != folder and first not in ALLOWED_FOLDERS[folder]:
                    yield Finding(path, number, "arrow", f"{folder} may not include {first} ({target})")
            for pattern, folders in LIBRARY_FOLDERS.items():
                if re.match(pattern, target) and (public or folder not in folders):
                    yield Finding(path, number, "arrow", f"{target} belongs to {', '.join(folders)} only")


def check_file_sizes(tree):
    listed = tree.exceptions
    for path, lines in tree.of(CODE_SUFFIXES):
        count = len(lines)
        most = PAGE_FILE_LINES_MAX if pathlib.PurePath(path).suffix in PAGE_SUFFIXES else FILE_LINES_MAX
        if path in listed:
            if count != listed[path]:
                direction = "grew" if count > listed[path] else "shrank: write that number down, or drop the line"
                yield Finding(path, 1, "size", f"{count} lines; long_files.txt says {listed[path]}; it {direction}")
            elif count <= most:
                yield Finding(path, 1, "size", "short enough now; drop it from long_files.txt")
        elif count > most:
            yield Finding(path, 1, "size", f"{count} lines; {most} is the most. What is the second idea in it?")
    for path in sorted(set(listed) - set(tree.files)):
        yield Finding(path, 1, "size", "in long_files.txt, but not in the tree")


def check_function_sizes(tree):
    # clang-format puts the closing brace of a function outside a class at column 0, and its first line too.
    for path, lines in tree.of({".cc"}, under="src/"):
        start = None
        for number, line in enumerate(lines, 1):
            if line.startswith("}"):
                length = number - start + 1 if start else 0
                # "};" closes a table or a type.
                if line.rstrip() == "}" and length > FUNCTION_LINES_MAX and not lines[start - 2].startswith("// Long:"):
                    yield Finding(path, start, "function", f"{length} lines; {FUNCTION_LINES_MAX} is the most, "
                                  "unless a comment `// Long: reason` stands right over it")
                start = None
            elif re.match(r"[A-Za-z_\[]", line) and start is None:
                is_type = re.match(r"(namespace|struct|class|enum|union|extern|using|template|typedef)\b", line)
                start = None if is_type else number
            if line.endswith(";") and not line.startswith(" "):
                start = None  # A declaration.


NO_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
                     re.DOTALL | re.MULTILINE)


def code_only(lines):
    """The text without strings, comments and directives, each line where it was."""
    return NO_CODE.sub(lambda match: "\n" * match.group().count("\n"), re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "", "\n".join(lines)))


def end_of_parentheses(text, start):
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def check_braces(tree):
    begins = re.compile(r"\s*(\[\[\w+\]\]\s*)?\{")
    for path, lines in tree.of({".cc", ".h"}):
        text = code_only(lines)
        for match in re.finditer(r"\b(?:if(?: constexpr)?|for|while|switch) ?(?=\()|\belse\b(?! if\b)", text):
            after = match.end() if match.group() == "else" else end_of_parentheses(text, match.end())
            closes_do = match.group().startswith("while") and text[max(0, match.start() - 2):match.start()] == "} "
            if not begins.match(text, after) and not closes_do:
                number = text.count("\n", 0, match.start()) + 1
                yield Finding(path, number, "braces", "the body of if, else, for and while stands in braces")


def check_page_function_sizes(tree):
    # The same layout: a function of a module begins and ends at column 0.
    begins = re.compile(r"(export )?(default )?(async )?function\b|(export )?const \w+ = .*=> \{$")
    for path, lines in tree.of({".ts", ".tsx"}, under="studio/src/"):
        start = None
        for number, line in enumerate(lines, 1):
            if begins.match(line):
                start = number
            elif line.startswith("}"):
                if start and number - start + 1 > FUNCTION_LINES_MAX:
                    yield Finding(path, start, "function", f"{number - start + 1} lines; {FUNCTION_LINES_MAX} is the most")
                start = None


def check_printing(tree):
    pattern = re.compile(r"\bstd::(cout|cerr|clog)\b|(?<![\w.])f?printf\s*\(|\bputs\s*\(")
    for path, lines in tree.of({".cc", ".h"}, under="src/"):
        if folder_of(path) not in SILENT_FOLDERS or path == "src/base/check.cc":
            continue
        for number, line in enumerate(lines, 1):
            if pattern.search(line.split("//")[0]):
                yield Finding(path, number, "print", "the library never prints; return an error or log in server/")


# Folders that read what others send. An exception there is an answer that nobody gets.
READING_FOLDERS = ["capi", "json", "client", "draft", "rpc", "lsp", "mcp", "studio", "transfer", "process", "wire", "server", "cli", "migrate", "gen"]

THROWING = [
    (r"\bsto(i|l|ll|ul|ull|f|d|ld)\s*\(", None, "throws on bad input; use base/parse_number.h"),
    (r"#\s*include\s*<regex>|\bstd::w?regex\b", None, "recurses for every character; write a tokenizer"),
    (r"\bstd::(strto\w+|ato\w+)\s*\(", READING_FOLDERS, "reads the beginning of anything as a number; use base/parse_number.h"),
    (r"\.at\([^)]", READING_FOLDERS, "throws if there is none; use find and answer with an error"),
]


def check_throwing(tree):
    for path, lines in tree.of({".cc", ".h"}, under="src/"):
        for pattern, folders, text in THROWING:
            if folders is not None and folder_of(path) not in folders:
                continue
            for number, line in enumerate(lines, 1):
                if re.search(pattern, line.split("//")[0]):
                    yield Finding(path, number, "throw", text)


def check_text(tree):
    todo = re.compile(r"\b(TODO|FIXME|XXX)\b(?!.*(#\d+|\bissue \d+))")
    machine = re.compile(r"(?<![\w.:])/(work|farm|root|home/\w+|tmp/bash_jobs[.\d]*)/")
    host = re.compile(r"registry\.(npmjs|yarnpkg)|\bpypi\.(org|python)|deb\.debian\.org")
    # This file and its test must name what they look for.
    own = ("tests/tidy/",)
    for path, lines in tree.of(TEXT_SUFFIXES):
        if path.startswith(own):
            continue
        code = pathlib.PurePath(path).suffix in CODE_SUFFIXES | {".cmake", ".lua", ".sh"}
        for number, line in enumerate(lines, 1):
            if code and "\t" in line:
                yield Finding(path, number, "tab", "indent with spaces")
            if code and todo.search(line):
                yield Finding(path, number, "todo", "name the issue: TODO(#12)")
            if machine.search(line):
                yield Finding(path, number, "path", "a path of one machine")
            if host.search(line):
                yield Finding(path, number, "host", "the host of a package registry")


def check_drawers(tree):
    for path in sorted(tree.files):
        name = pathlib.PurePath(path).stem
        if path.startswith(("src/", "include/")) and re.fullmatch(r"(.*_)?(utils?|helpers?|common|misc)", name):
            yield Finding(path, 1, "drawer", "no drawer files; if code has no home, it is missing a name")


def check_readmes(tree):
    for folder in sorted({folder_of(path) for path in tree.files} - {None}):
        path = f"src/{folder}/README.md"
        lines = tree.files.get(path, "").splitlines()
        if not lines:
            yield Finding(path, 1, "readme", "each folder of src/ says in a README what it owns")
        elif len(lines) > README_LINES_MAX:
            yield Finding(path, 1, "readme", f"{len(lines)} lines; {README_LINES_MAX} is the most")


# What clang-format leaves behind when it takes Markdown for C++.
FORMATTED_AS_CODE = re.compile(r"#+[A-Za-z`]|.*\w\.- |\s*\.- |.*[a-z]\(`|\s{8,}- ")


def check_markdown(tree):
    for path, lines in tree.of({".md"}):
        fenced = False
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced or line.startswith(("|", "!", "```")):
                continue  # Code, and tables and pictures, which are one line each.
            if FORMATTED_AS_CODE.match(re.sub(r"`[^`]*`", "``", line)):
                yield Finding(path, number, "markdown", "formatted as C++: run clang-format on C++ files only")
            if len(line) > TEXT_COLUMNS_MAX and path != "CHANGELOG.md":
                yield Finding(path, number, "width", f"{len(line)} columns; {TEXT_COLUMNS_MAX} is the most")


def check_comment_widths(tree):
    for path, lines in tree.of({".cc", ".h"}):
        for number, line in enumerate(lines, 1):
            if line.lstrip().startswith("//") and len(line) > TEXT_COLUMNS_MAX and "http" not in line:
                yield Finding(path, number, "width", f"{len(line)} columns; {TEXT_COLUMNS_MAX} is the most")


def check_folders(tree):
    counts = {}
    for path, _ in tree.of({".cc", ".h"}):
        if path.startswith(("src/", "include/")):
            folder = str(pathlib.PurePath(path).parent)
            counts[folder] = counts.get(folder, 0) + 1
    for folder, count in sorted(counts.items()):
        if count > FOLDER_FILES_MAX:
            yield Finding(folder, 1, "folder", f"{count} files; {FOLDER_FILES_MAX} is the most. Which rooms does it have?")


def include_graph(tree):
    """Which unit (a header and the .cc file of the same name) includes which."""
    texts = dict(tree.of({".cc", ".h"}))
    unit_of = {path: path.rsplit(".", 1)[0] for path in texts}
    graph = {unit: set() for unit in unit_of.values()}
    for path, lines in texts.items():
        for line in lines:
            match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            for root in ("src/", "include/", "tests/", ""):
                target = unit_of.get(root + match.group(1)) if match else None
                if target and target != unit_of[path]:
                    graph[unit_of[path]].add(target)
    return graph


def cycles_of(graph):
    """The sets of units that all reach each other, by Tarjan's algorithm; without recursion, as chains of includes are long."""
    order, low, on_stack, stack, cycles = {}, {}, set(), [], []
    for start in sorted(graph):
        path = [(start, iter(sorted(graph[start])))] if start not in order else []
        while path:
            unit, targets = path[-1]
            if unit not in order:
                order[unit] = low[unit] = len(order)
                stack.append(unit)
                on_stack.add(unit)
            target = next(targets, None)
            if target is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[unit])
                if low[unit] == order[unit]:
                    cycle = stack[stack.index(unit):]
                    del stack[stack.index(unit):]
                    on_stack.difference_update(cycle)
                    if len(cycle) > 1:
                        cycles.append(tuple(sorted(cycle)))
            elif target not in order:
                path.append((target, iter(sorted(graph[target]))))
            elif target in on_stack:
                low[unit] = min(low[unit], order[target])
    return sorted(cycles)


def check_cycles(tree):
    cycles = cycles_of(include_graph(tree))
    for cycle in cycles:
        yield Finding(cycle[0], 1, "cycle", f"includes itself through {', '.join(cycle[1:])}")


def check_room_cycles(tree):
    graph = {}
    for unit, targets in include_graph(tree).items():
        if unit.startswith("src/"):
            room = str(pathlib.PurePath(unit).parent)
            graph.setdefault(room, set()).update(parent for parent in (str(pathlib.PurePath(target).parent) for target in targets)
                                                 if parent.startswith("src/") and parent != room)
    graph = {room: {target for target in targets if target in graph} for room, targets in graph.items()}
    in_cycles = {}
    for cycle in cycles_of(graph):
        for room in cycle:
            in_cycles.setdefault(folder_of(room + "/x"), []).append(room)
    for layer in sorted(set(in_cycles) | {layer for layer in ROOMS_IN_CYCLES if any(path.startswith(f"src/{layer}/") for path in tree.files)}):
        rooms, known = in_cycles.get(layer, []), tree.rooms_in_cycles.get(layer, 0)
        if len(rooms) > known:
            yield Finding(f"src/{layer}", 1, "rooms", f"{', '.join(sorted(rooms))} include each other; {known} rooms are known to")
        elif len(rooms) < known:
            yield Finding(f"src/{layer}", 1, "rooms", f"{len(rooms)} rooms include each other; write that number down in ROOMS_IN_CYCLES")


RULES = [check_folders, check_cycles, check_room_cycles, check_arrows, check_file_sizes, check_function_sizes, check_braces, check_page_function_sizes, check_printing, check_throwing, check_text, check_drawers, check_readmes, check_markdown,
         check_comment_widths]


def findings_of(tree):
    return [finding for rule in RULES for finding in rule(tree)]


def read_exceptions(text):
    exceptions = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            path, count = line.rsplit(None, 1)
            exceptions[path] = int(count)
    return exceptions


def read_tree(root):
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listing.returncode == 0:
        paths = [root / name for name in listing.stdout.decode().split("\0") if name]
    else:  # A release archive has no .git.
        paths = [path for path in root.rglob("*") if not {"build", "node_modules", "data"} & set(path.relative_to(root).parts)]
    files = {}
    for path in paths:
        if path.is_file() and path.suffix in TEXT_SUFFIXES and path.name != "package-lock.json":
            try:
                files[str(path.relative_to(root))] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                pass  # Not text.
    return Tree(files, read_exceptions((root / "tests/tidy/long_files.txt").read_text()), ROOMS_IN_CYCLES)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    tree = read_tree(root)
    findings = findings_of(tree)
    for finding in findings:
        print(finding)
    print(f"tidy: {len(tree.files)} files, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
