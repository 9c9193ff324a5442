// Proposals of the checker and the planner, carried out on the text. They speak a small language of their own:
//
//   write "USER#"                                   in place of what the finding marks
//   add #{Number} at the end of Place               to the template of that key
//   write inside `item Enrollment`:                 lines that a declaration gets
//     name = copy of Student.name kept by stream
//   and in place of `index GSI1 …`:                 lines instead of one that is there
//     index GSI1 …
//   and inside `item Enrollment` in place of `SK = "…"`:   the same, in one declaration
//   and remove from `item Enrollment`:              lines that go
//   and at the end of the file:                     new declarations
//   remove this line                                the one that the finding marks
//   known: Org, User                                one of these names, the most alike first
//   add the column, or …                            to a sample, with a made-up value in each row
//
// A proposal in other words has no mend here: it is for people.
import type { Finding } from '../api/model.ts';
import { withNamedTable } from './table_names.ts';

export interface Mend {
  title: string;
  text: string; // The whole design, mended.
}

export function mendsOf(source: string, finding: Finding): Mend[] {
  const said = finding.suggestion ?? '';
  const lines = applyLines(source, said);
  if (lines !== null) return [{ title: 'Apply this', text: withNamedTable(lines, source) }];
  if (said === 'remove this line') return [{ title: 'Remove this line', text: source.split('\n').filter((_, i) => i !== finding.line - 1).join('\n') }];
  const marked = markedText(source, finding);
  const write = /^(?:write|Store UTC:) ("[^"]*"|\S+?)( in both)?\.?$/.exec(said)?.[1];
  if (write !== undefined && marked !== null) return fits(finding, source, marked, write);
  const append = /^add (\S+) at the end of ([\w-]+)$/.exec(said);
  if (append) return found(`Add ${append[1]}`, appendToKey(source, finding.line, append[2]!, append[1]!));
  if (/^Add `project all`/.test(said)) return found('Add project all', changeLine(source, finding.line, (line) => `${line.trimEnd()} project all`));
  const column = /^the sample of `([\w-]+)` has no column `([\w-]+)`/.exec(finding.message);
  if (column) return found('Add the column', withColumn(source, column[1]!, column[2]!));
  const known = /^known: (.+)$/.exec(said)?.[1]?.split(', ');
  if (known && marked !== null) return alike(marked, known).map((name) => ({ title: `Write ${name}`, text: replaceMarked(source, finding, name) }));
  return [];
}

