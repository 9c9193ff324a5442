// The request being built, what is known of its table, and what follows from both.
import { computed, effect, signal } from '@preact/signals';
import { member, type Item } from '../../api/attribute_value.ts';
import { call, describeTable, DynamoDbError, listTables, type Page } from '../../api/dynamodb.ts';
import { returns } from '../../api/reach.ts';
import { route } from '../../app/route.ts';
import { missing, model, openName, trouble, unread } from '../../design/design.ts';
import { hasWholeKey, isRead, type Draft, type KeyTest } from '../../requests/draft.ts';
import { problemsOf } from '../../requests/legal.ts';
import { unpackDraft } from '../../requests/link.ts';
import { linkedDraft } from '../../requests/linked_draft.ts';
import { compile, type Compiled } from '../../requests/request.ts';
import { fieldsOfItems, fromDescription, fromModel, keysFor, merged, type TableSchema } from '../../requests/schema.ts';

const linked = linkedDraft('build', { operation: 'Query', table: '', key: [] });
export const { draft, change, behind } = linked;
export const storedTables = signal<string[]>([]);
const listed = signal(false); // Whether the server has said which tables it stores.
export const schema = signal<TableSchema | undefined>(undefined);
export const samples = signal<Item[]>([]); // A few items of the table, to offer what they hold.
export const linkTrouble = signal('');

export const tableNames = computed(() => [
  ...new Set([...(model.value?.tables.map(({ name }) => name) ?? []), ...storedTables.value]),
]);
export const problems = computed(() => problemsOf(draft.value, schema.value));
export const mistakes = computed(() => problems.value.filter(({ warning }) => !warning));
export const compiled = computed(() => compile(draft.value));

const runDelay = 200;

async function readLink(word: string): Promise<void> {
  linked.take(word);
  try {
    draft.value = await unpackDraft(word);
    linkTrouble.value = '';
  } catch (error) {
    linkTrouble.value = (error as Error).message;
  }
}

// The key attributes of the table or index, each with a value that is really there if one is known.
export function emptyKey(table: TableSchema, draftNow: Draft): KeyTest[] {
  const whole = hasWholeKey(draftNow.operation);
  const keys = whole ? table.keys : keysFor(table, draftNow.index).filter(({ kind }) => kind === 'HASH');
  const all = whole ? table.keys : keysFor(table, draftNow.index);
  const found = samples.peek().find((item) => all.every(({ name }) => member(item, name)));
  return keys.map(({ name, type }) => ({
    name, test: '=', values: [member(found, name) ?? (type === 'N' ? { N: '0' } : type === 'B' ? { B: '' } : { S: '' })],
  }));
}

export async function refreshTables(): Promise<void> {
  storedTables.value = await listTables();
  listed.value = true;
}

let wanted = '';
export async function refreshSchema(): Promise<void> {
  const { table } = draft.peek();
  const design = model.peek();
  wanted = table;
  const modelled = design?.tables.find(({ name }) => name === table);
  const fromDesign = design && modelled ? fromModel(design, modelled) : undefined;
  let found = fromDesign;
  let items: Item[] = [];
  if (table !== '' && (!listed.peek() || storedTables.peek().includes(table))) {
    try {
      found = merged(fromDescription(await describeTable(table)), fromDesign);
      items = (await call<Page>('Scan', { TableName: table, Limit: 50 })).Items ?? [];
    } catch (error) {
      if (!(error instanceof DynamoDbError)) throw error;
    }
  }
  if (wanted !== table) return; // Another table was chosen meanwhile.
  samples.value = items;
  if (found && found.fields.length === 0) found = { ...found, fields: fieldsOfItems(items) };
  schema.value = found;
  if (!found) return;
  // Not by `change`: what nobody chose need not be in the address.
  const fitting = completed(draft.peek(), found, items);
  if (fitting !== draft.peek()) draft.value = fitting;
}

// The draft with every key field that its operation needs. An operation may have been chosen, or a link opened, before anything
// was known of the table. Where nothing was filled in yet, an item that is there gives the values.
export function completed(now: Draft, table: TableSchema, items: Item[]): Draft {
  const { operation, key } = now;
  if (operation === 'Scan') return now;
  if (operation === 'PutItem') return Object.keys(now.item ?? {}).length > 0 || !items[0] ? now : { ...now, item: items[0] };
  const whole = hasWholeKey(operation);
  const names = (whole ? table.keys : keysFor(table, now.index)).map(({ name }) => name);
  const blank = key.every(({ values }) => values.every((value) => 'S' in value && value.S === ''));
  const foreign = key.some(({ name }) => !names.includes(name));
  if (key.length === 0 || foreign || (blank && items.length > 0)) return { ...now, key: emptyKey(table, now) };
  const lacking = whole ? emptyKey(table, now).filter(({ name }) => !key.some((one) => one.name === name)) : [];
  return lacking.length === 0 ? now : { ...now, key: [...key, ...lacking] };
}

