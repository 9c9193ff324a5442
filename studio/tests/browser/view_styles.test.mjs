// A view's stylesheet stays when another view opens. So each view is measured fresh and again after
// walks through the others: every element must look as it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const design = 'd08_saas_orgs';
// Where a view shows most of what it has.
const places = {
  learn: 'learn/orgs-users-tickets/1?model=d08_saas_orgs',
  model: 'model?model=d08_saas_orgs&tab=patterns',
  items: 'items?model=d08_saas_orgs&pattern=A18&p.org=MICROSOFT',
  build: 'build?model=d08_saas_orgs',
  explore: 'explore?model=d08_saas_orgs',
};
const views = Object.keys(places);

const walks = [
  ['items', 'model', 'learn', 'build', 'explore'],
  ['explore', 'build', 'learn', 'items', 'model'],
  ['model', 'explore', 'items', 'learn', 'build', 'items', 'explore', 'model', 'learn'],
];

// Each is there when the view has its data: until then a lesson's buttons look otherwise.
const roots = { learn: 'main [aria-label="Live table"]', model: '.data-table', items: '.figures', build: 'main .part', explore: 'main table' };

// What the elements look like, one line for each kind: those with the same classes on the way to them.
const look = () =>
  rig.page.evaluate(() =>
    [...document.querySelectorAll('main [class]')]
      .filter((element) => !element.closest('.cm-editor, .editor-host, svg') && !element.matches('.item-row *'))
      .map((element) => {
        const style = getComputedStyle(element);
        const facts = ['display', 'flexDirection', 'flexGrow', 'gap', 'padding', 'margin', 'fontSize', 'fontWeight', 'color', 'backgroundColor', 'borderWidth', 'listStyleType', 'overflow', 'whiteSpace']
          .map((name) => style[name]);
        const columns = style.gridTemplateColumns.split(' ').length;
        const way = [];
        for (let at = element; at.tagName !== 'MAIN'; at = at.parentElement) way.unshift(`${at.tagName}.${at.getAttribute('class') ?? ''}`);
        return [way.join(' '), [...facts, columns].join(' | ')];
      }),
  );

// Views keep what was done in them, so only kinds of elements that are there both times are compared.
function assertSame(now, before, what) {
  const kinds = new Map();
  for (const [kind, looks] of before) kinds.set(kind, [...(kinds.get(kind) ?? []), looks]);
  const shared = now.filter(([kind]) => kinds.has(kind));
  assert.ok(shared.length > now.length / 2, `${what}: ${shared.length} of ${now.length} elements are known`);
  assert.deepEqual(shared.filter(([kind, looks]) => !kinds.get(kind).includes(looks)).map((one) => [...one, kinds.get(one[0])]), [], what);
}

async function settled(view) {
  await rig.page.locator(roots[view]).first().waitFor();
  let before = '';
  for (let now = JSON.stringify(await look()); now !== before; now = JSON.stringify(await look())) {
    before = now;
    await rig.page.waitForLoadState('networkidle');
    await rig.settled();
  }
  return JSON.parse(before);
}

// Inside the page, as a link does it: nothing is loaded anew.
const go = (view) =>
  rig.page.evaluate((href) => {
    history.pushState(null, '', href);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/studio/${places[view]}`);

const fresh = {};

test('every view is measured fresh', async () => {
  await rig.open(`/studio/items?model=${design}`);
  await rig.page.locator('main button.main').click();
  await rig.page.locator('.item-row').first().waitFor();
  for (const view of views) {
    await rig.open(`/studio/${places[view]}`);
    fresh[view] = await settled(view);
    assert.ok(fresh[view].length > 5, `${view} has ${fresh[view].length} elements`);
  }
});

for (const walk of walks) {
  test(`no view restyles another: ${walk.join(', ')}`, async () => {
    await rig.open(`/studio/${places[walk[0]]}`);
    for (const view of walk) {
      await go(view);
      assertSame(await settled(view), fresh[view], `${view} in ${walk.join(', ')}`);
    }
  });
}

test('the page breaks none of its own rules', () => assert.deepEqual(rig.errors, []));
