// Completions: the words that may come next, by the block around the place and the word before it.
import type { Model } from '../../../api/model.ts';
import { types } from './language.ts';
import { wordTable } from './word_table.ts';

export interface Choice {
  label: string;
  detail?: string;
  type: 'keyword' | 'type' | 'class' | 'property';
}

const wordsAt = (...places: string[]) => [...new Set(wordTable.filter(({ place }) => places.includes(place)).map(({ word }) => word))];
// Words that may follow in a statement that begins with `head`.
const wordsBehind = (head: string) => wordTable.filter(({ behind }) => behind.split(' ').includes(head)).map(({ word }) => word);
const inFind = wordsAt('find', 'order', 'condition', 'connective');
const strategies = [
  'item-collection', 'complex-attribute', 'duplicate-attributes', 'secondary-index', 'composite-sort-key',
  'adjacency-list', 'inverted-index', 'inverted-base-keys', 'shallow-duplication', 'references', 'write-sharding',
];
// Behind these words stands an entity.
const beforeEntity = new Set(['find', 'put', 'update', 'delete', 'item', 'sample', 'via', 'through', 'each', 'references', 'copy of', 'sum of', 'count of', 'list of', 'map of', 'for each', 'with', 'sorts', 'before', 'tenant', 'one-to-one', 'one-to-many', 'many-to-many']);

const keyword = (label: string): Choice => ({ label, type: 'keyword' });

// The heads of the blocks around `before`'s end, outermost first: `table School …`, `item Student`.
export function openBlocks(before: string): string[] {
  const open: string[] = [];
  for (const raw of before.split('\n')) {
    const line = raw.replace(/"(?:[^"\\]|\\.)*"?/g, '""').replace(/\/\/.*$/, '').trim();
    if (line === '}') open.pop();
    else if (line.endsWith('{')) open.push(line.slice(0, -1).trim());
  }
  return open;
}

// Choices for the word that ends at the end of `before`, which is the text up to the caret.
export function choicesAt(before: string, model: Model | null): Choice[] {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (/\/\//.test(line.replace(/"[^"]*"?/g, ''))) return [];
  const blocks = openBlocks(before.slice(0, before.length - line.length));
  const block = blocks.at(-1)?.split(/\s+/) ?? [];
  const hole = /\{([\w-]*)$/.exec(line);
  if (inString(line)) return hole ? attributesOf(model, entityOf(block)) : [];
  const dotted = /([\w-]+)\.[\w-]*$/.exec(line);
  if (dotted) return attributesOf(model, dotted[1]!);
  const said = line.replace(/[\w-]*$/, '').trim().split(/\s+/).filter((word) => word !== '');
  const last = said.at(-1) ?? '';
  if (said.length === 0) return atStart(block, model);
  if (beforeEntity.has(last) || beforeEntity.has(said.slice(-2).join(' '))) return entitiesOf(model);
  if (said[0] === 'strategy') return said.length < 2 ? relationshipsOf(model) : strategies.map(keyword);
  return inStatement(block, said, model);
}

function atStart(block: string[], model: Model | null): Choice[] {
  if (block.length === 0) return wordsAt('file').map(keyword);
  const choices = wordsAt(block[0] === 'hierarchy' ? 'relationship' : block[0]!).map(keyword);
  return block[0] === 'item' ? [...keysOf(model), ...choices] : choices;
}

function inStatement(block: string[], said: string[], model: Model | null): Choice[] {
  const [head, entity] = [said[0]!, said[1] ?? ''];
  const behind = wordsBehind(head).map(keyword);
  switch (block[0] ?? head) {
    case 'entity':
      if (behind.length > 0) return behind;
      return said.length === 1 ? [...types.map(typeChoice), keyword('references')] : wordsAt('attribute').map(keyword);
    case 'pattern':
      if (head === 'find') return [...attributesOf(model, entity), ...inFind.map(keyword)];
      return head === 'fresh' ? wordsAt('fresh').map(keyword) : behind;
    case 'write':
      return head === 'rate' || head === 'allow' ? behind : [...wordsAt('step', 'condition', 'connective').map(keyword), ...behind, ...attributesOf(model, entity)];
    case 'item':
      if (head === 'without') return attributesOf(model, entityOf(block));
      return behind.length > 0 ? behind : wordsAt('stored', 'upkeep').map(keyword);
    case 'relationship':
    case 'hierarchy':
      return block.length === 0 ? [...entitiesOf(model), ...wordsAt('sides').map(keyword)] : [...wordsAt('cardinality').map(keyword), ...behind];
    case 'table':
      return [...wordsAt('keys', 'projection').map(keyword), ...behind];
    default:
      return behind;
  }
}

const entityOf = (block: string[]) => (block[0] === 'item' ? (block[1] ?? '') : '');
const typeChoice = (label: string): Choice => ({ label, type: 'type' });

function inString(line: string): boolean {
  return (line.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}

function entitiesOf(model: Model | null): Choice[] {
  return (model?.entities ?? []).map(({ name }) => ({ label: name, type: 'class' as const, detail: 'entity' }));
}

function relationshipsOf(model: Model | null): Choice[] {
  return (model?.relationships ?? []).map(({ name }) => ({ label: name, type: 'class' as const, detail: 'relationship' }));
}

function attributesOf(model: Model | null, entity: string): Choice[] {
  const attributes = model?.entities.find((one) => one.name === entity)?.attributes ?? [];
  return attributes.map(({ name, type }) => ({ label: name, type: 'property' as const, detail: type }));
}

function keysOf(model: Model | null): Choice[] {
  const names = new Set<string>();
  for (const table of model?.tables ?? []) {
    for (const name of [table.partition, table.sort, ...table.indexes.flatMap((index) => [...index.partition, ...index.sort])]) {
      if (name) names.add(name);
    }
  }
  return [...names].map((label) => ({ label, type: 'property' as const, detail: 'key' }));
}
