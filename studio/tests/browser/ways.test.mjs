// Ways to a place: everything is found by its name, and a design goes with its link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();

test('Ctrl+K finds a pattern, an entity, a key and a design, with the keyboard alone', async () => {
  await rig.open('/studio/model?model=d04_students_and_courses');
  await rig.page.getByText('The checker finds nothing wrong.').waitFor();
  const find = rig.page.getByRole('combobox', { name: 'Find anything' });
  const visit = async (words) => {
    await rig.page.keyboard.press('Control+k');
    await find.fill(words);
    await rig.page.locator('.palette [role=option]').first().waitFor();
    await rig.page.keyboard.press('Enter');
    await find.waitFor({ state: 'detached' });
    return new URL(rig.page.url());
  };
  assert.equal((await visit('roster')).searchParams.get('pattern'), 'A11');
  assert.equal((await visit('entity course')).searchParams.get('entity'), 'Course');
  assert.equal((await visit('why gsi1pk')).searchParams.get('key'), 'School.GSI1PK');
  assert.equal((await visit('lesson geohash')).pathname, '/studio/learn/what-is-near/1');
  await visit('dark theme');
  assert.equal(await rig.page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await visit('theme of the system');
  assert.equal((await visit('d08')).searchParams.get('model'), 'd08_saas_orgs');
  await rig.page.keyboard.press('Control+k');
  await find.fill('no such thing');
  await rig.page.getByText('No match.').waitFor();
  await find.fill('');
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('palette');
  await rig.page.keyboard.press('Escape');
  await find.waitFor({ state: 'detached' });
});

test('a link holds the whole design', async () => {
  await rig.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await rig.open('/studio/model?model=d08_saas_orgs');
  await rig.page.getByText('The checker finds nothing wrong.').waitFor();
  await rig.page.getByRole('button', { name: 'Share' }).click();
  await rig.page.getByText('Copied a link that holds the whole design.').waitFor();
  const link = await rig.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /model=link%3A[\w-]+/);
  await rig.page.goto('about:blank');
  await rig.page.goto(link);
  await rig.page.getByRole('heading', { name: 'SaaS organisations' }).waitFor();
  await rig.page.getByText('The checker finds nothing wrong.').waitFor();
  await rig.page.goto(`${rig.url}/studio/model?model=link:torn`);
  await rig.page.getByText('The link to this design is incomplete').waitFor();
});

test('every key of an item says which patterns die without it, and shows them', async () => {
  await rig.open('/studio/items?model=d04_students_and_courses');
  await rig.page.getByRole('button', { name: 'Load the sample of this design' }).click();
  const edge = rig.page.locator('.item-row', { hasText: 'ENROLL#' }).first();
  await edge.click();
  await rig.page.getByRole('group', { name: 'Content of the panel' }).getByRole('button', { name: 'Item' }).click();
  const why = rig.page.locator('.attribute-list > div', { hasText: /^GSI1PK/ }).locator('.why');
  await why.locator('summary').click();
  await why.getByRole('button', { name: 'A11' }).click();
  await rig.page.locator('.item-row[data-mark="lit"]').first().waitFor();
  assert.equal(new URL(rig.page.url()).searchParams.get('pattern'), 'A11');
});
