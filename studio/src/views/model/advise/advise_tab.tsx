// Each relationship: which strategy is advised, how the rules lead there, what the others would cost.
import type { Advice } from '../../../api/model.ts';
import { source } from '../../../design/design.ts';
import { advice, scale } from '../../../design/figures.ts';
import { linkTo, route } from '../../../app/route.ts';
import { count, money, often, plural } from '../../../parts/numbers.ts';
import { Prose } from '../../../parts/prose.tsx';
import { lineOfDeclaration } from '../editor/places.ts';
import { reveal } from '../editor/handle.ts';
import { strategies } from '../../reference/strategies.ts';
import { Switch } from './switch.tsx';
import { useWholeDesign } from './whole_design.tsx';
import { alternativeRows, type AlternativeRow } from './alternatives.ts';

function show(name: string): void {
  const line = lineOfDeclaration(source.peek(), 'relationship', name) ?? lineOfDeclaration(source.peek(), 'hierarchy', name);
  if (line !== null) reveal({ line });
}

function describe(row: AlternativeRow): string {
  if (!row.legal) return row.partner ? `alone, ${row.reason}` : row.reason;
  const figures = `${often(row.reads, 'read unit')}, ${often(row.writes, 'write unit')}, ${plural(row.roundTrips, 'round trip')}`;
  return row.reason ? `${row.reason} · ${figures}` : figures;
}

// A round trip is a dot.
function Trips({ count: trips }: { count: number }) {
  return (
    <span class="trips" title={plural(trips, 'round trip')}>
      {Array.from({ length: Math.min(Math.round(trips), 12) }, (_, at) => (
        <i key={at} />
      ))}
    </span>
  );
}

