// A change of the design that is shown before it is made: what it does to the text, the patterns and the price.
import { computed, signal } from '@preact/signals';
import { model as api, type Cost, type Finding, type Plan } from '../api/model.ts';
import { readSource, source } from './design.ts';
import { scale } from './figures.ts';

export interface Figures {
  served: boolean;
  trips: number; // Requests of a pattern, units of a write.
  moneyPerMonth: number;
}

export interface Change {
  kind: 'pattern' | 'write' | 'storage';
  name: string;
  before: Figures | null; // Null: not there.
  after: Figures | null;
}

export interface Comparison {
  errorsBefore: number;
  errorsAfter: number;
  warningsBefore: number;
  warningsAfter: number;
  added: Finding[]; // Findings that the design as it stands does not have.
  moneyBefore: number;
  moneyAfter: number;
  changes: Change[]; // Only of what is served or priced in another way.
}

export interface Proposal {
  title: string;
  before: string;
  after: string;
  other?: string; // Another design, by its title: the two are compared, and neither is a change of the other.
  comparison: Comparison | null; // Null while it is asked for.
  trouble: string | null;
}

export const proposal = signal<Proposal | null>(null);
const applied = signal<{ title: string; before: string; after: string }[]>([]);
// The last change that was applied, as long as nothing was typed since.
export const undoable = computed(() => (applied.value.at(-1)?.after === source.value ? applied.value.at(-1)! : null));

type Side = { plan: Plan; cost: Cost; findings: Finding[] };

async function ask(text: string): Promise<Side> {
  const [checked, plan, cost] = await Promise.all([api.check(text), api.plan(text), api.cost(text, scale.value)]);
  return { plan, cost, findings: checked.findings };
}

const counted = (findings: Finding[], wanted: Finding['severity']) => findings.filter(({ severity }) => severity === wanted).length;

// By kind and name.
function figuresOf({ plan, cost }: Side): Map<string, Figures> {
  const figures = new Map<string, Figures>();
  for (const { name, served, requests } of plan.patterns) {
    const moneyPerMonth = cost.patterns.find((one) => one.name === name)?.moneyPerMonth ?? 0;
    figures.set(`pattern ${name}`, { served, trips: requests, moneyPerMonth });
  }
  for (const { name, writeUnits, moneyPerMonth } of cost.writes) figures.set(`write ${name}`, { served: true, trips: writeUnits, moneyPerMonth });
  figures.set('storage Storage', { served: true, trips: 0, moneyPerMonth: cost.storage.reduce((sum, one) => sum + one.moneyPerMonth, 0) });
  return figures;
}

const cent = 0.005;
const same = (a: Figures | null, b: Figures | null) => a !== null && b !== null && a.served === b.served && a.trips === b.trips && Math.abs(a.moneyPerMonth - b.moneyPerMonth) < cent;

export function compare(before: Side, after: Side): Comparison {
  const [old, next] = [figuresOf(before), figuresOf(after)];
  const changes = [...new Set([...old.keys(), ...next.keys()])].map((key): Change => {
    const [kind, name] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
    return { kind: kind as Change['kind'], name, before: old.get(key) ?? null, after: next.get(key) ?? null };
  });
  const known = new Set(before.findings.map(({ rule, message }) => `${rule} ${message}`));
  return {
    errorsBefore: counted(before.findings, 'error'),
    errorsAfter: counted(after.findings, 'error'),
    warningsBefore: counted(before.findings, 'warning'),
    warningsAfter: counted(after.findings, 'warning'),
    added: after.findings.filter(({ rule, message, severity }) => severity !== 'note' && !known.has(`${rule} ${message}`)),
    moneyBefore: before.cost.moneyPerMonth,
    moneyAfter: after.cost.moneyPerMonth,
    changes: changes.filter((one) => !same(one.before, one.after)),
  };
}

export async function propose(title: string, after: string, other?: string): Promise<void> {
  const before = source.peek();
  const shown: Proposal = { title, before, after, ...(other === undefined ? {} : { other }), comparison: null, trouble: null };
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
export function apply(title: string, after: string, write: (text: string) => void): void {
  applied.value = [...applied.peek(), { title, before: source.peek(), after }];
  write(after);
  proposal.value = null;
}

export function applyProposal(write: (text: string) => void): void {
  const now = proposal.peek();
  if (now) apply(now.title, now.after, write);
}

export function undo(write: (text: string) => void): void {
  const last = undoable.peek();
  if (!last) return;
  applied.value = applied.peek().slice(0, -1);
  write(last.before);
}
