// The clients of bench/retry_storm in JavaScript: node bench/retry_storm.mjs ENDPOINT, with the load as JSON on standard input.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(new URL('../tests/integration/', import.meta.url));
const { DynamoDBClient, PutItemCommand } = require('@aws-sdk/client-dynamodb');

const load = JSON.parse(readFileSync(0, 'utf8'));
const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const clients = [];
let failed = 0;
let attempts = 0;
let late = 0;

async function put(client, number) {
  clients[client] ??= new DynamoDBClient({ endpoint: process.argv[2], region: 'us-east-1', credentials });
  try {
    const answer = await clients[client].send(new PutItemCommand({ TableName: 'Storm', Item: { pk: { S: String(number) } } }));
    attempts += answer.$metadata.attempts;
  } catch (error) {
    ++failed;
    attempts += error.$metadata.attempts;
  }
}

const begin = performance.now();
const running = [];
for (const [number, [at, client]] of load.entries()) {
  await sleep(Math.max(0, begin + at * 1000 - performance.now()));
  late = Math.max(late, (performance.now() - begin) / 1000 - at);
  running.push(put(client, number));
}
await Promise.all(running);
console.log(JSON.stringify({ failed, attempts, late }));
