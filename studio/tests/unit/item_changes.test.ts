import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/attribute_value.ts';
import { effectOf, sentence } from '../../src/views/items/changes.ts';
import type { SideKeys } from '../../src/views/items/side.ts';
import { marksOf, sameElsewhere, traceSteps } from '../../src/views/items/trace_steps.ts';
import type { Trace } from '../../src/api/model.ts';

const gsi1: SideKeys = {
  index: 'GSI1',
  partition: ['G'],
  sort: ['H'],
  partitionTypes: ['S'],
  sortTypes: ['S'],
  table: ['PK', 'SK'],
};
const entry = (g: string, h: string, grade?: string): Item => ({
  PK: { S: 'p' },
  SK: { S: 's' },
  G: { S: g },
  H: { S: h },
  ...(grade ? { grade: { S: grade } } : {}),
});

describe('what a write does to an index', () => {
  it.each([
    [null, entry('C2', 'S2'), 'appears', 'GSI1: it appears in C2 as S2.'],
    [entry('C2', 'S2'), null, 'vanishes', 'GSI1: it vanishes from C2 / S2.'],
    [entry('C1', 'S2'), entry('C2', 'S2'), 'moves', 'GSI1: it moves from C1 / S2 to C2 / S2.'],
    [entry('C1', 'S2', 'A'), entry('C1', 'S2', 'B'), 'changes', 'GSI1: it changes in C1 as S2.'],
    [entry('C1', 'S2'), entry('C1', 'S2'), 'stays', 'GSI1: nothing changes, no attribute kept here is touched.'],
    [null, null, 'absent', 'GSI1: nothing changes, the item has no G and is not listed here.'],
  ])('%#', (before, after, effect, text) => {
    expect(effectOf(gsi1, before, after)).toBe(effect);
    expect(sentence({ index: 'GSI1', id: '1:ps', before, after, effect: effectOf(gsi1, before, after) }, gsi1)).toBe(text);
  });
});

const key = (sort: string): Item => ({ PK: { S: 'p' }, SK: { S: sort } });
const page = (read: string[], returned: string[]) => ({
  request: {},
  read: read.map(key),
  returned: returned.map(key),
  count: returned.length,
  scannedCount: read.length,
  bytes: 10,
  readUnits: 0.5,
});

const trace: Trace = {
  steps: [
    { operation: 'Query', table: 'T', index: null, request: {}, pages: [page(['a', 'b'], ['a', 'b']), page(['c', 'd'], ['d'])] },
    { operation: 'Query', table: 'T', index: 'GSI1', request: {}, pages: [page(['a'], ['a'])] },
  ],
  rows: [],
  requests: 3,
  itemsRead: 5,
  itemsThrownAway: 1,
  bytesRead: 30,
  readUnits: 1.5,
  consistency: 'eventual',
  price: 0,
  currency: '$',
};

describe('the steps of a trace', () => {
  const steps = traceSteps(trace);
  const marks = (at: number) => [...marksOf(steps, at, ['PK', 'SK'])].map(([id, mark]) => `${id.slice(-1)} ${mark.kind} ${mark.order}`);

  it('are the pages of its requests', () => {
    expect(steps.map((step) => [step.index, step.page, step.pages, step.thrownAway])).toEqual([
      [null, 1, 2, 0],
      [null, 2, 2, 1],
      ['GSI1', 1, 1, 0],
    ]);
  });

  it('light up what they read, grey what they throw away, and keep earlier pages faint', () => {
    expect(marks(0)).toEqual(['a lit 1', 'b lit 2']);
    expect(marks(1)).toEqual(['a earlier 0', 'b earlier 0', 'c thrown 1', 'd lit 2']);
    expect(marks(2)).toEqual(['a lit 1']);
    expect(marks(9)).toEqual([]);
  });

  it('show the same items on the other side', () => {
    expect([...sameElsewhere(marksOf(steps, 1, ['PK', 'SK'])).values()]).toEqual([{ kind: 'same', order: 2 }]);
  });
});
