// Whole designs that were searched for: what each costs beside the one that is open, and a button that takes it.
import { useSignal } from '@preact/signals';
import type { FoundDesign } from '../../../api/model.ts';
import { chosenIn, found, search, searching, searchTrouble } from '../../../design/found_designs.ts';
import { propose } from '../../../design/proposal.ts';
import { money, plural } from '../../../parts/numbers.ts';

const words: Record<string, string> = { cheapest: 'cheapest', 'fewest-indexes': 'fewest indexes', 'fewest-trips': 'fewest trips', simplest: 'simplest' };
// A word that another design of the list deserves more is left out: the search gives them within a family of keys.
function nameOf({ bestFor, note, money: price, indexes, trips }: FoundDesign, all: FoundDesign[]): string {
  const least = { cheapest: price <= Math.min(...all.map((one) => one.money)) + 0.005, 'fewest-indexes': indexes <= Math.min(...all.map((one) => one.indexes)), 'fewest-trips': trips <= Math.min(...all.map((one) => one.trips)) } as Record<string, boolean>;
  const said = bestFor.filter((one) => least[one] ?? true).map((one) => words[one] ?? one).join(', ') || 'another way';
  return note ? `${said} (${note})` : said;
}

function Price({ value, most, kind }: { value: number; most: number; kind: 'now' | 'then' }) {
  return (
    <div class="gauge">
      <div class={kind === 'then' ? 'gauge-fill good' : 'gauge-fill'} style={{ width: `${most > 0 ? (value / most) * 100 : 0}%` }} />
    </div>
  );
}

function Found({ of, all, before, most }: { of: FoundDesign; all: FoundDesign[]; before: number; most: number }) {
  const name = nameOf(of, all);
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
        {plural(of.trips, 'round trip')} at most, {plural(of.indexes, 'index').replace('indexs', 'indexes')}, {plural(of.copies, 'copy').replace('copys', 'copies')}
        {of.problems.length > 0 && `. ${of.problems.join(' ')}`}
      </div>
      <button onClick={() => void propose(`The design found as ${name}`, of.source)}>Apply this…</button>
    </li>
  );
}

export function FoundDesigns() {
  const now = found.value;
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
          {now.designs.map((one) => (
            <Found key={one.source} of={one} all={now.designs} before={now.moneyBefore} most={most} />
          ))}
        </ul>
      )}
      {now?.designs.length === 0 && <p>None that serves every pattern.</p>}
    </section>
  );
}

// A design that stores the relationship in this way, as a button; it is searched for when somebody wants it.
export function Switch({ relationship, strategy }: { relationship: string; strategy: string }) {
  const none = useSignal(false);
  const design = () => found.peek()?.designs.find(({ source }) => chosenIn(source, relationship).includes(strategy));
  const take = async () => {
    if (!found.peek()) await search();
    const there = design();
    none.value = !there;
    if (there) await propose(`${relationship} as ${strategy}`, there.source);
  };
  if (none.value || (found.value && !design())) return <p class="hint">The search found no design that stores it so and serves every pattern as cheaply.</p>;
  return (
    <button disabled={searching.value} onClick={() => void take()}>
      {searching.value ? 'Searching…' : 'Switch to it…'}
    </button>
  );
}
