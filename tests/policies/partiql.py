"""Reads what a PartiQL statement names: action, table, index, keys, attributes. Enough of the grammar for what generate.py writes; a statement that
it cannot read raises Unreadable, and the comparison then only demands that nothing leaks.

Grammar: AWS's "PartiQL reference for DynamoDB". Identifiers in double quotes keep their case and so do bare ones; keywords have none.
"""

import dataclasses
import decimal
import re

TOKEN = re.compile(r"""\s+|--[^\n]*\n?|/\*.*?\*/|(?P<string>'(?:[^']|'')*')|(?P<quoted>"(?:[^"]|"")*")|(?P<number>-?\d+(?:\.\d+)?)
                       |(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<symbol><>|<=|>=|!=|<<|>>|[=<>(),.*?\[\]{}:+-])""", re.VERBOSE | re.DOTALL)


class Unreadable(Exception):
    pass


def canonical(number):
    """A number as DynamoDB returns it: "1" for "1.0", "01" and "1e0"."""
    try:
        value = decimal.Decimal(number)
        return format(value.normalize(), "f") if value.is_finite() else number
    except decimal.InvalidOperation:
        return number


@dataclasses.dataclass
class Statement:
    action: str
    table: str = ""
    index: str = ""
    everything: bool = False  # SELECT *
    attributes: set = dataclasses.field(default_factory=set)
    columns: set = dataclasses.field(default_factory=set)
    conditions: set = dataclasses.field(default_factory=set)  # Attributes that WHERE looks at.
    equal: dict = dataclasses.field(default_factory=dict)  # attribute → values that WHERE, as a whole, holds it to
    returning: str = ""
    exists: bool = False
    values: dict = dataclasses.field(default_factory=dict)  # of INSERT


def tokens_of(text):
    out, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise Unreadable(text[at:])
        at = match.end()
        kind = match.lastgroup
        if kind == "string":
            out.append(("value", match.group()[1:-1].replace("''", "'")))
        elif kind == "quoted":
            out.append(("quoted", match.group()[1:-1].replace('""', '"')))
        elif kind == "number":
            out.append(("value", canonical(match.group())))
        elif kind:
            out.append((kind, match.group()))
    return out + [("end", "")]


class Reader:
    def __init__(self, text, parameters):
        self.tokens, self.at = tokens_of(text), 0
        self.parameters = list(parameters or [])

    def peek(self, *words):
        kind, text = self.tokens[self.at]
        return kind in ("name", "symbol") and text.upper() in words

    def take(self, *words):
        if not self.peek(*words):
            return False
        self.at += 1
        return True

    def need(self, *words):
        if not self.take(*words):
            raise Unreadable(f"{words} at {self.tokens[self.at:]}")

    def identifier(self):
        kind, text = self.tokens[self.at]
        if kind not in ("name", "quoted"):
            raise Unreadable("identifier")
        self.at += 1
        return text

    def value(self):
        kind, text = self.tokens[self.at]
        if kind == "value":
            self.at += 1
            return text
        if self.take("?"):
            if not self.parameters:
                raise Unreadable("parameters")
            kind, given = next(iter(self.parameters.pop(0).items()))
            return canonical(given) if kind == "N" else str(given)
        raise Unreadable("value")

    def path(self):
        """The top-level attribute of a path."""
        name = self.identifier()
        while self.take("."):
            self.identifier()
        return name

    def source(self, statement):
        statement.table = self.identifier()
        if self.take("."):
            statement.index = self.identifier()

    def condition(self, statement):
        """Terms joined by AND, or by OR, never both. Keys count when every way to satisfy the whole holds them to values."""
        terms = [self.term(statement)]
        joined = "AND"
        while self.peek("AND", "OR"):
            joined = self.tokens[self.at][1].upper()
            self.at += 1
            terms.append(self.term(statement))
        held = [term for term in terms if term]
        if joined == "AND":
            for name, values in held:
                statement.equal.setdefault(name, values)
        elif len(held) == len(terms) and len({name for name, _ in held}) == 1:
            statement.equal[held[0][0]] = [value for _, values in held for value in values]

    def term(self, statement):
        if self.take("("):
            inner = self.term(statement)
            self.need(")")
            return inner
        name = self.path()
        statement.attributes.add(name)
        statement.conditions.add(name)
        if self.take("IN"):
            closing = ")" if self.take("(") else "]"
            if closing == "]":
                self.need("[")
            values = [self.value()]
            while self.take(","):
                values.append(self.value())
            self.need(closing)
            return name, values
        if self.take("IS"):
            self.take("NOT")
            self.identifier()
            return None
        symbol = self.tokens[self.at][1]
        self.need("=", "<>", "<", ">", "<=", ">=", "!=")
        value = self.value()
        return (name, [value]) if symbol == "=" else None


def read_select(reader, statement):
    if reader.take("*"):
        statement.everything = True
    else:
        while True:
            name = reader.path()
            statement.attributes.add(name)
            statement.columns.add(name)
            if not reader.take(","):
                break
    reader.need("FROM")
    reader.source(statement)
    if reader.take("WHERE"):
        reader.condition(statement)


def read_insert(reader, statement):
    reader.need("INTO")
    reader.source(statement)
    reader.need("VALUE")
    reader.need("{")
    while True:
        kind, name = reader.tokens[reader.at]
        if kind != "value":
            raise Unreadable("member")
        reader.at += 1
        reader.need(":")
        statement.values[name] = reader.value()
        statement.attributes.add(name)
        if not reader.take(","):
            break
    reader.need("}")
    for name, value in statement.values.items():
        statement.equal[name] = [value]


def read_update(reader, statement):
    reader.source(statement)
    while reader.peek("SET", "REMOVE"):
        is_set = reader.take("SET") or not reader.take("REMOVE")
        name = reader.path()
        statement.attributes.add(name)
        statement.columns.add(name)
        if is_set:
            reader.need("=")
            reader.value()
    reader.need("WHERE")
    reader.condition(statement)


def read_delete(reader, statement):
    reader.need("FROM")
    reader.source(statement)
    reader.need("WHERE")
    reader.condition(statement)


VERBS = {"SELECT": ("PartiQLSelect", read_select), "INSERT": ("PartiQLInsert", read_insert), "UPDATE": ("PartiQLUpdate", read_update),
         "DELETE": ("PartiQLDelete", read_delete)}


def read(text, parameters=None):
    reader = Reader(text, parameters)
    exists = reader.take("EXISTS")
    if exists:
        reader.need("(")
    verb = reader.tokens[reader.at][1].upper()
    if verb not in VERBS:
        raise Unreadable(verb)
    reader.at += 1
    action, rest = VERBS[verb]
    statement = Statement(action, exists=exists)
    rest(reader, statement)
    if exists:
        reader.need(")")
    if reader.take("RETURNING"):
        which, when = reader.identifier().upper(), reader.identifier().upper()
        reader.need("*")
        statement.returning = {"ALL": "ALL_", "MODIFIED": "UPDATED_"}[which] + when
    if reader.tokens[reader.at][0] != "end":
        raise Unreadable("rest")
    return statement
