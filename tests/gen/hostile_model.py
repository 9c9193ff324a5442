"""Random models whose names are hostile to generated code: keywords of every language, the names that generated code itself uses (read from
the languages' tables and support files), names that differ in case or signs only, one letter, letters outside ASCII, plural and singular
alike, an attribute called like a parameter, a pattern called like an entity. The models have every kind of attribute, key, pattern and
write. The same seed gives the same text.

hostile_model.py SEED: prints one.
"""

import pathlib
import random
import re
import sys

GEN = pathlib.Path(__file__).resolve().parents[2] / "src/gen"

KEYWORDS = """
False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal
not or pass raise return try while with yield match case type
abstract boolean byte catch char const debugger declare default delete do double enum eval export extends final float function goto implements
instanceof int interface let long module namespace native new null number object package private protected public record sealed permits require
short static strictfp super switch symbol synchronized this throw throws transient typeof undefined unique unknown var void volatile any never
keyof readonly chan defer fallthrough func go map range select struct nil iota append cap len make panic print println recover error string rune
uint8 alignas alignof asm auto bool char8_t co_await concept constexpr decltype dynamic_cast explicit extern friend inline mutable noexcept
nullptr operator register requires signed sizeof template typedef typeid typename union unsigned using virtual wchar_t xor not_eq std int64_t
""".split()

ODD = """
item items tables table key keys error errors string String self cls class Class Order order ORDER OrderItem orderItem Orders a b x i n A I T K V
row rows Row value Value values name names id ID Id db ctx client Client options Options args input output result Result page Page cursor limit next
SaaS saas IPAddress iOS café Größe 名前 Ünï data date Date time Time uuid series species news Series fish sheep status address
list List dict set Set Map map Item Items tuple str Decimal Any Optional cast dataclass Literal TypedDict Promise Record Array Object Number
Boolean Error Exception context Context fmt errors aws types dynamodb strings sort os sys json List_ hashCode getClass toString equals wait notify
clone finalize constructor prototype __proto__ toJSON then length arguments index shard shards each before after found wanted copies original
_ __ _1 x1 X_1 user_id userId UserID user-id userID get set_ put_item putItem update remove write run main init Init Keys Entities Patterns
Writes entities patterns writes reading writing Layout layouts TABLES TableNames module exports default_ Number_ number_ New Writer Reader
""".split()

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,30}")


def own_names():
    """What generated code calls its own things."""
    words = set()
    for path in sorted(GEN.glob("*/*")):
        if path.suffix in (".spelling", ".py", ".ts", ".go", ".java", ".rs", ".in"):
            for line in path.read_text().splitlines():
                if not line.lstrip().startswith(("//", "#", "*", "/*")):
                    words.update(WORD.findall(line))
    return sorted(word for word in words if word.strip("_"))


OWN = own_names()


class Names:
    """Names for one model, no two alike in one scope. A plain one stands in where `hostility` says so, and for those in `tame`."""

    def __init__(self, choose, tame=()):
        self.choose = choose
        self.tame = set(tame)
        self.number = 0
        # Few words for each model, so that the same one comes as entity, attribute, parameter and function.
        pool = [choose.choice(source) for source in (KEYWORDS, ODD, OWN) for _ in range(8)]
        for word in list(pool):
            pool += [choose.choice([word.upper(), word.lower(), word.capitalize(), word + "s", word + "Item", word + "_", word + "2"])]
        self.pool = [word for word in pool if re.fullmatch(r"\w+(-\w+)*", word)]

    def pick(self, plain, taken, fits=r".*"):
        """A name that is not taken and fits the pattern."""
        self.number += 1
        index = self.number
        for _ in range(20):
            name = self.choose.choice(self.pool)
            if name not in taken and name not in WORDS_OF_THE_LANGUAGE and re.fullmatch(fits, name):
                break
        else:
            name = f"{plain}{index}"
        if index in self.tame:
            name = f"{plain}{index}"
        taken.add(name)
        return name


# Words that begin a line of an entity, item, table or pattern, where a name would be read as that line.
WORDS_OF_THE_LANGUAGE = set("""count kept ttl together allow index local item type sorts unique without find rate fresh example scan put update delete
times because where order by get via limit returns and desc asc in between exists begins_with contains optional set remove if with once for
copy of sum map list project keys all partition sort lock pad lower upper shard of references values immutable changes distinct zipf hottest
grows spread key text number bool binary date time text_set true false null""".split())


