"""Random expressions and the names and values they use: grammatical for the most part, with faults now and then."""

NUMBERS = ["0", "1", "-1", "2", "10", "1.5", "-0.5", "100", "1E2", "0.10", "99999999999999999999999999999999999999", "1E-130", "9.9E125", "007", "+3"]
BAD_NUMBERS = ["", "x", "1e200", "1e-200", "0x1", "123456789012345678901234567890123456789.1", "NaN", " 1", "1e"]
TEXTS = ["a", "b", "ab", "abc", "z", "", "0", "A", "é", "a#b", "null", "x" * 40]
BYTES = ["AA==", "AAE=", "/w==", "", "YWJj"]
NAMES = ["a", "b", "n", "t", "m", "l", "ss", "ns", "bs", "flag", "other", "g", "r"]
RESERVED = ["name", "size", "Values", "status"]
TYPES = ["S", "N", "B", "SS", "NS", "BS", "BOOL", "NULL", "L", "M", "X"]


def number(random):
    return random.choice(BAD_NUMBERS if random.random() < 0.03 else NUMBERS)


def members(random, pool, low=1):
    count = random.choice([low, 1, 2, 3])
    return random.sample(pool, min(count, len(pool)))


def value(random, depth=0):
    """A typed attribute value."""
    kind = random.choice(["S", "S", "N", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"])
    if kind in "LM" and depth > 2:
        kind = "S"
    if kind == "S":
        return {"S": random.choice(TEXTS)}
    if kind == "N":
        return {"N": number(random)}
    if kind == "B":
        return {"B": random.choice(BYTES)}
    if kind == "BOOL":
        return {"BOOL": random.random() < 0.5}
    if kind == "NULL":
        return {"NULL": True}
    if kind == "SS":
        return {"SS": members(random, TEXTS[:6], 0 if random.random() < 0.05 else 1)}
    if kind == "NS":
        return {"NS": members(random, NUMBERS[:7], 0 if random.random() < 0.05 else 1)}
    if kind == "BS":
        return {"BS": members(random, BYTES[:4])}
    if kind == "L":
        return {"L": [value(random, depth + 1) for _ in range(random.randrange(3))]}
    return {"M": {random.choice(NAMES): value(random, depth + 1) for _ in range(random.randrange(3))}}


def typed(random, kind):
    if kind == "S":
        return {"S": random.choice(TEXTS[:5] if random.random() < 0.95 else TEXTS)}
    if kind == "N":
        return {"N": number(random)}
    return {"B": random.choice(BYTES[:3] if random.random() < 0.95 else BYTES)}


class Expressions:
    """One request's expressions: placeholders are shared among them, as DynamoDB has it."""

    def __init__(self, random, keys=()):
        self.random = random
        self.keys = list(keys)
        self.names = {}
        self.values = {}

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, text):
        if self.chance(0.35) or text in RESERVED:
            if text in RESERVED and self.chance(0.1):
                return text
            placeholder = f"#{text}"
            self.names[placeholder] = text
            return placeholder
        return text

    def literal(self, chosen=None):
        placeholder = f":v{len(self.values)}"
        if self.chance(0.01):
            return ":missing"
        self.values[placeholder] = chosen if chosen is not None else value(self.random)
        return placeholder

    def path(self, top=None):
        random = self.random
        pool = NAMES + RESERVED + (self.keys if self.chance(0.4) else [])
        text = self.name(top or random.choice(pool))
        while self.chance(0.2):
            text += f"[{random.choice([0, 1, 2, 7])}]" if self.chance(0.5) else f".{self.name(random.choice(NAMES))}"
        return text

    def operand(self):
        roll = self.random.random()
        if roll < 0.55:
            return self.literal()
        if roll < 0.9:
            return self.path()
        return f"size({self.path()})"

    def condition(self, depth=0):
        random = self.random
        roll = random.random()
        if depth < 3 and roll < 0.3:
            return f"{self.condition(depth + 1)} {random.choice(['AND', 'OR', 'and'])} {self.condition(depth + 1)}"
        if depth < 3 and roll < 0.38:
            return f"NOT {self.condition(depth + 1)}"
        if depth < 3 and roll < 0.46:
            return f"({self.condition(depth + 1)})"
        if roll < 0.66:
            return f"{self.path()} {random.choice(['=', '<>', '<', '<=', '>', '>='])} {self.operand()}"
        if roll < 0.72:
            return f"{self.operand()} BETWEEN {self.operand()} AND {self.operand()}"
        if roll < 0.78:
            return f"{self.path()} IN ({', '.join(self.operand() for _ in range(random.choice([1, 2, 3])))})"
        return self.function()

    def function(self):
        random = self.random
        name = random.choice(["attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains"])
        if name.startswith("attribute_") and name != "attribute_type":
            return f"{name}({self.path()})"
        if name == "attribute_type":
            return f"{name}({self.path()}, {self.literal({'S': random.choice(TYPES)})})"
        if name == "begins_with":
            return f"{name}({self.path()}, {self.literal(random.choice([{'S': 'a'}, {'S': ''}, {'B': 'AA=='}, {'N': '1'}]))})"
        return f"{name}({self.path()}, {self.operand()})"

    def set_value(self):
        roll = self.random.random()
        if roll < 0.5:
            return self.literal()
        if roll < 0.6:
            return self.path()
        if roll < 0.8:
            return f"{self.path()} {self.random.choice('+-')} {self.literal({'N': number(self.random)})}"
        if roll < 0.9:
            return f"if_not_exists({self.path()}, {self.literal()})"
        return f"list_append({self.path()}, {self.literal({'L': [value(self.random)]})})"

    def update(self):
        random = self.random
        clauses = random.sample(["SET", "REMOVE", "ADD", "DELETE"], random.choice([1, 1, 1, 2]))
        if self.chance(0.5):
            clauses = ["SET"]
        parts = []
        for clause in clauses:
            actions = []
            for _ in range(random.choice([1, 1, 2])):
                if clause == "SET":
                    actions.append(f"{self.path()} = {self.set_value()}")
                elif clause == "REMOVE":
                    actions.append(self.path())
                elif clause == "ADD":
                    actions.append(f"{self.path()} {self.literal(random.choice([{'N': number(random)}, {'NS': ['1', '2']}, {'SS': ['a', 'c']}, value(random)]))}")
                else:
                    actions.append(f"{self.path()} {self.literal(random.choice([{'SS': ['a']}, {'NS': ['1']}, {'BS': ['AA==']}, value(random)]))}")
            parts.append(f"{clause} {', '.join(actions)}")
        return " ".join(parts)

    def projection(self):
        return ", ".join(self.path() for _ in range(self.random.choice([1, 2, 3])))

    def key_condition(self, hash_key, range_key):
        random = self.random
        name, kind = hash_key
        text = f"{self.name(name)} {random.choice(['=', '=', '=', '=', '=', '=', '=', '=', '>', '<>']) if self.chance(0.1) else '='} " \
               f"{self.literal(typed(random, kind) if self.chance(0.95) else value(random))}"
        if range_key and self.chance(0.6):
            name, kind = range_key if self.chance(0.95) else ("a", "S")
            left = self.name(name)
            operand = lambda: self.literal(typed(random, kind) if self.chance(0.95) else value(random))  # noqa: E731
            roll = random.random()
            if roll < 0.6:
                clause = f"{left} {random.choice(['=', '<', '<=', '>', '>='])} {operand()}"
            elif roll < 0.8:
                clause = f"{left} BETWEEN {operand()} AND {operand()}"
            else:
                clause = f"begins_with({left}, {operand()})"
            text = f"{text} AND {clause}" if self.chance(0.9) else f"{clause} AND {text}"
        return text

    def broken(self, text):
        """The expression with a fault in its text, now and then."""
        if not self.chance(0.03):
            return text
        cut = self.random.randrange(len(text) + 1)
        return self.random.choice([text[:cut], text[:cut] + "(" + text[cut:], f"({text})", f"(({text}))", text + " AND", "", text.upper()])

    def add_to(self, request):
        """Adds the placeholders; now and then one that is not used, or drops one that is."""
        if self.chance(0.02):
            self.names["#unused"] = "u"
        if self.chance(0.02):
            self.values[":unused"] = {"S": "u"}
        if self.values and self.chance(0.01):
            self.values.pop(next(iter(self.values)))
        if self.names:
            request["ExpressionAttributeNames"] = self.names
        if self.values:
            request["ExpressionAttributeValues"] = self.values
        return request
