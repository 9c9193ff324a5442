// Explanations of the words of the model language, shown at the pointer. docs/model/grammar.md has the whole.
import type { Model } from '../../../api/model.ts';
import { wordTable, type Word } from './word_table.ts';

export interface Help {
  title: string;
  text: string;
  example?: string;
}

const help = (title: string, text: string, example?: string): Help => ({ title, text, ...(example ? { example } : {}) });

const blocks = new Set(['file', 'entity', 'relationship', 'pattern', 'write', 'table', 'item']);
const helpOf = ({ word, help: text, example }: Word) => help(word, text, example);

// All words, in the order in which a file has them.
export const allHelp = (): Help[] => wordTable.filter(({ word }, at) => wordTable.findIndex((one) => one.word === word) === at).map(helpOf);

// Of the word at a place; `before` is its line up to the word. Null if there is nothing to say.
export function helpFor(word: string, before: string, model: Model | null): Help | null {
  const entity = model?.entities.find(({ name }) => name === word);
  if (entity) {
    const readers = model!.patterns.filter(({ find }) => JSON.stringify(find).includes(`"${word}"`)).map(({ name }) => name);
    const count = entity.count ? `, ${entity.count.toLocaleString('en-GB')} of them` : '';
    return help(`entity ${word}${count}`, `${entity.attributes.map(({ name, type, key }) => `${name} ${type}${key ? ' key' : ''}`).join(', ')}.${readers.length > 0 ? ` Read by ${readers.join(', ')}.` : ''}`);
  }
  const owner = /([\w-]+)\.$/.exec(before)?.[1];
  const attribute = model?.entities.find(({ name }) => name === owner)?.attributes.find(({ name }) => name === word);
  if (attribute) return help(`${owner}.${word}`, `${attribute.type}, about ${attribute.averageBytes} bytes${attribute.references ? `, references ${attribute.references}` : ''}.`);
  // A word that begins its line means what such words mean.
  const rows = wordTable.filter((one) => one.word === word);
  const found = rows.find(({ place }) => blocks.has(place) === (before.trim() === '')) ?? rows[0];
  return found ? helpOf(found) : null;
}
