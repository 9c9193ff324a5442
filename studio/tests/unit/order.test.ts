import { describe, expect, it } from 'vitest';
import { compareKeys } from '../../src/design/order.ts';

function sorted(type: 'S' | 'N' | 'B', keys: string[]): string[] {
  return [...keys].sort((a, b) => compareKeys(type, a, b));
}

describe('the order of keys', () => {
  it('is that of UTF-8 bytes for text', () => {
    expect(sorted('S', ['a', 'Z', '#', 'CUSTOMER#1', 'é', ''])).toEqual(['', '#', 'CUSTOMER#1', 'Z', 'a', 'é']);
  });

  it('puts characters past U+FFFF behind all others, unlike JavaScript', () => {
    const keys = ['\u{1F600}', '\uFF5E', '\uE000', 'z'];
    expect(sorted('S', keys)).toEqual(['z', '\uE000', '\uFF5E', '\u{1F600}']);
    const bytes = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(sorted('S', keys)).toEqual(bytes);
  });

  it('puts a prefix before what it begins', () => {
    expect(sorted('S', ['PROJECT#p10', 'PROJECT#p1#TASK#t1', 'PROJECT#p1'])).toEqual([
      'PROJECT#p1',
      'PROJECT#p1#TASK#t1',
      'PROJECT#p10',
    ]);
  });

  it('is by value for numbers', () => {
    expect(sorted('N', ['10', '9', '-1', '-10', '0', '0.5', '1E2'])).toEqual(['-10', '-1', '0', '0.5', '9', '10', '1E2']);
  });

  it('tells numbers apart that JavaScript cannot', () => {
    const big = '12345678901234567890123456789012345678';
    const bigger = '12345678901234567890123456789012345679';
    expect(compareKeys('N', big, bigger)).toBeLessThan(0);
    expect(compareKeys('N', `-${big}`, `-${bigger}`)).toBeGreaterThan(0);
    expect(compareKeys('N', '1', '1.0')).toBe(0);
    expect(compareKeys('N', '-0.1', '0')).toBeLessThan(0);
  });

  it('is that of the bytes for binary', () => {
    const keys = [[0], [1], [0, 255], [255], [1, 2, 3], [250, 1]].map((bytes) => Buffer.from(bytes));
    const expected = [...keys].sort(Buffer.compare).map((bytes) => bytes.toString('base64'));
    expect(sorted('B', keys.map((bytes) => bytes.toString('base64')))).toEqual(expected);
  });
});
