// No view says what another contradicts: strategy, price, findings and counts of every example, read from every view that shows them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio({ width: 1440, height: 900 });
const ask = async (path, body) => {
  const response = await fetch(`${rig.url}/model/${path}`, body ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {});
  assert.equal(response.status, 200, path);
  return response.json();
};

// As a click on a link does: the page stays.
async function visit(path) {
  await rig.page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/studio/${path}`);
}
// The design is open, and nothing is asked for any more.
async function quiet(name) {
  if (name) await rig.page.getByRole('heading', { name: known.get(name).model.title, exact: true, level: 1 }).waitFor();
  await rig.settled();
  await rig.page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
}
const texts = (selector) => rig.page.locator(selector).allInnerTexts();
const one = async (selector) => {
  await rig.page.locator(selector).first().waitFor();
  return rig.page.locator(selector).first().innerText();
};
const words = (text) => text.replace(/\s+/g, ' ').trim();
const sorted = (list) => [...list].sort();

// What the views say of one design. The advice comes first: the picture of the entities names the strategies once it is there.
const views = {
  async advice(name) {
    await visit(`model?model=${name}&tab=advise`);
    await quiet(name);
    const names = known.get(name).model.relationships.map((relationship) => relationship.name).join();
    await rig.page.waitForFunction((wanted) => [...document.querySelectorAll('section.advice h2')].map((head) => head.textContent).join() === wanted, names);
    await quiet(name);
    return rig.page.locator('section.advice').evaluateAll((all) =>
      Object.fromEntries(all.map((section) => {
        // "The advice is the same." names it once.
        const [inUse, advised = inUse] = [...section.querySelectorAll('h2 + p strong')].map((each) => each.textContent);
        const rows = [...section.querySelectorAll('.alternatives > li')].map((row) => [row.querySelector('code').textContent, row.querySelector('.alternative-price').textContent, row.textContent.includes('in use')]);
        return [section.querySelector('h2').textContent, { inUse, advised, decision: section.querySelector('.decision strong')?.textContent ?? null, rows }];
      })),
    );
  },
  async entities(name) {
    await visit(`model?model=${name}&tab=er`);
    await rig.page.locator('.er-entity').first().waitFor();
    const read = () =>
      rig.page.locator('.er-label').evaluateAll((all) =>
        Object.fromEntries(all.map((label) => [label.querySelector('.er-label-name').textContent.trim(), [...label.querySelectorAll('.er-strategy')].map((line) => line.textContent.trim()).join(' ')])),
      );
    const relations = await relationsOf(name);
    await rig.page.waitForFunction((count) => document.querySelectorAll('.er-label:has(.er-strategy)').length >= count, relations, { timeout: 3000 }).catch(() => {});
    const strategies = await read();
    await rig.page.waitForFunction(() => /\d|not priced/.test(document.querySelector('.total')?.textContent ?? ''));
    return { strategies, price: await one('.total'), entities: await rig.page.locator('.er-entity').count(), findings: words(await one('.findings-head [role=status]')) };
  },
  async patterns(name) {
    await visit(`model?model=${name}&tab=patterns`);
    await rig.page.locator('#tab-content .data-table tbody tr').first().waitFor();
    await quiet(name);
    return { text: await one('#tab-content') };
  },
  async cost(name) {
    await visit(`model?model=${name}&tab=cost`);
    await rig.page.locator('.bill').waitFor();
    await quiet(name);
    return { price: await one('.bill strong'), parts: (await texts('.bill dd')).slice(1) };
  },
  async reference(name) {
    await visit(`reference?model=${name}`);
    await rig.page.locator('#strategy-inverted-index').waitFor();
    await rig.page.waitForFunction((relations) => document.querySelectorAll('.costs-here li').length > 0 || relations === 0, await relationsOf(name));
    return rig.page.locator('[id^=strategy-]').evaluateAll((all) =>
      all.flatMap((row) => [...row.querySelectorAll('.costs-here li')].map((line) => [line.querySelector('a').textContent, row.id.replace('strategy-', ''), line.textContent, line.querySelector('.in-use') !== null])),
    );
  },
};

const known = new Map();
async function checked(name) {
  if (!known.has(name)) {
    const { source } = await ask(`examples/${name}`);
    known.set(name, { source, ...(await ask('check', { source })) });
  }
  return known.get(name);
}
const relationsOf = async (name) => (await checked(name)).model.relationships.length;

const counted = (list) => {
  const of = (severity) => list.filter((each) => each.severity === severity).length;
  return [['error', of('error')], ['warning', of('warning')], ['note', of('note')]].filter(([, count]) => count > 0);
};

function compareStrategies(name, { entities, advice, reference }, model) {
  for (const { name: relationship } of model.relationships) {
    const said = advice[relationship];
    assert.ok(said, `${name}: the advice tells of ${relationship}`);
    const inUse = sorted(said.inUse === 'nothing chosen' ? [] : said.inUse.split(' + '));
    const drawn = entities.strategies[relationship];
    if (inUse.length > 0) assert.deepEqual(sorted((drawn ?? '').replace(' (by its keys)', '').split(' + ')), inUse, `${name}.${relationship}: picture and advice`);
    assert.deepEqual(sorted(said.rows.filter(([, , used]) => used).map(([strategy]) => strategy)), inUse, `${name}.${relationship}: the rows of the advice`);
    const listed = reference.filter(([of]) => of === relationship);
    assert.deepEqual(sorted(listed.filter(([, , , used]) => used).map(([, strategy]) => strategy)), inUse, `${name}.${relationship}: the reference`);
    for (const [strategy, price] of said.rows) {
      const [, , line] = listed.find(([, other]) => other === strategy) ?? [];
      if (/\$/.test(price)) assert.ok(line?.includes(price), `${name}.${relationship}.${strategy}: ${price} in the advice, ${line} in the reference`);
    }
    if (said.decision) {
      const advised = sorted(said.advised.split(' + '));
      const [verb, ...strategies] = said.decision.split(/ (?:\+ )?/);
      assert.deepEqual([verb, ...sorted(strategies)], [advised.join() === inUse.join() ? 'Keep' : 'Use', ...advised], `${name}.${relationship}`);
    }
  }
}

// Everything of the design's own tables, counted by Items and by Explore.
async function compareItems(name, source) {
  const { tables, items } = await ask('tables', { source });
  for (const table of tables) await rig.call('CreateTable', table);
  for (const { table, item } of items) await rig.call('PutItem', { TableName: table, Item: item });
  for (const { TableName } of tables) {
    const count = items.filter(({ table }) => table === TableName).length;
    if (count === 0) continue;
    await visit(`items?model=${name}&table=${TableName}`);
    await rig.page.locator('.pane[data-side=table] .item-row').first().waitFor();
    const pane = '.pane[data-side=table]';
    const heading = `${count} ${count === 1 ? 'item' : 'items'} in`;
    await rig.page.waitForFunction(([where, wanted]) => document.querySelector(where)?.innerText.includes(wanted), [pane, heading], { timeout: 30_000 }).catch(async () => {
      assert.fail(`${name}: ${heading} ${TableName}, but Items says ${words(await one(pane)).slice(0, 120)}`);
    });
    await visit(`explore/${TableName}?model=${name}`);
    await rig.page.locator('.status-bar .facts').waitFor();
    await rig.page.waitForFunction((wanted) => document.querySelector('.status-bar .facts')?.textContent.startsWith(wanted), count === 1 ? '1 item ' : `${count} items `, { timeout: 30_000 }).catch(async () => {
      assert.fail(`${name}: ${count} items of ${TableName}, but Explore says ${await one('.status-bar .facts')}`);
    });
  }
  for (const { TableName } of tables) await rig.call('DeleteTable', { TableName });
}

test('all views of all examples agree', { timeout: 880_000 }, async () => {
  const examples = await ask('examples');
  assert.ok(examples.length >= 45, `${examples.length} examples`);
  await rig.open('/studio/model');
  await rig.page.locator('.er-entity').first().waitFor();
  for (const { name } of examples) {
    const { source, findings, model } = await checked(name);
    const said = {};
    for (const [view, read] of Object.entries(views)) {
      said[view] = await read(name).catch((error) => assert.fail(`${name}, ${view}: ${error.message}`));
    }
    assert.equal(said.entities.price, `${said.cost.price} a month`, `${name}: the price above and in Cost`);
    const cost = await ask('cost', { source });
    assert.ok(Math.abs(Number(said.cost.price.replace(/[$,]/g, '')) - cost.moneyPerMonth) <= Math.max(0.01, cost.moneyPerMonth / 100), `${name}: ${said.cost.price} for ${cost.moneyPerMonth}`);
    assert.equal(said.entities.entities, model.entities.length, `${name}: entities`);
    for (const { name: pattern } of model.patterns) assert.ok(said.patterns.text.includes(pattern), `${name}: ${pattern} is among the patterns`);
    for (const [severity, count] of counted(findings)) assert.match(said.entities.findings, new RegExp(`\\b${count} ${severity}`), `${name}: findings`);
    if (findings.length === 0) assert.match(said.entities.findings, /finds nothing wrong/, name);
    compareStrategies(name, said, model);
    await compareItems(name, source);
  }
  assert.deepEqual(rig.errors, []);
});
