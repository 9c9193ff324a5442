// Whether a stored table has the keys that the design gives it.
import { keyNames, type KeyElement, type TableDescription } from '../api/dynamodb.ts';
import type { Model } from '../api/model.ts';

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

function differs(name: string, wanted: string[], schema: KeyElement[]): string | null {
  const there = keyNames(schema);
  return [...wanted].sort().join() === [...there].sort().join()
    ? null
    : `${name} has the keys ${there.join(', ')}, and the design says ${wanted.join(', ')}`;
}
