// A change before it is made: the lines, the patterns and the price, before and after side by side.
import { useEffect, useRef } from 'preact/hooks';
import { applyProposal, changedLines, proposal, undo, undoable, type Comparison, type PatternChange } from '../../design/proposal.ts';
import { DataTable, number } from '../../parts/data_table.tsx';
import { count, money, plural } from '../../parts/numbers.ts';
import { Prose } from '../../parts/prose.tsx';
import { replaceText } from './editor/handle.ts';
import './proposal_panel.css';

function Lines({ before, after }: { before: string; after: string }) {
  const tags = { '-': 'del', '+': 'ins', ' ': 'span' } as const;
  return (
    <pre class="proposal-lines" aria-label="Changed lines" tabIndex={0}>
      {changedLines(before, after).map(({ sign, line }, at) => {
        const Tag = tags[sign];
        return <Tag key={at}>{`${sign === '-' ? '−' : sign} ${line}\n`}</Tag>;
      })}
    </pre>
  );
}

function Bar({ value, most, kind }: { value: number; most: number; kind: 'before' | 'after' }) {
  return <span class={`proposal-bar ${kind}`} style={{ width: `${most > 0 ? Math.max(2, (value / most) * 100) : 2}%` }} />;
}

const served = (one: PatternChange['before']) => (one === null ? 'not there' : one.served ? plural(one.requests, 'request') : 'not served');

function PatternRow({ of, most }: { of: PatternChange; most: number }) {
  const worse = of.before?.served && !of.after?.served;
  const better = !of.before?.served && of.after?.served;
  return (
    <tr class={worse ? 'unserved' : undefined}>
      <th scope="row">{of.name}</th>
      <td>
        {served(of.before)} → <strong class={worse ? 'bad' : better ? 'good' : undefined}>{served(of.after)}</strong>
      </td>
      <td>
        <Bar value={of.before?.moneyPerMonth ?? 0} most={most} kind="before" />
        <Bar value={of.after?.moneyPerMonth ?? 0} most={most} kind="after" />
      </td>
      <td class="number">
        {money(of.before?.moneyPerMonth ?? 0)} → {money(of.after?.moneyPerMonth ?? 0)}
      </td>
    </tr>
  );
}

function Compared({ of }: { of: Comparison }) {
  const moved = of.patterns.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
  const most = Math.max(...moved.flatMap(({ before, after }) => [before?.moneyPerMonth ?? 0, after?.moneyPerMonth ?? 0]));
  return (
    <>
      <p>
        <strong>{money(of.moneyBefore)}</strong> a month before, <strong>{money(of.moneyAfter)}</strong> after · {plural(of.errorsBefore, 'error')} before,{' '}
        <strong class={of.errorsAfter > of.errorsBefore ? 'bad' : of.errorsAfter < of.errorsBefore ? 'good' : undefined}>{count(of.errorsAfter)}</strong> after
      </p>
      {moved.length === 0 ? (
        <p class="hint">No pattern is served in another way, and none costs more or less.</p>
      ) : (
        <DataTable label="Patterns before and after" columns={['Pattern', 'Served', 'Price', number('A month')]}>
          {moved.map((one) => (
            <PatternRow key={one.name} of={one} most={most} />
          ))}
        </DataTable>
      )}
    </>
  );
}

export function ProposalPanel() {
  const now = proposal.value;
  const frame = useRef<HTMLElement>(null);
  // The button may stand far below, and on a narrow screen in another part of the page.
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest' }), [now?.after]);
  if (!now) return null;
  return (
    <section ref={frame} class="proposal" aria-label="Proposed change">
      <h2>
        <Prose text={now.title} />
      </h2>
      <Lines before={now.before} after={now.after} />
      {now.comparison ? <Compared of={now.comparison} /> : <p class="hint">{now.trouble ?? 'Asking what it does…'}</p>}
      <div class="buttons">
        <button class="main" onClick={() => applyProposal(replaceText)}>
          Apply
        </button>
        <button onClick={() => (proposal.value = null)}>Leave it</button>
      </div>
    </section>
  );
}

export function UndoButton() {
  const last = undoable.value;
  return (
    last && (
      <button onClick={() => undo(replaceText)} aria-label={`Undo: ${last.title}`} title={last.title}>
        Undo
      </button>
    )
  );
}
