// Pictures and figures of a design: entities, keys, patterns, cost, advice, proof; loading it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const tabs = ['er', 'chart', 'patterns', 'cost', 'advise', 'proof'];

beforeEach(async () => {
  if (rig.page.url().startsWith('http')) await rig.page.evaluate(() => localStorage.clear());
});

async function openTab(model, tab, rest = '') {
  await rig.open(`/studio/model?model=${encodeURIComponent(model)}&tab=${tab}${rest}`);
  await rig.page.waitForSelector(`#tab-${tab}[aria-selected="true"]`);
  await rig.page.waitForSelector('.tab-content .hint ~ *, .tab-content .tab-head ~ *');
}

const content = () => rig.page.locator('.tab-content');
const activeLine = () => rig.page.locator('.editor-host .cm-activeLine').innerText();

// Boxes of the ER picture that overlap, by their names.
const overlaps = () =>
  rig.page.evaluate(() => {
    const boxes = [...document.querySelectorAll('[data-box]')].map((box) => ({
      name: box.dataset.box,
      at: box.getBoundingClientRect(),
    }));
    const found = [];
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1)) {
        if (a.at.left < b.at.right && b.at.left < a.at.right && a.at.top < b.at.bottom && b.at.top < a.at.bottom) {
          found.push(`${a.name} and ${b.name}`);
        }
      }
    });
    return { count: boxes.length, found };
  });

// Texts that do not fit their box, or meet in the middle of a row.
const spills = () =>
  rig.page.evaluate(() => {
    const met = [...document.querySelectorAll('.er-entity g')].filter((row) => {
      const [left, right] = [...row.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
      return left && right && left.right > right.left;
    });
    const spilt = [...document.querySelectorAll('[data-box]')].flatMap((box) => {
      const frame = box.getBoundingClientRect();
      return [...box.parentElement.querySelectorAll('text')]
        .filter((text) => {
          const at = text.getBoundingClientRect();
          return at.left < frame.left - 1 || at.right > frame.right + 1 || at.bottom > frame.bottom + 1;
        })
        .map((text) => text.textContent);
    });
    return [...met.map((row) => row.textContent), ...spilt];
  });

test('the ER picture of every example overlaps nowhere and holds its words', async () => {
  await openTab('d05_education', 'er');
  const names = await rig.page.locator('.design-choice option').evaluateAll((options) => options.map((option) => option.value));
  assert.ok(names.length > 30);
  for (const name of names) {
    await rig.page.locator('.design-choice select').selectOption(name);
    const { source } = await (await fetch(`${rig.url}/model/examples/${name}`)).json();
    const title = /^model "(.*)"/m.exec(source)[1];
    await rig.page.getByRole('heading', { name: title, exact: true }).waitFor();
    const entities = source.match(/^entity /gm).length;
    await rig.page.waitForFunction((count) => document.querySelectorAll('.er-entity').length === count, entities);
    const { found } = await overlaps();
    assert.deepEqual(found, [], name);
    assert.deepEqual(await spills(), [], name);
  }
});

test('sixty entities can be drawn', async () => {
  const entities = Array.from({ length: 60 }, (_, i) => {
    const parent = i > 0 ? `  parent references Entity${Math.floor(i / 3)}.id\n` : '';
    return `entity Entity${i} {\n  id text(~8) key\n${parent}  name text(~20)\n  count 100\n}\n`;
  });
  const relationships = Array.from({ length: 20 }, (_, i) => `relationship R${i}: Entity${Math.floor((i + 1) / 3)} one-to-many Entity${i + 1} {\n  each Entity${Math.floor((i + 1) / 3)} has ~3, at most 9\n}\n`);
  const source = `model "Sixty"\n\n${entities.join('\n')}\n${relationships.join('\n')}`;
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:Sixty', text), source);
  await openTab('own:Sixty', 'er');
  await rig.page.waitForFunction(() => document.querySelectorAll('.er-entity').length === 60);
  const { count, found } = await overlaps();
  assert.equal(count, 80);
  assert.deepEqual(found, []);
  await rig.picture('model-sixty');
});

test('an entity leads to its text, by mouse and by keyboard', async () => {
  await openTab('d08_saas_orgs', 'er');
  await rig.page.locator('.er-entity', { hasText: 'Ticket' }).click();
  assert.match(await activeLine(), /^entity Ticket/);
  assert.match(rig.page.url(), /entity=Ticket/);
  await rig.page.getByRole('button', { name: /^Entity Org,/ }).focus();
  await rig.page.keyboard.press('ArrowDown');
  const focused = () => rig.page.evaluate(() => document.activeElement.dataset.box);
  assert.equal(await focused(), 'relationship OrgUsers');
  await rig.page.keyboard.press('Enter');
  assert.match(await activeLine(), /^relationship OrgUsers/);
  await rig.page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'entity User');
  await rig.picture('model-er');
});

