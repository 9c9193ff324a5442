// Names for the tables of a design: after the design, so that two designs do not meet in one table.
import { freeWord } from './free_word.ts';

// `Main` is what a proposal calls a table when nobody has named one.
const unnamed = 'Main';

// DynamoDB takes Latin letters, and no name of two.
function nameFrom(title: string, otherwise: string): string {
  const words = title.normalize('NFD').replace(/\p{M}/gu, '').split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('').replace(/^\d+/, '');
  return name === '' ? otherwise : name.padEnd(3, '_');
}

const renamed = (text: string, from: string, to: string) => text.replace(new RegExp(`^table ${from.replace(/[^\w]/g, '\\$&')}(?=\\s)`, 'm'), `table ${to}`);

// The text with a new table called after the design, where `before` had none of that name.
export function withNamedTable(text: string, before: string): string {
  if (new RegExp(`^table ${unnamed}\\s`, 'm').test(before)) return text;
  const title = /^model "([^"]*)"/m.exec(text)?.[1] ?? '';
  const taken = [...text.matchAll(/^(?:entity|table) ([\w-]+)/gm)].map(([, name]) => name!);
  return renamed(text, unnamed, freeWord(nameFrom(title, unnamed), taken.filter((name) => name !== unnamed)));
}

// The text with these tables under names that no other table has.
export function withOtherTables(text: string, names: string[], taken: string[]): string {
  const title = /^model "([^"]*)"/m.exec(text)?.[1] ?? '';
  return names.reduce((now, name) => renamed(now, name, freeWord(name === unnamed ? nameFrom(title, name) : name, taken)), text);
}
