"""Random PartiQL statements over the tables of tables.py."""

from expressions import NAMES, NUMBERS, TEXTS, value
from tables import TABLES


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


class Statements:
    def __init__(self, random):
        self.random = random

    def chance(self, probability):
        return self.random.random() < probability

    def literal(self, kind=None):
        """Text of a literal, or a parameter that is noted."""
        random = self.random
        kind = kind or random.choice("SSNNX")
        if kind == "B" or self.chance(0.3):
            self.parameters.append({"S": random.choice(TEXTS[:5])} if kind == "S" else {"N": random.choice(NUMBERS)} if kind == "N"
                                   else {"B": random.choice(["AA==", "AAE=", "/w=="])} if kind == "B" else value(random))
            return "?"
        if kind == "S":
            return quoted(random.choice(TEXTS[:5]))
        if kind == "N":
            return random.choice(["0", "1", "-1", "2", "10", "1.5"])
        return random.choice(["true", "null", "[1, 'a']", "{'x': 1}", "<<1, 2>>", "<<'a'>>", "'z'"])

    def name(self):
        return self.random.choice([f'"{name}"' if name in ("size", "flag") else name for name in NAMES])

    def condition(self):
        random = self.random
        roll = random.random()
        name = self.name()
        if roll < 0.4:
            return f"{name} {random.choice(['=', '<>', '<', '<=', '>', '>='])} {self.literal(random.choice('SN'))}"
        if roll < 0.5:
            return f"{name} BETWEEN {self.literal('N')} AND {self.literal('N')}"
        if roll < 0.6:
            return f"{name} IN [{self.literal()}, {self.literal()}]"
        if roll < 0.7:
            return f"begins_with({name}, {self.literal('S')})"
        if roll < 0.8:
            return f"contains({name}, {self.literal('S')})"
        if roll < 0.9:
            return f"{name} IS {random.choice(['MISSING', 'NOT MISSING', 'NULL', 'NOT NULL'])}"
        return f"({self.condition()} {random.choice(['AND', 'OR'])} NOT {self.condition()})"

    def keys(self, table):
        keys = [key for key in TABLES[table][0] if key]
        parts = [f"{name} = {self.literal(kind if self.chance(0.97) else 'X')}" for name, kind in keys]
        if self.chance(0.05):
            parts.pop()
        return parts

    def where(self, parts):
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def statement(self):
        random = self.random
        self.parameters = []
        table = random.choice(list(TABLES))
        kind = random.choice(["SELECT", "SELECT", "SELECT", "INSERT", "UPDATE", "DELETE"])
        if kind == "SELECT":
            columns = "*" if self.chance(0.6) else ", ".join(random.sample(NAMES, 2))
            parts = self.keys(table) if self.chance(0.7) else []
            if parts and self.chance(0.3):
                parts = parts[:1]
            parts += [self.condition() for _ in range(random.choice([0, 0, 1]))]
            text = f'SELECT {columns} FROM "{table}"{self.where(parts)}'
        elif kind == "INSERT":
            members = [f"'{name}': {self.literal(key_kind)}" for name, key_kind in filter(None, TABLES[table][0])]
            members += [f"'{name}': {self.literal()}" for name in random.sample([name for name in NAMES if name not in "gnr"], random.choice([0, 1, 2]))]
            text = f'INSERT INTO "{table}" VALUE {{{", ".join(members)}}}'
        elif kind == "UPDATE":
            clauses = []
            for _ in range(random.choice([1, 1, 2])):
                name = random.choice([name for name in NAMES if name not in "gnr"])
                clauses.append(random.choice([f"SET {name} = {self.literal()}", f"REMOVE {name}", f"SET {name} = {self.literal('S')}"]))
            text = f'UPDATE "{table}" {" ".join(clauses)}{self.where(self.keys(table) + ([self.condition()] if self.chance(0.2) else []))}'
        else:
            text = f'DELETE FROM "{table}"{self.where(self.keys(table) + ([self.condition()] if self.chance(0.2) else []))}'
        if kind in ("UPDATE", "DELETE") and self.chance(0.2):
            text += f" RETURNING {random.choice(['ALL', 'MODIFIED'])} {random.choice(['OLD', 'NEW'])} *"
        if self.chance(0.02):
            cut = random.randrange(len(text))
            text = text[:cut] + random.choice(["", "(", ")", " x "]) + text[cut + 1:]
        return {"Statement": text} | ({"Parameters": self.parameters} if self.parameters else {})

    def ExecuteStatement(self):
        return self.statement() | ({"ConsistentRead": True} if self.chance(0.1) else {}) | ({"ReturnConsumedCapacity": "TOTAL"} if self.chance(0.1) else {})

    def BatchExecuteStatement(self):
        return {"Statements": [self.statement() for _ in range(self.random.choice([1, 2]))]}

    def ExecuteTransaction(self):
        return {"TransactStatements": [self.statement() for _ in range(self.random.choice([1, 2]))]}
