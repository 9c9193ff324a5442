import { describe, expect, it } from 'vitest';
import { flatRow, makeLayout, measuresFor, placeOf, rowHeight, scrollTo, visible, type Measures } from '../../src/views/items/layout.ts';
import type { Collection, Row } from '../../src/views/items/side.ts';

const measures: Measures = { columns: 2, line: 30, padding: 10, head: 0, least: 50, gap: 10 };

function collection(partition: string, attributes: number[]): Collection {
  const rows: Row[] = attributes.map((count, i) => ({ id: `${partition}${i}`, sort: '', json: '{}', bytes: 0, attributes: count }));
  return { partition, rows, bytes: 0 };
}

// Heights: 40, 70 | 40, raised to 50 | 100.
const collections = [collection('a', [2, 3]), collection('b', [0]), collection('c', [5])];
const layout = makeLayout(collections, 4, measures);

describe('the layout', () => {
  it('knows the height of a row from its attributes', () => {
    expect([0, 1, 2, 3, 4, 5].map((count) => rowHeight(count, measures))).toEqual([40, 40, 40, 70, 70, 100]);
  });

  it('stacks collections with a gap, each as high as its key needs', () => {
    expect([...layout.collectionTops]).toEqual([0, 120, 180, 290]);
    expect([...layout.rowTops]).toEqual([0, 40, 120, 180, 290]);
    expect(layout.height).toBe(290);
  });

  it('puts rows under a head if the key stands above them', () => {
    const narrow = makeLayout(collections, 4, { ...measures, head: 20, least: 0 });
    expect([...narrow.rowTops]).toEqual([20, 60, 160, 230, 340]);
  });

  it('finds what is in sight', () => {
    expect(visible(layout, 0, 30)).toEqual({ firstCollection: 0, endCollection: 1, firstRow: 0, endRow: 1 });
    expect(visible(layout, 50, 190)).toEqual({ firstCollection: 0, endCollection: 3, firstRow: 1, endRow: 4 });
    expect(visible(layout, -500, 5000)).toEqual({ firstCollection: 0, endCollection: 3, firstRow: 0, endRow: 4 });
    expect(visible(makeLayout([], 0, measures), 0, 100)).toEqual({ firstCollection: 0, endCollection: 0, firstRow: 0, endRow: 0 });
  });

  it('counts rows through all collections and back', () => {
    for (const place of [{ collection: 0, row: 1 }, { collection: 1, row: 0 }, { collection: 2, row: 0 }]) {
      expect(placeOf(layout, flatRow(layout, place))).toEqual(place);
    }
  });

  it('scrolls no further than needed', () => {
    const last = { collection: 2, row: 0 };
    expect(scrollTo(layout, last, { top: 180, height: 110 })).toBe(180);
    expect(scrollTo(layout, last, { top: 0, height: 200 })).toBe(90);
    expect(scrollTo(layout, { collection: 0, row: 1 }, { top: 100, height: 100 })).toBe(40);
    expect(scrollTo(layout, last, { top: 0, height: 1000 })).toBe(0);
  });

  it('has two attributes side by side even on a phone', () => {
    expect(measuresFor(366).columns).toBeGreaterThanOrEqual(2);
    expect(measuresFor(366).head).toBeGreaterThan(0);
    expect(measuresFor(900).head).toBe(0);
  });
});
