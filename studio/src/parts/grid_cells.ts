// The arithmetic of a grid: where a key leads, which cells a selection covers, and what a paste from a spreadsheet changes.
import { member, type AttributeValue, type Item, type TypeName } from '../api/attribute_value.ts';
import { same } from '../requests/guarded_write.ts';
import { editText, readCell } from './cell_text.ts';

export interface Place {
  row: number;
  column: number;
}

export interface Range {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export const rangeOf = (a: Place, b: Place): Range => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.column, b.column),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.column, b.column),
});

export const covers = ({ top, left, bottom, right }: Range, { row, column }: Place) => row >= top && row <= bottom && column >= left && column <= right;
export const isOne = ({ top, left, bottom, right }: Range) => top === bottom && left === right;

const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0] };

// Where a key leads from a cell; null if it does not move.
export function moved({ row, column }: Place, { key, ctrlKey }: KeyboardEvent, rows: number, columns: number): Place | null {
  const step = steps[key];
  if (step) return { row: row + step[0], column: column + step[1] };
  if (key === 'Home') return { row: ctrlKey ? 0 : row, column: 0 };
  return key === 'End' ? { row: ctrlKey ? rows - 1 : row, column: columns - 1 } : null;
}

// For a spreadsheet: cells with tabs between them, a line for each row; quotes where a value has either.
export const asRows = (items: Item[], columns: string[]) =>
  items.map((item) => columns.map((name) => tabbed(editText(member(item, name)))).join('\t')).join('\n');

const tabbed = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

// What a spreadsheet puts into the clipboard. The line end behind the last row is none of it.
export function readRows(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  const whole = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  while (at <= whole.length) {
    const quoted = /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(whole.slice(at));
    const cell = quoted ? quoted[0] : /^[^\t\n]*/.exec(whole.slice(at))![0];
    rows.at(-1)!.push(quoted ? quoted[1]!.replace(/""/g, '"') : cell);
    at += cell.length;
    if (whole[at] === '\n') rows.push([]);
    at += 1;
  }
  return rows;
}

export interface CellEdit {
  item: Item;
  changes: { name: string; before?: AttributeValue; after?: AttributeValue }[];
}

export interface Sheet {
  rows: Item[];
  columns: string[];
  keys: string[];
  typeOfNew?: (column: string) => TypeName | undefined;
  locked?: (item: Item, column: string) => string | null;
}

// What one cell becomes; undefined: it stays. Throws Error for people.
function changed({ keys, typeOfNew, locked }: Sheet, item: Item, name: string, text: string): CellEdit['changes'][number] | undefined {
  const before = member(item, name);
  if (text === editText(before)) return undefined;
  if (keys.includes(name)) throw new Error(`${name} is part of the key and cannot change.`);
  const why = locked?.(item, name) ?? null;
  if (why !== null) throw new Error(why);
  if (text === '') return before ? { name, before } : undefined;
  const after = readCell(text, before, typeOfNew?.(name));
  return same(before, after) ? undefined : { name, ...(before ? { before } : {}), after };
}

// The cells of a clipboard over those of a grid, from the first selected one; a single cell fills the selection. Rows behind the last item
// become new items. Throws Error for people, and then changes nothing.
export function pasteOver(sheet: Sheet, range: Range, cells: string[][]): { edits: CellEdit[]; added: Item[] } {
  const { rows, columns, keys, typeOfNew } = sheet;
  const single = cells.length === 1 && cells[0]!.length === 1;
  const height = single ? range.bottom - range.top + 1 : cells.length;
  const width = single ? range.right - range.left + 1 : Math.max(...cells.map((row) => row.length));
  const names = columns.slice(range.left, range.left + width);
  if (names.length < width) throw new Error(`The clipboard has ${width} columns, but only ${names.length} begin here.`);
  const edits: CellEdit[] = [];
  const added: Item[] = [];
  for (let at = 0; at < height; ++at) {
    const texts = single ? names.map(() => cells[0]![0]!) : cells[at]!;
    const item = rows[range.top + at];
    if (item) {
      const changes = names.flatMap((name, i) => changed(sheet, item, name, texts[i] ?? '') ?? []);
      if (changes.length > 0) edits.push({ item, changes });
      continue;
    }
    const missing = keys.filter((key) => !names.includes(key));
    if (missing.length > 0) throw new Error(`Rows behind the last item become new items, and these lack ${missing.join(' and ')}. Paste them from the first column on.`);
    added.push(Object.fromEntries(names.flatMap((name, i) => (texts[i] ? [[name, readCell(texts[i], undefined, typeOfNew?.(name))] as const] : []))));
  }
  return { edits, added };
}

// The selected attributes removed; keys stay.
export const clearedCells = (sheet: Sheet, range: Range): CellEdit[] => pasteOver(sheet, range, [['']]).edits;
