import { describe, expect, it } from 'vitest';
import { packDraft, unpackDraft } from '../../../src/requests/link.ts';
import { attributesIn, renderPrefix as render } from '../../../src/design/key_template.ts';
import { awkwardPut, gradeUpdate, rosterQuery } from './awkward.ts';

describe('key templates', () => {
  it('take values', () => {
    expect(render('STU#{id}', { id: 'a91' })).toEqual({ text: 'STU#a91', complete: true });
    expect(render('METADATA', {})).toEqual({ text: 'METADATA', complete: true });
    expect(render('{n pad 4}#{a lower}#{b upper}', { n: '7', a: 'Ab', b: 'Ab' })).toEqual({ text: '0007#ab#AB', complete: true });
    expect(attributesIn('{State}#{City}#{Zip}')).toEqual(['State', 'City', 'Zip']);
  });

  it('end a prefix behind a delimiter, never inside a value', () => {
    const template = '{State}#{City}#{Zip}';
    expect(render(template, {})).toEqual({ text: '', complete: false });
    expect(render(template, { State: 'NY' })).toEqual({ text: 'NY#', complete: false });
    expect(render(template, { State: 'NY', City: 'NEWYORK' })).toEqual({ text: 'NY#NEWYORK#', complete: false });
    expect(render(template, { State: 'NY', Zip: '10001' })).toEqual({ text: 'NY#', complete: false });
  });

  it('find the shard as the server does', () => {
    // FNV-1a of "x", 64 bits, is 0xaf63f54c86021707.
    expect(render('V#{shard 8 of voter}', { voter: 'x' })).toEqual({ text: 'V#7', complete: true });
    expect(render('V#{shard 8 of voter}', {})).toEqual({ text: 'V#', complete: false });
    expect(attributesIn('V#{shard 8 of voter}')).toEqual(['voter']);
  });

  it('know an attribute that is called like something every object has', () => {
    expect(render('{constructor}', {})).toEqual({ text: '', complete: false });
  });
});

describe('links', () => {
  it('carry the whole request', async () => {
    for (const draft of [awkwardPut, gradeUpdate, rosterQuery]) {
      const word = await packDraft(draft);
      expect(word).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(await unpackDraft(word)).toEqual(draft);
    }
    expect((await packDraft(rosterQuery)).length).toBeLessThan(400);
  });

  it('say so when they are torn', async () => {
    const word = await packDraft(rosterQuery);
    for (const torn of ['', 'x', word.slice(0, -9), `${word.slice(0, 20)}!`, btoa('{}')]) await expect(unpackDraft(torn)).rejects.toThrow('incomplete');
  });
});
