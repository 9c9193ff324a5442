// A table that is too large to be loaded whole: what is looked for, and what a pattern reads, comes all the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const example = new URL('../../../examples/models/d04_students_and_courses.prejoin', import.meta.url).pathname;
const rig = useStudio({ serve: ['--model', example] });
const cell = (key) => rig.page.locator('.partition-cell', { hasText: key });
const head = () => rig.page.locator('.pane-head').first();
let missing = '';

test('a part of the table is loaded, and the page says so', async () => {
  for (let from = 0; from < 1000; from += 25) {
    const puts = Array.from({ length: 25 }, (_, at) => {
      const [student, course] = [`STU#s${Math.floor((from + at) / 5)}`, `CRS#c${(from + at) % 50}`];
      return { PutRequest: { Item: { PK: { S: student }, SK: { S: `ENROLL#${course}` }, GSI1PK: { S: course }, GSI1SK: { S: student }, enrolledOn: { S: '2024-09-01' } } } };
    });
    await rig.call('BatchWriteItem', { RequestItems: { School: puts } });
  }
  await rig.open('/studio/items?model=file&most=300');
  await head().getByText(/part of 1,007 items/).waitFor();
  const count = Number((await head().innerText()).match(/([\d,]+) items in/)[1].replace(',', ''));
  assert.ok(count >= 300 && count < 900, `${count}`);
  for (let student = 0; student < 200; ++student) {
    await rig.page.getByPlaceholder('Find by PK').fill(`STU#s${student}`);
    const said = await rig.page.locator('.find [role=status]').innerText();
    if (!/search further/.test(said)) continue;
    missing = `STU#s${student}`;
    break;
  }
  assert.notEqual(missing, '');
});

test('Find brings a collection from beyond', async () => {
  assert.equal(await cell(missing).count(), 0);
  await rig.page.keyboard.press('Enter');
  await cell(missing).first().waitFor();
  assert.match(await cell(missing).first().innerText(), /5 items/);
  await rig.page.getByPlaceholder('Find by PK').fill('STU#nobody');
  await rig.page.keyboard.press('Enter');
  await rig.page.getByText('none with this key').waitFor();
});

test('a pattern lights up what it reads, wherever that is', async () => {
  await rig.open(`/studio/items?model=file&most=300&pattern=A10&p.student=${missing.slice(4)}`);
  await rig.page.locator('.item-row[data-mark=lit]').nth(4).waitFor();
  assert.equal(await rig.page.locator('.item-row[data-mark=lit]').count(), 5);
});

test('an address finds its item', async () => {
  await rig.page.goto('about:blank');
  const item = (await rig.call('Query', { TableName: 'School', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: missing } } })).Items[0];
  await rig.open(`/studio/items?model=file&most=300&pk=${encodeURIComponent(missing)}&sk=${encodeURIComponent(item.SK.S)}`);
  await rig.page.locator('.item-row[aria-selected=true]').waitFor();
  assert.deepEqual(rig.errors, []);
});
