// The ways from one item to others, as the model knows them: the item that a reference names, the items that refer to this
// one, and the collections in which it stands.
import { member, show, type AttributeValue, type Item } from '../api/attribute_value.ts';
import type { ItemLayout, Model, ModelTable } from '../api/model.ts';
import type { Draft, KeyTest } from '../requests/draft.ts';
import type { Decoder } from './decode.ts';
import { keyTemplate, renderPrefix, renderTemplate } from './key_template.ts';
import { keyText } from './order.ts';

export interface ItemLink {
  kind: 'refers to' | 'has' | 'stands in';
  title: string;
  draft: Draft; // A GetItem or a Query.
}

interface View {
  table: ModelTable;
  index?: string;
  partition: string[];
  sort: string[];
}

const viewsOf = (table: ModelTable): View[] => [
  { table, partition: [table.partition], sort: table.sort === '' ? [] : [table.sort] },
  ...table.indexes.map(({ name, local, partition, sort }) => ({ table, index: name, partition: local ? [table.partition] : partition, sort })),
];

// `typeOfKey` gives the type of a key attribute of a table.
export function linksOf(model: Model, tableName: string, decoder: Decoder, item: Item, typeOfKey: (table: string, key: string) => string): ItemLink[] {
  const known = decoder.attributesOf(item);
  if (!known) return [];
  const texts = Object.fromEntries(Object.entries(known.attributes).map(([name, value]) => [name, show(value)]));
  const value = (table: string, key: string, text: string) => ({ [typeOfKey(table, key)]: text }) as AttributeValue;
  return [...referred(model, known.entity, texts, value), ...referring(model, known.entity, texts, value), ...collections(model, tableName, known.entity, item)];
}

type ValueOf = (table: string, key: string, text: string) => AttributeValue;

// Attributes of `to`, from those of `from` that reference them.
function carried(model: Model, from: string, to: string, texts: Record<string, string>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, references } of model.entities.find((one) => one.name === from)?.attributes ?? []) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (references?.startsWith(`${to}.`) && text !== undefined) values[references.slice(to.length + 1)] = text;
  }
  return values;
}

const shown = (values: Record<string, string>) => Object.values(values).join(' ');

function referred(model: Model, entity: string, texts: Record<string, string>, valueOf: ValueOf): ItemLink[] {
  const attributes = model.entities.find(({ name }) => name === entity)?.attributes ?? [];
  const targets = new Set(attributes.flatMap(({ references }) => (references ? [references.split('.')[0]!] : [])));
  return [...targets].flatMap((target) => waysTo(model, entity, target, texts).flatMap(({ values, by }): ItemLink[] => {
    for (const table of model.tables) {
      const layout = table.items.find((one) => one.entity === target);
      const key = layout && wholeKey(model, table, layout, values, valueOf);
      if (key) return [{ kind: 'refers to', title: `${target} ${shown(values)}${by === '' ? '' : ` by ${by}`}`, draft: { operation: 'GetItem', table: table.name, key } }];
    }
    return [];
  }));
}

// A trip begins at one station and ends at another: where two attributes refer to the same thing, each is a way of its own.
function waysTo(model: Model, from: string, to: string, texts: Record<string, string>): { values: Record<string, string>; by: string }[] {
  const all = carried(model, from, to, texts);
  const references = (model.entities.find(({ name }) => name === from)?.attributes ?? []).filter(({ name, references: other }) => other?.startsWith(`${to}.`) && Object.hasOwn(texts, name));
  if (new Set(references.map(({ references: other }) => other)).size === references.length) return [{ values: all, by: '' }];
  return references.map(({ name, references: other }) => ({ values: { ...all, [other!.slice(to.length + 1)]: texts[name]! }, by: name }));
}

function wholeKey(model: Model, table: ModelTable, layout: ItemLayout, values: Record<string, string>, valueOf: ValueOf): KeyTest[] | null {
  const names = [table.partition, table.sort].filter((name) => name !== '');
  const rendered = names.map((name) => renderTemplate(keyTemplate(model, layout, name) ?? '{}', values));
  if (rendered.some((text) => text === null)) return null;
  return names.map((name, at) => ({ name, test: '=', values: [valueOf(table.name, name, rendered[at]!)] }));
}

// Entities that reference this one, read from the first view whose partition key says so.
function referring(model: Model, entity: string, texts: Record<string, string>, valueOf: ValueOf): ItemLink[] {
  return model.entities.flatMap(({ name: other, attributes }): ItemLink[] => {
    const references = attributes.filter(({ references: to }) => to?.startsWith(`${entity}.`));
    const values: Record<string, string> = {};
    for (const { name, references: to } of references) {
      const text = texts[to!.slice(entity.length + 1)];
      if (text !== undefined) values[name] = text;
    }
    if (Object.keys(values).length === 0) return [];
    const found = model.tables.flatMap(viewsOf).flatMap((view) => run(model, view, other, values, valueOf));
    return found.slice(0, 1).map((draft) => ({ kind: 'has', title: `${other} items of ${entity} ${shown(values)}`, draft }));
  });
}

function run(model: Model, { table, index, partition, sort }: View, entity: string, values: Record<string, string>, valueOf: ValueOf): Draft[] {
  const layout = table.items.find((one) => one.entity === entity);
  if (!layout) return [];
  const texts = partition.map((name) => renderTemplate(keyTemplate(model, layout, name) ?? '{}', values));
  if (texts.some((text) => text === null)) return [];
  const key: KeyTest[] = partition.map((name, at) => ({ name, test: '=', values: [valueOf(table.name, name, texts[at]!)] }));
  const [first] = sort;
  const begin = first === undefined ? '' : renderPrefix(keyTemplate(model, layout, first) ?? '', values).text;
  if (first !== undefined && begin !== '') key.push({ name: first, test: 'begins_with', values: [{ S: begin }] });
  return [{ operation: 'Query', table: table.name, ...(index ? { index } : {}), key }];
}

// The collections that the item itself belongs to: its neighbours on each side.
function collections(model: Model, tableName: string, entity: string, item: Item): ItemLink[] {
  const table = model.tables.find(({ name }) => name === tableName);
  if (!table?.items.some((one) => one.entity === entity)) return [];
  return viewsOf(table).flatMap(({ index, partition, sort }): ItemLink[] => {
    const values = partition.map((name) => member(item, name));
    if (values.some((value) => !value) || sort.some((name) => !member(item, name))) return [];
    const key: KeyTest[] = partition.map((name, at) => ({ name, test: '=', values: [values[at]!] }));
    const title = `${values.map((value) => keyText(value!)).join(', ')}${index ? ` of ${index}` : ''}`;
    return [{ kind: 'stands in', title, draft: { operation: 'Query', table: tableName, ...(index ? { index } : {}), key } }];
  });
}
