// A design from questions, help for the words of the language, and several requests as one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const rig = useStudio();

const questionsForm = () => rig.page.getByRole('form', { name: 'New design' });
const making = () => rig.page.getByRole('region', { name: 'What this makes' });
const proved = () => making().getByText(/✓ proved/).waitFor({ timeout: 60_000 });

test('two names make a design that is lit, proved and priced', async () => {
  await rig.open('/studio/model');
  await rig.page.getByRole('button', { name: 'New design…' }).click();
  const form = questionsForm();
  await form.getByLabel('Entity 1').fill('clubs');
  await form.getByLabel('Entity 2').fill('members: id, name, joined date');
  await form.getByLabel('Relationship 1').fill('club has many members and back');
  await making().getByRole('button', { name: 'The clubs of a member' }).waitFor({ timeout: 60_000 });
  await proved();
  assert.match(await making().locator('.design-price strong').innerText(), /^\$/);
  assert.equal(await rig.page.getByRole('slider', { name: 'Scale' }).count(), 0, 'no price of another design stands beside it');
  await making().getByRole('button', { name: 'The clubs of a member' }).click();
  await making().locator('[data-mark="lit"]:not([data-absent])').first().waitFor();
  await rig.settled();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('questions');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await rig.page.getByText('The checker finds nothing wrong.').waitFor();
  assert.equal(new URL(rig.page.url()).searchParams.get('model'), 'own:Club and Member', 'it is called after its entities');
  await rig.page.getByRole('tab', { name: 'Access patterns' }).click();
  await rig.page.getByRole('row', { name: /ClubsOfMember/ }).first().waitFor();
  assert.equal(await rig.page.locator('.unserved').count(), 0);
});

test('an answer that cannot be read leaves the others where they are', async () => {
  await rig.open('/studio/model?begin=1');
  const form = questionsForm();
  await form.getByLabel('Relationship 1').waitFor();
  const fields = await form.locator('input, select').count();
  for (const wrong of ['id, id', '', 'Club: a, a']) {
    await form.getByLabel('Entity 1').fill(wrong);
    await making().locator('.note').waitFor();
    assert.equal(await form.locator('input, select').count(), fields, wrong);
  }
  await form.getByLabel('Entity 1').fill('Customer');
  await making().locator('.note').waitFor({ state: 'detached' });
});

test('while an answer cannot be read, nothing is priced, proved or created', async () => {
  await rig.open('/studio/model?begin=1');
  const form = questionsForm();
  await proved();
  const create = form.getByRole('button', { name: 'Create', exact: true });
  await form.getByLabel('How many customers are there, approximately?').fill('banana');
  await form.getByLabel('Relationship 1').fill('Customer has many Ordre');
  await making().getByText('2 answers cannot be read, so there is no design to price or prove yet.').waitFor();
  assert.equal(await making().getByText(/✓ proved|a month/).count(), 0);
  assert.ok(await create.isDisabled());
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('questions-wrong');
  await making().getByRole('button', { name: 'Relationship 1' }).click();
  assert.ok(await form.getByLabel('Relationship 1').evaluate((field) => field === document.activeElement));
  await form.getByLabel('Relationship 1').fill('Customer has many Order');
  await making().getByText('One answer cannot be read').waitFor();
  await form.getByRole('button', { name: 'How many customers are there, approximately?' }).click();
  assert.ok(await form.getByLabel('How many customers are there, approximately?').evaluate((field) => field === document.activeElement));
  await form.getByLabel('How many customers are there, approximately?').fill('2k');
  await proved();
  assert.ok(await create.isEnabled());
  // An answer behind a closed line opens it.
  await form.getByText(/^\d+ questions about Customer has many Order/).click();
  await form.getByLabel(/^How many orders does a customer have/).fill('0.6');
  await proved();
  await form.getByLabel(/^How many orders does a customer have/).fill('some');
  await making().getByRole('button', { name: /^How many orders does a customer have/ }).click();
  assert.ok(await form.getByLabel(/^How many orders does a customer have/).evaluate((field) => field === document.activeElement));
  assert.ok(await create.isDisabled());
});

