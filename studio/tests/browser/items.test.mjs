// The Items view: the picture, the pivot, writes on either side, the simulated lag.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();

const rows = (side) => rig.page.locator(`.pane[data-side="${side}"] .item-row`);
const collection = (side, key) =>
  rig.page.locator(`.pane[data-side="${side}"] .collection`).filter({ has: rig.page.locator('.partition-cell .key-text', { hasText: new RegExp(`^${key}$`) }) });
const sortKeys = async (side, key) => collection(side, key).locator('.item-row .sort-cell .key-text').allInnerTexts();
const said = () => rig.page.locator('.said');

async function openSample(query = '') {
  await rig.open(`/studio/items?model=d05_education${query}`);
  const load = rig.page.getByRole('button', { name: 'Load the sample of this design' });
  await Promise.race([load.waitFor(), rows('table').first().waitFor(), rows('GSI1').first().waitFor()]);
  if (await load.isVisible()) await load.click();
  await rig.page.locator('.item-row').first().waitFor();
}

async function fill(values) {
  for (const [name, value] of Object.entries(values)) {
    await rig.page.locator(`.side-panel input[name="${name}"]`).fill(value);
  }
}

test('without tables it offers the sample, and the Education table is there', async () => {
  await rig.open('/studio/items');
  await rig.page.getByRole('heading', { name: 'Education: nothing is stored yet' }).waitFor();
  await rig.picture('items-empty');
  await openSample();
  assert.deepEqual(await sortKeys('table', 'STUDENT#S1'), ['COURSE#C1', 'COURSE#C2', 'METADATA']);
  assert.equal(await rows('table').count(), 7);
  await rig.picture('items-table');
  assert.deepEqual(rig.errors, []);
});

test('the pivot shows the roster of C1, and the selected edge stays selected', async () => {
  await openSample();
  await collection('table', 'STUDENT#S2').locator('.item-row').first().click();
  await rig.page.getByRole('button', { name: 'GSI1', exact: true }).click();
  await rows('GSI1').first().waitFor();
  assert.deepEqual(await sortKeys('GSI1', 'COURSE#C1'), ['STUDENT#S1', 'STUDENT#S2']);
  const chosen = rig.page.locator('.item-row[aria-selected="true"]');
  assert.equal(await chosen.locator('.sort-cell .key-text').innerText(), 'STUDENT#S2');
  assert.match(rig.page.url(), /index=GSI1/);
  await rig.page.waitForURL(/pk=STUDENT%23S2&sk=COURSE%23C1/);
  assert.deepEqual(rig.errors, []);
});

test('enrolling S2 in C2 on the table side appears in the index; the second time is refused with the reason', async () => {
  await openSample('&split=1');
  await collection('table', 'STUDENT#S2').getByRole('button', { name: /Add an item/ }).click();
  assert.equal(await rig.page.locator('.side-panel input[name="StudentId"]').inputValue(), 'S2');
  await fill({ CourseId: 'C2', EnrollmentDate: '2024-04-01T08:00:00' });
  await rig.page.getByRole('button', { name: 'Add Enrollment' }).click();
  await said().filter({ hasText: 'GSI1: it appears in COURSE#C2 as STUDENT#S2.' }).waitFor();
  assert.deepEqual(await sortKeys('GSI1', 'COURSE#C2'), ['STUDENT#S1', 'STUDENT#S2']);
  assert.equal(await rows('GSI1').locator('xpath=self::*[@data-flash="new"]').count(), 1);
  const stored = await rig.call('GetItem', { TableName: 'Education', Key: { PK: { S: 'STUDENT#S2' }, SK: { S: 'COURSE#C2' } } });
  assert.equal(stored.Item['GSI1-PK'].S, 'COURSE#C2');
  await rig.picture('items-enrolled');

  await rig.page.getByRole('button', { name: 'Add Enrollment' }).click();
  await said().filter({ hasText: 'Refused: Enrollment STUDENT#S2 / COURSE#C2 exists already.' }).waitFor();
  assert.match(await said().innerText(), /attribute_not_exists\(PK\)/);
  await rig.picture('items-refused');
  // The browser itself logs the refused request.
  assert.deepEqual(rig.errors.splice(0).filter((text) => !text.includes('400')), []);
});

