// One side of the picture, the table itself or one of its indexes: its items by collection, in the
// order of their keys. An item is kept as the text of its JSON, a quarter of what objects would need;
// what is on the screen is parsed again.
import { member, type Item } from '../../api/attribute_value.ts';
import { keyNames, type KeyElement, type TableDescription } from '../../api/dynamodb.ts';
import { compareKeys, compareText, keyText, type KeyType } from '../../design/order.ts';
import { itemSize } from '../../design/sizes.ts';

export interface Row {
  readonly id: string; // The base table's key: the same item has the same id on every side.
  readonly sort: string; // Packed, as the collection's partition is: see packKey.
  readonly json: string;
  readonly bytes: number;
  readonly kind: string; // The same for items with the same attributes and the same words in their keys.
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
  // Index keys may have several attributes each; a table's have one, and a sort key may be missing.
  partition: string[];
  sort: string[];
  partitionTypes: KeyType[];
  sortTypes: KeyType[];
  table: string[]; // The base table's keys.
}

export function sideKeys(table: TableDescription, index: string | null): SideKeys {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  const schema: KeyElement[] =
    index === null ? table.KeySchema : (indexes.find((one) => one.IndexName === index)?.KeySchema ?? []);
  const names = (kind: KeyElement['KeyType']) => schema.filter((one) => one.KeyType === kind).map((one) => one.AttributeName);
  const typeOf = (name: string): KeyType =>
    table.AttributeDefinitions.find((one) => one.AttributeName === name)?.AttributeType ?? 'S';
  const [partition, sort] = [names('HASH'), names('RANGE')];
  return {
    index,
    partition,
    sort,
    partitionTypes: partition.map(typeOf),
    sortTypes: sort.map(typeOf),
    table: keyNames(table.KeySchema),
  };
}

// The attributes of one key as one text: itself if there is one, else an array in JSON. Null if the
// item lacks one.
export function packKey(item: Item, names: string[]): string | null {
  const texts: string[] = [];
  for (const name of names) {
    const value = member(item, name);
    if (!value) return null;
    texts.push(keyText(value));
  }
  return texts.length === 1 ? texts[0]! : texts.length === 0 ? '' : JSON.stringify(texts);
}

export function unpackKey(packed: string, names: string[]): string[] {
  if (names.length <= 1) return names.map(() => packed);
  return JSON.parse(packed) as string[];
}

export function comparePacked(types: KeyType[], a: string, b: string): number {
  if (a === b) return 0;
  if (types.length <= 1) return compareKeys(types[0] ?? 'S', a, b);
  const [x, y] = [JSON.parse(a) as string[], JSON.parse(b) as string[]];
  for (let i = 0; i < types.length; ++i) {
    const order = compareKeys(types[i]!, x[i]!, y[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

// Unambiguous whatever the keys hold: the first one's length stands in front.
export function rowId(item: Item, tableKeys: string[]): string {
  const [first = '', second = ''] = tableKeys.map((name) => (member(item, name) ? keyText(item[name]!) : ''));
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
  private readonly kinds = new Map<string, string>();
  count = 0;
  bytes = 0;
  revision = 0; // Another one after every change.

  constructor(readonly keys: SideKeys) {}

  // Items in any order; those of one collection usually come in theirs.
  add(items: Item[]): void {
    this.revision += 1;
    const fresh: Collection[] = [];
    for (const item of items) {
      const row = this.makeRow(item);
      if (!row) continue;
      const partition = packKey(item, this.keys.partition)!;
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
    this.revision += 1;
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

  // Where the item is on this side; `item` has at least this side's keys. Null if it is not here.
  find(id: string, item: Item): Place | null {
    const partition = packKey(item, this.keys.partition);
    const sort = packKey(item, this.keys.sort);
    if (partition === null || sort === null) return null;
    const found = this.findCollection(partition);
    if (found === null) return null;
    const { rows } = this.collections[found]!;
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
      if (comparePacked(this.keys.partitionTypes, this.collections[middle]!.partition, partition) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  rowAt(place: Place): Row | undefined {
    return this.collections[place.collection]?.rows[place.row];
  }

  private makeRow(item: Item): Row | null {
    const { partition, sort, table } = this.keys;
    const packed = packKey(item, sort);
    if (packed === null || packKey(item, partition) === null) return null;
    return {
      id: rowId(item, table),
      sort: packed,
      json: JSON.stringify(item),
      bytes: itemSize(item),
      kind: this.kindOf(item),
    };
  }

  private kindOf(item: Item): string {
    const words = [...this.keys.partition, ...this.keys.sort].map((name) => {
      const text = keyText(item[name]!);
      const end = text.indexOf('#');
      return end >= 0 ? text.slice(0, end) : /^[A-Z_]{1,24}$/.test(text) ? text : '';
    });
    const kind = `${words.join(' ')}|${Object.keys(item).join()}`;
    const known = this.kinds.get(kind);
    if (known !== undefined) return known; // One text for all of them.
    this.kinds.set(kind, kind);
    return kind;
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
    return comparePacked(this.keys.sortTypes, a.sort, b.sort) || compareText(a.id, b.id);
  }

  private lowerBound(rows: Row[], sort: string): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comparePacked(this.keys.sortTypes, rows[middle]!.sort, sort) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Merging beats sorting everything again: a page arrives every few milliseconds.
  private merge(fresh: Collection[]): void {
    const types = this.keys.partitionTypes;
    fresh.sort((a, b) => comparePacked(types, a.partition, b.partition));
    const all = this.collections;
    let from = all.length - 1;
    let to = all.length + fresh.length - 1;
    all.length += fresh.length;
    for (let i = fresh.length - 1; i >= 0; --to) {
      if (from >= 0 && comparePacked(types, all[from]!.partition, fresh[i]!.partition) > 0) all[to] = all[from--]!;
      else all[to] = fresh[i--]!;
    }
  }
}
