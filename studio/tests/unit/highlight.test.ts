// Colours never change a character, and find what they are meant to.
import { describe, expect, it } from 'vitest';
import { highlighted } from '../../src/parts/highlight.ts';

const kinds = (code: string, kind: string) => highlighted(code).filter((piece) => piece.kind === kind).map(({ text }) => text);

describe('colours of code', () => {
  it.each([
    '', "it's a 'text' // not a comment? yes\n", '#include <map>\n#define X 1', 'x = "a # b"  # a comment\ny = 3', '/* open', '"""doc\nmore""" 1_000', "const a = 'it\\'s'; `b ${c}`",
    'a'.repeat(70_000),
  ])('keep %j', (code) => expect(highlighted(code).map(({ text }) => text).join('')).toBe(code));

  it('know comments from texts in every language', () => {
    expect(kinds('x = "a # b"  # a comment', 'comment')).toEqual(['# a comment']);
    expect(kinds('#include <map>\nint x; // why', 'comment')).toEqual(['// why']);
    expect(kinds("--key '{\"#n\": 1}'", 'text')).toEqual(["'{\"#n\": 1}'"]);
    expect(kinds('return new Thing(12)', 'word')).toEqual(['return', 'new']);
    expect(kinds('return new Thing(12)', 'number')).toEqual(['12']);
  });
});
