// Items as a table that can be walked with the arrow keys, sorted by a click on a heading, and edited in place.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { show, typeOf, type AttributeValue, type Item } from '../api/attribute_value.ts';
import { columnsOf, compareCells, editText, readCell } from './cell_text.ts';
import './grid.css';

interface Props {
  label: string;
  items: Item[];
  keys: string[]; // Shown first, and marked.
  // Saves one cell and gives null, or what went wrong. Without it the grid is for reading.
  onEdit?: (item: Item, column: string, value: AttributeValue) => Promise<string | null>;
  // Why a cell cannot be edited in place; null if it can.
  locked?: (item: Item, column: string) => string | null;
  onOpen?: (item: Item) => void;
  onSelect?: (item: Item) => void; // The row that has the focus.
}

export interface Sort {
  column: string;
  down: boolean;
}

export function sorted(items: Item[], sort: Sort | null): Item[] {
  if (!sort) return items;
  const sign = sort.down ? -1 : 1;
  return [...items].sort((a, b) => {
    const [left, right] = [a[sort.column], b[sort.column]];
    // Missing values stay last in both directions.
    return left && right ? sign * compareCells(left, right) : compareCells(left, right);
  });
}

function Heading({ name, isKey, isNumber, sort, onSort }: { name: string; isKey: boolean; isNumber: boolean; sort: Sort | null; onSort: () => void }) {
  const order = sort?.column === name ? (sort.down ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" aria-sort={order} class={[isKey && 'key', isNumber && 'number'].filter(Boolean).join(' ') || undefined}>
      <button type="button" class="plain" onClick={onSort} title={isKey ? 'Part of the key' : undefined}>
        {name} {order === 'ascending' ? '▲' : order === 'descending' ? '▼' : ''}
      </button>
    </th>
  );
}

function CellInput({ value, label, save, cancel }: { value: AttributeValue | undefined; label: string; save: (value: AttributeValue) => Promise<string | null>; cancel: () => void }) {
  const problem = useSignal('');
  const ended = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const commit = async (text: string) => {
    if (ended.current) return;
    if (text === editText(value)) return cancel();
    try {
      const trouble = await save(readCell(text, value));
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

export function Grid({ label, items, keys, onEdit, locked, onOpen, onSelect }: Props) {
  const sort = useSignal<Sort | null>(null);
  const active = useSignal({ row: 0, column: 0 });
  const editing = useSignal<{ row: number; column: number } | null>(null);
  const told = useSignal('');
  const body = useRef<HTMLTableElement>(null);
  const columns = columnsOf(items, keys);
  const rows = sorted(items, sort.value);
  // Figures stand at the right, so their heading does too.
  const numbers = new Set(columns.filter((name) => items.every((item) => !item[name] || 'N' in item[name])));
  // Other items than those that an edit began with: the edit has nothing to refer to.
  useEffect(() => void (editing.value = null), [items]);

  const focus = (row: number, column: number) => {
    active.value = { row: Math.max(0, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(columns.length - 1, column)) };
    const { row: r, column: c } = active.value;
    (body.current?.querySelector(`[data-cell="${r}:${c}"]`) as HTMLElement | null)?.focus();
  };
  const begin = (row: number, column: number) => {
    const item = rows[row];
    const name = columns[column];
    if (!item || name === undefined || !onEdit) return;
    const why = locked?.(item, name) ?? null;
    told.value = why ?? '';
    if (why === null) editing.value = { row, column };
    else if (onOpen && keys.includes(name)) onOpen(item);
  };
  const moves: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0] };
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, column } = active.peek();
    if ((event.target as HTMLElement).dataset['cell'] === undefined) return;
    const move = moves[event.key];
    if (move) focus(row + move[0], column + move[1]);
    else if (event.key === 'Home') focus(event.ctrlKey ? 0 : row, 0);
    else if (event.key === 'End') focus(event.ctrlKey ? rows.length - 1 : row, columns.length - 1);
    else if (event.key === 'F2') begin(row, column);
    else if (event.key === 'Enter') {
      if (onOpen && (!onEdit || keys.includes(columns[column]!))) onOpen(rows[row]!);
      else begin(row, column);
    } else return;
    event.preventDefault();
  };
  const stop = () => {
    const at = editing.peek();
    editing.value = null;
    if (at) requestAnimationFrame(() => focus(at.row, at.column));
  };
  const toggleSort = (name: string) => {
    const now = sort.peek();
    sort.value = now?.column !== name ? { column: name, down: false } : now.down ? null : { column: name, down: true };
  };

  return (
    <div class="grid-frame">
      <p class="grid-told" role="status">
        {told.value}
      </p>
      <div class="grid-scroll scrolls-x" tabIndex={-1}>
        <table role="grid" aria-label={label} aria-rowcount={rows.length + 1} ref={body} onKeyDown={onKeyDown} class="grid">
          <thead>
            <tr>
              {columns.map((name) => (
                <Heading key={name} name={name} isKey={keys.includes(name)} isNumber={numbers.has(name)} sort={sort.value} onSort={() => toggleSort(name)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((item, row) => (
              <tr key={keys.map((name) => JSON.stringify(item[name])).join()}>
                {columns.map((name, column) => {
                  const value = item[name];
                  const at = editing.value;
                  if (at?.row === row && at.column === column) {
                    return (
                      <td key={name} class="editing">
                        <CellInput
                          value={value}
                          label={`${name} of row ${row + 1}`}
                          cancel={stop}
                          save={async (changed) => {
                            const trouble = await onEdit!(item, name, changed);
                            if (trouble === null) stop();
                            return trouble;
                          }}
                        />
                      </td>
                    );
                  }
                  const here = active.value.row === row && active.value.column === column;
                  return (
                    <td
                      key={name}
                      class={cellClass(value)}
                      data-cell={`${row}:${column}`}
                      tabIndex={here ? 0 : -1}
                      title={value && show(value).length > 40 ? show(value) : undefined}
                      onFocus={() => {
                        active.value = { row, column };
                        onSelect?.(item);
                      }}
                      onClick={() => focus(row, column)}
                      onDblClick={() => (keys.includes(name) && onOpen ? onOpen(item) : begin(row, column))}
                    >
                      {value ? show(value) : ''}
                      {value && !('S' in value || 'N' in value) && <small class="type"> {typeOf(value)}</small>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
