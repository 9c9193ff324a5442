// A consumer with the AWS SDK for JavaScript sees every one of many mixed writes (puts, updates, deletes, batches,
// transactions, time to live) exactly once, in order for each item, while the server is killed and started again.
// PREJOIN_STREAM_WRITES says how many writes, PREJOIN_STREAM_KILLS how many kills.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import * as sdk from '@aws-sdk/client-dynamodb';
import * as streams from '@aws-sdk/client-dynamodb-streams';

const WRITES = Number(process.env.PREJOIN_STREAM_WRITES ?? 4000);
const KILLS = Number(process.env.PREJOIN_STREAM_KILLS ?? 2);
const WRITERS = 8;
const KEYS_EACH = 20;
const EXPIRING_SHARE = 0.02;

const root = new URL('../../', import.meta.url);
const data = mkdtempSync(join(tmpdir(), 'prejoin-stream-'));
const TableName = 'Changes';
let server;
let client;
let consumer;
let up = Promise.resolve(); // Resolved while a server runs.

async function start() {
  const binary = process.env.PREJOIN_BINARY ?? new URL('build/release/prejoin', root).pathname;
  const options = ['serve', '--port', '0', '--data', data, '--ttl-sweep-seconds', '1', '--log-level', 'warning'];
  server = spawn(binary, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) {
    const match = /listening on (http:\S+)/.exec(line);
    if (!match) continue;
    const settings = {
      endpoint: match[1],
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: 1,
    };
    client = new sdk.DynamoDBClient(settings);
    consumer = new streams.DynamoDBStreamsClient(settings);
    return;
  }
  throw new Error(`${binary} ended before it listened`);
}

async function killAndStart() {
  let ready;
  up = new Promise((resolve) => (ready = resolve));
  server.kill('SIGKILL');
  await once(server, 'exit');
  await start();
  ready();
}

after(() => {
  server?.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
});

// A refusal by the server is a failure of the test; a lost connection is what this test is about.
const lostConnection = (error) => error.$metadata?.httpStatusCode === undefined;

// ---- What was written: for each key the ids of its changes, in order. `maybe` is a change whose answer never came.
const history = new Map();
const changesOf = (key) => {
  if (!history.has(key)) history.set(key, []);
  return history.get(key);
};
let written = 0;
let nextId = 0;

// [key, id or null for a delete] for each item that the request changes.
async function write(command, changes) {
  await up;
  let sure = true;
  try {
    await client.send(command);
  } catch (error) {
    if (!lostConnection(error)) throw error;
    sure = false;
  }
  for (const [key, id] of changes) changesOf(key).push({ id, sure });
  written += changes.length;
}

const item = (key, id) => ({ pk: { S: key }, id: { N: `${id}` } });

function step(keys, exists) {
  const pick = () => keys[Math.floor(Math.random() * keys.length)];
  const put = (key) => {
    const id = ++nextId;
    exists.add(key);
    return [key, id];
  };
  const kind = Math.random();
  if (kind < EXPIRING_SHARE) {
    const [key, id] = [`expiring-${++nextId}`, nextId];
    const Item = { ...item(key, id), until: { N: `${Math.floor(Date.now() / 1000) - 5}` } };
    return write(new sdk.PutItemCommand({ TableName, Item }), [[key, id]]);
  }
  if (kind < 0.3) {
    const [key, id] = put(pick());
    return write(new sdk.PutItemCommand({ TableName, Item: item(key, id) }), [[key, id]]);
  }
  if (kind < 0.6) {
    const [key, id] = put(pick());
    const input = {
      TableName,
      Key: { pk: { S: key } },
      UpdateExpression: 'SET id = :id',
      ExpressionAttributeValues: { ':id': { N: `${id}` } },
    };
    return write(new sdk.UpdateItemCommand(input), [[key, id]]);
  }
  if (kind < 0.75) {
    const key = pick();
    // A delete of nothing is no change.
    const changes = exists.delete(key) ? [[key, null]] : [];
    return write(new sdk.DeleteItemCommand({ TableName, Key: { pk: { S: key } } }), changes);
  }
  const chosen = [...keys].sort(() => Math.random() - 0.5).slice(0, 10);
  if (kind < 0.9) {
    const changes = chosen.map(put);
    const requests = changes.map(([key, id]) => ({ PutRequest: { Item: item(key, id) } }));
    return write(new sdk.BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }), changes);
  }
  const changes = chosen.map((key, at) => (at % 3 === 0 && exists.delete(key) ? [key, null] : put(key)));
  const TransactItems = changes.map(([key, id]) =>
    id === null ? { Delete: { TableName, Key: { pk: { S: key } } } } : { Put: { TableName, Item: item(key, id) } },
  );
  return write(new sdk.TransactWriteItemsCommand({ TransactItems }), changes);
}

