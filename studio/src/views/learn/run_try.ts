// Runs what a lesson proposes, and says what came of it.
import type { Item } from '../../api/attribute_value.ts';
import { call, DynamoDbError, type ConsumedCapacity } from '../../api/dynamodb.ts';
import { model as api, type Trace } from '../../api/model.ts';
import { perMillion } from '../../parts/numbers.ts';
import type { Call, PatternRun, Try } from './lesson.ts';

export interface Outcome {
  items: Item[];
  facts: string[];
  sent: Call[];
  touched: Item[]; // What the last request returned or wrote, as far as its keys are known.
  refused?: string;
}

const counted = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

export function traceFacts(trace: Trace): string[] {
  return [
    counted(trace.rows.length, 'row'),
    counted(trace.requests, 'request'),
    `${counted(trace.itemsRead, 'item')} read${trace.itemsThrownAway ? `, ${trace.itemsThrownAway} discarded` : ''}`,
    counted(trace.readUnits, 'unit'),
    perMillion(trace.price, trace.currency),
    `${trace.consistency} consistency`,
  ];
}

interface AnyAnswer {
  Items?: Item[];
  Item?: Item;
  Attributes?: Item;
  Count?: number;
  ScannedCount?: number;
  Responses?: Record<string, Item[]>;
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
}

const unitsOf = (answer: AnyAnswer) =>
  [answer.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);

const itemsOf = (answer: AnyAnswer): Item[] =>
  answer.Items ?? Object.values(answer.Responses ?? {})[0] ?? (answer.Item ? [answer.Item] : answer.Attributes ? [answer.Attributes] : []);

// Errors that a lesson may show on purpose.
const refusals: Record<string, ((message: string) => string) | undefined> = {
  ConditionalCheckFailedException: () => 'The condition was not met. Nothing was written.',
  TransactionCanceledException: () => 'The transaction was cancelled: a condition was not met. Nothing was written.',
  ValidationException: (message) => `Refused: ${message}`,
};

// The items that a write names, whole or by their keys.
function written({ request }: Call): Item[] {
  const found: Item[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      if (name === 'Item' || name === 'Key') found.push(part as Item);
      else if (name !== 'ExpressionAttributeValues') look(part);
    }
  };
  look(request);
  return found;
}

// The requests of an example that has not run yet. A pattern is asked on a database of its own, so that nothing here is read.
export async function beginning(source: string, wanted: Try): Promise<Call[]> {
  if ('calls' in wanted) return wanted.calls;
  try {
    const { steps } = await api.runOnSample(source, wanted.pattern, wanted.parameters);
    return steps.map(({ operation, request }) => ({ operation, request }));
  } catch {
    return []; // The page says elsewhere that the server is gone.
  }
}

// The price of reading so many units, by what the pattern costs; null if that cannot be known.
async function priceOf(units: number, source: string, by: PatternRun | undefined): Promise<string | null> {
  const trace = by && (await api.runOnSample(source, by.name, by.parameters).catch(() => null));
  return trace && trace.readUnits > 0 ? perMillion((trace.price / trace.readUnits) * units, trace.currency) : null;
}

async function runCalls(calls: Call[], source: string, priced: PatternRun | undefined): Promise<Outcome> {
  let units = 0;
  let last: AnyAnswer = {};
  for (const { operation, request } of calls) {
    try {
      last = await call<AnyAnswer>(operation, { ...request, ReturnConsumedCapacity: 'TOTAL' });
    } catch (error) {
      const said = error instanceof DynamoDbError ? refusals[error.code]?.(error.message) : undefined;
      if (said === undefined) throw error;
      return { items: [], facts: [counted(calls.length, 'request')], sent: calls, touched: [], refused: said };
    }
    units += unitsOf(last);
  }
  const items = itemsOf(last);
  const isRead = last.Items !== undefined || last.Responses !== undefined || last.Item !== undefined;
  const isCount = !isRead && last.Count !== undefined;
  const facts = [isRead ? counted(items.length, 'item') : isCount ? `${counted(last.Count!, 'item')} counted` : 'Written', counted(calls.length, 'request')];
  if (last.ScannedCount !== undefined && last.ScannedCount !== last.Count) facts.push(`${last.ScannedCount} read, ${last.ScannedCount - (last.Count ?? 0)} discarded`);
  facts.push(counted(units, 'unit'));
  // Reads and writes have prices of their own.
  const reads = calls.every(({ operation }) => /^(Query|Scan|GetItem|BatchGetItem)$/.test(operation));
  const price = reads ? await priceOf(units, source, priced) : null;
  if (price) facts.push(price);
  return { items, facts, sent: calls, touched: isRead || isCount ? items : written(calls.at(-1)!) };
}

// `priced` is a pattern of the lesson, by which the requests of the others are priced.
export async function runTry(source: string, wanted: Try, priced?: PatternRun): Promise<Outcome> {
  if ('calls' in wanted) return runCalls(wanted.calls, source, priced);
  const trace = await api.run(source, wanted.pattern, wanted.parameters);
  // A trace has rows of entities. The lesson is about items, so ask once more for those, in the engine's order.
  const requests = trace.steps.flatMap(({ operation, pages }) => pages.map(({ request }) => ({ operation, request })));
  const items: Item[] = [];
  for (const { operation, request } of requests) items.push(...itemsOf(await call<AnyAnswer>(operation, request)));
  return {
    // Entities that share an item have none of their own.
    items: items.length === trace.rows.length ? items : trace.rows,
    facts: traceFacts(trace),
    sent: trace.steps.map(({ operation, request }) => ({ operation, request })),
    touched: items,
  };
}
