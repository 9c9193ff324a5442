// Writes of the explorer: one item or many, guarded against what others write, checked against the design, and taken back on demand.
import { computed, signal } from '@preact/signals';
import { member, type Item } from '../../api/attribute_value.ts';
import { call, DynamoDbError, keyNames, keyOf, type ConsumedCapacity } from '../../api/dynamodb.ts';
import { model, source, whenSettled } from '../../design/design.ts';
import { locksOf } from '../../design/locks.ts';
import { staleKeys } from '../../design/stale_keys.ts';
import { plural } from '../../parts/numbers.ts';
import { changeOf, changesBetween, deleteOld, putNew, updateOld, type Change, type GuardedWrite } from '../../requests/guarded_write.ts';
import { collect, collecting } from './collect.ts';
import { answer, conflict, openTable, paid, saved, staleEdit, type Conflict } from './state.ts';

function replaceRow(old: Item, stored: Item | null): void {
  const now = answer.peek();
  const table = openTable.peek();
  if (!now || !table) return;
  // By itself where it is still there: of many edits, each would look at the keys of all items.
  const at = now.items.indexOf(old);
  if (at >= 0) {
    const items = [...now.items.slice(0, at), ...(stored ? [stored] : []), ...now.items.slice(at + 1)];
    answer.value = { ...now, items, count: now.count + items.length - now.items.length, written: (now.written ?? 0) + items.length - now.items.length };
    return;
  }
  const key = JSON.stringify(keyOf(old, table.KeySchema));
  const items = now.items.flatMap((item) => (JSON.stringify(keyOf(item, table.KeySchema)) === key ? (stored ? [stored] : []) : [item]));
  answer.value = { ...now, items, count: now.count + items.length - now.items.length, written: (now.written ?? 0) + items.length - now.items.length };
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
    remember({ now: written, before: shown });
    saved.value = done(`Saved ${changes.map(({ name }) => name).join(', ')}`, ConsumedCapacity);
    return null;
  } catch (error) {
    return conflictFrom(error, { shown, changes });
  }
}

// What one write made of an item; null: it is not there.
interface Step {
  now: Item | null;
  before: Item | null;
  place?: Place; // Of a deleted item.
}

// The row that an item had among those that were read from there.
interface Place {
  starts: unknown;
  row: number;
}

// Writes that are taken back, and done again, together.
interface Written {
  table: string;
  steps: Step[];
}

const undoMost = 100;
const behind = signal<Written[]>([]);
const ahead = signal<Written[]>([]); // Taken back, the last one last.
let group: Step[] | null = null;
let stepping = false; // Back or forth, which is no new write.

function keep(written: Written): void {
  behind.value = [...behind.peek(), written].slice(-undoMost);
  ahead.value = [];
}

function remember(step: Step): void {
  if (stepping || collecting.peek()) return;
  if (group) group.push(step);
  else keep({ table: openTable.peek()!.TableName, steps: [step] });
}

// Of the open table; nobody takes back what is out of sight.
const lastOf = (all: Written[]) => {
  const last = all.at(-1);
  return last && last.table === openTable.value?.TableName ? last : null;
};
export const undoable = computed(() => lastOf(behind.value));
export const redoable = computed(() => lastOf(ahead.value));

// Makes of each item what it was, or is to be again; stops at the first that somebody else changed.
async function walk(steps: { from: Item | null; to: Item | null; place?: Place | undefined }[]): Promise<string | null> {
  stepping = true;
  try {
    for (const { from, to, place } of steps) {
      const trouble = !from ? await insertItem(to!, place) : !to ? await deleteItem(from) : await saveChanges(from, changesBetween(from, to), { checked: true });
      if (trouble !== null) return trouble;
    }
    return null;
  } finally {
    stepping = false;
  }
}

export async function undoWrite(): Promise<string | null> {
  const last = undoable.peek();
  if (!last || stepping) return null;
  behind.value = behind.peek().slice(0, -1);
  const trouble = await walk([...last.steps].reverse().map(({ now, before, place }) => ({ from: now, to: before, place })));
  if (trouble !== null) return trouble;
  ahead.value = [...ahead.peek(), last];
  saved.value = last.steps.length > 1 ? `Undone: ${plural(last.steps.length, 'write')}.` : 'Undone.';
  return null;
}

export async function redoWrite(): Promise<string | null> {
  const next = redoable.peek();
  if (!next || stepping) return null;
  ahead.value = ahead.peek().slice(0, -1);
  const trouble = await walk(next.steps.map(({ now, before }) => ({ from: before, to: now })));
  if (trouble !== null) return trouble;
  behind.value = [...behind.peek(), next];
  saved.value = next.steps.length > 1 ? `Redone: ${plural(next.steps.length, 'write')}.` : 'Redone.';
  return null;
}

export interface Edit {
  item: Item;
  changes: Change[];
}

// One after the other, so that a refusal stops before the rest; taken back together.
async function oneByOne<Work>(all: Work[], verb: string, write: (one: Work) => Promise<string | null>): Promise<string | null> {
  const table = openTable.peek()!.TableName;
  const own: Step[] = [];
  group = own;
  try {
    for (const [at, one] of all.entries()) {
      const trouble = await write(one);
      if (trouble !== null) return all.length > 1 ? `${verb} ${at} of ${all.length} items, then stopped: ${trouble}` : trouble;
      if (at % 25 === 24) saved.value = `${verb} ${at + 1} of ${all.length} items…`;
    }
    if (all.length > 1 && !collecting.peek()) saved.value = `${verb} ${all.length} items.`;
    return null;
  } finally {
    group = null;
    if (own.length > 0) keep({ table, steps: own });
  }
}

export const saveMany = (edits: Edit[]): Promise<string | null> => oneByOne(edits, 'Saved', ({ item, changes }) => saveChanges(item, changes));
export const insertMany = (items: Item[]): Promise<string | null> => oneByOne(items, 'Added', (item) => insertItem(item));
export const deleteMany = (items: Item[]): Promise<string | null> => oneByOne(items, 'Deleted', deleteItem);

function conflictFrom(error: unknown, about: Omit<Conflict, 'stored'>): string {
  if (!(error instanceof DynamoDbError) || error.code !== 'ConditionalCheckFailedException') return (error as Error).message;
  conflict.value = { ...about, stored: storedOf(error) };
  return 'Somebody changed this item after you loaded it: choose what to keep.';
}

export async function saveItem(shown: Item, wanted: Item): Promise<string | null> {
  return saveChanges(shown, changesBetween(shown, wanted));
}

// `place`: where it was before it was deleted; else it comes last.
export async function insertItem(item: Item, place?: Place): Promise<string | null> {
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
  remember({ now: item, before: null });
  const now = answer.peek();
  if (!now) return null;
  const at = place?.starts === now.starts ? place.row : now.items.length;
  answer.value = { ...now, items: [...now.items.slice(0, at), item, ...now.items.slice(at)], count: now.count + 1, written: (now.written ?? 0) + 1 };
  return null;
}

export async function deleteItem(shown: Item): Promise<string | null> {
  const table = openTable.peek()!;
  const locked = await lockTrouble(shown, null);
  if (locked) return locked;
  try {
    const { ConsumedCapacity } = await sendCounted(deleteOld(table.TableName, keyNames(table.KeySchema), shown));
    const row = answer.peek()?.items.indexOf(shown) ?? -1;
    replaceRow(shown, null);
    remember({ now: null, before: shown, ...(row >= 0 ? { place: { starts: answer.peek()!.starts, row } } : {}) });
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

