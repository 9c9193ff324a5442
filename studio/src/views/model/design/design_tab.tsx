// "Design it for me": the cheapest tables for what the text says, as one would show them to a client: the keys, the price, the reasons, and
// what else was looked at.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FoundDesign, FoundDesigns } from '../../../api/model.ts';
import { linkTo } from '../../../app/route.ts';
import { model, readSource } from '../../../design/design.ts';
import { found, search, searching, searchTrouble } from '../../../design/found_designs.ts';
import { apply, propose } from '../../../design/proposal.ts';
import { DataTable, number } from '../../../parts/data_table.tsx';
import { count, money, percent, plural } from '../../../parts/numbers.ts';
import { Prose } from '../../../parts/prose.tsx';
import { replaceText } from '../editor/handle.ts';
import { distinctDesigns, nameOf } from './design_names.ts';
import { KeysPicture, useModelOf } from './keys_picture.tsx';
import './design_tab.css';

const indexesNow = () => (model.value?.tables ?? []).reduce((sum, { indexes }) => sum + indexes.length, 0);
const indexText = (value: number) => `${count(value)} ${value === 1 ? 'index' : 'indexes'}`;
const cent = 0.005;

function Verdict({ of, now }: { of: FoundDesign; now: FoundDesigns }) {
  const saved = now.moneyBefore - of.money;
  const hasTables = (model.value?.tables.length ?? 0) > 0;
  const gap = of.bound !== undefined && of.money > 0 ? (of.money - of.bound) / of.money : null;
  return (
    <>
      <p class="design-price">
        <strong>{money(of.money)}</strong> a month
        {hasTables && Math.abs(saved) >= cent && (
          <>
            , <strong class={saved > 0 ? 'good' : 'bad'}>{money(Math.abs(saved))}</strong> {saved > 0 ? 'less' : 'more'} than now
          </>
        )}
        {hasTables && Math.abs(saved) < cent && ', as now'}
      </p>
      <ul class="design-facts">
        <li>
          {indexText(of.indexes)}
          {hasTables && of.indexes !== indexesNow() && `, now ${indexesNow()}`} · {plural(of.trips, 'round trip')} at most · {of.copies === 0 ? 'no copies to keep right' : `${count(of.copies)} copied attributes to keep right`}
        </li>
        <li>
          {of.proved ? `Proved: every access pattern ran${of.proofRows ? ` on ${count(of.proofRows)} rows` : ''} and returned the right rows.` : `Not proved. ${of.problems.join(' ')}`}
        </li>
        {gap !== null && (
          <li>{gap < 0.001 ? 'The search proved that no other choice of keys, indexes and projections costs less.' : `The search proved that no choice of keys, indexes and projections costs less than ${money(of.bound!)}, ${percent(gap)} below this one.`}</li>
        )}
      </ul>
    </>
  );
}

// What each of the others would cost more of.
function Rejected({ all, chosen, onChoose }: { all: FoundDesign[]; chosen: FoundDesign; onChoose(one: FoundDesign): void }) {
  const others = all.filter((one) => one !== chosen);
  if (others.length === 0) return null;
  return (
    <section aria-label="Other designs">
      <h3>Other designs that were found</h3>
      <DataTable label="Other designs" columns={['Design', number('A month'), number('Difference'), number('Indexes'), number('Round trips'), number('Copies'), '']}>
        {others.map((one) => {
          const difference = one.money - chosen.money;
          return (
            <tr key={one.source}>
              <th scope="row">{nameOf(one, all, indexesNow())}</th>
              <td class="number">{money(one.money)}</td>
              <td class="number">{Math.abs(difference) < cent ? 'the same' : `${difference > 0 ? '+' : '−'}${money(Math.abs(difference))}`}</td>
              <td class="number">{count(one.indexes)}</td>
              <td class="number">{count(one.trips)}</td>
              <td class="number">{count(one.copies)}</td>
              <td>
                <button onClick={() => onChoose(one)}>
                  Show<span class="unseen"> the design {nameOf(one, all, indexesNow())}</span>
                </button>
              </td>
            </tr>
          );
        })}
      </DataTable>
    </section>
  );
}

function Found({ now }: { now: FoundDesigns }) {
  const all = distinctDesigns(now.designs);
  const shown = useSignal<string | null>(null);
  const of = all.find(({ source }) => source === shown.value) ?? all[0];
  const picture = useModelOf(of?.source ?? null);
  if (!of) return <p>No design that supports every access pattern was found{now.unserved?.length ? `: ${now.unserved.join(', ')} is not supported by any key` : ''}.</p>;
  // Its first merit; the figures say the others.
  const name = nameOf(of, all, indexesNow()).replace(/,[^(]*/, ' ').trim();
  const isOpen = of.source.trim() === readSource.value.trim();
  return (
    <>
      <h2>{isOpen ? 'Keep your design: nothing cheaper was found' : `The ${name} design`}</h2>
      <Verdict of={of} now={now} />
      {!isOpen && (
        <div class="buttons">
          {of.proved && (
            <button class="main" onClick={() => apply(`The ${name} design`, of.source, replaceText)}>
              Apply
            </button>
          )}
          <button onClick={() => void propose(`The ${name} design`, of.source)}>Compare…</button>
          <span class="hint">You can undo this from the toolbar.</span>
        </div>
      )}
      <h3>Its keys</h3>
      {picture ? <KeysPicture model={picture} /> : <p class="hint">Drawing…</p>}
      {of.why && of.why.length > 0 && (
        <>
          <h3>Why</h3>
          <ul class="design-why">
            {of.why.map((line) => (
              <li key={line} class={line.startsWith(' ') ? 'within' : undefined}>
                <Prose text={line.trim()} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Rejected all={all} chosen={of} onChoose={(one) => (shown.value = one.source)} />
      {now.stopped && <p class="hint">The search reached its time limit: this is the best design found. `prejoin design` searches longer.</p>}
    </>
  );
}

export function DesignTab() {
  const asks = (model.value?.patterns.length ?? 0) > 0;
  // Who opens the page asks for it.
  useEffect(() => {
    if (asks && !found.peek()) void search();
  }, [asks, readSource.value]);
  const now = found.value;
  return (
    <section class="design-page" aria-label="Designs found" aria-busy={searching.value}>
      {!asks && <p>The design asks nothing yet. Add an access pattern, or <a href={linkTo('model', [], { begin: '1' })}>answer a few questions</a>: keys follow from what is asked.</p>}
      {searching.value && <p role="status">Searching keys, indexes and projections, and running every pattern on them… <progress aria-label="Searching" /></p>}
      {searchTrouble.value && !searching.value && (
        <p class="model-said bad">
          {searchTrouble.value} <button onClick={() => void search()}>Search again</button>
        </p>
      )}
      {now && !searching.value && <Found key={readSource.value} now={now} />}
    </section>
  );
}
