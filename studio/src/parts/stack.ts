// Collections one under the other, and in each its items in order: where every item stands on a side of a picture, so that it
// can travel from one side to another.
export interface Keyed {
  id: string;
  keys: Readonly<Record<string, { partition: string; sort: string } | null>>; // By side; null: the item is not there.
}

export interface Group<T> {
  partition: string;
  top: number; // In pixels.
  height: number;
  items: T[];
}

export const rowHeight = 34;
const groupGap = 10;

type Compare = (a: string, b: string) => number;
const byText: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

export function stack<T extends Keyed>(items: T[], side: string, bySort: Compare = byText): Group<T>[] {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const key = item.keys[side];
    if (!key) continue;
    const group = byKey.get(key.partition);
    if (group) group.push(item);
    else byKey.set(key.partition, [item]);
  }
  let top = 0;
  return [...byKey.entries()]
    .sort(([a], [b]) => byText(a, b))
    .map(([partition, members]) => {
      const sorted = [...members].sort((a, b) => bySort(a.keys[side]!.sort, b.keys[side]!.sort));
      const group = { partition, top, height: sorted.length * rowHeight, items: sorted };
      top += group.height + groupGap;
      return group;
    });
}

export function placesIn<T extends Keyed>(groups: Group<T>[]): Map<string, number> {
  return new Map(groups.flatMap(({ top, items }) => items.map((item, at): [string, number] => [item.id, top + at * rowHeight])));
}

export const heightOf = (groups: Group<Keyed>[]): number => Math.max(0, ...groups.map(({ top, height }) => top + height));
