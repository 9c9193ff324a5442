// Figures that the design does not state. The cost model assumes them and names the line that would say it; here that
// line is put into the text, in the way in which the author wrote what is there already.
import type { Assumption } from '../api/model.ts';

// Without its comment; and the comment with the space before it.
export function parted(line: string): [string, string] {
  const found = /^((?:"[^"]*"|(?!\/\/)[^"])*?)(\s*\/\/.*)?$/.exec(line);
  return [found?.[1]?.trimEnd() ?? line, found?.[2] ?? ''];
}

const appended = (line: string, clause: string) => {
  const [code, comment] = parted(line);
  return `${code} ${clause}${comment}`;
};

// The last line of the declaration that begins at `from`; -1 if it has no end.
export function endOf(lines: string[], from: number): number {
  let depth = 0;
  for (let at = from; at < lines.length; at += 1) {
    const code = parted(lines[at]!)[0].replace(/"[^"]*"/g, '');
    depth += (code.match(/\{/g)?.length ?? 0) - (code.match(/\}/g)?.length ?? 0);
    if (depth <= 0) return at;
  }
  return -1;
}

// The whole text with the assumption stated in it; null if its place is not found.
export function stated(source: string, { line, at }: Pick<Assumption, 'line' | 'at'>): string | null {
  const lines = source.split('\n');
  const here = lines[at - 1];
  if (here === undefined || line === '') return null;
  const put = (number: number, text: string, replaced = 1) => [...lines.slice(0, number), text, ...lines.slice(number + replaced)].join('\n');
  const share = /\boptional (\S+%)$/.exec(line)?.[1];
  if (share) return /\boptional\b(?! *[\d.]+%)/.test(here) ? put(at - 1, here.replace(/\boptional\b/, `optional ${share}`)) : null;
  const clause = /\b((?:distinct|hottest|zipf) \S+|returns ~?\S+)$/.exec(line)?.[1];
  if (clause && !/^(rate|count)\b/.test(line)) return put(at - 1, appended(here, clause));
  // A line of the declaration: in place of the one that begins with the same word, else before its end.
  const end = endOf(lines, at - 1);
  if (end <= at - 1) return null;
  const word = line.split(' ')[0]!;
  const old = lines.findIndex((text, number) => number >= at && number < end && parted(text)[0].trim().split(/\s+/)[0] === word);
  if (old >= 0) return put(old, `${/^\s*/.exec(lines[old]!)![0]}${line}${parted(lines[old]!)[1]}`);
  return put(end, `${/^\s*/.exec(here)![0]}  ${line}`, 0);
}
