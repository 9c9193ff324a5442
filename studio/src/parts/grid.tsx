// Items as a table that can be walked with the arrow keys, sorted by a click on a heading, and edited in place.
import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { member, show, typeOf, type AttributeValue, type Item, type TypeName } from '../api/attribute_value.ts';
import type { Model } from '../api/model.ts';
import { colourStyle } from '../design/colours.ts';
import { keyText } from '../design/order.ts';
import { same } from '../requests/guarded_write.ts';
import { CellInput } from './cell_input.tsx';
import { columnsOf, editText } from './cell_text.ts';
import { copyText } from './copy_text.ts';
import { asRows, clearedCells, covers, isOne, moved, pasteOver, rangeOf, readRows, type CellEdit, type Place, type Range, type Sheet } from './grid_cells.ts';
import { Columns, frozenColumns, HeadRow, sorted, typesOf, useWidths, type Frozen, type Sort } from './grid_head.tsx';
import { KeyText } from './key_text.tsx';
import { ValueText } from './value_text.tsx';
import './grid.css';

// The mark before a row: its entity, what is wrong with it, and how its keys are made.
export interface RowMark {
  name: string;
  colour: number;
  problems: string[];
  keyOf(column: string): string | null;
  of?: Model; // The design that names it, if it is not the one that is open.
}

interface Props {
  label: string;
  items: Item[];
  keys: string[]; // Shown first, and marked.
  offered?: string[]; // Columns that are there even if no item has a value yet.
  // Saves one cell and gives null, or what went wrong. Without it the grid is for reading.
  onRefused?: () => void; // A value that was typed into a cell was not taken.
  onEdit?: (item: Item, column: string, value: AttributeValue) => Promise<string | null>;
  typeOfNew?: (column: string) => TypeName | undefined; // Of a value that the item has not got yet.
  // Why a cell cannot be edited in place; null if it can.
  locked?: (item: Item, column: string) => string | null;
  mark?: (item: Item) => RowMark | null;
  onOpen?: (item: Item) => void;
  // Saves cells of several items, and new items; gives null, or what went wrong.
  onChanges?: (edits: CellEdit[], added: Item[]) => Promise<string | null>;
  onStep?: (back: boolean) => void; // Undo, or redo.
  onSelect?: (item: Item, all: Item[]) => void; // The row that has the focus, and all that are selected.
  onEnd?: () => void; // The last row came into sight.
  // The order number of what the last read returned; these rows shine, and the first of them comes into sight.
  lit?: ReadonlyMap<Item, number>;
}

const rowPixels = 31;
const overscan = 12;
const rowsMarked = 200;

// The rows that are in sight, and how to bring one there.
function useWindow(count: number, onEnd: (() => void) | undefined) {
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = innerHeight; // No frame is higher, and it needs no look at the page.
  const first = Math.max(0, Math.min(Math.floor(top.value / rowPixels) - overscan, count - 1));
  const end = Math.min(count, Math.ceil((top.value + height) / rowPixels) + overscan);
  const look = () => {
    const frame = scroller.current!;
    // Every few rows, so that scrolling draws little.
    if (Math.abs(frame.scrollTop - top.peek()) > (overscan / 2) * rowPixels || frame.scrollTop === 0) top.value = frame.scrollTop;
    if (frame.scrollHeight - frame.scrollTop - frame.clientHeight < 20 * rowPixels) onEnd?.();
  };
  // Into the rows that are drawn, or into sight.
  const bring = (row: number, how: 'drawn' | 'nearest' = 'drawn') => {
    const frame = scroller.current!;
    const seen = how === 'drawn' ? row >= first && row < end : row * rowPixels >= frame.scrollTop && (row + 2) * rowPixels <= frame.scrollTop + frame.clientHeight;
    if (seen) return;
    frame.scrollTop = Math.max(0, row * rowPixels - (how === 'drawn' ? height : frame.clientHeight) / 2);
    top.value = frame.scrollTop;
  };
  return { scroller, first, end, look, bring };
}

function cellClass(value: AttributeValue | undefined): string {
  if (!value) return 'absent';
  return 'N' in value ? 'number' : '';
}

