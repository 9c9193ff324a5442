// Access patterns: how each is served, what it costs, and which table or index it reads.
import { model, plan, source } from '../../../design/design.ts';
import { fixed } from '../../../design/fixes.ts';
import { propose } from '../../../design/proposal.ts';
import { cost } from '../../../design/figures.ts';
import { linkTo, route, setQuery } from '../../../app/route.ts';
import { bare, DataTable, number, ScrollBox } from '../../../parts/data_table.tsx';
import { count, money, rate } from '../../../parts/numbers.ts';
import { Instructions, Prose } from '../../../parts/prose.tsx';
import { reveal } from '../editor/handle.ts';
import { Writes } from './writes.tsx';
import { coverageOf, patternRows, type PatternRow } from './pattern_rows.ts';

function Details({ row }: { row: PatternRow }) {
  return (
    <tr class="plan-details" id={`details-${row.name}`}>
      <td colSpan={6}>
        <pre>{row.why.replace(/^ {2}/gm, '')}</pre>
      </td>
    </tr>
  );
}

// The planner's proposal as a change of the text.
function Serve({ row }: { row: PatternRow }) {
  const text = row.fix && fixed(source.value, row.fix);
  if (!text) return null;
  return <button onClick={() => void propose(`Serve ${row.name}`, text)}>Apply this…</button>;
}

function Pattern({ row }: { row: PatternRow }) {
  const open = route.value.query['pattern'] === row.name;
  return (
    <>
      <tr class={row.served ? undefined : 'unserved'}>
        <th scope="row">
          <button class="quiet" title="Show it in the text" onClick={() => row.line > 0 && reveal({ line: row.line })}>
            {row.name}
          </button>
        </th>
        <td class="pattern-plan">
          <strong>{row.title}</strong>
          {row.served ? (
            row.plan.map((line) => <code key={line}>{line}</code>)
          ) : (
            <>
              <p class="bad">
                Not served: <Prose text={row.why} />
              </p>
              <Serve row={row} />
              {row.proposal && (
                <div class="proposed">
                  To serve it: <Instructions text={row.proposal} />
                </div>
              )}
            </>
          )}
          <div class="pattern-links">
            {row.served && <span class="hint">{row.consistency}</span>}
            {row.served && <a href={linkTo('items', [], row.link)}>Light it up</a>}
            {row.served && (
              <button
                class="quiet"
                aria-expanded={open}
                aria-controls={`details-${row.name}`}
                onClick={() => setQuery({ pattern: open ? undefined : row.name }, { replace: true })}
              >
                Why this plan?
              </button>
            )}
          </div>
        </td>
        <td class="number">{row.served ? count(row.requests) : ''}</td>
        <td class="number">{row.served ? count(row.units) : ''}</td>
        <td class="number">{rate(row.ratePerSecond)}</td>
        <td class="number">{row.served && row.moneyPerMonth !== null ? money(row.moneyPerMonth) : ''}</td>
      </tr>
      {open && row.served && <Details row={row} />}
    </>
  );
}

function CoverageGrid() {
  const coverage = coverageOf(model.value!, plan.value!);
  return (
    <section aria-label="Coverage">
      <h2>Which table or index serves what</h2>
      <p class="hint">An empty row is a pattern that nothing serves; an empty column is an index that nothing uses.</p>
      <ScrollBox label="Patterns by table and index">
        <table class="data-table coverage">
          <thead>
            <tr>
              <th scope="col">Pattern</th>
              {coverage.views.map(({ table, index, idle }) => (
                <th scope="col" key={`${table}.${index ?? ''}`} class={idle ? 'idle' : undefined}>
                  {index === null ? table : `${table}.${index}`}
                  {idle && <span class="chart-role">nothing uses it</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {coverage.rows.map((row) => (
              <tr key={row.name} class={row.served ? undefined : 'unserved'}>
                <th scope="row" title={row.title}>
                  {row.name}
                </th>
                {row.cells.map((cell, i) => (
                  <td key={i} class={cell ? 'covered' : undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}

const columns = ['Name', bare('The access pattern and its plan'), number('Requests'), number('Units'), number('Rate'), number('A month')];

export function PatternsTab() {
  const { value: costs, error } = cost.value;
  if (!model.value || !plan.value) return null;
  const rows = patternRows(model.value, plan.value, costs);
  return (
    <>
      <p class="hint">
        What the application asks, and the requests that answer it. One read unit reads up to 4 KB strongly consistent or 8 KB eventually consistent. Prices are
        on demand, per month, at the rates in the design.
      </p>
      {error && <p class="model-said bad">{error}</p>}
      {rows.length === 0 ? (
        <p>The design has no access patterns yet.</p>
      ) : (
        <DataTable label="Access patterns" columns={columns}>
          {rows.map((row) => (
            <Pattern key={row.name} row={row} />
          ))}
        </DataTable>
      )}
      <Writes />
      {rows.length > 0 && <CoverageGrid />}
    </>
  );
}
