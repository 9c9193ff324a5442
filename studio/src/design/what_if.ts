// A relationship with other figures: the same design with its rates or its fan-out multiplied, as text. The server
// advises on that text as on any other, so the point where another strategy becomes the cheapest is found by asking, not by a
// second cost model in the page.
import type { Advice, Model, ModelRelationship } from '../api/model.ts';
import { endOf, parted } from './assumptions.ts';

export const dials = ['writes', 'reads', 'fan-out'] as const;
export type Dial = (typeof dials)[number];
export type Turned = Record<Dial, number>; // Each by this factor.
export const unturned: Turned = { writes: 1, reads: 1, 'fan-out': 1 };

export const factorMost = 100; // And its reciprocal is the least.

const childOf = ({ through, to }: ModelRelationship) => through || to;
const declared = (name: string) => name.replace(/\+.*$/, ''); // `Nearby+city` is declared as Nearby.

// The names of the declarations whose rates a dial turns.
function ratesOf(model: Model, relationship: ModelRelationship, dial: 'writes' | 'reads'): string[] {
  const child = childOf(relationship);
  const found =
    dial === 'writes'
      ? model.writes.filter(({ steps }) => steps.some(({ entity }) => entity === child))
      : model.patterns.filter(({ find }) => (find as { entity?: string }[]).some(({ entity }) => entity === child));
  return [...new Set(found.filter(({ ratePerSecond }) => ratePerSecond > 0).map(({ name }) => declared(name)))];
}

// The value of a dial in the design itself: requests a second, or rows; 0 if there is nothing to turn.
export function dialValue(model: Model, relationship: ModelRelationship, dial: Dial): number {
  if (dial === 'fan-out') return relationship.cardinalities[0]?.average ?? 0;
  const names = ratesOf(model, relationship, dial);
  const all = dial === 'writes' ? model.writes : model.patterns;
  return names.reduce((sum, name) => sum + (all.find((one) => declared(one.name) === name)?.ratePerSecond ?? 0), 0);
}

const suffixes: Record<string, number> = { k: 1e3, M: 1e6, G: 1e9 };

function readNumber(text: string): number {
  const last = text.at(-1)!;
  const digits = text.replace(/[_kMG]/g, '');
  return Number(digits) * (suffixes[last] ?? 1);
}

// Without an exponent, which the language does not know.
function writeNumber(value: number): string {
  if (value >= 1000) return String(Math.round(value));
  return value.toFixed(Math.max(0, 6 - Math.ceil(Math.log10(Math.max(value, 1e-6))))).replace(/\.?0+$/, '');
}

const scaledBy = (factor: number, least: number) => (text: string) => writeNumber(Math.max(least, readNumber(text) * factor));

function turnRates(code: string, word: 'rate' | 'changes', factor: number): string {
  if (factor === 1 || !new RegExp(`^\\s*${word}\\b`).test(code)) return code;
  return code.replace(/\d[\d_.]*[kMG]?(?=\/)/g, scaledBy(factor, 1e-6));
}

function turnFanOut(code: string, factor: number): string {
  if (factor === 1 || !/^\s*each\b/.test(code)) return code;
  return code.replace(/(~|at most )(\d[\d_.]*[kMG]?)/g, (_, before: string, number: string) => before + writeNumber(Math.max(1, Math.round(readNumber(number) * factor))));
}

// The lines of one declaration, each passed through `turn`.
function inDeclaration(lines: string[], head: RegExp, turn: (line: string) => string): void {
  const from = lines.findIndex((line) => head.test(line));
  const end = from < 0 ? -1 : endOf(lines, from);
  for (let at = from; at >= 0 && at <= end; at += 1) {
    const [code, comment] = parted(lines[at]!);
    lines[at] = turn(code) + comment;
  }
}

const headOf = (kind: string, name: string) => new RegExp(`^\\s*(?:${kind})\\s+${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`);

export function turnedSource(source: string, model: Model, relationship: ModelRelationship, { writes, reads, 'fan-out': fanOut }: Turned): string {
  const lines = source.split('\n');
  for (const [dial, factor] of [['writes', writes], ['reads', reads]] as const) {
    for (const name of ratesOf(model, relationship, dial)) inDeclaration(lines, headOf('pattern|write', name), (line) => turnRates(line, 'rate', factor));
  }
  inDeclaration(lines, headOf('relationship|hierarchy', relationship.name), (line) =>
    turnFanOut(turnRates(line, 'changes', writes), fanOut),
  );
  return lines.join('\n');
}

// The cheapest strategy that fits. Of those that cost the same, the one in use, then the one advised.
export function cheapest({ alternatives, inUse, recommended }: Advice): string | null {
  const legal = alternatives.filter((one) => one.legal);
  const least = Math.min(...legal.map((one) => one.moneyPerMonth));
  const near = legal.filter((one) => one.moneyPerMonth <= least * 1.005);
  return (near.find(({ strategy }) => inUse.includes(strategy)) ?? near.find(({ strategy }) => recommended.includes(strategy)) ?? near[0])?.strategy ?? null;
}

export interface Flip {
  factor: number; // Of the dial.
  from: string; // The cheapest below it …
  to: string; // … and above.
}

const gridSteps = 4; // On each side of 1.
const halvings = 6;

// Where along one dial the cheapest strategy changes. `at` gives the cheapest for a factor.
export async function flipsAlong(at: (factor: number) => Promise<string | null>): Promise<Flip[]> {
  const flips: Flip[] = [];
  let [low, before] = [1 / factorMost, await at(1 / factorMost)];
  for (let step = 1 - gridSteps; step <= gridSteps; step += 1) {
    const high = factorMost ** (step / gridSteps);
    const after = await at(high);
    if (before !== null && after !== null && before !== after) {
      let [left, right] = [low, high];
      for (let half = 0; half < halvings; half += 1) {
        const middle = Math.sqrt(left * right);
        if ((await at(middle)) === before) left = middle;
        else right = middle;
      }
      flips.push({ factor: Math.sqrt(left * right), from: before, to: after });
    }
    [low, before] = [high, after];
  }
  return flips;
}
