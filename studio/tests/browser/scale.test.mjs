// One slider for the whole page: the bill grows, cells swell, and what passes a limit turns red, in every picture.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const bill = () => rig.page.locator('.scale .total').innerText();
const heights = () => rig.page.locator('.collection').evaluateAll((all) => all.map((one) => one.offsetHeight));

async function slideTo(key) {
  await rig.page.locator('#scale').focus();
  await rig.page.keyboard.press(key);
  await rig.settled();
}

test('items: cells swell with the scale, and show what is not there yet', async () => {
  await rig.open('/studio/items?model=f03_optional_conditions');
  await rig.page.locator('main button.main').click();
  await rig.page.locator('.item-row').first().waitFor();
  await rig.page.locator('.scale .total', { hasText: '$' }).waitFor();
  const [before, cheap] = [await heights(), await bill()];
  assert.equal(await rig.page.locator('.grown').count(), 0);
  await slideTo('End');
  await rig.page.locator('.more-items').first().waitFor();
  await rig.settled();
  assert.match(await rig.page.locator('.more-items').first().innerText(), /^\+ [\d,]+ more$/);
  assert.notEqual(await bill(), cheap);
  assert.ok(Math.max(...(await heights())) > Math.max(...before), 'a collection is larger');
  await rig.picture('scale-items');
});

test('a key that passes a limit turns red, and says which', async () => {
  const red = rig.page.locator('.collection[data-passed]').first();
  await red.waitFor();
  assert.match(await red.locator('.grown strong').first().innerText(), /more than/);
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
});

test('the scale goes along to the other views', async () => {
  await rig.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Model' }).click();
  await rig.page.locator('.er-rows').first().waitFor();
  assert.equal(await rig.page.locator('.scale output').innerText(), '×100,000');
  await rig.page.getByRole('tab', { name: 'Keys' }).click();
  await rig.page.locator('td.passed .chart-grown').first().waitFor();
  await rig.picture('scale-keys');
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await slideTo('Home');
  await rig.page.locator('.chart-grown').first().waitFor({ state: 'detached' });
  assert.doesNotMatch(rig.page.url(), /scale/);
});

test('it fits on a narrow screen', async () => {
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/items?model=f03_optional_conditions&scale=1000');
  await rig.page.locator('.grown').first().waitFor();
  assert.equal(await overflow(rig.page), 0);
  await rig.picture('scale-narrow');
});
