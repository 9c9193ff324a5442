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

test('long keys are cut in the middle and whole where they are looked at, and types can be seen', async () => {
  await longKeys();
  await rig.page.setViewportSize({ width: 1800, height: 900 });
  await rig.open('/studio/items?table=Long');
  await rig.page.locator('.item-row').nth(2).waitFor();
  const boxes = await rig.page.locator('.collection').evaluateAll((all) =>
    all.map((one) => {
      const key = one.querySelector('.partition-cell').getBoundingClientRect();
      const around = one.querySelector('.partition').getBoundingClientRect();
      const facts = one.querySelector('.collection-facts').getBoundingClientRect();
      return { over: key.bottom - around.bottom, aside: key.right - around.right, cut: facts.bottom - around.bottom };
    }),
  );
  for (const { over, aside, cut } of boxes) assert.ok(over <= 1 && aside <= 1 && cut <= 0, JSON.stringify(boxes));
  const row = rig.page.locator('.item-row', { has: rig.page.locator('.value-empty') }).first();
  assert.match(await row.innerText(), /empty/);
  assert.match(await row.innerText(), /␣x␣/);
  assert.match(await row.innerText(), /\{ 1 part \}/);
  const sort = row.locator('.sort-keys');
  const whole = await sort.getAttribute('title');
  const shown = await sort.innerText();
  assert.ok(shown.includes('…') && shown.length < whole.length, shown);
  assert.equal(shown[0] + shown.at(-1), whole[0] + whole.at(-1), 'both ends stay');
  await row.click();
  await rig.page.waitForFunction((text) => document.querySelector('[aria-selected="true"] .sort-keys')?.innerText === text, whole);
  await rig.picture('items-long-keys');
});

test('Items: columns of an entity are in line under one header, and no name of an entity is cut in Split', async () => {
  await rig.page.setViewportSize({ width: 1440, height: 900 });
  await rig.open('/studio/items?model=d05_education');
  const load = rig.page.getByRole('button', { name: 'Load the sample of this design' });
  await Promise.race([load.waitFor(), rig.page.locator('.item-row').first().waitFor()]);
  if (await load.count()) await load.click();
  await rig.page.locator('.item-row').nth(6).waitFor();
  const one = rig.page.locator('.collection', { hasText: 'STUDENT#S1' });
  assert.equal(await one.locator('.columns-head').count(), 2, 'one header for each entity');
  const lefts = await one.locator('.item-row', { hasText: 'Enrollment' }).evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('.attribute')].map((cell) => Math.round(cell.getBoundingClientRect().left)).join()));
  assert.equal(new Set(lefts).size, 1);
  const heights = await rig.page.locator('.item-row').evaluateAll((rows) => rows.map((row) => row.offsetHeight));
  assert.ok(Math.max(...heights) <= 30, heights.join());
  await rig.page.getByRole('button', { name: 'Split' }).click();
  await rig.page.locator('.pane').nth(1).locator('.item-row').first().waitFor();
  for (const [name, across] of await rig.page.locator('.type-name').evaluateAll((all) => all.map((tag) => [tag.innerText, tag.scrollWidth - tag.clientWidth]))) {
    assert.ok(across <= 0, `${name} is cut`);
  }
  await rig.page.setViewportSize({ width: 1280, height: 800 });
});

test('an entity has one colour: in its tag, in the keys that lead to it, lit or not', async () => {
  await rig.open('/studio/items?model=d05_education&pattern=A16&p.student=S1');
  await rig.page.locator('.item-row[data-mark="lit"]').nth(1).waitFor();
  await rig.settled();
  const colours = (selector) => rig.page.locator(selector).evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).color))]);
  const tag = async (name) => colours(`.type-name:text-is("${name}")`);
  assert.deepEqual(await colours('.key-value:text-is("C1")'), await tag('Course'));
  assert.deepEqual(await colours('.key-value:text-is("S1")'), await tag('Student'));
  assert.equal((await tag('Enrollment')).length, 1, 'a lit row keeps the colour of its entity');
  await inBothThemes(rig.page, async (theme) => {
    const all = [await tag('Course'), await tag('Student'), await tag('Enrollment')];
    assert.equal(new Set(all.flat()).size, 3, theme);
    assert.deepEqual(await axeFindings(rig.page), [], theme);
  });
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
  await rig.page.setViewportSize({ width: 1800, height: 900 });
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