test('a name is kept as it was typed, or refused in words', async () => {
  await rig.open('/studio/model?begin=1');
  const form = questionsForm();
  const create = form.getByRole('button', { name: 'Create', exact: true });
  await form.getByLabel('Begin with').selectOption('empty');
  await form.getByLabel(/^Name/).fill('x'.repeat(200));
  await form.getByText('A name has at most 60 characters. This one has 200.').waitFor();
  assert.ok(await create.isDisabled());
  await form.getByLabel(/^Name/).fill('The "old" shop');
  await create.click();
  await rig.page.getByRole('heading', { name: 'The "old" shop' }).waitFor();
  assert.match(await rig.page.evaluate(() => localStorage.getItem('prejoin-own:The "old" shop')), /^model "The \\"old\\" shop"$/m);
});

test('SQL with its statements becomes a design of its own', async () => {
  await rig.open('/studio/model?begin=1');
  const form = rig.page.getByRole('form', { name: 'New design' });
  await form.getByLabel('Begin with').selectOption('import');
  const made = rig.page.getByRole('region', { name: 'What this makes' });
  await made.getByText('Paste a schema').waitFor();
  await form.getByLabel(/^Schema/).fill('neither SQL nor anything else');
  await made.locator('.note').waitFor();
  await form.getByRole('button', { name: 'Show me an example' }).click();
  await made.getByText('2 entities, 1 relationship, 2 access patterns').waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('import-sql');
  await form.getByLabel('Name', { exact: true }).fill('Library');
  await form.getByRole('button', { name: 'Create, and design it for me' }).click();
  await rig.page.locator('.design-page .entity-chip').first().waitFor({ timeout: 60_000 });
  const text = await rig.page.evaluate(() => localStorage.getItem('prejoin-own:Library'));
  assert.match(text, /^model "Library"$/m);
  assert.match(text, /authorId +references Author\.id|author_id +references Author\.id/);
  assert.match(text, /rate 40\/s/);
});

test('a message about one design does not stay when another is opened', async () => {
  await rig.open('/studio/model?model=own:Club and Member');
  await rig.page.getByRole('heading', { name: 'Club and Member' }).waitFor();
  await rig.page.getByRole('button', { name: 'Create its tables here' }).click();
  await rig.page.getByText(/^Created .* wrote/).waitFor();
  await rig.page.locator('.design-choice select').selectOption('d08_saas_orgs');
  await rig.page.getByRole('heading', { name: 'SaaS organisations' }).waitFor();
  assert.equal(await rig.page.getByText(/^Created .* wrote/).count(), 0);
  await rig.page.goBack();
  await rig.page.getByRole('heading', { name: 'Club and Member' }).waitFor();
});

test('several relationships, rates below one a second, and answers that cannot be read', async () => {
  await rig.open('/studio/learn');
  await rig.page.getByRole('link', { name: 'New design' }).click();
  const form = questionsForm();
  await form.getByLabel('Name', { exact: true }).fill('Vet practice');
  await form.getByLabel('Entity 1').fill('owners');
  await form.getByLabel('Entity 2').fill('pets');
  await form.getByLabel('Relationship 1').fill('owner has many pets');
  await form.getByLabel('Entity 3').or(form.getByLabel('Another entity')).fill('Visit: id, at time, reason');
  await form.getByLabel('Relationship 2').or(form.getByLabel('Another relationship')).fill('Pet has many dragons');
  await form.getByText('There is no entity `dragons`; the entities are Owner, Pet, Visit.').waitFor();
  await form.getByLabel('Relationship 2').fill('Pet has many visits');
  await form.getByText(/^\d+ questions about owner has many pets/).click();
  await form.getByLabel('How many pets does an owner have on average, and at most?').fill('2, at most 30');
  await form.getByLabel(/^How often is a pet created/).fill('0.5/hour');
  await proved();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('questions-several');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await rig.page.getByRole('heading', { name: 'Vet practice' }).waitFor();
  const text = await rig.page.evaluate(() => localStorage.getItem('prejoin-own:Vet practice'));
  assert.match(text, /relationship PetVisits: Pet one-to-many Visit/);
  assert.match(text, /each Owner has ~2, at most 30/);
  assert.match(text, /rate +0\.5\/hour/);
  assert.match(text, /table VetPractice /);
});

