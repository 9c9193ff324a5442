import { expect, test } from 'vitest';
import type { ModelTable } from '../../src/api/model.ts';
import { fallOfChanges, indexWrites, unitsBySide } from '../../src/design/fan_out.ts';

const table: ModelTable = {
  name: 'T', partition: 'PK', sort: 'SK', typeAttribute: '',
  indexes: [
    { name: 'ALL', local: false, partition: ['GPK'], sort: [], projection: 'all', include: [] },
    { name: 'KEYS', local: false, partition: ['GPK'], sort: [], projection: 'keys', include: ['city'] },
  ],
  items: [
    { entity: 'User', attributes: [{ name: 'PK', kind: 'template', template: 'U#{id}' }, { name: 'GPK', kind: 'template', template: 'M#{mail lower}' }], without: [] },
    { entity: 'Bare', attributes: [{ name: 'PK', kind: 'template', template: 'B#{id}' }], without: [] },
  ],
};
const update = (...set: string[]) => ({ kind: 'update' as const, entity: 'User', set });

test('a step writes no, one or two entries of an index', () => {
  expect(indexWrites(table, 'ALL', { kind: 'put', entity: 'User', set: [] })).toBe(1);
  expect(indexWrites(table, 'ALL', { kind: 'put', entity: 'Bare', set: [] })).toBe(0);
  expect(indexWrites(table, 'ALL', update('name'))).toBe(1);
  expect(indexWrites(table, 'KEYS', update('name'))).toBe(0);
  expect(indexWrites(table, 'KEYS', update('city'))).toBe(1);
  expect(indexWrites(table, 'KEYS', update('mail'))).toBe(2);
});

test('what the engine did not say is computed from sizes, each entry rounded up', () => {
  const [small, large] = [{ PK: { S: 'a' } }, { PK: { S: 'x'.repeat(1500) } }];
  const fall = fallOfChanges('a write', [
    { index: 'I', before: small, after: large, effect: 'moves' },
    { index: null, before: small, after: large, effect: 'changes' },
    { index: 'J', before: null, after: null, effect: 'absent' },
  ], null);
  expect(fall.parts.map(({ name, writes, units }) => [name, writes, units])).toEqual([['table', 1, 2], ['I', 2, 3], ['J', 0, 0]]);
  expect([fall.units, fall.source]).toEqual([5, 'computed']);
});

test('units of all tables and indexes are told apart', () => {
  const answer = [{ TableName: 'T', CapacityUnits: 4, Table: { CapacityUnits: 1 }, GlobalSecondaryIndexes: { I: { CapacityUnits: 2 } }, LocalSecondaryIndexes: { L: { CapacityUnits: 1 } } }, { TableName: 'U', CapacityUnits: 3 }];
  expect(unitsBySide(answer)).toEqual({ table: 4, I: 2, L: 1 });
});
