// A design from the four questions: how many, both directions, how often it changes, reads against writes. It is a
// beginning that the checker accepts and `prove` finds right; everything in it can be changed.
export interface Answers {
  title: string;
  one: string; // What there is …
  other: string; // … and what belongs to it.
  manyToMany: boolean;
  average: number;
  bounded: boolean;
  both: boolean; // Read from the other side too.
  changesPerSecond: number;
  readsPerSecond: number;
}

export const noAnswers: Answers = { title: '', one: 'Customer', other: 'Order', manyToMany: false, average: 20, bounded: true, both: false, changesPerSecond: 1, readsPerSecond: 20 };

// A name that the language takes: letters and digits, a capital first.
export function nameFrom(text: string, otherwise: string): string {
  const words = text.normalize('NFD').replace(/[^A-Za-z0-9 ]/g, '').split(/\s+/).filter((word) => word !== '');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('').replace(/^\d+/, '');
  return name || otherwise;
}

const lower = (name: string) => name[0]!.toLowerCase() + name.slice(1);
const number = (value: number, least: number) => Math.max(least, Math.round(value) || least);

export function designFrom(answers: Answers): string {
  const one = nameFrom(answers.one, 'Parent');
  const named = nameFrom(answers.other, 'Child');
  const other = named === one ? `${named}2` : named;
  const title = (answers.title || `${one} and ${other}`).replace(/["\\]/g, '');
  const numbers = { has: number(answers.average, 1), changes: number(answers.changesPerSecond, 1), reads: number(answers.readsPerSecond, 1) };
  const bound = answers.bounded ? `at most ${number(numbers.has * 20, 1)}` : 'unbounded';
  const parts = { one, other, title, bound, both: answers.both, ...numbers };
  return answers.manyToMany ? manyToMany(parts) : oneToMany(parts);
}

interface Parts {
  one: string;
  other: string;
  title: string;
  bound: string;
  both: boolean;
  has: number;
  changes: number;
  reads: number;
}

const wordsOf = (one: string, other: string) => ({ a: lower(one), b: lower(other), A: one.toUpperCase(), B: other.toUpperCase() });

// The line of the index, and the keys that an item has in it; nothing if only one side is read from.
const indexOf = (wanted: boolean, partition: string, sort: string) =>
  wanted ? ['  index GSI1 partition GSI1PK sort GSI1SK project all\n\n', `\n    GSI1PK = "${partition}"\n    GSI1SK = "${sort}"`] : ['', ''];

const headOf = (title: string, one: string) => `model "${title}"

entity ${one} {
  id    text(~8) key
  name  text(~20)
  count 10_000
}
`;

function oneToMany({ one, other, title, bound, both, has, changes, reads }: Parts): string {
  const { a, b, A, B } = wordsOf(one, other);
  const [index, indexKeys] = indexOf(both, `${B}#{id}`, `${B}#{id}`);
  return `${headOf(title, one)}
entity ${other} {
  ${a}Id references ${one}.id key
  id text(~8) key
  title text(~30)
}

relationship ${other}s: ${one} one-to-many ${other} {
  each ${one} has ~${has}, ${bound}
  changes ${changes}/s
}

pattern ${one}With "A ${a} with what belongs to it" {
  find ${one} where id = :${a}
  find ${other} where ${a}Id = :${a}
  rate ${reads}/s
  example ${a} = "1" gives 3
}
${both ? `\npattern One${other} "One ${b} by its id" {\n  find ${other} where id = :${b}\n  rate ${reads}/s\n  example ${b} = "x" gives 1\n}\n` : ''}
write Add${other} "A new ${b}" {
  put ${other} once
  rate ${changes}/s
}

table ${other}Table partition PK sort SK {
${index}  item ${one} {
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

strategy ${other}s = item-collection${both ? ', secondary-index' : ''}

sample ${one} (id, name) {
  "1", "The first"
  "2", "The second"
}

sample ${other} (${a}Id, id, title) {
  "1", "x", "One thing"
  "1", "y", "Another thing"
  "2", "z", "A third thing"
}
`;
}

function manyToMany({ one, other, title, bound, both, has, changes, reads }: Parts): string {
  const link = `${one}${other}`;
  const { a, b, A, B } = wordsOf(one, other);
  const [index, indexKeys] = indexOf(both, `${B}#{${b}Id}`, `${A}#{${a}Id}`);
  return `${headOf(title, one)}
entity ${other} {
  id    text(~8) key
  name  text(~20)
  count 1_000
}

entity ${link} {
  ${a}Id references ${one}.id key
  ${b}Id references ${other}.id key
  since date
}

relationship ${link}s: ${one} many-to-many ${other} through ${link} {
  each ${one} has ~${has}, ${bound}
  changes ${changes}/s
}

pattern Of${one} "What a ${a} is linked with" {
  find ${link} where ${a}Id = :${a}
  rate ${reads}/s
  example ${a} = "1" gives 2
}
${both ? `\npattern Of${other} "What a ${b} is linked with" {\n  find ${link} where ${b}Id = :${b}\n  rate ${reads}/s\n  example ${b} = "x" gives 2\n}\n` : ''}
pattern One${one} "One ${a}" {
  find ${one} where id = :${a}
  rate ${reads}/s
  example ${a} = "1" gives 1
}

pattern One${other} "One ${b}" {
  find ${other} where id = :${b}
  rate ${reads}/s
  example ${b} = "x" gives 1
}

write Link "A new link" {
  put ${link} once
  rate ${changes}/s
}

table ${link}Table partition PK sort SK {
${index}  item ${one} {
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

sample ${one} (id, name) {
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
