// What a change does to the text of a design, declaration by declaration.
//
// A design's declarations may stand in any order, and so may the items of a table: a line-by-line comparison calls a block that only
// moved removed and written anew. So both texts are read as trees of blocks, blocks are matched by their kind and name ("table School",
// "item Student"), and only what differs inside a pair is shown, below the heads it stands under. Lines that differ in nothing but
// their spaces are the same.
export interface ChangedLine {
  sign: '-' | '+' | ' '; // ' ': the head of the block that the next ones stand in.
  line: string;
}

interface Block {
  head: string;
  name: string; // Its first two words.
  parts: (string | Block)[];
}

const words = (line: string) => line.trim().replace(/\s+/g, ' ');

// Braces inside texts belong to key templates.
const code = (line: string) => line.replace(/"[^"]*"/g, '').replace(/\/\/.*$/, '').trim();

function blocksOf(text: string): Block {
  const root: Block = { head: '', name: '', parts: [] };
  const open = [root];
  for (const line of text.split('\n')) {
    const bare = code(line);
    if (bare === '' && words(line) === '') continue;
    if (bare === '}' && open.length > 1) open.pop();
    else if (bare.endsWith('{')) {
      const block: Block = { head: line, name: words(line).split(' ').slice(0, 2).join(' '), parts: [] };
      open.at(-1)!.parts.push(block);
      open.push(block);
    } else open.at(-1)!.parts.push(line);
  }
  return root;
}

const whole = (block: Block): string[] => [block.head, ...block.parts.flatMap((part) => (typeof part === 'string' ? [part] : whole(part)))];

const linesOf = ({ parts }: Block) => parts.filter((part) => typeof part === 'string');
const innerOf = ({ parts }: Block) => parts.filter((part) => typeof part !== 'string');

// The lines of one list that the other does not have as often.
function missingFrom(list: string[], other: string[]): Set<number> {
  const left = new Map<string, number>();
  for (const line of other) left.set(words(line), (left.get(words(line)) ?? 0) + 1);
  return new Set(
    list.flatMap((line, at) => {
      const count = left.get(words(line)) ?? 0;
      left.set(words(line), count - 1);
      return count > 0 ? [] : [at];
    }),
  );
}

function changesIn(old: Block, next: Block): ChangedLine[] {
  const [before, after] = [linesOf(old), linesOf(next)];
  const gone = missingFrom(before, after);
  const added = missingFrom(after, before);
  const shown: ChangedLine[] = before.flatMap((line, at) => (gone.has(at) ? [{ sign: '-' as const, line }] : []));
  shown.push(...after.flatMap((line, at) => (added.has(at) ? [{ sign: '+' as const, line }] : [])));
  const rest = innerOf(old);
  for (const block of innerOf(next)) {
    const at = rest.findIndex(({ name }) => name === block.name);
    const pair = at < 0 ? undefined : rest.splice(at, 1)[0]!;
    if (!pair) shown.push(...whole(block).map((line) => ({ sign: '+' as const, line })));
    else shown.push(...pairChanges(pair, block));
  }
  for (const block of rest) shown.push(...whole(block).map((line) => ({ sign: '-' as const, line })));
  return shown;
}

function pairChanges(old: Block, next: Block): ChangedLine[] {
  const inside = changesIn(old, next);
  if (words(old.head) !== words(next.head)) return [{ sign: '-', line: old.head }, { sign: '+', line: next.head }, ...inside];
  return inside.length > 0 ? [{ sign: ' ', line: next.head }, ...inside] : [];
}

export function changedLines(before: string, after: string): ChangedLine[] {
  return changesIn(blocksOf(before), blocksOf(after));
}

export interface MarkedLine extends ChangedLine {
  parts: { text: string; changed: boolean }[];
}

const tokens = (line: string) => line.split(/(\s+|[,;(){}])/).filter((part) => part !== '');
const isWord = (token: string) => /[^\s,;(){}]/.test(token);

// The line of the other sign in the same block that shares most words with it, if any are shared.
function partnerOf(lines: ChangedLine[], at: number): string | null {
  const { sign, line } = lines[at]!;
  let from = at;
  let to = at;
  while (from > 0 && lines[from - 1]!.sign !== ' ') from -= 1;
  while (to < lines.length && lines[to]!.sign !== ' ') to += 1;
  const own = new Set(tokens(line).filter(isWord));
  const shared = (other: string) => tokens(other).filter((token) => own.has(token)).length;
  const others = lines.slice(from, to).filter((other) => other.sign !== sign).map((other) => other.line);
  return others.reduce<string | null>((best, other) => (shared(other) > (best === null ? 0 : shared(best)) ? other : best), null);
}

// A long line that changed in one word looks like the line that it replaces: the words that only one of both has are marked.
export function markedLines(lines: ChangedLine[]): MarkedLine[] {
  return lines.map(({ sign, line }, at) => {
    const partner = sign === ' ' ? null : partnerOf(lines, at);
    const parts = tokens(line);
    const missing = partner === null ? new Set<number>() : missingFrom(parts, tokens(partner));
    return { sign, line, parts: parts.map((text, part) => ({ text, changed: missing.has(part) && isWord(text) })) };
  });
}
