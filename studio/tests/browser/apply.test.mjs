// What the checker and the planner propose is one click away, shown before it is done, and can be taken back.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { axeFindings, inBothThemes } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();
const button = (name) => rig.page.getByRole('button', { name, exact: true });
const panel = rig => rig.page.getByRole('region', { name: 'Proposed change' });
const draftOf = () => rig.page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('prejoin-draft:'))?.[1] ?? null);

async function openOwn(name, source, query = '') {
  await rig.open('/studio/learn');
  await rig.page.evaluate(([key, text]) => { localStorage.clear(); localStorage.setItem(key, text); }, [`prejoin-own:${name}`, source]);
  await rig.open(`/studio/model?model=own:${name}${query}`);
}

test('a finding is fixed by its button, with before and after beside each other, and undone', async () => {
  const source = readFileSync(new URL('../../../examples/models/broken/x15_roster_names.prejoin', import.meta.url), 'utf8');
  await openOwn('Roster', source);
  const apply = rig.page.locator('.finding').getByRole('button', { name: 'Apply this' }).first();
  await apply.click();
  await panel(rig).getByText(/^\+ /).first().waitFor();
  await panel(rig).getByRole('group', { name: 'Patterns and writes before and after' }).or(panel(rig).getByText('No access pattern changes its plan')).first().waitFor();
  assert.match(await panel(rig).innerText(), /\$[\d.,]+ a month before, \$[\d.,]+ after/);
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('apply-finding');
  const findings = await rig.page.locator('.finding').count();
  await panel(rig).getByRole('button', { name: 'Apply' }).click();
  await rig.page.waitForFunction((before) => document.querySelectorAll('.finding').length < before, findings);
  assert.match(await draftOf(), /copy of Student\.[nN]ame kept by stream/);
  await rig.page.getByRole('button', { name: /^Undo: / }).click();
  await rig.page.waitForFunction((before) => document.querySelectorAll('.finding').length === before, findings);
  assert.equal(await draftOf(), null, 'the text is as it was');
});

test('a pattern that nothing serves gets its index', async () => {
  const { source } = await (await fetch(`${rig.url}/model/examples/d04_students_and_courses`)).json();
  await openOwn('Bare', source.replace(/^ *index GSI1.*\n/m, '').replace(/^ *GSI1[PS]K *=.*\n/gm, ''), '&tab=patterns');
  await rig.page.locator('.unserved').getByRole('button', { name: 'Apply this' }).first().click();
  const row = panel(rig).getByRole('row', { name: /A11/ });
  await row.waitFor();
  assert.match(await row.innerText(), /not supported → 1 request[^]*– → \$/);
  assert.match(await panel(rig).getByRole('row', { name: /A13/ }).innerText(), /1 unit → 2 units/, 'its index is paid by the writes');
  await panel(rig).getByRole('button', { name: 'Apply' }).click();
  await rig.page.waitForFunction(() => document.querySelector('.data-table') && !document.querySelector('.data-table .unserved'));
});

test('what the estimate assumes is listed with its line, and said by a button', async () => {
  const { source } = await (await fetch(`${rig.url}/model/examples/d04_students_and_courses`)).json();
  await openOwn('Guessed', source, '&tab=cost');
  const section = rig.page.getByRole('region', { name: 'Assumptions' });
  await section.waitFor();
  if (await section.locator('summary').count()) await section.locator('summary').click();
  const row = section.getByRole('row', { name: /optional/ }).first();
  await row.getByRole('button', { name: 'State it' }).click();
  await panel(rig).getByText(/^\+ .*optional 100%/).waitFor();
  const before = await section.locator('tbody tr').count();
  await rig.picture('assumptions');
  await panel(rig).getByRole('button', { name: 'Apply' }).click();
  await rig.page.waitForFunction((all) => document.querySelectorAll('[aria-label="Assumptions"] tbody tr').length < all, before);
  assert.match(await draftOf(), /optional 100%/);
});

test('the writes of the design stand beside its patterns', async () => {
  await openOwn('Writes', (await (await fetch(`${rig.url}/model/examples/d08_saas_orgs`)).json()).source, '&tab=patterns');
  const row = rig.page.getByRole('group', { name: 'Writes of the design' }).getByRole('row', { name: /SignUp/ });
  await row.getByText(/\$|under a cent/).waitFor();
  assert.match(await row.innerText(), /put Org, refused if it exists already[^]*put User[^]*all or nothing[^]*table: 4[^]*GSI1: 1/);
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
});

