import { expect, test } from 'vitest';
import type { Advice, Model } from '../../src/api/model.ts';
import { cheapest, dialValue, flipsAlong, turnedSource, unturned } from '../../src/design/what_if.ts';

const source = `relationship Orders: Customer one-to-many Order {
  each Customer has ~10, at most 5_000 // each has ~10
  changes 2/s
}

pattern A1 "Orders" {
  find Order where customer = :c
  rate 1.5k/min peak 3k/min
}

pattern A2 "A customer" {
  find Customer where id = :c
  rate 7/s
}

write W1 "Order" { put Order
  rate 3/hour
}`;
const model = {
  relationships: [],
  patterns: [
    { name: 'A1', ratePerSecond: 25, find: [{ entity: 'Order' }] },
    { name: 'A2', ratePerSecond: 7, find: [{ entity: 'Customer' }] },
  ],
  writes: [{ name: 'W1', ratePerSecond: 3 / 3600, steps: [{ entity: 'Order' }] }],
} as unknown as Model;
const orders = { name: 'Orders', from: 'Customer', to: 'Order', through: '', cardinalities: [{ entity: 'Customer', average: 10, bound: 5000, zipf: 0 }] } as unknown as Model['relationships'][0];

test('each dial turns the lines that it is about, and leaves the rest', () => {
  expect(turnedSource(source, model, orders, unturned)).toBe(source);
  const lines = (turned: string) => turned.split('\n').filter((line, at) => line !== source.split('\n')[at]).map((line) => line.trim());
  expect(lines(turnedSource(source, model, orders, { ...unturned, reads: 10 }))).toEqual(['rate 15000/min peak 30000/min']);
  expect(lines(turnedSource(source, model, orders, { ...unturned, writes: 0.01 }))).toEqual(['changes 0.02/s', 'rate 0.03/hour']);
  expect(lines(turnedSource(source, model, orders, { ...unturned, 'fan-out': 0.01 }))[0]).toBe('each Customer has ~1, at most 50 // each has ~10');
  expect(dialValue(model, orders, 'reads')).toBe(25);
  expect(dialValue(model, orders, 'fan-out')).toBe(10);
});

test('the cheapest of those that cost the same is the one in use', () => {
  const one = (strategy: string, moneyPerMonth: number, legal = true) => ({ strategy, moneyPerMonth, legal });
  const advice = (alternatives: unknown[], inUse: string[] = []) => ({ alternatives, inUse, recommended: ['c'] }) as unknown as Advice;
  expect(cheapest(advice([one('a', 1), one('b', 1), one('c', 1)], ['b']))).toBe('b');
  expect(cheapest(advice([one('a', 1), one('b', 1), one('c', 1)]))).toBe('c');
  expect(cheapest(advice([one('a', 0, false), one('b', 2), one('c', 3)]))).toBe('b');
  expect(cheapest(advice([one('a', 0, false)]))).toBe(null);
});

test('a flip is found to within a few hundredths', async () => {
  const flips = await flipsAlong(async (factor) => (factor < 0.25 ? 'a' : factor < 40 ? 'b' : 'c'));
  expect(flips.map(({ from, to }) => [from, to])).toEqual([['a', 'b'], ['b', 'c']]);
  expect(flips[0]!.factor).toBeGreaterThan(0.24);
  expect(flips[0]!.factor).toBeLessThan(0.26);
  expect(flips[1]!.factor / 40).toBeCloseTo(1, 1);
  expect(await flipsAlong(async () => 'a')).toEqual([]);
});
