// Access patterns as rows: what is asked, how it is served, what it costs; and which table or index
// each of them reads.
import type { Cost, Fix, Model, PlainValue, Plan, PlannedPattern } from '../../../api/model.ts';

export interface PatternRow {
  name: string;
  title: string;
  line: number;
  served: boolean;
  plan: string[];
  consistency: string;
  requests: number;
  units: number;
  ratePerSecond: number;
  moneyPerMonth: number | null; // null: not known yet.
  why: string;
  proposal: string;
  fix: Fix | null; // The proposal as edits.
  link: Record<string, string>; // The query of the items view that lights the pattern up.
}

export function patternRows(model: Model, plan: Plan, cost: Cost | null): PatternRow[] {
  return plan.patterns.map((planned) => {
    const said = model.patterns.find((one) => one.name === planned.name);
    return {
      name: planned.name,
      title: planned.title,
      line: said?.line ?? 0,
      served: planned.served,
      plan: [...planned.plan, ...followUps(planned)],
      consistency: consistencyOf(planned),
      requests: planned.requests,
      units: planned.readUnits,
      ratePerSecond: said?.ratePerSecond ?? 0,
      moneyPerMonth: cost?.patterns.find((one) => one.name === planned.name)?.moneyPerMonth ?? null,
      why: (planned.why ?? '').trim(),
      proposal: planned.proposal ?? '',
      fix: planned.fixes?.[0] ?? null,
      link: itemsQuery(planned),
    };
  });
}

// `plan` names the requests that are sent first; what is fetched for their answers is in the steps.
function followUps(planned: PlannedPattern): string[] {
  return planned.steps
    .filter((step) => step.operation === 'BatchGetItem')
    .map((step) => `then BatchGetItem ${step.table}${step.because?.length ? ` for ${step.because.join(', ')}` : ''}`);
}

export function consistencyOf(planned: PlannedPattern): string {
  if (!planned.served) return '';
  if (planned.steps.every((step) => step.consistent)) return 'strong';
  return planned.strong ? 'eventual; strong possible' : 'eventual only';
}

// The parts of its address that the Items view reads: table, index, pattern and p.<parameter>.
export function itemsQuery(planned: PlannedPattern): Record<string, string> {
  const first = planned.steps[0];
  const query: Record<string, string> = { pattern: planned.name };
  if (first) query['table'] = first.table;
  if (first?.index) query['index'] = first.index;
  const example: Record<string, PlainValue> = planned.examples[0] ?? {};
  for (const [name, value] of Object.entries(example)) query[`p.${name}`] = String(value);
  return query;
}

export interface Coverage {
  views: { table: string; index: string | null; idle: boolean }[];
  rows: { name: string; title: string; served: boolean; cells: string[] }[]; // Operations; '' if none.
}

export function coverageOf(model: Model, plan: Plan): Coverage {
  const views = model.tables.flatMap((table) => [
    { table: table.name, index: null as string | null },
    ...table.indexes.map((index) => ({ table: table.name, index: index.name as string | null })),
  ]);
  const rows = plan.patterns.map((planned) => ({
    name: planned.name,
    title: planned.title,
    served: planned.served,
    cells: views.map(({ table, index }) => {
      const operations = planned.steps.filter((step) => step.table === table && step.index === index).map((step) => step.operation);
      return [...new Set(operations)].join(', ');
    }),
  }));
  return { rows, views: views.map((view, at) => ({ ...view, idle: rows.every((row) => row.cells[at] === '') })) };
}
