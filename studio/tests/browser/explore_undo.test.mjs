// What an edit or a deletion says stays near the grid, and what is taken back is where it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFrame, useStudio } from './rig.mjs';

const rig = useStudio({ width: 1440, height: 900 });
const button = (name) => rig.page.getByRole('button', { name, exact: true });
const grid = () => rig.page.getByRole('grid', { name: 'Items' });
const keys = () => grid().locator('tbody tr:not(.spacer) td:nth-of-type(1)').allTextContents();
const cell = (row, column) => grid().locator(`[data-cell="${row}:${column}"]`);

async function fill() {
  await rig.call('CreateTable', { TableName: 'Long', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }], BillingMode: 'PAY_PER_REQUEST' });
  for (let at = 0; at < 60; at += 1) await rig.call('PutItem', { TableName: 'Long', Item: { PK: { S: `item${at}` }, price: { N: String(at) } } });
  await rig.open('/studio/explore/Long');
  await grid().waitFor();
}

test('the outcome of an edit and its Undo are in sight, in a large window and on a phone', async () => {
  rig.page.setDefaultTimeout(10_000);
  await fill();
  await cell(0, 1).dblclick();
  await rig.page.getByLabel('price of row 1').fill('77');
  await rig.page.keyboard.press('Enter');
  const said = rig.page.getByText('Saved price for 1 write unit.');
  await said.waitFor();
  assert.equal(await inFrame(said), true, 'the outcome');
  assert.equal(await inFrame(button('Undo the edit')), true, 'the way back');
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await cell(2, 0).click();
  assert.equal(await inFrame(button('Open item')), true, 'what can be done to the item');
  await rig.page.setViewportSize({ width: 1440, height: 900 });
  await rig.picture('explore-foot');
});

test('deleted rows come back to their places', async () => {
  const before = await keys();
  await cell(1, 0).click();
  await cell(2, 0).click({ modifiers: ['Shift'] });
  await button('Delete 2 items').click();
  await rig.page.getByText('Deleted 2 items.').waitFor();
  assert.notDeepEqual((await keys()).slice(0, 4), before.slice(0, 4));
  await button('Undo 2 deletions').click();
  await rig.page.getByText('Undone: 2 writes.').waitFor();
  assert.deepEqual((await keys()).slice(0, 4), before.slice(0, 4));
});

test('a long name of an attribute makes nothing wider than the page', async () => {
  const name = 'N'.repeat(200);
  await rig.call('PutItem', { TableName: 'Long', Item: { PK: { S: 'hostile' }, [name]: { S: 'x' } } });
  await rig.page.goto(`${rig.url}/studio/explore/Long?mode=GetItem`);
  await rig.page.getByLabel('Value of PK').fill('hostile');
  await button('Run GetItem').click();
  await grid().locator('td', { hasText: 'hostile' }).waitFor();
  await cell(0, 1).dblclick();
  await rig.page.getByLabel(`${name} of row 1`).fill('y');
  await rig.page.keyboard.press('Enter');
  await rig.page.getByText(`Saved ${name}`).waitFor();
  assert.equal(await rig.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
});
