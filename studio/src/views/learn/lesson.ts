// A lesson is data: a model with a table of its own, and steps with things to try on it.
import type { Request } from '../../api/dynamodb.ts';
import type { PlainValue } from '../../api/model.ts';
import { linkTo } from '../../app/route.ts';
import type { Draft } from '../../requests/draft.ts';

export interface Call {
  operation: string;
  request: Request;
}

// Something to run. `note` says what to see in the answer.
export type Try = { label: string; note: string } & (
  | { pattern: string; parameters: Record<string, PlainValue> }
  // One after the other; the answer of the last is shown. A refusal that belongs to the lesson is no error.
  | { calls: Call[] }
);

export interface PatternRun {
  name: string;
  parameters: Record<string, PlainValue>;
}

export interface Step {
  title: string;
  text: string[]; // Paragraphs; `code` between backticks.
  tries: Try[];
  trap?: { title: string; text: string };
  index?: string; // Which side of the table is shown; the table itself without it.
  draft?: Draft; // A link into Build.
  pattern?: PatternRun; // A link into Items; that of the first try if none is given.
}

export interface Lesson {
  id: string;
  title: string;
  question: string;
  strategy: string;
  model: string; // Name of the example.
  table: string;
  steps: Step[];
}

export function patternOf(step: Step): PatternRun | undefined {
  const first = step.tries.find((one) => 'pattern' in one);
  return step.pattern ?? (first && { name: first.pattern, parameters: first.parameters });
}

// A pattern of the lesson: what it costs says what a unit costs.
export const pricedPattern = (lesson: Lesson): PatternRun | undefined => lesson.steps.map(patternOf).find((one) => one !== undefined);

// A lesson has its own model; the design that is chosen for the other views stays as it is.
export const stepAddress = (lesson: Lesson, step: number) => linkTo('learn', [lesson.id, String(step + 1)]);
