// The state of the Items view: which table and side, which item is selected, which pattern is lit. The
// address bar holds the choices; this file turns them into data.
import { computed, effect, signal } from '@preact/signals';
import { member, type AttributeValue, type Item } from '../../api/attribute_value.ts';
import { describeTable, DynamoDbError, listTables } from '../../api/dynamodb.ts';
import { remote } from '../../api/remote.ts';
import { lostSince, returns, Unreachable } from '../../api/reach.ts';
import { model as api, type PlainValue, type Trace } from '../../api/model.ts';
import { route, setQuery } from '../../app/route.ts';
import { makeDecoder } from '../../design/decode.ts';
import { driftOf } from '../../design/drift.ts';
import { model, plan, source } from '../../design/design.ts';
import { fallOfChanges, fallOfWrite, type Fall } from '../../design/fan_out.ts';
import { cost, scale, scaledCost } from '../../design/figures.ts';
import { growthOf, type Growth } from '../../design/growth.ts';
import { sentence, type SideChange } from './changes.ts';
import { idParts, rowId, type Collection, type Place } from './side.ts';
import { caughtUpMax, itemsMax, TableData } from './table_data.ts';
import { marksOf, sameElsewhere, traceSteps, type TraceStep } from './trace_steps.ts';

// Smaller tables load all their sides at once, so that a pivot never waits.
const allSidesItems = 20_000;
// A table up to here is read again to see what others wrote.
const followedItems = 2_000;
const followMs = 1_500;

