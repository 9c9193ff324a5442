import { describe, expect, it } from 'vitest';
import { columnsThatFit, flatRow, makeLayout, measuresFor, placeOf, scrollTo, visible, type Measures } from '../../src/views/items/layout.ts';
import type { Collection, Row } from '../../src/views/items/side.ts';

const measures: Measures = { head: 0, least: 80, gap: 10, partition: 150, sort: 100, type: 60, attributes: 400 };

// A letter for each row: its kind.
function collection(partition: string, kinds: string): Collection {
  const rows: Row[] = [...kinds].map((kind, i) => ({ id: `${partition}${i}`, sort: '', json: '{}', bytes: 0, kind }));
  return { partition, rows, bytes: 0 };
}

const kindOf = (row: Row) => row.kind;
// Two headers and three rows: 127; one of each, raised to 80; one header and three rows: 107.
const collections = [collection('a', 'xyx'), collection('b', 'x'), collection('c', 'xxx')];
const layout = makeLayout(collections, 7, measures, kindOf);

describe('the layout', () => {
  it('names the columns once for each entity of a collection', () => {
    expect([...layout.headers]).toEqual([1, 1, 0, 1, 1, 0, 0, 0]);
    expect([...layout.rowTops]).toEqual([20, 69, 98, 157, 247, 276, 305, 344]);
  });

  it('stacks collections with a gap, each as high as its key needs', () => {
    expect([...layout.collectionTops]).toEqual([0, 137, 227, 344]);
    expect(layout.height).toBe(344);
  });

  it('puts rows under a head if the key stands above them', () => {
    const narrow = makeLayout(collections, 7, { ...measures, head: 40, least: 0 }, kindOf);
    expect([...narrow.rowTops]).toEqual([60, 109, 138, 237, 336, 365, 394, 433]);
  });

  it('finds what is in sight', () => {
    expect(visible(layout, 0, 30)).toEqual({ firstCollection: 0, endCollection: 1, firstRow: 0, endRow: 1 });
    expect(visible(layout, 70, 230)).toEqual({ firstCollection: 0, endCollection: 3, firstRow: 1, endRow: 4 });
    expect(visible(layout, -500, 5000)).toEqual({ firstCollection: 0, endCollection: 3, firstRow: 0, endRow: 7 });
    expect(visible(makeLayout([], 0, measures, kindOf), 0, 100)).toEqual({ firstCollection: 0, endCollection: 0, firstRow: 0, endRow: 0 });
  });

  it('counts rows through all collections and back', () => {
    for (const place of [{ collection: 0, row: 1 }, { collection: 1, row: 0 }, { collection: 2, row: 2 }]) {
      expect(placeOf(layout, flatRow(layout, place))).toEqual(place);
    }
  });

  it('scrolls no further than needed, and leaves room for the names of the columns', () => {
    const last = { collection: 2, row: 2 };
    expect(scrollTo(layout, last, { top: 200, height: 144 })).toBe(200);
    expect(scrollTo(layout, last, { top: 0, height: 200 })).toBe(144);
    expect(scrollTo(layout, { collection: 0, row: 1 }, { top: 100, height: 100 })).toBe(49);
    expect(scrollTo(layout, last, { top: 0, height: 1000 })).toBe(0);
  });

  it('gives the keys the room that they need, and the rest to the attributes', () => {
    const widest = { sortCharacters: 60, partitionCharacters: 12, typeCharacters: 10 };
    for (const width of [366, 540, 700, 1050, 2200]) {
      const { head, partition, sort, type, attributes } = measuresFor(width, widest);
      expect(head > 0).toBe(width < 640);
      expect(partition + sort + type + attributes).toBe(width - 28);
      expect(attributes).toBeGreaterThanOrEqual((width - 28 - partition) * 0.34);
    }
  });

  it('shows a value of each item on a phone, too', () => {
    const columns = ['title', 'author', 'year'].map((name) => ({ name, characters: 24, numeric: false }));
    for (const width of [300, 330, 366]) {
      const { attributes } = measuresFor(width, { sortCharacters: 60, partitionCharacters: 12, typeCharacters: 11 });
      expect(columnsThatFit(columns, attributes).shown.length, String(width)).toBeGreaterThan(0);
    }
  });

  it('shows the columns that fit, and squeezes the last', () => {
    const column = (name: string, characters: number) => ({ name, characters, numeric: false });
    const columns = [column('a', 10), column('b', 10), column('c', 30)];
    expect(columnsThatFit(columns, 500).hidden).toBe(0);
    expect(columnsThatFit(columns, 300).template).toBe('101px 101px 98px auto');
    expect(columnsThatFit(columns, 240)).toMatchObject({ hidden: 1, template: '101px 99px auto' });
    expect(columnsThatFit(columns, 20)).toMatchObject({ hidden: 3, shown: [] });
  });
});
