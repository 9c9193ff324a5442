// Files as one ZIP archive, stored without compression: a few dozen kilobytes of text do not need any.

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ table[(value ^ byte) & 0xff]!;
  return (value ^ 0xffffffff) >>> 0;
}

// Numbers of two and four bytes, the least byte first.
function record(...fields: [bytes: 2 | 4, value: number][]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

const utf8 = 0x0800; // Names are UTF-8.
const day = 0x0021; // The first of January 1980: the same files give the same archive.

export function zipOf(files: { path: string; text: string }[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { path, text } of files) {
    const [name, data] = [encoder.encode(path), encoder.encode(text)];
    const about: [2 | 4, number][] = [[2, 20], [2, utf8], [2, 0], [2, 0], [2, day], [4, crc32(data)], [4, data.length], [4, data.length], [2, name.length], [2, 0]];
    const local = record([4, 0x04034b50], ...about);
    directory.push(record([4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name);
    parts.push(local, name, data);
    at += local.length + name.length + data.length;
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  const end = record([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]);
  const all = [...parts, ...directory, end];
  const bytes = new Uint8Array(all.reduce((sum, one) => sum + one.length, 0));
  let to = 0;
  for (const one of all) {
    bytes.set(one, to);
    to += one.length;
  }
  return bytes;
}
