// The explorer: which table is open, what was asked, which page of the answer is shown.
import { computed, effect, signal } from '@preact/signals';
import { member, typeOf, type AttributeValue, type Item, type TypeName } from '../../api/attribute_value.ts';
import { call, describeTable, DynamoDbError, keyOf, listTables, pages, type ConsumedCapacity, type Page, type Request, type TableDescription } from '../../api/dynamodb.ts';
import { returns } from '../../api/reach.ts';
import { route, setQuery } from '../../app/route.ts';
import { model } from '../../design/design.ts';
import type { StaleKey } from '../../design/stale_keys.ts';
import { plural } from '../../parts/numbers.ts';
import { hasFilter, isRead, type Draft, type Operation } from '../../requests/draft.ts';
import type { Change } from '../../requests/guarded_write.ts';
import { statementOf } from '../../requests/emit/emit_partiql.ts';
import { problemsOf } from '../../requests/legal.ts';
import { unpackDraft } from '../../requests/link.ts';
import { linkedDraft } from '../../requests/linked_draft.ts';
import { compile } from '../../requests/request.ts';
import { fromDescription, fromModel, keysFor, merged, projected, type TableSchema } from '../../requests/schema.ts';
import { attributeTypes, type AttributeTypes } from './attribute_types.ts';
import { askSeveral, beginSeveral, getOf, isSeveral, severalForms, severalRequest, wantedKeys, type SeveralForm } from './several.ts';
import { fittingIndex, missingKey, sourceOf } from './scan_check.ts';

export type Mode = 'Scan' | 'Query' | 'GetItem' | SeveralForm | 'PartiQL';
export const modes: Mode[] = ['Scan', 'Query', 'GetItem', ...severalForms, 'PartiQL'];

export const tables = signal<TableDescription[]>([]);
export const loaded = signal(false);
export const trouble = signal('');

export const openTable = computed(() => {
  const [name] = route.value.path;
  return route.value.view === 'explore' && name !== undefined ? (tables.value.find(({ TableName }) => TableName === name) ?? null) : null;
});
export const mode = computed<Mode>(() => modes.find((each) => each === route.value.query['mode']) ?? 'Scan');
export const statement = computed(() => route.value.query['statement'] ?? (openTable.value ? `SELECT * FROM "${openTable.value.TableName}"` : ''));

const linked = linkedDraft('explore', { operation: 'Scan', table: '', key: [] });
export const { draft, change, behind } = linked;
export const pageSize = signal(50);
export const samples = signal<Item[]>([]);

export const schema = computed<TableSchema | null>(() => {
  const table = openTable.value;
  if (!table) return null;
  const modelled = model.value?.tables.find(({ name }) => name === table.TableName);
  return merged(fromDescription(table), modelled && model.value ? fromModel(model.value, modelled) : undefined);
});
export const problems = computed(() => {
  const table = schema.value ?? undefined;
  const drafts = isSeveral(mode.value) ? wantedKeys.value.map((key) => getOf(table?.name ?? '', key)) : [draft.value];
  return drafts.flatMap((one) => problemsOf(one, table)).filter(({ warning }) => !warning);
});

export async function refreshTables(): Promise<void> {
  try {
    const names = await listTables();
    const found = await Promise.all(
      names.map((name) =>
        describeTable(name).catch((error: unknown) => {
          if (error instanceof DynamoDbError) return null; // Deleted meanwhile.
          throw error;
        }),
      ),
    );
    tables.value = found.filter((table) => table !== null);
    trouble.value = '';
  } catch (error) {
    trouble.value = (error as Error).message;
  }
  loaded.value = true;
}

// A draft for the table and mode, with keys of an item that is there.
export function freshDraft(table: TableSchema, operation: Operation, index?: string): Draft {
  const next: Draft = { operation, table: table.name, key: [], ...(index && hasFilter(operation) ? { index } : {}) };
  if (operation === 'Scan') return next;
  const keys = operation === 'GetItem' ? table.keys : keysFor(table, next.index);
  const found = samples.peek().find((item) => keys.every(({ name }) => member(item, name)));
  const wanted = operation === 'GetItem' ? keys : keys.filter(({ kind }) => kind === 'HASH');
  const empty = (type: string): AttributeValue => (type === 'N' ? { N: '0' } : type === 'B' ? { B: '' } : { S: '' });
  return { ...next, key: wanted.map(({ name, type }) => ({ name, test: '=', values: [member(found, name) ?? empty(type)] })) };
}

