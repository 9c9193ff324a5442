// A picture of every view, dialog and state, at both widths and in both themes, to be looked at:
//   PREJOIN_BINARY=../build/release/prejoin node tests/tour.mjs FOLDER [PATTERN]
// Ends with 1 if a place cannot be reached, is wider than its window, or leaves an error on the console.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { overflow } from './browser/accessibility.mjs';

const [folder, pattern = '.'] = process.argv.slice(2);
if (!folder) throw new Error('say where the pictures go');
mkdirSync(folder, { recursive: true });
const binary = process.env.PREJOIN_BINARY ?? '../build/release/prejoin';
const file = (path) => new URL(`../../${path}`, import.meta.url).pathname;
const school = file('examples/models/d04_students_and_courses.prejoin');
const widths = [[1280, 800], [390, 844]];
const heightMost = 2600; // Of one picture.

const started = [];
function start(...words) {
  const server = spawn(binary, [...words, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(server);
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const url = text.match(/http:\/\/[\d.:[\]a-z]+/)?.[0];
      if (url) resolve(url);
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
}

const servers = {
  main: await start('serve', '--memory', '--model', school, '--allow-embed', 'http://127.0.0.1'),
  empty: await start('serve', '--memory'),
  signed: await start('serve', '--memory', '--auth', 'required', '--credentials', file('tests/rig/credentials')),
};
servers.remote = await start('studio', '--endpoint', servers.main);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(15_000);
const errors = [];
page.on('pageerror', (error) => errors.push(error.stack));
page.on('console', (message) => message.type() === 'error' && !/status of 40[03]/.test(message.text()) && errors.push(message.text()));

const button = (name) => page.getByRole('button', { name, exact: true });
const see = (selector) => page.locator(selector).first().waitFor();
const press = (name) => button(name).first().click();
const broken = (name) => readFileSync(file(`examples/models/broken/${name}.prejoin`), 'utf8');
const example = (name) => readFileSync(file(`examples/models/${name}.prejoin`), 'utf8');
const own = (name, source) => page.evaluate(([key, text]) => localStorage.setItem(key, text), [`prejoin-own:${name}`, source]);
const type = async (text) => {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
};

const d04 = 'd04_students_and_courses';
const sixty = [
  'model "Sixty"',
  ...Array.from({ length: 60 }, (_, at) => `entity E${at} {\n${at > 0 ? `  parentId references E${Math.floor((at - 1) / 3)}.id\n` : ''}  id text(~8) key\n  name text(~20)\n}`),
  ...Array.from({ length: 59 }, (_, at) => `relationship R${at + 1}: E${Math.floor(at / 3)} one-to-many E${at + 1} {\n  each E${Math.floor(at / 3)} has ~3, at most 10\n}`),
].join('\n\n');

const bare = () => own('Bare', example(d04).replace(/^ *index GSI1.*\n/m, '').replace(/^ *GSI1[PS]K *=.*\n/gm, ''));
const loaded = async () => {
  await page.locator('main button.main').or(page.locator('.item-row')).first().click();
  await see('.item-row');
};

// A name, an address, and what is done there; `at` is another server.
const lessons = ['students-courses', 'orgs-users-tickets', 'places', 'books', 'addresses', 'shallow-duplication', 'normalised', 'write-sharding', 'local-or-global', 'time-series', 'changing-keys'];
const places = [
  ['learn', 'learn', () => see('.pivot-item')],
  ...lessons.map((name) => [`lesson-${name}`, `learn/${name}/2`, () => see('[aria-label="Live table"] tbody tr, [aria-label="Live table"] .item-row')]),
  ['lesson-compared', 'learn/students-courses/3', async () => {
    await see('[aria-label="Live table"]');
    const runs = page.getByRole('button', { name: /^Run/ });
    for (let at = 0; at < Math.min(2, await runs.count()); ++at) await runs.nth(at).click();
  }],
  ['reference', 'reference', () => see('#strategy-inverted-index .in-use')],
  ['reference-walked', 'reference', async () => {
    await see('#strategy-inverted-index .in-use');
    const tree = page.getByRole('region', { name: 'Many to many' });
    await tree.locator('li').nth(0).getByRole('button', { name: 'Yes' }).click();
    await tree.locator('li').nth(1).getByRole('button', { name: 'Yes' }).click();
    await page.locator('.reader-questions summary').first().click();
  }],
  ['model-entities', 'model?tab=er', () => see('.er-entity')],
  ['model-entities-large', 'model?tab=er&model=own:sixty', () => see('.er-entity'), () => own('sixty', sixty)],
  ['model-entity', 'model?tab=er&entity=Course', () => see('.er-entity')],
  ['model-switcher', 'model?tab=er&relationship=Enrolments', () => see('.dial-flip')],
  ['model-switcher-moved', 'model?tab=er&relationship=Takes&model=d02_enrolment', async () => {
    await page.locator('.dial-flip').first().click();
    await see('.dial-moved');
  }],
  ['model-keys', 'model?tab=chart', () => see('.data-table tbody tr')],
  ['model-key', 'model?tab=chart&key=School.GSI1PK', () => see('.data-table tbody tr')],
  ['model-patterns', 'model?tab=patterns', () => see('.data-table tbody tr')],
  ['model-patterns-d08', 'model?tab=patterns&model=d08_saas_orgs', () => see('.data-table tbody tr')],
  ['model-unserved', 'model?tab=patterns&model=own:Bare', () => see('.unserved'), bare],
  ['model-proposal', 'model?tab=patterns&model=own:Bare', async () => {
    await page.locator('.unserved').getByRole('button', { name: 'Apply this' }).first().click();
    await page.getByRole('region', { name: 'Proposed change' }).getByRole('row', { name: /A11/ }).waitFor();
  }, bare],
  ['model-cost', 'model?tab=cost', () => see('[aria-label="Assumptions"]')],
  ['model-cost-large', 'model?tab=cost&scale=100000&model=f01_company', () => see('.hot-keys .passed')],
  ['model-advice', 'model?tab=advise', () => see('.alternatives li')],
  ['model-advice-flip', 'model?tab=advise&model=p02_complex_attribute', () => see('.flip')],
  ['model-found', 'model?tab=design', () => page.locator('.design-page .entity-chip').first().waitFor({ timeout: 60_000 })],
  ['model-proof', 'model?tab=proof', () => see('.proof-start')],
  ['model-proved', 'model?tab=proof', async () => {
    await press('Prove');
    await see('.proof-summary');
  }],
  ['model-proved-wrong', 'model?tab=proof&model=own:Twice', async () => {
    await press('Prove');
    await see('.proof-summary.bad');
  }, () => own('Twice', example('d09_starbucks').replace('#{Zip}#{Number}"', '#{Zip}"').replace('without State, City, Zip, Number', 'without State, City, Zip').replace(/("USA",.*"10019", )"1"(.*)\n/, '$&  $1"2"$2\n'))],
  ['model-code', 'model?tab=code', async () => {
    await page.locator('.code-file summary').first().click();
    await see('.code-file pre');
  }],
  ['model-open', 'model?begin=open', () => see('.own-designs')],
  ['model-findings', 'model?model=own:Roster', () => see('.finding'), () => own('Roster', broken('x15_roster_names'))],
  ['model-finding-mend', 'model?model=own:Roster', async () => {
    await page.locator('.finding').getByRole('button', { name: 'Apply this' }).first().click();
    await page.getByRole('region', { name: 'Proposed change' }).getByText(/a month before/).waitFor();
  }],
  ['model-torn', 'model?model=own:Torn', () => see('.finding'), () => own('Torn', 'model "Torn\nentity {')],
  ['model-blank', 'model?model=own:Blank', () => see('.cm-content'), () => own('Blank', '')],
  ['model-changed', `model?model=${d04}`, async () => {
    await see('.cm-content');
    await type('\n// A comment.');
    await page.getByText('Changed, not saved').waitFor();
  }],
  ['model-word-help', `model?model=${d04}`, async () => {
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('prejoin-draft')).forEach((key) => localStorage.removeItem(key)));
    await page.locator('.cm-line', { hasText: /^entity/ }).first().locator('span').first().hover();
    await see('.word-help');
  }],
  ['model-designs', 'model', () => press('New design…')],
  ['model-questions', 'model', async () => {
    await press('New design…');
    await page.getByLabel('Begin with').selectOption('questions');
  }],
  ['model-card', 'model', async () => {
    await press('Card…');
    await page.getByRole('region', { name: 'Card for another page' }).locator('pre').waitFor();
  }],
  ['model-created', `model?model=l02_orgs_users_tickets`, async () => {
    await press('Create its tables here');
    await page.getByText(/^Created|was there already/).first().waitFor();
  }],
  ['model-missing', 'model?model=own:Nobody', () => see('.trouble')],
  ['palette', 'model', async () => {
    await see('.er-entity');
    await page.keyboard.press('Control+k');
  }],
  ['palette-words', 'model', async () => {
    await see('.er-entity');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('course');
  }],
  ['items', 'items', () => see('.item-row')],
  ['items-scale', 'items?scale=1000', () => see('.item-row')],
  ['items-scale-red', 'items?scale=100000', () => see('.item-row')],
  ['items-index', 'items?index=GSI1', () => see('.pane[data-side=GSI1] .item-row')],
  ['items-lit', 'items?pattern=A11&p.course=cs101&index=GSI1', () => see('[data-mark=lit]')],
  ['items-prefixes', 'items?model=d03_quick_reference', loaded],
  ['items-item', 'items', async () => {
    await page.locator('.item-row', { hasText: 'ENROLL#' }).first().click();
    await page.getByRole('group', { name: 'Content of the panel' }).getByRole('button', { name: 'Item' }).click();
    await page.locator('.attribute-list .why summary').last().click();
  }],
  ['items-edit', 'items', async () => {
    await page.locator('.item-row', { hasText: 'ENROLL#' }).first().click();
    await page.getByRole('group', { name: 'Content of the panel' }).getByRole('button', { name: 'Item' }).click();
    await press('Edit');
  }],
  ['items-add', 'items', () => page.locator('[data-add]').first().click()],
  ['items-trail', 'items', async () => {
    await page.locator('.item-row', { hasText: 'ENROLL#' }).first().click();
    await page.getByRole('group', { name: 'Side of the picture' }).getByRole('button', { name: 'GSI1' }).click();
    await page.getByRole('group', { name: 'Where the item is' }).waitFor();
  }],
  ['items-split', 'items', async () => {
    await see('.item-row');
    if ((await button('Split').count()) === 0) return;
    await press('Split');
    await page.locator('.pane[data-side=table] .item-row', { hasText: 'ENROLL#' }).first().click();
  }],
  ['items-empty', 'items?model=p08_inverted_base_keys', () => page.getByRole('button', { name: 'Load the sample of this design' }).waitFor()],
  ['items-d08', 'items?model=d08_saas_orgs', loaded],
  ['items-fan-out', 'items?model=d08_saas_orgs', async () => {
    await loaded();
    await page.locator('.pattern-button', { hasText: 'SignUp' }).click();
    await see('.falling');
  }],
  ['items-other-table', 'items?model=d08_saas_orgs&table=School', () => page.getByText(/is not a table of/).waitFor()],
  ['items-missing', 'items?model=own:Nobody', () => see('.trouble')],
  ['items-none', 'items', () => see('.items-empty, .items-view'), null, 'empty'],
  ['build', 'build', () => see('.build-form')],
  ['build-query', `build?model=${d04}`, async () => {
    await page.getByLabel('Value of PK').waitFor();
    await page.getByLabel('Value of PK').fill('STU#a91');
  }],
  ['build-update', `build?model=${d04}`, async () => {
    await page.getByLabel('Value of PK').waitFor();
    await page.getByLabel('Operation').selectOption('UpdateItem');
  }],
  ['build-put', `build?model=${d04}`, async () => {
    await page.getByLabel('Value of PK').waitFor();
    await page.getByLabel('Operation').selectOption('PutItem');
  }],
  ['build-several', `build?model=${d04}`, async () => {
    await page.getByLabel('Value of PK').waitFor();
    await page.getByLabel('Operation').selectOption('GetItem');
    for (const pk of ['STU#a91', 'STU#b22']) {
      await page.getByLabel('Value of PK').fill(pk);
      await page.getByLabel('Value of SK').fill('METADATA');
      await press('Add this request');
    }
    await press('Send 2 requests as one');
    await page.getByText(/one BatchGetItem/).waitFor();
  }],
  ['build-none', 'build', () => see('.build-form, main'), null, 'empty'],
  ['explore', 'explore', () => see('.explore tbody tr')],
  ['explore-none', 'explore', () => page.getByText('There are no tables yet').waitFor(), null, 'empty'],
  ['explore-create', 'explore', async () => {
    await see('.explore tbody tr');
    await page.getByText('Create a table').first().click();
  }],
  ['explore-table', 'explore/School', () => see('.grid tbody tr')],
  ['explore-query', 'explore/School?mode=Query', () => see('.grid tbody tr')],
  ['explore-batch', 'explore/School?mode=BatchGetItem', () => see('.several-keys input')],
  ['explore-partiql', 'explore/School?mode=PartiQL', () => see('.explore textarea')],
  ['explore-partiql-wrong', 'explore/School?mode=PartiQL&statement=SELECT%20nothing', async () => {
    await press('Run statement');
    await see('[role=alert]');
  }],
  ['explore-item', 'explore/School', async () => {
    await see('.grid tbody tr');
    await page.locator('.grid tbody tr').first().locator('td, th').first().click();
    await page.keyboard.press('Enter');
  }],
  ['explore-add', 'explore/School', () => press('Add item')],
  ['explore-transaction', 'explore/School', async () => {
    await see('.grid tbody tr');
    await page.getByLabel('collect edits for a transaction').check();
  }],
  ['explore-code', 'explore/School?mode=Query', () => page.getByText('Copy as code').click()],
  ['explore-import', 'explore/School', () => page.getByText('Import items').click()],
  ['explore-infer', 'explore/Support?model=d04_students_and_courses', () => see('.grid tbody tr')],
  ['explore-missing', 'explore/Nothing', () => page.getByText('Nothing').first().waitFor()],
  ['signing', 'explore', () => page.getByRole('dialog').waitFor(), null, 'signed'],
  ['remote', `explore?model=${d04}`, () => see('.remote-bar'), null, 'remote'],
  ['remote-scan', `explore/School?model=${d04}`, () => page.getByRole('dialog').waitFor(), null, 'remote'],
  ['embed', `embed/${d04}?pattern=A11`, () => see('.card-item')],
];