function Cell({ value, mark, name, frozen, ...rest }: { value: AttributeValue | undefined; mark: RowMark | null; name: string; frozen: Frozen | undefined } & JSX.HTMLAttributes<HTMLTableCellElement>) {
  const made = mark?.keyOf(name) ?? null;
  const template = made !== null && !/^\{\w+\}$/.test(made) && value && 'S' in value ? made : null;
  return (
    <td class={frozen ? `frozen ${cellClass(value)}` : cellClass(value)} style={frozen} title={value && (show(value).length > 40 || 'M' in value || 'L' in value) ? show(value) : undefined} {...rest}>
      {value && (template ? <KeyText entity={mark!.name} template={template} value={keyText(value)} {...(mark!.of ? { of: mark!.of } : {})} /> : <ValueText value={value} />)}
      {value && !('S' in value || 'N' in value) && <small class="type"> {typeOf(value)}</small>}
    </td>
  );
}

function Mark({ mark }: { mark: RowMark }) {
  return (
    <th scope="row" class="row-mark frozen" style={{ ...colourStyle(mark.colour), left: 0 }} title={mark.problems.join('\n') || undefined}>
      <span class="type-tag">{mark.name}</span>
      {mark.problems.length > 0 && (
        <span class="drift-mark">
          <span aria-hidden="true">≠</span>
          <span class="unseen">does not fit the design</span>
        </span>
      )}
    </th>
  );
}

const is = (place: Place | null, row: number, column: number) => place?.row === row && place.column === column;

function copied({ rows, columns }: Sheet, { top, left, bottom, right }: Range, wholeRows: boolean): string {
  if (!wholeRows && top === bottom && left === right) return editText(member(rows[top]!, columns[left]!));
  return asRows(rows.slice(top, bottom + 1), wholeRows ? columns : columns.slice(left, right + 1));
}

// Changes of all that is selected: from the clipboard, to nothing, or to one value.
function makeChanges(sheet: Sheet, range: () => Range, told: Signal<string>, onChanges: Props['onChanges']) {
  const change = async (make: () => { edits: CellEdit[]; added: Item[] }) => {
    if (!onChanges) return;
    try {
      const { edits, added } = make();
      told.value = (await onChanges(edits, added)) ?? '';
    } catch (error) {
      told.value = `Nothing was written: ${(error as Error).message}`;
    }
  };
  const clear = () => void change(() => ({ edits: clearedCells(sheet, range()), added: [] }));
  const onPaste = (event: ClipboardEvent) => {
    if ((event.target as HTMLElement).dataset['cell'] === undefined || !onChanges) return;
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '') void change(() => pasteOver(sheet, range(), readRows(text)));
  };
  // One value into the column of all selected rows.
  const fill = (name: string, value: AttributeValue): Promise<string | null> => {
    const { top, bottom } = range();
    const edits = sheet.rows.slice(top, bottom + 1).flatMap((item) => {
      const before = member(item, name);
      return same(before, value) ? [] : [{ item, changes: [{ name, ...(before ? { before } : {}), after: value }] }];
    });
    return onChanges!(edits, []);
  };
  return { clear, onPaste, fill };
}

// Which cells are selected, which one is being edited, and what keys, pointer and clipboard do about both.
interface Cells {
  active: Signal<Place>;
  anchor: Signal<Place | null>;
  used: { current: boolean };
  cellAt(place: Place): HTMLElement | null | undefined;
  onSelect?: NonNullable<Props['onSelect']>;
}

// Edited items are other objects; what is selected stays selected. Of fewer rows, others would move under the selection.
function useOtherRows(rows: Item[], { active, anchor, used, cellAt, onSelect }: Cells) {
  const before = useRef(rows.length);
  useEffect(() => {
    if (rows.length < before.current) anchor.value = null;
    before.current = rows.length;
    const { top, bottom } = rangeOf(anchor.peek() ?? active.peek(), active.peek());
    if (anchor.peek() && rows[top]) onSelect?.(rows[top]!, rows.slice(top, bottom + 1));
    // What had the focus is gone with the change: a field in a cell, or a button for the rows.
    const { row, column } = active.peek();
    if (used.current && document.activeElement === document.body) cellAt({ row: Math.min(row, rows.length - 1), column })?.focus({ preventScroll: true });
  }, [rows]);
}

