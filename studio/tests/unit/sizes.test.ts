import { describe, expect, it } from 'vitest';
import { itemSize, numberSize, textSize, valueSize } from '../../src/design/sizes.ts';
import { bytes } from '../../src/parts/numbers.ts';

describe('sizes', () => {
  it('count text in UTF-8 bytes', () => {
    for (const text of ['', 'abc', 'é', '€', '\u{1F600}', 'aé€\u{1F600}']) {
      expect(textSize(text)).toBe(Buffer.byteLength(text));
    }
  });

  // As the engine's own test has them (tests/value/number_test.cc).
  it.each([
    ['0', 1],
    ['1', 2],
    ['15', 2],
    ['1.5', 3],
    ['-42', 3],
    ['100', 2],
    ['123', 3],
    ['0.01', 2],
    ['0.001', 2],
    ['1E2', 2],
  ])('count %s as %i bytes', (digits, bytes) => {
    expect(numberSize(digits)).toBe(bytes);
  });

  it('count three bytes for a list or map, and one for each element', () => {
    expect(valueSize({ L: [] })).toBe(3);
    expect(valueSize({ L: [{ S: 'ab' }, { BOOL: true }] })).toBe(3 + 1 + 2 + 1 + 1);
    expect(valueSize({ M: { name: { S: 'ab' } } })).toBe(3 + 1 + 4 + 2);
  });

  it('count sets without an overhead, and binary as bytes', () => {
    expect(valueSize({ SS: ['ab', 'c'] })).toBe(3);
    expect(valueSize({ B: Buffer.from('hello').toString('base64') })).toBe(5);
    expect(valueSize({ BS: [Buffer.from('he').toString('base64')] })).toBe(2);
  });

  it('count names and values of an item', () => {
    expect(itemSize({ PK: { S: 'USER#1' }, n: { N: '15' }, gone: { NULL: true } })).toBe(2 + 6 + 1 + 2 + 4 + 1);
  });

  it('are written for people', () => {
    expect([0, 1, 1023, 1024, 1310, 10 * 1024, 1024 ** 2].map(bytes)).toEqual(['0 bytes', '1 byte', '1,023 bytes', '1 KB', '1.28 KB', '10 KB', '1 MB']);
  });
});
