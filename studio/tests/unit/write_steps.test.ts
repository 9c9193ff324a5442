import { describe, expect, it } from 'vitest';
import type { GuardedWrite } from '../../src/requests/guarded_write.ts';
import { choicesOf, readFields } from '../../src/views/items/entity_fields.tsx';
import { transactionOf } from '../../src/requests/guarded_write.ts';
import { refusedSteps } from '../../src/views/items/steps.ts';
import { withReferences } from '../../src/views/items/write_details.tsx';

const put: GuardedWrite = { operation: 'PutItem', request: { TableName: 'T', Item: { PK: { S: 'a' } } } };
const move: GuardedWrite = {
  operation: 'TransactWriteItems',
  request: { TransactItems: [{ Delete: { TableName: 'T' } }, { Put: { TableName: 'T' } }] },
};

describe('writes that go together', () => {
  it('are the parts of one transaction, a move with both of its own', () => {
    const { write, owners } = transactionOf([put, move, { operation: 'UpdateItem', request: { TableName: 'U' } }]);
    expect(write.operation).toBe('TransactWriteItems');
    expect(write.request['TransactItems']).toEqual([
      { Put: put.request },
      { Delete: { TableName: 'T' } },
      { Put: { TableName: 'T' } },
      { Update: { TableName: 'U' } },
    ]);
    expect(owners).toEqual([0, 1, 1, 2]);
  });

  it('say which step was refused, and that the others were not written', () => {
    const steps = [{ kind: 'put' as const }, { kind: 'update' as const }, { kind: 'put' as const }];
    const reasons = [{ Code: 'None' }, { Code: 'None' }, { Code: 'ConditionalCheckFailed' }, { Code: 'ConditionalCheckFailed' }];
    const results = refusedSteps(['A', 'B', 'C'], steps, [0, 1, 1, 2], reasons);
    expect(results.map((one) => one.done)).toEqual([false, false, false]);
    expect(results[0]!.text).toMatch(/^could have been written/);
    expect(results[1]!.text).toBe('refused, it changed since it was loaded here');
    expect(results[2]!.text).toBe('refused, it exists already');
  });

  it('keep the words of another reason', () => {
    const [result] = refusedSteps(['A'], [{ kind: 'put' }], [0], [{ Code: 'ValidationError', Message: 'too large' }]);
    expect(result!.text).toBe('refused, ValidationError: too large');
  });

  it('take what refers to another step from there, until it is typed', () => {
    const steps = [{ entity: 'Org' }, { entity: 'User' }];
    const asked = [[{ name: 'Org' }], [{ name: 'Org', references: 'Org.Org' }, { name: 'Name' }]];
    expect(withReferences(steps, asked, [{ Org: 'ACME' }, {}])).toEqual([{ Org: 'ACME' }, { Org: 'ACME' }]);
    expect(withReferences(steps, asked, [{ Org: 'ACME' }, { Org: 'OTHER' }])[1]).toEqual({ Org: 'OTHER' });
    expect(withReferences(steps, asked, [{}, {}])).toEqual([{}, {}]);
  });
});

describe('fields', () => {
  const attribute = (name: string, type: string) => ({ name, type, averageBytes: 1, maximumBytes: 1 });

  it('are plain JSON by type; what is empty is left out', () => {
    const attributes = [attribute('a', 'number'), attribute('b', 'bool'), attribute('c', 'text-set'), attribute('d', 'text')];
    expect(readFields(attributes, { a: '12.50', b: 'false', c: '["x"]', d: ' ' })).toEqual({ a: '12.50', b: false, c: ['x'] });
    expect(() => readFields(attributes, { c: 'x' })).toThrow(/c must be JSON/);
  });

  it('are choices where the model names the values', () => {
    expect(choicesOf({ type: 'text', values: ['Admin', 'Member'] })).toEqual(['Admin', 'Member']);
    expect(choicesOf({ type: 'bool' })).toEqual(['true', 'false']);
    expect(choicesOf({ type: 'text' })).toBeNull();
    expect(choicesOf({ type: 'text', values: [] })).toBeNull();
  });
});