test('each relationship says its strategy', async () => {
  await openTab('d04_students_and_courses', 'er');
  assert.equal(await rig.page.locator('.er-strategy').textContent(), 'adjacency-list + inverted-index');
  assert.equal(await rig.page.locator('.er-entity').count(), 3);
});

test('tabs are deep links, and the arrow keys walk them', async () => {
  await openTab('d05_education', 'chart');
  await rig.page.locator('#tab-chart').focus();
  await rig.page.keyboard.press('ArrowRight');
  await rig.page.waitForSelector('#tab-patterns[aria-selected="true"]');
  assert.match(rig.page.url(), /tab=patterns/);
  assert.equal(await rig.page.evaluate(() => document.activeElement.id), 'tab-patterns');
  await rig.page.goBack();
  await rig.page.waitForSelector('#tab-chart[aria-selected="true"]');
});

test('the chart has the key templates and says why each key is there', async () => {
  await openTab('d05_education', 'chart');
  const row = rig.page.getByRole('row', { name: /Enrollment/ });
  assert.deepEqual((await row.locator('td').allInnerTexts()).slice(0, 4), [
    'STUDENT#{StudentId}', 'COURSE#{CourseId}', 'COURSE#{CourseId}', 'STUDENT#{StudentId}',
  ]);
  await rig.page.getByRole('button', { name: 'Why is GSI1-PK here?' }).click();
  assert.match(await rig.page.locator('.reason').innerText(), /A17/);
  assert.match(rig.page.url(), /key=Education.GSI1-PK/);
  await rig.picture('model-chart');
});

test('the patterns have plan, consistency, requests, units, money, and a way to the items', async () => {
  await openTab('d05_education', 'patterns');
  const row = rig.page.getByRole('row', { name: /^A17/ }).first();
  await rig.page.waitForFunction(() => document.querySelector('.data-table')?.textContent.includes('$4.05'));
  const text = await row.innerText();
  for (const part of ['A course\'s students', 'Query Education.GSI1', 'eventual only', '2.5', '5/s', '$4.05']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  const href = new URL(await row.getByRole('link').getAttribute('href'), rig.url);
  assert.equal(href.pathname, '/studio/items');
  assert.deepEqual(Object.fromEntries(href.searchParams), {
    model: 'd05_education', table: 'Education', index: 'GSI1', pattern: 'A17', 'p.course': 'C1',
  });
  await row.getByRole('button', { name: 'Why this plan?' }).click();
  assert.match(await content().innerText(), /Consistency: eventually consistent: a GSI follows its table later/);
  const covered = await rig.page.locator('.coverage tbody tr').nth(2).locator('td').allInnerTexts();
  assert.deepEqual(covered, ['', 'Query']);
  await rig.picture('model-patterns');
});

test('a pattern that nothing serves says why, and what would serve it', async () => {
  const source = await (await fetch(`${rig.url}/model/examples/d05_education`)).json();
  const broken = source.source.replace(/pattern A17[^}]*\}/, 'pattern A17 "Students by name" {\n  find Student where Name = :name\n  rate 1/s\n}');
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:Broken', text), broken);
  await openTab('own:Broken', 'patterns');
  await rig.page.waitForSelector('tr.unserved');
  const text = await rig.page.locator('tr.unserved').first().innerText();
  assert.match(text, /Not served: .*Scan/);
  assert.match(text, /To serve it: [^]*GSI/);
  assert.match(await rig.page.locator('.coverage .idle').innerText(), /nothing uses it/);
});

