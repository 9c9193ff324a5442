// A table of figures that scrolls by itself when it is wider than its place.
import type { ComponentChildren } from 'preact';

export type Column = string | { title: string; number: true };

interface Props {
  label: string;
  columns: Column[]; // A number stands at the right.
  caption?: string;
  class?: string;
  children: ComponentChildren; // The rows.
}

export const number = (title: string): Column => ({ title, number: true });

function Heading({ column }: { column: Column }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  return (
    <th scope="col" class="number">
      {column.title}
    </th>
  );
}

export function DataTable({ label, columns, caption, class: kind, children }: Props) {
  return (
    <ScrollBox label={label}>
      <table class={kind ?? 'data-table'}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={typeof column === 'string' ? column : column.title} column={column} />
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
