// A table of figures that scrolls by itself when it is wider than its place. On a narrow screen each row becomes a card, in which
// every figure stands below the title of its column.
import type { ComponentChildren } from 'preact';

export type Column = string | { title: string; number?: true; bare?: true };

interface Props {
  label: string;
  columns: Column[]; // A number stands at the right; a bare one needs no title in a card.
  columnsStay?: boolean; // Few and short: no cards.
  caption?: string;
  class?: string;
  children: ComponentChildren; // The rows.
}

export const number = (title: string): Column => ({ title, number: true });
export const bare = (title: string): Column => ({ title, bare: true });

const titleOf = (column: Column) => (typeof column === 'string' ? column : column.title);
// As texts that the style sheet puts before the cells.
const titles = (columns: Column[]) =>
  Object.fromEntries(columns.map((column, at) => [`--column-${at + 1}`, typeof column === 'object' && column.bare ? "''" : JSON.stringify(titleOf(column))]));

function Heading({ column }: { column: Column }) {
  return (
    <th scope="col" class={typeof column === 'object' && column.number ? 'number' : undefined}>
      {titleOf(column)}
    </th>
  );
}

export function DataTable({ label, columns, columnsStay = false, caption, class: kind = 'data-table', children }: Props) {
  return (
    <ScrollBox label={label}>
      <table class={columnsStay ? kind : `${kind} stacks`} style={columnsStay ? undefined : titles(columns)}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={titleOf(column)} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollBox>
  );
}

// Reached by Tab, so that the arrow keys scroll it.
export function ScrollBox({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scrolls-x" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
