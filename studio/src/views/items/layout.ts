// Where everything stands, in pixels. A row has one line, whatever is in it, so that nothing has to be drawn to know the places.
import type { Column, Shapes } from './shapes.ts';
import type { Collection, Place, Row } from './side.ts';

export const rowHeight = 29;
export const headerHeight = 20; // Names of the attributes, above the first row of each entity in a collection.

export interface Measures {
  head: number; // A collection's key above its rows; 0 if it stands beside them.
  least: number; // What the key needs beside its rows.
  gap: number; // Between collections.
  partition: number; // Widths of the key, the sort key and the name of the entity.
  sort: number;
  type: number;
  attributes: number; // What is left for them.
}

export interface Layout {
  measures: Measures;
  height: number;
  // One more entry than collections or rows: the last is the end.
  collectionTops: Float64Array;
  firstRows: Uint32Array;
  rowTops: Float64Array;
  headers: Uint8Array; // 1: the names of the attributes stand above this row.
}

const narrowWidth = 640; // Below it the partition keys stand above the rows.
const frame = 28; // Margins and borders.
const keyPadding = 20;
export const characterWidth = 7.9; // Of the text of rows.
export const partitionCharacterWidth = 8.5;

type Widest = Pick<Shapes, 'sortCharacters' | 'partitionCharacters' | 'typeCharacters'>;

export function measuresFor(width: number, widest: Widest, keyLines = 1): Measures {
  const between = (least: number, wanted: number, most: number) => Math.round(Math.min(Math.max(least, wanted), Math.max(least, most)));
  const narrow = width < narrowWidth;
  const inner = Math.max(0, width - frame);
  const partition = narrow ? 0 : between(150, widest.partitionCharacters * partitionCharacterWidth + 52, Math.min(300, inner * 0.27));
  const rest = inner - partition;
  const sort = between(70, widest.sortCharacters * characterWidth + keyPadding, Math.min(360, rest * 0.36));
  const type = between(56, widest.typeCharacters * 7 + 26, Math.min(150, rest * 0.29));
  return {
    head: narrow ? 11 + 18 * keyLines : 0,
    least: narrow ? 0 : 30 + 19 * keyLines,
    gap: 8,
    partition,
    sort,
    type,
    attributes: Math.max(0, rest - sort - type),
  };
}

export interface ShownColumns {
  shown: Column[];
  template: string; // grid-template-columns
  hidden: number;
}

const moreWidth = 40;
const leastWidth = 48; // A cut value is better than none.

// Those that fit, each as wide as its values; the last one takes what is left.
export function columnsThatFit(columns: Column[], room: number): ShownColumns {
  const widths = columns.map(({ name, characters }) => Math.round(Math.max(characters * characterWidth, name.length * 7) + 22));
  let used = 0;
  let shown = 0;
  while (shown < columns.length && used + widths[shown]! + (shown === columns.length - 1 ? 0 : moreWidth) <= room) used += widths[shown++]!;
  const sizes = widths.slice(0, shown).map((width) => `${width}px`);
  const left = Math.floor(room - used - (shown + 1 < columns.length ? moreWidth : 0));
  if (shown < columns.length && left >= leastWidth) {
    sizes.push(`${left}px`);
    shown += 1;
  }
  return { shown: columns.slice(0, shown), template: [...sizes, 'auto'].join(' '), hidden: columns.length - shown };
}

const grownLines = 40; // What a key says of a larger scale.

// `shapeOf` tells which rows share their columns. `room` is what a collection gets below its rows at a larger scale, for what is not
// stored yet.
export function makeLayout(collections: readonly Collection[], count: number, measures: Measures, shapeOf: (row: Row) => unknown, room?: (number: number) => number): Layout {
  const collectionTops = new Float64Array(collections.length + 1);
  const firstRows = new Uint32Array(collections.length + 1);
  const rowTops = new Float64Array(count + 1);
  const headers = new Uint8Array(count + 1);
  const seen = new Set<unknown>();
  let y = 0;
  let row = 0;
  for (let i = 0; i < collections.length; ++i) {
    collectionTops[i] = y;
    firstRows[i] = row;
    const top = y;
    y += measures.head;
    seen.clear();
    for (const each of collections[i]!.rows) {
      const shape = shapeOf(each);
      if (!seen.has(shape)) {
        seen.add(shape);
        headers[row] = 1;
        y += headerHeight;
      }
      rowTops[row++] = y;
      y += rowHeight;
    }
    y = Math.max(y + (room?.(i) ?? 0), top + measures.least + (room && measures.head === 0 ? grownLines : 0)) + measures.gap;
  }
  collectionTops[collections.length] = y;
  firstRows[collections.length] = row;
  rowTops[row] = y;
  return { measures, height: y, collectionTops, firstRows, rowTops, headers };
}

export interface Visible {
  // Half-open ranges; the rows count through all collections.
  firstCollection: number;
  endCollection: number;
  firstRow: number;
  endRow: number;
}

export function visible(layout: Layout, top: number, bottom: number): Visible {
  const collections = layout.collectionTops.length - 1;
  const rows = layout.rowTops.length - 1;
  const firstCollection = Math.max(0, upperBound(layout.collectionTops, top) - 1);
  const endCollection = Math.min(collections, upperBound(layout.collectionTops, bottom));
  return {
    firstCollection: Math.min(firstCollection, collections),
    endCollection,
    firstRow: Math.min(Math.max(0, upperBound(layout.rowTops, top) - 1), rows),
    endRow: Math.min(rows, upperBound(layout.rowTops, bottom)),
  };
}

// The number of entries that are at most `value`.
function upperBound(sorted: Float64Array | Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function flatRow(layout: Layout, place: Place): number {
  return layout.firstRows[place.collection]! + place.row;
}

export function placeOf(layout: Layout, flat: number): Place {
  const collection = upperBound(layout.firstRows, flat) - 1;
  return { collection, row: flat - layout.firstRows[collection]! };
}

// Where to scroll so that the row is fully seen: not at all if it is, else the least way; `middle`
// puts it a third below the top.
export function scrollTo(
  layout: Layout,
  place: Place,
  view: { top: number; height: number },
  middle = false,
): number {
  const flat = flatRow(layout, place);
  const top = layout.rowTops[flat]!;
  const next = flat + 1 < layout.firstRows[place.collection + 1]! ? layout.rowTops[flat + 1]! : layout.collectionTops[place.collection + 1]!;
  const room = layout.measures.head + headerHeight;
  const last = Math.max(0, layout.height - view.height);
  if (middle && (top - room < view.top || next > view.top + view.height)) return clamp(top - view.height / 3, last);
  if (top - room < view.top) return clamp(top - room, last);
  if (next > view.top + view.height) return clamp(next - view.height, last);
  return view.top;
}

const clamp = (value: number, last: number) => Math.min(Math.max(0, value), last);
