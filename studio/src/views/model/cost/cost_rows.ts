// Figures of the cost tab: what grows with the scale, and where a limit is passed.
import type { Cost, Model } from '../../../api/model.ts';

// The slider runs evenly over the powers of ten.
export const scaleSteps = 30;
export const scaleMax = 1000;

export function scaleAt(step: number): number {
  const raw = 10 ** ((step / scaleSteps) * Math.log10(scaleMax));
  const digit = 10 ** Math.floor(Math.log10(raw));
  return Math.round(raw / digit) * digit;
}

export function stepAt(scale: number): number {
  return Math.round((Math.log10(Math.min(Math.max(scale, 1), scaleMax)) / Math.log10(scaleMax)) * scaleSteps);
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
}

// One write falls into the table, each index, and the items that hold copies.
export function fanOuts(model: Model, cost: Cost): FanOut[] {
  return cost.writes.map((write) => {
    const parts = Object.entries(write.units)
      .filter(([, units]) => units > 0)
      .sort(([a], [b]) => Number(b === 'table') - Number(a === 'table') || a.localeCompare(b))
      .map(([name, units]) => ({ name, units, share: write.writeUnits > 0 ? units / write.writeUnits : 0 }));
    return {
      name: write.name,
      title: model.writes.find((one) => one.name === write.name)?.title ?? '',
      parts,
      units: write.writeUnits,
      moneyPerMonth: write.moneyPerMonth,
    };
  });
}
