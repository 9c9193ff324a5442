// `prejoin studio --endpoint URL`: the tables are another server's. Requests go through our process, which signs them;
// what they cost is counted, and a Scan asks before it begins.
import { signal } from '@preact/signals';
import { reach } from './reach.ts';

export interface Remote {
  url: string;
  writes: boolean;
}

export const remote = signal<Remote | null>(null);
export const spent = signal({ reads: 0, writes: 0 }); // Units since the page was opened.

let asked: Promise<Remote | null> | null = null;

async function ask(): Promise<Remote | null> {
  const response = await reach('/remote');
  if (!response.ok) return null;
  const { url, writes } = (await response.json()) as { url: string | null; writes?: boolean };
  remote.value = url === null ? null : { url, writes: writes ?? false };
  return remote.value;
}

// Where requests go; null: to the server that the page comes from. Asked once, and again if it could not be asked.
export function whereTo(): Promise<Remote | null> {
  asked ??= ask().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

const priced = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems', 'ExecuteStatement']);
const writing = /^(Put|Update|Delete|BatchWrite|TransactWrite)/;

export const withUnits = (operation: string, request: Record<string, unknown>): Record<string, unknown> =>
  priced.has(operation) && request['ReturnConsumedCapacity'] === undefined ? { ...request, ReturnConsumedCapacity: 'TOTAL' } : request;

export function countUnits(operation: string, answer: Record<string, unknown>): void {
  const all = [answer['ConsumedCapacity'] ?? []].flat() as { CapacityUnits?: number }[];
  const units = all.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  if (units === 0) return;
  const { reads, writes } = spent.peek();
  spent.value = writing.test(operation) ? { reads, writes: writes + units } : { reads: reads + units, writes };
}

// --- Leave to scan.

export interface Wish {
  table: string;
  index: string | null;
  answer(allowed: boolean): void;
}

export const wish = signal<Wish | null>(null);
const allowed = new Map<string, Promise<boolean>>();

export class ScanRefused extends Error {
  constructor(table: string) {
    super(`${table} was not read: a Scan of another server’s table is only made when you say so.`);
  }
}

// Asks once for each table and index; a no is asked again the next time.
export async function leaveToScan(request: Record<string, unknown>): Promise<void> {
  const [table, index] = [String(request['TableName']), request['IndexName'] === undefined ? null : String(request['IndexName'])];
  const name = JSON.stringify([table, index]);
  let answer = allowed.get(name);
  if (!answer) {
    const before = [...allowed.values()];
    answer = Promise.allSettled(before).then(() => new Promise<boolean>((resolve) => (wish.value = { table, index, answer: resolve })));
    allowed.set(name, answer);
  }
  const yes = await answer;
  wish.value = null;
  if (yes) return;
  allowed.delete(name);
  throw new ScanRefused(table);
}
