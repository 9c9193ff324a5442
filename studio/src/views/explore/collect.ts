// Changes that wait, to be written together: all of them or none. Each keeps its condition that the item is still as it was
// read, so a transaction loses nobody's work either.
import { signal } from '@preact/signals';
import type { Item } from '../../api/attribute_value.ts';
import { call, DynamoDbError, type ConsumedCapacity, type Request } from '../../api/dynamodb.ts';
import { plural } from '../../parts/numbers.ts';
import type { GuardedWrite } from '../../requests/guarded_write.ts';

export interface Waiting {
  write: GuardedWrite;
  label: string; // "Put Education STUDENT#S1 / METADATA"
  item: string; // The table and the key: a transaction takes an item once.
}

export const collecting = signal(false);
export const collected = signal<Waiting[]>([]); // Of any table.
const transactionMost = 100;

const parts: Partial<Record<GuardedWrite['operation'], string>> = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' };

// Null, or why it cannot be part of the transaction. `keys` names the table's own.
export function collect(write: GuardedWrite, keys: string[]): string | null {
  const holder = (write.request['Key'] ?? write.request['Item']) as Item;
  const key = keys.map((name) => Object.values(holder[name] ?? {})[0]);
  const item = JSON.stringify([write.request['TableName'], key]);
  if (collected.peek().some((one) => one.item === item)) {
    return 'A transaction changes an item once, and this one waits already. Write what waits first, or throw it away.';
  }
  if (collected.peek().length >= transactionMost) return `A transaction takes ${transactionMost} changes. Write what waits first.`;
  collected.value = [...collected.peek(), { write, label: `${parts[write.operation]} ${write.request['TableName']} ${key.join(' / ')}`, item }];
  return null;
}

export function transactionOf(waiting: Waiting[]): Request {
  return { TransactItems: waiting.map(({ write: { operation, request: { ReturnValues: _, ...request } } }) => ({ [parts[operation]!]: request })) };
}

export interface Sent {
  said: string;
  reasons: string[]; // For each change why it stopped the transaction; empty if nothing did.
}

export async function sendCollected(): Promise<Sent> {
  const waiting = collected.peek();
  try {
    const { ConsumedCapacity = [] } = await call<{ ConsumedCapacity?: ConsumedCapacity[] }>('TransactWriteItems', { ...transactionOf(waiting), ReturnConsumedCapacity: 'TOTAL' });
    collected.value = [];
    const units = ConsumedCapacity.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
    return { said: `Wrote ${plural(waiting.length, 'change')} as one transaction for ${plural(units, 'write unit')}.`, reasons: [] };
  } catch (error) {
    const reasons = error instanceof DynamoDbError ? ((error.body['CancellationReasons'] ?? []) as { Code?: string; Message?: string }[]) : [];
    const why = reasons.flatMap(({ Code, Message }, at) => {
      if (!Code || Code === 'None') return [];
      return [`${waiting[at]!.label}: ${Code === 'ConditionalCheckFailed' ? 'somebody changed it meanwhile' : (Message ?? Code)}`];
    });
    return { said: why.length > 0 ? 'Nothing was written.' : (error as Error).message, reasons: why };
  }
}
