// The cost of the design, and where it breaks when there is more of everything.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { model } from '../../../design/design.ts';
import { scaledCost } from '../../../design/figures.ts';
import { DataTable, number } from '../../../parts/data_table.tsx';
import { Falling } from '../../../parts/falling.tsx';
import { bytes, count, many, money, often, percent, plural } from '../../../parts/numbers.ts';
import type { Cost } from '../../../api/model.ts';
import { collectionBytesMax, itemBytesMax } from '../../../design/sizes.ts';
import { Assumptions } from './assumptions.tsx';
import { fanOuts, heatRows, sizeRows } from './cost_rows.ts';

function Reads({ cost }: { cost: Cost }) {
  return (
    <DataTable label="Reads" caption="Reads" columnsStay columns={['Pattern', number('Read units each'), number('Units a second'), number('A month')]}>
      {cost.patterns.map((pattern) => (
        <tr key={pattern.name} class={pattern.served ? undefined : 'unserved'}>
          <th scope="row">{pattern.name}</th>
          <td class="number">{pattern.served ? count(pattern.readUnits) : 'not supported'}</td>
          <td class="number">{count(pattern.unitsPerSecond)}</td>
          <td class="number">{money(pattern.moneyPerMonth)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function Writes({ cost }: { cost: Cost }) {
  const writes = useMemo(() => fanOuts(model.value!, cost), [model.value, cost]);
  const falls = useSignal<string | null>(null);
  const widest = Math.max(1, ...writes.map((write) => write.units));
  return (
    <section aria-label="Targets of one write">
      <h2>Targets of one write</h2>
      <p class="hint">A write is paid once for the table, once or twice for each index that it moves in, and once for each copy. Click a bar to watch it fall.</p>
      <ul class="fan-outs">
        {writes.map((write) => (
          <li key={write.name}>
            <div>
              <strong>{write.name}</strong>
              {write.title && ` ${write.title}`}: {plural(write.units, 'write unit')}, {money(write.moneyPerMonth)} a month
            </div>
            <button
              class="fan-out"
              aria-expanded={falls.value === write.name}
              title="Watch it fall"
              style={{ width: `${Math.max(8, (write.units / widest) * 100)}%` }}
              onClick={() => (falls.value = falls.peek() === write.name ? null : write.name)}
            >
              {write.parts.map((part) => (
                <span key={part.name} class={part.name === 'table' ? 'fan-table' : part.name === 'copies' ? 'fan-copies' : 'fan-index'} style={{ flexGrow: part.share }}>
                  {part.name}: {plural(part.units, 'unit')}
                </span>
              ))}
            </button>
            {falls.value === write.name && write.fall && <Falling fall={write.fall} onClose={() => (falls.value = null)} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function HotKeys({ cost }: { cost: Cost }) {
  return (
    <section aria-label="Hottest keys">
      <h2>Hottest keys</h2>
      <p class="hint">All requests for one key go to one partition, which is limited to 3,000 RCU and 1,000 WCU per second.</p>
      <ul class="hot-keys">
        {heatRows(cost).map((row) => (
          <li key={row.view + row.key} class={row.passed ? 'passed' : undefined}>
            <div>
              <code>{row.key}</code> in {row.view}: {often(row.reads, 'read unit')}, {often(row.writes, 'write unit')}
            </div>
            <div class="gauge">
              <div class="gauge-fill" style={{ width: `${Math.min(100, row.utilisation * 100)}%` }} />
            </div>
            <div>
              {row.utilisation > 2 ? `${count(Math.round(row.utilisation))} times a partition's limit` : `${percent(row.utilisation)} of a partition`}
              {row.passed && <strong class="bad">: {row.passed}. Requests are throttled.</strong>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

// A local index keeps all items of a key in one place.
const endsAt10GB = (view: string) => model.value?.tables.some(({ name, indexes }) => (view === name || view.startsWith(`${name}.`)) && indexes.some(({ local }) => local)) ?? false;

function Sizes({ cost }: { cost: Cost }) {
  const { scales, rows } = sizeRows(cost);
  return (
    <section aria-label="Collections as data grows">
      <h2>Collections as data grows</h2>
      <p class="hint">
        The items of one partition key at the scale above, and with ten, a hundred and a thousand times the rows. Red: an item over 400 KB, or a collection over
        10 GB in a table with a local index, which takes no more. Amber: over 10 GB, which is more than one partition holds.
      </p>
      {rows.length > 0 && rows.every(({ bytes: sizes }) => sizes.every((size) => size === sizes[0])) && (
        <p class="hint">
          No collection grows here: with more rows there are more keys, and each keeps as many items. If the number of an entity stays the same, such as the mechanics of one
          shop, write <code>count 12 fixed</code> in it; then its collections grow.
        </p>
      )}
      <DataTable label="Sizes of collections" columns={['Key', 'Items', number('One item'), ...scales.map(number)]}>
        {rows.map((size) => (
          <tr key={size.view + size.entity + size.key}>
            <th scope="row">
              <code>{size.key}</code> <span class="chart-role">{size.view}</span>
            </th>
            <td class="no-wrap">
              {many(size.items >= 10 ? Math.round(size.items) : size.items)} × {size.entity}
            </td>
            <td class={size.itemBytes > itemBytesMax ? 'number bad' : 'number'}>{bytes(size.itemBytes)}</td>
            {size.bytes.map((large, at) => (
              <td key={at} class={large <= collectionBytesMax ? 'number' : endsAt10GB(size.view) ? 'number bad' : 'number warn'}>
                {bytes(large)}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function Storage({ cost }: { cost: Cost }) {
  return (
    <DataTable label="Storage" caption="Storage" columnsStay columns={['Table or index', number('Items'), number('Size'), number('A month')]}>
      {cost.storage.map(({ view, items, bytes: size, moneyPerMonth }) => (
        <tr key={view}>
          <th scope="row">{view}</th>
          {[many(items), bytes(size), money(moneyPerMonth)].map((figure, at) => (
            <td key={at} class="number">
              {figure}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

// The bill by what causes it.
function Bill({ cost }: { cost: Cost }) {
  const sum = (list: { moneyPerMonth: number }[]) => list.reduce((all, one) => all + one.moneyPerMonth, 0);
  const parts: [string, number][] = [['Reads', sum(cost.patterns)], ['Writes', sum(cost.writes)], ['Storage', sum(cost.storage)]];
  return (
    <dl class="bill" aria-label="The bill of a month">
      <div>
        <dt>A month</dt>
        <dd>
          <strong>{money(cost.moneyPerMonth)}</strong>
        </dd>
      </div>
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{money(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function CostTab() {
  const { value: cost, error, busy } = scaledCost.value;
  return (
    <div aria-busy={busy}>
      <p class="hint">Monthly cost at the selected scale, which multiplies rows and requests. Values above a limit turn red.</p>
      {error && <p class="model-said bad">{error}</p>}
      {cost && (
        <>
          <Bill cost={cost} />
          <HotKeys cost={cost} />
          <Sizes cost={cost} />
          <Writes cost={cost} />
          <Reads cost={cost} />
          <Storage cost={cost} />
          <Assumptions cost={cost} />
        </>
      )}
    </div>
  );
}
