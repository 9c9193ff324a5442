// What moves so that it explains: a write that falls into its parts, an item that travels between its two homes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const figure = () => rig.page.locator('.falling');
const well = (name) => figure().locator('.fall-well').filter({ has: rig.page.locator('b', { hasText: new RegExp(`^${name}$`) }) });
const key = { PK: { S: 'ORG#AMAZON' }, SK: { S: 'USER#JEFFBEZOS' } };

test('a write of the design falls on a click, with the units that are to be expected', async () => {
  await rig.open('/studio/items?model=d08_saas_orgs');
  await rig.page.locator('main button.main').click();
  await rig.page.locator('.item-row').first().waitFor();
  await rig.page.locator('.pattern-button', { hasText: 'SignUp' }).click();
  await figure().waitFor();
  assert.ok((await rig.page.evaluate(() => document.getAnimations().length)) > 0, 'it moves');
  assert.match(await well('table').innerText(), /2 writes, 4 units/);
  assert.match(await well('GSI1').innerText(), /1 write, 1 unit/);
  assert.match(await figure().innerText(), /5 units\s+as designed/);
  await rig.settled();
  await rig.picture('fan-out-designed');
});

test('a write by another program falls too: two writes where its index key changes, none where nothing kept changes', async () => {
  const set = (expression, value) =>
    rig.call('UpdateItem', { TableName: 'Support', Key: key, UpdateExpression: expression, ExpressionAttributeValues: { ':v': { S: value } } });
  await set('SET GSI1SK = :v', 'USER#JEFF');
  await figure().getByText('A write by another program').waitFor();
  assert.match(await well('GSI1').innerText(), /2 writes, 2 units\s+old entry deleted, new entry put/);
  assert.equal(await well('GSI1').locator('.fall-block').count(), 2);
  assert.equal(await well('GSI1').evaluate((box) => getComputedStyle(box).borderTopWidth), '1px', 'a whole box');
  await rig.call('DeleteItem', { TableName: 'Support', Key: key });
  await well('table').getByText('item removed').waitFor();
  assert.match(await well('GSI1').innerText(), /1 write, 1 unit\s+entry out/);
  await figure().getByRole('button', { name: 'Close' }).click();
  assert.equal(await figure().count(), 0);
});

test('a write of the page shows what the engine took', async () => {
  await rig.page.locator('.item-row', { hasText: 'METADATA#AMAZON' }).click();
  await rig.page.getByRole('button', { name: 'Item', exact: true }).click();
  await rig.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await rig.page.getByLabel('OrgName').fill('Amazon.com');
  await rig.page.getByRole('button', { name: 'Save' }).click();
  await figure().getByText('measured by the engine').waitFor();
  assert.match(await well('table').innerText(), /1 write, 1 unit\s+item changed/);
  assert.match(await well('GSI1').innerText(), /no write\s+not listed here/);
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('fan-out-measured');
});

test('the selected item leaves a trail when the side turns, and the mark leads back', async () => {
  await rig.open('/studio/items?model=d08_saas_orgs');
  await rig.page.locator('.item-row', { hasText: 'USER#BILLGATES' }).first().click();
  const sides = rig.page.getByRole('group', { name: 'Side of the picture' });
  await sides.getByRole('button', { name: 'GSI1' }).click();
  const trail = rig.page.getByRole('group', { name: 'Where the item is' });
  await trail.waitFor();
  assert.match(await trail.innerText(), /Table: ORG#MICROSOFT \/ USER#BILLGATES/);
  assert.match(await trail.textContent(), /Now in GSI1: ORG#MICROSOFT#USER#BILLGATES/);
  await rig.settled();
  await rig.picture('trail');
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await trail.getByRole('button').click();
  await rig.page.locator('.pane[data-side=table]').waitFor();
  await trail.getByRole('button', { name: /GSI1/ }).waitFor(); // Back again, with a trail of its own.
  await rig.page.locator('.pane-head').click();
  await trail.waitFor({ state: 'detached' });
});

test('with both sides in sight the curve joins the two rows', async () => {
  await rig.page.getByRole('button', { name: 'Split' }).click();
  await rig.page.locator('.pane[data-side=table] .item-row', { hasText: 'USER#SATYANADELLA' }).first().click();
  const line = rig.page.locator('.trail-line');
  await line.waitFor();
  await rig.settled();
  await rig.picture('trail-split');
  const [{ right: from }, { left: to }] = await rig.page.locator('.item-row[aria-selected=true]').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().toJSON()));
  const box = await line.boundingBox();
  assert.ok(Math.abs(box.x - from) < 6 && Math.abs(box.x + box.width - to) < 6, JSON.stringify([box, from, to]));
});

test('on a narrow screen the picture of a write fits', async () => {
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/items?model=d08_saas_orgs');
  await rig.page.locator('.pattern-button', { hasText: 'SignUp' }).click();
  await figure().waitFor();
  assert.equal(await overflow(rig.page), 0);
  await rig.picture('fan-out-narrow');
});
