// The lesson that is open: its model's text, and what its table holds now.
import { computed, signal } from '@preact/signals';
import { member, type Item } from '../../api/attribute_value.ts';
import { call, describeTable, keyNames, type Page } from '../../api/dynamodb.ts';
import { model as api, type Model } from '../../api/model.ts';
import { returns } from '../../api/reach.ts';
import { makeDecoder } from '../../design/decode.ts';
import { loadDesign, resetDesign } from '../../design/load.ts';
import type { RowMark } from '../../parts/grid.tsx';
import type { RelationalRow } from '../../parts/relational_tables.tsx';
import type { Lesson } from './lesson.ts';

export const source = signal('');
// 'loading', 'ready', or why it is neither.
export const state = signal<string>('loading');
export const tableItems = signal<Item[]>([]);
export const keys = signal<string[]>([]);
// Whether the table is no longer as the lesson's text has it.
export const touched = signal(false);

export const design = signal<Model | null>(null);
const ownKeys = signal<string[]>([]); // Of the table, whichever side is shown.

// What the last example returned or wrote, in its order, by the keys of the table.
const litKeys = signal<string[]>([]);
// The row of the relational tables whose item is looked for.
export const chosenRow = signal<RelationalRow | null>(null);
let stored: { entity: string; item: Item }[] = [];

const keyText = (item: Item) => JSON.stringify(ownKeys.peek().map((name) => member(item, name) ?? null));

export const lit = computed<ReadonlyMap<Item, number>>(() => {
  const orders = new Map(litKeys.value.map((key, at) => [key, at + 1]));
  const found = tableItems.value.flatMap((item): [Item, number][] => {
    const order = orders.get(keyText(item));
    return order === undefined ? [] : [[item, order]];
  });
  return new Map(found);
});

export function light(items: Item[]): void {
  chosenRow.value = null;
  litKeys.value = items.map(keyText);
}

// An entity has as many items for each row as it has layouts.
export function chooseRow(row: RelationalRow | null): void {
  chosenRow.value = row;
  const own = stored.filter(({ entity }) => entity === row?.entity);
  const rows = design.peek()?.samples.filter(({ entity }) => entity === row?.entity).reduce((sum, sample) => sum + sample.rows.length, 0) ?? 0;
  const each = rows > 0 ? own.length / rows : 0;
  litKeys.value = row && Number.isInteger(each) ? own.slice(row.at * each, (row.at + 1) * each).map(({ item }) => keyText(item)) : [];
}

const decoder = computed(() => {
  const [table] = design.value?.tables ?? [];
  return design.value && table ? makeDecoder(design.value, table.name, ownKeys.value) : null;
});

// Each row says what it is, in the colour of its entity.
export function markOf(item: Item): RowMark | null {
  const now = decoder.value;
  if (!now) return null;
  const { name, colour } = now.typeOf(item);
  return { name, colour, problems: [], keyOf: (column) => now.templateOf(item, column), ...(design.value ? { of: design.value } : {}) };
}

const shownMax = 500; // Items of the live table.
let opened = '';
let sample = ''; // The table as it was loaded.

let back = returns.peek(); // A server that comes back may have lost the table.

// Brings the lesson's table into the engine if it is not there.
export async function openLesson(lesson: Lesson): Promise<void> {
  if (opened === lesson.id && state.peek() === 'ready' && back === returns.peek()) return;
  back = returns.peek();
  opened = lesson.id;
  state.value = 'loading';
  tableItems.value = [];
  try {
    const text = (await api.example(lesson.model)).source;
    await loadDesign(text);
    const [{ items }, { model }] = await Promise.all([api.tables(text), api.check(text)]);
    if (opened !== lesson.id) return;
    stored = items;
    design.value = model;
    light([]);
    sample = fingerprint(items.map(({ item }) => item));
    source.value = text;
    state.value = 'ready';
  } catch (error) {
    state.value = (error as Error).message;
  }
}

export async function reset(lesson: Lesson): Promise<void> {
  state.value = 'loading';
  try {
    await resetDesign(source.peek());
  } finally {
    state.value = 'ready';
  }
  if (opened !== lesson.id) state.value = 'loading';
}

export async function refreshItems(lesson: Lesson, index: string | undefined): Promise<void> {
  if (state.peek() !== 'ready') return;
  const table = await describeTable(lesson.table);
  const side = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index);
  const page = await call<Page>('Scan', { TableName: lesson.table, Limit: shownMax, ...(side ? { IndexName: index } : {}) });
  const names = [...new Set([...(side ? keyNames(side.KeySchema) : []), ...keyNames(table.KeySchema)])];
  const whole = side ? await call<Page>('Scan', { TableName: lesson.table, Limit: shownMax }) : page;
  if (opened !== lesson.id) return;
  touched.value = fingerprint(whole.Items ?? []) !== sample;
  keys.value = names;
  ownKeys.value = keyNames(table.KeySchema);
  tableItems.value = sortedByKey(page.Items ?? [], names);
}

// A Scan gives partitions in no order that means anything to people.
function sortedByKey(items: Item[], names: string[]): Item[] {
  const text = (item: Item) => names.map((name) => JSON.stringify(member(item, name) ?? '')).join();
  return [...items].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

// The same for the same items, whatever their order and that of their attributes.
export function fingerprint(items: Item[]): string {
  const ordered = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(ordered)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, ordered(part)]))
        : value;
  return items.map((item) => JSON.stringify(ordered(item))).sort().join('\n');
}
