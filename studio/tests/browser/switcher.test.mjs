// The strategies of a relationship on the relationship itself: sliders for its figures, with the points where another strategy
// becomes the cheapest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const switcher = () => rig.page.locator('.er-switcher');
const price = async (strategy) => {
  const text = await switcher().locator('.alternatives > li', { has: rig.page.locator(`code:text-is("${strategy}")`) }).locator('.alternative-price').innerText();
  return Number(text.match(/\$([\d.,]+)/)?.[1].replace(/,/g, ''));
};

test('a slider of writes has its flip where the advice says it is', async () => {
  await rig.open('/studio/model?model=d02_enrolment&tab=er&relationship=Takes');
  const said = switcher().locator('.dial', { hasText: 'Writes' }).locator('.dial-said');
  await said.filter({ hasText: /shallow-duplication up to [\d.]+\/min, inverted-base-keys up to [\d.]+\/s, (inverted-index|adjacency-list) above/ }).waitFor({ timeout: 20_000 });
  assert.equal(await switcher().locator('.dial', { hasText: 'Writes' }).locator('.dial-flip').count(), 2);
  const picture = await rig.page.locator('.er-scroll').boundingBox();
  assert.ok(picture.height > 150, `the picture stays in sight: ${picture.height}`);
  await rig.picture('switcher');
});

test('a click on the flip goes past it: prices move, and another strategy is the cheapest', async () => {
  const before = await price('inverted-index');
  await switcher().locator('.dial', { hasText: 'Writes' }).locator('.dial-flip').first().click();
  const status = switcher().locator('.dial-moved');
  await status.waitFor();
  await status.getByText('At these figures shallow-duplication is the cheapest.').waitFor();
  assert.notEqual(await price('inverted-index'), before);
  assert.ok((await switcher().locator('.gauge-before').count()) > 0, 'what it was is marked');
  await rig.settled();
  await inBothThemes(rig.page, async (theme) => {
    assert.deepEqual(await axeFindings(rig.page), [], theme);
    await rig.picture(`switcher-moved-${theme}`);
  });
  await status.getByRole('button', { name: 'Back to the design' }).click();
  await status.waitFor({ state: 'detached' });
  assert.equal(await price('inverted-index'), before);
});

test('the keyboard turns a slider, and its figures can go into the design', async () => {
  await switcher().getByLabel('Fan-out').focus();
  for (let i = 0; i < 4; ++i) await rig.page.keyboard.press('ArrowRight');
  const output = await switcher().locator('.dial', { hasText: 'Fan-out' }).locator('output').innerText();
  const [, turned, now] = output.match(/([\d.,]+) each\s+now ([\d.,]+) each/);
  assert.ok(Math.abs(turned / now - 100 ** (4 / 16)) < 0.01, output);
  await switcher().getByRole('button', { name: 'Write them into the design' }).click();
  const panel = rig.page.getByRole('region', { name: 'Proposed change' });
  await panel.getByText('Other figures for Takes').waitFor();
  await panel.getByText(/\+.*has ~/).first().waitFor();
  await rig.picture('switcher-proposal');
});

test('on a narrow screen it fits', async () => {
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/model?model=d02_enrolment&tab=er&relationship=Takes');
  await switcher().locator('.dial').first().waitFor();
  assert.equal(await overflow(rig.page), 0);
  assert.deepEqual(rig.errors, []);
});