const settled = () =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const ends = document.getAnimations().map((one) => one.finished.catch(() => null));
    await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, 1500))]);
    await document.fonts.ready;
    await frame();
  });

let bad = 0;
const fault = (name, why) => {
  bad += 1;
  console.log(`BAD ${name}: ${why}`);
};

async function visit([name, path, act, before, at = 'main'], [width, height]) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await before();
  await page.goto(`${servers[at]}/studio/${path}`);
  try {
    await act();
  } catch (error) {
    fault(`${name}-${width}`, error.message.split('\n')[0]);
  }
  await page.waitForLoadState('networkidle').catch(() => {});
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    await settled();
    const tall = Math.min(heightMost, await page.evaluate(() => document.documentElement.scrollHeight));
    await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: true, clip: { x: 0, y: 0, width, height: Math.max(tall, height) } });
  }
  const wide = await overflow(page);
  if (wide > 0) fault(`${name}-${width}`, `${wide} pixels wider than the window`);
  for (const error of errors.splice(0)) fault(`${name}-${width}`, error);
}

try {
  const wanted = places.filter(([name]) => new RegExp(pattern).test(name));
  await page.goto(`${servers.main}/studio/learn`);
  for (const place of wanted) for (const size of widths) await visit(place, size);
  console.log(`${wanted.length} places, ${bad} faults`);
} finally {
  await browser.close();
  for (const server of started) server.kill('SIGKILL');
}
process.exit(bad > 0 ? 1 : 0);
