// A server that wants signatures: the page asks for a key, signs with it, and keeps it in its memory only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeFindings, inBothThemes } from './accessibility.mjs';
import { useStudio } from './rig.mjs';

const file = (path) => new URL(`../../../${path}`, import.meta.url).pathname;
const rig = useStudio({
  serve: ['--model', file('examples/models/d05_education.prejoin'), '--auth', 'required', '--credentials', file('tests/rig/credentials')],
});
const dialog = () => rig.page.getByRole('dialog');

async function signIn(id, secret) {
  await dialog().getByLabel('Access key id').fill(id);
  await dialog().getByLabel('Secret access key').fill(secret);
  await dialog().getByRole('button', { name: 'Sign in' }).click();
}

test('nothing is shown without a key, and a wrong one is asked for again', async () => {
  await rig.open('/studio/explore');
  await dialog().getByText('Sign in with an access key').waitFor();
  await inBothThemes(rig.page, async (theme) => assert.deepEqual(await axeFindings(rig.page), [], theme));
  await rig.picture('signing-asks');
  await signIn('test', 'wrong');
  await dialog().getByText(/The request signature we calculated does not match/).waitFor();
  await signIn('nobody', 'test');
  await dialog().getByText(/security token included in the request is invalid/).waitFor();
});

test('with a key the tables are there', async () => {
  await signIn('test', 'test');
  await rig.page.getByText('Signed with test').waitFor();
  await rig.page.getByRole('link', { name: 'Education' }).click();
  await rig.page.locator('.facts', { hasText: '7 items' }).waitFor();
  assert.equal(await dialog().count(), 0);
});

test('the key is nowhere but in memory', async () => {
  const kept = await rig.page.evaluate(async () =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, await indexedDB.databases()]));
  assert.ok(!kept.includes('secret') && !/"test"/.test(kept), kept);
  await rig.page.reload();
  await dialog().getByText('Sign in with an access key').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await rig.page.getByText('Not signed in.').waitFor();
  await rig.page.getByRole('button', { name: 'Sign in' }).click();
  await signIn('test', 'test');
  await rig.page.getByText('Signed with test').waitFor();
});
