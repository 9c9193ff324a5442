// The writes of the design: what each does, how it is guarded, and what it costs.
import { linkTo } from '../../../app/route.ts';
import { model } from '../../../design/design.ts';
import { cost } from '../../../design/figures.ts';
import type { ModelWrite, WriteStep } from '../../../api/model.ts';
import { bare, DataTable, number } from '../../../parts/data_table.tsx';
import { count, money, rate } from '../../../parts/numbers.ts';

function stepText({ kind, entity, once, set, remove = [] }: WriteStep): string {
  const changes = [set.length > 0 ? `set ${set.join(', ')}` : '', remove.length > 0 ? `remove ${remove.join(', ')}` : ''].filter(Boolean).join(', ');
  return `${kind} ${entity}${changes ? ` ${changes}` : ''}${once ? ', refused if it exists already' : ''}`;
}

function Write({ write }: { write: ModelWrite }) {
  const priced = cost.value.value?.writes.find(({ name }) => name === write.name);
  return (
    <tr>
      <th scope="row">{write.name}</th>
      <td>
        <strong>{write.title}</strong>
        {write.steps.map((step, at) => (
          <code key={at} class="write-step-line">
            {stepText(step)}
          </code>
        ))}
        <div class="pattern-links">
          {write.together && <span class="hint">all or nothing, at twice the table’s units</span>}
          <a href={linkTo('items')}>Run it in the items</a>
        </div>
      </td>
      <td class="number">{priced ? Object.entries(priced.units).map(([name, units]) => <div key={name}>{`${name}: ${count(units)}`}</div>) : ''}</td>
      <td class="number">{priced ? count(priced.writeUnits) : ''}</td>
      <td class="number">{rate(write.ratePerSecond)}</td>
      <td class="number">{priced ? money(priced.moneyPerMonth) : ''}</td>
    </tr>
  );
}

export function Writes() {
  const writes = model.value?.writes ?? [];
  if (writes.length === 0) return null;
  return (
    <section aria-label="Writes">
      <h2>Writes</h2>
      <DataTable label="Writes of the design" columns={['Name', bare('What is written'), number('Units in'), number('Units'), number('Rate'), number('A month')]}>
        {writes.map((write) => (
          <Write key={write.name} write={write} />
        ))}
      </DataTable>
    </section>
  );
}