// With `before`, a tick on each bar says what it cost there.
export function Alternatives({ of, before = null }: { of: Advice; before?: Advice | null }) {
  const most = Math.max(...[of, ...(before ? [before] : [])].flatMap(({ alternatives }) => alternatives.filter((one) => one.legal).map((one) => one.moneyPerMonth)));
  const was = (strategy: string) => before?.alternatives.find((one) => one.strategy === strategy && one.legal)?.moneyPerMonth;
  const rows = alternativeRows(of, most);
  const unfit = rows.filter((row) => !row.legal && !row.partner);
  const list = (some: AlternativeRow[], label: string) => (
    <ul class="alternatives" aria-label={label}>
      {some.map((row) => (
        <li key={row.strategy} class={row.legal || row.partner ? undefined : 'illegal'}>
          <div class="alternative-name">
            <code>{row.strategy}</code>
            {row.inUse && <span class="model-chip">in use</span>}
            {row.recommended && <span class="model-chip good">advised</span>}
            {row.legal && <Trips count={row.roundTrips} />}
            <span class="alternative-price">{row.legal ? `${money(row.moneyPerMonth)} a month` : row.partner ? `together with ${row.partner}` : 'does not fit'}</span>
          </div>
          {row.legal && (
            <div class="gauge">
              <div class={row.recommended ? 'gauge-fill good' : 'gauge-fill'} style={{ width: `${row.share * 100}%` }} />
              {was(row.strategy) !== undefined && most > 0 && (
                <div class="gauge-before" style={{ left: `${(was(row.strategy)! / most) * 100}%` }} title={`${money(was(row.strategy)!)} with the figures of the design`} />
              )}
            </div>
          )}
          <div class="hint">
            <Prose text={describe(row)} />
          </div>
          {row.switchable && !before && <Switch relationship={of.relationship} strategy={row.strategy} />}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {list(rows.filter((row) => !unfit.includes(row)), `Strategies for ${of.relationship}`)}
      {unfit.length > 0 && (
        <details class="unfit">
          <summary>{unfit.length === 1 ? '1 strategy does' : `${unfit.length} strategies do`} not fit</summary>
          {list(unfit, `Strategies that do not fit ${of.relationship}`)}
        </details>
      )}
    </>
  );
}

// The answer in one line: what to do, what it costs, what it is good for and what speaks against it.
function Decision({ of, agrees }: { of: Advice; agrees: boolean }) {
  if (of.recommended.length === 0) return null;
  // What several strategies cost together is the price of the one that stands for all; a partner has none of its own.
  const priceOf = (names: string[]) => of.alternatives.find((one) => one.legal && names.includes(one.strategy));
  const now = priceOf(of.inUse);
  // Of what is advised, a part that is in use already has today's price.
  const wanted = agrees ? now : (priceOf(of.recommended.filter((name) => !of.inUse.includes(name))) ?? priceOf(of.recommended));
  const saved = wanted && now ? now.moneyPerMonth - wanted.moneyPerMonth : 0;
  return (
    <div class="decision">
      <p>
        <strong>
          {agrees ? 'Keep' : 'Use'} {of.recommended.join(' + ')}
        </strong>
        {wanted && ` · ${money(wanted.moneyPerMonth)} a month · ${plural(wanted.roundTrips, 'round trip')}`}
        {!agrees && Math.abs(saved) > 0.005 && ` · ${money(Math.abs(saved))} a month ${saved > 0 ? 'less' : 'more'} than now`}
      </p>
      <dl>
        {of.recommended.map((name) => {
          const known = strategies.find((one) => one.name === name);
          return (
            known && (
              <div key={name}>
                <dt>{known.title}</dt>
                <dd>
                  <b>Use it when:</b> {known.use}
                </dd>
                <dd>
                  <b>Not when:</b> {known.avoid}
                </dd>
              </div>
            )
          );
        })}
      </dl>
    </div>
  );
}

function Relationship({ of: given }: { of: Advice }) {
  const { shown: of, note } = useWholeDesign(given);
  const chosen = route.value.query['relationship'] === of.relationship;
  const agrees = of.recommended.length === of.inUse.length && of.recommended.every((strategy) => of.inUse.includes(strategy));
  const within = !agrees && of.recommended.every((strategy) => of.inUse.includes(strategy));
  return (
    <section class={chosen ? 'advice chosen' : 'advice'} aria-label={`Advice for ${of.relationship}`}>
      <h2>
        <button class="quiet" onClick={() => show(of.relationship)} title="Show it in the text">
          {of.relationship}
        </button>
      </h2>
      <p>
        In use: <strong>{of.inUse.join(' + ') || 'nothing chosen'}</strong>.{' '}
        {agrees ? (
          'The advice is the same.'
        ) : (
          <>
            Advised: <strong>{of.recommended.join(' + ') || 'nothing'}</strong>
            {within ? ', which is part of it.' : '.'}
          </>
        )}
      </p>
      <Decision of={of} agrees={agrees} />
      {of.flips.slice(0, 1).map((flip) => (
        <p key={flip} class="flip">
          <Prose text={flip} />
        </p>
      ))}
      {of.flips.length > 1 && (
        <details class="unfit">
          <summary>What else would change the choice</summary>
          {of.flips.slice(1).map((flip) => (
            <p key={flip} class="flip">
              <Prose text={flip} />
            </p>
          ))}
        </details>
      )}
      {note}
      <Alternatives of={of} />
      <details>
        <summary>How the rules decided</summary>
        <ol class="path">
          {of.path.map((step) => (
            <li key={step}>
              <Prose text={step} />
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

export function AdviseTab() {
  const { value, error, busy } = advice.value;
  return (
    <div aria-busy={busy}>
      <p class="hint">
        For each relationship: how it could be stored, what the whole design costs then{scale.value > 1 && ` at ×${count(scale.value)}`}, and at which point another
        strategy becomes better. Switching moves that relationship only. A bar is the price, green what is advised; a dot is a round trip.
      </p>
      {error && <p class="model-said bad">{error}</p>}
      {value?.length === 0 && <p>The design names no relationships.</p>}
      {value?.map((one) => (
        <Relationship key={one.relationship} of={one} />
      ))}
      <p>
        <a href={linkTo('model', [], { tab: 'design' })}>Design it for me</a> searches all relationships at once.
      </p>
    </div>
  );
}
