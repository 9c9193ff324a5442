// The model API of the server (docs/model/api.md): what a design means, costs and returns.
import type { Item } from './attribute_value.ts';
import type { Request } from './dynamodb.ts';
import { reach } from './reach.ts';

export interface Finding {
  rule: string;
  severity: 'error' | 'warning' | 'note';
  line: number;
  column: number;
  length: number;
  message: string;
  suggestion?: string;
  fixes?: Fix[];
}

// Lines and columns count from 1, columns in bytes. `removed` stands between the two places.
export interface Edit {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  removed: string;
  text: string;
}

export interface Fix {
  title: string;
  applicability: 'safe' | 'unsafe' | 'display';
  edits: Edit[];
}

export interface ModelAttribute {
  name: string;
  type: string;
  averageBytes: number;
  maximumBytes: number;
  key?: boolean;
  optional?: boolean;
  unique?: boolean;
  references?: string;
  values?: string[];
}

export interface ModelEntity {
  name: string;
  line: number;
  count?: number;
  attributes: ModelAttribute[];
}

export interface ModelRelationship {
  name: string;
  kind: 'one-to-one' | 'one-to-many' | 'many-to-many' | 'hierarchy';
  from: string;
  to: string;
  through: string;
  by: string[];
  levels: string[];
  cardinalities: { entity: string; average: number; bound: number; zipf: number }[];
  changesPerSecond: number;
  strategies: string[];
}

export type PlainValue = string | number | boolean | null;

export interface ModelPattern {
  name: string;
  title: string;
  line: number;
  ratePerSecond: number;
  fresh: string;
  parameters: string[];
  find: unknown[];
  examples: { arguments: Record<string, PlainValue>; rows?: number }[];
}

export interface WriteStep {
  kind: 'put' | 'update' | 'delete';
  entity: string;
  once: boolean;
  set: string[];
  remove?: string[];
}

export interface ModelWrite {
  name: string;
  title: string;
  ratePerSecond: number;
  together: boolean;
  steps: WriteStep[];
}

export interface ItemLayout {
  entity: string;
  attributes: {
    name: string;
    kind: string; // attribute, copy, list, map or template.
    template?: string; // The attribute's bare name if kind is `attribute`.
    of?: string;
    keptBy?: string;
    by?: string;
    members?: string[];
  }[];
  without: string[];
  uniqueByLock?: string[];
}

export interface ModelTable {
  name: string;
  partition: string;
  sort: string;
  typeAttribute: string;
  indexes: {
    name: string;
    local: boolean;
    partition: string[];
    sort: string[];
    projection: string;
    include: string[];
  }[];
  items: ItemLayout[];
}

export interface Model {
  title: string;
  entities: ModelEntity[];
  relationships: ModelRelationship[];
  patterns: ModelPattern[];
  writes: ModelWrite[];
  tables: ModelTable[];
  samples: { entity: string; rows: Record<string, unknown>[] }[];
}

export interface PlanStep {
  operation: string;
  table: string;
  index: string | null;
  consistent: boolean;
  because?: string[]; // Of a BatchGetItem: what is fetched.
}

// A pattern that is not served has no plan and figures of 0; `why` and `proposal` say more.
export interface PlannedPattern {
  name: string;
  title: string;
  served: boolean;
  strong: boolean;
  readUnits: number;
  requests: number;
  plan: string[];
  steps: PlanStep[];
  why?: string;
  proposal?: string;
  fixes?: Fix[];
  parameters: { name: string; type: string; attribute: string }[];
  examples: Record<string, PlainValue>[];
  thrownAway: unknown[];
}

export interface Plan {
  patterns: PlannedPattern[];
  keys: { table: string; attribute: string; lost: string[]; depend: string[]; dearer: string[] }[];
}

// A figure that the design does not state: what the bill would be with a tenth and with ten times of it, and the line that states it.
export interface Assumption {
  id: string;
  what: string;
  place: string;
  line: string;
  at: number; // The line of the text that it belongs to; 0 if none.
  moneyIfLess: number;
  moneyIfMore: number;
  heatIfMore: number;
  users: string[];
}

