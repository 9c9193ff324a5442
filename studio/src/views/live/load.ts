// The load of the live view: requests on a table of its own, one second of the tables' clock after the other. Items have 100 KB, so
// that an UpdateItem of a few bytes takes 100 write units and a strongly consistent read 25: real load on the real engine, with few
// requests.
import { call, DynamoDbError } from '../../api/dynamodb.ts';

export interface Load {
  writes: number; // Units a second.
  reads: number;
  hot: number; // Percent of the load that goes to one key.
  shards: number; // That the hot key is spread over.
  statuses: number; // Values of the index key; 0: items are not in the index.
}

export type Capacity = 'on-demand' | 'warm' | 'provisioned';

export const tableName = 'PrejoinLive';
const indexName = 'ByStatus';
const itemKb = 100;
const readUnits = itemKb / 4;
export const spreadKeys = 128;
export const shardsMax = 16;
const seedsPerSecond = 25; // New items: what a new on-demand table takes.

export const quiet: Load = { writes: 0, reads: 0, hot: 0, shards: 1, statuses: 0 };

export function keysOfTable(): string[] {
  const spread = Array.from({ length: spreadKeys }, (_, at) => `user-${at}`);
  return [...spread, ...Array.from({ length: shardsMax }, (_, at) => `star-${at}`)];
}

// The keys that one second of load uses: `random` is Math.random, or a test's.
export function keysOf(count: number, load: Load, random: () => number): string[] {
  return Array.from({ length: count }, () => {
    const hot = random() * 100 < load.hot;
    return hot ? `star-${Math.floor(random() * load.shards)}` : `user-${Math.floor(random() * spreadKeys)}`;
  });
}

// Whole requests; what is left over is drawn, so that the average is right.
export function countOf(units: number, each: number, random: () => number): number {
  const exact = units / each;
  return Math.floor(exact) + (random() < exact % 1 ? 1 : 0);
}

const isThrottled = (error: unknown) =>
  error instanceof DynamoDbError && ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'].includes(error.code);

// Runs all, so many at a time. How many were throttled.
async function sendAll(requests: (() => Promise<unknown>)[], signal: AbortSignal): Promise<number> {
  let throttled = 0;
  let next = 0;
  const worker = async () => {
    while (next < requests.length && !signal.aborted) {
      try {
        await requests[next++]!();
      } catch (error) {
        if (!isThrottled(error)) throw error;
        throttled += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return throttled;
}

export interface SecondResult {
  sent: number;
  throttled: number;
}

export async function sendSecond(load: Load, random: () => number, signal: AbortSignal): Promise<SecondResult> {
  const writes = keysOf(countOf(load.writes, itemKb, random), load, random).map((key) => () => {
    const status = load.statuses > 0 ? `OPEN-${Math.floor(random() * load.statuses)}` : '';
    return call(
      'UpdateItem',
      {
        TableName: tableName,
        Key: { pk: { S: key } },
        UpdateExpression: status ? 'SET changed = :now, #s = :s' : 'SET changed = :now REMOVE #s',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':now': { N: String(Math.floor(random() * 1e9)) }, ...(status ? { ':s': { S: status } } : {}) },
      },
      signal,
    );
  });
  const reads = keysOf(countOf(load.reads, readUnits, random), load, random).map(
    (key) => () => call('GetItem', { TableName: tableName, Key: { pk: { S: key } }, ConsistentRead: true, ProjectionExpression: 'pk' }, signal),
  );
  const requests = [...writes, ...reads];
  return { sent: requests.length, throttled: await sendAll(requests, signal) };
}

function throughputOf(capacity: Capacity, read: number, write: number): Record<string, unknown> {
  if (capacity === 'provisioned') return { ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write } };
  return capacity === 'warm' ? { WarmThroughput: { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 16_000 } } : {};
}

// A new table with its items. `pass` lets a second of the tables' clock go by; `note` hears how far it is, from 0 to 1.
export async function makeTable(
  capacity: Capacity,
  units: { read: number; write: number },
  pass: () => Promise<void>,
  note: (share: number) => void,
): Promise<void> {
  await dropTable();
  const throughput = throughputOf(capacity, units.read, units.write);
  await call('CreateTable', {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    ...(capacity === 'warm' ? throughput : {}),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'status', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: indexName,
        KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
        ...(capacity === 'warm' ? throughput : {}),
      },
    ],
  });
  const padding = 'x'.repeat((itemKb - 1) * 1024);
  const keys = keysOfTable();
  for (let at = 0; at < keys.length; at += seedsPerSecond) {
    const puts = keys.slice(at, at + seedsPerSecond).map((key) => ({ PutRequest: { Item: { pk: { S: key }, padding: { S: padding } } } }));
    let left: Record<string, unknown[]> = { [tableName]: puts };
    while (Object.keys(left).length > 0) {
      try {
        const answer = await call<{ UnprocessedItems?: Record<string, unknown[]> }>('BatchWriteItem', { RequestItems: left });
        left = answer.UnprocessedItems ?? {};
      } catch (error) {
        if (!isThrottled(error)) throw error;
      }
      await pass();
    }
    note(Math.min(1, (at + seedsPerSecond) / keys.length));
  }
  if (capacity === 'provisioned') {
    await call('UpdateTable', {
      TableName: tableName,
      BillingMode: 'PROVISIONED',
      ...throughput,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: indexName, ...throughput } }],
    });
  }
}