test('a strategy that is priced is switched to at that price, and only that relationship moves', async () => {
  const { source } = await (await fetch(`${rig.url}/model/examples/d04_students_and_courses`)).json();
  await openOwn('Switched', source, '&relationship=Enrolments');
  const ways = rig.page.getByRole('region', { name: 'Ways to store Enrolments' });
  const way = ways.locator('.alternatives > li', { has: rig.page.locator('code:text-is("inverted-base-keys")') });
  const price = /\$[\d.,]+/.exec(await way.locator('.alternative-price').innerText())[0];
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('switcher');
  await way.getByRole('button', { name: 'Switch to it' }).click();
  await panel(rig).getByText(/^\+ strategy Enrolments = .*inverted-base-keys/).waitFor();
  await panel(rig).getByText(`a month before, ${price} after`).waitFor();
  await panel(rig).getByRole('button', { name: 'Apply' }).click();
  await rig.page.locator('.er-strategy', { hasText: 'inverted-base-keys' }).waitFor();
});

// Visits have two parents. Each way that has a price has a button, and what the button proposes costs that price.
test('of every relationship, each way that has a price can be taken', async () => {
  const source = readFileSync(new URL('../../../tests/model/practice.prejoin', import.meta.url), 'utf8');
  await openOwn('Visits', source, '&tab=advise');
  await rig.page.getByRole('region', { name: 'Advice for VetVisits' }).waitFor();
  const buttons = rig.page.getByRole('button', { name: 'Switch to it' });
  const all = await buttons.count();
  assert.ok(all >= 3, `${all} switches`);
  for (let at = 0; at < all; ++at) {
    const row = rig.page.locator('.alternatives > li', { has: rig.page.getByRole('button', { name: 'Switch to it' }) }).nth(at);
    const price = /\$[\d.,]+/.exec(await row.locator('.alternative-price').innerText())[0];
    await row.getByRole('button', { name: 'Switch to it' }).click();
    await panel(rig).getByText(`a month before, ${price} after`).waitFor();
    await panel(rig).getByRole('button', { name: 'Leave it' }).click();
    await panel(rig).waitFor({ state: 'detached' });
  }
  assert.equal(await buttons.count(), all, 'no button is gone');
  const advised = await rig.page.locator('.advice', { hasText: /PetVisits|VetVisits/ }).locator('p strong:last-of-type').allInnerTexts();
  assert.ok(advised.filter((text) => text.includes('item-collection')).length <= 1, advised.join(' | '));
});

test('a change that would lose the answer of a pattern says so, in red', async () => {
  const { source } = await (await fetch(`${rig.url}/model/examples/d04_students_and_courses`)).json();
  const without = source.replace(/^ *index GSI1.*\n/m, '').replace(/^ *GSI1[PS]K *=.*\n/gm, '');
  const designs = [{ bestFor: ['fewest-indexes'], money: 20, trips: 1, indexes: 0, copies: 0, proved: false, problems: [], source: without }];
  await rig.page.route('**/model/design', (call) => call.fulfill({ json: { moneyBefore: 34.85, designs } }));
  await openOwn('Lossy', source, '&tab=design');
  const found = rig.page.getByRole('region', { name: 'Designs found' });
  await found.getByRole('button', { name: 'Compare…' }).click();
  const row = panel(rig).getByRole('row', { name: /A11/ });
  await row.waitFor();
  assert.match(await row.innerText(), /1 request → not supported/);
  assert.equal(await row.getAttribute('class'), 'unserved');
  // The button stands far below: the change comes into sight all the same.
  const [box, frame] = [await panel(rig).boundingBox(), await rig.page.locator('#tab-content').boundingBox()];
  assert.ok(box.y >= frame.y - 1 && box.y < frame.y + frame.height, JSON.stringify([box, frame]));
  await panel(rig).getByRole('button', { name: 'Leave it' }).click();
  await rig.page.unroute('**/model/design');
});

