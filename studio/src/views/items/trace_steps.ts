// A trace as steps to walk through: one for each page of each request, with the rows to light up.
import type { Item } from '../../api/attribute_value.ts';
import type { Request } from '../../api/dynamodb.ts';
import type { Trace } from '../../api/model.ts';
import { rowId } from './side.ts';

export interface TraceStep {
  operation: string;
  table: string;
  index: string | null;
  page: number; // From 1, of this request.
  pages: number;
  request: Request;
  read: Item[];
  returned: Item[];
  thrownAway: number;
  bytes: number;
  readUnits: number;
}

export interface Mark {
  kind: 'lit' | 'thrown' | 'earlier' | 'same';
  order: number; // In which the step read it, from 1; 0 for earlier steps.
}

export type Marks = ReadonlyMap<string, Mark>;

export function traceSteps(trace: Trace): TraceStep[] {
  return trace.steps.flatMap((step) =>
    step.pages.map((page, i) => ({
      operation: step.operation,
      table: step.table,
      index: step.index,
      page: i + 1,
      pages: step.pages.length,
      request: page.request,
      read: page.read,
      returned: page.returned,
      thrownAway: page.read.length - page.returned.length,
      bytes: page.bytes,
      readUnits: page.readUnits,
    })),
  );
}

// Items that the step returns light up, those that it reads and throws away are grey, and those that earlier steps read
// on the same side stays faintly lit.
export function marksOf(steps: TraceStep[], at: number, tableKeys: string[]): Marks {
  const marks = new Map<string, Mark>();
  const now = steps[at];
  if (!now) return marks;
  for (const step of steps.slice(0, at)) {
    if (step.table !== now.table || step.index !== now.index) continue;
    for (const item of step.returned) marks.set(rowId(item, tableKeys), { kind: 'earlier', order: 0 });
  }
  const kept = new Set(now.returned.map((item) => rowId(item, tableKeys)));
  now.read.forEach((item, i) => {
    const id = rowId(item, tableKeys);
    marks.set(id, { kind: kept.has(id) ? 'lit' : 'thrown', order: i + 1 });
  });
  return marks;
}

// The same items on a side that is not read.
export function sameElsewhere(marks: Marks): Marks {
  const lit = [...marks].filter(([, mark]) => mark.kind === 'lit');
  return new Map(lit.map(([id, mark]) => [id, { kind: 'same', order: mark.order }]));
}
