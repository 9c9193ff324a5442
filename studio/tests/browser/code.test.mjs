// The design as code, in every target that `prejoin gen` has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useStudio } from './rig.mjs';

const rig = useStudio();

test('every target gives files, and reads go on to the last page', async () => {
  await rig.open('/studio/model?model=d05_education&tab=code');
  const choice = rig.page.getByRole('combobox', { name: 'To' });
  // The functions of the patterns are open, in colours.
  assert.match(await rig.page.locator('.code-file[open] summary').innerText(), /^patterns\.ts/);
  await rig.page.locator('.code-file[open] pre .code-word').first().waitFor();
  const one = rig.page.locator('.code-file[open] .code-one');
  assert.deepEqual(await one.locator('option').allInnerTexts(), ['a15', 'a16', 'a16Page', 'a17', 'a17Page']);
  await one.getByLabel('One function').selectOption({ label: 'a17' });
  // The code scrolls to the function, and says what else it needs.
  assert.ok(await rig.page.locator('.code-file[open] pre').evaluate((pre) => pre.scrollTop > 100));
  await one.getByText(/^It also needs \w+ \(\w+\.ts\)/).waitFor();
  await one.getByRole('button', { name: 'Copy a17' }).click();
  await one.getByRole('status').filter({ hasText: /Copied|did not allow/ }).waitFor();
  await rig.page.locator('.code-file summary').first().click();
  await rig.page.locator('.code-file pre').first().waitFor();
  const [saved] = await Promise.all([rig.page.waitForEvent('download'), rig.page.getByRole('button', { name: 'Download all' }).click()]);
  assert.equal(saved.suggestedFilename(), 'education-typescript.zip');
  // A folder of the browser's own stands for one of the person's.
  await rig.page.evaluate(() => {
    globalThis.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('project', { create: true });
  });
  await choice.selectOption('python');
  await rig.page.getByRole('button', { name: 'Write into a folder…' }).click();
  await rig.page.getByText(/^Wrote \d+ files into project\.$/).waitFor();
  await rig.page.getByRole('button', { name: 'Write into project again' }).click();
  await rig.page.getByText(/^Wrote \d+ files into project\.$/).waitFor();
  const written = await rig.page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('project');
    const texts = {};
    for await (const [name, handle] of folder.entries()) if (handle.kind === 'file') texts[name] = await (await handle.getFile()).text();
    return texts;
  });
  assert.match(Object.values(written).join('\n'), /^def a17/m, Object.keys(written).join());
  await choice.selectOption('typescript');
  await rig.picture('code-tab');
  const names = await choice.locator('option').evaluateAll((options) => options.map(({ value }) => value));
  assert.ok(names.length >= 14, names.join());
  const texts = {};
  for (const name of [...names.slice(1), names[0]]) {
    const there = rig.page.waitForResponse((response) => response.url().endsWith('/model/gen') && response.request().postData().includes(`"to":"${name}"`));
    await choice.selectOption(name);
    const { files } = await (await there).json();
    await rig.page.locator('.code-file summary', { hasText: files[0].path }).first().waitFor();
    texts[name] = files.map(({ text }) => text).join('\n');
    assert.ok(texts[name].length > 100, name);
  }
  assert.match(texts.typescript, /ExclusiveStartKey/);
  assert.match(texts.python, /ExclusiveStartKey/);
  assert.deepEqual(rig.errors, []);
  // The next design opens in the language that was chosen last.
  await choice.selectOption('go');
  await rig.open('/studio/model?model=d08_saas_orgs&tab=code');
  await rig.page.waitForFunction(() => document.querySelector('.code-target select')?.value === 'go');
});