test('the scale slider shows where a limit is passed', async () => {
  await openTab('f01_company', 'cost');
  await rig.page.waitForSelector('.hot-keys li');
  assert.equal(await rig.page.locator('.hot-keys .passed').count(), 0);
  const total = () => rig.page.locator('.scale .total').innerText();
  const before = await total();
  await rig.page.locator('#scale').focus();
  await rig.page.keyboard.press('End');
  await rig.page.waitForSelector('.hot-keys .passed');
  assert.equal(await rig.page.locator('.scale output').innerText(), '×100,000');
  assert.match(await rig.page.locator('.hot-keys .passed').first().innerText(), /more than .* a second/);
  assert.notEqual(await total(), before);
  assert.match(rig.page.url(), /scale=100000/);
  await rig.picture('model-cost');
});

test('each write shows what it costs in the table and in each index', async () => {
  await openTab('d04_students_and_courses', 'cost');
  await rig.page.waitForSelector('.fan-outs li');
  assert.deepEqual(await rig.page.locator('.fan-outs li').first().locator('.fan-out span').allInnerTexts(), ['table: 1 unit', 'GSI1: 1 unit']);
});

test('the advice names strategies, prices and the point where it flips', async () => {
  await openTab('p04_secondary_index', 'advise');
  await rig.page.waitForSelector('.flip');
  assert.match(await rig.page.locator('.flip').first().innerText(), /secondary-index stays cheaper than item-collection until .* pass \d[\d.,]* \(now 40\)/);
  assert.ok((await rig.page.locator('.alternatives .gauge').count()) > 1);
  assert.match(await rig.page.locator('.alternatives').first().innerText(), /advised/);
  await rig.picture('model-advise');
});

