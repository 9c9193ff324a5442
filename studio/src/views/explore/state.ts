// The explorer: which table is open, what was asked, which page of the answer is shown.
import { computed, effect, signal } from '@preact/signals';
import { member, typeOf, type AttributeValue, type Item, type TypeName } from '../../api/attribute_value.ts';
import { call, describeTable, DynamoDbError, keyNames, keyOf, listTables, pages, type ConsumedCapacity, type Page, type Request, type TableDescription } from '../../api/dynamodb.ts';
import { returns } from '../../api/reach.ts';
import { route, setQuery } from '../../app/route.ts';
import { model, source, whenSettled } from '../../design/design.ts';
import { locksOf } from '../../design/locks.ts';
import { staleKeys, type StaleKey } from '../../design/stale_keys.ts';
import { plural } from '../../parts/numbers.ts';
import { hasFilter, isRead, type Draft, type Operation } from '../../requests/draft.ts';
import { changeOf, changesBetween, deleteOld, putNew, updateOld, type Change, type GuardedWrite } from '../../requests/guarded_write.ts';
import { statementOf } from '../../requests/emit/emit_partiql.ts';
import { problemsOf } from '../../requests/legal.ts';
import { unpackDraft } from '../../requests/link.ts';
import { linkedDraft } from '../../requests/linked_draft.ts';
import { compile } from '../../requests/request.ts';
import { fromDescription, fromModel, keysFor, merged, projected, type TableSchema } from '../../requests/schema.ts';
import { attributeTypes, type AttributeTypes } from './attribute_types.ts';
import { collect, collecting } from './collect.ts';
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

const paid = (capacity: ConsumedCapacity | undefined) => (capacity ? ` for ${plural(capacity.CapacityUnits, 'write unit')}` : '');

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

function replaceRow(old: Item, stored: Item | null): void {
  const now = answer.peek();
  const table = openTable.peek();
  if (!now || !table) return;
  const key = JSON.stringify(keyOf(old, table.KeySchema));
  const items = now.items.flatMap((item) => (JSON.stringify(keyOf(item, table.KeySchema)) === key ? (stored ? [stored] : []) : [item]));
  answer.value = { ...now, items, count: now.count + items.length - now.items.length };
}

const storedOf = (error: DynamoDbError): Item | null => (error.body['Item'] as Item | undefined) ?? null;

interface Counted {
  Attributes?: Item;
  ConsumedCapacity?: ConsumedCapacity;
}

// Writes it, or lets it wait for the transaction.
async function sendCounted(write: GuardedWrite): Promise<Counted> {
  if (!collecting.peek()) return call<Counted>(write.operation, { ...write.request, ReturnConsumedCapacity: 'TOTAL' });
  const refused = collect(write, keyNames(openTable.peek()!.KeySchema));
  if (refused !== null) throw new Error(refused);
  return {};
}

const done = (what: string, capacity: ConsumedCapacity | undefined) =>
  collecting.peek() ? 'Not written yet: it waits for the transaction.' : `${what}${paid(capacity)}.`;

// An edit that waits, because it would leave keys of indexes behind.
export const staleEdit = signal<{ shown: Item; changes: Change[]; keys: StaleKey[] } | null>(null);

// The same edit, with the keys that the model makes of it, or as it was typed.
export async function finishStaleEdit(how: 'right keys' | 'as typed'): Promise<string | null> {
  const waiting = staleEdit.peek();
  staleEdit.value = null;
  if (!waiting) return null;
  const right = how === 'as typed' ? [] : waiting.keys.map(({ name, right: text }) => changeOf(name, member(waiting.shown, name), { S: text }));
  const typed = waiting.changes.filter(({ name }) => !right.some((change) => change.name === name));
  return saveChanges(waiting.shown, [...typed, ...right], { checked: true });
}

// The item with the changes made.
function changedItem(shown: Item, changes: Change[]): Item {
  const next = new Map(Object.entries(shown));
  for (const { name, after } of changes) {
    if (after) next.set(name, after);
    else next.delete(name);
  }
  return Object.fromEntries(next);
}

// The view of items writes lock items along, in one transaction; here they would be left behind, or a value be there twice.
async function lockTrouble(before: Item, after: Item | null): Promise<string | null> {
  await whenSettled();
  const [known, table] = [model.peek(), openTable.peek()!];
  if (!known) return null;
  const locks = async (item: Item | null) => JSON.stringify(item ? await locksOf(known, source.peek(), { name: table.TableName, keys: keyNames(table.KeySchema) }, item) : []);
  if ((await locks(before)) === (await locks(after))) return null;
  return `The design keeps a value of this item unique with a lock item. ${after ? 'Change' : 'Delete'} it in Items, which takes the lock along.`;
}