test('a word of the language explains itself', async () => {
  await rig.page.locator('.cm-line', { hasText: /^relationship/ }).locator('span').first().hover();
  await rig.page.locator('.word-help').waitFor();
  assert.match(await rig.page.locator('.word-help').innerText(), /Declares how two entities relate/);
  await rig.picture('word-help');
});

test('a declaration is added by a button, and the language is at hand', async () => {
  await rig.page.getByRole('button', { name: 'an access pattern' }).click();
  await rig.page.keyboard.type('Newest');
  await rig.page.locator('.cm-line', { hasText: 'pattern Newest "What is asked" {' }).waitFor();
  await rig.page.getByRole('button', { name: 'Language' }).click();
  await rig.page.getByRole('region', { name: 'The model language' }).getByText('pattern Roster { find Enrollment').waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('language');
  await rig.page.getByRole('button', { name: 'Language' }).click();
  await rig.page.getByRole('button', { name: 'Discard', exact: true }).click();
  await rig.page.getByRole('button', { name: 'Yes, discard my changes' }).click();
});

test('requests for single items go as one batch or one transaction', async () => {
  await rig.open('/studio/items?model=d08_saas_orgs');
  await rig.page.locator('main button.main').click();
  await rig.page.locator('.item-row').first().waitFor();
  await rig.open('/studio/build?model=d08_saas_orgs');
  const panel = rig.page.getByRole('region', { name: 'Several at once' });
  await panel.waitFor();
  assert.ok(await panel.getByRole('button', { name: 'Add this request' }).isDisabled(), 'a Query goes alone');
  await rig.page.getByLabel('Value of PK').waitFor();
  await rig.page.getByLabel('Operation').selectOption('GetItem');
  const key = async (pk, sk) => {
    await rig.page.getByLabel('Value of PK').fill(pk);
    await rig.page.getByLabel('Value of SK').fill(sk);
    await panel.getByRole('button', { name: 'Add this request' }).click();
  };
  await key('ORG#AMAZON', 'METADATA#AMAZON');
  await key('ORG#MICROSOFT', 'METADATA#MICROSOFT');
  await panel.getByRole('button', { name: 'Send 2 requests as one' }).click();
  await panel.getByText(/2 items · .* · one BatchGetItem/).waitFor();
  await panel.locator('select').first().selectOption('TransactGetItems');
  await panel.getByRole('button', { name: 'Send 2 requests as one' }).click();
  await panel.getByText(/2 items · .* · one TransactGetItems/).waitFor();
  const forms = {
    JavaScript: /new TransactGetItemsCommand\(\{/, Python: /dynamodb\.transact_get_items\(/, Java: /TransactGetItem\.builder\(\)\.get\(/, Go: /\[\]types\.TransactGetItem\{/,
    'AWS CLI': /aws dynamodb transact-get-items/, PartiQL: /"TransactStatements"/, JSON: /"TransactItems"/,
  };
  for (const [language, code] of Object.entries(forms)) {
    await panel.getByRole('tab', { name: language, exact: true }).click();
    assert.match(await panel.locator('.code-panel').innerText(), code, language);
  }
  await rig.page.getByLabel('Operation').selectOption('DeleteItem');
  await panel.getByRole('button', { name: 'Add this request' }).click();
  await panel.getByText('Reads and writes cannot go in one request.').waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('several-at-once');
});

test('opening a design offers one’s own first, then a file and the examples', async () => {
  await rig.open('/studio/learn');
  await rig.page.evaluate(() => localStorage.setItem('prejoin-own:Harbour', 'model "Harbour"\n'));
  await rig.open('/studio/learn');
  await rig.page.getByRole('link', { name: 'Open a design' }).click();
  const section = rig.page.getByRole('region', { name: 'Open a design' });
  await section.getByLabel('A file').waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await section.getByRole('link', { name: 'Harbour' }).click();
  await rig.page.getByRole('heading', { name: 'Harbour' }).waitFor();
  await rig.page.getByRole('button', { name: 'Rename, delete or open another' }).click();
  await section.getByLabel('An example').selectOption('d08_saas_orgs');
  await rig.page.getByRole('heading', { name: 'SaaS organisations' }).waitFor();
  // An address that names none opens what one worked on.
  await rig.open('/studio/model');
  await rig.page.getByRole('heading', { name: 'Harbour' }).waitFor();
});