export interface Answer {
  items: Item[];
  operation: string;
  request: Request;
  count: number;
  scanned?: number;
  written?: number; // Items added here since, less those deleted: no request returned them.
  capacity?: ConsumedCapacity;
  milliseconds: number;
  // Where this page and the next begin; the first page begins nowhere.
  starts: (Item | string | undefined)[];
  next?: Item | string;
  scanOf: string | null; // What is read whole, if anything.
  insteadOf: string | null; // What to read from instead, if an index would make it a Query.
  partial: boolean; // Items may lack attributes that the table has.
  asked: boolean; // By a person, not by opening the table.
}

export const answer = signal<Answer | null>(null);
export const failure = signal<{ code: string; message: string } | null>(null);
export const busy = signal(false);
// The outcome of the last write, for people.
export const saved = signal('');

export const paid = (capacity: ConsumedCapacity | undefined) => (capacity ? ` for ${plural(capacity.CapacityUnits, 'write unit')}` : '');

const hashKeys = (keys: { name: string; kind: string }[]) => keys.filter(({ kind }) => kind === 'HASH').map(({ name }) => name);

// The table or index that a statement reads whole, and the one that it could read from instead.
function statementScan(text: string): { scanOf: string | null; insteadOf: string | null } {
  const source = sourceOf(text);
  const table = source && tables.peek().find(({ TableName }) => TableName === source.table);
  if (!source || !table) return { scanOf: null, insteadOf: null };
  const known = fromDescription(table);
  const key = missingKey(text, hashKeys(keysFor(known, source.index)));
  if (key === null) return { scanOf: null, insteadOf: null };
  const index = fittingIndex(text, known.indexes.map(({ name, keys }) => ({ name, hashKeys: hashKeys(keys) })));
  return {
    scanOf: `${source.index ? `the index ${source.index}` : `the table ${source.table}`}, because WHERE does not fix ${key}`,
    insteadOf: index === null ? null : `FROM "${source.table}"."${index}"`,
  };
}

function requestFor(start: Item | string | undefined): { operation: string; request: Request } {
  if (mode.peek() === 'PartiQL') {
    return {
      operation: 'ExecuteStatement',
      request: { Statement: tellingWhat(statement.peek()), Limit: pageSize.peek(), ReturnConsumedCapacity: 'TOTAL', ...(start ? { NextToken: start } : {}) },
    };
  }
  const several = mode.peek();
  if (isSeveral(several)) {
    const together = severalRequest(draft.peek().table, several);
    return { operation: together.operation, request: { ...together.request, ReturnConsumedCapacity: 'TOTAL' } };
  }
  const { operation, request } = compile(draft.peek());
  const paged = operation === 'GetItem' ? {} : { Limit: draft.peek().limit ?? pageSize.peek(), ...(start ? { ExclusiveStartKey: start } : {}) };
  return { operation, request: { ...request, ...paged, ReturnConsumedCapacity: 'TOTAL' } };
}

// A write that says nothing of what it did is asked to: RETURNING gives the item.
function tellingWhat(text: string): string {
  if (/\breturning\b/i.test(text)) return text;
  if (/^\s*delete\b/i.test(text)) return `${text.trimEnd()} RETURNING ALL OLD *`;
  return /^\s*update\b/i.test(text) ? `${text.trimEnd()} RETURNING ALL NEW *` : text;
}

export const changesData = (text: string) => !/^\s*select\b/i.test(text);

function statementDone(text: string, items: number, capacity: ConsumedCapacity | undefined): string {
  const [, verb = ''] = /^\s*(\w+)/.exec(text.toLowerCase()) ?? [];
  if (verb === 'insert') return `Inserted 1 item${paid(capacity)}.`;
  if (items === 0) return `No item was ${verb}d: no item has this key.`;
  return `${verb === 'delete' ? 'Deleted' : 'Updated'} ${plural(items, 'item')}${paid(capacity)}. ${verb === 'delete' ? 'It was' : 'It is now'}:`;
}

type AnyAnswer = Partial<Page> & { Item?: Item; NextToken?: string };

let running: AbortController | null = null;

// Pages that gave nothing while the answer was looked for; null while nothing is read on.
export const readOn = signal<{ pages: number; scanned: number; units: number } | null>(null);

export function stopReading(): void {
  running?.abort();
  busy.value = false;
  readingMore.value = false;
  readOn.value = null;
}

