// The checker counts columns in bytes of UTF-8; the page counts UTF-16 units.

// How many UTF-16 units of `line` hold its first `bytes` bytes; at most all.
export function unitsOf(line: string, bytes: number): number {
  let units = 0;
  for (const sign of line) {
    const code = sign.codePointAt(0)!;
    bytes -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes < 0) break;
    units += sign.length;
  }
  return units;
}
