// The order in which DynamoDB keeps keys: text by its UTF-8 bytes, numbers by value, binary by bytes.
import type { AttributeValue } from '../api/attribute_value.ts';

export type KeyType = 'S' | 'N' | 'B';

// A key value without its type, as the wire writes it: text, digits or base64.
export function keyText(value: AttributeValue): string {
  if ('S' in value) return value.S;
  if ('N' in value) return value.N;
  if ('B' in value) return value.B;
  return '';
}

export function compareKeys(type: KeyType, a: string, b: string): number {
  if (a === b) return 0;
  if (type === 'S') return compareText(a, b);
  if (type === 'N') return compareNumbers(a, b);
  return compareBase64(a, b);
}

// JavaScript compares UTF-16 units, in which a surrogate (a character past U+FFFF) comes before
// U+E000 to U+FFFF; in UTF-8 it comes after them.
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; ++i) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const xSurrogate = (x & 0xf800) === 0xd800;
    const ySurrogate = (y & 0xf800) === 0xd800;
    if (xSurrogate !== ySurrogate) return xSurrogate ? 1 : -1;
    return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

export interface Decimal {
  negative: boolean;
  digits: string; // Without zeros at either end; empty for zero.
  exponent: number; // Of the first digit: 15 has 1, 0.5 has -1.
}

export function parseDecimal(text: string): Decimal {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (!match) return { negative: false, digits: '', exponent: 0 };
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const all = whole + fraction;
  const leading = all.length - all.replace(/^0+/, '').length;
  const digits = all.slice(leading).replace(/0+$/, '');
  if (digits === '') return { negative: false, digits, exponent: 0 };
  return { negative: sign === '-', digits, exponent: whole.length - 1 - leading + Number(power) };
}

// Exact: 38 digits do not fit a JavaScript number, but those that differ there differ here.
export function compareNumbers(a: string, b: string): number {
  const fast = Number(a) - Number(b);
  if (fast !== 0 && Number.isFinite(fast)) return fast;
  const x = parseDecimal(a);
  const y = parseDecimal(b);
  if (x.negative !== y.negative) return x.negative ? -1 : 1;
  return x.negative ? compareMagnitudes(y, x) : compareMagnitudes(x, y);
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length;
  if (a.exponent !== b.exponent) return a.exponent - b.exponent;
  return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// Base64 keeps the order of the bytes if its characters are taken by their value.
function compareBase64(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; ++i) {
    if (a[i] !== b[i]) return alphabet.indexOf(a[i]!) - alphabet.indexOf(b[i]!);
  }
  return a.length - b.length;
}