// The table to begin with: of the design's tables the first that the server has.
export function firstTable(designed: string[], stored: string[]): string | undefined {
  return designed.find((name) => stored.includes(name)) ?? designed[0] ?? stored[0];
}

export type Outcome =
  | { state: 'idle' | 'running' }
  | { state: 'done'; answer: Page & { Item?: Item; Attributes?: Item }; milliseconds: number; sent: Compiled }
  // `stored` is the item that a condition met; null if there is none with this key.
  | { state: 'failed'; code: string; message: string; sent: Compiled; stored?: Item | null };

export const outcome = signal<Outcome>({ state: 'idle' });

let running: AbortController | null = null;
export async function run(): Promise<void> {
  running?.abort();
  const controller = new AbortController();
  running = controller;
  const sent = compiled.peek();
  const begin = performance.now();
  try {
    const answer = await call<Page & { Item?: Item; Attributes?: Item }>(
      sent.operation,
      { ...sent.request, ReturnConsumedCapacity: 'TOTAL', ...('ConditionExpression' in sent.request ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}) },
      controller.signal,
    );
    outcome.value = { state: 'done', answer, milliseconds: performance.now() - begin, sent };
    if (!isRead(sent.operation)) void refreshSchema();
  } catch (error) {
    if (controller.signal.aborted) return;
    const code = error instanceof DynamoDbError ? error.code : 'The server cannot be reached';
    const refused = error instanceof DynamoDbError && code === 'ConditionalCheckFailedException';
    outcome.value = {
      state: 'failed', code, message: (error as Error).message, sent,
      ...(refused ? { stored: (error.body['Item'] as Item | undefined) ?? null } : {}),
    };
  }
}

// The next page of the answer, behind the one that is shown.
export async function readOn(): Promise<void> {
  const now = outcome.peek();
  if (now.state !== 'done' || !now.answer.LastEvaluatedKey) return;
  const begin = performance.now();
  const { operation, request } = now.sent;
  try {
    const next = await call<Page>(operation, { ...request, ExclusiveStartKey: now.answer.LastEvaluatedKey, ReturnConsumedCapacity: 'TOTAL' });
    if (outcome.peek() !== now) return;
    const { LastEvaluatedKey: _, ...before } = now.answer;
    const capacity = next.ConsumedCapacity && {
      ...next.ConsumedCapacity,
      CapacityUnits: next.ConsumedCapacity.CapacityUnits + (before.ConsumedCapacity?.CapacityUnits ?? 0),
    };
    const answer = {
      ...before,
      ...next,
      Items: [...(before.Items ?? []), ...(next.Items ?? [])],
      Count: (before.Count ?? 0) + (next.Count ?? 0),
      ScannedCount: (before.ScannedCount ?? 0) + (next.ScannedCount ?? 0),
      ...(capacity ? { ConsumedCapacity: capacity } : {}),
    };
    outcome.value = { ...now, answer, milliseconds: now.milliseconds + performance.now() - begin };
  } catch (error) {
    const code = error instanceof DynamoDbError ? error.code : 'The server cannot be reached';
    outcome.value = { state: 'failed', code, message: (error as Error).message, sent: now.sent };
  }
}

let runTimer: ReturnType<typeof setTimeout> | undefined;

// Follows the address, the design and the draft. Gives back what ends it.
export function startBuilder(): () => void {
  const ends = [
    effect(() => {
      void returns.value;
      refreshTables().catch(() => {}); // The frame says that the server is gone.
    }),
    effect(() => {
      const word = route.value.query['q'];
      if (route.value.view === 'build' && word !== undefined && !linked.isOwn(word)) void readLink(word);
    }),
    effect(() => {
      void openName.value;
      linked.forget(); // The request of the design before must not come back into the address.
    }),
    effect(() => {
      // Another design is open, or none was before: begin with its table, unless the address names a request.
      if (!listed.value || (model.value === null && !unread.value && missing.value === null && trouble.value === null)) return;
      const designed = model.value?.tables.map(({ name }) => name) ?? [];
      const first = firstTable(designed, storedTables.value);
      const known = designed.length > 0 ? designed : storedTables.value;
      const { table, operation } = draft.peek();
      const mayChange = route.peek().query['q'] === undefined || table === ''; // No request without a table is worth keeping.
      if (mayChange && first !== undefined && !known.includes(table)) {
        draft.value = { operation: table === '' ? operation : 'Query', table: first, key: [] };
      }
    }),
    effect(() => {
      void [draft.value.table, model.value, storedTables.value];
      void refreshSchema();
    }),
    effect(() => {
      const ready = isRead(draft.value.operation) && mistakes.value.length === 0 && schema.value?.stored;
      void compiled.value;
      clearTimeout(runTimer);
      outcome.value = { state: ready ? 'running' : 'idle' };
      if (ready) runTimer = setTimeout(() => void run(), runDelay);
    }),
  ];
  return () => ends.forEach((end) => end());
}
