import { expect, test } from 'vitest';
import type { Model } from '../../src/api/model.ts';
import { makeDecoder } from '../../src/design/decode.ts';
import { driftOf } from '../../src/design/drift.ts';
import { linksOf } from '../../src/design/links.ts';

const attribute = (name: string, type: string, more = {}) => ({ name, type, averageBytes: 1, maximumBytes: 1, ...more });
const layout = (entity: string, templates: Record<string, string>, without: string[] = []) => ({ entity, without, attributes: Object.entries(templates).map(([name, template]) => ({ name, kind: 'template', template })) });
const model = {
  title: 'M', relationships: [], patterns: [], writes: [], samples: [],
  entities: [
    { name: 'User', line: 1, attributes: [attribute('id', 'text', { key: true }), attribute('plan', 'text', { values: ['free', 'pro'] })] },
    { name: 'Order', line: 2, attributes: [attribute('user', 'text', { references: 'User.id' }), attribute('no', 'number', { key: true }), attribute('note', 'text', { optional: true })] },
  ],
  tables: [{
    name: 'T', partition: 'PK', sort: 'SK', typeAttribute: '',
    indexes: [{ name: 'I', local: false, partition: ['IPK'], sort: ['ISK'], projection: 'all', include: [] }],
    items: [layout('User', { PK: 'U#{id}', SK: 'ME' }), layout('Order', { PK: 'O#{no}', SK: 'O', IPK: 'U#{user}', ISK: 'O#{no}' })],
  }],
} as unknown as Model;
const decoder = makeDecoder(model, 'T', ['PK', 'SK']);
const order = { PK: { S: 'O#7' }, SK: { S: 'O' }, IPK: { S: 'U#ada' }, ISK: { S: 'O#7' }, user: { S: 'ada' }, no: { N: '7' } };
const drift = (item: object, partial = false) => driftOf(model, 'T', decoder, item as never, partial);

test('an item as the design makes it has no drift', () => expect(drift(order)).toEqual([]));

test('each thing that does not fit is a sentence', () => {
  expect(drift({ ...order, IPK: { S: 'U#bob' } })).toEqual(['IPK is “U#bob”; the design makes “U#ada”.']);
  expect(drift({ ...order, no: { S: '7' }, x: { S: '' } })).toEqual(['no is stored as S; the design says number.', 'x is not in the design.']);
  expect(drift({ PK: { S: 'U#ada' }, SK: { S: 'ME' }, id: { S: 'ada' }, plan: { S: 'gold' } })).toEqual(['plan is “gold”, which is none of free, pro.']);
  expect(drift({ PK: { S: 'Z#1' }, SK: { S: 'Z' } })).toEqual(['No entity of the design makes an item with these keys.']);
  const { IPK: _, ...without } = order;
  expect(drift(without)).toEqual(['IPK is missing; the design makes “U#ada”.']);
  expect(drift(without, true)).toEqual([]);
});

test('links lead to what is referred to, to what refers, and to the collections', () => {
  const links = (item: object) => linksOf(model, 'T', decoder, item as never, () => 'S').map(({ kind, title, draft }) => [kind, title, draft.operation, draft.index ?? '']);
  expect(links(order)).toEqual([
    ['refers to', 'User ada', 'GetItem', ''],
    ['stands in', 'O#7', 'Query', ''],
    ['stands in', 'U#ada of I', 'Query', 'I'],
  ]);
  expect(links({ PK: { S: 'U#ada' }, SK: { S: 'ME' }, id: { S: 'ada' } })[0]).toEqual(['has', 'Order items of User ada', 'Query', 'I']);
});
