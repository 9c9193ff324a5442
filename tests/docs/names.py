#!/usr/bin/python3
"""Checks that what the documentation names exists: paths, links, command-line options, make targets and identifiers.

Comments of C++ sources are checked for paths only.

Prints one line for each name that does not exist, `file:line: [kind] text`, and exits 1 if there is any. It reads the tracked files
only. docs/verbs.md says which options the program has; another test compares that page with the program (verbs_test.py).

names_test.py shows on made-up trees that each check can fail.
"""

import dataclasses
import fnmatch
import pathlib
import posixpath
import re
import subprocess
import sys

# Pages of the past, and pages that a program writes.
NOT_READ = ["CHANGELOG.md", "docs/verbs.md"]
TOP_FOLDERS = "src|tests|docs|scripts|bench|include|studio|examples|packaging|editors|cmake"
FILE_NAME = r"[\w.{},*…-]+\.(?:cc|h|py|md|tsx|ts|mjs|prejoin|case|txt|sh|lua|service|cmake|svg|webp|json)"
# Where a page may mean a path to begin, besides its own folder.
ROOTS = ["", "src/", "tests/", "include/", "include/prejoin/", "docs/", "studio/", "studio/src/", "examples/models/"]
# Commands of others: their options are not ours.
FOREIGN = {"aws", "cargo", "cmake", "ctest", "curl", "keytool", "npm", "npx", "node", "mvn", "go", "pip", "python", "code", "mypy", "ruff",
           "duckdb", "sqlite3", "draft_test", "git", "docker", "tar", "systemctl", "journalctl", "ceph", "du", "bash", "cp", "rsync"}


@dataclasses.dataclass(frozen=True)
class Finding:
    path: str
    line: int
    kind: str
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.kind}] {self.text}"


class Tree:
    """The text files of the project by path, all other paths, and the names of others that pages may use."""

    def __init__(self, texts, others=(), foreign=()):
        self.texts = texts
        self.paths = set(texts) | set(others)
        self.folders = {str(parent) for path in self.paths for parent in pathlib.PurePath(path).parents}
        self.foreign = set(foreign)
        self.words = set()
        for path, text in texts.items():
            if not path.endswith(".md"):
                self.words.update(re.findall(r"\w+", text))
                self.words.update(re.findall(r"[\w-]+", text))
        for path in self.paths:
            self.words.update(re.findall(r"\w+", path))
        self.options = options_of(texts.get("docs/verbs.md", ""))
        self.script_options = set()
        for path, text in texts.items():
            if path.startswith(("tests/", "bench/", "scripts/")) and not path.endswith(".md"):
                self.script_options.update(re.findall(r"[\"'\s(](--[a-z][a-z-]+)\b", text))
        self.targets = set(re.findall(r"^([a-z][\w-]*):", texts.get("Makefile", ""), re.MULTILINE))

    def pages(self):
        return {path: text for path, text in sorted(self.texts.items()) if path.endswith(".md") and path not in NOT_READ}

    def has(self, path):
        path = path.rstrip("/")
        if "*" in path or "…" in path:
            pattern = path.replace("…", "*")
            return any(fnmatch.fnmatch(known, pattern) for known in self.paths | self.folders)
        return path in self.paths or path in self.folders


def options_of(verbs_page):
    """The options of each verb, as docs/verbs.md lists them: {"serve": {"--port", …}, …}."""
    options = {}
    for title, text in re.findall(r"^##+ prejoin ?(.*?)\n\n```\n(.*?)\n```$", verbs_page, re.MULTILINE | re.DOTALL):
        options[title] = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))
    return options


def spans(text):
    """(line number, text, kind) of everything in a page that is code, and of the words between: "code" or "prose"."""
    fenced = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = None if fenced is not None else line.strip().strip("`")
            continue
        if fenced is not None:
            yield number, line, "block" if fenced in ("", "sh") else "source"
            continue
        parts = re.split(r"`([^`]+)`", line)
        for index, part in enumerate(parts):
            yield number, part, "code" if index % 2 else "prose"


def expanded(path):
    """a.{h,cc} → a.h, a.cc"""
    match = re.match(r"(.*)\{([^}]*)\}(.*)", path)
    return [match.group(1) + part + match.group(3) for part in match.group(2).split(",")] if match else [path]


def check_paths(tree, path, text):
    folder = posixpath.dirname(path)
    named = re.compile(rf"(?<![\w./:~@$-])(?:(?:{TOP_FOLDERS})/[\w./{{}},*…-]*[\w*}}/]|{FILE_NAME}(?!\w))")
    for number, part, kind in spans(text):
        if kind == "source" or "://" in part:
            continue
        for match in named.finditer(part):
            name = match.group()
            inside = name.startswith(tuple(f"{top}/" for top in TOP_FOLDERS.split("|")))
            if kind != "code" and not inside:
                continue  # Words of a sentence, or a file of the reader.
            for one in expanded(name):
                if not found_path(tree, folder, one) and one not in tree.foreign:
                    yield Finding(path, number, "path", f"{one} does not exist")
        # Names in capitals stand for something: u/NAME.
        if kind == "code" and re.fullmatch(r"[a-z_*][\w*]*(/[a-z_.*][\w.*]*)+", part) and not named.fullmatch(part):
            if not found_path(tree, folder, part) and part not in tree.foreign:
                yield Finding(path, number, "path", f"{part} does not exist")


