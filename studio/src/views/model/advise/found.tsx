// Whole designs that were searched for: what each costs beside the one that is open, and a button that takes it.
import { useSignal } from '@preact/signals';
import { model as api, type FoundDesign } from '../../../api/model.ts';
import { model, readSource } from '../../../design/design.ts';
import { found, search, searching, searchTrouble } from '../../../design/found_designs.ts';
import { scale } from '../../../design/figures.ts';
import { propose } from '../../../design/proposal.ts';
import { money, plural } from '../../../parts/numbers.ts';
import { Prose } from '../../../parts/prose.tsx';
import { distinctDesigns, nameOf } from './design_names.ts';

const indexesNow = () => (model.value?.tables ?? []).reduce((sum, { indexes }) => sum + indexes.length, 0);
const indexText = (value: number) => plural(value, 'index').replace('indexs', 'indexes');

function Price({ value, most, kind }: { value: number; most: number; kind: 'now' | 'then' }) {
  return (
    <div class="gauge">
      <div class={kind === 'then' ? 'gauge-fill good' : 'gauge-fill'} style={{ width: `${most > 0 ? (value / most) * 100 : 0}%` }} />
    </div>
  );
}

function Found({ of, all, before, most }: { of: FoundDesign; all: FoundDesign[]; before: number; most: number }) {
  const name = nameOf(of, all, indexesNow());
  return (
    <li>
      <div class="alternative-name">
        <strong>{name}</strong>
        <span class={of.proved ? 'model-chip good' : 'model-chip'}>{of.proved ? 'proved' : 'not proved'}</span>
        <span class="alternative-price">
          {money(of.money)} a month, now {money(before)}
        </span>
      </div>
      <Price value={before} most={most} kind="now" />
      <Price value={of.money} most={most} kind="then" />
      <div class="hint">
        {plural(of.trips, 'round trip')} at most, {indexText(of.indexes)} (now {indexesNow()}), {plural(of.copies, 'copy').replace('copys', 'copies')}
        {of.problems.length > 0 && `. ${of.problems.join(' ')}`}
      </div>
      <button onClick={() => void propose(`The design found as ${name}`, of.source)}>Apply this…</button>
    </li>
  );
}

export function FoundDesigns() {
  const now = found.value;
  const designs = now ? distinctDesigns(now.designs) : [];
  const most = now ? Math.max(now.moneyBefore, ...now.designs.map((one) => one.money)) : 0;
  return (
    <section aria-label="Designs found">
      <h2>Another design</h2>
      <p class="hint">The search takes what there is and what is asked, and finds keys, indexes and projections that serve it; each is proved by running it.</p>
      {!now && (
        <button disabled={searching.value} onClick={() => void search()}>
          {searching.value ? 'Searching…' : 'Search for designs'}
        </button>
      )}
      {searchTrouble.value && <p class="model-said bad">{searchTrouble.value}</p>}
      {now && (
        <ul class="alternatives" aria-label="Designs that were found">
          {designs.map((one) => (
            <Found key={one.source} of={one} all={designs} before={now.moneyBefore} most={most} />
          ))}
        </ul>
      )}
      {now?.designs.length === 0 && <p>None that serves every pattern.</p>}
    </section>
  );
}

// The design with this relationship stored in this way and all else as it is, as a button; it is made when somebody wants it.
export function Switch({ relationship, strategy }: { relationship: string; strategy: string }) {
  const asking = useSignal(false);
  const refused = useSignal<{ source: string; why: string } | null>(null);
  const take = async () => {
    const source = readSource.peek();
    asking.value = true;
    try {
      const switched = await api.switchTo(source, relationship, strategy, scale.peek());
      await propose(`${relationship} as ${strategy}`, switched.source);
    } catch (error) {
      refused.value = { source, why: (error as Error).message };
    }
    asking.value = false;
  };
  if (refused.value?.source === readSource.value) {
    return (
      <p class="hint" role="status">
        <Prose text={refused.value.why} />
      </p>
    );
  }
  return (
    <button disabled={asking.value} onClick={() => void take()}>
      {asking.value ? 'Making the design…' : 'Switch to it…'}
    </button>
  );
}