// The cell that has the focus, the cells that are selected, and what keys do to them.
function useCells(rows: Item[], columns: string[], { items, keys, onEdit, onChanges, locked, onOpen, onStep, onSelect, typeOfNew }: Props, bring: (row: number) => void) {
  const active = useSignal<Place>({ row: 0, column: 0 });
  const anchor = useSignal<Place | null>(null); // The other corner of a selection.
  const editing = useSignal<Place | null>(null);
  const told = useSignal('');
  const table = useRef<HTMLTableElement>(null);
  const used = useRef(false); // Somebody has been in a cell.
  // Other items than those that an edit began with: the edit has nothing to refer to.
  useEffect(() => void (editing.value = null), [items]);
  const sheet = { rows, columns, keys, ...(typeOfNew ? { typeOfNew } : {}), ...(locked ? { locked } : {}) };
  const range = () => rangeOf(anchor.peek() ?? active.peek(), active.peek());
  const { clear, onPaste, fill } = makeChanges(sheet, range, told, onChanges);
  const cellAt = ({ row, column }: Place) => table.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
  useOtherRows(rows, { active, anchor, used, cellAt, ...(onSelect ? { onSelect } : {}) });
  const select = (at: Place, extend: boolean) => {
    used.current = true;
    anchor.value = extend ? (anchor.peek() ?? active.peek()) : null;
    active.value = at;
    const { top, bottom } = range();
    if (rows[at.row]) onSelect?.(rows[at.row]!, rows.slice(top, bottom + 1));
  };
  const focus = ({ row, column }: Place, extend = false) => {
    const at = { row: Math.max(0, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(columns.length - 1, column)) };
    select(at, extend);
    bring(at.row);
    if (cellAt(at)) cellAt(at)!.focus();
    else requestAnimationFrame(() => requestAnimationFrame(() => cellAt(at)?.focus()));
  };
  const begin = ({ row, column }: Place) => {
    const item = rows[row];
    const name = columns[column];
    if (!item || name === undefined || !onEdit) return;
    const why = locked?.(item, name) ?? null;
    told.value = why ?? '';
    if (why === null) editing.value = { row, column };
    else if (onOpen && keys.includes(name)) onOpen(item);
  };
  const command = (event: KeyboardEvent): boolean => {
    const key = event.key.toLowerCase();
    if (key === 'c') void copyText(copied(sheet, range(), event.shiftKey));
    else if (key === 'a') {
      focus({ row: 0, column: 0 });
      select({ row: rows.length - 1, column: columns.length - 1 }, true);
    } else if ((key === 'y' || key === 'z') && onStep) onStep(key === 'z' && !event.shiftKey);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = active.peek();
    if ((event.target as HTMLElement).dataset['cell'] === undefined) return;
    const to = moved(at, event, rows.length, columns.length);
    const opens = onOpen && (!onEdit || keys.includes(columns[at.column]!));
    if (to) focus(to, event.shiftKey);
    else if (event.ctrlKey || event.metaKey) {
      if (!command(event)) return;
    } else if (event.key === 'F2') begin(at);
    else if (event.key === 'Delete' && onChanges) clear();
    else if (event.key === 'Enter') opens ? onOpen(rows[at.row]!) : begin(at);
    else return;
    event.preventDefault();
  };
  const stop = () => {
    const at = editing.peek();
    editing.value = null;
    if (at) requestAnimationFrame(() => focus(at));
  };
  return { active, anchor, editing, told, table, focus, select, begin, fill, onKeyDown, onPaste, stop };
}

// Why a cell cannot be edited.
function Told({ text }: { text: string }) {
  return (
    <p class="grid-told" role="status">
      {text}
    </p>
  );
}

function Spacer({ rows }: { rows: number }) {
  return rows > 0 ? <tr class="spacer" aria-hidden="true" style={{ height: `${rows * rowPixels}px` }} /> : null;
}

// Brings the first lit row into sight, and gives what makes a row shine.
function useLit(rows: Item[], lit: Props['lit'], bring: (row: number, how: 'nearest') => void) {
  useEffect(() => {
    const firstLit = lit ? rows.findIndex((item) => lit.has(item)) : -1;
    if (firstLit >= 0) bring(firstLit, 'nearest');
  }, [lit]);
  return (item: Item) => (lit?.has(item) ? { 'data-lit': lit.get(item), style: { '--order': `'${lit.get(item)}'` } } : {});
}