// A filter may leave nothing of a page. What is asked for may be on the next: reads on until there is something, or the end.
async function firstFilled(start: Item | string | undefined, signal: AbortSignal): Promise<{ found: AnyAnswer; start: Item | string | undefined }> {
  for (let pages = 1, scanned = 0, units = 0; ; pages += 1) {
    const { operation, request } = requestFor(start);
    const found: AnyAnswer = isSeveral(operation) ? await askSeveral(operation, request, signal) : await call<AnyAnswer>(operation, request, signal);
    const next = found.NextToken ?? found.LastEvaluatedKey;
    const empty = (found.Items?.length ?? 1) === 0;
    scanned += found.ScannedCount ?? 0;
    units += found.ConsumedCapacity?.CapacityUnits ?? 0;
    if (empty && next !== undefined) {
      readOn.value = { pages, scanned, units };
      start = next;
      continue;
    }
    readOn.value = null;
    if (pages > 1) {
      if (found.ScannedCount !== undefined) found.ScannedCount = scanned;
      if (found.ConsumedCapacity) found.ConsumedCapacity = { ...found.ConsumedCapacity, CapacityUnits: units };
    }
    return { found, start };
  }
}

// Runs what the form says; `starts` are the beginnings of all pages up to the one wanted.
export async function run(starts: (Item | string | undefined)[] = [undefined], asked = true): Promise<void> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  busy.value = true;
  readOn.value = null;
  saved.value = '';
  const begin = performance.now();
  try {
    const { found, start } = await firstFilled(starts.at(-1), controller.signal);
    const { operation, request } = requestFor(start);
    const items = found.Items ?? (found.Item ? [found.Item] : []);
    const text = statement.peek();
    const index = draft.peek().index;
    const inPart = operation === 'ExecuteStatement' ? !/^\s*select\s+\*\s+from\s+("[^"]*"|[\w-]+)\s*(where|order|$)/i.test(text) : !!(schema.peek() && projected(schema.peek()!, index));
    const next = found.NextToken ?? found.LastEvaluatedKey;
    answer.value = {
      items, operation, request, starts,
      count: found.Count ?? items.length,
      ...(found.ScannedCount !== undefined ? { scanned: found.ScannedCount } : {}),
      ...(found.ConsumedCapacity ? { capacity: found.ConsumedCapacity } : {}),
      milliseconds: performance.now() - begin,
      ...(next !== undefined ? { next } : {}),
      scanOf: operation === 'Scan' ? (index ? `the index ${index}` : `the table ${draft.peek().table}`) : null,
      insteadOf: null,
      ...(operation === 'ExecuteStatement' ? statementScan(text) : {}),
      partial: inPart,
      asked,
    };
    failure.value = null;
    if (operation === 'ExecuteStatement' && changesData(text)) {
      saved.value = statementDone(text, items.length, found.ConsumedCapacity);
      void refreshTables();
    }
  } catch (error) {
    if (controller.signal.aborted) return;
    answer.value = null; // Rows of the request before would look like this one's.
    failure.value = { code: error instanceof DynamoDbError ? error.code : 'The server cannot be reached', message: (error as Error).message };
  }
  if (running === controller) busy.value = false;
}

export const readingMore = signal(false);

// The next page, behind those that are shown.
export async function more(): Promise<void> {
  const now = answer.peek();
  if (now?.next === undefined || readingMore.peek() || busy.peek()) return;
  readingMore.value = true;
  const controller = new AbortController();
  running = controller;
  try {
    const { found } = await firstFilled(now.next, controller.signal);
    if (answer.peek()?.starts !== now.starts) return;
    const { next: _, ...before } = answer.peek()!;
    const next = found.NextToken ?? found.LastEvaluatedKey;
    answer.value = {
      ...before,
      items: [...before.items, ...(found.Items ?? [])],
      count: before.count + (found.Count ?? found.Items?.length ?? 0),
      ...(before.scanned !== undefined ? { scanned: before.scanned + (found.ScannedCount ?? 0) } : {}),
      ...(before.capacity && found.ConsumedCapacity ? { capacity: { ...before.capacity, CapacityUnits: before.capacity.CapacityUnits + found.ConsumedCapacity.CapacityUnits } } : {}),
      ...(next !== undefined ? { next } : {}),
    };
  } catch (error) {
    if (!controller.signal.aborted) failure.value = { code: error instanceof DynamoDbError ? error.code : 'The server cannot be reached', message: (error as Error).message };
  }
  readingMore.value = false;
}

// Every page, for export. Stops at `itemsMax`, and says so: `cut`.
export async function allItems(itemsMax = 100_000): Promise<{ items: Item[]; cut: boolean }> {
  const items: Item[] = [];
  let start: Item | string | undefined;
  do {
    const { operation, request } = requestFor(start);
    const found = await call<AnyAnswer>(operation, operation === 'GetItem' ? request : { ...request, Limit: 1000 });
    items.push(...(found.Items ?? (found.Item ? [found.Item] : [])));
    start = found.NextToken ?? found.LastEvaluatedKey;
  } while (start !== undefined && items.length < itemsMax);
  return { items, cut: start !== undefined };
}

