// Several items by their keys in one request: a batch, which is one trip, or a transaction, which sees one moment.
import { signal } from '@preact/signals';
import type { Item } from '../../api/attribute_value.ts';
import { call, type ConsumedCapacity, type Page, type Request } from '../../api/dynamodb.ts';
import type { Draft, KeyTest } from '../../requests/draft.ts';
import { combine, type Together } from '../../requests/together.ts';
import type { TableSchema } from '../../requests/schema.ts';

export type SeveralForm = 'BatchGetItem' | 'TransactGetItems';
export const severalForms: readonly SeveralForm[] = ['BatchGetItem', 'TransactGetItems'];
export const isSeveral = (mode: string): mode is SeveralForm => (severalForms as readonly string[]).includes(mode);
export const severalMost: Record<SeveralForm, number> = { BatchGetItem: 100, TransactGetItems: 100 };

// The keys that are asked for, one list of key attributes each.
export const wantedKeys = signal<KeyTest[][]>([]);

export const getOf = (table: string, key: KeyTest[]): Draft => ({ operation: 'GetItem', table, key });

const keyOfItem = (table: TableSchema, item: Item): KeyTest[] => table.keys.map(({ name }) => ({ name, test: '=', values: [item[name]!] }));

// Begins with the first two items that are there.
export function beginSeveral(table: TableSchema, samples: Item[]): void {
  wantedKeys.value = samples.slice(0, 2).map((item) => keyOfItem(table, item));
}

export const severalRequest = (table: string, form: SeveralForm): Together => combine(wantedKeys.peek().map((key) => getOf(table, key)), form);

interface SeveralAnswer {
  Responses?: Record<string, Item[]> | { Item?: Item }[];
  ConsumedCapacity?: ConsumedCapacity[];
  UnprocessedKeys?: Record<string, unknown>;
}

// The answer in the form of one page. What a batch has left over is asked for again.
export async function askSeveral(operation: string, request: Request, signal: AbortSignal): Promise<Page> {
  const items: Item[] = [];
  let units = 0;
  let rest: Request | null = request;
  while (rest) {
    const answer: SeveralAnswer = await call<SeveralAnswer>(operation, rest, signal);
    items.push(...(Array.isArray(answer.Responses) ? answer.Responses.flatMap(({ Item }) => (Item ? [Item] : [])) : Object.values(answer.Responses ?? {}).flat()));
    units += (answer.ConsumedCapacity ?? []).reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
    const left: Record<string, unknown> = answer.UnprocessedKeys ?? {};
    rest = Object.keys(left).length > 0 ? { ...request, RequestItems: left } : null;
  }
  return { Items: items, Count: items.length, ScannedCount: items.length, ConsumedCapacity: { TableName: '', CapacityUnits: units } };
}