// Gives null, or why it did not work. A conflict is shown by itself.
export async function saveChanges(shown: Item, changes: Change[], options: { checked?: boolean } = {}): Promise<string | null> {
  const table = openTable.peek()!;
  const keys = keyNames(table.KeySchema);
  const touched = changes.map(({ name }) => name).filter((name) => keys.includes(name));
  if (touched.length > 0) return `${touched.join(' and ')} is the item's key and cannot change. Duplicate the item, then delete this one.`;
  if (changes.length === 0) return null;
  await whenSettled();
  if (!options.checked) {
    const before = staleKeys(model.peek(), table.TableName, keys, shown).map(({ name }) => name);
    const stale = staleKeys(model.peek(), table.TableName, keys, changedItem(shown, changes)).filter(({ name }) => !before.includes(name));
    staleEdit.value = stale.length > 0 ? { shown, changes, keys: stale } : null;
    if (stale.length > 0) return 'This would leave keys behind: choose which keys to write.';
  }
  const locked = await lockTrouble(shown, changedItem(shown, changes));
  if (locked) return locked;
  try {
    const { Attributes, ConsumedCapacity } = await sendCounted(updateOld(table.TableName, keys, shown, changes));
    const written = Attributes ?? changedItem(shown, changes);
    replaceRow(shown, written);
    undoable.value = collecting.peek() ? null : { table: table.TableName, now: written, before: shown };
    saved.value = done(`Saved ${changes.map(({ name }) => name).join(', ')}`, ConsumedCapacity);
    return null;
  } catch (error) {
    return conflictFrom(error, { shown, changes });
  }
}

// The last write of this page, which can be taken back: what is stored now, and what was.
export const undoable = signal<{ table: string; now: Item | null; before: Item } | null>(null);

export async function undoWrite(): Promise<string | null> {
  const last = undoable.peek();
  if (!last || last.table !== openTable.peek()?.TableName) return null;
  undoable.value = null;
  if (!last.now) return insertItem(last.before);
  return saveChanges(last.now, changesBetween(last.now, last.before), { checked: true });
}

function conflictFrom(error: unknown, about: Omit<Conflict, 'stored'>): string {
  if (!(error instanceof DynamoDbError) || error.code !== 'ConditionalCheckFailedException') return (error as Error).message;
  conflict.value = { ...about, stored: storedOf(error) };
  return 'Somebody changed this item after you loaded it: choose what to keep.';
}

export async function saveItem(shown: Item, wanted: Item): Promise<string | null> {
  return saveChanges(shown, changesBetween(shown, wanted));
}

export async function insertItem(item: Item): Promise<string | null> {
  const table = openTable.peek()!;
  const keys = keyNames(table.KeySchema);
  const missing = keys.filter((name) => !member(item, name));
  if (missing.length > 0) return `The key is not complete: ${missing.join(' and ')} is missing.`;
  try {
    const { ConsumedCapacity } = await sendCounted(putNew(table.TableName, keys, item));
    saved.value = done('Added the item', ConsumedCapacity);
  } catch (error) {
    const taken = error instanceof DynamoDbError && error.code === 'ConditionalCheckFailedException';
    return taken ? 'There is an item with this key already. Nothing was written.' : (error as Error).message;
  }
  const now = answer.peek();
  if (now) answer.value = { ...now, items: [...now.items, item], count: now.count + 1 };
  return null;
}

export async function deleteItem(shown: Item): Promise<string | null> {
  const table = openTable.peek()!;
  const locked = await lockTrouble(shown, null);
  if (locked) return locked;
  try {
    const { ConsumedCapacity } = await sendCounted(deleteOld(table.TableName, keyNames(table.KeySchema), shown));
    replaceRow(shown, null);
    undoable.value = collecting.peek() ? null : { table: table.TableName, now: null, before: shown };
    saved.value = done('Deleted the item', ConsumedCapacity);
    return null;
  } catch (error) {
    return conflictFrom(error, { shown, changes: [], deleting: true });
  }
}

export function takeStored(): void {
  const now = conflict.peek();
  if (now) replaceRow(now.shown, now.stored);
  conflict.value = null;
}

// The same changes on top of what is stored now.
export async function applyAnyway(): Promise<string | null> {
  const now = conflict.peek();
  if (!now?.stored) return null;
  const stored = now.stored;
  conflict.value = null;
  replaceRow(now.shown, stored);
  if (now.deleting) return deleteItem(stored);
  return saveChanges(stored, now.changes.map(({ name, after }) => changeOf(name, member(stored, name), after)));
}

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
    void refreshTables().then(() => (again && failure.peek() ? run() : undefined));
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