export interface Say {
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

export const tables = signal<string[] | null>(null); // Null: not asked yet.
export const data = signal<TableData | null>(null);
export const said = signal<Say | null>(null);
export const lagMs = signal(0);

// The effect of a write on each side, until the next action; and the write of the model that is open.
export const fall = signal<Fall | null>(null);
export const openedWrite = signal<string | null>(null);

// The write that was made last, or the open one as the cost model expects it.
export const shownFall = computed(() => {
  const write = model.value?.writes.find(({ name }) => name === openedWrite.value);
  if (fall.value || !write) return fall.value;
  const priced = cost.value.value;
  return priced && model.value ? fallOfWrite(model.value, priced, write) : null;
});

export function openWrite(name: string | null): void {
  openedWrite.value = name;
  fall.value = null;
}

export const say = (text: string, tone: Say['tone'] = 'plain') => (said.value = { text, tone });

// A refusal is of interest until the next action.
function endRefusal(): void {
  if (said.peek()?.tone === 'bad') said.value = null;
}

// Requests that were under way when the table or the view changed are no trouble.
function sayTrouble(error: Error): void {
  if (error.name !== 'AbortError' && !(error instanceof Unreachable)) say(error.message, 'bad');
}

const query = computed(() => route.value.query);

export const designTables = computed(() => model.value?.tables.map((table) => table.name) ?? []);

export const missing = computed(() =>
  tables.value === null ? [] : designTables.value.filter((name) => !tables.value!.includes(name)),
);

export const tableName = computed(() => {
  const there = tables.value;
  if (there === null) return null;
  const wanted = query.value['table'];
  if (wanted !== undefined && there.includes(wanted)) return wanted;
  // Without a model that can be read, a table would be anybody's: the page says so instead.
  if (!model.value || missing.value.length > 0) return null;
  return designTables.value[0] ?? there[0] ?? null;
});

export const indexName = computed(() => {
  const wanted = query.value['index'];
  return wanted !== undefined && data.value?.indexNames.includes(wanted) ? wanted : null;
});

export const split = computed(() => query.value['split'] === '1' && (data.value?.indexNames.length ?? 0) > 0);

export const decoder = computed(() =>
  makeDecoder(model.value, data.value?.name ?? '', data.value?.tableKeys ?? []),
);

// What the design says of an item that somebody edits.
export function notesOn(item: Item): string[] {
  const table = data.peek()?.name ?? '';
  const known = model.peek();
  return known?.tables.some(({ name }) => name === table) ? driftOf(known, table, decoder.peek(), item) : [];
}

// --- The table.

export async function refreshTables(): Promise<void> {
  tables.value = await listTables();
}

let opened: { name: string; reload: number } | null = null;
export const reload = signal(0);

async function openTable(name: string | null, count: number): Promise<void> {
  if (opened && opened.name === name && opened.reload === count) return;
  data.peek()?.close();
  // A message is about the table that was open; a first one may say that it was just created.
  if (opened && opened.name !== name) {
    said.value = null;
    fall.value = null;
  }
  opened = name === null ? null : { name, reload: count };
  if (name === null) {
    data.value = null;
    return;
  }
  staleSince.value = null;
  const most = Number(query.peek()['most']);
  const description = await describeTable(name).catch((error: Error) => {
    // Its items went with it, as when the server came back without them.
    if (error instanceof DynamoDbError && opened?.name === name && opened.reload === count) data.value = null;
    throw error;
  });
  const next = new TableData(description, most >= 1 ? Math.min(most, itemsMax) : itemsMax);
  if (opened?.name !== name || opened.reload !== count) return;
  next.onArrival = (change) => say(`After the lag: ${sentence(change, next.keys(change.index))}`, 'good');
  const loaded = next.load(null);
  data.value = next;
  await loaded;
  // A run that ended while the table came could not know that a part of it would not come.
  await bringRead(run.peek()?.steps ?? []);
  // Another server's indexes are read when they are looked at: each costs.
  if (remote.peek() || (next.side(null)?.count ?? 0) > allSidesItems) return;
  for (const index of next.indexNames) await next.load(index);
}

// --- The selected item.

export const selected = signal<string | null>(null);
export const selectedItem = signal<Item | null>(null); // The whole item, or as much as one side has.
export const wish = signal(0); // See PaneProps.
export const editor = signal<'form' | 'json' | null>(null); // How the selected item is being edited.
let written = '';
let writing: ReturnType<typeof setTimeout> | undefined;

// Only the last of many quick steps goes into the address bar: browsers refuse more than a few
// changes in a second.
export function select(id: string, item: Item, options: { show?: boolean } = {}): void {
  endRefusal();
  selected.value = id;
  selectedItem.value = wholeItem(id, item);
  if (options.show ?? true) wish.value += 1;
  const { partition, sort } = idParts(id);
  written = id;
  clearTimeout(writing);
  writing = setTimeout(() => setQuery({ pk: partition, sk: sort }, { replace: true }), 200);
}

function forget(): void {
  selected.value = null;
  selectedItem.value = null;
  written = '';
  clearTimeout(writing);
}

export function unselect(): void {
  forget();
  setQuery({ pk: undefined, sk: undefined }, { replace: true });
}

// An index may keep only some attributes; the table has them all.
function wholeItem(id: string, item: Item): Item {
  const base = data.peek()?.side(null);
  const place = base?.find(id, item);
  return base && place ? (JSON.parse(base.rowAt(place)!.json) as Item) : item;
}

// An address with a key selects its item as soon as the table is there.
function followAddress(): void {
  const { pk, sk } = query.value as { pk?: string; sk?: string };
  const table = data.value;
  if (!table || table.progress.value || pk === undefined) return;
  void table.version.value;
  const id = `${pk.length}:${pk}${sk ?? ''}`;
  if (id === written) return;
  const base = table.side(null);
  const number = base?.findCollection(pk);
  const row = number === null || number === undefined ? undefined : base?.collections[number]?.rows.find((one) => one.id === id);
  if (!row && table.cut.value) {
    const { partition, partitionTypes } = table.keys(null);
    void table.loadCollection(null, { [partition[0]!]: { [partitionTypes[0]!]: pk } as unknown as AttributeValue }).catch(sayTrouble);
  }
  if (!row) return;
  written = id;
  selected.value = id;
  selectedItem.value = JSON.parse(row.json) as Item;
  wish.value += 1;
}

// --- The pattern that is lit.

export interface PatternRun {
  pattern: string;
  parameters: Record<string, PlainValue>;
  trace: Trace | null;
  steps: TraceStep[];
  error: string | null;
  running: boolean;
  asks: string[]; // Parameters without a value: it waits for them.
}

export const run = signal<PatternRun | null>(null);
export const runAgain = signal(0);

export const patternName = computed(() => query.value['pattern'] ?? null);

// `p.course=C1` in the address; numbers by the type that the plan gives.
export const parameters = computed(() => {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(query.value)) {
    if (name.startsWith('p.')) texts[name.slice(2)] = value;
  }
  return texts;
});

export const stepNumber = computed(() => {
  const count = run.value?.steps.length ?? 0;
  const wanted = Number(query.value['step'] ?? 1);
  return count === 0 ? 0 : Math.min(Math.max(1, Number.isInteger(wanted) ? wanted : 1), count);
});

