// Targets of one write: into the table, into each index as no, one or two writes, and into the items that keep copies.
// The same picture stands for a write that the design names, with the units that are to be expected, and for one that was
// sent, with the units that the engine took.
import type { Item } from '../api/attribute_value.ts';
import type { ConsumedCapacity } from '../api/dynamodb.ts';
import type { Cost, ItemLayout, Model, ModelTable, ModelWrite, WriteStep } from '../api/model.ts';
import { attributesIn } from './key_template.ts';
import { itemSize } from './sizes.ts';

export interface FallPart {
  name: string;
  kind: 'table' | 'index' | 'elsewhere';
  writes: number;
  units: number;
  what: string; // What happens there, in a word or two.
}

export interface Fall {
  title: string;
  parts: FallPart[]; // The table first.
  units: number;
  source: 'designed' | 'measured' | 'computed'; // By the cost model, by the engine's answer, by the sizes of the items.
}

// The effect of a write on one side, as the Items view tells it.
export interface SideEffect {
  index: string | null;
  before: Item | null;
  after: Item | null;
  effect: 'appears' | 'moves' | 'changes' | 'vanishes' | 'stays' | 'absent';
}

const writeBytes = 1024;
const unitsOf = (item: Item | null) => (item ? Math.max(1, Math.ceil(itemSize(item) / writeBytes)) : 0);

// The words for what happens in an index. A key cannot be changed in place: the entry goes and comes again.
const words: Record<SideEffect['effect'], { writes: number; what: string }> = {
  appears: { writes: 1, what: 'new entry' },
  moves: { writes: 2, what: 'old entry deleted, new entry put' },
  changes: { writes: 1, what: 'entry changed' },
  vanishes: { writes: 1, what: 'entry out' },
  stays: { writes: 0, what: 'no stored copy changes' },
  absent: { writes: 0, what: 'not listed here' },
};

function effectUnits({ index, effect, before, after }: SideEffect): number {
  if (index === null) return Math.max(unitsOf(before), unitsOf(after));
  if (effect === 'moves') return unitsOf(before) + unitsOf(after);
  return words[effect].writes === 0 ? 0 : Math.max(unitsOf(before), unitsOf(after));
}

// A write that was made. `measured` has the units by side, if the engine said them; a write by another program has none.
export function fallOfChanges(title: string, changes: SideEffect[], measured: Record<string, number> | null): Fall {
  const sides = [...new Set(changes.map(({ index }) => index))].sort((a, b) => Number(b === null) - Number(a === null));
  const parts = sides.map((index): FallPart => {
    const here = changes.filter((one) => one.index === index);
    const computed = here.reduce((sum, one) => sum + effectUnits(one), 0);
    const writes = index === null ? here.length : here.reduce((sum, { effect }) => sum + words[effect].writes, 0);
    const what = index === null ? (here.length > 1 ? `${here.length} items` : tableWord(here[0]!)) : [...new Set(here.map(({ effect }) => words[effect].what))].join(', ');
    return { name: index ?? 'table', kind: index === null ? 'table' : 'index', writes, units: measured ? (measured[index ?? 'table'] ?? 0) : computed, what };
  });
  return { title, parts, units: sum(parts), source: measured ? 'measured' : 'computed' };
}

const tableWord = ({ effect }: SideEffect) =>
  ({ appears: 'new item', vanishes: 'item removed', changes: 'item changed', moves: 'item moved', stays: 'item written unchanged', absent: 'nothing there' })[effect];

const sum = (parts: FallPart[]) => parts.reduce((all, { units }) => all + units, 0);

// The units by side of ReturnConsumedCapacity=INDEXES, those of several tables together.
export function unitsBySide(answer: ConsumedCapacity[]): Record<string, number> {
  const units: Record<string, number> = {};
  const add = (name: string, more: number) => (units[name] = (units[name] ?? 0) + more);
  for (const { Table, GlobalSecondaryIndexes, LocalSecondaryIndexes, CapacityUnits } of answer) {
    add('table', Table?.CapacityUnits ?? CapacityUnits);
    for (const [name, one] of Object.entries({ ...GlobalSecondaryIndexes, ...LocalSecondaryIndexes })) add(name, one.CapacityUnits);
  }
  return units;
}

// A write that the design names, as the cost model expects it.
export function fallOfWrite(model: Model, cost: Cost, write: ModelWrite): Fall | null {
  const priced = cost.writes.find(({ name }) => name === write.name);
  if (!priced) return null;
  const tables = model.tables.filter(({ items }) => items.some(({ entity }) => write.steps.some((step) => step.entity === entity)));
  const index = (name: string) => {
    const effects = write.steps.flatMap((step) => tables.map((table) => indexWrites(table, name, step)));
    // Every unit paid for is a write, whatever the layouts seem to say.
    const writes = (priced.units[name] ?? 0) > 0 ? Math.max(1, effects.reduce((all, one) => all + one, 0)) : 0;
    return { writes, what: writes === 0 ? 'not touched' : effects.includes(2) ? 'old entry deleted, new entry put' : writes === 1 ? 'one entry' : `${writes} entries` };
  };
  const names = new Set([...tables.flatMap(({ indexes }) => indexes.map(({ name }) => name))]);
  const parts: FallPart[] = [
    { name: 'table', kind: 'table', writes: write.steps.length, units: priced.units['table'] ?? 0, what: write.steps.map(({ kind, entity }) => `${kind} ${entity}`).join(', ') },
    ...[...names].map((name): FallPart => ({ name, kind: 'index', units: priced.units[name] ?? 0, ...index(name) })),
    ...Object.entries(priced.units)
      .filter(([name]) => name !== 'table' && !names.has(name))
      .map(([name, units]): FallPart => ({ name, kind: 'elsewhere', units, writes: Math.max(1, Math.round(priced.copies)), what: elsewhere[name] ?? 'other items' })),
  ];
  return { title: `${write.name}: ${write.title}`, parts, units: priced.writeUnits, source: 'designed' };
}

const elsewhere: Record<string, string> = { copies: 'items that keep copies', sums: 'items that keep sums', locks: 'lock items of unique values' };

// How many writes a step makes in an index: none, one, or two when it changes the entry's key.
export function indexWrites(table: ModelTable, index: string, step: Pick<WriteStep, 'kind' | 'entity' | 'set'>): number {
  const layout = table.items.find(({ entity }) => entity === step.entity);
  const described = table.indexes.find(({ name }) => name === index);
  if (!layout || !described) return 0;
  const keys = [...described.partition, ...described.sort];
  const listed = keys.every((key) => layout.attributes.some(({ name }) => name === key) || key === table.partition || key === table.sort);
  if (!listed && !keys.every((key) => step.set.includes(key))) return 0;
  if (step.kind !== 'update') return 1;
  if (keys.some((key) => madeOf(layout, key).some((attribute) => step.set.includes(attribute)))) return 2;
  const kept = described.projection.toLowerCase() === 'all' || step.set.some((name) => described.include.includes(name));
  return kept ? 1 : 0;
}

function madeOf(layout: ItemLayout, key: string): string[] {
  const stored = layout.attributes.find(({ name }) => name === key);
  if (!stored || stored.template === undefined) return [key];
  return stored.kind === 'template' ? attributesIn(stored.template) : [stored.template];
}
