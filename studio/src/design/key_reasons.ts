// What the keys of a design are there for.
import type { Plan } from '../api/model.ts';

type KeyUse = Plan['keys'][number];

// Why a key attribute is there, as sentences.
export function describeKey(use: KeyUse): string[] {
  const sentences: string[] = [];
  if (use.lost.length > 0) {
    sentences.push(`Without it ${use.lost.join(', ')} could no longer be answered without a Scan.`);
  }
  if (use.depend.length > 0) {
    sentences.push(`${use.depend.join(', ')} ${use.depend.length === 1 ? 'needs' : 'need'} it for the right rows or their order.`);
  }
  if (use.dearer.length > 0) sentences.push(`Without it these get dearer: ${use.dearer.join(', ')}.`);
  if (sentences.length === 0) sentences.push('No access pattern needs it; it makes the items of one partition distinct, or can go.');
  return sentences;
}

// The same from the side of one pattern: which keys it needs, and what it would lose without them.
export function keysFor(keys: KeyUse[], pattern: string): string[] {
  const named = (list: string[]) => list.find((one) => one === pattern || one.startsWith(`${pattern} `));
  return keys.flatMap((use) => {
    const dearer = named(use.dearer);
    if (named(use.lost)) return [`Without ${use.attribute} of ${use.table} it could no longer be answered without a Scan.`];
    if (named(use.depend)) return [`It needs ${use.attribute} of ${use.table} for the right rows or their order.`];
    if (dearer) return [`Without ${use.attribute} of ${use.table} it would cost more${dearer.slice(pattern.length)}.`];
    return [];
  });
}
