// Figures of the cost tab: what grows with the scale, and where a limit is passed.
import type { Cost, Model } from '../../../api/model.ts';
import { fallOfWrite, type Fall } from '../../../design/fan_out.ts';

// Where the slider can stand: every step is another scale.
const scales = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000];
export const scaleSteps = scales.length - 1;

export function scaleAt(step: number): number {
  return scales[Math.min(Math.max(Math.round(step), 0), scaleSteps)]!;
}

// The step next to a scale that an address may name.
export function stepAt(scale: number): number {
  const distance = (at: number) => Math.abs(Math.log(scales[at]!) - Math.log(Math.max(scale, 1)));
  return scales.reduce((best, _, at) => (distance(at) < distance(best) ? at : best), 0);
}

export interface SizeRow {
  view: string;
  entity: string;
  key: string;
  items: number;
  itemBytes: number;
  bytes: number[]; // At each of the scales.
}

// Collections at the scale that the slider shows, and at ten, a hundred and a thousand times that.
export function sizeRows(cost: Cost): { scales: string[]; rows: SizeRow[] } {
  const names = Object.keys(cost.sizes[0]?.bytesAtScale ?? {});
  const rows = cost.sizes.map(({ view, entity, key, items, itemBytes, bytesAtScale }) => ({
    view, entity, key: key.replace(/"/g, ''), items, itemBytes, bytes: names.map((name) => bytesAtScale[name] ?? 0),
  }));
  return { scales: names.map((name) => name.replace('x', '×')), rows };
}

// What one partition gives in a second.
export const partitionReads = 3000;
export const partitionWrites = 1000;

export interface HeatRow {
  view: string;
  key: string;
  utilisation: number;
  reads: number;
  writes: number;
  passed: string | null; // Which limit.
}

export function heatRows(cost: Cost): HeatRow[] {
  return cost.heat.map((heat) => ({
    view: heat.view,
    key: heat.key.replace(/^"|"$/g, ''),
    utilisation: heat.utilisation,
    reads: heat.readUnitsPerSecond,
    writes: heat.writeUnitsPerSecond,
    passed: passedLimit(heat.readUnitsPerSecond, heat.writeUnitsPerSecond, heat.utilisation),
  }));
}

function passedLimit(reads: number, writes: number, utilisation: number): string | null {
  if (reads > partitionReads && writes > partitionWrites) return 'more than 3,000 reads and 1,000 writes a second on one key';
  if (reads > partitionReads) return 'more than 3,000 read units a second on one key';
  if (writes > partitionWrites) return 'more than 1,000 write units a second on one key';
  return utilisation > 1 ? 'reads and writes together are more than one partition gives' : null;
}

export interface FanOut {
  name: string;
  title: string;
  parts: { name: string; units: number; share: number }[]; // The table first.
  units: number;
  moneyPerMonth: number;
  fall: Fall | null;
}

// One write falls into the table, each index, and the items that hold copies.
export function fanOuts(model: Model, cost: Cost): FanOut[] {
  return cost.writes.map((write) => {
    const parts = Object.entries(write.units)
      .filter(([, units]) => units > 0)
      .sort(([a], [b]) => Number(b === 'table') - Number(a === 'table') || a.localeCompare(b))
      .map(([name, units]) => ({ name, units, share: write.writeUnits > 0 ? units / write.writeUnits : 0 }));
    const named = model.writes.find((one) => one.name === write.name);
    return {
      name: write.name,
      title: named?.title ?? '',
      parts,
      units: write.writeUnits,
      moneyPerMonth: write.moneyPerMonth,
      fall: named ? fallOfWrite(model, cost, named) : null,
    };
  });
}