export const marks = computed(() => {
  const now = run.value;
  const table = data.value;
  if (!now || !table || stepNumber.value === 0) return null;
  const step = now.steps[stepNumber.value - 1]!;
  if (step.table !== table.name) return null;
  const rows = marksOf(now.steps, stepNumber.value - 1, table.tableKeys);
  return { index: step.index, rows, elsewhere: sameElsewhere(rows) };
});

let runKey = '';
let shownKey = ''; // Of the run whose step was brought into sight: a repeated run moves nothing.

async function followPattern(): Promise<void> {
  const name = patternName.value;
  const texts = parameters.value;
  const text = source.value;
  const known = plan.value?.patterns.find((pattern) => pattern.name === name);
  const key = JSON.stringify([name, texts, text, runAgain.value, tables.value, known?.served]);
  if (name === null) {
    run.value = null;
    runKey = key;
    shownKey = '';
    return;
  }
  if (!known || tables.value === null || missing.value.length > 0 || key === runKey) return;
  runKey = key;
  const chosen = typed(known.parameters, texts);
  const idle: PatternRun = { pattern: name, parameters: chosen, trace: null, steps: [], error: null, running: false, asks: [] };
  const asks = known.parameters.map((one) => one.name).filter((one) => chosen[one] === undefined);
  if (!known.served || asks.length > 0) {
    run.value = { ...idle, asks: known.served ? asks : [] };
    return;
  }
  const again = run.peek()?.pattern === name;
  run.value = again
    ? { ...run.peek()!, parameters: chosen, running: true, asks: [] }
    : { ...idle, running: true };
  try {
    const trace = await api.run(text, name, chosen);
    if (key !== runKey) return;
    const steps = traceSteps(trace);
    run.value = { ...idle, trace, steps };
    await bringRead(steps);
    if (key !== runKey) return;
    const wanted = JSON.stringify([name, texts]);
    if (wanted !== shownKey) showStep(stepNumber.peek(), { replace: true });
    shownKey = wanted;
  } catch (error) {
    if (key === runKey) {
      run.value = { ...idle, error: (error as Error).message };
    }
  }
}

const broughtMost = 20; // Collections that one run may add to a table that was cut.

// A pattern reads wherever it wants: what it read must be there to light up.
async function bringRead(steps: TraceStep[]): Promise<void> {
  const table = data.peek();
  if (!table?.cut.peek()) return;
  let brought = 0;
  for (const { index, read, table: name } of steps) {
    const side = name === table.name ? table.side(index) : null;
    for (const item of side ? read : []) {
      if (side!.find(rowId(item, table.tableKeys), item) || brought >= broughtMost) continue;
      brought += 1;
      await table.loadCollection(index, item);
    }
  }
}

function typed(known: { name: string; type: string }[], texts: Record<string, string>): Record<string, PlainValue> {
  const values: Record<string, PlainValue> = {};
  for (const { name, type } of known) {
    const text = member(texts, name);
    if (text === undefined || text === '') continue;
    if (type === 'number' && String(Number(text)) === text) values[name] = Number(text);
    else if (type === 'bool') values[name] = text === 'true';
    else values[name] = text;
  }
  return values;
}

// The row that a side should show: the selected one, else the first that the step reads.
export function targetOn(index: string | null): Place | null {
  const side = data.value?.side(index);
  if (!side) return null;
  if (selected.value !== null && selectedItem.value) return side.find(selected.value, selectedItem.value);
  const step = run.value?.steps[stepNumber.value - 1];
  if (!step || step.index !== index || step.table !== data.value!.name) return null;
  const places = [step.read[0], step.read[step.read.length - 1]]
    .map((item) => (item ? side.find(rowId(item, side.keys.table), item) : null))
    .filter((place) => place !== null);
  return places.sort((a, b) => a.collection - b.collection || a.row - b.row)[0] ?? null;
}

// Turns to the side that the step reads and brings its first row into sight.
export function showStep(number: number, options: { replace?: boolean } = {}): void {
  const step = run.peek()?.steps[number - 1];
  if (!step) return;
  forget();
  setQuery({ pk: undefined, sk: undefined, step: number > 1 ? String(number) : undefined, table: step.table, index: step.index ?? undefined }, options);
  wish.value += 1;
}