// Somebody else's change came first: what was shown, what is wanted, what is stored.
export interface Conflict {
  shown: Item;
  stored: Item | null; // Null: the item is gone.
  changes: Change[];
  deleting?: boolean;
}

export const conflict = signal<Conflict | null>(null);

// An edit that waits, because it would leave keys of indexes behind.
export const staleEdit = signal<{ shown: Item; changes: Change[]; keys: StaleKey[] } | null>(null);

export async function wholeItem(item: Item): Promise<Item | null> {
  const table = openTable.peek()!;
  const key = keyOf(item, table.KeySchema);
  if (!key) return null;
  const found = (await call<{ Item?: Item }>('GetItem', { TableName: table.TableName, Key: key, ConsistentRead: true })).Item;
  return found ? { ...key, ...found } : null; // The key first, as everywhere.
}

// The types of these attributes in the open table, read from its items.
export async function typesInTable(wanted: string[]): Promise<AttributeTypes> {
  const table = openTable.peek()!;
  const atHand = [...samples.peek(), ...(answer.peek()?.items ?? [])];
  return attributeTypes(wanted, table, schema.peek()?.fields ?? [], pages('Scan', { TableName: table.TableName, Limit: 1000 }), atHand);
}

// The type of a value that an item has not got yet, where the table's definitions, the model or all items at hand agree on it.
export function typeOfNew(name: string): TypeName | undefined {
  const defined = openTable.peek()?.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  const modelled = schema.peek()?.fields.find((field) => field.name === name)?.type;
  if (defined || modelled) return defined ?? modelled;
  const seen = new Set([...samples.peek(), ...(answer.peek()?.items ?? [])].flatMap((item) => (member(item, name) ? [typeOf(member(item, name)!)] : [])));
  return seen.size === 1 ? [...seen][0] : undefined;
}

let waits = false; // A statement that nobody has asked to run yet.

// Another kind of request. A statement begins with what was asked last, and waits for its button.
export function chooseMode(next: Mode): void {
  waits = next === 'PartiQL';
  setQuery({ mode: next, q: undefined, statement: waits ? sameAsStatement() : undefined });
}

function sameAsStatement(): string | undefined {
  if (isSeveral(mode.peek()) || problems.peek().length > 0) return undefined;
  try {
    const { text, parameters } = statementOf(draft.peek(), { region: '', ...(schema.peek() ? { table: schema.peek()! } : {}) });
    return parameters.length === 0 ? text : undefined;
  } catch {
    return undefined; // PartiQL cannot say it.
  }
}

async function openFor(table: TableSchema, now: Mode): Promise<void> {
  if (samples.peek().length === 0) samples.value = (await call<Page>('Scan', { TableName: table.name, Limit: 25 })).Items ?? [];
  const word = route.peek().query['q'];
  let next: Draft | null = null;
  if (word !== undefined && !linked.isOwn(word)) {
    next = await unpackDraft(word).catch(() => null);
    linked.take(word);
  } else if (word !== undefined) next = draft.peek();
  const operation: Operation = now === 'PartiQL' ? 'Scan' : isSeveral(now) ? 'GetItem' : now;
  if (isSeveral(now)) beginSeveral(table, samples.peek());
  const fits = next && next.table === table.name && next.operation === operation && isRead(next.operation);
  draft.value = fits ? next! : freshDraft(table, operation);
  if (now !== 'PartiQL' || (!waits && /^\s*select/i.test(statement.peek()))) await run([undefined], waits);
  else answer.value = null;
  waits = false;
}

// Follows the address. Gives back what ends it.
export function startExplorer(): () => void {
  let opened = '';
  let back = returns.peek();
  const reread = effect(() => {
    const again = returns.value !== back;
    back = returns.value;
    // What was read before the server went may be gone with it. A statement may write, so it is not sent again.
    void refreshTables().then(() => (again && (failure.peek() || (answer.peek() && mode.peek() !== 'PartiQL')) ? run() : undefined));
  });
  const follow = effect(() => {
    const table = openTable.value;
    const now = mode.value;
    const place = `${table?.TableName} ${now}`;
    if (place === opened) return;
    if (!opened.startsWith(`${table?.TableName} `)) samples.value = [];
    opened = place;
    answer.value = null;
    failure.value = null;
    conflict.value = null;
    staleEdit.value = null;
    saved.value = '';
    const known = schema.peek();
    if (known) openFor(known, now).catch((error: Error) => (failure.value = { code: error.name, message: error.message }));
  });
  return () => {
    reread();
    follow();
  };
}
