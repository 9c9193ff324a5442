// What readers stumbled over, each repaired once and kept so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio({ width: 1440, height: 900 });
const button = (name) => rig.page.getByRole('button', { name, exact: true });
const field = (name) => rig.page.getByLabel(name, { exact: true }).or(rig.page.getByRole('combobox', { name, exact: true })).first();
const table = (name) => ({
  TableName: name, BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
  AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
});
const own = (name, text) => rig.page.evaluate(([key, value]) => localStorage.setItem(key, value), [`prejoin-own:${name}`, text]);

async function withSample(model) {
  await rig.open(`/studio/items?model=${model}`);
  const load = button('Load the sample of this design');
  await Promise.race([load.waitFor(), rig.page.locator('.item-row').first().waitFor()]);
  if (await load.count()) await load.click();
  await rig.page.locator('.item-row').first().waitFor();
}

test('a design that cannot be read shows no other table in Items, not even after a reload', async () => {
  rig.page.setDefaultTimeout(15_000);
  await withSample('d05_education');
  await own('Broken', 'model "Broken"\nentity {\n');
  await rig.open('/studio/items?model=own:Broken');
  for (let round = 0; round < 2; round += 1) {
    await rig.page.getByText('The text of the design has errors that keep it from being read.').waitFor();
    assert.equal(await rig.page.locator('.item-row').count(), 0);
    await rig.page.reload();
  }
});

test('a question of the finder opens in sight', async () => {
  await rig.open('/studio/learn');
  await rig.page.getByRole('button', { name: /^Find/ }).click();
  await rig.page.getByRole('combobox', { name: 'Find anything' }).fill('question');
  const last = rig.page.getByRole('option').last();
  await last.click();
  const open = rig.page.locator('.reader-questions details[open]');
  await open.waitFor();
  await rig.page.waitForFunction(() => {
    const box = document.querySelector('.reader-questions details[open]').getBoundingClientRect();
    return box.top >= 0 && box.top < innerHeight - 40;
  });
});

test('the button that creates tables steps back when they are there', async () => {
  await rig.open('/studio/model?model=d05_education');
  await rig.page.getByRole('link', { name: 'Open in Items' }).waitFor();
  assert.ok(!(await button('Create its tables here').getAttribute('class'))?.includes('main'));
  await rig.open('/studio/model?model=p11_write_sharding');
  await button('Create its tables here').waitFor();
  assert.equal(await rig.page.getByRole('link', { name: 'Open in Items' }).count(), 0);
  assert.match(await button('Create its tables here').getAttribute('class'), /main/);
});

test('a filtered read with a limit has a way on', async () => {
  await rig.call('CreateTable', table('Limited'));
  for (let at = 0; at < 9; at += 1) await rig.call('PutItem', { TableName: 'Limited', Item: { PK: { S: 'a' }, SK: { S: `${at}` } } });
  await rig.open('/studio/build');
  await rig.page.getByRole('combobox', { name: 'Table' }).or(rig.page.getByLabel('Table', { exact: true })).first().selectOption('Limited');
  await rig.page.getByRole('combobox', { name: 'Operation' }).or(rig.page.getByLabel('Operation', { exact: true })).first().selectOption('Scan');
  await field('Limit').fill('4');
  const facts = rig.page.locator('.facts');
  await facts.filter({ hasText: '4 items' }).filter({ hasText: 'there is more' }).waitFor();
  await button('Read on').click();
  await facts.filter({ hasText: '8 items' }).waitFor();
  await button('Read on').click();
  await facts.filter({ hasText: '9 items' }).waitFor();
  assert.equal(await button('Read on').count(), 0);
});

test('what a lesson was refused while the server was gone goes when it is back', async () => {
  await rig.open('/studio/learn/students-courses/1');
  const tries = rig.page.getByRole('region', { name: 'Try it' });
  await tries.getByRole('button').first().waitFor();
  await rig.page.locator('[aria-label="The table now"] td').first().waitFor();
  await rig.stopServer();
  await tries.getByRole('button').first().click();
  await tries.getByText('The server does not answer.').waitFor();
  await rig.restartServer();
  await tries.getByText('The server does not answer.').waitFor({ state: 'detached' });
  await rig.page.locator('[aria-label="The table now"] td').first().waitFor();
});

