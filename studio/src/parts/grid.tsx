// Items as a table that can be walked with the arrow keys, sorted by a click on a heading, and edited in place.
import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { member, show, typeOf, type AttributeValue, type Item, type TypeName } from '../api/attribute_value.ts';
import type { Model } from '../api/model.ts';
import { colourStyle } from '../design/colours.ts';
import { keyText } from '../design/order.ts';
import { columnsOf, compareCells, editText, readCell } from './cell_text.ts';
import { copyText } from './copy_text.ts';
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
  onEdit?: (item: Item, column: string, value: AttributeValue) => Promise<string | null>;
  typeOfNew?: (column: string) => TypeName | undefined; // Of a value that the item has not got yet.
  // Why a cell cannot be edited in place; null if it can.
  locked?: (item: Item, column: string) => string | null;
  mark?: (item: Item) => RowMark | null;
  onOpen?: (item: Item) => void;
  onSelect?: (item: Item) => void; // The row that has the focus.
  onEnd?: () => void; // The last row came into sight.
  // The order number of what the last read returned; these rows shine, and the first of them comes into sight.
  lit?: ReadonlyMap<Item, number>;
}

export interface Sort {
  column: string;
  down: boolean;
}

export function sorted(items: Item[], sort: Sort | null): Item[] {
  if (!sort) return items;
  const sign = sort.down ? -1 : 1;
  return [...items].sort((a, b) => {
    const [left, right] = [member(a, sort.column), member(b, sort.column)];
    // Missing values stay last in both directions.
    return left && right ? sign * compareCells(left, right) : compareCells(left, right);
  });
}

function Heading({ name, isKey, isNumber, sort, width, onSort, onWidth }: { name: string; isKey: boolean; isNumber: boolean; sort: Sort | null; width: number; onSort: () => void; onWidth: (width: number) => void }) {
  const order = sort?.column === name ? (sort.down ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" aria-sort={order} class={[isKey && 'key', isNumber && 'number'].filter(Boolean).join(' ') || undefined}>
      <button type="button" class="plain" onClick={onSort} title={isKey ? 'Part of the key' : undefined}>
        {name} {order === 'ascending' ? '▲' : order === 'descending' ? '▼' : ''}
      </button>
      <span class="column-edge" aria-hidden="true" title="Drag to make the column wider" onPointerDown={(event) => drag(event, width, onWidth)} />
    </th>
  );
}

// Follows the pointer until it is let go.
function drag(begin: PointerEvent, width: number, onWidth: (width: number) => void): void {
  begin.preventDefault();
  const edge = begin.currentTarget as HTMLElement;
  edge.setPointerCapture(begin.pointerId);
  edge.onpointermove = ({ clientX }) => onWidth(Math.max(48, width + clientX - begin.clientX));
  edge.onpointerup = () => (edge.onpointermove = null);
}

const rowPixels = 31;
const rowsLookedAt = 200; // For the width of a column.
const overscan = 12;

function widthOf(name: string, items: Item[], isKey: boolean): number {
  const longest = Math.max(0, ...items.slice(0, rowsLookedAt).map((item) => (member(item, name) ? Math.min(isKey ? 44 : 32, show(member(item, name)!).length) : 0)));
  return Math.round(Math.max(longest * 7.9, name.length * 7.2 + 14) + 26);
}

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

function CellInput({ value, type, label, save, cancel }: { value: AttributeValue | undefined; type: TypeName | undefined; label: string; save: (value: AttributeValue) => Promise<string | null>; cancel: () => void }) {
  const problem = useSignal('');
  const ended = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const commit = async (text: string) => {
    if (ended.current) return;
    if (text === editText(value)) return cancel();
    try {
      const trouble = await save(readCell(text, value, type));
      if (trouble) problem.value = trouble;
      else ended.current = true;
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <>
      <input
        aria-label={label}
        aria-invalid={problem.value !== ''}
        defaultValue={editText(value)}
        ref={input}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') void commit(event.currentTarget.value);
          if (event.key === 'Escape') cancel();
        }}
      />
      {problem.value && (
        <span role="alert" class="cell-problem">
          {problem.value}
        </span>
      )}
    </>
  );
}

