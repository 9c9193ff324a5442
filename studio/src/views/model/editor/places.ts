// From the checker's places to positions in the text and back. The checker counts columns in bytes of
// UTF-8 from 1; the editor counts UTF-16 units from 0.
import type { Finding } from '../../../api/model.ts';
import { unitsOf } from '../../../design/units_of.ts';

export interface Range {
  from: number;
  to: number;
}

// Line 0 is the whole file: its first line stands for it. `lineAt` gives the text of a line and where
// it begins; lines past the end are the last.
export function rangeOf(
  finding: Pick<Finding, 'line' | 'column' | 'length'>,
  lineCount: number,
  lineAt: (line: number) => { from: number; text: string },
): Range {
  const line = lineAt(Math.min(Math.max(finding.line, 1), lineCount));
  if (finding.line < 1) return { from: line.from, to: line.from + line.text.length };
  const start = unitsOf(line.text, finding.column - 1);
  const end = Math.max(start, unitsOf(line.text, finding.column - 1 + finding.length));
  return { from: line.from + start, to: line.from + end };
}

// The line, from 1, where `relationship Enrolments`, `table School` and so on is declared; null if it
// is not there.
export function lineOfDeclaration(source: string, kind: string, name: string): number | null {
  const pattern = new RegExp(`^\\s*${kind}\\s+${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`);
  const line = source.split('\n').findIndex((text) => pattern.test(text));
  return line < 0 ? null : line + 1;
}
