"""Random models with writes of every kind that code is generated for: keys that an update renders again (padded, folded, sharded, sparse),
lock items, copies kept by a transaction or a batch, rows inside a map or a list, second layouts, several writes in one. The same seed gives
the same text.

random_model.py SEED: prints one.
"""

import random
import sys


def random_model(seed):
    choose = random.Random(seed)
    second = random.Random(f"{seed} second layouts")
    parts = [Part(choose, second, number) for number in range(1, choose.randint(1, 3) + 1)]
    inside = choose.choice(["", "map of Note by label", "list of Note"])
    totals = choose.random() < 0.6
    summed = totals and "amount number(4)" in parts[0].extra
    return "\n".join([f'model "Random {seed}"', owner_entity(totals, summed), *(part.entity() for part in parts), note_entity() if inside else "",
                      *(part.relationship(choose) for part in parts), NOTE_RELATIONSHIP if inside else "",
                      owner_functions(choose, inside, parts, totals), *(part.functions(choose) for part in parts),
                      "table Everything partition PK sort SK {", "  type Kind" if choose.random() < 0.5 else "",
                      "  index GSI1 partition GSI1PK sort GSI1SK" + choose.choice([" project all", " project note", " project keys"]),
                      owner_item(choose, inside, totals, summed), *(part.item(choose) for part in parts), "}",
                      owner_sample(totals, summed),
                      NOTE_SAMPLE if inside else "", *(part.sample(choose) for part in parts), ""])


NOTE_RELATIONSHIP = "relationship Notes: Owner one-to-many Note {\n  each Owner has ~2, at most 9\n}"
NOTE_SAMPLE = 'sample Note (owner, label, body, stars) {\n  "o1", "a", "first", 3\n  "o1", "b", -, 1\n  "o2", "a", "other", 2\n}'


def owner_entity(totals, summed):
    more = ("\n  parts number(4)" if totals else "") + ("\n  worth number(9)" if summed else "")
    return """entity Owner {
  id   text(~4) key
  name text(~6)
  area text(~5) values ("north", "south")
  rank number(3) optional""" + more + """
}"""


def owner_sample(totals, summed):
    more = [one for one, there in (("parts", totals), ("worth", summed)) if there]
    rows = ['"o1", "Ann", "north", 7', '"o2", "Bob", "south", -', '"o3", "Cid", "north", 12']
    return ("sample Owner (" + ", ".join(["id", "name", "area", "rank", *more]) + ") {\n"
            + "\n".join("  " + ", ".join([row, *("0" for _ in more)]) for row in rows) + "\n}")


def note_entity():
    return """entity Note {
  owner references Owner.id key
  label text(~4) key
  body  text(~9) optional
  stars number(1)
}"""


def owner_item(choose, inside, totals, summed):
    index = choose.choice(['    GSI1PK = "AREA#{area}"\n    GSI1SK = "{rank pad 5}#{id}"\n', '    GSI1PK = "{area upper}"\n    GSI1SK = "{id}"\n'])
    return ('  item Owner {\n    PK = "OWNER#{id}"\n    SK = "META"\n' + index + (f"    notes = {inside}\n" if inside else "")
            + ("    parts = count of Part1 kept by transaction\n" if totals else "")
            + ("    worth = sum of Part1.amount kept by transaction\n" if summed else "")
            + choose.choice(["", "    without id\n"]) + "  }")


