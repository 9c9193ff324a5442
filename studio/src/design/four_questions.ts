// A design from the four questions, asked of each relationship: how many, from which sides it is read, how often it changes, how
// often it is read. It is a beginning that the checker accepts and `prove` finds right; everything in it can be changed.
//
// A thing that others belong to or are linked with has its id alone for a key, and lies with what belongs to it; what it belongs to
// itself finds it in an index. A thing that only belongs to others lies in the collection of the first of these, so its key begins with
// that one's id: only then does `put once` refuse a second one. `unique` says that its own id is one row's alone nevertheless. Each
// further owner has one index more. A thing that belongs to its like refers to it, and is found by that in an index. A link of many to many lies with its first side, and with the other in an index.

import { freeWord } from './free_word.ts';

export type Per = 's' | 'min' | 'hour' | 'day';

export interface Often {
  amount: number;
  per: Per;
}

export interface Relation {
  one: string; // What there is …
  other: string; // … and what belongs to it.
  manyToMany: boolean;
  count: number; // Of the one.
  average: number; // Of the other, for each.
  most: number | null; // Null: no bound.
  back: number; // Many to many: of the one, for each of the other.
  both: boolean; // Read from the other side too.
  changes: Often;
  reads: Often;
}

export interface Answers {
  title: string;
  relations: Relation[];
}

export const newRelation = (one: string, other: string): Relation => ({
  one, other, manyToMany: false, count: 1000, average: 5, most: null, back: 5, both: false, changes: { amount: 1, per: 'min' }, reads: { amount: 1, per: 's' },
});

export const noAnswers: Answers = { title: '', relations: [newRelation('Customer', 'Order')] };

const irregular: [one: string, many: string][] = [['person', 'people'], ['child', 'children'], ['man', 'men'], ['woman', 'women'], ['mouse', 'mice'], ['foot', 'feet']];
const sameCase = (word: string, like: string) => (like[0] === like[0]!.toUpperCase() ? word[0]!.toUpperCase() + word.slice(1) : word);

