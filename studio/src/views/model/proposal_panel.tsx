// A change before it is made: the lines, the patterns and the price, before and after side by side.
import { useEffect, useRef } from 'preact/hooks';
import { changedLines, markedLines } from '../../design/changed_lines.ts';
import { applyProposal, proposal, undo, undoable, type Change, type Comparison } from '../../design/proposal.ts';
import { bare, DataTable, number } from '../../parts/data_table.tsx';
import { count, money, plural } from '../../parts/numbers.ts';
import { Prose } from '../../parts/prose.tsx';
import { endComparison } from './compare_panel.tsx';
import { replaceText } from './editor/handle.ts';
import './proposal_panel.css';

function Lines({ before, after }: { before: string; after: string }) {
  const tags = { '-': 'del', '+': 'ins', ' ': 'span' } as const;
  return (
    <pre class="proposal-lines" aria-label="Changed lines" tabIndex={0}>
      {markedLines(changedLines(before, after)).map(({ sign, parts }, at) => {
        const Tag = tags[sign];
        return (
          <Tag key={at}>
            {sign === '-' ? '− ' : `${sign} `}
            {parts.map(({ text, changed }) => (changed ? <mark>{text}</mark> : text))}
            {'\n'}
          </Tag>
        );
      })}
    </pre>
  );
}

function Bar({ value, most, kind }: { value: number; most: number; kind: 'before' | 'after' }) {
  return <span class={`proposal-bar ${kind}`} style={{ width: `${most > 0 ? Math.max(2, (value / most) * 100) : 2}%` }} />;
}

const words: Record<Change['kind'], (one: NonNullable<Change['before']>) => string> = {
  pattern: (one) => (one.served ? plural(one.trips, 'request') : 'not supported'),
  write: (one) => plural(one.trips, 'unit'),
  storage: () => '',
};

const said = (kind: Change['kind'], one: Change['before']) => (one === null ? 'not there' : words[kind](one));
const price = (one: Change['before']) => (one?.served ? money(one.moneyPerMonth) : '–');

function ChangeRow({ of, most }: { of: Change; most: number }) {
  const worse = of.before?.served && !of.after?.served;
  const better = !of.before?.served && of.after?.served;
  const [was, is] = [said(of.kind, of.before), said(of.kind, of.after)];
  return (
    <tr class={worse ? 'unserved' : undefined}>
      <th scope="row">{of.name}</th>
      <td>
        {was !== is && `${was} → `}
        <strong class={worse ? 'bad' : better ? 'good' : undefined}>{is}</strong>
      </td>
      <td class="proposal-bars">
        <Bar value={of.before?.moneyPerMonth ?? 0} most={most} kind="before" />
        <Bar value={of.after?.moneyPerMonth ?? 0} most={most} kind="after" />
      </td>
      <td class="number">
        {price(of.before) !== price(of.after) && `${price(of.before)} → `}
        {price(of.after)}
      </td>
    </tr>
  );
}

// "1 error before, 0 after", or "1 error here, 0 in “Shop”": only where there are any.
function Counted({ word, before, after, other }: { word: string; before: number; after: number; other: string | undefined }) {
  if (before === 0 && after === 0) return null;
  return (
    <>
      {' '}
      · {plural(before, word)} {other ? 'here' : 'before'}, <strong class={after > before ? 'bad' : after < before ? 'good' : undefined}>{count(after)}</strong> {other ? `in ${other}` : 'after'}
    </>
  );
}

// What reads the same on both sides is no news.
const isNews = ({ kind, before, after }: Change) => said(kind, before) !== said(kind, after) || price(before) !== price(after);

function Compared({ of: { changes: all, ...of }, other }: { of: Comparison; other: string | undefined }) {
  const changes = all.filter(isNews);
  const most = Math.max(...changes.flatMap(({ before, after }) => [before?.moneyPerMonth ?? 0, after?.moneyPerMonth ?? 0]));
  return (
    <>
      <p>
        <strong>{money(of.moneyBefore)}</strong> a month {other ? 'here' : 'before'}, <strong>{money(of.moneyAfter)}</strong> {other ? `in ${other}` : 'after'}
        <Counted word="error" before={of.errorsBefore} after={of.errorsAfter} other={other} />
        <Counted word="warning" before={of.warningsBefore} after={of.warningsAfter} other={other} />
      </p>
      {of.added.length > 0 && (
        <ul class="proposal-findings" aria-label={other ? `Findings that only ${other} has` : 'New findings'}>
          {of.added.map(({ rule, message, severity }) => (
            <li key={rule + message} class={severity}>
              <Prose text={message} /> <code>{rule}</code>
            </li>
          ))}
        </ul>
      )}
      {changes.length === 0 ? (
        <p class="hint">{other ? 'Every access pattern and every write has the same plan and the same cost in both.' : 'No access pattern changes its plan, and no cost changes.'}</p>
      ) : (
        <DataTable label={other ? `Patterns and writes here and in ${other}` : 'Patterns and writes before and after'} columns={['Name', bare('Takes'), bare('Price'), number('A month')]}>
          {changes.map((one) => (
            <ChangeRow key={`${one.kind} ${one.name}`} of={one} most={most} />
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
  if (now.other !== undefined && now.before.trim() === now.after.trim()) {
    return (
      <section ref={frame} class="proposal" aria-label="Proposed change">
        <h2>{now.title}</h2>
        <p>The two are the same, line for line.</p>
        <div class="buttons">
          <button onClick={endComparison}>Close</button>
        </div>
      </section>
    );
  }
  return (
    <section ref={frame} class="proposal" aria-label="Proposed change">
      <h2>
        <Prose text={now.title} />
      </h2>
      {now.other !== undefined && <p class="hint">− stands only here, + only in {now.other}. The first of two figures is this design’s.</p>}
      <Lines before={now.before} after={now.after} />
      {now.comparison ? <Compared of={now.comparison} other={now.other} /> : <p class="hint">{now.trouble ?? 'Loading the effect…'}</p>}
      <div class="buttons">
        <button
          class="main"
          onClick={() => {
            applyProposal(replaceText);
            endComparison();
          }}
        >
          {now.other === undefined ? 'Apply' : `Replace this design with ${now.other}`}
        </button>
        <button onClick={endComparison}>{now.other === undefined ? 'Leave it' : 'Close'}</button>
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