def owner_functions(choose, inside, parts, totals):
    text = ["pattern OneOwner {\n  find Owner where id = :id\n" + choose.choice(["", "  fresh strong\n"]) + "}",
            "pattern OfArea {\n  find Owner where area = :area\n}",
            "write NewOwner {\n  put Owner once\n}", "write Rank {\n  update Owner set rank, area\n}",
            "write Rename {\n  update Owner set name\n}", "write Score {\n  update Owner set rank += 2\n}",
            'write Gone {\n  update Owner where id = :id set area = "north" if area = :was and exists(rank)\n}',
            'write Start {\n  put Owner once with area = "south" without rank\n}',
            "write Replace {\n  put Owner if area = :was\n}" if not inside else "",
            "write Drop {\n  delete Owner with " + ", ".join(part.name for part in parts) + (", Note" if inside else "") + "\n}"]
    if not inside:
        text.append("write SetOwner {\n  put Owner\n}")
    else:
        text += ["pattern NotesOf {\n  find Note where owner = :owner order by label\n}", "write AddNote {\n  put Note\n}",
                 "write ChangeNote {\n  update Note set body, stars\n}", "write DropNote {\n  delete Note\n}",
                 "write NoBody {\n  update Note remove body\n}", "write Three {\n  put Note with stars = 3 without body\n}"]
    return "\n".join(text)


