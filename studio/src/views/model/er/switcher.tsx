// The chosen relationship's strategies with price and trips, at figures that can be turned: each slider has a tick where another
// strategy becomes the cheapest.
import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { model as api, type Advice, type Model, type ModelRelationship } from '../../../api/model.ts';
import { model, readSource } from '../../../design/design.ts';
import { advice, follow, scale } from '../../../design/figures.ts';
import { propose } from '../../../design/proposal.ts';
import { cheapest, dials, dialValue, factorMost, flipsAlong, turnedSource, unturned, type Dial, type Flip, type Turned } from '../../../design/what_if.ts';
import { linkTo } from '../../../app/route.ts';
import { count, rate } from '../../../parts/numbers.ts';
import { Prose } from '../../../parts/prose.tsx';
import { Alternatives } from '../advise/advise_tab.tsx';
import { useWholeDesign } from '../advise/whole_design.tsx';
import './switcher.css';

const stepsEachWay = 16;
const factorAt = (step: number) => factorMost ** (step / stepsEachWay);
const stepAt = (factor: number) => (Math.log(factor) / Math.log(factorMost)) * stepsEachWay;

const titles: Record<Dial, string> = { writes: 'Writes', reads: 'Reads', 'fan-out': 'Fan-out' };
const tell = (dial: Dial, value: number) => (dial === 'fan-out' ? `${count(Math.round(value * 100) / 100)} each` : rate(value));

interface About {
  source: string;
  model: Model;
  of: ModelRelationship;
}

// The advice for other figures, each asked for once.
function useAdviser({ source, model: read, of }: About) {
  return useMemo(() => {
    const known = new Map<string, Promise<Advice | null>>();
    return (turned: Turned): Promise<Advice | null> => {
      const text = turnedSource(source, read, of, turned);
      const answer = known.get(text) ?? api.advise(text, scale.peek()).then((all) => all.find((one) => one.relationship === of.name) ?? null);
      answer.catch(() => known.delete(text));
      known.set(text, answer);
      return answer;
    };
  }, [source, of.name, scale.value]);
}

function FlipMarks({ dial, value, flips, go }: { dial: Dial; value: number; flips: Flip[]; go: (factor: number) => void }) {
  return (
    <div class="dial-flips">
      {flips.map(({ factor, from, to }) => {
        const above = factor >= 1;
        const next = above ? to : from;
        return (
          <button
            key={factor}
            type="button"
            class="dial-flip"
            style={{ left: `${((stepAt(factor) + stepsEachWay) / (2 * stepsEachWay)) * 100}%` }}
            title={`${above ? 'Above' : 'Below'} ${tell(dial, value * factor)} ${next} is the cheapest`}
            onClick={() => go(above ? factor * 1.2 : factor / 1.2)}
          >
            <span class="unseen">
              {above ? 'Above' : 'Below'} {tell(dial, value * factor)} {next} is the cheapest
            </span>
          </button>
        );
      })}
    </div>
  );
}

interface DialProps {
  dial: Dial;
  about: About;
  turned: Signal<Turned>;
  ask: (turned: Turned) => Promise<Advice | null>;
}

function DialSlider({ dial, about, turned, ask }: DialProps) {
  const value = dialValue(about.model, about.of, dial);
  const flips = useSignal<Flip[] | null>(null);
  useEffect(() => {
    let ended = false;
    flips.value = null;
    if (value === 0) return;
    flipsAlong(async (factor) => {
      if (ended) return null;
      const there = await ask({ ...unturned, [dial]: factor });
      return there && cheapest(there);
    }).then(
      (found) => void (ended || (flips.value = found)),
      () => {},
    );
    return () => void (ended = true);
  }, [ask, value]);
  if (value === 0) return null;
  const factor = turned.value[dial];
  const set = (next: number) => (turned.value = { ...turned.peek(), [dial]: Math.abs(Math.log(next)) < 1e-9 ? 1 : next });
  return (
    <div class="dial">
      <label for={`dial-${dial}`}>{titles[dial]}</label>
      <div class="dial-track">
        <input
          id={`dial-${dial}`}
          type="range"
          min={-stepsEachWay}
          max={stepsEachWay}
          value={Math.round(stepAt(factor))}
          aria-valuetext={tell(dial, value * factor)}
          onInput={(event) => set(factorAt(Number(event.currentTarget.value)))}
        />
        <FlipMarks dial={dial} value={value} flips={flips.value ?? []} go={set} />
      </div>
      <output for={`dial-${dial}`}>
        {tell(dial, value * factor)}
        {factor !== 1 && <small> now {tell(dial, value)}</small>}
      </output>
      <p class="dial-said hint">
        {flips.value === null
          ? 'Looking for the flip…'
          : flips.value.length === 0
            ? 'No flip within a hundredth and a hundred times of it.'
            : `Cheapest: ${flips.value.map(({ factor: at, from }) => `${from} up to ${tell(dial, value * at)}, `).join('')}${flips.value.at(-1)!.to} above.`}
      </p>
    </div>
  );
}

function Dials({ about, now }: { about: About; now: Advice }) {
  const turned = useSignal<Turned>(unturned);
  const ask = useAdviser(about);
  useEffect(() => void (turned.value = unturned), [about.of.name, about.source]);
  const key: ReadonlySignal<string | null> = useComputed(() => JSON.stringify(turned.value));
  const there = useMemo(() => follow<string, Advice | null>(key, (word) => ask(JSON.parse(word) as Turned)), [ask]).value;
  const moved = dials.some((dial) => turned.value[dial] !== 1);
  const shown = moved && there.value ? there.value : now;
  return (
    <>
      <div class="dials" role="group" aria-label="Figures">
        {dials.map((dial) => (
          <DialSlider key={`${about.of.name} ${dial}`} dial={dial} about={about} turned={turned} ask={ask} />
        ))}
      </div>
      {moved && (
        <p class="dial-moved" role="status">
          {there.error ?? `At these figures ${cheapest(shown) ?? 'nothing'} is the cheapest.`}{' '}
          <button type="button" onClick={() => (turned.value = unturned)}>
            Back to the design
          </button>{' '}
          <button type="button" onClick={() => void propose(`Other figures for ${about.of.name}`, turnedSource(about.source, about.model, about.of, turned.peek()))}>
            Write them into the design
          </button>
        </p>
      )}
      <Alternatives of={shown} before={moved ? now : null} />
    </>
  );
}

export function Switcher({ relationship }: { relationship: string }) {
  const of = advice.value.value?.find((one) => one.relationship === relationship);
  const described = model.value?.relationships.find(({ name }) => name === relationship);
  if (!of || !described || !model.value) return null;
  return <Ways key={relationship} of={of} about={{ source: readSource.value, model: model.value, of: described }} />;
}

function Ways({ of: given, about }: { of: Advice; about: About }) {
  const { shown: of, note } = useWholeDesign(given);
  return (
    <section class="er-switcher" aria-label={`Ways to store ${of.relationship}`}>
      <h2>{of.relationship}</h2>
      {note}
      <Dials about={about} now={of} />
      {of.flips.map((flip) => (
        <p key={flip} class="flip">
          <Prose text={flip} />
        </p>
      ))}
      <p>
        <a href={linkTo('model', [], { tab: 'design' })}>Design it for me</a> searches all relationships at once.
      </p>
    </section>
  );
}
