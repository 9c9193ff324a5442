// The entity chart: one row for each kind of item, one column for each key, and why each key is there.
import { model, plan } from '../../../design/design.ts';
import { route, setQuery } from '../../../app/route.ts';
import { describeKey } from '../../../design/key_reasons.ts';
import { scale, scaledCost } from '../../../design/figures.ts';
import { growthOfKey, swell, type Growth } from '../../../design/growth.ts';
import { bytes, count, percent } from '../../../parts/numbers.ts';
import { KeyText } from '../../../parts/key_text.tsx';
import { RelationalTables } from '../../../parts/relational_tables.tsx';
import { ScrollBox } from '../../../parts/data_table.tsx';
import { reveal } from '../editor/handle.ts';
import { chartOf, type Chart, type KeyColumn, type ChartRow } from './chart_rows.ts';

const roles = { partition: 'partition key', sort: 'sort key' };

function Heading({ table, column }: { table: string; column: KeyColumn }) {
  const id = `${table}.${column.attribute}`;
  const open = route.value.query['key'] === id;
  return (
    <th scope="col">
      <code>{column.attribute}</code>
      <span class="chart-role">
        {roles[column.role]}
        {column.view !== table && ` of ${column.view}`}
      </span>
      <button
        class="quiet"
        aria-expanded={open}
        aria-label={`Why is ${column.attribute} here?`}
        onClick={() => setQuery({ key: open ? undefined : id }, { replace: true })}
      >
        why?
      </button>
    </th>
  );
}

function Reason({ chart }: { chart: Chart }) {
  const [table, ...rest] = (route.value.query['key'] ?? '').split('.');
  const attribute = rest.join('.');
  const use = plan.value?.keys.find((key) => key.table === table && key.attribute === attribute);
  if (!use || table !== chart.table) return null;
  return (
    <div class="reason" role="status">
      <h3>
        Why is <code>{attribute}</code> here?
      </h3>
      {describeKey(model.value!, plan.value!, use).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <button class="quiet" onClick={() => setQuery({ key: undefined }, { replace: true })}>
        Close
      </button>
    </div>
  );
}

// The most used key of this kind, at the scale of the page.
function Grown({ growth }: { growth: Growth | null }) {
  if (!growth) return null;
  return (
    <span class="chart-grown">
      {count(Math.round(growth.items))} {growth.items < 1.5 ? 'item' : 'items'}, {bytes(growth.bytes)}, {percent(growth.utilisation)} of a partition
      <span class="gauge">
        <span class="gauge-fill" style={{ width: `${Math.max(swell(growth.bytes), Math.min(1, growth.utilisation)) * 100}%` }} />
      </span>
      {growth.passed.map((limit) => (
        <strong key={limit} class="bad">
          {limit}
        </strong>
      ))}
    </span>
  );
}

function Layout({ chart, row, nests }: { chart: Chart; row: ChartRow; nests: boolean }) {
  const priced = scale.value > 1 ? scaledCost.value.value : null;
  const growthAt = (i: number): Growth | null => {
    const { role, view } = chart.columns[i]!;
    const template = row.cells[i];
    if (!priced || role !== 'partition' || !template) return null;
    return growthOfKey(priced, view === chart.table ? view : `${chart.table}.${view}`, template);
  };
  return (
    <tr>
      <th scope="row">
        <button class={`entity-chip type-${row.colour}`} onClick={() => row.line > 0 && reveal({ line: row.line })}>
          {row.entity}
        </button>
        {row.lock && <span class="hint"> lock of {row.lock}</span>}
      </th>
      {row.cells.map((template, i) => (
        <td key={i} class={(growthAt(i)?.passed.length ?? 0) > 0 ? 'passed' : undefined}>
          {template === null ? (
            <span class="absent" title="This item is not in the index">
              not in it
            </span>
          ) : (
            <>
              <KeyText entity={row.entity} template={template} />
              <Grown growth={growthAt(i)} />
            </>
          )}
        </td>
      ))}
      {nests && (
        <td class="chart-others">
          {row.other.map(({ name, text }) => (
            <div key={name}>
              <code>{name}</code> = {text}
            </div>
          ))}
        </td>
      )}
    </tr>
  );
}

function ChartTable({ chart }: { chart: Chart }) {
  const nests = chart.rows.some((row) => row.other.length > 0);
  return (
    <section aria-label={`Keys of ${chart.table}`}>
      <h2>{chart.table}</h2>
      <Reason chart={chart} />
      <ScrollBox label={`Key templates of ${chart.table}`}>
        <table class="data-table">
          <thead>
            <tr>
              <th scope="col">Entity</th>
              {chart.columns.map((column) => (
                <Heading key={`${column.view}.${column.attribute}`} table={chart.table} column={column} />
              ))}
              {nests && <th scope="col">Copies and nested</th>}
            </tr>
          </thead>
          <tbody>
            {chart.rows.map((row) => (
              <Layout key={`${row.entity} ${row.lock ?? ''}`} chart={chart} row={row} nests={nests} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}

export function ChartTab() {
  if (!model.value) return null;
  const charts = chartOf(model.value);
  return (
    <>
      <p class="hint">
        How each kind of item makes its keys. Grey is fixed text, a colour is the same value everywhere. Items with the same partition key lie together, in the
        order of the sort key.
      </p>
      {charts.length === 0 && <p>The design has no table yet.</p>}
      {charts.map((chart) => (
        <ChartTable key={chart.table} chart={chart} />
      ))}
      <section aria-label="Relational tables">
        <h2>The same in relational tables</h2>
        <p class="hint">The rows of the sample before the keys are made: a table for each entity, with primary keys (PK) and foreign keys (FK).</p>
        <RelationalTables model={model.value} />
      </section>
    </>
  );
}