test('a change and a removal on the index side are seen on both', async () => {
  await openSample('&split=1');
  await collection('GSI1', 'COURSE#C2').locator('.item-row').nth(1).click();
  await rig.page.getByRole('button', { name: 'Item', exact: true }).click();
  await rig.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await fill({ Grade: 'B' });
  await rig.page.getByRole('button', { name: 'Save' }).click();
  await said().filter({ hasText: 'GSI1: it changes in COURSE#C2 as STUDENT#S2.' }).waitFor();
  const key = { PK: { S: 'STUDENT#S2' }, SK: { S: 'COURSE#C2' } };
  assert.equal((await rig.call('GetItem', { TableName: 'Education', Key: key })).Item.Grade.S, 'B');

  await rig.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await rig.page.getByRole('button', { name: 'Yes, delete it' }).click();
  await said().filter({ hasText: 'GSI1: it vanishes from COURSE#C2 / STUDENT#S2.' }).waitFor();
  assert.deepEqual(await sortKeys('GSI1', 'COURSE#C2'), ['STUDENT#S1']);
  assert.deepEqual(await sortKeys('table', 'STUDENT#S2'), ['COURSE#C1', 'METADATA']);
  assert.equal((await rig.call('GetItem', { TableName: 'Education', Key: key })).Item, undefined);
  assert.deepEqual(rig.errors, []);
});

test('a change that somebody else made meanwhile is not lost', async () => {
  await openSample('&split=1');
  await collection('table', 'STUDENT#S1').locator('.item-row').first().click();
  await rig.page.getByRole('button', { name: 'Item', exact: true }).click();
  await rig.page.getByRole('button', { name: 'Edit', exact: true }).click();
  const key = { PK: { S: 'STUDENT#S1' }, SK: { S: 'COURSE#C1' } };
  const set = (grade) =>
    rig.call('UpdateItem', { TableName: 'Education', Key: key, UpdateExpression: 'SET Grade = :g', ExpressionAttributeValues: { ':g': { S: grade } } });
  await set('C');
  await fill({ Grade: 'D' });
  await rig.page.getByRole('button', { name: 'Save' }).click();
  await said().filter({ hasText: 'changed since it was loaded here' }).waitFor();
  assert.equal((await rig.call('GetItem', { TableName: 'Education', Key: key })).Item.Grade.S, 'C');
  await set('A');
  assert.deepEqual(rig.errors.splice(0).filter((text) => !text.includes('400')), []);
});

test('with index lag, a new edge is in the table at once and in the index later', async () => {
  await openSample('&split=1');
  await rig.page.getByLabel('Index lag in seconds, simulated').fill('2');
  await collection('table', 'STUDENT#S2').getByRole('button', { name: /Add an item/ }).click();
  await fill({ CourseId: 'C2', EnrollmentDate: '2024-04-01T08:00:00' });
  await rig.page.getByRole('button', { name: 'Add Enrollment' }).click();
  const waiting = rig.page.locator('.waiting');
  await waiting.filter({ hasText: 'COURSE#C2 / STUDENT#S2 just written, not yet listed' }).waitFor();
  assert.deepEqual(await sortKeys('table', 'STUDENT#S2'), ['COURSE#C1', 'COURSE#C2', 'METADATA']);
  assert.deepEqual(await sortKeys('GSI1', 'COURSE#C2'), ['STUDENT#S1']);
  await rig.picture('items-lag');
  await said().filter({ hasText: 'After the lag: GSI1: it appears in COURSE#C2 as STUDENT#S2.' }).waitFor();
  assert.deepEqual(await sortKeys('GSI1', 'COURSE#C2'), ['STUDENT#S1', 'STUDENT#S2']);
  assert.equal(await waiting.count(), 0);
  assert.deepEqual(rig.errors, []);
});

