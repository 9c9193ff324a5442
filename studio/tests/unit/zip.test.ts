import { describe, expect, it } from 'vitest';
import { crc32, zipOf } from '../../src/parts/zip.ts';

describe('archives', () => {
  it('hold every file with its checksum', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    const bytes = zipOf([{ path: 'a/b.ts', text: 'hello' }, { path: 'c.txt', text: '' }]);
    const view = new DataView(bytes.buffer);
    expect(view.getUint32(0, true)).toBe(0x04034b50);
    expect(view.getUint32(bytes.length - 22, true)).toBe(0x06054b50);
    expect(view.getUint16(bytes.length - 22 + 10, true)).toBe(2);
    expect(view.getUint32(view.getUint32(bytes.length - 22 + 16, true), true)).toBe(0x02014b50);
  });
});