async function writer(number) {
  const keys = Array.from({ length: KEYS_EACH }, (_, at) => `w${number}-${at}`);
  const exists = new Set();
  while (written < WRITES) {
    const before = up;
    await step(keys, exists);
    if (up === before) continue;
    // After a kill nobody knows whether the last request was done: look.
    await up;
    for (const key of keys) {
      const answer = await client.send(new sdk.GetItemCommand({ TableName, Key: { pk: { S: key } }, ConsistentRead: true }));
      if (answer.Item) exists.add(key);
      else exists.delete(key);
    }
  }
}

// ---- What was read: one list for each key.
const seen = new Map();
const numbers = new Set();
const iterators = new Map(); // Shard → iterator; null at its end.

function note(record) {
  const change = record.dynamodb;
  assert.ok(!numbers.has(change.SequenceNumber), `${change.SequenceNumber} came twice`);
  numbers.add(change.SequenceNumber);
  const key = change.Keys.pk.S;
  const list = seen.get(key) ?? [];
  seen.set(key, list);
  const last = list.at(-1);
  assert.equal(change.OldImage?.id.N, last?.id === null ? undefined : last?.id, `old image of ${key}`);
  list.push({ id: change.NewImage?.id.N ?? null, byService: record.userIdentity?.Type === 'Service' });
}

async function readOnce(StreamArn) {
  const { StreamDescription } = await consumer.send(new streams.DescribeStreamCommand({ StreamArn }));
  for (const { ShardId, ParentShardId } of StreamDescription.Shards) {
    if (iterators.has(ShardId) || (iterators.get(ParentShardId) ?? null) !== null) continue;
    const input = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    iterators.set(ShardId, (await consumer.send(new streams.GetShardIteratorCommand(input))).ShardIterator);
  }
  let count = 0;
  for (const [shard, ShardIterator] of iterators) {
    if (ShardIterator === null) continue;
    const page = await consumer.send(new streams.GetRecordsCommand({ ShardIterator }));
    page.Records.forEach(note);
    count += page.Records.length;
    iterators.set(shard, page.NextShardIterator ?? null);
  }
  return count;
}

async function consume(arn, isLast) {
  while (true) {
    const last = isLast();
    await up;
    try {
      if ((await readOnce(arn)) === 0) {
        if (last) return;
        await sleep(20);
      }
    } catch (error) {
      if (!lostConnection(error)) throw error;
    }
  }
}

// The changes that were acknowledged have all been seen; those whose answer was lost, or not. One delete looks like any
// other, so there may be several ways to tell which were done: all are followed. Returns what was seen beyond them.
function check(key, changes, read) {
  let ends = new Set([0]); // Where in `read` the changes so far may end.
  for (const { id, sure } of changes) {
    const seenAs = id === null ? null : `${id}`;
    const next = new Set(sure ? [] : ends);
    for (const at of ends) if (at < read.length && read[at].id === seenAs) next.add(at + 1);
    assert.ok(next.size > 0, `${key}: change ${id} is missing or out of order`);
    ends = next;
  }
  return read.slice(Math.max(...ends));
}

test(`${WRITES} writes and ${KILLS} kills`, { timeout: 1_800_000 }, async () => {
  await start();
  const table = await client.send(
    new sdk.CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  await client.send(
    new sdk.UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' } }),
  );
  let done = false;
  const reading = consume(table.TableDescription.LatestStreamArn, () => done);
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    while (written < (WRITES * kill) / (KILLS + 1)) await sleep(5);
    await killAndStart();
  }
  await writing;

  // All that expires is gone before the consumer may stop.
  const hasExpiring = async () => {
    const input = { TableName, FilterExpression: 'begins_with(pk, :e)', ExpressionAttributeValues: { ':e': { S: 'expiring' } } };
    return (await client.send(new sdk.ScanCommand(input))).Count > 0;
  };
  while (await hasExpiring()) await sleep(200);
  done = true;
  await reading;

  let expired = 0;
  for (const [key, changes] of history) {
    const rest = check(key, changes, seen.get(key) ?? []);
    if (key.startsWith('expiring') && seen.has(key)) {
      assert.deepEqual(rest, [{ id: null, byService: true }], `${key} was deleted by the service`);
      expired += 1;
    } else {
      assert.deepEqual(rest, [], `${key}: more was seen than written`);
    }
  }
  for (const key of seen.keys()) assert.ok(history.has(key), `${key} was never written`);
  console.log(`${written} writes, ${numbers.size} records, ${expired} expired, ${iterators.size} shards`);
});
