// One slider for the whole page: a month with so many times the rows and requests. What it makes of the bill stands beside
// it; pictures show what it makes of their cells.
import type { Cost } from '../api/model.ts';
import { model } from '../design/design.ts';
import { scale, scaledCost } from '../design/figures.ts';
import { count, money, roughly } from '../parts/numbers.ts';
import { route, setQuery } from './route.ts';
import './scale.css';

// Where the slider can stand: every step is another scale.
const scales = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000, 30_000, 100_000];
export const scaleSteps = scales.length - 1;

export function scaleAt(step: number): number {
  return scales[Math.min(Math.max(Math.round(step), 0), scaleSteps)]!;
}

// The step next to a scale that an address may name.
export function stepAt(factor: number): number {
  const distance = (at: number) => Math.abs(Math.log(scales[at]!) - Math.log(Math.max(factor, 1)));
  return scales.reduce((best, _, at) => (distance(at) < distance(best) ? at : best), 0);
}

export function ScaleChoice() {
  const { view, query } = route.value;
  // A new design that begins has its own price beside its questions; this one would be another design's.
  if (!['model', 'items'].includes(view) || query['begin'] === '1' || !model.value) return null;
  return <Slider />;
}

// A pattern that nothing serves has no price; the sum of none is not nothing.
function priceOf({ moneyPerMonth, patterns }: Cost): string {
  if (patterns.length > 0 && patterns.every(({ served }) => !served)) return 'not priced yet';
  return `${moneyPerMonth < 1e6 ? money(moneyPerMonth) : `$${roughly(moneyPerMonth)}`} a month`;
}

function Slider() {
  const { value: cost } = scaledCost.value;
  const hot = cost?.heat.some(({ utilisation }) => utilisation > 1) ?? false;
  return (
    <div class="scale" title="A month with more of everything: more rows, more requests">
      <label for="scale">Scale</label>
      <input
        id="scale"
        type="range"
        min={0}
        max={scaleSteps}
        value={stepAt(scale.value)}
        aria-valuetext={`times ${count(scale.value)}`}
        onInput={(event) => {
          const next = scaleAt(Number(event.currentTarget.value));
          setQuery({ scale: next === 1 ? undefined : String(next) }, { replace: true });
        }}
      />
      <output for="scale">×{count(scale.value)}</output>
      <strong class="total" data-hot={hot ? '' : undefined}>
        {cost ? priceOf(cost) : ''}
      </strong>
    </div>
  );
}
