// How many bytes DynamoDB counts for an item: names and values in UTF-8, numbers by pairs of digits,
// three bytes for a list or map and one more for each of its elements. The engine counts the same
// (src/value/size.cc).
import type { AttributeValue, Item } from '../api/attribute_value.ts';
import { parseDecimal } from './order.ts';

export const itemBytesMax = 400 * 1024;
export const collectionBytesMax = 10 * 1024 ** 3;

const containerBytes = 3;
const elementBytes = 1;
const numberPairsMax = 20;

export function itemSize(item: Item): number {
  let size = 0;
  for (const [name, value] of Object.entries(item)) size += textSize(name) + valueSize(value);
  return size;
}

export function valueSize(value: AttributeValue): number {
  if ('S' in value) return textSize(value.S);
  if ('N' in value) return numberSize(value.N);
  if ('B' in value) return binarySize(value.B);
  if ('BOOL' in value || 'NULL' in value) return 1;
  if ('M' in value) return containerBytes + elementBytes * Object.keys(value.M).length + itemSize(value.M);
  if ('L' in value) return value.L.reduce((sum, member) => sum + elementBytes + valueSize(member), containerBytes);
  if ('SS' in value) return value.SS.reduce((sum, member) => sum + textSize(member), 0);
  if ('NS' in value) return value.NS.reduce((sum, member) => sum + numberSize(member), 0);
  return value.BS.reduce((sum, member) => sum + binarySize(member), 0);
}

export function textSize(text: string): number {
  let size = text.length;
  for (let i = 0; i < text.length; ++i) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair has four bytes: two for each half.
    size += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return size;
}

// One exponent byte and base-100 digits aligned on the decimal point; an end mark behind a negative
// number with less than the full twenty pairs.
export function numberSize(text: string): number {
  const { negative, digits, exponent } = parseDecimal(text);
  if (digits === '') return 1;
  const bottom = exponent - digits.length + 1;
  const pairs = (exponent >> 1) - (bottom >> 1) + 1;
  return 1 + pairs + (negative && pairs < numberPairsMax ? 1 : 0);
}

function binarySize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
