// Collections by a part of their key.
import type { Side } from './side.ts';

// Numbers of the collections: those that begin with the text first, then those that contain it.
export function matches(side: Side, text: string): number[] {
  const wanted = text.toLowerCase();
  const beginning: number[] = [];
  const containing: number[] = [];
  side.collections.forEach(({ partition }, i) => {
    const at = partition.toLowerCase().indexOf(wanted);
    if (at === 0) beginning.push(i);
    else if (at > 0) containing.push(i);
  });
  return [...beginning, ...containing];
}