export interface Cost {
  assumptions: Assumption[];
  moneyPerMonth: number;
  patterns: { name: string; served: boolean; readUnits: number; requests: number; unitsPerSecond: number; moneyPerMonth: number }[];
  writes: {
    name: string;
    writeUnits: number;
    copies: number;
    unitsPerSecond: number;
    moneyPerMonth: number;
    units: Record<string, number>; // `table`, each index, `copies`.
  }[];
  storage: { view: string; items: number; bytes: number; moneyPerMonth: number }[];
  // The most used value of each partition key; above 1 it is throttled.
  heat: {
    view: string;
    key: string;
    utilisation: number;
    readUnitsPerSecond: number;
    writeUnitsPerSecond: number;
  }[];
  // One collection of each view and entity; `bytesAtScale` by x1, x10, x100 and x1,000.
  sizes: { view: string; entity: string; key: string; items: number; itemBytes: number; itemsMost: number; bytesAtScale: Record<string, number> }[];
}

export interface Advice {
  relationship: string;
  recommended: string[];
  inUse: string[];
  wholeDesign: boolean; // Prices are the bill of the whole design; else of the relationship alone: no table holds it yet, …
  deferred: boolean; // … or the model is so large that the bill is made for one relationship at a time.
  path: string[];
  alternatives: {
    strategy: string;
    legal: boolean;
    switchable: boolean; // `switchTo` gives the design that costs this.
    moneyPerMonth: number;
    readUnitsPerSecond: number;
    writeUnitsPerSecond: number;
    roundTrips: number;
    reason: string;
  }[];
  flips: string[];
}

// Designs that `prejoin design` finds: whole files, the cheapest first.
export interface FoundDesign {
  bestFor: string[];
  note?: string; // What sets it apart beside that: natural keys.
  money: number;
  trips: number;
  indexes: number;
  copies: number;
  proved: boolean;
  proofRows?: number;
  problems: string[];
  source: string;
  bound?: number; // No design on the keys that the search looks at costs less.
  optimal?: boolean;
  why?: string[];
}

export interface FoundDesigns {
  moneyBefore: number;
  keepsFile?: boolean; // The tables of the text are among the designs.
  stopped?: boolean; // At the limit of time, with the best design until then.
  candidates?: number;
  unserved?: string[];
  designs: FoundDesign[];
}

export interface Proof {
  allRight: boolean;
  rows: number;
  items: number;
  dataProblems?: string[]; // What the model allows and no table can hold.
  tried?: string[];
  notTried?: string[];
  patterns: {
    name: string;
    title: string;
    right: boolean;
    runs: number;
    requests: number;
    itemsRead: number;
    itemsThrownAway: number;
    predictedReadUnits: number;
    measuredReadUnits: number;
    consistency: string;
    problems: string[];
  }[];
  writes: {
    name: string;
    title: string;
    right: boolean;
    itemsWritten: number;
    guarded: boolean;
    predictedWriteUnits: number;
    measuredWriteUnits: number;
    problems: string[];
  }[];
}

export interface TracePage {
  request: Request;
  returned: Item[];
  read: Item[];
  count: number;
  scannedCount: number;
  bytes: number;
  readUnits: number;
}

export interface Trace {
  steps: {
    operation: string;
    table: string;
    index: string | null;
    request: Request;
    pages: TracePage[];
  }[];
  rows: Item[];
  requests: number;
  itemsRead: number;
  itemsThrownAway: number;
  bytesRead: number;
  readUnits: number;
  consistency: string;
  price: number; // Of this one run.
  currency: string;
}

// A kind of files that `prejoin gen` can write.
export interface Target {
  name: string;
  about: string;
}

export interface Generated {
  files: { path: string; text: string }[];
  notGenerated: string[];
}

// The model that `prejoin infer` makes of a table's items.
export interface Inferred {
  source: string;
  items: number;
  entities: number;
  relationships: number;
}

