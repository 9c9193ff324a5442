// A table with all its sides, loaded by parallel scans, and what writes do to them. The sides that
// are shown change only here.
import { signal } from '@preact/signals';
import { member, type Item } from '../../api/attribute_value.ts';
import { call, pages, type Page, type Request, type TableDescription } from '../../api/dynamodb.ts';
import { same } from '../../requests/guarded_write.ts';
import { effectOf, type SideChange } from './changes.ts';
import { LagQueue } from './lag.ts';
import { packKey, rowId, Side, sideKeys, type SideKeys } from './side.ts';

// More items than these are not loaded: the page says so. `most` in the address asks for fewer.
export const itemsMax = 200_000;

// Of a table that was cut, so many items more come in by collections that somebody looks for.
const addedMax = 200_000;
const collectionPage = 1_000;

const segments = 3;
const pageItems = 400; // Small pages keep the page answering while it loads.
const progressMs = 150; // Between two pictures of what is loaded so far.
const manyItems = 2_000; // From here on one scan alone would be slow.
const flashMs = 4_000;
const engineLagMost = 60_000;
const engineLagPoll = 100;
export const caughtUpMax = 100; // Changes by others that are shown one by one.

export interface Progress {
  index: string | null;
  done: number;
  total: number;
}

export type Flash = 'new' | 'changed';

