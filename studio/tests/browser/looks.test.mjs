// What the page looks like: nothing overlaps, nothing is cut that must be read, and the first picture moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();

const long = 'VERY-LONG-KEY-'.repeat(12);

async function longKeys() {
  await rig.call('CreateTable', {
    TableName: 'Long', BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
    AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  });
  for (const at of [1, 2, 3]) {
    await rig.call('PutItem', {
      TableName: 'Long',
      Item: { PK: { S: `ORG#${long}${at}` }, SK: { S: `USER#${long}${at}` }, empty: { S: '' }, spaced: { S: ' x ' }, none: { NULL: true }, set: { SS: ['p', 'q'] }, map: { M: { a: { N: '1' } } } },
    });
  }
}

test('the first picture is there at once, plays by itself, and stops when it is touched', async () => {
  const start = Date.now();
  await rig.open('/studio/');
  const picture = rig.page.getByRole('figure', { name: 'Students and courses in one table' });
  await picture.waitFor();
  assert.ok(Date.now() - start < 5000, `${Date.now() - start} ms`);
  await picture.getByText('3 items').waitFor();
  await rig.page.locator('.pivot-picture h2', { hasText: 'in an index' }).waitFor(); // It went on by itself.
  await picture.getByRole('button', { name: 'By student' }).click();
  await picture.getByRole('button', { name: 'STUDENT#ben' }).click();
  assert.match(await picture.locator('.pivot-figures').innerText(), /STUDENT#ben · 3 items · \d+ bytes · 0\.5 read units/);
  assert.equal(await picture.locator('.pivot-item[data-lit]').count(), 3);
  assert.equal(await picture.getByRole('button', { name: 'Play' }).count(), 1, 'it waits');
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('landing');
});

test('long keys stay in their place, and the line with the type shows', async () => {
  await longKeys();
  await rig.open('/studio/items?table=Long');
  await rig.page.locator('.item-row').nth(2).waitFor();
  const boxes = await rig.page.locator('.collection').evaluateAll((all) =>
    all.map((one) => {
      const key = one.querySelector('.partition-cell').getBoundingClientRect();
      const around = one.querySelector('.partition').getBoundingClientRect();
      const facts = one.querySelector('.row-facts').getBoundingClientRect();
      const row = one.querySelector('.item-row').getBoundingClientRect();
      return { over: key.bottom - around.bottom, aside: key.right - around.right, cut: facts.bottom - row.bottom };
    }),
  );
  for (const { over, aside, cut } of boxes) assert.ok(over <= 1 && aside <= 1 && cut <= 0, JSON.stringify(boxes));
  const row = await rig.page.locator('.item-row').first().innerText();
  assert.match(row, /empty\s+empty/);
  assert.match(row, /␣x␣/);
  assert.match(row, /\{ 1 part \}/);
  await rig.picture('items-long-keys');
});

test('the access patterns show their price without scrolling, at 1280', async () => {
  await rig.open('/studio/model?model=d04_students_and_courses&tab=patterns');
  const money = rig.page.getByRole('cell', { name: /^\$/ }).first();
  await money.waitFor();
  const box = await money.boundingBox();
  const frame = await rig.page.getByRole('group', { name: 'Access patterns' }).boundingBox();
  assert.ok(box.x + box.width <= frame.x + frame.width + 1, JSON.stringify([box, frame]));
});

test('a radio button stands beside its word', async () => {
  await rig.open('/studio/explore/Long');
  for (const radio of await rig.page.locator('input[type=radio]').all()) {
    const [sign, label] = [await radio.boundingBox(), await radio.locator('..').boundingBox()];
    assert.ok(label.height < 2.5 * sign.height, JSON.stringify([sign, label]));
  }
});

test('on a narrow screen the picture comes first', async () => {
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/items?table=Long');
  const row = rig.page.locator('.item-row').first();
  await row.waitFor();
  assert.ok((await row.boundingBox()).y < 500, `${(await row.boundingBox()).y}`);
  assert.equal(await overflow(rig.page), 0);
  await rig.open('/studio/');
  await rig.page.locator('.pivot-item').first().waitFor();
  assert.equal(await overflow(rig.page), 0);
  await rig.picture('landing-narrow');
  await rig.page.setViewportSize({ width: 1280, height: 800 });
});
