import { describe, expect, it } from 'vitest';
import type { TableDescription } from '../../src/api/dynamodb.ts';
import type { Model, ModelTable } from '../../src/api/model.ts';
import type { Item } from '../../src/api/attribute_value.ts';
import { makeDecoder } from '../../src/design/decode.ts';
import { misfit, olderItems } from '../../src/design/misfit.ts';
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

  it('does not fit a design whose index holds more', () => {
    const with_ = (projection: string, include: string[]) => ({ ...model, tables: [{ ...table, indexes: [{ ...table.indexes[0]!, projection, include }] }] });
    const holding = (names: string[]) => ({ ...stored, GlobalSecondaryIndexes: [{ ...stored.GlobalSecondaryIndexes![0]!, Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: names } }] });
    expect(misfit(with_('all', []), holding(['a']))).toBe('GSI1 holds some attributes, and the design says all of them');
    expect(misfit(with_('include', ['a', 'b']), holding(['b']))).toBe('GSI1 does not hold a');
    expect(misfit(with_('include', ['b']), holding(['a', 'b']))).toBeNull();
    expect(misfit(with_('include', ['b']), stored)).toBeNull();
  });

  it('has items of an older design if a copy is in none of them', () => {
    const attribute = (name: string, more = {}) => ({ name, type: 'text', averageBytes: 1, maximumBytes: 1, ...more });
    const design = (optional: boolean) => {
      const layout = { entity: 'Use', without: [], attributes: [{ name: 'PK', kind: 'template', template: 'U#{id}' }, { name: 'SK', kind: 'template', template: 'USE' }, { name: 'title', kind: 'copy', of: 'Part.title' }] };
      const entities = [
        { name: 'Part', line: 1, attributes: [attribute('id'), attribute('title')] },
        { name: 'Use', line: 2, attributes: [attribute('id'), attribute('part', { references: 'Part.id', optional })] },
      ];
      return { ...model, entities, tables: [{ ...table, indexes: [], items: [layout] }] } as Model;
    };
    const use = { PK: { S: 'U#1' }, SK: { S: 'USE' }, id: { S: '1' }, part: { S: 'p' } };
    const older = (known: Model, items: Item[]) => olderItems(known, 'T', makeDecoder(known, 'T', ['PK', 'SK']), items);
    expect(older(design(false), [use])).toBe('no Use item has title, a copy of Part.title');
    expect(older(design(false), [use, { ...use, title: { S: 'Bolt' } }])).toBeNull();
    expect(older(design(true), [use])).toBeNull();
    expect(older(design(false), [])).toBeNull();
  });
});

describe('the price as designed', () => {
  it('is that of the units which the design expects', () => {
    expect(designedPrice({ price: 6.25e-8, readUnits: 0.5 }, 2.5)).toBeCloseTo(3.125e-7, 12);
  });

  it('is not known from a run that cost nothing', () => expect(designedPrice({ price: 0, readUnits: 0 }, 1)).toBeNull());
});
