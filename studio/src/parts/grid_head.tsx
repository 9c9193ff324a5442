// The headings of a grid: sorting, widths, types, and the columns that stay while the others scroll.
import { useSignal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { member, show, typeOf, type Item } from '../api/attribute_value.ts';
import { compareCells } from './cell_text.ts';

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

export type Frozen = { left: number };

const frozenKeys = 2; // More would leave no room for what scrolls.

// Keys stay at the left, behind the mark.
export function frozenColumns(columns: string[], keys: string[], markWidth: number, widthNow: (name: string) => number): Map<string, Frozen> {
  const frozen = new Map<string, Frozen>();
  let left = markWidth;
  for (const name of columns.slice(0, frozenKeys)) {
    if (!keys.includes(name)) break;
    frozen.set(name, { left });
    left += widthNow(name);
  }
  return frozen;
}

// The types that a column has, the usual one first.
export function typesOf(columns: string[], items: Item[]): Map<string, string> {
  return new Map(
    columns.map((name) => {
      const counts = new Map<string, number>();
      for (const item of items) {
        const value = member(item, name);
        if (value) counts.set(typeOf(value), (counts.get(typeOf(value)) ?? 0) + 1);
      }
      return [name, [...counts].sort((a, b) => b[1] - a[1]).map(([type]) => type).join(' ')];
    }),
  );
}

function Heading({ name, isKey, isNumber, types, frozen, sort, width, onSort, onWidth }: { name: string; isKey: boolean; isNumber: boolean; types: string; frozen: Frozen | undefined; sort: Sort | null; width: number; onSort: () => void; onWidth: (width: number) => void }) {
  const order = sort?.column === name ? (sort.down ? 'descending' : 'ascending') : 'none';
  return (
    <th scope="col" aria-sort={order} class={[isKey && 'key', isNumber && 'number', frozen && 'frozen'].filter(Boolean).join(' ') || undefined} style={frozen}>
      <button type="button" class="plain" onClick={onSort} title={`Sort the loaded rows by ${name}. ${isKey ? 'Part of the key. ' : ''}Type: ${types || 'none yet'}`} data-types={types}>
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

const turned = (now: Sort | null, column: string): Sort | null =>
  now?.column !== column ? { column, down: false } : now.down ? null : { column, down: true };

interface HeadProps {
  columns: string[];
  keys: string[];
  types: Map<string, string>;
  frozen: Map<string, Frozen>;
  sort: Signal<Sort | null>;
  marked: boolean;
  widths: Signal<Record<string, number>>;
  widthNow: (name: string) => number;
}

export function HeadRow({ columns, keys, types, frozen, sort, marked, widths, widthNow }: HeadProps) {
  return (
    <tr>
      {marked && (
        <th scope="col" class="row-mark frozen" style={{ left: 0 }}>
          Entity
        </th>
      )}
      {columns.map((name) => (
        <Heading
          key={name}
          name={name}
          isKey={keys.includes(name)}
          isNumber={['', 'N'].includes(types.get(name) ?? '')} // Figures stand at the right, so their heading does too.
          types={types.get(name) ?? ''}
          frozen={frozen.get(name)}
          sort={sort.value}
          width={widthNow(name)}
          onSort={() => (sort.value = turned(sort.peek(), name))}
          onWidth={(width) => (widths.value = { ...widths.peek(), [name]: width })}
        />
      ))}
    </tr>
  );
}

const lettersMost = 32; // Of a heading; the rest is cut and can be read in its title.
const rowsLookedAt = 200; // For the width of a column.
function widthOf(name: string, items: Item[], isKey: boolean): number {
  const longest = Math.max(0, ...items.slice(0, rowsLookedAt).map((item) => (member(item, name) ? Math.min(isKey ? 44 : 32, show(member(item, name)!).length) : 0)));
  return Math.round(Math.max(longest * 7.9, Math.min(name.length, lettersMost) * 7.2 + 14) + 26);
}

// As wide as their values, until somebody drags an edge.
export function useWidths(columns: string[], items: Item[], keys: string[]) {
  const widths = useSignal<Record<string, number>>({});
  const measured = useMemo(() => new Map(columns.map((name) => [name, widthOf(name, items, keys.includes(name))])), [items, columns.join()]);
  return { widths, widthNow: (name: string) => member(widths.value, name) ?? measured.get(name)! };
}

// What is left goes behind the last one.
export function Columns({ widths }: { widths: number[] }) {
  return (
    <colgroup>
      {widths.map((width, at) => (
        <col key={at} style={{ width: `${width}px` }} />
      ))}
      <col />
    </colgroup>
  );
}