// "bike stations" is about a BikeStation.
function singular(word: string): string {
  const [one] = irregular.find(([, many]) => many === word.toLowerCase()) ?? [];
  if (one) return sameCase(one, word);
  if (/(ss|us|is|news|series|species)$/i.test(word)) return word;
  if (/ies$/i.test(word) && word.length > 4) return word.replace(/ies$/i, 'y');
  if (/(ch|sh|x|ss)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

export function pluralOf(word: string): string {
  const end = irregular.find(([one]) => word.toLowerCase() === one || (word.endsWith(sameCase(one, 'X')) && one.length > 3));
  if (end) return word.slice(0, -end[0].length) + sameCase(end[1], word.at(-end[0].length)!);
  if (/[^aeiou]y$/i.test(word)) return word.replace(/y$/i, 'ies');
  return /(s|x|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`;
}

const ordinals: Record<string, string> = { '1st': 'first', '2nd': 'second', '3rd': 'third' };
const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

// A name that the language takes: letters of any script and digits, a capital first, one of them. Digits cannot begin it, so they are spelt.
export function nameFrom(text: string, otherwise: string): string {
  const letters = text.normalize('NFD').replace(/([a-z])\p{M}+/giu, '$1').normalize('NFC').replace(/ß/g, 'ss').replace(/[^\p{L}\p{M}\p{N} ]/gu, '');
  const words = letters.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return otherwise;
  words.push(singular(words.pop()!));
  words[0] = ordinals[words[0]!.toLowerCase()] ?? words[0]!.replace(/^\d/, (digit) => digits[Number(digit)]!).replace(/^\d+/, '');
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

// "bike station" of BikeStation.
export const wordsOf = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
const article = (words: string) => (/^([aeio]|u(?!ni|se|til))/.test(words) && !/^(eu|one)/.test(words) ? 'an' : 'a');
const aOf = (name: string) => `${article(wordsOf(name))} ${wordsOf(name)}`;
const AOf = (name: string) => aOf(name).replace(/^a/, 'A');
const lower = (name: string) => name[0]!.toLowerCase() + name.slice(1);
const upper = (name: string) => name.toUpperCase();
const whole = (value: number, least = 1) => Math.max(least, Math.round(value) || least);
// An average may be a fraction: 1.2 plans for each member.
const about = (value: number) => (value >= 10 ? spaced(whole(value)) : String(Number(Math.max(value || 1, 0.1).toFixed(1))));
const often = ({ amount, per }: Often) => `${Number((amount > 0 ? amount : 1).toFixed(6))}/${per}`;
const spaced = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, '_');

// A relation with its names made fit for the language.
interface Named extends Relation {
  link: string; // Of many to many.
  name: string;
}

// Throws an Error for people.
function named({ relations }: Answers): Named[] {
  const seen = new Set<string>();
  return relations.map((relation) => {
    const [one, other] = [nameOf(relation.one), nameOf(relation.other)];
    if (seen.has(`${one} ${other}`)) throw new Error(`${one} and ${other} are related already. Put the second relationship into the text.`);
    seen.add(`${one} ${other}`);
    return { ...relation, one, other, link: `${one}${other}`, name: `${one}${pluralOf(other)}` };
  });
}

function nameOf(text: string): string {
  const name = nameFrom(text, '');
  if (name !== '') return name;
  throw new Error(text.trim() === '' ? 'Each relationship needs two names, such as Customer and Order.' : `“${text.trim()}” has no letters to form a name. Write it as a word.`);
}

const isSelf = ({ one, other }: Named) => one === other;
// The attributes that refer to the one, and from a link to the other.
const oneId = (relation: Named) => (isSelf(relation) && !relation.manyToMany ? `parent${relation.one}Id` : `${lower(relation.one)}Id`);
const otherId = (relation: Named) => (isSelf(relation) ? `other${relation.other}Id` : `${lower(relation.other)}Id`);

class Design {
  readonly names: string[];

  constructor(
    readonly title: string,
    readonly relations: Named[],
  ) {
    this.names = [...new Set(relations.flatMap(({ one, other }) => [one, other]))];
  }

  // The relations in which it belongs to one other, its like included.
  parents(name: string): Named[] {
    return this.relations.filter((relation) => !relation.manyToMany && relation.other === name);
  }

  // Those in which it belongs to another thing: they say how many there are.
  owners(name: string): Named[] {
    return this.parents(name).filter((relation) => !isSelf(relation));
  }

  // The relation in whose collection it lies; undefined if it lies on its own.
  home(name: string): Named | undefined {
    const referred = this.relations.some((relation) => relation.one === name || (relation.manyToMany && relation.other === name));
    return referred ? undefined : this.parents(name)[0];
  }

  // Stated of what belongs to nothing; the rest follows from how many belong to each.
  count(name: string): number {
    const first = this.relations.find(({ one }) => one === name);
    if (first) return whole(first.count);
    const linked = this.relations.find(({ other }) => other === name)!;
    return whole((this.total(linked.one) * linked.average) / Math.max(linked.back, 0.001));
  }

  // How many there are in all. Things may belong to each other in a circle: then it is what was asked of one of them.
  total(name: string, within: string[] = []): number {
    const [parent] = this.owners(name);
    if (!parent) return this.count(name);
    return whole(parent.average * (within.includes(parent.one) ? whole(parent.count) : this.total(parent.one, [...within, name])));
  }

  entity(name: string): string {
    const home = this.home(name);
    const parents = this.parents(name);
    const reference = (relation: Named) => `  ${oneId(relation)} references ${relation.one}.id${isSelf(relation) ? ' optional 99%' : ''}`;
    const key = home ? [`${reference(home)} key`, '  id text(~8) key unique'] : ['  id text(~8) key'];
    const more = parents.filter((parent) => parent !== home).map(reference);
    const count = this.owners(name).length === 0 ? [`  count ${spaced(this.count(name))}`] : [];
    return [`entity ${name} {`, ...key, ...more, '  name text(~20)', ...count, '}\n'].join('\n');
  }

  linkEntity(relation: Named): string {
    const { one, other, link } = relation;
    return `entity ${link} {\n  ${oneId(relation)} references ${one}.id key\n  ${otherId(relation)} references ${other}.id key\n}\n`;
  }

  relationship({ one, other, link, name, manyToMany, average, most, back, changes }: Named): string {
    const bound = most === null ? 'unbounded' : `at most ${spaced(whole(most, whole(average)))}`;
    const through = manyToMany ? ` through ${link}` : '';
    const other_ = manyToMany && one !== other ? `  each ${other} has ~${about(back)}, unbounded\n` : '';
    return `relationship ${name}: ${one} ${manyToMany ? 'many-to-many' : 'one-to-many'} ${other}${through} {\n  each ${one} has ~${about(average)}, ${bound}\n${other_}  changes ${often(changes)}\n}\n`;
  }

  // By name, because two relations may ask for the same.
  patterns(): string[] {
    const all = new Map<string, string>();
    const add = (name: string, title: string, finds: string[], parameter: string, gives: number, reads: Often) => {
      const text = `pattern ${name} "${title}" {\n${finds.map((find) => `  find ${find}\n`).join('')}  rate ${often(reads)}\n  example ${parameter} = "${parameter}1" gives ${gives}\n}\n`;
      if (!all.has(name)) all.set(name, text);
    };
    const one = (name: string, reads: Often) => add(`One${name}`, `One ${wordsOf(name)} by its id`, [`${name} where id = :${lower(name)}`], lower(name), 1, reads);
    for (const relation of this.relations) {
      const { one: a, other: b, link, reads } = relation;
      const [id, words] = [lower(a), wordsOf(pluralOf(b))];
      if (relation.manyToMany) {
        add(`${pluralOf(b)}Of${a}`, `The ${words} of ${aOf(a)}`, [`${link} where ${oneId(relation)} = :${id}`], id, 2, reads);
        const [back, backTitle] = isSelf(relation) ? [`${pluralOf(a)}LinkedTo${b}`, `Who is linked to ${aOf(b)}`] : [`${pluralOf(a)}Of${b}`, `The ${wordsOf(pluralOf(a))} of ${aOf(b)}`];
        if (relation.both) add(back, backTitle, [`${link} where ${otherId(relation)} = :${lower(b)}`], lower(b), 2, reads);
        one(a, reads);
        one(b, reads);
      } else if (this.home(b) !== relation) {
        add(`${pluralOf(b)}Of${a}`, `The ${words} of ${aOf(a)}`, [`${b} where ${oneId(relation)} = :${id}`], id, 2, reads);
        one(a, reads);
      } else {
        add(`${a}With${pluralOf(b)}`, `${AOf(a)} with the ${words}`, [`${a} where id = :${id}`, `${b} where ${id}Id = :${id}`], id, 3, reads);
      }
      if (relation.both && !relation.manyToMany) one(b, reads);
    }
    return [...all.values()];
  }

  // What belongs to several is added once, at the rate of the first.
  writes(): string[] {
    return this.relations.filter((relation) => relation.manyToMany || this.parents(relation.other)[0] === relation).map(({ one, other, link, manyToMany, changes }) =>
      manyToMany
        ? `write Link${link} "${AOf(one)} and ${aOf(other)} are linked" {\n  put ${link} once\n  rate ${often(changes)}\n}\n`
        : `write Add${other} "A new ${wordsOf(other)}" {\n  put ${other} once\n  rate ${often(changes)}\n}\n`,
    );
  }

  // The lines of keys of one item; `index` counts from 1, 0 is the table.
  item(entity: string, keys: [index: number, partition: string, sort: string][], without: string[]): string {
    const lines = keys.map(([index, partition, sort]) => {
      const start = index === 0 ? '' : `GSI${index}`;
      return `    ${start}PK = "${partition}"\n    ${start}SK = "${sort}"\n`;
    });
    return `  item ${entity} {\n${lines.join('')}    without ${without.join(', ')}\n  }\n`;
  }

  table(): string {
    const items: string[] = [];
    let indexes = 0;
    const put = (entity: string, keys: [number, string, string][], without: string[]) => {
      indexes = Math.max(indexes, ...keys.map(([index]) => index));
      items.push(this.item(entity, keys, without));
    };
    for (const name of this.names) {
      const home = this.home(name);
      const own = `${upper(name)}#{id}`;
      const under = (relation: Named) => `${upper(relation.one)}#{${oneId(relation)}}`;
      const alone = [own, upper(name)] as const;
      const more = this.parents(name).filter((parent) => parent !== home).map((parent) => [under(parent), own] as const);
      const read = home && this.relations.some(({ other, both }) => both && other === name);
      const places = home ? [[under(home), own] as const, ...(read ? [alone] : []), ...more] : [alone, ...more];
      put(name, places.map(([partition, sort], at) => [at, partition, sort]), home ? ['id', `${lower(home.one)}Id`] : ['id']);
    }
    for (const relation of this.relations.filter(({ manyToMany }) => manyToMany)) {
      const { one, other, link, both } = relation;
      const [from, to] = [`{${oneId(relation)}}`, `{${otherId(relation)}}`];
      const inverted: [number, string, string][] = both ? [[1, `${upper(other)}#${to}`, `${upper(link)}#${from}`]] : [];
      put(link, [[0, `${upper(one)}#${from}`, `${upper(link)}#${to}`], ...inverted], [oneId(relation), otherId(relation)]);
    }
    const lines = Array.from({ length: indexes }, (_, at) => `  index GSI${at + 1} partition GSI${at + 1}PK sort GSI${at + 1}SK project all\n`);
    const used = lines.filter((_, at) => items.some((text) => text.includes(`GSI${at + 1}PK`)));
    // DynamoDB takes Latin letters, and no name of two.
    const latin = nameFrom(this.title, 'Design').replace(/[^A-Za-z0-9]/g, '') || 'Design';
    const called = freeWord(latin.padEnd(3, '_'), this.names);
    return `table ${called} partition PK sort SK {\n${used.join('')}${used.length > 0 ? '\n' : ''}${items.join('')}}\n`;
  }

  strategies(): string {
    const of = (relation: Named) => {
      if (relation.manyToMany) return relation.both && !isSelf(relation) ? 'adjacency-list, inverted-index' : 'adjacency-list';
      return this.home(relation.other) === relation ? 'item-collection' : 'secondary-index';
    };
    return this.relations.map((relation) => `strategy ${relation.name} = ${of(relation)}\n`).join('');
  }

  samples(): string[] {
    const things = this.names.map((name) => {
      const parents = this.parents(name);
      const rows = [1, 2, 3].map((number) => {
        // The first of things that belong to their like belongs to none.
        const refers = parents.map((relation) => (isSelf(relation) ? (number === 1 ? '-' : `"${lower(name)}1"`) : `"${lower(relation.one)}${number === 3 ? 2 : 1}"`));
        return `  ${[`"${lower(name)}${number}"`, ...refers, `"${name} ${number}"`].join(', ')}\n`;
      });
      return `sample ${name} (${['id', ...parents.map(oneId), 'name'].join(', ')}) {\n${rows.join('')}}\n`;
    });
    const links = this.relations.filter(({ manyToMany }) => manyToMany).map((relation) => {
      const { one, other, link } = relation;
      const pairs = isSelf(relation) ? [[1, 2], [1, 3], [2, 1], [3, 1]] : [[1, 1], [1, 2], [2, 1]];
      const rows = pairs.map(([a, b]) => `  "${lower(one)}${a}", "${lower(other)}${b}"\n`);
      return `sample ${link} (${oneId(relation)}, ${otherId(relation)}) {\n${rows.join('')}}\n`;
    });
    return [...things, ...links];
  }

  text(): string {
    return [
      `model "${this.title}"\n`,
      ...this.names.map((name) => this.entity(name)),
      ...this.relations.filter(({ manyToMany }) => manyToMany).map((one) => this.linkEntity(one)),
      ...this.relations.map((one) => this.relationship(one)),
      ...this.patterns(),
      ...this.writes(),
      this.table(),
      this.strategies(),
      ...this.samples(),
    ].join('\n');
  }
}

const titleOf = (relation: Named) => (isSelf(relation) ? pluralOf(relation.one) : `${relation.one} and ${relation.other}`);

// Throws an Error for people.
export function designFrom(answers: Answers): string {
  const relations = named(answers);
  const title = (answers.title || titleOf(relations[0]!)).replace(/["\\]/g, '');
  return new Design(title, relations).text();
}

// Things that belong to several others and are so many by the one and so many by another, in words.
export function disagreements(answers: Answers): string[] {
  let design: Design;
  try {
    design = new Design('', named(answers));
  } catch {
    return []; // Said when the design is made.
  }
  const figure = new Intl.NumberFormat('en-GB');
  return design.names.flatMap((name) => {
    const [first, ...others] = design.owners(name).map(({ one, average }) => ({ one: wordsOf(pluralOf(one)), total: whole(average * design.total(one)) }));
    const other = others.find(({ total }) => Math.max(total, first!.total) > 2 * Math.min(total, first!.total));
    return other ? [`By their ${first!.one} there are ${figure.format(first!.total)} ${wordsOf(pluralOf(name))}, by their ${other.one} ${figure.format(other.total)}.`] : [];
  });
}
