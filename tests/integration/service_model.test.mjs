// Every operation and every member of the service model that the SDK is made from is known to our server: read by a member table of
// src/wire, or named below as a difference. A new SDK with a new member fails here, before a client's request silently loses it.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import * as sdk from '@aws-sdk/client-dynamodb';

const root = new URL('../../', import.meta.url);
const differences = JSON.parse(readFileSync(new URL('tests/integration/service_model.json', root), 'utf8'));

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = new URL(entry.name + (entry.isDirectory() ? '/' : ''), folder);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(cc|h)$/.test(entry.name)) yield readFileSync(path, 'utf8');
  }
}

const wire = [...sources(new URL('src/wire/', root))].join('\n');
// Rows of member tables: {"TableName", …}, or …Member = {"Key", …}, or RefusedMember<T>("ReplicaUpdates").
const members = new Set([...wire.matchAll(/(?:\{|\breturn \{|Member<\w+>\()\s*"([A-Z]\w+)"/g)].map((match) => match[1]));
const operations = new Set([...wire.matchAll(/"DynamoDB_20120810\.(\w+)"/g)].map((match) => match[1]));

// Schemas: [9, namespace, name, traits, input, output]; [3, namespace, name, traits, member names, member schemas]; [1 or 2, …, element].
const KIND = { list: 1, map: 2, structure: 3, operation: 9 };
const resolve = (schema) => (typeof schema === 'function' ? schema() : schema);

function* membersOf(schema, path, seen = new Set()) {
  const shape = resolve(schema);
  if (!Array.isArray(shape) || seen.has(shape)) return;
  seen.add(shape);
  if (shape[0] === KIND.list) yield* membersOf(shape[4], path, seen);
  if (shape[0] === KIND.map) yield* membersOf(shape[5], path, seen);
  if (shape[0] !== KIND.structure || shape[2] === 'AttributeValue') return;
  for (const [index, name] of shape[4].entries()) {
    yield { name, path: `${path}.${name}` };
    yield* membersOf(shape[5][index], `${path}.${name}`, seen);
  }
}

const model = Object.values(sdk).filter((schema) => Array.isArray(schema) && schema[0] === KIND.operation);

test('the service model has operations', () => assert.ok(model.length > 50, `${model.length} operations`));

test('every operation is there, or a known difference', () => {
  const missing = model.map((schema) => schema[2]).filter((name) => !operations.has(name));
  assert.deepEqual(missing.filter((name) => !differences.operations.includes(name)), []);
});

test('every member of every request is read, refused, or a known difference', () => {
  const unknown = [];
  for (const operation of model) {
    if (!operations.has(operation[2])) continue;
    for (const { name, path } of membersOf(operation[4], operation[2])) {
      if (!members.has(name) && !differences.members.some((known) => path === known || path.startsWith(`${known}.`))) unknown.push(path);
    }
  }
  assert.deepEqual(unknown, []);
});

test('no difference is listed in vain', () => {
  const paths = model.flatMap((operation) => [operation[2], ...[...membersOf(operation[4], operation[2])].map(({ path }) => path)]);
  assert.deepEqual(differences.members.filter((known) => !paths.includes(known)), []);
});
