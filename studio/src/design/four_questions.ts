// A design from the four questions: how many, both directions, how often it changes, reads against writes. It is a
// beginning that the checker accepts and `prove` finds right; everything in it can be changed.
export type Per = 's' | 'min' | 'hour' | 'day';

export interface Answers {
  title: string;
  one: string; // What there is …
  ones: number; // … so many of them …
  other: string; // … and what belongs to it.
  others: number; // How many of those there are, where each belongs to many; else it follows.
  manyToMany: boolean;
  average: number;
  bounded: boolean;
  most: number;
  both: boolean; // Read from the other side too.
  changes: number;
  changesPer: Per;
  reads: number;
  readsPer: Per;
}

export const noAnswers: Answers = {
  title: '', one: 'Customer', ones: 10_000, other: 'Order', others: 1_000, manyToMany: false,
  average: 20, bounded: true, most: 400, both: false, changes: 1, changesPer: 's', reads: 20, readsPer: 's',
};

// A name that the language takes: letters and digits, a capital first.
export function nameFrom(text: string, otherwise: string): string {
  const words = text.normalize('NFD').replace(/[^A-Za-z0-9 ]/g, '').split(/\s+/).filter((word) => word !== '');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('').replace(/^\d+/, '');
  return single(name) || otherwise;
}

// An entity is called after one of its kind, also where somebody types several.
function single(name: string): string {
  if (/(ss|us|is|news|series|species)$/i.test(name)) return name;
  if (/[^aeiou]ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  if (/(x|ch|sh|ss)es$/i.test(name)) return name.slice(0, -2);
  return name.replace(/s$/i, '');
}

export function several(name: string): string {
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}

// DynamoDB takes no name of two letters.
const tableOf = (name: string) => several(name).padEnd(3, '_');

const lower = (name: string) => name[0]!.toLowerCase() + name.slice(1);
const one = (name: string) => `${/^[aeiou]/i.test(name) ? 'An' : 'A'} ${name}`;
const whole = (value: number, least: number) => Math.max(least, Math.round(value) || least);
const spaced = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '_');
const rate = (value: number, per: Per) => `${value > 0 ? Number(value.toPrecision(6)) : 1}/${per}`;