function cellClass(value: AttributeValue | undefined): string {
  if (!value) return 'absent';
  return 'N' in value ? 'number' : '';
}

interface Place {
  row: number;
  column: number;
}

const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0] };

// Where a key leads from a cell; null if it does not move.
function moved({ row, column }: Place, event: KeyboardEvent, rows: number, columns: number): Place | null {
  const step = steps[event.key];
  if (step) return { row: row + step[0], column: column + step[1] };
  if (event.key === 'Home') return { row: event.ctrlKey ? 0 : row, column: 0 };
  return event.key === 'End' ? { row: event.ctrlKey ? rows - 1 : row, column: columns - 1 } : null;
}

function Cell({ value, mark, name, ...rest }: { value: AttributeValue | undefined; mark: RowMark | null; name: string } & JSX.HTMLAttributes<HTMLTableCellElement>) {
  const made = mark?.keyOf(name) ?? null;
  const template = made !== null && !/^\{\w+\}$/.test(made) && value && 'S' in value ? made : null;
  return (
    <td class={cellClass(value)} title={value && (show(value).length > 40 || 'M' in value || 'L' in value) ? show(value) : undefined} {...rest}>
      {value && (template ? <KeyText entity={mark!.name} template={template} value={keyText(value)} {...(mark!.of ? { of: mark!.of } : {})} /> : <ValueText value={value} />)}
      {value && !('S' in value || 'N' in value) && <small class="type"> {typeOf(value)}</small>}
    </td>
  );
}