// The text with a proposal's lines in it; null if it is not of that form, or if its places are not there.
export function applyLines(source: string, proposal: string): string | null {
  const parts = proposal.split(/^(?:write |and )?(?=inside `|in place of `|remove from `|at the end of the file:)/m).filter((part) => part !== '');
  if (parts.length === 0 || !/^(?:write|remove) /.test(proposal)) return null;
  let text: string | null = source;
  for (const part of parts) {
    const end = /^at the end of the file:\n([^]*)$/.exec(part);
    if (end && text !== null) {
      text = `${text.trimEnd()}\n\n${end[1]!.replace(/^ {2}/gm, '').trimEnd()}\n`;
      continue;
    }
    const head = /^(inside|in place of|remove from) `([^`]*)`(?: in place of `([^`]*)`)?:\n([^]*)$/.exec(part);
    if (!head || text === null) return null;
    const lines = head[4]!.split('\n').map((line) => line.trim()).filter((line) => line !== '');
    if (head[1] === 'remove from') text = lines.reduce<string | null>((rest, line) => rest && replaceLine(rest, line, [], head[2]), text);
    else if (head[3] !== undefined) text = replaceLine(text, head[3], lines, head[2]);
    else text = head[1] === 'inside' ? insertInside(text, head[2]!, lines) : replaceLine(text, head[2]!, lines);
  }
  return text;
}

const found = (title: string, text: string | null): Mend[] => (text === null ? [] : [{ title, text }]);

// Without its comment, in single spaces.
const bare = (line: string) => line.replace(/\/\/.*$/, '').trim().replace(/\s+/g, ' ');

function insertInside(source: string, declaration: string, lines: string[]): string | null {
  const all = source.split('\n');
  const at = all.findIndex((line) => bare(line).startsWith(`${declaration} `) && bare(line).endsWith('{'));
  if (at < 0) return null;
  const margin = `${/^\s*/.exec(all[at]!)![0]}  `;
  // An index stands at the beginning of its table; all else at the end of its declaration.
  const end = declaration.startsWith('table ') ? at + 1 : closingLine(all, at);
  if (end === null) return null;
  return [...all.slice(0, end), ...lines.map((line) => margin + line), ...all.slice(end)].join('\n');
}

function closingLine(lines: string[], open: number): number | null {
  let depth = 0;
  for (let at = open; at < lines.length; at += 1) {
    // Braces inside texts belong to key templates.
    const code = bare(lines[at]!.replace(/"[^"]*"/g, ''));
    depth += (code.match(/\{/g)?.length ?? 0) - (code.match(/\}/g)?.length ?? 0);
    if (depth === 0) return at;
  }
  return null;
}

// Anywhere, or inside one declaration. `name …` is any line that begins so.
function replaceLine(source: string, old: string, lines: string[], declaration?: string): string | null {
  const all = source.split('\n');
  const first = declaration === undefined ? 0 : all.findIndex((line) => bare(line).startsWith(`${declaration} `) && bare(line).endsWith('{'));
  if (first < 0) return null;
  const last = declaration === undefined ? all.length : (closingLine(all, first) ?? all.length);
  const start = old.endsWith(' …') ? `${bare(old.slice(0, -2))} ` : null;
  const at = all.findIndex((line, i) => i >= first && i < last && (start !== null ? `${bare(line)} `.startsWith(start) : bare(line) === bare(old)));
  if (at < 0) return null;
  const margin = /^\s*/.exec(all[at]!)![0];
  return [...all.slice(0, at), ...lines.map((line) => margin + line), ...all.slice(at + 1)].join('\n');
}

// The declared type of an attribute decides what a made-up value looks like.
function madeUp(source: string, entity: string, attribute: string, row: number): string {
  const lines = source.split('\n');
  const from = lines.findIndex((line) => bare(line).startsWith(`entity ${entity} `));
  const declared = lines.slice(from + 1).find((line) => bare(line).startsWith(`${attribute} `)) ?? '';
  const type = bare(declared).slice(attribute.length + 1);
  const [, value] = /\bvalues \(\s*("[^"]*"|[^,)\s]+)/.exec(type) ?? [];
  if (value !== undefined) return value;
  if (type.startsWith('number')) return String(row);
  if (type.startsWith('bool')) return 'true';
  const day = `2026-01-${String(Math.min(row, 28)).padStart(2, '0')}`;
  if (type.startsWith('date')) return `"${day}"`;
  if (type.startsWith('time')) return `"${day}T00:00:00Z"`;
  return `"${attribute} ${row}"`;
}

// A sample with one column more, last.
function withColumn(source: string, entity: string, attribute: string): string | null {
  const all = source.split('\n');
  const at = all.findIndex((line) => new RegExp(`^\\s*sample\\s+${entity}\\s*\\([^)]*\\)\\s*\\{`).test(line));
  const end = at < 0 ? null : closingLine(all, at);
  if (end === null) return null;
  let row = 0;
  return all.map((line, number) => {
    if (number === at) return line.replace(/\)(\s*\{)/, `, ${attribute})$1`);
    const code = line.replace(/\s*\/\/.*$/, '').trimEnd(); // A text with two strokes in it is left to people.
    if (number <= at || number >= end || code.trim() === '' || (code.match(/"/g)?.length ?? 0) % 2 === 1) return line;
    row += 1;
    return `${code}, ${madeUp(source, entity, attribute, row)}${line.slice(code.length)}`;
  }).join('\n');
}

function changeLine(source: string, number: number, change: (line: string) => string): string | null {
  const all = source.split('\n');
  const line = all[number - 1];
  if (line === undefined) return null;
  all[number - 1] = change(line);
  return all.join('\n');
}

function appendToKey(source: string, near: number, key: string, piece: string): string | null {
  const all = source.split('\n');
  const at = [near - 1, ...all.keys()].find((number) => new RegExp(`^\\s*${key}\\s*=\\s*"[^"]*"`).test(all[number] ?? ''));
  return at === undefined ? null : changeLine(source, at + 1, (line) => line.replace(/"(\s*(\/\/.*)?)$/, `${piece}"$1`));
}

function markedText(source: string, { line, column, length }: Finding): string | null {
  const text = source.split('\n')[line - 1]?.slice(column - 1, column - 1 + length);
  return text ? text : null;
}

function replaceMarked(source: string, { line, column, length }: Finding, text: string): string {
  return changeLine(source, line, (old) => old.slice(0, column - 1) + text + old.slice(column - 1 + length))!;
}

// A word in quotes may stand for a part of a longer text: then its quotes stay out.
function fits(finding: Finding, source: string, marked: string, write: string): Mend[] {
  const inner = write.replace(/^"|"$/g, '');
  const text = marked.startsWith('"') ? `"${inner}"` : inner;
  // {City}#{Zip} says how two holes are joined; the mark is on one of them.
  const holes = /^\{(\w+)\}(.+)\{(\w+)\}$/.exec(write);
  if (holes) {
    return found(`Write ${write}`, changeLine(source, finding.line, (line) => line.replace(new RegExp(`\\{${holes[1]}([^}]*)\\}\\{${holes[3]}`), `{${holes[1]}$1}${holes[2]}{${holes[3]}`)));
  }
  return [{ title: `Write ${write}`, text: replaceMarked(source, finding, text) }];
}

function alike(wrong: string, known: string[]): string[] {
  const distance = (a: string, b: string): number => {
    let row = Array.from({ length: b.length + 1 }, (_, at) => at);
    for (let i = 1; i <= a.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= b.length; j += 1) {
        const same = a[i - 1]!.toLowerCase() === b[j - 1]!.toLowerCase() ? 0 : 1;
        next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same));
      }
      row = next;
    }
    return row[b.length]!;
  };
  return [...known].sort((a, b) => distance(wrong, a) - distance(wrong, b)).slice(0, 3);
}