test('a long value in a field can be read to its end', async () => {
  await rig.call('CreateTable', table('Wide'));
  await rig.call('PutItem', { TableName: 'Wide', Item: { PK: { S: 'PERFORMANCE#performance-of-the-evening' }, SK: { S: 'x' } } });
  await rig.open('/studio/explore/Wide?mode=Query');
  const input = field('Value of PK');
  await input.waitFor();
  const { scrollWidth, clientWidth } = await input.evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
  assert.ok(scrollWidth <= clientWidth, `${scrollWidth} > ${clientWidth}`);
});

test('a statement that deletes runs on the first click, and the server refuses what is no whole key', async () => {
  await rig.open('/studio/explore/Wide?mode=PartiQL');
  await field('PartiQL statement').fill(`DELETE FROM "Wide" WHERE "PK" = 'PERFORMANCE#performance-of-the-evening'`);
  await button('Run statement').click();
  await rig.page.getByText('ValidationException').waitFor();
  await field('PartiQL statement').fill(`DELETE FROM "Wide" WHERE "PK" = 'PERFORMANCE#performance-of-the-evening' AND "SK" = 'x'`);
  await button('Run statement').click();
  await rig.page.getByText('Deleted 1 item').waitFor();
});

test('a design that describes the table is offered again', async () => {
  await rig.call('CreateTable', table('Inferred'));
  await rig.call('PutItem', { TableName: 'Inferred', Item: { PK: { S: 'DOG#1' }, SK: { S: 'PROFILE' }, name: { S: 'Rex' } } });
  await rig.open('/studio/explore/Inferred?model=d05_education');
  await button('Make a design of its items').click();
  await rig.page.waitForURL(/own%3AInferred/);
  await rig.open('/studio/explore/Inferred?model=d05_education');
  await rig.page.getByRole('link', { name: 'Open “Inferred”, which does' }).click();
  await rig.page.getByText(/Decoded by/).waitFor();
});

test('the focus ring goes round the gutter, and help keeps its words in the line', async () => {
  await rig.open('/studio/model?model=d05_education');
  await rig.page.locator('.cm-content').click();
  const ring = await rig.page.locator('.cm-editor').evaluate((editor) => {
    const { position, zIndex, borderTopStyle } = getComputedStyle(editor, '::after');
    return { position, borderTopStyle, above: Number(zIndex) > Number(getComputedStyle(editor.querySelector('.cm-gutters')).zIndex) };
  });
  assert.deepEqual(ring, { position: 'absolute', borderTopStyle: 'solid', above: true });
  await rig.page.locator('.cm-line', { hasText: 'many-to-many' }).getByText('many-to-many').hover();
  const help = rig.page.locator('.word-help');
  await help.waitFor();
  const inside = await help.locator('div code').evaluateAll((all) => all.map((one) => getComputedStyle(one).display));
  assert.ok(inside.every((display) => display === 'inline'), inside.join());
});

test('another design does not stand beside the text of this one', async () => {
  await rig.open('/studio/model?model=d05_education');
  await rig.page.locator('.er-name', { hasText: 'Student' }).first().waitFor();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await rig.page.route('**/model/check', async (route) => {
    await held;
    await route.continue();
  });
  await rig.page.locator('.design-choice select').selectOption('p11_write_sharding');
  await rig.page.locator('.cm-line', { hasText: 'Vote' }).first().waitFor();
  assert.equal(await rig.page.locator('.er-name', { hasText: 'Student' }).count(), 0);
  release();
  await rig.page.locator('.er-name').first().waitFor();
  await rig.page.unroute('**/model/check');
});

test('the questions show what they make, beside them and not another design, and invent no entity', async () => {
  await rig.open('/studio/model?model=d05_education&begin=1');
  const preview = rig.page.getByRole('region', { name: 'What this makes' });
  await preview.getByText('CUSTOMER#').first().waitFor({ timeout: 60_000 });
  await preview.getByText(/^\$[\d.]+$/).waitFor();
  assert.equal(await rig.page.locator('.er-name').count(), 0);
  await rig.page.getByLabel('Entity 2').fill('');
  await rig.page.getByLabel('Entity 1').fill('people');
  await rig.page.getByLabel('Relationship 1').fill('person has many people');
  await preview.getByRole('button', { name: 'The people of a person' }).waitFor({ timeout: 60_000 });
  assert.equal(await preview.locator('.entity-chip').count(), 1);
  await rig.page.getByLabel('Relationship 1').fill('');
  await rig.page.getByLabel('Entity 1').fill('');
  await preview.getByText('No entity was named').waitFor();
});
