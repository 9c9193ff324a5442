// Assumptions of the estimate that the design does not state: the figure, how much hangs on it, and the line that states it.
import type { Assumption, Cost } from '../../../api/model.ts';
import { stated } from '../../../design/assumptions.ts';
import { source } from '../../../design/design.ts';
import { cost, scale } from '../../../design/figures.ts';
import { propose } from '../../../design/proposal.ts';
import { DataTable, number } from '../../../parts/data_table.tsx';
import { money } from '../../../parts/numbers.ts';
import { Prose } from '../../../parts/prose.tsx';
import { reveal } from '../editor/handle.ts';

const shown = 8; // The rest, which matter less, are folded.

// By how much the bill moves if the figure is wrong by ten, as a share of it.
export const weightOf = ({ moneyIfLess, moneyIfMore }: Assumption, total: number) =>
  total > 0 ? Math.max(Math.abs(moneyIfLess - total), Math.abs(moneyIfMore - total)) / total : 0;

function State({ of }: { of: Assumption }) {
  const text = stated(source.value, of);
  if (of.line === '') return <span class="hint">no line can state it</span>;
  return (
    <>
      <code>{of.line}</code>{' '}
      {text === null ? <span class="hint">{of.place}</span> : <button onClick={() => void propose(`State it: ${of.line}`, text)}>State it…</button>}
    </>
  );
}

function Rows({ of, total }: { of: Assumption[]; total: number }) {
  return (
    <DataTable label="Assumptions" columns={['Default', number('Total if it is off by 10×'), 'The line that states it']}>
      {of.map((one) => (
        <tr key={one.id}>
          <td title={`Rests on it: ${one.users.join(', ')}`}>
            <Prose text={one.what} />{' '}
            {one.at > 0 && (
              <button class="quiet" onClick={() => reveal({ line: one.at })}>
                line {one.at}
              </button>
            )}
          </td>
          <td class="number">
            {weightOf(one, total) < 0.01 || money(one.moneyIfLess) === money(one.moneyIfMore) ? 'changes by less than 1%' : `${money(one.moneyIfLess)} to ${money(one.moneyIfMore)} a month`}
            {one.heatIfMore > 1 && <strong class="bad"> and a key is throttled</strong>}
          </td>
          <td>
            <State of={one} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

// The bill without the scale: what an assumption moves is reckoned on it.
export function Assumptions({ cost: scaled }: { cost: Cost }) {
  const { assumptions, moneyPerMonth } = cost.value.value ?? scaled;
  if (assumptions.length === 0) return null;
  return (
    <section aria-label="Assumptions">
      <h2>Assumed, because the design does not say</h2>
      <p class="hint">Sorted by effect, largest first{scale.value > 1 && ', in dollars at ×1'}. “State it” shows the line in its place before it goes into the design: change its number there.</p>
      <Rows of={assumptions.slice(0, shown)} total={moneyPerMonth} />
      {assumptions.length > shown && (
        <details>
          <summary>{assumptions.length - shown} more</summary>
          <Rows of={assumptions.slice(shown)} total={moneyPerMonth} />
        </details>
      )}
    </section>
  );
}
