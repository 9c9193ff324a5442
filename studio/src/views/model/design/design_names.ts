// The designs of a search as a list of names: in order, and called what they are beside each other and beside the open one.
import type { FoundDesign } from '../../../api/model.ts';

const words: Record<string, string> = { cheapest: 'cheapest', 'fewest-indexes': 'fewest indexes', 'fewest-trips': 'fewest trips', simplest: 'simplest' };

// In no figure worse, and in one better.
function isBetter(one: FoundDesign, other: FoundDesign): boolean {
  const figures = ({ money, indexes, trips, copies }: FoundDesign) => [Math.round(money * 100), indexes, trips, copies];
  const [mine, theirs] = [figures(one), figures(other)];
  return mine.every((value, at) => value <= theirs[at]!) && mine.some((value, at) => value < theirs[at]!);
}

// Cheapest first; of designs with the same figures the first, with the names of all. What another is better than in every figure is left
// out, unless it is simpler, which no figure says.
export function distinctDesigns(all: FoundDesign[]): FoundDesign[] {
  const shown: FoundDesign[] = [];
  const cents = (one: FoundDesign) => Math.round(one.money * 100);
  for (const one of [...all].sort((a, b) => cents(a) - cents(b) || a.copies - b.copies)) {
    const same = shown.find((other) => cents(other) === cents(one) && other.indexes === one.indexes && other.trips === one.trips && other.copies === one.copies);
    if (same) same.bestFor = [...new Set([...same.bestFor, ...one.bestFor])];
    else shown.push({ ...one });
  }
  return shown.filter((one) => one.bestFor.includes('simplest') || !shown.some((other) => isBetter(other, one)));
}

// The search gives its words within a family of keys: one that another design of the list, or the open one, deserves more is left out, and
// the cheapest of all is called so.
export function nameOf({ bestFor, note, money: price, indexes, trips }: FoundDesign, all: FoundDesign[], indexesNow: number): string {
  const least = {
    cheapest: price <= Math.min(...all.map((one) => one.money)) + 0.005,
    'fewest-indexes': indexes <= Math.min(indexesNow, ...all.map((one) => one.indexes)),
    'fewest-trips': trips <= Math.min(...all.map((one) => one.trips)),
  } as Record<string, boolean>;
  const deserved = [...new Set([...(least['cheapest'] ? ['cheapest'] : []), ...bestFor.filter((one) => least[one] ?? true)])];
  const said = deserved.map((one) => words[one] ?? one).join(', ') || 'another way';
  return note ? `${said} (${note})` : said;
}
