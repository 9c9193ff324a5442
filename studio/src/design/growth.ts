// A collection when there is more of everything: how many items, how many bytes, how hot its key. The
// figures are the cost model's, for the most used key of each kind; a collection that is stored belongs to the kind whose
// key template its partition key fits.
import type { Cost } from '../api/model.ts';
import { matchTemplate, parseTemplate } from './key_template.ts';
import { collectionBytesMax, itemBytesMax } from './sizes.ts';

// The units that one partition gives in a second.
export const partitionReads = 3000;
export const partitionWrites = 1000;

export interface Growth {
  items: number;
  bytes: number;
  reads: number; // Units a second on the most used key of this kind.
  writes: number;
  utilisation: number; // Of what one partition gives.
  passed: string[]; // The limits, in words.
}

const bare = (key: string) => key.replace(/^"|"$/g, '');

// Whether the key of the cost report is that of a collection: by its template, or, if that has no fixed words, by the entity.
function fits(key: string, entity: string | null, partition: string, first: string): boolean {
  const template = bare(key);
  if (!key.startsWith('"') || parseTemplate(template).every(({ literal }) => literal === undefined)) return entity === null || entity === first;
  return matchTemplate(template, partition) !== null;
}

export function passedLimits(reads: number, writes: number, utilisation: number): string | null {
  if (reads > partitionReads && writes > partitionWrites) return 'more than 3,000 reads and 1,000 writes a second on one key';
  if (reads > partitionReads) return 'more than 3,000 read units a second on one key';
  if (writes > partitionWrites) return 'more than 1,000 write units a second on one key';
  return utilisation > 1 ? 'reads and writes together exceed one partition’s limit' : null;
}

type Size = Cost['sizes'][number];

// At the scale that the report was made for.
export const sizeNow = (size: Size) => Object.values(size.bytesAtScale)[0] ?? 0;

function growth(sizes: Size[], heat: Cost['heat']): Growth {
  const bytes = sizes.reduce((sum, one) => sum + sizeNow(one), 0);
  const [reads, writes, utilisation] = [
    Math.max(0, ...heat.map((one) => one.readUnitsPerSecond)),
    Math.max(0, ...heat.map((one) => one.writeUnitsPerSecond)),
    Math.max(0, ...heat.map((one) => one.utilisation)),
  ];
  const hot = passedLimits(reads, writes, utilisation);
  const passed = [
    ...(sizes.some(({ itemBytes }) => itemBytes > itemBytesMax) ? ['an item of more than 400 KB'] : []),
    ...(bytes > collectionBytesMax ? ['more than 10 GB in one collection'] : []),
    ...(hot ? [hot] : []),
  ];
  return { items: sizes.reduce((sum, one) => sum + (one.itemBytes > 0 ? sizeNow(one) / one.itemBytes : 0), 0), bytes, reads, writes, utilisation, passed };
}

// Of a stored collection; `view` is Table or Table.Index, `first` the entity of its first item. Null if the model has none like it.
export function growthOf(cost: Cost, view: string, partition: string, first: string): Growth | null {
  const sizes = cost.sizes.filter((one) => one.view === view && fits(one.key, one.entity, partition, first));
  if (sizes.length === 0) return null;
  const heat = cost.heat.filter((one) => one.view === view && sizes.some(({ key }) => key === one.key));
  return growth(sizes, heat);
}

// Of a key template in a view.
export function growthOfKey(cost: Cost, view: string, template: string): Growth | null {
  // A key that is an attribute as it is: {country} in the chart.
  const isIt = (one: { view: string; key: string }) => one.view === view && (bare(one.key) === template || `{${one.key}}` === template);
  const sizes = cost.sizes.filter(isIt);
  return sizes.length === 0 ? null : growth(sizes, cost.heat.filter(isIt));
}

// How far a cell swells, from 0 to 1: each power of ten is a step, 10 GB is all.
export function swell(bytes: number): number {
  return bytes <= 100 ? 0 : Math.min(1, Math.log10(bytes / 100) / Math.log10(collectionBytesMax / 100));
}
