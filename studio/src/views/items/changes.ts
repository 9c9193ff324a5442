// The effect of a write on one side of the picture, in a word and in a sentence.
import { member, type Item } from '../../api/attribute_value.ts';
import { same } from '../../requests/guarded_write.ts';
import { keyText } from '../../design/order.ts';
import type { SideKeys } from './side.ts';

export type Effect = 'appears' | 'moves' | 'changes' | 'vanishes' | 'stays' | 'absent';

export interface SideChange {
  index: string | null; // Null: the table itself.
  id: string; // Of the item after the write, or before it if it is gone.
  before: Item | null; // As this side holds it; null: not there.
  after: Item | null;
  effect: Effect;
}

export function effectOf(keys: SideKeys, before: Item | null, after: Item | null): Effect {
  if (!before) return after ? 'appears' : 'absent';
  if (!after) return 'vanishes';
  const names = [...keys.partition, ...keys.sort];
  if (names.some((name) => !same(member(before, name), member(after, name)))) return 'moves';
  return same({ M: before }, { M: after }) ? 'stays' : 'changes';
}

// "GSI1: appears in COURSE#C2 as STUDENT#S2."
export function sentence(change: SideChange, keys: SideKeys): string {
  const side = keys.index ?? 'Table';
  switch (change.effect) {
    case 'appears':
      return `${side}: it appears ${placeIn(change.after!, keys)}.`;
    case 'moves':
      return `${side}: it moves from ${keyOf(change.before!, keys)} to ${keyOf(change.after!, keys)}.`;
    case 'changes':
      return `${side}: it changes ${placeIn(change.after!, keys)}.`;
    case 'vanishes':
      return `${side}: it vanishes from ${keyOf(change.before!, keys)}.`;
    case 'stays':
      return `${side}: nothing changes, no attribute kept here is touched.`;
    case 'absent':
      return `${side}: nothing changes, the item has no ${keys.partition.join(', ')} and is not listed here.`;
  }
}

function placeIn(item: Item, keys: SideKeys): string {
  const partition = textOf(item, keys.partition);
  return keys.sort.length === 0 ? `in ${partition}` : `in ${partition} as ${textOf(item, keys.sort)}`;
}

export function keyOf(item: Item, keys: SideKeys): string {
  const partition = textOf(item, keys.partition);
  return keys.sort.length === 0 ? partition : `${partition} / ${textOf(item, keys.sort)}`;
}

function textOf(item: Item, names: string[]): string {
  return names.map((name) => (member(item, name) ? keyText(item[name]!) : '(none)')).join(', ');
}
