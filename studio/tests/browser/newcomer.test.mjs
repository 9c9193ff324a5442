// What somebody who sees the studio for the first time stumbled over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio({ width: 1440, height: 900 });
const pet = `model "Mine"

entity Pet {
  id text key
  tag text
  count 2000
}

pattern P1 "A pet" {
  find Pet where id = :id
  rate 1/s
}

table T partition PK sort SK {
  item Pet {
    PK = "PET#{id}"
    SK = "PET"
  }
}

sample Pet (id, tag) {
  "rex", "t1"
}
`;

async function openOwn(query = '') {
  await rig.open('/studio/learn');
  await rig.page.evaluate((text) => localStorage.setItem('prejoin-own:mine', text), pet);
  await rig.open(`/studio/model?model=own:mine${query}`);
  await rig.page.getByRole('heading', { name: 'Mine' }).waitFor();
}

test('the card can be looked at on any server, with a value to run it with', async () => {
  rig.page.setDefaultTimeout(15_000);
  await openOwn();
  await rig.page.getByRole('button', { name: 'Card…' }).click();
  const link = rig.page.getByRole('link', { name: 'Look at the card' });
  await rig.page.waitForFunction(() => document.querySelector('[aria-label="Card for another page"] pre')?.textContent.includes('embed/link'));
  await rig.page.goto(await link.getAttribute('href'));
  await rig.page.getByLabel('id', { exact: true }).waitFor();
  assert.equal(await rig.page.getByLabel('id', { exact: true }).inputValue(), 'rex');
  await rig.page.getByRole('button', { name: 'Run' }).click();
  await rig.page.getByText(/^1 item · /).waitFor();
});

test('collections that do not grow are explained', async () => {
  await openOwn('&tab=cost');
  await rig.page.getByText(/^No collection grows here: with more rows there are more keys/).waitFor();
});

test('a new design says what its price comes from, and numbers no question twice', async () => {
  await rig.open('/studio/model?begin=1');
  await rig.page.getByText(/^Most of it is \w+: .* a month, with .* each time and [\d.]+\/\w+, at the numbers of rows in the form\. \d+ questions about rates and numbers are answered with defaults/).waitFor({ timeout: 30_000 });
  await rig.page.getByText(/^\d+ questions about Customer has many Order/).click();
  const labels = await rig.page.locator('.questions .question > span').allTextContents();
  assert.ok(labels.length > 5);
  assert.deepEqual(labels.filter((text) => /^\d\./.test(text)), []);
});

test('the key that keeps a value unique is called a lock in the preview', async () => {
  await rig.page.getByLabel('Entity 1').fill('Customer: id, email unique');
  await rig.page.locator('.questions-preview').getByText('lock of email').waitFor({ timeout: 30_000 });
});

test('a lesson shows no choice of another design', async () => {
  await rig.open('/studio/learn');
  await rig.page.locator('.design-choice').waitFor();
  await rig.open('/studio/learn/students-courses/1');
  await rig.page.getByRole('grid', { name: 'Live table' }).waitFor();
  assert.equal(await rig.page.locator('.design-choice').count(), 0);
});

test('on a phone a key row is not taller for an attribute that is out of sight', async () => {
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/model?model=p03_duplicate_attributes&tab=chart');
  await rig.page.locator('.chart-others').first().waitFor();
  const widths = await rig.page.locator('.chart-others').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width));
  assert.ok(Math.min(...widths) >= 260, widths.join());
  await rig.page.setViewportSize({ width: 1440, height: 900 });
});

test('a lost server is said once', async () => {
  await rig.open('/studio/learn');
  await rig.page.locator("nav[aria-label=Views]").getByText("Explore", { exact: true }).waitFor();
  await rig.open('/studio/explore');
  await rig.page.getByRole('heading', { name: 'Tables' }).waitFor();
  await rig.page.locator("nav[aria-label=Views]").getByText("Learn", { exact: true }).click();
  await rig.stopServer();
  await rig.page.locator("nav[aria-label=Views]").getByText("Explore", { exact: true }).click();
  await rig.page.getByText(/^The server has not answered since .* This page shows only what it loaded before, and continues when the server is back\.$/).waitFor();
  assert.equal(await rig.page.getByRole('alert').count(), 1);
});

test('on a phone the answers and what they make stand together, and values and keys are whole', async () => {
  await rig.restartServer();
  await rig.page.setViewportSize({ width: 390, height: 844 });
  await rig.open('/studio/model?begin=1');
  const making = rig.page.getByRole('region', { name: 'What this makes' });
  await making.getByText(/✓ proved/).waitFor({ timeout: 60_000 });
  assert.ok(await rig.page.getByRole('region', { name: 'Open a design' }).isHidden());
  assert.ok(await rig.page.getByRole('button', { name: 'Open a design instead' }).isVisible());
  assert.ok(!(await making.innerText()).includes('on the left'));
  await rig.open('/studio/learn');
  await rig.page.getByRole('button', { name: 'By course' }).click();
  const keys = rig.page.locator('.pivot-key');
  await keys.filter({ hasText: 'COURSE#logic' }).waitFor();
  await rig.settled();
  assert.deepEqual(await keys.evaluateAll((all) => all.filter((key) => key.scrollWidth > key.clientWidth).map((key) => key.textContent)), []);
  await rig.page.setViewportSize({ width: 1440, height: 900 });
});
