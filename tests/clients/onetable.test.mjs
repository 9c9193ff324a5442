// OneTable: a schema on one table, unique fields, pages, updates, transactions, batches and types.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Dynamo } from 'dynamodb-onetable/Dynamo';
import { Table } from 'dynamodb-onetable';

const client = new Dynamo({
  client: new DynamoDBClient({
    endpoint: process.env.DYNAMODB_ENDPOINT,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  }),
});
const table = new Table({
  partial: true,
  name: `onetable-${process.pid}`,
  client,
  schema: {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    indexes: { primary: { hash: 'pk', sort: 'sk' }, gs1: { hash: 'gs1pk', sort: 'gs1sk', project: 'all' } },
    models: {
      User: {
        pk: { type: String, value: 'user#${id}' },
        sk: { type: String, value: 'user#' },
        gs1pk: { type: String, value: 'type#user' },
        gs1sk: { type: String, value: '${name}#${id}' },
        id: { type: String, generate: 'ulid' },
        name: { type: String, required: true },
        email: { type: String, unique: true },
        born: { type: Date },
        visits: { type: Number, default: 0 },
        groups: { type: Set },
        profile: { type: Object },
      },
      Note: {
        pk: { type: String, value: 'note#${id}' },
        sk: { type: String, value: 'note#' },
        id: { type: String, required: true },
        text: { type: String },
      },
    },
    params: { isoDates: true, timestamps: true },
  },
});
const User = table.getModel('User');
const Note = table.getModel('Note');

before(() => table.createTable());
after(() => table.deleteTable('DeleteTableForever'));

test('creates, gets and updates', async () => {
  const born = new Date('2000-01-02T03:04:05.678Z');
  const user = await User.create({ name: 'Ann', email: 'ann@x', born, groups: new Set(['b', 'a']), profile: { city: 'Oslo' } });
  const found = await User.get({ id: user.id });
  assert.equal(found.born.getTime(), born.getTime());
  assert.deepEqual([...found.groups], ['a', 'b']);
  const changed = await User.update({ id: user.id }, { add: { visits: 3 }, set: { 'profile.city': 'Rome' }, return: 'get' });
  assert.deepEqual([changed.visits, changed.profile.city], [3, 'Rome']);
  await User.remove({ id: user.id });
  assert.equal(await User.get({ id: user.id }), undefined);
});

test('keeps a field unique by a transaction', async () => {
  await User.create({ name: 'Bob', email: 'bob@x' });
  await assert.rejects(User.create({ name: 'Bob2', email: 'bob@x' }), /unique/i);
});

test('reads an index in pages', async () => {
  for (let i = 0; i < 12; ++i) await User.create({ name: `Page${String(i).padStart(2, '0')}`, email: `p${i}@x` });
  const names = [];
  let next = null;
  do {
    const page = await User.find({ gs1pk: 'type#user', gs1sk: { begins_with: 'Page' } }, { index: 'gs1', limit: 5, next });
    names.push(...page.map(({ name }) => name));
    next = page.next;
  } while (next);
  assert.equal(names.length, 12);
  assert.deepEqual(names, [...names].sort());
  assert.equal((await User.scan({}, { where: '${name} = {Page03}' })).length, 1);
});

test('writes batches and transactions', async () => {
  const batch = {};
  await Note.create({ id: 'b1', text: 'one' }, { batch });
  await Note.create({ id: 'b2', text: 'two' }, { batch });
  await table.batchWrite(batch);
  const wanted = {};
  await Note.get({ id: 'b1' }, { batch: wanted });
  await Note.get({ id: 'b2' }, { batch: wanted });
  assert.equal((await table.batchGet(wanted, { parse: true, hidden: false })).length, 2);
  const transaction = {};
  await Note.update({ id: 'b1', text: 'changed' }, { transaction });
  await Note.remove({ id: 'b2' }, { transaction });
  await table.transact('write', transaction);
  assert.equal((await Note.get({ id: 'b1' })).text, 'changed');
  assert.equal(await Note.get({ id: 'b2' }), undefined);
});
