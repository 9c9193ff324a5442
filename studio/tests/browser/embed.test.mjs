// A card inside an article of another origin: it turns, it runs, and it is there only for pages that the server was told of.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { axeFindings, inBothThemes, overflow } from './accessibility.mjs';
import { startProgram, useStudio } from './rig.mjs';

// Another port is another origin.
let article = '';
const blog = createServer((request, response) => {
  const card = new URL(request.url, 'http://blog').searchParams.get('card');
  response.setHeader('Content-Type', 'text/html');
  response.end(`<!doctype html><html lang="en"><title>Article</title><h1>An article</h1><iframe title="card" width="700" height="480" src="${card?.replace(/&/g, '&amp;')}"></iframe></html>`);
});
before(() => new Promise((resolve) => blog.listen(0, '127.0.0.1', resolve)).then(() => (article = `http://127.0.0.1:${blog.address().port}`)));
after(() => blog.close());

const rig = useStudio();
const started = [];
after(() => started.forEach((server) => server.kill('SIGKILL')));

let allowing = '';
const frame = () => rig.page.frameLocator('iframe');
const show = (card) => rig.page.goto(`${article}/?card=${encodeURIComponent(card)}`);
const card = 'd04_students_and_courses?pattern=A11&p.course=math204';

test('it runs a pattern on the sample, and its items travel to the index', async () => {
  const { server, url } = await startProgram(['serve', '--memory', '--port', '0', '--allow-embed', article]);
  started.push(server);
  allowing = url;
  await show(`${url}/studio/embed/${card}`);
  const home = () => frame().locator('.card-item', { hasText: 'Enrollment' }).first().evaluate((row) => row.getBoundingClientRect().top);
  await frame().locator('.card-item').first().waitFor();
  const before = await home();
  await frame().getByRole('button', { name: 'Run' }).click();
  await frame().getByText(/2 items · .*read unit.*per million/).waitFor();
  assert.equal(await frame().getByRole('button', { name: 'GSI1' }).getAttribute('aria-pressed'), 'true');
  assert.equal(await frame().locator('.card-item[data-mark=lit]').count(), 2);
  await frame().locator('body').evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
  assert.notEqual(await home(), before, 'it stands elsewhere now');
  await rig.picture('embed');
  await frame().getByLabel('course').fill('nothing');
  await frame().getByRole('button', { name: 'Run' }).click();
  await frame().getByText(/0 items/).waitFor();
  assert.deepEqual(rig.errors, []);
});

test('nothing was read from or written to the tables of the server', async () => {
  const response = await fetch(allowing, {
    method: 'POST',
    headers: { 'X-Amz-Target': 'DynamoDB_20120810.ListTables', 'Content-Type': 'application/x-amz-json-1.0', Authorization: 'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0', 'X-Amz-Date': '20260101T000000Z' },
    body: '{}',
  });
  assert.deepEqual((await response.json()).TableNames, []);
});

test('it works where the browser gives a frame no storage', async () => {
  const page = await rig.browser.newPage();
  const uncaught = [];
  page.on('pageerror', (error) => uncaught.push(error.message));
  await page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('denied', 'SecurityError'); } }));
  await page.goto(`${allowing}/studio/embed/${card}`);
  await page.locator('.card-item').first().waitFor();
  await page.close();
  assert.deepEqual(uncaught, []);
});

test('another page gets none, and no other view can be framed', async () => {
  const policy = async (path) => (await fetch(allowing + path)).headers.get('content-security-policy').match(/frame-ancestors (.*)$/)[1];
  assert.equal(await policy('/studio/embed/x'), article);
  assert.equal(await policy('/studio/model'), "'none'");
  const off = await fetch(`${rig.url}/studio/embed/${card}`, { headers: { 'Sec-Fetch-Dest': 'iframe' } });
  assert.equal(off.status, 404);
  assert.match(await off.text(), /--allow-embed/);
});

test('the design gives the code of its card, with the whole text where it has no name', async () => {
  await rig.open('/studio/model?model=d04_students_and_courses');
  await rig.page.getByRole('button', { name: 'Card…' }).click();
  const panel = rig.page.getByRole('region', { name: 'Card for another page' });
  await panel.getByLabel('Pattern').selectOption('A11');
  await panel.locator('code', { hasText: /embed\/d04_students_and_courses\?pattern=A11&amp;p\.course=math204/ }).waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.page.evaluate(() => localStorage.setItem('prejoin-own:mine', 'model "Mine"\n\nentity Pet {\n  id text key\n}\n\npattern P1 "A pet" {\n  find Pet where id = :id\n  example id = "rex" gives 1\n}\n\ntable T partition PK sort SK {\n  item Pet {\n    PK = "PET#{id}"\n    SK = "PET"\n  }\n}\n\nsample Pet (id) {\n  "rex"\n}\n'));
  await rig.open('/studio/model?model=own:mine');
  await rig.page.getByRole('button', { name: 'Card…' }).click();
  const code = await panel.locator('pre').innerText();
  const path = code.match(/src="[^"]*?(\/studio\/embed\/link[^"]*)"/)[1].replace(/&amp;/g, '&');
  await show(allowing + path);
  await frame().getByRole('heading', { name: 'A pet' }).waitFor();
});

for (const width of [1280, 390]) {
  test(`it breaks no rule at ${width}`, async () => {
    await rig.page.setViewportSize({ width, height: 480 });
    await rig.page.goto(`${allowing}/studio/embed/${card}`);
    await rig.page.getByRole('button', { name: 'Run' }).click();
    await rig.page.locator('.card-item[data-mark=lit]').first().waitFor();
    assert.equal(await overflow(rig.page), 0);
    await inBothThemes(rig.page, async (theme) => {
      assert.deepEqual(await axeFindings(rig.page), [], theme);
      await rig.picture(`embed-${width}-${theme}`);
    });
  });
}