test('the server’s own search finds a design, and it can be taken', async () => {
  // A model whose author's tables are not the cheapest; where they are, the search keeps them.
  const { source } = await (await fetch(`${rig.url}/model/examples/w01_bank_project_all`)).json();
  await openOwn('Searched', source, '&tab=design');
  const found = rig.page.getByRole('region', { name: 'Designs found' });
  await found.getByText(/^Proved: every access pattern ran/).waitFor();
  await found.getByRole('heading', { name: 'Why' }).waitFor();
  await found.locator('.entity-chip').first().waitFor();
  assert.match(await found.locator('.design-price').innerText(), /less than now/);
  await found.getByRole('button', { name: 'Compare…' }).click();
  await panel(rig).getByText(/a month before/).waitFor();
  await panel(rig).getByRole('button', { name: 'Leave it' }).click();
  await found.getByRole('button', { name: 'Apply', exact: true }).click();
  await rig.page.getByRole('button', { name: /^Undo: The .* design$/ }).waitFor();
  const taken = await draftOf();
  assert.match(taken, /^table /m);
  assert.notEqual(taken, source);
  await rig.page.getByRole('tab', { name: 'Access patterns' }).click();
  await rig.page.getByRole('group', { name: 'Access patterns' }).waitFor();
  assert.equal(await rig.page.locator('.unserved').count(), 0);
});

test('an attribute that a sample lacks gets its column, and more can be added before anything is saved', async () => {
  const { source } = await (await fetch(`${rig.url}/model/examples/d04_students_and_courses`)).json();
  await openOwn('Wider', source.replace(/^( *)name +text\(~18\)$/m, '$&\n  email text(~24)'));
  await rig.page.locator('.finding', { hasText: 'has no column email' }).getByRole('button', { name: 'Add the column' }).click();
  await panel(rig).getByRole('button', { name: 'Apply' }).click();
  await rig.page.getByText('The checker finds nothing wrong.').waitFor();
  assert.match(await draftOf(), /sample Student \(id, name, year, major, email\)[^]*"email 1"/);
  await rig.page.getByText('Changed, not saved').waitFor();
  await button('an access pattern').click();
  await rig.page.locator('.cm-line', { hasText: /^pattern/ }).last().waitFor();
});

test('two designs are compared by a link that holds both', async () => {
  await rig.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: rig.url });
  await rig.open('/studio/model?model=d05_education');
  await rig.page.getByRole('heading', { name: 'Education', level: 1 }).waitFor();
  await button('Share').click();
  await rig.page.getByText('Copied a link that holds the whole design.').waitFor();
  const link = await rig.page.evaluate(() => navigator.clipboard.readText());

  await rig.open('/studio/model?model=d04_students_and_courses');
  await button('Compare…').click();
  const form = rig.page.getByRole('form', { name: 'Compare with another design' });
  await form.getByRole('button', { name: 'Compare' }).click();
  await rig.page.getByText('Not compared: this is no link to a design.').waitFor();
  await form.getByLabel('or the design of a link').fill(link);
  await form.getByRole('button', { name: 'Compare' }).click();
  const heading = panel(rig).getByRole('heading', { name: /^Compared with “.+”/ });
  await heading.waitFor();
  await panel(rig).getByText(/a month here, \$[\d.,]+ in “Education”/).waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('compare');
  await button('Share').click();
  await rig.page.getByText('Copied a link that holds both designs.').waitFor();
  const both = new URL(await rig.page.evaluate(() => navigator.clipboard.readText()));

  // Who opens it elsewhere sees the same, and leaves the comparison behind.
  await rig.page.evaluate(() => localStorage.clear());
  await rig.open(both.pathname + both.search);
  await heading.waitFor();
  await panel(rig).getByText(/a month here, \$[\d.,]+ in “Education”/).waitFor();
  await panel(rig).getByRole('button', { name: 'Close', exact: true }).click();
  assert.equal(new URL(rig.page.url()).searchParams.get('with'), null);
  await rig.open('/studio/model?model=d05_education&with=no_such_design');
  await rig.page.getByText('Not compared: There is no design called “no_such_design” here.').waitFor();
  await rig.open('/studio/model?model=d05_education&with=d05_education');
  await panel(rig).getByText('The two are the same, line for line.').waitFor();
  assert.equal(await panel(rig).locator('.proposal-lines, button.main').count(), 0, 'there is nothing to show and nothing to apply');
});
