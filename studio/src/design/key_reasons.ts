// The reasons for the keys of a design.
import type { Model, Plan } from '../api/model.ts';

type KeyUse = Plan['keys'][number];

// Whether a pattern reads a table or index that has this key. Without a partition key there is no table at all, but who
// asks why PK is there does not want to hear of patterns that an index serves.
function reads(model: Model, plan: Plan, use: KeyUse, pattern: string): boolean {
  const table = model.tables.find(({ name }) => name === use.table);
  const steps = plan.patterns.find(({ name }) => name === pattern)?.steps ?? [];
  return steps.some((step) => {
    if (step.table !== use.table) return false;
    if (step.index === null) return use.attribute === table?.partition || use.attribute === table?.sort;
    const index = table?.indexes.find(({ name }) => name === step.index);
    const partition = index?.local ? [table!.partition] : (index?.partition ?? []);
    return [...partition, ...(index?.sort ?? [])].includes(use.attribute);
  });
}

const nameIn = (entry: string) => entry.split(' ')[0]!;

function ownUse(model: Model, plan: Plan, use: KeyUse): KeyUse {
  const kept = (list: string[]) => list.filter((entry) => reads(model, plan, use, nameIn(entry)));
  return { ...use, lost: kept(use.lost), depend: kept(use.depend), dearer: kept(use.dearer) };
}

// Why a key attribute is there, as sentences.
export function describeKey(model: Model, plan: Plan, whole: KeyUse): string[] {
  const use = ownUse(model, plan, whole);
  const sentences: string[] = [];
  if (use.lost.length > 0) {
    const titled = use.lost.map((entry) => {
      const title = plan.patterns.find(({ name }) => name === nameIn(entry))?.title;
      return title ? `${entry} (${title})` : entry;
    });
    sentences.push(`Without it ${titled.join(', ')} would take a Scan.`);
  }
  if (use.depend.length > 0) {
    sentences.push(`${use.depend.join(', ')} ${use.depend.length === 1 ? 'needs' : 'need'} it for the right rows or their order.`);
  }
  if (use.dearer.length > 0) sentences.push(`Without it these cost more: ${use.dearer.join(', ')}.`);
  if (sentences.length === 0) sentences.push('No access pattern needs it; it makes the items of one partition distinct, or can go.');
  return sentences;
}

// The patterns that die without a key, by name.
export function patternsThatNeed(model: Model, plan: Plan, table: string, attribute: string): string[] {
  const use = plan.keys.find((one) => one.table === table && one.attribute === attribute);
  if (!use) return [];
  const own = ownUse(model, plan, use);
  return [...new Set([...own.lost, ...own.depend].map(nameIn))];
}

// The same from the side of one pattern: which keys it needs, and what it would lose without them.
export function keysFor(model: Model, plan: Plan, pattern: string): string[] {
  const named = (list: string[]) => list.find((one) => nameIn(one) === pattern);
  return plan.keys.flatMap((whole) => {
    const use = ownUse(model, plan, whole);
    const dearer = named(use.dearer);
    if (named(use.lost)) return [`Without ${use.attribute} of ${use.table} it would take a Scan.`];
    if (named(use.depend)) return [`It needs ${use.attribute} of ${use.table} for the right rows or their order.`];
    if (dearer) return [`Without ${use.attribute} of ${use.table} it would cost more${dearer.slice(pattern.length)}.`];
    return [];
  });
}
