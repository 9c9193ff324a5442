// Several requests as one: a batch, which is one trip to the server, or a transaction, which is all or nothing.
import type { Request } from '../api/dynamodb.ts';
import { isRead, type Draft } from './draft.ts';
import { compile } from './request.ts';

export type Form = 'BatchGetItem' | 'TransactGetItems' | 'BatchWriteItem' | 'TransactWriteItems';

export const isTogether = (operation: string): operation is Form => /^(BatchGetItem|TransactGetItems|BatchWriteItem|TransactWriteItems)$/.test(operation);

export interface Together {
  operation: Form;
  request: Request;
  drafts: Draft[]; // What it is made of.
}

// The forms in which `drafts` can go as one request, the usual form first; or why none can.
export function formsFor(drafts: Draft[]): { forms: Form[]; why: string } {
  if (drafts.length === 0) return { forms: [], why: '' };
  const reads = drafts.filter(({ operation }) => operation === 'GetItem').length;
  if (drafts.some(({ operation }) => operation === 'Query' || operation === 'Scan')) return { forms: [], why: 'A Query or a Scan cannot be combined with other requests.' };
  if (reads === drafts.length) return { forms: ['BatchGetItem', 'TransactGetItems'], why: '' };
  if (reads > 0) return { forms: [], why: 'Reads and writes cannot go in one request.' };
  const plain = drafts.every(({ operation, condition }) => operation !== 'UpdateItem' && !condition);
  return plain
    ? { forms: ['TransactWriteItems', 'BatchWriteItem'], why: '' }
    : { forms: ['TransactWriteItems'], why: 'A batch knows no updates and no conditions, so it is a transaction.' };
}

export const canJoin = (draft: Draft) => !isRead(draft.operation) || draft.operation === 'GetItem';

export function combine(drafts: Draft[], form: Form): Together {
  const parts = drafts.map((draft) => ({ draft, request: compile(draft).request }));
  const of = (pick: (request: Request, draft: Draft) => Request) => parts.map(({ draft, request }) => pick(request, draft));
  if (form === 'TransactGetItems') {
    return { operation: form, drafts, request: { TransactItems: of(({ ConsistentRead: _, ...get }) => ({ Get: get })) } };
  }
  if (form === 'TransactWriteItems') {
    const kinds: Record<string, string> = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' };
    return { operation: form, drafts, request: { TransactItems: of(({ ReturnValues: _, ...write }, { operation }) => ({ [kinds[operation]!]: write })) } };
  }
  const tables = [...new Set(drafts.map(({ table }) => table))];
  const own = (table: string) => parts.filter(({ draft }) => draft.table === table);
  if (form === 'BatchWriteItem') {
    const writes = (table: string) =>
      own(table).map(({ draft, request }) => (draft.operation === 'PutItem' ? { PutRequest: { Item: request['Item'] } } : { DeleteRequest: { Key: request['Key'] } }));
    return { operation: form, drafts, request: { RequestItems: Object.fromEntries(tables.map((table) => [table, writes(table)])) } };
  }
  const keys = (table: string) => ({
    Keys: own(table).map(({ request }) => request['Key']),
    ...(own(table).some(({ draft }) => draft.consistent) ? { ConsistentRead: true } : {}),
  });
  return { operation: form, drafts, request: { RequestItems: Object.fromEntries(tables.map((table) => [table, keys(table)])) } };
}
