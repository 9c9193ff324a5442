// The SDK for JavaScript reads each of the sixteen reasons into its own exceptions. The cases come from cases.py, by `tests/clients/run`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import * as sdk from '@aws-sdk/client-dynamodb';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

function command(table, operation, key, value) {
  switch (operation) {
    case 'get':
      return new sdk.GetItemCommand({ TableName: table, Key: { pk: { S: key } }, ConsistentRead: true });
    case 'query':
      return new sdk.QueryCommand({
        TableName: table,
        IndexName: 'idx',
        KeyConditionExpression: 's = :s',
        ExpressionAttributeValues: { ':s': { S: value } },
      });
    default:
      return new sdk.PutItemCommand({ TableName: table, Item: { pk: { S: key }, ...(value === '-' ? {} : { s: { S: value } }) } });
  }
}

async function firstError(client, table, operation, key, value) {
  for (let number = 0; number < 200; ++number) {
    try {
      await client.send(command(table, operation, key === '*' ? `k${number}` : key, value === '*' ? `s${number}` : value));
    } catch (error) {
      return error;
    }
  }
  throw new Error(`${table}: not throttled`);
}

const lines = readFileSync(process.env.REASONS, 'utf8').trim().split('\n');
const reasons = new Set();
for (const line of lines) {
  const [endpoint, table, operation, key, value, exception, reason, resource] = line.split('\t');
  const client = new sdk.DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  const error = await firstError(client, table, operation, key, value);
  assert(error instanceof sdk[exception], `${reason}: ${error}`);
  const list = error.ThrottlingReasons ?? error.throttlingReasons;
  assert(list?.some((one) => one.reason === reason && one.resource === resource), `${reason}: ${JSON.stringify(list)}`);
  reasons.add(reason);
  client.destroy();
}
console.log(`SDK for JavaScript: ${lines.length} cases, ${reasons.size} reasons`);