// Of the rows in sight, and enough others for the width of the column.
function marksOf(mark: Props['mark'], items: Item[]) {
  const marks = new Map(mark ? items.map((item) => [item, mark(item)]) : []);
  const all = [...marks.values()];
  return { marks, marked: all.some((one) => one !== null), markWidth: Math.max(0, ...all.map((one) => (one ? one.name.length * 7 + 66 : 0))) };
}

export function Grid(props: Props) {
  const { label, items, keys, mark, onEdit, onChanges, onOpen } = props;
  const sort = useSignal<Sort | null>(null);
  const columns = useMemo(() => columnsOf(items, keys, props.offered), [items, keys.join(), props.offered?.join()]);
  const rows = useMemo(() => sorted(items, sort.value), [items, sort.value]);
  const types = useMemo(() => typesOf(columns, items), [columns, items]);
  const { scroller, first, end, look, bring } = useWindow(rows.length, props.onEnd);
  const { active, anchor, editing, told, table, focus, select, begin, fill, onKeyDown, onPaste, stop } = useCells(rows, columns, props, bring);
  const { widths, widthNow } = useWidths(columns, items, keys);
  const litRow = useLit(rows, props.lit, bring);
  const { marks, marked, markWidth } = marksOf(mark, [...rows.slice(first, end), ...items.slice(0, rowsMarked)]);
  const frozen = frozenColumns(columns, keys, marked ? markWidth : 0, widthNow);
  const selection = rangeOf(anchor.value ?? active.value, active.value);
  const several = !isOne(selection);
  const save = (item: Item, name: string, value: AttributeValue, all: boolean) =>
    (all && onChanges ? fill(name, value) : onEdit!(item, name, value)).then((trouble) => (trouble === null ? (stop(), null) : trouble));
  const cell = (item: Item, name: string, row: number, column: number) => {
    const value = member(item, name);
    if (is(editing.value, row, column)) {
      return (
        <td key={name} class="editing">
          <CellInput value={value} type={props.typeOfNew?.(name)} label={`${name} of row ${row + 1}`} cancel={stop} onRefused={props.onRefused} save={(changed, all) => save(item, name, changed, all)} />
        </td>
      );
    }
    return (
      <Cell
        key={name}
        value={value}
        name={name}
        mark={marks.get(item) ?? null}
        frozen={frozen.get(name)}
        data-cell={`${row}:${column}`}
        tabIndex={is(active.value, row, column) ? 0 : -1}
        aria-selected={several && covers(selection, { row, column }) ? true : undefined}
        onFocus={() => is(active.peek(), row, column) || select({ row, column }, false)}
        onPointerDown={(event) => event.button === 0 && focus({ row, column }, event.shiftKey)}
        onPointerEnter={(event) => event.buttons === 1 && event.pointerType === 'mouse' && !editing.peek() && select({ row, column }, true)}
        onDblClick={() => (keys.includes(name) && onOpen ? onOpen(item) : begin({ row, column }))}
      />
    );
  };
  return (
    <div class="grid-frame">
      <Told text={told.value} />
      <div class="grid-scroll scrolls-x" tabIndex={-1} ref={scroller} onScroll={look}>
        <table role="grid" aria-label={label} aria-rowcount={rows.length + 1} ref={table} aria-multiselectable="true" onKeyDown={onKeyDown} onPaste={onPaste} class="grid">
          <Columns widths={[...(marked ? [markWidth] : []), ...columns.map(widthNow)]} />
          <thead>
            <HeadRow {...{ columns, keys, types, frozen, sort, marked, widths, widthNow }} />
          </thead>
          <tbody>
            <Spacer rows={first} />
            {rows.slice(first, end).map((item, at) => {
              const row = first + at;
              return (
                <tr key={keys.map((name) => JSON.stringify(member(item, name))).join()} aria-rowindex={row + 2} {...litRow(item)}>
                  {marked && <Mark mark={marks.get(item)!} />}
                  {columns.map((name, column) => cell(item, name, row, column))}
                </tr>
              );
            })}
            <Spacer rows={rows.length - end} />
          </tbody>
        </table>
      </div>
    </div>
  );
}