export async function dropTable(): Promise<void> {
  try {
    await call('DeleteTable', { TableName: tableName });
  } catch (error) {
    if (!(error instanceof DynamoDbError && error.code === 'ResourceNotFoundException')) throw error;
  }
}

export interface Scenario {
  name: string;
  title: string;
  says: string;
  capacity: Capacity;
  at: (second: number) => Load;
}

const rising = (second: number, from: number, to: number, begin: number, length: number) =>
  from + (to - from) * Math.min(1, Math.max(0, (second - begin) / length));

export const scenarios: Scenario[] = [
  {
    name: 'cold-table',
    title: 'Black Friday on a new table',
    says: 'Evenly spread writes grow twentyfold on a new on-demand table. It takes 4,000 a second, and doubles only after half an hour.',
    capacity: 'on-demand',
    at: (second) => ({ ...quiet, writes: rising(second, 350, 7000, 20, 60), reads: 1000 }),
  },
  {
    name: 'viral-key',
    title: 'A viral key',
    says: 'One item is read more and more. A partition serves 3,000 read units a second, whatever the capacity of the table.',
    capacity: 'warm',
    at: (second) => ({ ...quiet, reads: rising(second, 1000, 8000, 20, 60), hot: rising(second, 0, 70, 20, 40), writes: 200 }),
  },
  {
    name: 'status-index',
    title: 'A status index with two values',
    says: 'The table has room, but each of the two values of the index key takes 1,000 write units a second. Every second write changes the value, so it deletes one index entry and writes another: about 1,350 units a second succeed, and DynamoDB throttles the other writes.',
    capacity: 'warm',
    at: (second) => ({ ...quiet, writes: rising(second, 500, 5000, 20, 60), statuses: 2 }),
  },
  {
    name: 'status-shards',
    title: 'The same index with 16 shards',
    says: 'The same writes. The index key has a shard number, and the load spreads over the partitions of the index.',
    capacity: 'warm',
    at: (second) => ({ ...quiet, writes: rising(second, 500, 5000, 20, 60), statuses: 32 }),
  },
  {
    name: 'burst',
    title: 'Burst capacity runs out',
    says: 'Twice the provisioned rate works until 300 seconds of saved capacity are used. Then every second request is throttled.',
    capacity: 'provisioned',
    at: (second) => ({ ...quiet, writes: second < 15 ? 500 : 2000 }),
  },
];
