import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/attribute_value.ts';
import { deleteOld, putNew, replaceOld, same } from '../../src/design/guarded_write.ts';

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
        UpdateExpression: 'SET #n1 = :v1, #n3 = :v3 REMOVE #n2',
        ConditionExpression: 'attribute_exists(#n0) AND #n1 = :v0 AND #n2 = :v2 AND attribute_not_exists(#n3)',
        ExpressionAttributeNames: { '#n0': 'PK', '#n1': 'size', '#n2': 'name', '#n3': 'extra' },
        ExpressionAttributeValues: { ':v0': { N: '1' }, ':v1': { N: '2' }, ':v2': { S: 'x' }, ':v3': { BOOL: true } },
      },
    });
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
      ConditionExpression: 'attribute_exists(#n0) AND #n1 = :v0 AND #n2 = :v1',
    });
  });

  it('compare values whatever the order of names', () => {
    expect(same({ M: { a: { S: '1' }, b: { S: '2' } } }, { M: { b: { S: '2' }, a: { S: '1' } } })).toBe(true);
    expect(same({ S: '1' }, { N: '1' })).toBe(false);
    expect(same(undefined, { NULL: true })).toBe(false);
  });
});
