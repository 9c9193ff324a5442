// Where everything stands, in pixels. Heights follow from the number of attributes and the width, so
// that nothing has to be drawn to know them.
import type { Collection, Place } from './side.ts';

export interface Measures {
  columns: number; // Attributes side by side.
  line: number; // Height of one line of attributes: a name above a value.
  padding: number; // Of a row, top and bottom together.
  head: number; // A collection's key above its rows; 0 if it stands beside them.
  least: number; // What the key needs beside its rows.
  gap: number; // Between collections.
}

export interface Layout {
  measures: Measures;
  height: number;
  // One more entry than collections or rows: the last is the end.
  collectionTops: Float64Array;
  firstRows: Uint32Array;
  rowTops: Float64Array;
}

const narrowWidth = 480; // Below it the keys stand above the rows.
const attributeWidth = 126;

export function measuresFor(width: number): Measures {
  const line = 37;
  const gap = 10;
  if (width < narrowWidth) {
    return { columns: Math.max(2, Math.floor((width - 28) / attributeWidth)), line, padding: 34, head: 46, least: 0, gap };
  }
  const columns = Math.max(1, Math.floor((width - keyWidths(width) - 28) / attributeWidth));
  return { columns, line, padding: 13, head: 0, least: 72, gap };
}

// The partition key and the sort key side by side.
export function keyWidths(width: number): number {
  return width < 760 ? 150 + 150 : 175 + 190;
}

export function rowHeight(attributes: number, measures: Measures): number {
  return measures.padding + measures.line * Math.max(1, Math.ceil(attributes / measures.columns));
}

const grownLines = 40; // What a key says of a larger scale.

// `room` is what a collection gets below its rows at a larger scale, for what is not stored yet.
export function makeLayout(collections: readonly Collection[], count: number, measures: Measures, room?: (number: number) => number): Layout {
  const collectionTops = new Float64Array(collections.length + 1);
  const firstRows = new Uint32Array(collections.length + 1);
  const rowTops = new Float64Array(count + 1);
  let y = 0;
  let row = 0;
  for (let i = 0; i < collections.length; ++i) {
    collectionTops[i] = y;
    firstRows[i] = row;
    const top = y;
    y += measures.head;
    for (const { attributes } of collections[i]!.rows) {
      rowTops[row++] = y;
      y += rowHeight(attributes, measures);
    }
    y = Math.max(y + (room?.(i) ?? 0), top + measures.least + (room && measures.head === 0 ? grownLines : 0)) + measures.gap;
  }
  collectionTops[collections.length] = y;
  firstRows[collections.length] = row;
  rowTops[row] = y;
  return { measures, height: y, collectionTops, firstRows, rowTops };
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
  const room = layout.measures.head;
  const last = Math.max(0, layout.height - view.height);
  if (middle && (top - room < view.top || next > view.top + view.height)) return clamp(top - view.height / 3, last);
  if (top - room < view.top) return clamp(top - room, last);
  if (next > view.top + view.height) return clamp(next - view.height, last);
  return view.top;
}

const clamp = (value: number, last: number) => Math.min(Math.max(0, value), last);
