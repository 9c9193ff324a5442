// The AWS SDK for JavaScript v3 reads throttled answers into its own exceptions, with their reasons.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import * as sdk from '@aws-sdk/client-dynamodb';

const root = new URL('../../', import.meta.url);
let server;
let client;
let endpoint;

before(async () => {
  const binary = process.env.PREJOIN_BINARY ?? new URL('build/release/prejoin', root).pathname;
  const physics = 'aws,burst-seconds=1,table-read-quota=5';
  const options = ['serve', '--port', '0', '--memory', '--log-level', 'warning', '--physics', physics, '--clock', 'virtual'];
  server = spawn(binary, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) {
    const match = /listening on (http:\S+)/.exec(line);
    if (match) {
      endpoint = match[1];
      break;
    }
  }
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new sdk.DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
});

after(async () => {
  client.destroy();
  server.kill('SIGTERM');
  await once(server, 'exit');
});

const call = (operation, input) => client.send(new sdk[`${operation}Command`](input));
const arn = (name) => `arn:aws:dynamodb:us-east-1:123456789012:table/${name}`;

const create = (TableName, capacity) =>
  call('CreateTable', {
    TableName,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    ...capacity,
  });

async function firstError(send) {
  for (let at = 0; at < 100; ++at) {
    try {
      await send(at);
    } catch (error) {
      return error;
    }
  }
  throw new Error('not throttled');
}

const put = (TableName) => (at) => call('PutItem', { TableName, Item: { pk: { S: `k${at}` } } });

test('a provisioned table', async () => {
  await create('P', { ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 3 } });
  const error = await firstError(put('P'));
  assert(error instanceof sdk.ProvisionedThroughputExceededException);
  assert.deepEqual(error.ThrottlingReasons, [{ reason: 'TableWriteProvisionedThroughputExceeded', resource: arn('P') }]);
});

test('the maximum of an on-demand table', async () => {
  const OnDemandThroughput = { MaxReadRequestUnits: 3, MaxWriteRequestUnits: 3 };
  await create('D', { BillingMode: 'PAY_PER_REQUEST', OnDemandThroughput });
  const error = await firstError(put('D'));
  assert(error instanceof sdk.ThrottlingException);
  assert.deepEqual(error.throttlingReasons, [{ reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: arn('D') }]);
});

test('the quota of the account', async () => {
  await create('Q', { BillingMode: 'PAY_PER_REQUEST' });
  const error = await firstError((at) => call('GetItem', { TableName: 'Q', Key: { pk: { S: `k${at}` } }, ConsistentRead: true }));
  assert(error instanceof sdk.RequestLimitExceeded);
  assert.deepEqual(error.ThrottlingReasons, [{ reason: 'TableReadAccountLimitExceeded', resource: arn('Q') }]);
});

test('the SDK retries until the clock has moved', async () => {
  await create('R', { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } });
  await firstError(put('R'));
  const patient = new sdk.DynamoDBClient({ ...client.config, endpoint, maxAttempts: 5 });
  const done = patient.send(new sdk.PutItemCommand({ TableName: 'R', Item: { pk: { S: 'late' } } }));
  await fetch(`${endpoint}/clock`, { method: 'POST', body: '{"advance": 10}' });
  await done;
  patient.destroy();
});
