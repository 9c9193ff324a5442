// A model of sixty entities: drawn at once, and readable in parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const parent = (at) => Math.floor((at - 1) / 3);
const all = Array.from({ length: 60 }, (_, at) => at);
const source = [
  'model "Sixty"',
  ...all.map((at) => `entity E${at} {\n${at > 0 ? `  parentId references E${parent(at)}.id\n` : ''}  id text(~8) key\n  name text(~20)\n}`),
  ...all.slice(1).map((at) => `relationship R${at}: E${parent(at)} one-to-many E${at} {\n  each E${parent(at)} has ~3, at most 10\n}`),
  ...['Low', 'High'].map((table, part) => `table ${table} partition PK sort SK {\n${all.filter((at) => (at < 6 ? 0 : 1) === part).map((at) => `  item E${at} {\n    PK = "E${at}#{id}"\n    SK = "E"\n  }`).join('\n')}\n}`),
].join('\n\n');
const boxes = () => rig.page.locator('.er-entity').count();

test('all of it is drawn within seconds', async () => {
  await rig.open('/studio/learn');
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:sixty', text), source);
  const start = Date.now();
  await rig.open('/studio/model?model=own:sixty');
  await rig.page.locator('.er-entity').nth(59).waitFor();
  assert.ok(Date.now() - start < 10_000, `${Date.now() - start} ms`);
  const scale = await rig.page.locator('.er-scroll svg').evaluate((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width);
  assert.ok(scale > 0.5, `names can be read: drawn at ${scale.toFixed(2)}`);
  await rig.picture('large-model-all');
});

test('many entities are folded to their names at first, and unfold', async () => {
  const fold = rig.page.getByRole('button', { name: 'Fold' });
  assert.equal(await fold.getAttribute('aria-pressed'), 'true');
  assert.equal(await rig.page.locator('.er-attribute').count(), 0);
  await fold.click();
  await rig.page.locator('.er-attribute').first().waitFor();
  await fold.click();
  await rig.page.locator('.er-attribute').first().waitFor({ state: 'detached' });
});

test('a group is what one table holds', async () => {
  await rig.page.getByLabel('Around').fill('table Low');
  await rig.page.waitForFunction(() => document.querySelectorAll('.er-entity').length === 6);
  await rig.page.locator('.er-attribute').first().waitFor(); // Six need no folding.
  await rig.page.getByRole('button', { name: 'Show all' }).click();
  await rig.page.locator('.er-entity').nth(59).waitFor();
});

test('a part of it shows one entity and its neighbours, and follows from box to box', async () => {
  await rig.page.getByLabel('Around').fill('E4');
  await rig.page.waitForFunction(() => document.querySelectorAll('.er-entity').length === 5);
  await rig.picture('large-model-part');
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.page.locator('.er-entity', { hasText: 'E13' }).first().click();
  await rig.page.waitForFunction(() => new URLSearchParams(location.search).get('near') === 'E13');
  await rig.page.getByRole('button', { name: 'Show all' }).click();
  await rig.page.locator('.er-entity').nth(59).waitFor();
  assert.equal(await boxes(), 60);
  await rig.page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await overflow(rig.page), 0);
});
