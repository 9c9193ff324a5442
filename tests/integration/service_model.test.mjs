// Every operation and every member of the service model that the SDK is made from is known to our server: read, refused, or named in
// service_model.json as a difference. A new SDK with a new member fails here, before a client's request silently loses it.
//
// A member is known if a value of a wrong type at its place changes the answer: what is dropped cannot. Of a structure that is refused as
// a whole nothing more can be seen.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import * as sdk from '@aws-sdk/client-dynamodb';

const root = new URL('../../', import.meta.url);
const differences = JSON.parse(readFileSync(new URL('tests/integration/service_model.json', root), 'utf8'));

// Schemas: [9, namespace, name, traits, input, output]; [3, namespace, name, traits, member names, member schemas]; [1 or 2, …, element].
const KIND = { list: 1, map: 2, structure: 3, operation: 9 };
const resolve = (schema) => (typeof schema === 'function' ? schema() : schema);
const WRONG = ['x', 7, [], {}];

const model = Object.values(sdk).filter((schema) => Array.isArray(schema) && schema[0] === KIND.operation);
let server;
let endpoint;

before(async () => {
  const binary = process.env.PREJOIN_BINARY ?? new URL('build/release/prejoin', root).pathname;
  server = spawn(binary, ['serve', '--port', '0', '--memory', '--log-level', 'warning'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) {
    endpoint = /listening on (http:\S+)/.exec(line)?.[1];
    if (endpoint) return;
  }
});
after(() => server.kill());

async function ask(operation, body) {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      'X-Amz-Date': '20260101T000000Z',
      Authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(body),
  });
  return answer.text();
}

// Places of members: their path, and a function that puts a value there and nothing else. `wrap` does that for the structure itself.
function* placesOf(schema, path, wrap, above = []) {
  const shape = resolve(schema);
  if (!Array.isArray(shape) || above.includes(shape)) return;
  const inside = [...above, shape];
  if (shape[0] === KIND.list) yield* placesOf(shape[4], path, (value) => wrap([value]), inside);
  if (shape[0] === KIND.map) yield* placesOf(shape[5], path, (value) => wrap({ key: value }), inside);
  if (shape[0] !== KIND.structure || shape[2] === 'AttributeValue') return;
  for (const [index, name] of shape[4].entries()) {
    const put = (value) => wrap({ [name]: value });
    yield { path: `${path}.${name}`, put, empty: () => wrap({}) };
    yield* placesOf(shape[5][index], `${path}.${name}`, put, inside);
  }
}

const places = (operation) => placesOf(operation[4], operation[2], (value) => value);
const isKnown = (path) => differences.members.some((known) => path === known || path.startsWith(`${known}.`));

test('the service model has operations', () => assert.ok(model.length > 50, `${model.length} operations`));

test('every operation is there, or a known difference', async () => {
  const missing = [];
  for (const { 2: operation } of model) {
    if ((await ask(operation, {})).includes('UnknownOperationException')) missing.push(operation);
  }
  assert.deepEqual(missing.sort(), differences.operations);
});

test('every member of every request is read, refused, or a known difference', async () => {
  const dropped = [];
  const needless = [];
  let count = 0;
  for (const operation of model.filter((one) => !differences.operations.includes(one[2]))) {
    for (const { path, put, empty } of places(operation)) {
      ++count;
      const without = await ask(operation[2], empty());
      let read = without.includes('is not supported by this server');
      for (const value of WRONG) read ||= (await ask(operation[2], put(value))) !== without;
      if (!read && !isKnown(path)) dropped.push(path);
      if (read && differences.members.includes(path)) needless.push(path);
    }
  }
  assert.deepEqual(dropped, []);
  assert.deepEqual(needless, [], 'listed as differences, but read or refused');
  assert.ok(count > 300, `${count} members`);
});

test('no difference is listed in vain', () => {
  const paths = model.flatMap((operation) => [operation[2], ...[...places(operation)].map(({ path }) => path)]);
  assert.deepEqual(differences.members.filter((known) => !paths.includes(known)), []);
});
