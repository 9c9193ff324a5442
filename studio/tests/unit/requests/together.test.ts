import { expect, test } from 'vitest';
import type { Draft } from '../../../src/requests/draft.ts';
import { combine, formsFor } from '../../../src/requests/together.ts';

const key = (value: string) => [{ name: 'PK', test: '=' as const, values: [{ S: value }] }];
const get = (value: string, table = 'T'): Draft => ({ operation: 'GetItem', table, key: key(value) });
const remove: Draft = { operation: 'DeleteItem', table: 'T', key: key('a') };
const put: Draft = { operation: 'PutItem', table: 'T', key: [], item: { PK: { S: 'b' }, on: { BOOL: true } } };
const guarded: Draft = { ...put, condition: { join: 'AND', parts: [{ left: { path: ['PK'] }, test: 'attribute_not_exists', right: [] }] } };

test('which forms there are follows from the parts', () => {
  expect(formsFor([get('a'), get('b')]).forms).toEqual(['BatchGetItem', 'TransactGetItems']);
  expect(formsFor([put, remove]).forms).toEqual(['TransactWriteItems', 'BatchWriteItem']);
  expect(formsFor([guarded, remove]).forms).toEqual(['TransactWriteItems']);
  expect(formsFor([get('a'), put]).forms).toEqual([]);
  expect(formsFor([]).forms).toEqual([]);
});

test('each form is the request that the API takes', () => {
  expect(combine([get('a'), get('b', 'U'), get('c')], 'BatchGetItem').request).toEqual({
    RequestItems: { T: { Keys: [{ PK: { S: 'a' } }, { PK: { S: 'c' } }] }, U: { Keys: [{ PK: { S: 'b' } }] } },
  });
  expect(combine([get('a')], 'TransactGetItems').request).toEqual({ TransactItems: [{ Get: { TableName: 'T', Key: { PK: { S: 'a' } } } }] });
  expect(combine([put, remove], 'BatchWriteItem').request).toEqual({
    RequestItems: { T: [{ PutRequest: { Item: put.item } }, { DeleteRequest: { Key: { PK: { S: 'a' } } } }] },
  });
  expect(combine([guarded], 'TransactWriteItems').request).toMatchObject({ TransactItems: [{ Put: { TableName: 'T', ConditionExpression: expect.stringContaining('attribute_not_exists') } }] });
});

