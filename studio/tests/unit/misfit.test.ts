import { describe, expect, it } from 'vitest';
import type { TableDescription } from '../../src/api/dynamodb.ts';
import type { Model, ModelTable } from '../../src/api/model.ts';
import { misfit } from '../../src/design/misfit.ts';
import { designedPrice } from '../../src/views/items/patterns_panel.tsx';

const table: ModelTable = {
  name: 'T',
  partition: 'PK',
  sort: 'SK',
  typeAttribute: '',
  indexes: [{ name: 'GSI1', local: false, partition: ['GPK'], sort: ['GSK'], projection: 'all', include: [] }],
  items: [],
};
const model = { title: '', entities: [], relationships: [], patterns: [], writes: [], samples: [], tables: [table] } satisfies Model;
const key = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
];
const stored: TableDescription = {
  TableName: 'T',
  TableStatus: 'ACTIVE',
  KeySchema: key('PK', 'SK'),
  AttributeDefinitions: [],
  GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: key('GPK', 'GSK'), Projection: { ProjectionType: 'ALL' } }],
};

describe('a stored table', () => {
  it('fits the design it was made from, and a design that does not speak of it', () => {
    expect(misfit(model, stored)).toBeNull();
    expect(misfit({ ...model, tables: [] }, stored)).toBeNull();
  });

  it('does not fit other keys or a missing index', () => {
    expect(misfit(model, { ...stored, KeySchema: key('Id', 'SK') })).toBe('T has the keys Id, SK, and the design says PK, SK');
    expect(misfit(model, { ...stored, GlobalSecondaryIndexes: [] })).toBe('it has no index GSI1');
    const changed = { ...model, tables: [{ ...table, indexes: [{ ...table.indexes[0]!, sort: ['Other'] }] }] };
    expect(misfit(changed, stored)).toBe('GSI1 has the keys GPK, GSK, and the design says GPK, Other');
  });
});

describe('the price as designed', () => {
  it('is that of the units which the design expects', () => {
    expect(designedPrice({ price: 6.25e-8, readUnits: 0.5 }, 2.5)).toBeCloseTo(3.125e-7, 12);
  });

  it('is not known from a run that cost nothing', () => expect(designedPrice({ price: 0, readUnits: 0 }, 1)).toBeNull());
});
