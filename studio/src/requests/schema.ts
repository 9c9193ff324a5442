// The builder's knowledge of a table: keys and indexes from the server, attributes and key templates from the model.
import { emptyRecord, typeOf, type Item, type TypeName } from '../api/attribute_value.ts';
import type { IndexDescription, KeyElement, TableDescription } from '../api/dynamodb.ts';
import type { Model, ModelAttribute, ModelTable } from '../api/model.ts';

export interface KeyField {
  name: string;
  type: 'S' | 'N' | 'B';
  kind: 'HASH' | 'RANGE';
}

export interface IndexSchema {
  name: string;
  local: boolean;
  keys: KeyField[];
  projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  include: string[];
}

export interface Field {
  name: string;
  type?: TypeName; // Absent if items differ.
  entities: string[];
  values?: string[]; // All that it may hold.
}

// An entity of the model: which of its attributes make which key.
export interface Layout {
  entity: string;
  attributes: { name: string; type: TypeName }[];
  templates: Record<string, string>;
}

export interface TableSchema {
  name: string;
  keys: KeyField[];
  indexes: IndexSchema[];
  fields: Field[];
  layouts: Layout[];
  stored: boolean; // Whether the server has it.
}

const typesOfModel: Record<string, TypeName> = {
  text: 'S', number: 'N', bool: 'BOOL', binary: 'B', date: 'S', time: 'S', list: 'L', map: 'M', 'text-set': 'SS', 'number-set': 'NS',
};

function typeOfAttribute(model: Model, attribute: ModelAttribute, depth = 0): TypeName {
  const known = typesOfModel[attribute.type.replace(/\(.*$/, '').trim()];
  if (known) return known;
  const [entity, name] = (attribute.references ?? '').split('.');
  const target = model.entities.find((each) => each.name === entity)?.attributes.find((each) => each.name === name);
  return target && depth < 8 ? typeOfAttribute(model, target, depth + 1) : 'S';
}

function keyFields(schema: KeyElement[], typeOfKey: (name: string) => 'S' | 'N' | 'B'): KeyField[] {
  return schema.map(({ AttributeName: name, KeyType: kind }) => ({ name, kind, type: typeOfKey(name) }));
}

function indexOf(index: IndexDescription, local: boolean, typeOfKey: (name: string) => 'S' | 'N' | 'B'): IndexSchema {
  return {
    name: index.IndexName,
    local,
    keys: keyFields(index.KeySchema, typeOfKey),
    projection: index.Projection.ProjectionType,
    include: index.Projection.NonKeyAttributes ?? [],
  };
}

export function fromDescription(table: TableDescription): TableSchema {
  const typeOfKey = (name: string) =>
    table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? 'S';
  return {
    name: table.TableName,
    keys: keyFields(table.KeySchema, typeOfKey),
    indexes: [
      ...(table.GlobalSecondaryIndexes ?? []).map((index) => indexOf(index, false, typeOfKey)),
      ...(table.LocalSecondaryIndexes ?? []).map((index) => indexOf(index, true, typeOfKey)),
    ],
    fields: [],
    layouts: [],
    stored: true,
  };
}

function layoutsOf(model: Model, table: ModelTable): Layout[] {
  return table.items.map(({ entity, attributes }) => {
    const description = model.entities.find(({ name }) => name === entity);
    const own = (description?.attributes ?? []).map((each) => ({ name: each.name, type: typeOfAttribute(model, each) }));
    const templates: Record<string, string> = emptyRecord();
    for (const { name, kind, template } of attributes) {
      if (kind === 'template') templates[name] = template ?? '';
      else if (kind === 'attribute') templates[name] = `{${template ?? name}}`;
    }
    return { entity, attributes: own, templates };
  });
}

function typeOfStored(model: Model, entity: string, kind: string, template: string | undefined): TypeName | undefined {
  if (kind === 'template') return 'S';
  if (kind === 'map') return 'M';
  if (kind === 'list') return 'L';
  const attribute = model.entities.find(({ name }) => name === entity)?.attributes.find(({ name }) => name === template);
  return attribute ? typeOfAttribute(model, attribute) : undefined;
}

function fieldsOfModel(model: Model, table: ModelTable): Field[] {
  const fields = new Map<string, Field>();
  const add = (entity: string, name: string, type: TypeName | undefined, values?: string[]) => {
    const known = fields.get(name);
    if (!known) {
      fields.set(name, { name, entities: [entity], ...(type ? { type } : {}), ...(values?.length ? { values } : {}) });
      return;
    }
    if (!known.entities.includes(entity)) known.entities.push(entity);
    if (known.type !== type) delete known.type;
  };
  for (const { entity, attributes, without } of table.items) {
    for (const { name, kind, template } of attributes) {
      add(entity, name, typeOfStored(model, entity, kind, template));
    }
    for (const each of model.entities.find(({ name }) => name === entity)?.attributes ?? []) {
      if (!without.includes(each.name)) add(entity, each.name, typeOfAttribute(model, each), each.values);
    }
    if (table.typeAttribute) add(entity, table.typeAttribute, 'S');
  }
  return [...fields.values()];
}

export function fromModel(model: Model, table: ModelTable): TableSchema {
  const layouts = layoutsOf(model, table);
  const fields = fieldsOfModel(model, table);
  const key = (kind: 'HASH' | 'RANGE') => (name: string): KeyField => {
    const type = fields.find((field) => field.name === name)?.type;
    return { name, kind, type: type === 'N' || type === 'B' ? type : 'S' };
  };
  return {
    name: table.name,
    keys: [key('HASH')(table.partition), ...(table.sort ? [key('RANGE')(table.sort)] : [])],
    indexes: table.indexes.map((index) => ({
      name: index.name,
      local: index.local,
      keys: [...(index.partition.length ? index.partition : [table.partition]).map(key('HASH')), ...index.sort.map(key('RANGE'))],
      projection: index.projection === 'all' ? 'ALL' : index.include.length ? 'INCLUDE' : 'KEYS_ONLY',
      include: index.include,
    })),
    fields,
    layouts,
    stored: false,
  };
}

// The server's word on keys and indexes, the model's on what they mean.
export function merged(stored: TableSchema, modelled: TableSchema | undefined): TableSchema {
  return modelled ? { ...stored, fields: modelled.fields, layouts: modelled.layouts } : stored;
}

// For tables without a model: the attributes that a few of its items have.
export function fieldsOfItems(items: Item[]): Field[] {
  const fields = new Map<string, Field>();
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      const known = fields.get(name);
      if (!known) fields.set(name, { name, type: typeOf(value), entities: [] });
      else if (known.type !== typeOf(value)) delete known.type;
    }
  }
  return [...fields.values()].sort((a, b) => a.name.localeCompare(b.name));
}

export function keysFor(table: TableSchema, index: string | undefined): KeyField[] {
  return (index && table.indexes.find(({ name }) => name === index)?.keys) || table.keys;
}

// The attributes that an index holds of each item; null for all.
export function projected(table: TableSchema, index: string | undefined): Set<string> | null {
  const found = index ? table.indexes.find(({ name }) => name === index) : undefined;
  if (!found || found.projection === 'ALL') return null;
  return new Set([...table.keys, ...found.keys].map(({ name }) => name).concat(found.include));
}
