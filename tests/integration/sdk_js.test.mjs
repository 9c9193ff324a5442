// The same datasets and access patterns as boto3_test.py, through the AWS SDK for JavaScript v3.
// Starts its own server, unless PREJOIN_ENDPOINT names another DynamoDB endpoint to use.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import * as sdk from '@aws-sdk/client-dynamodb';

const root = new URL('../../', import.meta.url);
const readJson = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const patterns = readJson('tests/integration/patterns.json');
const datasets = new Map(
  readdirSync(new URL('examples/datasets/', root))
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJson(`examples/datasets/${name}`))
    .map((dataset) => [dataset.id, dataset]),
);

// Names that cannot meet what an endpoint already holds.
const prefix = `integration-${randomBytes(4).toString('hex')}-`;
const tableName = (dataset) => prefix + dataset.table.TableName;
let server;
let client;

async function startServer() {
  const binary = process.env.PREJOIN_BINARY ?? new URL('build/release/prejoin', root).pathname;
  const more = (process.env.PREJOIN_SERVE_OPTIONS ?? '').split(' ').filter((option) => option !== '');
  const options = ['serve', '--port', '0', '--memory', '--log-level', 'warning', ...more];
  server = spawn(binary, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) {
    const match = /listening on (http:\S+)/.exec(line);
    if (match) return match[1];
  }
  throw new Error(`${binary} ended before it listened`);
}

const call = (operation, input) => client.send(new sdk[`${operation}Command`](input));

async function load(dataset) {
  const TableName = tableName(dataset);
  await call('CreateTable', { ...dataset.table, TableName });
  await sdk.waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { TableName });
  const requests = dataset.items.map((Item) => ({ PutRequest: { Item } }));
  const answer = await call('BatchWriteItem', { RequestItems: { [TableName]: requests } });
  assert.deepEqual(answer.UnprocessedItems ?? {}, {});
}

async function drop(dataset) {
  const TableName = tableName(dataset);
  await call('DeleteTable', { TableName });
  await sdk.waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { TableName });
}

before(async () => {
  const endpoint = process.env.PREJOIN_ENDPOINT ?? (await startServer());
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new sdk.DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  for (const dataset of datasets.values()) await load(dataset);
});

after(async () => {
  for (const dataset of datasets.values()) await drop(dataset);
  client.destroy();
  if (server) {
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    assert.equal(code, 0, 'the server stops cleanly');
  }
});

const nameOfItem = (dataset, item) => dataset.table.KeySchema.map((key) => item[key.AttributeName].S).join(' | ');
const byName = (dataset) => (a, b) => (nameOfItem(dataset, a) < nameOfItem(dataset, b) ? -1 : 1);

async function checkStep(dataset, step) {
  const input = JSON.parse(JSON.stringify(step.input).replaceAll('$table', tableName(dataset)));
  if (!input.RequestItems) input.TableName = tableName(dataset);
  if (step.error) {
    await assert.rejects(call(step.operation, input), (error) => {
      assert.equal(error.name, step.error.name);
      assert.ok(error.message.includes(step.error.message), error.message);
      return true;
    });
    return;
  }
  const answer = await call(step.operation, input);
  const items = new Map(dataset.items.map((item) => [nameOfItem(dataset, item), item]));
  const itemsNamed = (names) => names.map((name) => items.get(name));
  if (step.items) {
    assert.deepEqual(answer.Items, itemsNamed(step.items));
    assert.equal(answer.Count, step.items.length);
    assert.equal(answer.LastEvaluatedKey !== undefined, step.more ?? false);
  }
  if (step.item) assert.deepEqual(answer.Item, items.get(step.item));
  if (step.batch) {
    const got = answer.Responses[tableName(dataset)].sort(byName(dataset));
    assert.deepEqual(got, itemsNamed(step.batch));
    assert.deepEqual(answer.UnprocessedKeys, {});
  }
  if (step.attributes) assert.deepEqual(answer.Attributes ?? answer.Item, step.attributes);
}

test('no pattern is missing', () => {
  assert.deepEqual(patterns.map((pattern) => pattern.id), Array.from({ length: 29 }, (_, index) => `A${index + 1}`));
});

test('the datasets are loaded', async () => {
  for (const dataset of datasets.values()) {
    const { Items } = await call('Scan', { TableName: tableName(dataset), ConsistentRead: true });
    assert.deepEqual(Items.sort(byName(dataset)), [...dataset.items].sort(byName(dataset)), dataset.id);
  }
});

for (const pattern of patterns) {
  test(`${pattern.id} ${pattern.title}`, async () => {
    const dataset = datasets.get(pattern.dataset);
    for (const step of pattern.steps) await checkStep(dataset, step);
    if (pattern.steps.some((step) => ['PutItem', 'UpdateItem', 'DeleteItem'].includes(step.operation))) {
      await drop(dataset);
      await load(dataset);
    }
  });
}