test('the proof is right for every pattern, with the units that were predicted', async () => {
  await openTab('d04_students_and_courses', 'proof');
  await rig.page.getByRole('button', { name: 'Prove' }).click();
  await rig.page.waitForSelector('.proof-summary');
  assert.match(await rig.page.locator('.proof-summary').innerText(), /^All 7 patterns and writes are right, on 7 rows/);
  const units = await rig.page.locator('.data-table tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].slice(2, 4).map((cell) => cell.textContent)));
  assert.equal(units.length, 7);
  for (const [predicted, measured] of units) assert.equal(measured, `${predicted} =`);
  await rig.picture('model-proof');
});

test('the proof shows what is wrong with a key that is not unique', async () => {
  const { source } = await (await fetch(`${rig.url}/model/examples/d09_starbucks`)).json();
  const broken = source
    .replace('#{Zip}#{Number}"', '#{Zip}"')
    .replace('without State, City, Zip, Number', 'without State, City, Zip')
    .replace(/("USA",.*"10019", )"1"(.*)\n/, '$&  $1"2"$2\n');
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:Twice', text), broken);
  await openTab('own:Twice', 'proof');
  await rig.page.getByRole('button', { name: 'Prove' }).click();
  await rig.page.waitForSelector('.proof-summary.bad');
  assert.match(await content().innerText(), /✗ wrong[\s\S]*missing/);
});

test('the design is loaded into the engine, left alone the second time, replaced on demand', async () => {
  await openTab('d05_education', 'er');
  await rig.page.waitForSelector('.er-entity');
  const load = rig.page.getByRole('button', { name: 'Create its tables here' });
  await rig.call('DeleteTable', { TableName: 'Education' });
  await load.click();
  await rig.page.getByText(/Created Education and wrote \d+ items/).waitFor();
  const { Count: count } = await rig.call('Scan', { TableName: 'Education' });
  assert.ok(count > 0);
  await rig.call('DeleteItem', { TableName: 'Education', Key: { PK: { S: 'STUDENT#S1' }, SK: { S: 'METADATA' } } });
  await load.click();
  await rig.page.getByText('Education was there already and was left unchanged.').waitFor();
  assert.equal((await rig.call('Scan', { TableName: 'Education' })).Count, count - 1);
  await rig.page.getByRole('button', { name: 'Delete them and load the sample' }).click();
  await rig.page.getByText(/Created Education and wrote \d+ items/).waitFor();
  assert.equal((await rig.call('Scan', { TableName: 'Education' })).Count, count);
});

test('a pattern lights up in the items view, and the way back finds everything in its place', async () => {
  await openTab('d05_education', 'patterns');
  await rig.page.waitForFunction(() => document.querySelector('.data-table')?.textContent.includes('$4.05'));
  const places = () =>
    rig.page.evaluate(() =>
      ['.model-toolbar button', '.model-tabs button', '.data-table td', '.coverage td'].map((which) =>
        [...document.querySelectorAll(which)].map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return [one.textContent, ...[x, y, width, height].map(Math.round)].join(' ');
        })));
  const before = await places();
  await rig.page.getByRole('row', { name: /^A17/ }).first().getByRole('link').click();
  await rig.page.waitForSelector('.items-view');
  for (const view of ['Learn', 'Build', 'Explore']) {
    await rig.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
    await rig.page.waitForFunction((title) => document.title.startsWith(title), view);
  }
  // The styles of every view are there now; none of them may reach into this one.
  await openByHistory(4);
  assert.deepEqual(await places(), before);
});

async function openByHistory(steps) {
  for (let i = 0; i < steps; ++i) await rig.page.goBack();
  await rig.page.waitForSelector('#tab-patterns[aria-selected="true"]');
  await rig.page.waitForFunction(() => document.querySelector('.data-table')?.textContent.includes('$4.05'));
}

test('axe finds nothing on any tab, in both themes', async () => {
  for (const tab of tabs) {
    await openTab('d04_students_and_courses', tab);
    if (tab === 'proof') await rig.page.getByRole('button', { name: 'Prove' }).click();
    await rig.page.waitForSelector('.tab-content svg, .tab-content table, .tab-content .advice');
    await inBothThemes(rig.page, async (theme) => {
      assert.deepEqual(await axeFindings(rig.page), [], `${tab} ${theme}`);
      await rig.picture(`model-${tab}-${theme}`);
    });
  }
});

test('everything fits a telephone', async () => {
  await rig.page.setViewportSize({ width: 390, height: 800 });
  for (const tab of tabs) {
    await openTab('d05_education', tab);
    assert.equal(await overflow(rig.page), 0, tab);
    await rig.picture(`model-${tab}-390`);
  }
  assert.deepEqual(await axeFindings(rig.page), []);
  await rig.page.setViewportSize({ width: 1280, height: 800 });
});

test('the page breaks none of its own rules', () => assert.deepEqual(rig.errors, []));

