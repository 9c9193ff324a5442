// Whether a stored table has the keys, the projections and the copies that the design gives it.
import { member, type Item } from '../api/attribute_value.ts';
import { call, describeTable, keyNames, type IndexDescription, type KeyElement, type TableDescription } from '../api/dynamodb.ts';
import type { Model, ModelTable } from '../api/model.ts';
import { makeDecoder, notInModel, type Decoder } from './decode.ts';

// Says the first difference, for people; null if there is none, or if the design has no such table.
export function misfit(model: Model, stored: TableDescription): string | null {
  const design = model.tables.find((table) => table.name === stored.TableName);
  if (!design) return null;
  const wanted = [design.partition, design.sort].filter((name) => name !== '');
  const own = differs(`${design.name}`, wanted, stored.KeySchema);
  if (own) return own;
  const indexes = [...(stored.GlobalSecondaryIndexes ?? []), ...(stored.LocalSecondaryIndexes ?? [])];
  for (const index of design.indexes) {
    const there = indexes.find((one) => one.IndexName === index.name);
    if (!there) return `it has no index ${index.name}`;
    const partition = index.local && index.partition.length === 0 ? [design.partition] : index.partition;
    const other = differs(index.name, [...partition, ...index.sort], there.KeySchema) ?? lacks(index, there);
    if (other) return other;
  }
  return null;
}

// The same, or that most of a few of its items are not of this design.
export async function stranger(model: Model, name: string): Promise<string | null> {
  const stored = await describeTable(name);
  const other = misfit(model, stored);
  if (other) return other;
  const { Items = [] } = await call<{ Items?: Item[] }>('Scan', { TableName: name, Limit: 25 });
  const decoder = makeDecoder(model, name, keyNames(stored.KeySchema));
  const strange = Items.filter((item) => decoder.typeOf(item).name === notInModel).length;
  return strange * 2 > Items.length ? 'most of its items are not of this design' : null;
}

// An index that holds less than the design says answers with less.
function lacks(index: ModelTable['indexes'][number], { Projection: { ProjectionType, NonKeyAttributes = [] } }: IndexDescription): string | null {
  if (ProjectionType === 'ALL') return null;
  if (index.projection === 'all') return `${index.name} holds some attributes, and the design says all of them`;
  const missing = index.include.filter((name) => !NonKeyAttributes.includes(name));
  return missing.length > 0 ? `${index.name} does not hold ${missing.join(', ')}` : null;
}

// Copies that the design keeps in items which were written without them: by another version of it. The first, for people.
export function olderItems(model: Model, tableName: string, decoder: Decoder, items: Item[]): string | null {
  const layouts = model.tables.find(({ name }) => name === tableName)?.items ?? [];
  for (const { entity, attributes } of layouts) {
    const own = items.filter((item) => decoder.attributesOf(item)?.entity === entity);
    const always = !model.entities.find(({ name }) => name === entity)?.attributes.some(({ references, optional }) => references && optional);
    if (own.length === 0 || !always) continue;
    for (const { name, kind, of = '' } of attributes) {
      const [source, ...rest] = of.split('.');
      const copied = model.entities.find((one) => one.name === source)?.attributes.find((one) => one.name === rest.join('.'));
      if (kind === 'copy' && copied && !copied.optional && !own.some((item) => member(item, name))) return `no ${entity} item has ${name}, a copy of ${of}`;
    }
  }
  return null;
}

function differs(name: string, wanted: string[], schema: KeyElement[]): string | null {
  const there = keyNames(schema);
  return [...wanted].sort().join() === [...there].sort().join()
    ? null
    : `${name} has the keys ${there.join(', ')}, and the design says ${wanted.join(', ')}`;
}