// The model that `prejoin import-model` makes of SQL or of another tool's file.
export interface Imported {
  source: string;
  entities: number;
  patterns: number;
  tables: number;
  unreadTables: number;
}

// A question of `prejoin new`, with the answer that it got.
export interface InterviewQuestion {
  key: string;
  heading: string;
  text: string;
  otherwise: string; // The answer that counts where there is none; empty: it ends a list.
  answer: string;
  trouble?: string; // Why the answer cannot be read.
}

export interface Interview {
  questions: InterviewQuestion[];
  source?: string;
  trouble?: string; // Why there is no model yet.
}

export interface Example {
  name: string;
  title: string;
  comment: string;
}

export class ModelError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly line?: number,
    readonly column?: number,
  ) {
    super(message);
  }
}

async function ask<Answer>(path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
  const response = await reach(`/model/${path}`, {
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
    ...(signal ? { signal } : {}),
  });
  const answer = (await response.json()) as {
    error?: { message: string; line?: number; column?: number };
  };
  if (!response.ok) {
    const error = answer.error;
    throw new ModelError(error?.message ?? response.statusText, response.status, error?.line, error?.column);
  }
  return answer as Answer;
}

export const model = {
  examples: () => ask<Example[]>('examples'),
  example: (name: string) => ask<{ name: string; source: string }>(`examples/${encodeURIComponent(name)}`),
  source: () =>
    ask<{ file: string | null; source: string; version: string; writable: boolean }>('source'),
  save: (source: string, version: string) => ask<{ version: string }>('source', { source, version }),
  check: (source: string, signal?: AbortSignal) =>
    ask<{ findings: Finding[]; model: Model | null }>('check', { source }, signal),
  format: (source: string) => ask<{ source: string }>('format', { source }),
  plan: (source: string, signal?: AbortSignal) => ask<Plan>('plan', { source }, signal),
  cost: (source: string, scale?: number, signal?: AbortSignal) => ask<Cost>('cost', { source, scale }, signal),
  advise: (source: string, scale?: number, signal?: AbortSignal, relationship?: string) => ask<Advice[]>('advise', { source, scale, relationship }, signal),
  // The text with one relationship stored so, and all else as it is.
  switchTo: (source: string, relationship: string, strategy: string, scale?: number) =>
    ask<{ source: string }>('switch', { source, relationship, strategy, scale }),
  design: (source: string, signal?: AbortSignal) => ask<FoundDesigns>('design', { source }, signal),
  interview: (answers: Record<string, string>, signal?: AbortSignal) => ask<Interview>('interview', { answers }, signal),
  prove: (source: string, scale?: number, seed?: number) => ask<Proof>('prove', { source, scale, seed }),
  // With `rows`, entities without a sample get made-up ones.
  tables: (source: string, rows?: number) =>
    ask<{ tables: Request[]; items: { table: string; entity: string; item: Item }[] }>('tables', { source, rows }),
  item: (source: string, entity: string, attributes: Record<string, unknown>, once = false) =>
    ask<{ table: string; item: Item; condition: string | null; names?: Record<string, string>; locks?: Item[] }>('item', { source, entity, attributes, once }),
  run: (source: string, pattern: string, parameters: Record<string, PlainValue>, signal?: AbortSignal) =>
    ask<Trace>('run', { source, pattern, parameters }, signal),
  // On a database of its own that holds the design's sample: nothing on the server is read or changed.
  runOnSample: (source: string, pattern: string, parameters: Record<string, PlainValue>) =>
    ask<Trace>('run', { source, pattern, parameters, sample: true }),
  targets: () => ask<Target[]>('targets'),
  gen: (source: string, to: string, signal?: AbortSignal) => ask<Generated>('gen', { source, to }, signal),
  infer: (table: Request, items: Item[]) => ask<Inferred>('infer', { table, items }),
  importFrom: (text: string, queries: string, name: string) => ask<Imported>('import', { text, ...(queries.trim() ? { queries } : {}), ...(name ? { name } : {}) }),
};
