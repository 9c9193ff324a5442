// The quick reference: trees to walk, strategies with their price in the open design, rules with its numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const tree = (name) => rig.page.getByRole('region', { name });
const answer = (name, word, at) => tree(name).locator('li').nth(at).getByRole('button', { name: word }).click();

test('a tree is walked by clicking, and its end leads to the strategy', async () => {
  await rig.open('/studio/reference?model=d04_students_and_courses');
  await answer('Many to many', 'Yes', 0);
  await answer('Many to many', 'Yes', 1);
  const end = tree('Many to many').getByRole('status');
  assert.match(await end.innerText(), /Adjacency list with Inverted index/);
  await answer('Many to many', 'No', 0); // Another answer to the first question takes the rest back.
  assert.equal(await end.innerText(), '');
  assert.equal(await tree('Many to many').locator('li').count(), 2);
  for (const [at, word] of ['No', 'No', 'No', 'Yes'].entries()) await answer('One to many', word, at);
  await tree('One to many').getByRole('link', { name: 'Copies on the children' }).click();
  await rig.page.locator('tr:target', { hasText: 'Copies on the children' }).waitFor();
});

test('strategies and rules have the figures of the open design', async () => {
  const row = rig.page.locator('#strategy-inverted-index');
  await row.getByText('in use').waitFor();
  assert.match(await row.innerText(), /Enrolments \$[\d.]+ a month/);
  assert.match(await rig.page.locator('#strategy-duplicate-attributes').innerText(), /does not fit/);
  const rule = rig.page.getByRole('row', { name: /Size of a partition/ });
  assert.match(await rule.innerText(), /Enrolments One collection has about .* KB/);
  assert.equal(await rig.page.getByRole('group', { name: 'Rules' }).locator('tbody tr').count(), 10);
  await rig.picture('reference');
});

test('it breaks no rule of accessibility and fits both widths', async () => {
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await overflow(rig.page), 0);
  await rig.picture('reference-narrow');
  assert.deepEqual(rig.errors, []);
});

test('questions have their answers in the page, and each leads to where it shows', async () => {
  await rig.open('/studio/reference?model=d04_students_and_courses');
  const asked = rig.page.locator('.reader-questions details');
  await asked.first().waitFor();
  const links = await asked.evaluateAll((all) => all.map((one) => one.querySelector('a').getAttribute('href')));
  assert.ok(links.length >= 21);
  for (const link of links) {
    await rig.open(link);
    await rig.page.locator('.er-entity, .data-table, .item-row, .items-empty, .explore, .model-tabs').first().waitFor();
    assert.equal(await rig.page.locator('p.trouble').count(), 0, link);
    const { searchParams: wanted } = new URL(link, rig.url);
    if (!wanted.has('key')) continue;
    await rig.page.getByText(/GSI1SK/).first().waitFor();
  }
  await rig.page.keyboard.press('Control+k');
  await rig.page.getByRole('combobox', { name: 'Find anything' }).fill('hot key adaptive');
  await rig.page.locator('.palette [role=option]').first().waitFor();
  await rig.page.keyboard.press('Enter');
  await rig.page.locator('.reader-questions details[open]', { hasText: 'A suffix spreads the key' }).waitFor();
});

test('a question with a mistake opens a copy in which the checker finds it', async () => {
  await rig.open('/studio/reference?model=d04_students_and_courses');
  const buttons = rig.page.locator('.reader-questions button');
  await rig.page.locator('.reader-questions details').first().waitFor();
  const count = await buttons.count();
  assert.equal(count, 6);
  const rules = ['PJ101', 'PJ101', 'PJ001', 'PJ214', 'PJ101', 'PJ116'];
  for (let at = 0; at < count; ++at) {
    await rig.open('/studio/reference?model=d04_students_and_courses');
    await rig.page.locator('.reader-questions details:has(button)').nth(at).locator('summary').click();
    await buttons.nth(at).click();
    await rig.page.locator('.finding', { hasText: rules[at] }).first().waitFor();
  }
  // The same question again opens the same copy.
  await rig.open('/studio/reference?model=d04_students_and_courses');
  await rig.page.locator('.reader-questions details:has(button)').first().locator('summary').click();
  await buttons.first().click();
  await rig.page.locator('.finding', { hasText: 'PJ101' }).first().waitFor();
  assert.equal(await rig.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('prejoin-own:')).length), count);
});

test('the many-to-many tree asks for both directions where links are dense, as the command line does', async () => {
  await rig.open('/studio/reference?model=d04_students_and_courses');
  await answer('Many to many', 'No', 0);
  await tree('Many to many').getByText('Is it read from both sides often?').waitFor();
  await answer('Many to many', 'Yes', 1);
  assert.match(await tree('Many to many').getByRole('status').innerText(), /Adjacency list with Inverted index/);
  for (const at of [1, 2, 3]) await answer('Many to many', 'No', at);
  assert.match(await tree('Many to many').getByRole('status').innerText(), /Ids, then items/);
});

test('the words of the field are found and explained, and code is set as code', async () => {
  for (const [wanted, first] of [['RCU', 'RCU: read capacity unit'], ['wcu', 'WCU: write capacity unit'], ['gsi', 'GSI: global secondary index'], ['glossary', 'RCU: read capacity unit'], ['delete table', 'Delete a table']]) {
    await rig.open('/studio/reference?model=d08_saas_orgs');
    await rig.page.getByRole('heading', { name: 'Glossary' }).waitFor();
    await rig.page.keyboard.press('Control+k');
    await rig.page.getByRole('combobox', { name: 'Find anything' }).fill(wanted);
    await rig.page.locator('.palette [role=option]', { hasText: first }).waitFor();
  }
  await rig.page.getByRole('combobox', { name: 'Find anything' }).fill('GSI: global');
  await rig.page.keyboard.press('Enter');
  await rig.page.locator('.glossary [data-wanted]', { hasText: 'GSI: global secondary index' }).waitFor();
  await rig.open('/studio/reference?model=l09_two_indexes');
  await rig.page.getByRole('row', { name: /^Kind of index R7/ }).locator('code').first().waitFor();
  assert.ok(!(await rig.page.locator('.reference').innerText()).includes('`'));
  assert.deepEqual(await axeFindings(rig.page), []);
});