export function choosePattern(name: string, chosen: Record<string, PlainValue>): void {
  fall.value = null;
  if (said.peek()?.tone === 'good') said.value = null; // It spoke of what was done before.
  const changes: Record<string, string | undefined> = { pattern: name, step: undefined, pk: undefined, sk: undefined };
  for (const old of Object.keys(parameters.peek())) changes[`p.${old}`] = undefined;
  for (const [parameter, value] of Object.entries(chosen)) changes[`p.${parameter}`] = String(value);
  forget();
  endRefusal();
  setQuery(changes);
}

export function closePattern(): void {
  const changes: Record<string, undefined> = { pattern: undefined, step: undefined };
  for (const old of Object.keys(parameters.peek())) changes[`p.${old}`] = undefined;
  setQuery(changes);
}

// --- The scale of the page.

const growths = computed(() => {
  const priced = scale.value > 1 ? scaledCost.value.value : null;
  const table = data.value;
  if (!priced || !table || !designTables.value.includes(table.name)) return null;
  const read = decoder.value;
  const on = (index: string | null) => {
    const view = index === null ? table.name : `${table.name}.${index}`;
    const known = new Map<string, Growth | null>();
    return (collection: Collection): Growth | null => {
      const name = collection.partition;
      if (!known.has(name)) {
        const first = read.typeOf(JSON.parse(collection.rows[0]!.json) as Item).name;
        known.set(name, growthOf(priced, view, name, first));
      }
      return known.get(name)!;
    };
  };
  return new Map([null, ...table.indexNames].map((index) => [index, on(index)]));
});

// The collections of a side at the scale of the page; the same function as long as nothing changes.
export const growthOn = (index: string | null) => growths.value?.get(index) ?? null;

// --- After a write.

export function sayChanges(what: string, changes: SideChange[]): void {
  const table = data.peek();
  if (!table) return;
  const parts = changes.map((change) => {
    const text = sentence(change, table.keys(change.index));
    const waits = table.pending.peek().some((one) => one.change === change);
    return waits ? text.replace(': ', ', after the lag: ') : text;
  });
  say([what, ...parts].join(' '), 'good');
  const first = changes.find((change) => change.after);
  if (first?.after) select(rowId(first.after, table.tableKeys), first.after);
  runAgain.value += 1;
}

// --- What others write.

export const staleSince = signal<number | null>(null); // A large table has changed; what is shown is from before.

// Asks from time to time whether another program has written. A small table is read again, and what changed is shown as such;
// of a large one only the counts are asked for, and the page says when they have moved.
function followTable(): () => void {
  let asking = false;
  const look = async () => {
    const table = data.peek();
    if (remote.peek() || asking || !table || table.progress.peek() || document.visibilityState === 'hidden' || lostSince.peek() !== null) return;
    asking = true;
    try {
      if ((table.side(null)?.count ?? 0) > followedItems) {
        const { ItemCount, TableSizeBytes } = await describeTable(table.name);
        const moved = ItemCount !== table.description.ItemCount || TableSizeBytes !== table.description.TableSizeBytes;
        if (data.peek() === table) staleSince.value = moved ? (staleSince.peek() ?? Date.now()) : null;
        return;
      }
      const found = await table.catchUp(lagMs.peek());
      if (found === null || data.peek() !== table) return;
      const changes = found.count;
      if (changes > caughtUpMax) reload.value += 1;
      else if (changes > 0) {
        runAgain.value += 1;
        fall.value = fallOfChanges(changes === 1 ? 'A write by another program' : `${changes} writes by another program`, found.changes, null);
        say(`Another program changed ${changes === 1 ? '1 item' : `${changes} items`}: shown, and read again.`);
      }
    } catch (error) {
      sayTrouble(error as Error);
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(() => void look(), followMs);
  return () => clearInterval(timer);
}

// Starts following the address; the answer ends it. For the view's lifetime.
export function startState(): () => void {
  said.value = null; // Of an earlier visit.
  let back = returns.peek();
  const ends = [
    effect(() => {
      const again = returns.value !== back;
      back = returns.value;
      refreshTables().catch(sayTrouble);
      if (again) reload.value = reload.peek() + 1;
    }),
    followTable(),
    effect(() => void openTable(tableName.value, reload.value).catch(sayTrouble)),
    effect(() => {
      const table = data.value;
      const index = indexName.value ?? (split.value ? table?.indexNames[0] : null);
      if (table && index) void table.load(index).catch(sayTrouble);
    }),
    effect(followAddress),
    effect(() => void followPattern()),
  ];
  return () => ends.forEach((end) => end());
}
