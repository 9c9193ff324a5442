// The server's own file: opened first, saved with Ctrl+S, never over somebody else's change.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { useStudio } from './rig.mjs';

const folder = mkdtempSync(join(tmpdir(), 'prejoin-model-'));
const path = join(folder, 'shop.prejoin');
const source = `model "Corner shop"

entity Customer {
  id    text(~8) key
  count 100
}

table Shop partition PK {
  item Customer {
    PK = "CUSTOMER#{id}"
    without id
  }
}
`;
writeFileSync(path, source);
after(() => rmSync(folder, { recursive: true }));

const rig = useStudio({ serve: ['--model', path] });

async function typeTitle(text) {
  await rig.page.locator('.editor-host .cm-content').focus();
  await rig.page.keyboard.press('Control+Home');
  await rig.page.keyboard.press('End');
  await rig.page.keyboard.press('ArrowLeft');
  await rig.page.keyboard.type(text);
  await rig.page.waitForSelector('.model-changed');
}

test('the file is what opens first', async () => {
  await rig.open('/studio/model');
  await rig.page.getByRole('heading', { name: 'Corner shop' }).waitFor();
  assert.match(await rig.page.locator('.design-choice option').first().innerText(), /shop\.prejoin/);
});

test('Ctrl+S saves it', async () => {
  await typeTitle(' two');
  await rig.page.keyboard.press('Control+s');
  await rig.page.getByText(/Saved to .*shop\.prejoin/).waitFor();
  await rig.page.waitForSelector('.model-changed', { state: 'detached' });
  assert.equal(readFileSync(path, 'utf8'), source.replace('Corner shop', 'Corner shop two'));
  await typeTitle(' and three');
  await rig.page.keyboard.press('Control+s');
  await rig.page.waitForSelector('.model-changed', { state: 'detached' });
  assert.match(readFileSync(path, 'utf8'), /Corner shop two and three/);
});

test('what somebody else wrote meanwhile is not overwritten', async () => {
  const theirs = source.replace('Corner shop', 'Theirs');
  writeFileSync(path, theirs);
  await typeTitle('!');
  await rig.page.keyboard.press('Control+s');
  await rig.page.getByText(/Not saved: the file was changed by somebody else/).waitFor();
  assert.equal(readFileSync(path, 'utf8'), theirs);
  await rig.page.getByRole('button', { name: 'Discard', exact: true }).click();
  await rig.page.getByRole('button', { name: 'Yes, discard my changes' }).click();
  await rig.page.getByRole('heading', { name: 'Theirs' }).waitFor();
  await typeTitle(' now');
  await rig.page.keyboard.press('Control+s');
  await rig.page.waitForSelector('.model-changed', { state: 'detached' });
  assert.match(readFileSync(path, 'utf8'), /Theirs now/);
});

test('the page breaks none of its own rules', () =>
  // The browser itself reports the refusal of the third test.
  assert.deepEqual(rig.errors.filter((error) => !error.includes('409')), []));