def found_path(tree, folder, name):
    if re.fullmatch(r"docs/adr/\d{4}", name):
        name += "-*"  # A decision may be named by its number.
    roots = [folder + "/" if folder else "", *ROOTS]
    if any(tree.has(posixpath.normpath(root + name)) for root in roots):
        return True
    # A README of src/x names files of its rooms by their name; a page may leave the ending out.
    if any(tree.has(posixpath.normpath(root + name) + ending) for root in roots for ending in (".h", ".cc", ".py")):
        return True
    return "/" not in name and any(known.endswith("/" + name) or fnmatch.fnmatch(known, "*/" + name) for known in tree.paths)


def anchors_of(text):
    anchors = set()
    for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        anchors.add(re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-"))
    return anchors


def check_links(tree, path, text):
    for number, line in enumerate(text.splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if "://" in target or target.startswith("mailto:"):
                continue
            file, _, anchor = target.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            if not tree.has(file):
                yield Finding(path, number, "link", f"{target} does not exist")
            elif anchor and file.endswith(".md") and anchor not in anchors_of(tree.texts.get(file, "")):
                yield Finding(path, number, "link", f"{target}: there is no such heading")


def command_of(words):
    """The words of a command without assignments, prompts and the program's folder."""
    while words and (re.match(r"\w+=", words[0]) or words[0] in ("$", "export", "sudo", "exec")):
        words = words[1:]
    return [posixpath.basename(words[0]), *words[1:]] if words else []


def verb_of(tree, words):
    """The verb that the words after `prejoin` name, as long as it goes: ("access policy set", the rest)."""
    verb = ""
    for index, word in enumerate(words):
        longer = f"{verb} {word}".strip()
        if longer not in tree.options:
            return verb, words[index:]
        verb = longer
    return verb, []


def check_options(tree, path, text):
    known = set().union(*tree.options.values()) | tree.script_options | {"--help", "--version"}
    for number, part, kind in spans(text):
        if kind == "source":
            continue
        continues = part.lstrip().startswith("--") or kind == "prose"
        for piece in re.split(r"[|;&]| # |^# ", part):
            words = command_of(piece.split())
            used = [option for word in words for option in re.findall(r"^[(\[]?(--[a-z][a-z-]+)\b", word)]
            if not words or (words[0] in FOREIGN and not continues):
                continue
            program = words[1:] if words[0] == "prejoin" else words
            verb, _ = verb_of(tree, program)
            if words[0] == "prejoin" and kind != "prose" and not verb and program and re.fullmatch(r"[a-z][a-z-]+", program[0]):
                if f"prejoin {program[0]}" in tree.foreign:
                    continue
                yield Finding(path, number, "verb", f"prejoin {program[0]} does not exist")
            for option in used:
                if option in tree.foreign:
                    continue
                if verb and kind != "prose" and option not in tree.options[verb] | {"--help"}:
                    yield Finding(path, number, "option", f"prejoin {verb} has no {option}")
                elif option not in known and not (kind == "block" and continues):
                    yield Finding(path, number, "option", f"{option} is no option of ours")


def check_targets(tree, path, text):
    for number, part, kind in spans(text):
        if kind in ("code", "block"):
            for target in re.findall(r"(?:^|[;&(]|\s)make ([a-z][\w-]*)", part.split(" #")[0]):
                if target not in tree.targets:
                    yield Finding(path, number, "target", f"make {target} does not exist")


def check_identifiers(tree, path, text):
    for number, part, kind in spans(text):
        if kind != "code" or not re.fullmatch(r"(?:\w+::)*\w{3,}(?:\(\))?", part) or part in tree.foreign:
            continue
        for name in part.removesuffix("()").split("::"):
            if not re.fullmatch(r"[\d_]+|[0-9a-f]{8,}", name) and name not in tree.words:
                yield Finding(path, number, "identifier", f"{name} occurs nowhere in the code")


def check_comments(tree):
    """Paths in the comments of C++ sources: pages and tests that they refer to."""
    named = re.compile(rf"(?<![\w./:~@$-])(?:{TOP_FOLDERS})/[\w./-]*\.(?:cc|h|py|md|prejoin|case)\b")
    for path, text in sorted(tree.texts.items()):
        if path.endswith((".cc", ".h")):
            for number, line in enumerate(text.splitlines(), 1):
                _, _, comment = line.partition("// ")
                for name in named.findall(comment):
                    if not found_path(tree, "", name):
                        yield Finding(path, number, "path", f"{name} does not exist")


CHECKS = [check_paths, check_links, check_options, check_targets, check_identifiers]


def findings_of(tree):
    of_pages = [finding for path, text in tree.pages().items() for check in CHECKS for finding in check(tree, path, text)]
    return of_pages + list(check_comments(tree))


def read_tree(root):
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             capture_output=True, check=False)
    if listing.returncode == 0:
        paths = [name for name in listing.stdout.decode().split("\0") if name and (root / name).is_file()]
    else:  # A release archive has no .git.
        hidden = {"build", "node_modules", "data", ".git"}
        paths = [str(path.relative_to(root)) for path in root.rglob("*")
                 if path.is_file() and not hidden & set(path.relative_to(root).parts)]
    texts, others = {}, []
    for path in paths:
        try:
            if path.endswith("package-lock.json"):
                raise UnicodeDecodeError("utf-8", b"", 0, 0, "not ours")
            texts[path] = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            others.append(path)
    foreign = [line.split("#")[0].strip() for line in (root / "tests/docs/foreign.txt").read_text().splitlines()]
    return Tree(texts, others, [name for name in foreign if name])


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    tree = read_tree(root)
    findings = findings_of(tree)
    for finding in findings:
        print(finding)
    print(f"names: {len(tree.pages())} pages, {len(findings)} findings")
    return 1 if findings or len(tree.pages()) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
