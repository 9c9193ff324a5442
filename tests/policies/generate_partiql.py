"""PartiQL statements that do what item requests do, in other letter cases, with quoted names, comments and parameters."""

from world import ATTRIBUTES, INDEX, PLAIN


class StatementMaker:
    """A part of generate.Maker, which has the names, keys and chances."""

    def word(self, text):
        return self.rng.choice((text, text, text.lower(), text.title()))

    def gap(self):
        return self.rng.choices((" ", "  ", "\n", " /* a comment */ ", " -- a comment\n"), (12, 1, 1, 1, 1))[0]

    def identifier(self, name):
        bare = name.isidentifier() and name.isascii() and name.lower() not in ("owner",)
        return name if bare and self.chance(0.5) else '"' + name.replace('"', '""') + '"'

    def literal(self, text, parameters):
        if parameters is not None:
            parameters.append({"S": text})
            return "?"
        return "'" + text + "'"

    def lead_literal(self, index, parameters):
        """A value of the key that leads the table or its index."""
        value = {"S": self.of()} if index else self.pk()
        if "S" in value:
            return self.literal(value["S"], parameters)
        if parameters is not None:
            parameters.append(value)
            return "?"
        return self.rng.choice((self.of(), f"{self.of()}.0"))

    def where(self, parameters, index=False, whole=True):
        lead = self.identifier("owner" if index else "pk")
        if not whole and self.chance(0.25):
            return self.rng.choice((f"memo = {self.literal('x', parameters)}", f"{lead} <> {self.literal('x', parameters)}",
                                    f"{lead} = {self.lead_literal(index, parameters)} {self.word('OR')} memo = {self.literal('x', parameters)}"))
        if not whole and self.chance(0.25):
            return f"{lead} {self.word('IN')} [{self.lead_literal(index, parameters)}, {self.lead_literal(index, parameters)}]"
        text = f"{lead} = {self.lead_literal(index, parameters)}"
        if whole or self.chance(0.3):
            if not index:
                text += f" {self.word('AND')} {self.identifier('sk')} = {self.literal(self.rng.choice('12'), parameters)}"
        return text

    def condition_too(self, parameters):
        """A condition besides the key, which fails on every item."""
        return f" {self.word('AND')} {self.rng.choice(PLAIN)} = {self.literal('x', parameters)}" if self.chance(0.25) else ""

    def returning(self):
        if not self.chance(0.4):
            return ""
        which, when = self.rng.choice((("ALL", "OLD"), ("MODIFIED", "OLD"), ("ALL", "NEW"), ("MODIFIED", "NEW")))
        return f"{self.gap()}{self.word('RETURNING')} {self.word(which)} {self.word(when)} *"

    def statement(self, kinds=("SELECT", "INSERT", "UPDATE", "DELETE", "SELECT"), whole=False):
        """A statement as {"Statement": …, "Parameters": […]}."""
        kind = self.rng.choice(kinds)
        table, gap = self.identifier(self.name()), self.gap
        parameters = [] if self.chance(0.3) else None
        if kind in ("SELECT", "EXISTS"):
            columns = "*" if self.chance(0.5) else ", ".join(self.identifier(one) for one in self.some(ATTRIBUTES))
            index = not whole and kind == "SELECT" and self.chance(0.25)
            source = f"{table}.{self.identifier(self.index() or INDEX)}" if index else table
            text = f"{self.word('SELECT')}{gap()}{columns}{gap()}{self.word('FROM')}{gap()}{source}"
            if whole or kind == "EXISTS" or not self.chance(0.2):
                text += f"{gap()}{self.word('WHERE')}{gap()}{self.where(parameters, index, whole or kind == 'EXISTS')}"
            if kind == "EXISTS":
                text = f"{self.word('EXISTS')}({text} {self.word('AND')} {self.rng.choice(PLAIN)} = {self.literal('x', parameters)})"
        elif kind == "INSERT":
            members = {"sk": self.rng.choice("13"), **{name: "new" for name in self.some(PLAIN)}}
            inner = ", ".join([f"'pk': {self.lead_literal(False, parameters)}", *[f"'{name}': {self.literal(value, parameters)}" for name, value in members.items()]])
            text = f"{self.word('INSERT')} {self.word('INTO')}{gap()}{table}{gap()}{self.word('VALUE')} {{{inner}}}"
        elif kind == "UPDATE":
            attribute = self.identifier(self.rng.choice(PLAIN))
            change = f"{self.word('SET')} {attribute} = {self.literal('new', parameters)}" if self.chance(0.7) else f"{self.word('REMOVE')} {attribute}"
            text = f"{self.word('UPDATE')}{gap()}{table}{gap()}{change}{gap()}{self.word('WHERE')} {self.where(parameters)}{self.condition_too(parameters)}{self.returning()}"
        else:
            text = f"{self.word('DELETE')}{gap()}{self.word('FROM')}{gap()}{table}{gap()}{self.word('WHERE')} {self.where(parameters)}{self.condition_too(parameters)}"
            if self.chance(0.4):
                text += f" {self.word('RETURNING')} {self.word('ALL')} {self.word('OLD')} *"
        body = {"Statement": text}
        if parameters:
            body["Parameters"] = parameters
        if self.chance(0.25) and kind in ("UPDATE", "DELETE", "INSERT"):
            body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        return body

    def make_ExecuteStatement(self):
        return self.statement()

    def make_BatchExecuteStatement(self):
        kinds = ("SELECT",) if self.chance(0.5) else ("INSERT", "UPDATE", "DELETE")
        return {"Statements": [self.statement(kinds, whole=True) for _ in range(self.rng.randint(1, 3))]}

    def make_ExecuteTransaction(self):
        kinds = ("SELECT",) if self.chance(0.4) else ("INSERT", "UPDATE", "DELETE", "EXISTS")
        return {"TransactStatements": [self.statement(kinds, whole=True) for _ in range(self.rng.randint(1, 2))]}
