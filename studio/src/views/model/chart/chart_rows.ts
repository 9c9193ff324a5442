// The entity chart: for each table its entities and how each key is made.
import type { ItemLayout, Model, ModelTable } from '../../../api/model.ts';
import { entityColour } from '../../../design/colours.ts';
import { keyTemplate } from '../../../design/key_template.ts';

export interface KeyColumn {
  attribute: string; // PK, GSI1SK, …
  view: string; // The table's or index's name.
  role: 'partition' | 'sort';
}

// null: the item has no such attribute, so it is not in that index.
export interface ChartRow {
  entity: string;
  lock?: string; // The attribute that this item keeps unique.
  line: number;
  colour: number;
  cells: (string | null)[];
  other: { name: string; text: string }[]; // Attributes that hold copies, maps and lists.
}

export interface Chart {
  table: string;
  columns: KeyColumn[];
  rows: ChartRow[];
}

export function chartOf(model: Model): Chart[] {
  return model.tables.map((table) => {
    const columns = columnsOf(table);
    const keyNames = new Set(columns.map((column) => column.attribute));
    const rows = table.items.flatMap((layout) => {
      const at = model.entities.findIndex((entity) => entity.name === layout.entity);
      const row = {
        entity: layout.entity,
        line: model.entities[at]?.line ?? 0,
        colour: entityColour(model, layout.entity),
        cells: columns.map((column) => keyTemplate(model, layout, column.attribute)),
        other: layout.attributes.filter((attribute) => !keyNames.has(attribute.name)).map(describeMember),
      };
      const locks = (layout.uniqueByLock ?? []).map((lock) => ({
        ...row,
        lock,
        cells: columns.map(({ view }) => (view === table.name ? `UNIQUE#${layout.entity}#${lock}#{${lock}}` : null)),
        other: [],
      }));
      return [row, ...locks];
    });
    return { table: table.name, columns, rows };
  });
}

export function columnsOf(table: ModelTable): KeyColumn[] {
  const columns: KeyColumn[] = [{ attribute: table.partition, view: table.name, role: 'partition' }];
  if (table.sort) columns.push({ attribute: table.sort, view: table.name, role: 'sort' });
  for (const index of table.indexes) {
    // A local index has the table's partition key.
    if (!index.local) columns.push(...index.partition.map((attribute) => ({ attribute, view: index.name, role: 'partition' as const })));
    columns.push(...index.sort.map((attribute) => ({ attribute, view: index.name, role: 'sort' as const })));
  }
  return columns;
}

function describeMember({ name, kind, of, by, keptBy, members, template }: ItemLayout['attributes'][number]): { name: string; text: string } {
  if (kind === 'template') return { name, text: `"${template ?? ''}"` };
  if (kind === 'attribute') return { name, text: template ?? name };
  const parts = [`${kind} of ${of ?? ''}`];
  if (by) parts.push(`by ${by}`);
  if (members && members.length > 0) parts.push(`(${members.join(', ')})`);
  if (keptBy) parts.push(`kept by ${keptBy}`);
  return { name, text: parts.join(' ') };
}