# What DynamoDB allows for tables and indexes.
SERVICE_NAME = r"[A-Za-z0-9_.-]{3,}"


class Entity:
    def __init__(self, names, taken, parent=None):
        self.name = names.pick("Entity", taken)
        self.parent = parent
        self.attributes = {}
        self.taken = set()
        self.names = names

    def add(self, role, kind):
        self.attributes[role] = (self.names.pick(role, self.taken), kind)

    def __getitem__(self, role):
        return self.attributes[role][0]

    def text(self):
        lines = [f"  {name} {kind}" for name, kind in self.attributes.values()]
        return f"entity {self.name} {{\n" + "\n".join(lines) + "\n}"

    def sample(self, rows, values_of):
        """`values_of`: a value for each role and row; "-" for what is not named."""
        lines = [", ".join(values_of(role, kind, row) for role, (_, kind) in self.attributes.items()) for row in rows]
        names = ", ".join(name for name, _ in self.attributes.values())
        return f"sample {self.name} ({names}) {{\n" + "\n".join(f"  {line}" for line in lines) + "\n}"


class Model:
    """Parts can be left out, by number, to find the smallest model that fails."""

    def __init__(self, seed, without=(), tame=()):
        self.choose = choose = random.Random(seed)
        self.names = names = Names(choose, tame)
        self.without = set(without)
        self.parts = 0
        # The name of the module, package or namespace.
        self.title = choose.choice([f"Hostile names {seed}", choose.choice(names.pool)])
        entities = set()
        self.owner = owner = Entity(names, entities)
        owner.add("id", "text(~4) key")
        owner.add("name", "text(~6)")
        owner.add("area", 'text(~5) values ("north", "south")')
        owner.add("rank", "number(3) optional")
        owner.add("seen", "number(6)")
        for role, kind in (("flag", "bool"), ("tags", "text-set optional"), ("sizes", "number-set optional"), ("blob", "binary(~9) optional"),
                           ("day", "date"), ("at", "time optional"), ("any", "map(~9) optional"), ("many", "list(~9) optional")):
            if choose.random() < 0.4:
                owner.add(role, kind)
        if choose.random() < 0.5:
            inner = set()
            self.members = [names.pick("member", inner) for _ in range(3)]
            members = ", ".join(map(" ".join, zip(self.members, ("text(~4)", "number(3) optional", 'text(~3) values ("a", "b")'))))
            owner.add("plan", choose.choice(["map", "list"]) + f" of ({members})")
        self.part = part = Entity(names, entities)
        part.add("owner", f"references {owner.name}.{owner['id']} key")
        part.add("no", choose.choice(["number(4)", "text(~4)", "date"]) + " key")
        part.add("state", 'text(~4) values ("open", "done")')
        part.add("note", "text(~6) optional")
        part.add("amount", "number(5)")
        self.locked = choose.random() < 0.5
        if self.locked:
            part.add("serial", "text(~4) optional unique")
        self.link = link = Entity(names, entities)
        link.add("owner", f"references {owner.name}.{owner['id']} key")
        link.add("other", f"references {owner.name}.{owner['id']} key" if choose.random() < 0.1 else "text(~4) key")
        link.add("stars", "number(1)")
        link.add("body", "text(~9) optional")
        self.inside = choose.choice(["map", "list", ""])
        self.functions = set()
        # Drawn apart, so that the rest of a seed's model stays what it is.
        second = random.Random(f"{seed} second layouts")
        names_of_second = Names(second, tame)
        self.layouts = [names_of_second.pick("Layout", entities) for _ in range(2)] if second.random() < 0.6 else []
        self.finds = [names_of_second.pick("Find", self.functions) for _ in self.layouts]
        self.attributes_of_items = set()
        # Everything is drawn before anything is left out, so that the rest stays as it is.
        self.texts = [self.physical(), *self.patterns(), *self.finds_of_second(), *self.writes()]

    def part_of(self, text):
        self.parts += 1
        return "" if self.parts in self.without else text

    def text(self):
        o, p, l = self.owner, self.part, self.link
        return "\n".join([f'model "{self.title}"', o.text(), p.text(), l.text(),
                          f"relationship Has: {o.name} one-to-many {p.name} {{\n  each {o.name} has ~3, at most 50\n}}",
                          f"relationship Links: {o.name} one-to-many {l.name} {{\n  each {o.name} has ~2, at most 9\n}}", *self.texts,
                          o.sample(range(1, 4), self.value), p.sample(range(1, 6), self.value), l.sample(range(1, 4), self.value), ""])

    def value(self, role, kind, row):
        if role == "plan":
            first, second, third = self.members
            plan = f'{{{first}: "p{row}", ' + (f"{second}: {row}, " if row % 2 else "") + f'{third}: "{"ab"[row % 2]}"}}'
            return plan if kind.startswith("map") else f"[{plan}]" if row % 3 else "[]"
        if role in ("id", "owner", "other"):
            return f'"o{row % 3 + 1}"'
        fixed = {"area": ('"north"', '"south"'), "state": ('"open"', '"done"'), "flag": ("true", "false")}
        if role in fixed:
            return fixed[role][row % 2]
        if "optional" in kind and role not in ("note", "serial") or row % 3 == 0 and role == "note":
            return "-"
        return str(row * 7) if kind.startswith("number") else f'"2024-03-0{row}"' if kind.startswith("date") else f'"{role}{row}"'

    def patterns(self):
        o, p, l, pick = self.owner, self.part, self.link, self.pattern
        parameter = lambda: self.names.pick("parameter", self.parameters)
        one = lambda entity, role: f"{entity[role]} = :{parameter()}"
        pick(lambda: f"  find {o.name} where {one(o, 'id')}")
        pick(lambda: f"  find {o.name} where {one(o, 'area')} get {o['id']}, {o['rank']}, {o['seen']}")
        pick(lambda: f"  find {o.name} where {o['id']} in (:{parameter()}, :{parameter()})")
        def both():
            key = parameter()
            return f"  find {o.name} where {o['id']} = :{key}\n  find {p.name} where {p['owner']} = :{key} order by {p['no']}"
        pick(both)
        pick(lambda: f"  find {p.name} where {one(p, 'owner')} order by {p['no']} desc limit 2")
        pick(lambda: f"  find {p.name} where {one(p, 'owner')} and {one(p, 'state')} get {p['no']}, {p['note']}, {o.name}.{o['name']}")
        pick(lambda: f"  find {p.name} where {one(p, 'owner')} and {p['no']} between :{parameter()} and :{parameter()}")
        pick(lambda: f"  find {p.name} where {p['state']} = :{parameter()} get {p['owner']}, {p['amount']}, {p['note']}")
        pick(lambda: f"  find {l.name} where {one(l, 'owner')} order by {l['other']}")
        pick(lambda: f"  count {p.name} where {one(p, 'owner')}")
        pick(lambda: f"  sum {p.name}.{p['amount']} where {one(p, 'owner')} and {one(p, 'state')}")
        def overview():
            key = parameter()
            return f"  find {o.name} where {o['id']} = :{key}\n  count {l.name} where {l['owner']} = :{key}\n  sum {p.name}.{p['amount']} where {p['owner']} = :{key}"
        pick(overview)
        pick(lambda: f"  find {p.name} where {p['amount']} > :{parameter()}\n  scan allowed because \"rare\"")
        return [text for text in self.made if text]

    def pattern(self, body):
        if not hasattr(self, "made"):
            self.made = []
        self.parameters = set()
        name = self.names.pick("Pattern", self.functions)
        self.made.append(self.part_of(f"pattern {name} {{\n{body()}\n  rate 1/s\n}}"))

    def writes(self):
        o, p, l = self.owner, self.part, self.link
        bodies = [f"  put {o.name} once", f"  update {o.name} set {o['rank']}, {o['area']}", f"  update {o.name} set {o['name']}",
                  f"  update {o.name} set {o['seen']}", f"  update {o.name} remove {o['rank']}",
                  f"  update {o.name} set {o['seen']} += 1 if {o['seen']} < 50", f"  delete {o.name} with {p.name}, {l.name}",
                  f"  put {p.name} once", f"  update {p.name} set {p['state']}, {p['note']}", f"  update {p.name} set {p['note']}",
                  f"  delete {p.name}", f"  put {l.name}", f"  update {l.name} set {l['stars']}, {l['body']}", f"  delete {l.name}",
                  f"  put {p.name} once\n  update {o.name} set {o['rank']}\n  together", f"  put {p.name} times 3",
                  f"  put {p.name} once\n  put {l.name}"]
        if self.locked:
            bodies += [f"  update {p.name} set {p['serial']}, {p['state']}", f"  update {p.name} remove {p['serial']}"]
        return [self.part_of(f"write {self.names.pick('Write', self.functions)} {{\n{body}\n  rate 1/s\n}}") for body in bodies]

    # The rows of a part once more, by number; and those with a note, by their note.
    def second_layouts(self, pk, sk, number):
        p = self.part
        keys = [f'{pk} = "NUMBER#{number}"\n    {sk} = "{{{p["owner"]}}}"', f'{pk} = "NOTE#{{{p["note"]}}}"\n    {sk} = "{{{p["owner"]}}}#{number}"']
        return "\n".join(f"  item {name} of {p.name} {{\n    {one}\n  }}" for name, one in zip(self.layouts, keys))

    def finds_of_second(self):
        p = self.part
        wheres = [f"{p['no']} = :x", f"{p['note']} = :x"]
        return [f"pattern {name} {{\n  find {p.name} where {where}\n  rate 1/s\n}}" for name, where in zip(self.finds, wheres)]

    def physical(self):
        o, p, l, choose = self.owner, self.part, self.link, self.choose
        attributes = {name for entity in (o, p, l) for name, _ in entity.attributes.values()}
        taken = set(attributes)
        pk, sk, ipk, isk = (self.names.pick(role, taken) for role in ("PK", "SK", "GPK", "GSK"))
        kind = f"  type {self.names.pick('Kind', taken)}" if choose.random() < 0.5 else ""
        copy = choose.choice(["", "transaction", "batch", "stream"])
        number = f"{{{p['no']} pad 6}}" if "number" in p.attributes["no"][1] else f"{{{p['no']}}}"
        shard = f"#{{shard {choose.choice([1, 3])} of {p['no']}}}" if choose.random() < 0.4 else ""
        embed = ""
        if self.inside:
            name = self.names.pick("links", taken)
            embed = f"    {name} = map of {l.name} by {l['other']}\n" if self.inside == "map" else f"    {name} = list of {l.name}\n"
        lines = [f"table {self.names.pick('Table', set(), SERVICE_NAME)} partition {pk} sort {sk} {{", kind,
                 f"  index {self.names.pick('index', set(), SERVICE_NAME)} partition {ipk} sort {isk}" + choose.choice([" project all", f" project {p['note']}", " project keys"]),
                 f'  item {o.name} {{\n    {pk} = "OWNER#{{{o["id"]}}}"\n    {sk} = "META"\n    {ipk} = "AREA#{{{o["area"]}}}"\n'
                 f'    {isk} = "{{{o["seen"]} pad 6}}#{{{o["id"]}}}"\n' + embed + choose.choice(["", f"    without {o['id']}\n"]) + "  }",
                 f'  item {p.name} {{\n    {pk} = "OWNER#{{{p["owner"]}}}"\n    {sk} = "PART#{number}"\n    {ipk} = "P#{{{p["state"]}}}{shard}"\n'
                 f'    {isk} = "{{{p["owner"]}}}#{number}"\n'
                 + (f"    {self.names.pick('copied', taken)} = copy of {o.name}.{o['name']} kept by {copy}\n" if copy else "")
                 + (f"    unique {p['serial']} by lock item\n" if self.locked else "")
                 + choose.choice(["", f"    without {p['owner']}, {p['no']}\n"]) + "  }",
                 f'  item {l.name} {{\n    {pk} = "OWNER#{{{l["owner"]}}}"\n    {sk} = "LINK#{{{l["other"]}}}"\n  }}' if not self.inside else "",
                 self.second_layouts(pk, sk, number), "}"]
        return "\n".join(line for line in lines if line)


def hostile_model(seed, without=(), tame=()):
    return Model(seed, without, tame).text()


if __name__ == "__main__":
    print(hostile_model(int(sys.argv[1])))
