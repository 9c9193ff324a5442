// A request that was sent becomes the draft that compiles to it.
import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/requests/draft.ts';
import { draftOf } from '../../../src/requests/from_request.ts';
import { compile } from '../../../src/requests/request.ts';

const pk = { name: 'PK', test: '=' as const, values: [{ S: 'a' }] };
const drafts: Draft[] = [
  { operation: 'Query', table: 'T', key: [pk] },
  { operation: 'Query', table: 'T', index: 'GSI1', key: [pk, { name: 'GSI1-SK', test: 'begins_with', values: [{ S: 'b, AND c' }] }], descending: true, limit: 3 },
  { operation: 'Query', table: 'T', key: [pk, { name: 'date', test: 'between', values: [{ N: '1' }, { N: '2' }] }], consistent: true },
  ...(['<', '<=', '>', '>='] as const).map((test): Draft => ({ operation: 'Query', table: 'T', key: [pk, { name: 'SK', test, values: [{ S: 'x' }] }] })),
  { operation: 'Scan', table: 'T', key: [] },
  { operation: 'GetItem', table: 'T', key: [pk, { name: 'SK', test: '=', values: [{ S: 'x' }] }], consistent: true },
  { operation: 'PutItem', table: 'T', key: [], item: { PK: { S: 'a' } } },
];

describe('the way back from a request', () => {
  it.each(drafts.map((draft) => [compile(draft).request, draft] as const))('%j', (request, draft) => expect(draftOf(draft.operation, request)).toEqual(draft));

  it('leaves what the form has no place for', () => {
    expect(draftOf('Query', { TableName: 'T', KeyConditionExpression: 'PK = :a', ExpressionAttributeValues: { ':a': { S: 'x' } }, FilterExpression: 'b = :a' })).toBeNull();
    expect(draftOf('Query', { TableName: 'T', KeyConditionExpression: 'PK = :missing', ExpressionAttributeValues: {} })).toBeNull();
    expect(draftOf('Query', { TableName: 'T', KeyConditionExpression: 'PK IN (:a)', ExpressionAttributeValues: { ':a': { S: 'x' } } })).toBeNull();
    expect(draftOf('TransactWriteItems', { TransactItems: [] })).toBeNull();
  });
});
