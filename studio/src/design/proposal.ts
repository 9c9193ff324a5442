// A change of the design that is shown before it is made: what it does to the text, the patterns and the price.
import { computed, signal } from '@preact/signals';
import { model as api, type Cost, type Plan } from '../api/model.ts';
import { readSource, source } from './design.ts';

export interface PatternChange {
  name: string;
  before: { served: boolean; requests: number; moneyPerMonth: number } | null; // Null: not there.
  after: { served: boolean; requests: number; moneyPerMonth: number } | null;
}

export interface Comparison {
  errorsBefore: number;
  errorsAfter: number;
  moneyBefore: number;
  moneyAfter: number;
  patterns: PatternChange[];
}

export interface Proposal {
  title: string;
  before: string;
  after: string;
  comparison: Comparison | null; // Null while it is asked for.
  trouble: string | null;
}

export const proposal = signal<Proposal | null>(null);
const applied = signal<{ title: string; before: string; after: string }[]>([]);
// The last change that was applied, as long as nothing was typed since.
export const undoable = computed(() => (applied.value.at(-1)?.after === source.value ? applied.value.at(-1)! : null));

type Side = { plan: Plan; cost: Cost; errors: number };

async function ask(text: string): Promise<Side> {
  const [checked, plan, cost] = await Promise.all([api.check(text), api.plan(text), api.cost(text)]);
  return { plan, cost, errors: checked.findings.filter(({ severity }) => severity === 'error').length };
}

const none = { served: false, requests: 0, moneyPerMonth: 0 };

export function compare(before: Side, after: Side): Comparison {
  const figures = ({ plan, cost }: Side, name: string) => {
    const planned = plan.patterns.find((one) => one.name === name);
    const priced = cost.patterns.find((one) => one.name === name);
    return planned ? { ...none, served: planned.served, requests: planned.requests, moneyPerMonth: priced?.moneyPerMonth ?? 0 } : null;
  };
  const names = [...new Set([...before.plan.patterns, ...after.plan.patterns].map(({ name }) => name))];
  return {
    errorsBefore: before.errors,
    errorsAfter: after.errors,
    moneyBefore: before.cost.moneyPerMonth,
    moneyAfter: after.cost.moneyPerMonth,
    patterns: names.map((name) => ({ name, before: figures(before, name), after: figures(after, name) })),
  };
}

export async function propose(title: string, after: string): Promise<void> {
  const before = source.peek();
  const shown: Proposal = { title, before, after, comparison: null, trouble: null };
  proposal.value = shown;
  const put = (rest: Partial<Proposal>) => {
    if (proposal.peek()?.after === after) proposal.value = { ...shown, ...rest };
  };
  try {
    const [old, next] = await Promise.all([ask(readSource.peek() || before), ask(after)]);
    put({ comparison: compare(old, next) });
  } catch (error) {
    put({ trouble: (error as Error).message });
  }
}

// `write` puts a text into the editor, which keeps what can be taken back.
export function applyProposal(write: (text: string) => void): void {
  const now = proposal.peek();
  if (!now) return;
  applied.value = [...applied.peek(), { title: now.title, before: now.before, after: now.after }];
  write(now.after);
  proposal.value = null;
}

export function undo(write: (text: string) => void): void {
  const last = undoable.peek();
  if (!last) return;
  applied.value = applied.peek().slice(0, -1);
  write(last.before);
}

export interface ChangedLine {
  sign: '-' | '+' | ' '; // ' ': the head of the block that the next ones stand in.
  line: string;
}

// How many lines both have in common, in order, from each pair of places to the ends.
function commonFrom(old: string[], next: string[]): Uint16Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; --i) {
    for (let j = next.length - 1; j >= 0; --j) table[i]![j] = old[i] === next[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  }
  return table;
}

const cellsMost = 4_000_000; // A longer text is shown as removed and written anew.

const marginOf = (line: string) => /^\s*/.exec(line)![0].length;

// The lines that differ, in the order of the text and as they are indented, each run below the heads of its blocks.
export function changedLines(before: string, after: string): ChangedLine[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let first = 0;
  while (first < old.length && first < next.length && old[first] === next[first]) ++first;
  let tail = 0;
  while (tail < Math.min(old.length, next.length) - first && old.at(-1 - tail) === next.at(-1 - tail)) ++tail;
  const [a, b] = [old.slice(first, old.length - tail), next.slice(first, next.length - tail)];
  const common = commonFrom(a.length * b.length > cellsMost ? [] : a, a.length * b.length > cellsMost ? [] : b);
  const shown: ChangedLine[] = [];
  const told = new Set<number>(); // Heads, by their place in the new text.
  const put = (sign: '-' | '+', line: string, place: number) => {
    if (line.trim() === '') return;
    const heads: number[] = [];
    let margin = marginOf(line);
    for (let at = place - 1; at >= 0 && margin > 0; --at) {
      if (!next[at]!.trimEnd().endsWith('{') || marginOf(next[at]!) >= margin) continue;
      margin = marginOf(next[at]!);
      heads.unshift(at);
    }
    for (const at of heads.filter((one) => !told.has(one))) shown.push({ sign: ' ', line: next[at]! });
    heads.forEach((at) => told.add(at));
    if (sign === '+') told.add(place);
    shown.push({ sign, line });
  };
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) [i, j] = [i + 1, j + 1];
    else if (j >= b.length || (i < a.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) put('-', a[i++]!, first + j);
    else put('+', b[j]!, first + j++);
  }
  return shown;
}

// The lines that differ, with what both sides have around them left out.
export function lineChanges(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, next] = [before.split('\n'), after.split('\n')];
  const kept = (list: string[]) => {
    const counts = new Map<string, number>();
    for (const line of list) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };
  const without = (list: string[], other: Map<string, number>) =>
    list.filter((line) => {
      const left = other.get(line) ?? 0;
      other.set(line, left - 1);
      return left <= 0;
    });
  return { removed: without(old, kept(next)), added: without(next, kept(old)) };
}
