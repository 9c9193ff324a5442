// Fixes of the checker and the planner, made on the text. They come as edits: a stretch of the text, what stands there, and
// what to write instead.
import type { Edit, Finding, Fix } from '../api/model.ts';
import { withNamedTable } from './table_names.ts';
import { unitsOf } from './units_of.ts';

export interface Change {
  title: string; // For the button.
  text: string; // The whole design, fixed.
}

// The text with all edits made; null if one of them is about another text.
export function applyEdits(source: string, edits: Edit[]): string | null {
  const lines = source.split('\n');
  const starts: number[] = [];
  lines.reduce((at, line) => (starts.push(at), at + line.length + 1), 0);
  const offset = (line: number, column: number) => (starts[line - 1] === undefined ? -1 : starts[line - 1]! + unitsOf(lines[line - 1]!, column - 1));
  let text = '';
  let done = 0;
  for (const edit of edits) {
    const [from, to] = [offset(edit.line, edit.column), offset(edit.endLine, edit.endColumn)];
    if (from < done || to < from || source.slice(from, to) !== edit.removed) return null;
    text += source.slice(done, from) + edit.text;
    done = to;
  }
  return text + source.slice(done);
}

// A fix of the text as it stands, with a table that it adds called after the design; null if it is about another text.
export function fixed(source: string, fix: Fix): string | null {
  const text = applyEdits(source, fix.edits);
  return text === null ? null : withNamedTable(text, source);
}

const plain = (title: string) => `${title[0]?.toUpperCase() ?? ''}${title.slice(1)}`.replaceAll('`', '');

// One fix that the suggestion below the button describes needs no other name; where a person chooses, each says what it does.
export function changesOf(source: string, { fixes = [] }: Pick<Finding, 'fixes'>): Change[] {
  const only = fixes.length === 1 && fixes[0]!.applicability !== 'display';
  return fixes.flatMap((fix) => {
    const text = fixed(source, fix);
    return text === null ? [] : [{ title: only ? 'Apply this' : plain(fix.title), text }];
  });
}
