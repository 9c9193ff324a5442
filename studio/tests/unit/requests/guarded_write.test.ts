import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/api/attribute_value.ts';
import { changesBetween, deleteOld, putNew, replaceOld, same } from '../../../src/requests/guarded_write.ts';

const keys = ['PK', 'SK'];
const old: Item = { PK: { S: 'a' }, SK: { S: 'b' }, size: { N: '1' }, name: { S: 'x' } };

describe('guarded writes', () => {
  it('never replace an item with a new one', () => {
    expect(putNew('T', keys, old)).toEqual({
      operation: 'PutItem',
      request: {
        TableName: 'T',
        Item: old,
        ConditionExpression: 'attribute_not_exists(#n0)',
        ExpressionAttributeNames: { '#n0': 'PK' },
      },
    });
  });

  it('change only what changes, if it is still as it was', () => {
    const next: Item = { PK: old['PK']!, SK: old['SK']!, size: { N: '2' }, extra: { BOOL: true } };
    expect(replaceOld('T', keys, old, next)).toEqual({
      operation: 'UpdateItem',
      request: {
        TableName: 'T',
        Key: { PK: { S: 'a' }, SK: { S: 'b' } },
        UpdateExpression: 'SET #n0 = :v2, #n2 = :v3 REMOVE #n1',
        ConditionExpression: 'attribute_exists(#n3) AND attribute_not_exists(#n0) AND #n1 = :v0 AND #n2 = :v1',
        ExpressionAttributeNames: { '#n0': 'extra', '#n1': 'name', '#n2': 'size', '#n3': 'PK' },
        ExpressionAttributeValues: { ':v0': { S: 'x' }, ':v1': { N: '1' }, ':v2': { BOOL: true }, ':v3': { N: '2' } },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    });
  });

  it('know every change by its name, and that sets and maps have no order', () => {
    const map = (members: Item): Item => ({ m: { M: members } });
    expect(changesBetween(map({ a: { S: '1' }, b: { S: '2' } }), map({ b: { S: '2' }, a: { S: '1' } }))).toEqual([]);
    expect(changesBetween({ s: { SS: ['p', 'q'] } }, { s: { SS: ['q', 'p'] } })).toEqual([]);
    expect(changesBetween({ l: { L: [{ S: '1' }, { S: '2' }] } }, { l: { L: [{ S: '2' }, { S: '1' }] } })).toHaveLength(1);
    expect(changesBetween(old, { ...old, toString: { S: 'x' } })).toEqual([{ name: 'toString', after: { S: 'x' } }]);
  });

  it('compare as many attributes as a condition has room for', () => {
    const wide: Item = { ...old, ...Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`a${at}`, { S: 'x' }])) };
    expect(String(deleteOld('T', keys, wide).request['ConditionExpression']).split(' AND ')).toHaveLength(101);
  });

  it('are nothing when nothing changes', () => {
    expect(replaceOld('T', keys, old, { ...old })).toBeNull();
  });

  it('move an item whose key changes, in one transaction', () => {
    const moved = replaceOld('T', keys, old, { ...old, SK: { S: 'c' } });
    expect(moved?.operation).toBe('TransactWriteItems');
    expect(JSON.stringify(moved?.request)).toContain('attribute_not_exists');
  });

  it('delete only what was seen', () => {
    expect(deleteOld('T', keys, old).request).toMatchObject({
      Key: { PK: { S: 'a' }, SK: { S: 'b' } },
      ConditionExpression: 'attribute_exists(#n2) AND #n0 = :v0 AND #n1 = :v1',
    });
    expect(deleteOld('T', keys, { PK: { S: 'a' }, SK: { S: 'b' } }).request).not.toHaveProperty('ExpressionAttributeValues');
  });

  it('compare values whatever the order of names', () => {
    expect(same({ M: { a: { S: '1' }, b: { S: '2' } } }, { M: { b: { S: '2' }, a: { S: '1' } } })).toBe(true);
    expect(same({ S: '1' }, { N: '1' })).toBe(false);
    expect(same(undefined, { NULL: true })).toBe(false);
  });
});
