import { expect, test } from 'vitest';
import type { Cost } from '../../src/api/model.ts';
import { growthOf, growthOfKey, swell } from '../../src/design/growth.ts';

const size = (view: string, entity: string, key: string, bytes: number, itemBytes = 100) => ({ view, entity, key, items: 1, itemBytes, itemsMost: 0, bytesAtScale: { 'x10': bytes, 'x100': bytes * 10 } });
const heat = (view: string, key: string, reads: number, writes: number) => ({ view, key, utilisation: reads / 3000 + writes / 1000, readUnitsPerSecond: reads, writeUnitsPerSecond: writes });
const cost = {
  sizes: [size('T', 'User', '"USER#{id}"', 200), size('T', 'Order', '"USER#{user}"', 5000), size('T.I', 'Order', '"DAY#{day}"', 2e10), size('T', 'Log', 'day', 500 * 1024, 500 * 1024)],
  heat: [heat('T', '"USER#{id}"', 10, 1), heat('T.I', '"DAY#{day}"', 0, 1001)],
} as unknown as Cost;

test('a collection becomes all entities whose key template it fits, at the scale of the report', () => {
  const growth = growthOf(cost, 'T', 'USER#7', 'User')!;
  expect([growth.bytes, growth.items, growth.reads, growth.passed]).toEqual([5200, 52, 10, []]);
  expect(growthOf(cost, 'T', 'ORG#7', 'Org')).toBeNull();
});

test('limits are 10 GB, 400 KB, 3,000 reads and 1,000 writes', () => {
  expect(growthOf(cost, 'T.I', 'DAY#1', 'Order')!.passed).toEqual(['more than 10 GB in one collection', 'more than 1,000 write units a second on one key']);
  expect(growthOf(cost, 'T', '2026-01-01', 'Log')!.passed).toEqual(['an item of more than 400 KB']);
  expect(growthOfKey(cost, 'T.I', 'DAY#{day}')!.passed.length).toBe(2);
});

test('a cell swells by powers of ten, up to 10 GB', () => {
  expect([swell(50), swell(10 * 1024 ** 3), swell(1e15)]).toEqual([0, 1, 1]);
  expect(swell(1e4)).toBeLessThan(swell(1e6));
});