function Mark({ mark }: { mark: RowMark }) {
  return (
    <th scope="row" class="row-mark" style={colourStyle(mark.colour)} title={mark.problems.join('\n') || undefined}>
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

const turned = (now: Sort | null, column: string): Sort | null =>
  now?.column !== column ? { column, down: false } : now.down ? null : { column, down: true };

// Which cell has the focus, which one is being edited, and what the keys do about both.
function useCells(rows: Item[], columns: string[], { items, keys, onEdit, locked, onOpen }: Props, bring: (row: number) => void) {
  const active = useSignal<Place>({ row: 0, column: 0 });
  const editing = useSignal<Place | null>(null);
  const told = useSignal('');
  const table = useRef<HTMLTableElement>(null);
  // Other items than those that an edit began with: the edit has nothing to refer to.
  useEffect(() => void (editing.value = null), [items]);
  const focus = ({ row, column }: Place) => {
    const at = { row: Math.max(0, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(columns.length - 1, column)) };
    active.value = at;
    bring(at.row);
    const give = () => (table.current?.querySelector(`[data-cell="${at.row}:${at.column}"]`) as HTMLElement | null)?.focus();
    if (table.current?.querySelector(`[data-cell="${at.row}:${at.column}"]`)) give();
    else requestAnimationFrame(() => requestAnimationFrame(give));
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
  const onKeyDown = (event: KeyboardEvent) => {
    const at = active.peek();
    if ((event.target as HTMLElement).dataset['cell'] === undefined) return;
    const to = moved(at, event, rows.length, columns.length);
    const opens = onOpen && (!onEdit || keys.includes(columns[at.column]!));
    const cell = member(rows[at.row]!, columns[at.column]!);
    if (to) focus(to);
    else if (event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey)) void copyText(event.shiftKey ? asRows([rows[at.row]!], columns) : editText(cell));
    else if (event.key === 'F2') begin(at);
    else if (event.key === 'Enter') opens ? onOpen(rows[at.row]!) : begin(at);
    else return;
    event.preventDefault();
  };
  const stop = () => {
    const at = editing.peek();
    editing.value = null;
    if (at) requestAnimationFrame(() => focus(at));
  };
  return { active, editing, told, table, focus, begin, onKeyDown, stop };
}

// For a spreadsheet: cells with tabs between them, a line for each row.
export const asRows = (items: Item[], columns: string[]) => items.map((item) => columns.map((name) => editText(member(item, name)).replace(/[\t\n]/g, ' ')).join('\t')).join('\n');

interface HeadProps {
  columns: string[];
  keys: string[];
  numbers: Set<string>;
  sort: Signal<Sort | null>;
  marked: boolean;
  widths: Signal<Record<string, number>>;
  widthNow: (name: string) => number;
}

function HeadRow({ columns, keys, numbers, sort, marked, widths, widthNow }: HeadProps) {
  return (
    <tr>
      {marked && (
        <th scope="col" class="row-mark">
          Entity
        </th>
      )}
      {columns.map((name) => (
        <Heading
          key={name}
          name={name}
          isKey={keys.includes(name)}
          isNumber={numbers.has(name)}
          sort={sort.value}
          width={widthNow(name)}
          onSort={() => (sort.value = turned(sort.peek(), name))}
          onWidth={(width) => (widths.value = { ...widths.peek(), [name]: width })}
        />
      ))}
    </tr>
  );
}

// As wide as their values, until somebody drags an edge.
function useWidths(columns: string[], items: Item[], keys: string[]) {
  const widths = useSignal<Record<string, number>>({});
  const measured = useMemo(() => new Map(columns.map((name) => [name, widthOf(name, items, keys.includes(name))])), [items, columns.join()]);
  return { widths, widthNow: (name: string) => member(widths.value, name) ?? measured.get(name)! };
}

// What is left goes behind the last one.
function Columns({ widths }: { widths: number[] }) {
  return (
    <colgroup>
      {widths.map((width, at) => (
        <col key={at} style={{ width: `${width}px` }} />
      ))}
      <col />
    </colgroup>
  );
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

export function Grid(props: Props) {
  const { label, items, keys, mark, onEdit, onOpen, onSelect } = props;
  const sort = useSignal<Sort | null>(null);
  const columns = columnsOf(items, keys, props.offered);
  const rows = sorted(items, sort.value);
  const { scroller, first, end, look, bring } = useWindow(rows.length, props.onEnd);
  const { active, editing, told, table, focus, begin, onKeyDown, stop } = useCells(rows, columns, props, bring);
  const { widths, widthNow } = useWidths(columns, items, keys);
  // Figures stand at the right, so their heading does too.
  const litRow = useLit(rows, props.lit, bring);
  const numbers = new Set(columns.filter((name) => items.every((item) => !member(item, name) || 'N' in item[name]!)));
  const marks = new Map(mark ? items.map((item) => [item, mark(item)]) : []);
  const marked = [...marks.values()].some((one) => one !== null);
  const markWidth = Math.max(0, ...[...marks.values()].map((one) => (one ? one.name.length * 7 + 66 : 0)));
  const save = (item: Item, name: string, value: AttributeValue) => onEdit!(item, name, value).then((trouble) => (trouble === null ? (stop(), null) : trouble));
  const cell = (item: Item, name: string, row: number, column: number) => {
    const value = member(item, name);
    if (is(editing.value, row, column)) {
      return (
        <td key={name} class="editing">
          <CellInput value={value} type={props.typeOfNew?.(name)} label={`${name} of row ${row + 1}`} cancel={stop} save={(changed) => save(item, name, changed)} />
        </td>
      );
    }
    return (
      <Cell
        key={name}
        value={value}
        name={name}
        mark={marks.get(item) ?? null}
        data-cell={`${row}:${column}`}
        tabIndex={is(active.value, row, column) ? 0 : -1}
        onFocus={() => {
          active.value = { row, column };
          onSelect?.(item);
        }}
        onClick={() => focus({ row, column })}
        onDblClick={() => (keys.includes(name) && onOpen ? onOpen(item) : begin({ row, column }))}
      />
    );
  };
  return (
    <div class="grid-frame">
      <Told text={told.value} />
      <div class="grid-scroll scrolls-x" tabIndex={-1} ref={scroller} onScroll={look}>
        <table role="grid" aria-label={label} aria-rowcount={rows.length + 1} ref={table} onKeyDown={onKeyDown} class="grid">
          <Columns widths={[...(marked ? [markWidth] : []), ...columns.map(widthNow)]} />
          <thead>
            <HeadRow {...{ columns, keys, numbers, sort, marked, widths, widthNow }} />
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
