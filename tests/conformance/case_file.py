"""Reads *.case files. README.md shows the form."""

import dataclasses
import json
import re


class CaseError(Exception):
    """The file itself is wrong."""


@dataclasses.dataclass
class Step:
    line: int
    operation: str
    request: object
    repeat: int = 1
    # None: only that it succeeds.
    status: int | None = None
    answer: object = None
    error: str | None = None
    message: str | None = None
    extra: object = None


@dataclasses.dataclass
class Case:
    line: int
    title: str
    given: list = dataclasses.field(default_factory=list)  # (table, item)
    steps: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class CaseFile:
    path: str
    tables: list = dataclasses.field(default_factory=list)  # CreateTable requests; the name without prefix.
    cases: list = dataclasses.field(default_factory=list)


class Reader:
    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.position = 0
        self.result = CaseFile(str(path))

    def fail(self, message):
        raise CaseError(f"{self.path}:{self.line()}: {message}")

    def line(self):
        return self.text.count("\n", 0, self.position) + 1

    def rest_of_line(self):
        end = self.text.find("\n", self.position)
        end = len(self.text) if end < 0 else end
        rest = self.text[self.position:end]
        self.position = end + 1
        return rest.strip()

    def peek_line(self):
        return self.text[self.position:].split("\n", 1)[0]

    def skip_blank(self):
        while self.position < len(self.text) and (not self.peek_line().strip() or self.peek_line().startswith("#")):
            self.rest_of_line()

    def word(self):
        match = re.compile(r"[ \t]*(\S+)").match(self.text, self.position)
        if not match:
            self.fail("a word is missing")
        self.position = match.end()
        return match.group(1)

    def has_json(self):
        return self.peek_line().strip().startswith(("{", "["))

    def json(self):
        start = re.compile(r"\s*").match(self.text, self.position).end()
        try:
            value, self.position = json.JSONDecoder().raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            self.position = error.pos
            self.fail(f"not JSON: {error.msg}")
        return value

    def read(self):
        self.skip_blank()
        while self.position < len(self.text):
            self.statement()
            self.skip_blank()
        return self.result

    def statement(self):
        line = self.line()
        keyword = self.word()
        if keyword == "table":
            self.table()
            return
        if keyword == "case":
            self.result.cases.append(Case(line, self.rest_of_line()))
            return
        if not self.result.cases:
            self.fail(f"'{keyword}' stands before the first case")
        case = self.result.cases[-1]
        if keyword == "given":
            table = self.word()
            # No statement begins with a brace, so items may go on over the following lines.
            while re.compile(r"\s*\{").match(self.text, self.position):
                case.given.append((table, self.json()))
        elif keyword == "=>":
            self.expectation(case)
        elif keyword == "with":
            case.steps[-1].extra = self.json()
        elif keyword == "repeat":
            case.steps.append(Step(line, "", None, repeat=int(self.word())))
            case.steps[-1].operation = self.word()
            case.steps[-1].request = self.json()
        elif keyword == "wait":
            case.steps.append(Step(line, "wait", self.word()))
        elif re.fullmatch(r"[A-Z]\w+", keyword):
            case.steps.append(Step(line, keyword, self.json()))
        else:
            self.fail(f"what is '{keyword}'?")
        if self.peek_line().strip():
            self.fail("text behind the end of the statement")
        self.rest_of_line()

    def expectation(self, case):
        if not case.steps or case.steps[-1].status is not None:
            self.fail("=> without a request before it")
        step = case.steps[-1]
        step.status = int(self.word())
        if step.status == 200:
            step.answer = self.json() if self.has_json() else "*"
            return
        text = self.rest_of_line()
        match = re.fullmatch(r"(\w+)(?:: (.*))?", text)
        if not match:
            self.fail("an error reads: => 400 Name: message")
        step.error, step.message = match.group(1), match.group(2)
        while self.peek_line().startswith("|"):
            step.message += "\n" + self.rest_of_line()[1:].strip()
        self.position -= 1  # The caller takes the end of the line.

    # ---- table Name key:T … --------------------------------------------------------------------------------------------------

    def table(self):
        name, *keys = self.rest_of_line().split()
        definitions = {}
        request = {"TableName": name, "KeySchema": key_schema(keys, definitions), "BillingMode": "PAY_PER_REQUEST"}
        while self.peek_line().startswith((" ", "\t")) and self.peek_line().strip():
            kind, index_name, *rest = self.rest_of_line().split()
            if kind not in ("gsi", "lsi", "vector"):
                self.fail(f"an index is gsi, lsi or vector, not {kind}")
            if kind == "vector":
                request.setdefault("VectorIndexes", []).append(vector_index(index_name, rest, definitions))
                continue
            keys = [word for word in rest if ":" in word]
            if kind == "lsi":
                keys.insert(0, "+".join(f"{name}:{definitions[name]}" for name in [request["KeySchema"][0]["AttributeName"]]))
            projection = next(word for word in rest if word in ("ALL", "KEYS_ONLY", "INCLUDE"))
            index = {"IndexName": index_name, "KeySchema": key_schema(keys, definitions),
                     "Projection": {"ProjectionType": projection}}
            if projection == "INCLUDE":
                index["Projection"]["NonKeyAttributes"] = rest[-1].split(",")
            request.setdefault("GlobalSecondaryIndexes" if kind == "gsi" else "LocalSecondaryIndexes", []).append(index)
        request["AttributeDefinitions"] = [{"AttributeName": name, "AttributeType": kind} for name, kind in definitions.items()]
        self.result.tables.append(request)


def key_schema(words, definitions):
    """["a:S+b:S", "c:N"]: the first word holds the HASH attributes, the second the RANGE attributes."""
    schema = []
    for word, role in zip(words, ("HASH", "RANGE")):
        for part in word.split("+"):
            name, kind = part.split(":")
            definitions[name] = kind
            schema.append({"AttributeName": name, "KeyType": role})
    return schema


def vector_index(name, words, definitions):
    """["e:3", "COSINE", "HASH", "tenant:S", "INLINE_FILTER", "kind:S+size:N", "ALL"]: the two in the middle may be missing."""
    attribute, dimensions = words[0].split(":")
    index = {"IndexName": name, "VectorAttribute": {"AttributeName": attribute}, "Dimensions": int(dimensions),
             "DistanceFunction": words[1], "Projection": {"ProjectionType": words[-1]}}
    for role, attributes in zip(words[2:-1:2], words[3:-1:2]):
        for part in attributes.split("+"):
            searched, kind = part.split(":")
            definitions[searched] = kind
            index.setdefault("SearchSchema", []).append({"AttributeName": searched, "SearchSchemaElementType": role})
    return index


def read_case_file(path):
    return Reader(path, path.read_text(encoding="utf-8")).read()