test('the ER picture pans, zooms, moves boxes, keeps notes, becomes files and is presented', async () => {
  await rig.page.emulateMedia({ reducedMotion: 'reduce' });
  await openTab('d08_saas_orgs', 'er');
  const zoom = rig.page.getByRole('group', { name: 'Zoom' });
  const shown = async () => (await rig.page.locator('.er-scroll svg').getAttribute('viewBox')).split(' ').map(Number);
  await rig.settled();
  const before = await shown();
  await zoom.getByRole('button', { name: 'Zoom in' }).click();
  await rig.page.waitForFunction((width) => document.querySelector('.er-scroll svg').viewBox.baseVal.width < width * 0.9, before[2]);
  const box = await rig.page.locator('.er-scroll').boundingBox();
  const [x] = await shown();
  await rig.page.mouse.move(box.x + 60, box.y + box.height - 60);
  await rig.page.mouse.wheel(0, 60);
  await rig.page.waitForFunction((top) => document.querySelector('.er-scroll svg').viewBox.baseVal.y > top, before[1]);
  assert.equal((await shown())[0], x, 'the wheel goes down, not aside');

  const label = rig.page.locator('.er-label').first();
  const at = await label.boundingBox();
  await rig.page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await rig.page.mouse.down();
  await rig.page.mouse.move(at.x + at.width / 2 + 130, at.y + at.height / 2 + 10, { steps: 4 });
  await rig.page.mouse.up();
  const moved = await label.boundingBox();
  assert.ok(Math.abs(moved.x - at.x - 130) < 3, `moved by ${moved.x - at.x}`);
  assert.equal(new URL(rig.page.url()).searchParams.get('relationship'), null, 'a drag chooses nothing');
  await rig.page.reload();
  await rig.page.locator('.er-label').first().waitFor();
  const tidy = rig.page.getByRole('button', { name: 'Tidy up' });
  await tidy.click();
  assert.ok(await tidy.isDisabled());

  const org = rig.page.getByRole('button', { name: /^Entity Org,/ });
  await org.focus();
  await rig.page.keyboard.press('Alt+ArrowRight');
  assert.ok(await tidy.isEnabled(), 'the keyboard moves a box too');
  await rig.page.keyboard.press('Enter');
  await rig.page.getByRole('button', { name: 'Note', exact: true }).click();
  await rig.page.getByLabel('Note on Org').fill('Never deleted: <b>auditors</b> & "Ada" ask for them.');
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.page.getByRole('button', { name: 'Save note' }).click();
  await rig.page.locator('.er-note', { hasText: 'Never deleted' }).waitFor();
  assert.match(await rig.page.evaluate(() => localStorage.getItem('prejoin-draft:d08_saas_orgs')), /\n\/\/ Never deleted: <b>auditors<\/b> & "Ada" ask for them\.\nentity Org \{/);

  const fileOf = async (kind) => {
    const [file] = await Promise.all([rig.page.waitForEvent('download'), rig.page.getByRole('button', { name: `Save the picture as ${kind}` }).click()]);
    assert.equal(file.suggestedFilename(), `saas_organisations.${kind.toLowerCase()}`);
    return readFileSync(await file.path());
  };
  const svg = (await fileOf('SVG')).toString();
  assert.match(svg, /^<svg [^>]*viewBox="/);
  assert.match(svg, /&lt;b&gt;auditors/);
  assert.doesNotMatch(svg, /oklch|class=|var\(--|<script/);
  const [width] = svg.match(/(?<= width=")\d+/);
  const png = await fileOf('PNG');
  assert.equal(png.readUInt32BE(16), 2 * Number(width), 'twice as large as on the screen');

  await rig.page.getByRole('button', { name: 'Present' }).click();
  const show = rig.page.getByRole('dialog', { name: /^Presentation/ });
  await show.getByRole('heading', { name: 'SaaS organisations' }).waitFor();
  await rig.page.keyboard.press('PageDown');
  await show.getByRole('heading', { name: 'Org', exact: true }).waitFor();
  await show.getByText('Never deleted: <b>auditors</b>').first().waitFor();
  assert.equal(await show.locator('.er-box:not(.away)').count(), 3, 'Org, its relationship and the other end');
  await rig.settled();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('presentation');
  await rig.page.keyboard.press('Escape');
  await rig.page.getByRole('button', { name: 'Present' }).waitFor();
  await rig.page.emulateMedia({ reducedMotion: null });
});