export function designFrom(answers: Answers): string {
  const first = nameFrom(answers.one, 'Parent');
  const named = nameFrom(answers.other, 'Child');
  const other = named === first ? `${named}2` : named;
  const title = (answers.title || `${first} and ${other}`).replace(/["\\]/g, '');
  const has = whole(answers.average, 1);
  const bound = answers.bounded ? `at most ${spaced(Math.max(has, whole(answers.most, 1)))}` : 'unbounded';
  const ones = whole(answers.ones, 1);
  const others = answers.manyToMany ? whole(answers.others, 1) : ones * has;
  const rates = { changes: rate(answers.changes, answers.changesPer), reads: rate(answers.reads, answers.readsPer) };
  const parts = { one: first, other, title, bound, both: answers.both, has, ones: spaced(ones), others: spaced(others), ...rates };
  return answers.manyToMany ? manyToMany(parts) : oneToMany(parts);
}

interface Parts {
  one: string;
  other: string;
  title: string;
  bound: string;
  both: boolean;
  has: number;
  ones: string;
  others: string;
  changes: string;
  reads: string;
}

const wordsOf = (first: string, other: string) => ({ a: lower(first), b: lower(other), A: first.toUpperCase(), B: other.toUpperCase() });

// The line of the index, and the keys that an item has in it; nothing if only one side is read from.
const indexOf = (wanted: boolean, partition: string, sort: string) =>
  wanted ? ['  index GSI1 partition GSI1PK sort GSI1SK project all\n\n', `\n    GSI1PK = "${partition}"\n    GSI1SK = "${sort}"`] : ['', ''];

const headOf = ({ title, one: first, ones }: Parts) => `model "${title}"

entity ${first} {
  id    text(~8) key
  name  text(~20)
  count ${ones}
}
`;

// An id is one row's alone, which the key of two attributes does not say: `distinct` does.
function oneToMany(parts: Parts): string {
  const { one: first, other, bound, both, has, others, changes, reads } = parts;
  const { a, b, A, B } = wordsOf(first, other);
  const [index, indexKeys] = indexOf(both, `${B}#{id}`, B);
  return `${headOf(parts)}
entity ${other} {
  ${a}Id references ${first}.id key
  id text(~8) key distinct ${others}
  name text(~30)
}

relationship ${several(other)}: ${first} one-to-many ${other} {
  each ${first} has ~${has}, ${bound}
  changes ${changes}
}

pattern ${first}With${several(other)} "${one(a)} with its ${several(b)}" {
  find ${first} where id = :${a}
  find ${other} where ${a}Id = :${a}
  rate ${reads}
  example ${a} = "1" gives 3
}
${both ? `\npattern One${other} "One ${b} by its id" {\n  find ${other} where id = :${b}\n  rate ${reads}\n  example ${b} = "x" gives 1\n}\n` : ''}
write Add${other} "A new ${b}" {
  put ${other} once
  rate ${changes}
}

table ${tableOf(first)} partition PK sort SK {
${index}  item ${first} {
    PK = "${A}#{id}"
    SK = "${A}"
    without id
  }
  item ${other} {
    PK = "${A}#{${a}Id}"
    SK = "${B}#{id}"${indexKeys}
    without ${a}Id, id
  }
}

strategy ${several(other)} = item-collection${both ? ', secondary-index' : ''}

sample ${first} (id, name) {
  "1", "The first"
  "2", "The second"
}

sample ${other} (${a}Id, id, name) {
  "1", "x", "One thing"
  "1", "y", "Another thing"
  "2", "z", "A third thing"
}
`;
}

function manyToMany(parts: Parts): string {
  const { one: first, other, bound, both, has, others, changes, reads } = parts;
  const link = `${first}${other}`;
  const { a, b, A, B } = wordsOf(first, other);
  const [index, indexKeys] = indexOf(both, `${B}#{${b}Id}`, `${A}#{${a}Id}`);
  return `${headOf(parts)}
entity ${other} {
  id    text(~8) key
  name  text(~20)
  count ${others}
}

entity ${link} {
  ${a}Id references ${first}.id key
  ${b}Id references ${other}.id key
  since date
}

relationship ${link}s: ${first} many-to-many ${other} through ${link} {
  each ${first} has ~${has}, ${bound}
  changes ${changes}
}

pattern Of${first} "The ${several(b)} of ${one(a).toLowerCase()}" {
  find ${link} where ${a}Id = :${a}
  rate ${reads}
  example ${a} = "1" gives 2
}
${both ? `\npattern Of${other} "The ${several(a)} of ${one(b).toLowerCase()}" {\n  find ${link} where ${b}Id = :${b}\n  rate ${reads}\n  example ${b} = "x" gives 2\n}\n` : ''}
pattern One${first} "One ${a}" {
  find ${first} where id = :${a}
  rate ${reads}
  example ${a} = "1" gives 1
}

pattern One${other} "One ${b}" {
  find ${other} where id = :${b}
  rate ${reads}
  example ${b} = "x" gives 1
}

write Link "A new link" {
  put ${link} once
  rate ${changes}
}

table ${tableOf(first)} partition PK sort SK {
${index}  item ${first} {
    PK = "${A}#{id}"
    SK = "${A}"
    without id
  }
  item ${other} {
    PK = "${B}#{id}"
    SK = "${B}"
    without id
  }
  item ${link} {
    PK = "${A}#{${a}Id}"
    SK = "LINK#{${b}Id}"${indexKeys}
    without ${a}Id, ${b}Id
  }
}

strategy ${link}s = adjacency-list${both ? ', inverted-index' : ''}

sample ${first} (id, name) {
  "1", "The first"
  "2", "The second"
}

sample ${other} (id, name) {
  "x", "One"
  "y", "Another"
}

sample ${link} (${a}Id, ${b}Id, since) {
  "1", "x", "2026-01-01"
  "1", "y", "2026-01-02"
  "2", "x", "2026-01-03"
}
`;
}
