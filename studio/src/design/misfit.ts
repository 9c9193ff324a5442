// Whether a stored table has the keys that the design gives it.
import type { Item } from '../api/attribute_value.ts';
import { call, describeTable, keyNames, type KeyElement, type TableDescription } from '../api/dynamodb.ts';
import type { Model } from '../api/model.ts';
import { makeDecoder, notInModel } from './decode.ts';

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
    const other = differs(index.name, [...partition, ...index.sort], there.KeySchema);
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

function differs(name: string, wanted: string[], schema: KeyElement[]): string | null {
  const there = keyNames(schema);
  return [...wanted].sort().join() === [...there].sort().join()
    ? null
    : `${name} has the keys ${there.join(', ')}, and the design says ${wanted.join(', ')}`;
}
