// The sample beside its keys: each side shows what it holds, and shines where it was read.
import { expect, test } from 'vitest';
import type { Item } from '../../src/api/attribute_value.ts';
import type { TableDescription } from '../../src/api/dynamodb.ts';
import type { Model, Trace } from '../../src/api/model.ts';
import { cardTable, litBy, tableSide } from '../../src/parts/sample_items.ts';

const model: Model = { title: '', entities: [], relationships: [], patterns: [], writes: [], tables: [], samples: [] };
const description: TableDescription = {
  TableName: 'Shop',
  TableStatus: 'ACTIVE',
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'GSI1PK', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    { IndexName: 'GSI1', KeySchema: [{ AttributeName: 'GSI1PK', KeyType: 'HASH' }], Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['city'] } },
  ],
};
const ann: Item = { PK: { S: 'C#1' }, GSI1PK: { S: 'EMAIL#a' }, name: { S: 'Ann' }, city: { S: 'Bern' } };
const bob: Item = { PK: { S: 'C#2' }, GSI1PK: { S: 'EMAIL#b' }, name: { S: 'Bob' }, city: { S: 'Genf' } };

const step = (index: string | null, read: Item[]): Trace['steps'][number] => ({
  operation: index === null ? 'GetItem' : 'Query',
  table: 'Shop',
  index,
  request: {} as Trace['steps'][number]['request'],
  pages: [{ read, returned: read, count: read.length, scannedCount: read.length, bytes: 1, readUnits: 0.5 }] as unknown as Trace['steps'][number]['pages'],
});

test('an index shows the attributes that it projects', () => {
  const [first] = cardTable(model, description, [ann, bob]).items;
  expect(first!.labels).toEqual({ [tableSide]: 'Ann · Bern', GSI1: 'Bern' });
});

test('on the side of an index shines what was read there, in the order of the whole run', () => {
  const table = cardTable(model, description, [ann, bob]);
  const trace = { steps: [step(null, [ann]), step('GSI1', [bob])] } as unknown as Trace;
  const [one, two] = table.items.map(({ id }) => id);
  expect([...litBy(trace, table, 'GSI1')]).toEqual([[two, { order: 2, kept: true }]]);
  expect([...litBy(trace, table, tableSide)]).toEqual([
    [one, { order: 1, kept: true }],
    [two, { order: 2, kept: true }],
  ]);
});