test('arrow keys go by item and by collection, and finding goes to a key', async () => {
  await openSample();
  const grid = rig.page.getByRole('grid');
  const chosen = () => rig.page.locator('.item-row[aria-selected="true"]').getAttribute('data-id');
  await grid.focus();
  await grid.press('ArrowDown');
  assert.equal(await chosen(), '9:COURSE#C1METADATA');
  await grid.press('ArrowRight');
  await grid.press('ArrowRight');
  assert.equal(await chosen(), '10:STUDENT#S1COURSE#C1');
  await grid.press('ArrowDown');
  assert.equal(await chosen(), '10:STUDENT#S1COURSE#C2');
  await grid.press('End');
  assert.equal(await chosen(), '10:STUDENT#S2METADATA');
  await grid.press('Home');
  assert.equal(await chosen(), '9:COURSE#C1METADATA');
  const active = await grid.getAttribute('aria-activedescendant');
  assert.equal(await rig.page.locator(`[id="${active}"]`).count(), 1);

  await rig.page.getByPlaceholder('Find by PK').fill('student#s2');
  await rig.page.keyboard.press('Enter');
  assert.equal(await chosen(), '10:STUDENT#S2COURSE#C1');
  assert.deepEqual(rig.errors, []);
});

test('a table that no model describes is shown by its prefixes', async () => {
  await rig.call('CreateTable', {
    TableName: 'Loose',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }, { AttributeName: 'n', KeyType: 'RANGE' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }, { AttributeName: 'n', AttributeType: 'N' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  for (const n of ['10', '9', '-1']) {
    await rig.call('PutItem', { TableName: 'Loose', Item: { id: { S: 'DOG#1' }, n: { N: n }, friends: { L: [{ S: '<b>' }] } } });
  }
  await openSample('&table=Loose');
  assert.deepEqual(await sortKeys('table', 'DOG#1'), ['-1', '9', '10']);
  assert.equal(await rows('table').first().locator('.type-name').innerText(), 'DOG');
  await rig.page.getByRole('button', { name: 'Add item', exact: true }).click();
  const text = rig.page.getByLabel('New item: text');
  await text.fill('{"id": "DOG#2", "n": 7');
  await rig.page.getByText(/^Line 1, column/).waitFor();
  await text.fill('{"id": "DOG#2", "n": 7}');
  await rig.page.getByRole('button', { name: 'Write the item' }).click();
  await said().filter({ hasText: 'Table: it appears in DOG#2 as 7.' }).waitFor();
  assert.deepEqual(rig.errors, []);
});

test('axe finds nothing in both themes, at both widths, and nothing is wider than the page', async () => {
  const check = async (name) => {
    for (const width of [1280, 390]) {
      await rig.page.setViewportSize({ width, height: 800 });
      await inBothThemes(rig.page, async (theme) => {
        assert.deepEqual(await axeFindings(rig.page), [], `${name}, ${width}, ${theme}`);
        await rig.picture(`items-${name}-${width}-${theme}`);
      });
      assert.equal(await overflow(rig.page), 0, `${name} at ${width}`);
    }
    await rig.page.setViewportSize({ width: 1280, height: 800 });
  };
  await openSample('&pattern=A17&p.course=C1&split=1');
  await rig.page.locator('[data-mark="lit"]').first().waitFor();
  await check('pattern');
  await rig.page.locator('.item-row').first().click();
  await rig.page.getByRole('button', { name: 'Item', exact: true }).click();
  await check('item');
  await rig.page.getByRole('button', { name: 'Add', exact: true }).click();
  await check('add');
  await rig.open('/studio/items?model=d08_saas_orgs');
  await rig.page.getByRole('heading', { name: /nothing is stored yet/ }).waitFor();
  await check('empty');
  assert.deepEqual(rig.errors, []);
});
