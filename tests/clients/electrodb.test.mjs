// ElectroDB: entities on one table, collections, pages, updates with conditions, batches and transactions.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Entity, Service } from 'electrodb';

const client = new DynamoDBClient({
  endpoint: process.env.DYNAMODB_ENDPOINT,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
const table = `electrodb-${process.pid}`;

const employees = new Entity(
  {
    model: { entity: 'employee', version: '1', service: 'work' },
    attributes: {
      team: { type: 'string', required: true },
      id: { type: 'string', required: true },
      salary: { type: 'number' },
      skills: { type: 'set', items: 'string' },
      address: { type: 'map', properties: { city: { type: 'string' } } },
      tags: { type: 'list', items: { type: 'string' } },
    },
    indexes: {
      byTeam: { collection: 'members', pk: { field: 'pk', composite: ['team'] }, sk: { field: 'sk', composite: ['id'] } },
      bySalary: { index: 'gsi1', pk: { field: 'gsi1pk', composite: ['team'] }, sk: { field: 'gsi1sk', composite: ['salary'] } },
    },
  },
  { client, table },
);
const tasks = new Entity(
  {
    model: { entity: 'task', version: '1', service: 'work' },
    attributes: { team: { type: 'string', required: true }, task: { type: 'string', required: true }, points: { type: 'number' } },
    indexes: { byTeam: { collection: 'members', pk: { field: 'pk', composite: ['team'] }, sk: { field: 'sk', composite: ['task'] } } },
  },
  { client, table },
);
const work = new Service({ employees, tasks }, { client, table });

before(async () => {
  const key = (hash, range) => [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: key('pk', 'sk'),
      GlobalSecondaryIndexes: [{ IndexName: 'gsi1', KeySchema: key('gsi1pk', 'gsi1sk'), Projection: { ProjectionType: 'ALL' } }],
    }),
  );
});
after(() => client.send(new DeleteTableCommand({ TableName: table })));

test('puts, gets and creates once', async () => {
  await employees.put({ team: 'blue', id: 'a', salary: 10, skills: ['go', 'c'], address: { city: 'Oslo' } }).go();
  const { data } = await employees.get({ team: 'blue', id: 'a' }).go();
  assert.deepEqual({ ...data, skills: [...data.skills] }, { team: 'blue', id: 'a', salary: 10, skills: ['c', 'go'], address: { city: 'Oslo' } });
  await assert.rejects(employees.create({ team: 'blue', id: 'a' }).go(), /conditional request failed/);
});

test('updates with conditions', async () => {
  await employees.put({ team: 'red', id: 'a', salary: 10, skills: ['c'], tags: ['x'] }).go();
  const { data } = await employees
    .patch({ team: 'red', id: 'a' })
    .add({ salary: 5, skills: ['rust'] })
    .append({ tags: ['y'] })
    .where(({ salary }, { lt }) => lt(salary, 11))
    .go({ response: 'all_new' });
  assert.equal(data.salary, 15);
  assert.deepEqual(data.tags, ['x', 'y']);
  assert.deepEqual([...data.skills], ['c', 'rust']);
  await assert.rejects(
    employees.patch({ team: 'red', id: 'a' }).set({ salary: 1 }).where(({ salary }, { lt }) => lt(salary, 11)).go(),
    /conditional request failed/,
  );
});

test('reads pages, indexes and collections', async () => {
  await employees.put(Array.from({ length: 30 }, (_, i) => ({ team: 'green', id: `e${String(i).padStart(2, '0')}`, salary: i }))).go();
  await tasks.put({ team: 'green', task: 't1', points: 3 }).go();
  const ids = [];
  let cursor = null;
  do {
    const page = await employees.query.byTeam({ team: 'green' }).go({ limit: 7, cursor });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor);
  assert.equal(new Set(ids).size, 30);
  const rich = await employees.query.bySalary({ team: 'green' }).where(({ salary }, { gte }) => gte(salary, 25)).go({ pages: 'all' });
  assert.equal(rich.data.length, 5);
  const { data } = await work.collections.members({ team: 'green' }).go({ pages: 'all' });
  assert.deepEqual([data.employees.length, data.tasks.length], [30, 1]);
});

test('gets batches, scans and writes transactions', async () => {
  await employees.put([{ team: 'black', id: 'a' }, { team: 'black', id: 'b' }]).go();
  const { data } = await employees.get([{ team: 'black', id: 'a' }, { team: 'black', id: 'b' }, { team: 'black', id: 'none' }]).go();
  assert.equal(data.length, 2);
  const moved = await work.transaction
    .write(({ employees: e, tasks: t }) => [
      e.remove({ team: 'black', id: 'a' }).commit(),
      e.check({ team: 'black', id: 'b' }).where(({ id }, { exists }) => exists(id)).commit(),
      t.create({ team: 'black', task: 't' }).commit(),
    ])
    .go();
  assert.equal(moved.canceled, false);
  const again = await work.transaction.write(({ tasks: t }) => [t.create({ team: 'black', task: 't' }).commit({ response: 'all_old' })]).go();
  assert.equal(again.canceled, true);
  assert.equal(again.data[0].code, 'ConditionalCheckFailed');
  assert.ok((await tasks.scan.go({ pages: 'all' })).data.some(({ team }) => team === 'black'));
});