export class TableData {
  readonly name: string;
  readonly indexNames: string[];
  readonly keyNames: string[]; // The key attributes of all sides.
  // Counts changes to any side, so that views can follow.
  readonly version = signal(0);
  readonly progress = signal<Progress | null>(null);
  readonly cut = signal(false); // The table has more than `most` items.
  readonly pending = signal<{ change: SideChange; dueMs: number }[]>([]);
  readonly flashes = signal<ReadonlyMap<string, Flash>>(new Map());
  // The effect of a delayed change when it arrived, for the sentence on the screen.
  onArrival: (change: SideChange) => void = () => {};
  private readonly sides = new Map<string | null, Side>();
  private readonly loading = new Map<string | null, Promise<void>>();
  private readonly brought = new Map<string, Promise<boolean>>(); // Collections that came after the cut.
  private readonly lag = new LagQueue<SideChange>();
  private slow: SideChange[] = []; // Those that the engine's own index does not list yet.
  readonly engineLag = signal<number | null>(null); // Milliseconds that the engine's index took the last time; null if it never did.
  private readonly controller = new AbortController();
  private toldAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly description: TableDescription,
    readonly most = itemsMax,
  ) {
    this.name = description.TableName;
    this.indexNames = [...(description.GlobalSecondaryIndexes ?? []), ...(description.LocalSecondaryIndexes ?? [])].map(
      (index) => index.IndexName,
    );
    this.keyNames = description.AttributeDefinitions.map((one) => one.AttributeName);
  }

  get tableKeys(): string[] {
    return this.keys(null).table;
  }

  keys(index: string | null): SideKeys {
    return sideKeys(this.description, index);
  }

  side(index: string | null): Side | null {
    return this.sides.get(index) ?? null;
  }

  // Stops what is under way; the object is not used after it.
  close(): void {
    this.controller.abort();
    clearTimeout(this.timer);
  }

  load(index: string | null): Promise<void> {
    let running = this.loading.get(index);
    if (!running) {
      running = this.scan(index);
      this.loading.set(index, running);
    }
    return running;
  }

  private async scan(index: string | null): Promise<void> {
    const side = new Side(this.keys(index));
    this.sides.set(index, side);
    const total = this.expected(index);
    const parts = total > manyItems ? segments : 1;
    this.progress.value = { index, done: 0, total };
    await Promise.all(
      Array.from({ length: parts }, (_, segment) => this.scanSegment(side, segment, parts, total)),
    );
    // The scan also brought the changes that the lag still hides.
    for (const { change } of [...this.lag.pending].reverse()) {
      if (change.index === index) this.apply(side, change.after, change.before);
    }
    this.progress.value = null;
    this.version.value += 1;
  }

  private async scanSegment(side: Side, segment: number, parts: number, total: number): Promise<void> {
    const request: Request = {
      TableName: this.name,
      Limit: pageItems,
      ...(side.keys.index === null ? { ConsistentRead: true } : { IndexName: side.keys.index }),
      ...(parts > 1 ? { Segment: segment, TotalSegments: parts } : {}),
    };
    let start: Item | undefined;
    do {
      const page: Page = await call<Page>('Scan', start ? { ...request, ExclusiveStartKey: start } : request, this.controller.signal);
      side.add(page.Items ?? []);
      start = page.LastEvaluatedKey;
      this.tellProgress(side, total);
      if (side.count >= this.most && start) {
        this.cut.value = true;
        return;
      }
    } while (start);
  }

  // Brings a collection that the cut left out, whole or in part. `item` has its partition key. True if there is anything of it.
  async loadCollection(index: string | null, item: Item): Promise<boolean> {
    const side = this.side(index);
    const { partition } = this.keys(index);
    if (!side || !this.cut.peek() || partition.some((name) => !member(item, name))) return false;
    const name = JSON.stringify([index, packKey(item, partition)]);
    const running = this.brought.get(name) ?? this.queryCollection(side, partition, item);
    this.brought.set(name, running);
    running.catch(() => this.brought.delete(name));
    return running;
  }

  private async queryCollection(side: Side, partition: string[], item: Item): Promise<boolean> {
    const request: Request = {
      TableName: this.name,
      Limit: collectionPage,
      ...(side.keys.index === null ? {} : { IndexName: side.keys.index }),
      KeyConditionExpression: partition.map((_, i) => `#k${i} = :k${i}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(partition.map((name, i) => [`#k${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(partition.map((name, i) => [`:k${i}`, item[name]])),
    };
    let some = false;
    for await (const { Items = [] } of pages('Query', request, this.controller.signal)) {
      side.add(Items);
      some ||= Items.length > 0;
      this.tellProgress(side, side.count);
      if (side.count >= this.most + addedMax) break;
    }
    this.progress.value = null;
    this.version.value += 1;
    return some;
  }

  private tellProgress(side: Side, total: number): void {
    const now = performance.now();
    if (now - this.toldAt < progressMs) return;
    this.toldAt = now;
    this.progress.value = { index: side.keys.index, done: side.count, total: Math.max(total, side.count) };
  }

  private expected(index: string | null): number {
    if (index === null) return this.description.ItemCount ?? 0;
    const indexes = [...(this.description.GlobalSecondaryIndexes ?? []), ...(this.description.LocalSecondaryIndexes ?? [])];
    return indexes.find((one) => one.IndexName === index)?.ItemCount ?? this.description.ItemCount ?? 0;
  }

  async read(key: Item): Promise<Item | null> {
    const answer = await call<{ Item?: Item }>('GetItem', {
      TableName: this.name,
      Key: Object.fromEntries(this.tableKeys.map((name) => [name, key[name]])),
      ConsistentRead: true,
    });
    return answer.Item ?? null;
  }

  // After a write: asks the engine how the item stands now on every side, and shows it; the indexes
  // after `delayMs`. `before` is the item as it was, null if it is new.
  async afterWrite(before: Item | null, key: Item, delayMs: number): Promise<SideChange[]> {
    const after = await this.read(key);
    const id = rowId(after ?? before ?? key, this.tableKeys);
    const changes = [this.changeOf(null, id, before, after)];
    const late: SideChange[] = [];
    for (const index of this.indexNames) {
      await this.load(index);
      const [old, wanted] = [before ? this.shownEntry(index, before) : null, after ? this.projected(index, after) : null];
      const change = this.changeOf(index, id, old, wanted);
      changes.push(change);
      if (!(await this.lists(change))) late.push(change);
    }
    for (const change of changes) {
      if (late.includes(change)) void this.await(change).catch(() => {});
      else if (change.index !== null && delayMs > 0 && change.effect !== 'stays' && change.effect !== 'absent') {
        this.lag.add(change, Date.now(), delayMs);
      } else this.show(change);
    }
    this.followLag();
    return changes;
  }

  // Reads the table again and shows what others changed since; null if the page itself wrote
  // meanwhile, because then what was read may be older than what is shown.
  async catchUp(delayMs: number): Promise<{ count: number; changes: SideChange[] } | null> {
    const base = this.side(null);
    if (!base) return null;
    const version = this.version.peek();
    const now = new Map<string, Item>();
    for await (const { Items } of pages('Scan', { TableName: this.name, ConsistentRead: true }, this.controller.signal)) {
      for (const item of Items ?? []) now.set(rowId(item, this.tableKeys), item);
    }
    if (version !== this.version.peek()) return null;
    const changed: { before: Item | null; after: Item | null }[] = [];
    for (const row of base.collections.flatMap(({ rows }) => rows)) {
      const after = now.get(row.id) ?? null;
      const before = JSON.parse(row.json) as Item;
      now.delete(row.id);
      if (!after || !same({ M: before }, { M: after })) changed.push({ before, after });
    }
    for (const after of now.values()) changed.push({ before: null, after });
    const changes: SideChange[] = [];
    if (changed.length <= caughtUpMax) {
      for (const { before, after } of changed) changes.push(...(await this.afterWrite(before, (after ?? before)!, delayMs)));
    }
    return { count: changed.length, changes };
  }

  // An item without the keys of an index is not there, neither before nor after.
  private changeOf(index: string | null, id: string, before: Item | null, after: Item | null): SideChange {
    return { index, id, before, after, effect: effectOf(this.keys(index), before, after) };
  }

  // What an index keeps of an item; null if it does not list it.
  private projected(index: string, item: Item): Item | null {
    const { partition, sort } = this.keys(index);
    const names = [...partition, ...sort];
    if (names.some((name) => !member(item, name))) return null;
    const indexes = [...(this.description.GlobalSecondaryIndexes ?? []), ...(this.description.LocalSecondaryIndexes ?? [])];
    const { ProjectionType = 'ALL', NonKeyAttributes = [] } = indexes.find((one) => one.IndexName === index)?.Projection ?? {};
    const kept = new Set([...names, ...this.tableKeys, ...NonKeyAttributes]);
    return ProjectionType === 'ALL' ? item : Object.fromEntries(Object.entries(item).filter(([name]) => kept.has(name)));
  }

  // Whether the engine's index has the entry after the change, and no longer the one before it.
  private async lists({ index, before, after }: SideChange): Promise<boolean> {
    const now = after ?? before;
    if (index === null || now === null) return true;
    const entry = await this.readEntry(index, now);
    return after ? entry !== null && same({ M: entry }, { M: after }) : entry === null;
  }

  // An engine may run with a lag of its own: asks until its index has caught up.
  private async await(change: SideChange): Promise<void> {
    const began = performance.now();
    this.slow = [...this.slow, change];
    this.followLag();
    while (!this.controller.signal.aborted && performance.now() - began < engineLagMost && !(await this.lists(change))) {
      await new Promise((resolve) => setTimeout(resolve, engineLagPoll));
    }
    this.slow = this.slow.filter((one) => one !== change);
    this.engineLag.value = Math.round(performance.now() - began);
    this.show(change);
    this.onArrival(change);
    this.followLag();
  }

  // The entry of `item` in an index as the engine gives it.
  private async readEntry(index: string, item: Item): Promise<Item | null> {
    const { partition, sort } = this.keys(index);
    const names = [...partition, ...sort];
    if (names.some((name) => !member(item, name))) return null;
    const page = await call<Page>('Query', {
      TableName: this.name,
      IndexName: index,
      KeyConditionExpression: names.map((_, i) => `#k${i} = :k${i}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#k${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name, i) => [`:k${i}`, item[name]])),
    });
    const id = rowId(item, this.tableKeys);
    return page.Items?.find((entry) => rowId(entry, this.tableKeys) === id) ?? null;
  }

  // The items that this side shows, or will show when the lag is over.
  private shownEntry(index: string, item: Item): Item | null {
    const id = rowId(item, this.tableKeys);
    const waiting = [...this.lag.pending].reverse().find(({ change }) => change.index === index && change.id === id);
    if (waiting) return waiting.change.after;
    const side = this.side(index);
    const place = side?.find(id, item);
    return side && place ? (JSON.parse(side.rowAt(place)!.json) as Item) : null;
  }

  private show(change: SideChange): void {
    const side = this.side(change.index);
    if (!side || change.effect === 'absent' || change.effect === 'stays') return;
    this.apply(side, change.before, change.after);
    if (change.after) this.flash(change.index, change.id, change.effect === 'changes' ? 'changed' : 'new');
    this.version.value += 1;
  }

  private apply(side: Side, before: Item | null, after: Item | null): void {
    if (before) side.remove(rowId(before, this.tableKeys), before);
    if (after) side.add([after]);
  }

  private flash(index: string | null, id: string, flash: Flash): void {
    const name = flashName(index, id);
    this.flashes.value = new Map(this.flashes.value).set(name, flash);
    setTimeout(() => {
      const rest = new Map(this.flashes.value);
      rest.delete(name);
      this.flashes.value = rest;
    }, flashMs);
  }

  private followLag(): void {
    clearTimeout(this.timer);
    for (const change of this.lag.take(Date.now())) {
      this.show(change);
      this.onArrival(change);
    }
    this.pending.value = [...this.lag.pending, ...this.slow.map((change) => ({ change, dueMs: Infinity }))];
    const next = this.lag.nextMs;
    if (next !== null) this.timer = setTimeout(() => this.followLag(), Math.max(10, next - Date.now()));
  }
}

export function flashName(index: string | null, id: string): string {
  return `${index ?? ''}\n${id}`;
}
