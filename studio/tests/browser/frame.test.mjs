// The frame that all views share: it loads fast, stays small, keeps its address, bears both themes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const scriptBytesMax = 400 * 1024;

const rig = useStudio();

test('the first page is there, with the design that is open', async () => {
  await rig.open('/studio/');
  await rig.page.waitForSelector('main > *');
  assert.match(new URL(rig.page.url()).pathname, /^\/studio\/[a-z]+$/);
  assert.equal(await rig.page.locator('.design-choice select').inputValue(), 'd05_education');
});

test('all script of all views is under 400 KB compressed', async () => {
  const html = await (await fetch(`${rig.url}/studio/`)).text();
  const seen = new Set();
  const queue = [...html.matchAll(/assets\/[\w.-]+\.js/g)].map(([path]) => path);
  let bytes = 0;
  for (let path = queue.pop(); path; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await fetch(`${rig.url}/studio/${path}`, { headers: { 'Accept-Encoding': 'gzip' } });
    bytes += Number(response.headers.get('content-length'));
    const text = await response.text();
    queue.push(...[...text.matchAll(/["'.\/]((?:assets\/)?[\w-]+\.js)["']/g)].map(([, name]) =>
      name.startsWith('assets/') ? name : `assets/${name}`));
  }
  assert.ok(seen.size > 1, 'views load on demand');
  assert.ok(bytes > 0 && bytes < scriptBytesMax, `${bytes} bytes in ${seen.size} files`);
});

// A page that is taken from a folder is not compressed.
test('the first page is at most 150 KB, with its fonts and what it asks', { skip: process.env.STUDIO_PAGE !== undefined }, async () => {
  const context = await rig.browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(`${rig.url}/studio/`, { waitUntil: 'networkidle' });
  await page.locator('.pivot-item').first().waitFor();
  await context.close();
  assert.ok(bytes > 50_000 && bytes <= 150_000, `${bytes} bytes`);
});

test('an address that was copied opens the same place', async () => {
  await rig.open('/studio/model?model=d08_saas_orgs');
  await rig.page.waitForFunction(() =>
    document.querySelector('.design-choice select')?.value === 'd08_saas_orgs');
});

test('the theme is kept', async () => {
  await rig.page.locator('.theme-choice select').selectOption('dark');
  await rig.page.reload();
  await rig.page.waitForSelector('html[data-theme="dark"]');
  await rig.page.locator('.theme-choice select').selectOption('system');
});

test('on a narrow screen the header stays low, and shows all of itself', async () => {
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/learn');
  await rig.page.waitForSelector('main > .learn');
  const header = await rig.page.locator('header.top').boundingBox();
  assert.ok(header.height <= 90, `${header.height} px`);
  for (const place of ['.top nav a:last-child', '.design-choice select', '.theme-choice select']) {
    const box = await rig.page.locator(place).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390, place);
  }
  await rig.picture('frame-narrow');
  await rig.page.setViewportSize({ width: 1280, height: 800 });
});

test('a view styles itself and no other', async () => {
  for (const view of ['learn', 'build', 'explore']) {
    await rig.open(`/studio/${view}`);
    await rig.page.waitForSelector(`main > .${view}`);
    const leaks = await rig.page.evaluate((name) => {
      const inside = (rule) => rule.selectorText.split(',').every((part) => part.trim().startsWith(`.${name}`));
      const rules = (list) => [...list].flatMap((rule) => (rule.selectorText ? [rule] : rule.cssRules ? rules(rule.cssRules) : []));
      const own = [...document.styleSheets].filter(({ href }) => href?.includes(`/${name}_view-`));
      if (own.length !== 1) throw new Error(`${own.length} stylesheets of ${name}`);
      return rules(own[0].cssRules).filter((rule) => !inside(rule)).map((rule) => rule.selectorText);
    }, view);
    assert.deepEqual(leaks, [], view);
  }
});

test('the page breaks none of its own rules', () => assert.deepEqual(rig.errors, []));

test('every view stays in the navigation, however long the name of the design is', async () => {
  await rig.open('/studio/model?model=d04_students_and_courses');
  await rig.page.locator('.total', { hasText: '$' }).waitFor();
  for (const width of [1440, 1280, 1100]) {
    await rig.page.setViewportSize({ width, height: 800 });
    await rig.settled();
    const [bar, last, find] = await rig.page.evaluate(() => ['.top nav', '.top nav a:last-child', '.palette-button'].map((where) => document.querySelector(where).getBoundingClientRect().toJSON()));
    assert.ok(last.right <= bar.right + 1, `${width}: ${last.right} of ${bar.right}`);
    assert.ok(find.height < 40, `${width}: one line`);
  }
  await rig.page.setViewportSize({ width: 1280, height: 800 });
});
