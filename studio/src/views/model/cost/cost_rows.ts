// Figures of the cost tab: what grows with the scale, and where a limit is passed.
import type { Cost, Model } from '../../../api/model.ts';
import { fallOfWrite, type Fall } from '../../../design/fan_out.ts';
import { passedLimits } from '../../../design/growth.ts';

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
    passed: passedLimits(heat.readUnitsPerSecond, heat.writeUnitsPerSecond, heat.utilisation),
  }));
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
