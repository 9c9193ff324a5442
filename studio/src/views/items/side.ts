// One side of the picture, the table itself or one of its indexes: its items by collection, in the
// order of their keys. An item is kept as the text of its JSON, a quarter of what objects would need;
// what is on the screen is parsed again.
import type { Item } from '../../api/attribute_value.ts';
import { keyNames, type KeyElement, type TableDescription } from '../../api/dynamodb.ts';
import { compareKeys, compareText, keyText, type KeyType } from '../../design/order.ts';
import { itemSize } from '../../design/sizes.ts';

export interface Row {
  readonly id: string; // The base table's key: the same item has the same id on every side.
  readonly sort: string;
  readonly json: string;
  readonly bytes: number;
  readonly attributes: number; // Beside the keys of this side.
}

export interface Collection {
  readonly partition: string;
  readonly rows: Row[];
  bytes: number;
}

export interface Place {
  collection: number;
  row: number;
}

export interface SideKeys {
  index: string | null;
  partition: string;
  sort: string | null;
  partitionType: KeyType;
  sortType: KeyType;
  table: string[]; // The base table's keys.
}

export function sideKeys(table: TableDescription, index: string | null): SideKeys {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  const schema: KeyElement[] =
    index === null ? table.KeySchema : (indexes.find((one) => one.IndexName === index)?.KeySchema ?? []);
  const [partition = '', sort = null] = keyNames(schema);
  const typeOf = (name: string | null): KeyType =>
    table.AttributeDefinitions.find((one) => one.AttributeName === name)?.AttributeType ?? 'S';
  return {
    index,
    partition,
    sort,
    partitionType: typeOf(partition),
    sortType: typeOf(sort),
    table: keyNames(table.KeySchema),
  };
}

// Unambiguous whatever the keys hold: the first one's length stands in front.
export function rowId(item: Item, tableKeys: string[]): string {
  const [first = '', second = ''] = tableKeys.map((name) => (item[name] ? keyText(item[name]) : ''));
  return `${first.length}:${first}${second}`;
}

export function idParts(id: string): { partition: string; sort: string } {
  const colon = id.indexOf(':');
  const end = colon + 1 + Number(id.slice(0, colon));
  return { partition: id.slice(colon + 1, end), sort: id.slice(end) };
}

export class Side {
  readonly collections: Collection[] = [];
  private readonly byPartition = new Map<string, Collection>();
  count = 0;
  bytes = 0;

  constructor(readonly keys: SideKeys) {}

  // Items in any order; those of one collection usually come in theirs.
  add(items: Item[]): void {
    const fresh: Collection[] = [];
    for (const item of items) {
      const row = this.makeRow(item);
      if (!row) continue;
      const partition = keyText(item[this.keys.partition]!);
      let collection = this.byPartition.get(partition);
      if (!collection) {
        collection = { partition, rows: [], bytes: 0 };
        this.byPartition.set(partition, collection);
        fresh.push(collection);
      }
      this.insert(collection, row);
    }
    if (fresh.length > 0) this.merge(fresh);
  }

  // True if the item was there.
  remove(id: string, like: Item): boolean {
    const place = this.find(id, like);
    if (!place) return false;
    const collection = this.collections[place.collection]!;
    const [row] = collection.rows.splice(place.row, 1);
    this.count -= 1;
    this.bytes -= row!.bytes;
    collection.bytes -= row!.bytes;
    if (collection.rows.length === 0) {
      this.collections.splice(place.collection, 1);
      this.byPartition.delete(collection.partition);
    }
    return true;
  }

  // Where the item stands on this side; `item` has at least this side's keys. Null if it is not here.
  find(id: string, item: Item): Place | null {
    const partition = item[this.keys.partition];
    if (!partition) return null;
    const found = this.findCollection(keyText(partition));
    if (found === null) return null;
    const { rows } = this.collections[found]!;
    const value = this.keys.sort === null ? undefined : item[this.keys.sort];
    const sort = value ? keyText(value) : '';
    for (let row = this.lowerBound(rows, sort); row < rows.length && rows[row]!.sort === sort; ++row) {
      if (rows[row]!.id === id) return { collection: found, row };
    }
    return null;
  }

  findCollection(partition: string): number | null {
    const at = this.collectionBound(partition);
    return this.collections[at]?.partition === partition ? at : null;
  }

  // The first collection whose key is `partition` or comes after it.
  collectionBound(partition: string): number {
    let low = 0;
    let high = this.collections.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(this.keys.partitionType, this.collections[middle]!.partition, partition) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  rowAt(place: Place): Row | undefined {
    return this.collections[place.collection]?.rows[place.row];
  }

  private makeRow(item: Item): Row | null {
    const { partition, sort, table } = this.keys;
    const sortValue = sort === null ? undefined : item[sort];
    if (!item[partition] || (sort !== null && !sortValue)) return null;
    const keyCount = sort === null ? 1 : 2;
    return {
      id: rowId(item, table),
      sort: sortValue ? keyText(sortValue) : '',
      json: JSON.stringify(item),
      bytes: itemSize(item),
      attributes: Object.keys(item).length - keyCount,
    };
  }

  private insert(collection: Collection, row: Row): void {
    const { rows } = collection;
    const last = rows[rows.length - 1];
    if (!last || this.compareRows(last, row) < 0) rows.push(row);
    else {
      let at = this.lowerBound(rows, row.sort);
      while (at < rows.length && this.compareRows(rows[at]!, row) < 0) ++at;
      const old = rows[at]?.id === row.id ? rows[at]! : null;
      rows.splice(at, old ? 1 : 0, row);
      if (old) {
        this.count -= 1;
        this.bytes -= old.bytes;
        collection.bytes -= old.bytes;
      }
    }
    this.count += 1;
    this.bytes += row.bytes;
    collection.bytes += row.bytes;
  }

  // Index entries with the same keys are told apart by the key of their item.
  private compareRows(a: Row, b: Row): number {
    return compareKeys(this.keys.sortType, a.sort, b.sort) || compareText(a.id, b.id);
  }

  private lowerBound(rows: Row[], sort: string): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareKeys(this.keys.sortType, rows[middle]!.sort, sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Merging beats sorting everything again: a page arrives every few milliseconds.
  private merge(fresh: Collection[]): void {
    const type = this.keys.partitionType;
    fresh.sort((a, b) => compareKeys(type, a.partition, b.partition));
    const all = this.collections;
    let from = all.length - 1;
    let to = all.length + fresh.length - 1;
    all.length += fresh.length;
    for (let i = fresh.length - 1; i >= 0; --to) {
      if (from >= 0 && compareKeys(type, all[from]!.partition, fresh[i]!.partition) > 0) all[to] = all[from--]!;
      else all[to] = fresh[i--]!;
    }
  }
}
