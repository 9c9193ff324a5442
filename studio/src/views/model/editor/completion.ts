// Completions: the words that may come next, by the block around the place and the word before it.
import type { Model } from '../../../api/model.ts';
import { types } from './language.ts';

export interface Choice {
  label: string;
  detail?: string;
  type: 'keyword' | 'type' | 'class' | 'property';
}

const inFile = ['model', 'entity', 'relationship', 'hierarchy', 'tenant', 'pattern', 'write', 'sample', 'table', 'strategy', 'allow'];
const inBlock: Record<string, string[]> = {
  entity: ['count', 'allow'],
  relationship: ['each', 'changes', 'sparse', 'dense', 'allow'],
  hierarchy: ['each', 'changes', 'allow'],
  pattern: ['find', 'rate', 'fresh', 'example', 'allow'],
  write: ['put', 'update', 'delete', 'together', 'rate', 'allow'],
  table: ['type', 'index', 'local index', 'item', 'sorts', 'allow'],
  item: ['without', 'allow'],
  sample: [],
};
const flags = ['key', 'optional', 'unique', 'immutable', 'changes', 'values'];
const inFind = ['where', 'and', 'via', 'order by', 'desc', 'limit', 'get', 'between', 'in', 'begins_with', 'contains'];
const strategies = [
  'item-collection', 'complex-attribute', 'duplicate-attributes', 'secondary-index', 'composite-sort-key',
  'adjacency-list', 'inverted-index', 'inverted-base-keys', 'shallow-duplication', 'references', 'write-sharding',
];
// Behind these words stands an entity.
const beforeEntity = new Set(['find', 'put', 'update', 'delete', 'item', 'sample', 'via', 'through', 'each', 'references', 'copy of', 'sorts', 'before', 'tenant', 'one-to-one', 'one-to-many', 'many-to-many']);

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
  if (block.length === 0) return inFile.map(keyword);
  const choices = (inBlock[block[0]!] ?? []).map(keyword);
  return block[0] === 'item' ? [...keysOf(model), ...choices] : choices;
}

function inStatement(block: string[], said: string[], model: Model | null): Choice[] {
  const kind = block[0] ?? said[0] ?? '';
  if (kind === 'entity') return said.length === 1 ? [...types.map(typeChoice), keyword('references')] : flags.map(keyword);
  if (kind === 'pattern' && said[0] === 'find') return [...attributesOf(model, said[1] ?? ''), ...inFind.map(keyword)];
  if (kind === 'pattern' && said[0] === 'fresh') return ['strong', 'eventual', 'after'].map(keyword);
  if (kind === 'write' && said[0] === 'put') return [keyword('once')];
  if (kind === 'write' && said[0] === 'update') return [keyword('set'), ...attributesOf(model, said[1] ?? '')];
  if (kind === 'item') return said[0] === 'without' ? attributesOf(model, entityOf(block)) : ['copy of', 'map of', 'list of', 'kept by'].map(keyword);
  if (kind === 'relationship' && block.length === 0) return [...entitiesOf(model), ...['one-to-one', 'one-to-many', 'many-to-many', 'through', 'by'].map(keyword)];
  if (kind === 'table') return ['partition', 'sort', 'project', 'all', 'keys'].map(keyword);
  return [];
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
