// Brings a design into the engine: its tables, and the sample rows of those that are new.
// A table that is there already is left alone, because what it holds may be somebody's work.
import {
  call,
  describeTable,
  keyOf,
  listTables,
  type KeyElement,
  type Request,
} from '../api/dynamodb.ts';
import type { Item } from '../api/attribute_value.ts';
import { model as api } from '../api/model.ts';
import { plural } from '../parts/numbers.ts';

export interface Progress {
  text: string; // What happens now, for people.
  done: number;
  total: number;
}

export interface LoadReport {
  created: string[];
  skipped: string[]; // There already, untouched.
  items: number; // Written into the created tables.
}

export interface Put {
  table: string;
  item: Item;
}

type OnProgress = (progress: Progress) => void;

const madeUpRows = 60; // About, of all entities together.
const batchMax = 25; // Items of one BatchWriteItem.
const pollMs = 50;
const waitMs = 20_000;

const nameOf = (table: Request) => String(table['TableName']);

export async function loadDesign(source: string, onProgress: OnProgress = () => {}): Promise<LoadReport> {
  const [design, there] = await Promise.all([api.tables(source), listTables()]);
  const report: LoadReport = { created: [], skipped: [], items: 0 };
  for (const table of design.tables) {
    const name = nameOf(table);
    if (there.includes(name)) {
      report.skipped.push(name);
      continue;
    }
    onProgress({ text: `Creating ${name}`, done: 0, total: design.items.length });
    await call('CreateTable', table);
    await until(async () => (await describeTable(name)).TableStatus === 'ACTIVE', `${name} to be ready`);
    report.created.push(name);
  }
  const puts = design.items.filter((put) => report.created.includes(put.table));
  const keys = Object.fromEntries(
    design.tables.map((table) => [nameOf(table), table['KeySchema'] as KeyElement[]]),
  );
  for (const batch of batches(puts, keys)) {
    await write(batch);
    report.items += batch.length;
    onProgress({ text: 'Writing the sample', done: report.items, total: puts.length });
  }
  return report;
}

// Deletes the design's tables, whatever they hold, and loads the design again.
export async function resetDesign(source: string, onProgress: OnProgress = () => {}): Promise<LoadReport> {
  const [design, there] = await Promise.all([api.tables(source), listTables()]);
  for (const name of design.tables.map(nameOf).filter((table) => there.includes(table))) {
    onProgress({ text: `Deleting ${name}`, done: 0, total: design.items.length });
    await call('DeleteTable', { TableName: name });
    await until(async () => !(await listTables()).includes(name), `${name} to be gone`);
  }
  return loadDesign(source, onProgress);
}

// Rows that nobody wrote, for a design without a sample: into its tables that hold nothing, which are created if they are not there.
export async function makeUpRows(source: string, onProgress: OnProgress = () => {}): Promise<LoadReport> {
  const report = await loadDesign(source, onProgress);
  const { tables, items } = await api.tables(source, madeUpRows);
  const keys = Object.fromEntries(tables.map((table) => [nameOf(table), table['KeySchema'] as KeyElement[]]));
  const empty = new Set<string>(report.created);
  for (const name of report.skipped) {
    const { Count } = await call<{ Count: number }>('Scan', { TableName: name, Limit: 1 });
    if (Count === 0) empty.add(name);
  }
  const puts = items.filter(({ table }) => empty.has(table));
  report.items = 0;
  for (const batch of batches(puts, keys)) {
    await write(batch);
    report.items += batch.length;
    onProgress({ text: 'Writing made-up rows', done: report.items, total: puts.length });
  }
  return report;
}

// The report of a load, as one sentence or two.
export function describeReport(report: LoadReport): string {
  const parts: string[] = [];
  if (report.created.length > 0) {
    parts.push(`Created ${report.created.join(', ')} and wrote ${plural(report.items, 'item')}.`);
  }
  if (report.created.length === 0 && report.items > 0) return `Wrote ${plural(report.items, 'item')}.`;
  if (report.skipped.length > 0) {
    const were = report.skipped.length === 1 ? 'was' : 'were';
    parts.push(`${report.skipped.join(', ')} ${were} there already and ${were} left unchanged.`);
  }
  return parts.join(' ') || 'The design has no tables.';
}

// Groups for BatchWriteItem. A key may stand only once in a batch, so an item that replaces an
// earlier one begins a new batch.
export function batches(puts: Put[], keys: Record<string, KeyElement[]>): Put[][] {
  const all: Put[][] = [];
  let batch: Put[] = [];
  let seen = new Set<string>();
  for (const put of puts) {
    const key = JSON.stringify([put.table, keyOf(put.item, keys[put.table] ?? [])]);
    if (batch.length === batchMax || seen.has(key)) {
      all.push(batch);
      batch = [];
      seen = new Set();
    }
    batch.push(put);
    seen.add(key);
  }
  if (batch.length > 0) all.push(batch);
  return all;
}

async function write(puts: Put[]): Promise<void> {
  let requests: Record<string, unknown[]> = {};
  for (const { table, item } of puts) (requests[table] ??= []).push({ PutRequest: { Item: item } });
  await until(async () => {
    const answer = await call<{ UnprocessedItems?: Record<string, unknown[]> }>('BatchWriteItem', {
      RequestItems: requests,
    });
    requests = answer.UnprocessedItems ?? {};
    return Object.keys(requests).length === 0;
  }, 'the sample to be written');
}

async function until(done: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + waitMs;
  while (!(await done())) {
    if (Date.now() > end) throw new Error(`Waited too long for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
