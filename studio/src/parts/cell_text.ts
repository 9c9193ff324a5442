// A value in one cell: how it is shown, typed and sorted.
import { show, typeOf, type AttributeValue, type Item, type TypeName } from '../api/attribute_value.ts';
import { printPlain, readPlainValue } from './item_text.ts';

// The text of the input when a cell is edited.
export function editText(value: AttributeValue | undefined): string {
  if (!value) return '';
  return 'S' in value || 'N' in value || 'B' in value ? show(value) : printPlain(value).replace(/\s*\n\s*/g, ' ');
}

const examples: Partial<Record<TypeName, AttributeValue>> = {
  S: { S: '' }, N: { N: '0' }, B: { B: '' }, BOOL: { BOOL: true }, L: { L: [] }, M: { M: {} }, SS: { SS: ['x'] }, NS: { NS: ['1'] }, BS: { BS: ['AA=='] },
};

// Reads what was typed, as the type that was there, or else as `type`, which it has in other items. Throws Error if it does not
// fit. A new value of no known type is read as JSON where that is possible and as text otherwise.
export function readCell(text: string, before: AttributeValue | undefined, type?: TypeName): AttributeValue {
  const old = before ?? (type && examples[type]);
  if (!old) {
    try {
      return readPlainValue(text);
    } catch {
      return { S: text };
    }
  }
  if ('S' in old) return { S: text };
  if ('N' in old) {
    const digits = text.trim();
    if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(digits)) throw new Error('This attribute is a number. Use the item editor to change its type.');
    return { N: digits };
  }
  if ('B' in old) return { B: text.trim() };
  const value = readPlainValue(text, old);
  if (typeOf(value) !== typeOf(old)) throw new Error('This changes the type. Use the item editor for that.');
  return value;
}

// Numbers by size, all else by its text; types apart; what is missing comes last.
export function compareCells(a: AttributeValue | undefined, b: AttributeValue | undefined): number {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  if ('N' in a && 'N' in b) return Number(a.N) - Number(b.N);
  if (typeOf(a) !== typeOf(b)) return typeOf(a) < typeOf(b) ? -1 : 1;
  const [left, right] = [show(a), show(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

// Key attributes first, the others by name, each once. `offered` may be missing in every item: a first value can be typed there.
export function columnsOf(items: Item[], keys: string[], offered: string[] = []): string[] {
  const names = new Set<string>(offered);
  for (const item of items) for (const name of Object.keys(item)) names.add(name);
  const first = keys.filter((name) => names.delete(name));
  return [...first, ...[...names].sort()];
}