class Part:
    """An entity in its owner's collection."""

    def __init__(self, choose, second, number):
        # Drawn apart, so that the rest of a seed's model stays what it is.
        self.layouts = [one for one in ("again", "noted", "body", "stated") if second.random() < 0.4]
        self.only = {one: second.random() < 0.5 for one in self.layouts}
        self.name = f"Part{number}"
        self.number = number
        self.numbered = choose.random() < 0.5
        self.extra = [one for one in ("flag bool", "amount number(4)", "tags list(~9) optional", "more map(~9) optional") if choose.random() < 0.5]
        self.copy = choose.choice(["", "transaction", "batch"])
        self.locked = choose.random() < 0.5
        self.moves = choose.random() < 0.25

    def entity(self):
        kind = "number(4)" if self.numbered else "text(~4)"
        extra = "".join(f"\n  {one}" for one in self.extra + (["serial text(~4) optional unique"] if self.locked else [])
                        + (["body text(~9) optional"] if "body" in self.layouts else []))
        return (f"entity {self.name} {{\n  owner references Owner.id key\n  no {kind} key\n  state text(~4) values (\"open\", \"done\")\n"
                f"  note text(~6) optional{extra}\n}}")

    def relationship(self, choose):
        return f"relationship Has{self.number}: Owner one-to-many {self.name} {{\n  each Owner has ~{choose.randint(2, 6)}, at most 50\n}}"

    def item(self, choose):
        number = "{no pad 6}" if self.numbered else "{no}"
        shard = "#{shard 3 of no}" if choose.random() < 0.3 else ""
        index = choose.choice([f'    GSI1PK = "P{self.number}#{{state}}{shard}"\n    GSI1SK = "{{owner}}#{number}"\n',
                               f'    GSI1PK = "P{self.number}#{{note lower}}"\n    GSI1SK = "{{state}}#{{owner}}#{number}"\n'])
        copy = f"    ownerName = copy of Owner.name kept by {self.copy}\n" if self.copy else ""
        lock = "    unique serial by lock item\n" if self.locked else ""
        return (f'  item {self.name} {{\n    PK = "OWNER#{{owner}}"\n    SK = "P{self.number}#{"{state}#" if self.moves else ""}{number}"\n' + index + copy + lock
                + self.without(choose.choice(["", "owner, no"])) + "  }\n" + "".join(self.second(one, number) for one in self.layouts))

    def without(self, names):
        names = [one for one in (names, "body" if "body" in self.layouts else "") if one]
        return f"    without {', '.join(names)}\n" if names else ""

    def second(self, kind, number):
        """A second layout: under another key, for rows with a note only, of what the first one leaves out, under a key that changes."""
        only, keys = {"again": (" (state, note)", ("AGAIN#" + number, "{owner}")),
                      "noted": (" (state)", ("NOTED#{note}", "{owner}#" + number)),
                      "body": (" (body)", ("BODY#{owner}", f"P{self.number}#{number}")),
                      "stated": (" (note)", ("STATED#{state}", f"{{owner}}#P{self.number}#{number}"))}[kind]
        full = kind != "body" and not self.only[kind]
        return (f"  item {kind.capitalize()}{self.number} of {self.name}{'' if full else only} {{\n"
                f'    PK = "P{self.number}{keys[0]}"\n    SK = "{keys[1]}"\n  }}\n')

    def functions(self, choose):
        n, name = self.number, self.name
        text = [f"pattern With{n} {{\n  find Owner where id = :owner\n  find {name} where owner = :owner order by no\n}}",
                f"pattern First{n} {{\n  find {name} where owner = :owner order by no{choose.choice(['', ' desc'])} limit 2\n}}",
                f"pattern Count{n} {{\n  count {name} where owner = :owner\n}}",
                f"pattern InState{n} {{\n  find Owner where id = :owner\n  count {name} where owner = :owner and state = :state\n}}",
                f"pattern State{n} {{\n  find {name} where owner = :owner and state = :state\n}}",
                f"write Put{n} {{\n  put {name}{choose.choice(['', ' once'])}\n}}", f"write Set{n} {{\n  update {name} set state, note\n}}",
                f"write Note{n} {{\n  update {name} set note\n}}", f"write Del{n} {{\n  delete {name}\n}}"]
        if self.locked:
            text += [f"write Serial{n} {{\n  update {name} set serial, state\n}}", f"write Unset{n} {{\n  update {name} remove serial\n}}"]
        text += [f'write Open{n} {{\n  put {name} once with state = "open" without note\n}}',
                 f'write Close{n} {{\n  update {name} set state = "done" if state = "open"\n}}',
                 f"write Guarded{n} {{\n  update {name} set note if state <> :state and not exists(note)\n}}",
                 f"write Blank{n} {{\n  update {name} remove note if exists(note)\n}}",
                 f"write Many{n} {{\n  put {name}{choose.choice(['', ' once'])} times 2\n  update Owner set area\n  together\n}}",
                 f"write Apart{n} {{\n  update {name} set state\n  update Owner set rank += 1\n}}"]
        if "amount number(4)" in self.extra:
            text.append(f"pattern Sum{n} {{\n  sum {name}.amount where owner = :owner\n}}")
            text += [f"write Amount{n} {{\n  update {name} set amount, note\n}}", f"write More{n} {{\n  update {name} set amount += 3\n}}"]
        if "again" in self.layouts:
            text.append(f"pattern Again{n} {{\n  find {name} where no = :no order by owner get owner, state, note\n}}")
        if "noted" in self.layouts:
            text += [f"pattern Noted{n} {{\n  find {name} where note = :note get owner, no, state\n}}",
                     f"pattern Whole{n} {{\n  find {name} where note = :note\n}}"]
        if "stated" in self.layouts:
            text.append(f"pattern Stated{n} {{\n  find {name} where state = :state and owner = :owner get no, note\n}}")
        if "body" in self.layouts:
            text += [f"pattern Body{n} {{\n  find {name} where owner = :owner get no, body\n}}", f"write Body{n} {{\n  update {name} set body\n}}"]
        if choose.random() < 0.5:
            text.append(f"write Both{n} {{\n  put {name} once\n  update Owner set rank\n  together\n}}")
        return "\n".join(text)

    def sample(self, choose):
        names = ["owner", "no", "state", "note", *(one.split()[0] for one in self.extra)] + (["serial"] if self.locked else []) + (["body"] if "body" in self.layouts else [])
        values = {"flag": "true", "amount": "12.5", "tags": "-", "more": "-"}
        rows = []
        for no in range(1, 6):
            row = [f'"{choose.choice(["o1", "o2"])}"', str(no * 7) if self.numbered else f'"n{no}"', choose.choice(['"open"', '"done"']),
                   choose.choice(["-", f'"Text{no}"'])]
            values["serial"] = f'"#{no}"' if no % 2 else "-"
            values["body"] = f'"about {no}"' if no % 3 else "-"
            rows.append("  " + ", ".join(row + [values[name] for name in names[4:]]))
        return f"sample {self.name} ({', '.join(names)}) {{\n" + "\n".join(rows) + "\n}"


if __name__ == "__main__":
    print(random_model(int(sys.argv[1])))
