import { describe, expect, it } from 'vitest';
import type { Edit, Fix } from '../../src/api/model.ts';
import { applyEdits, changesOf } from '../../src/design/fixes.ts';

const source = `table School partition PK sort SK {
  item Größe { // Two bytes each.
    SK = "ß#{id}"
  }
}
`;

const edit = (place: [number, number, number, number], removed: string, text: string): Edit => {
  const [line, column, endLine, endColumn] = place;
  return { line, column, endLine, endColumn, removed, text };
};
const fix = (title: string, applicability: Fix['applicability'], ...edits: Edit[]): Fix => ({ title, applicability, edits });

describe('edits', () => {
  it('are counted in bytes and made in order', () => {
    const text = applyEdits(source, [edit([2, 8, 2, 15], 'Größe', 'Size'), edit([3, 11, 3, 13], 'ß', 'S'), edit([4, 1, 4, 1], '', '    A = "1"\n')]);
    expect(text).toBe(source.replace('Größe', 'Size').replace('"ß#', '"S#').replace('  }\n}', '    A = "1"\n  }\n}'));
  });

  it('remove and append whole lines', () => {
    expect(applyEdits('a\nb\n', [edit([1, 1, 2, 1], 'a\n', ''), edit([3, 1, 3, 1], '', '\nc\n')])).toBe('b\n\nc\n');
  });

  it('are not made on another text, nor over each other', () => {
    expect(applyEdits(source, [edit([2, 8, 2, 12], 'Size', 'x')])).toBeNull();
    expect(applyEdits('a', [edit([9, 1, 9, 1], '', 'x')])).toBeNull();
    expect(applyEdits('ab', [edit([1, 1, 1, 3], 'ab', 'x'), edit([1, 2, 1, 3], 'b', 'y')])).toBeNull();
  });
});

describe('changes of a finding', () => {
  it('are one button, or one for each choice', () => {
    const one = fix('add to `table T`', 'unsafe', edit([1, 1, 1, 1], '', 'x'));
    const choice = fix('write `Org`', 'display', edit([1, 1, 1, 2], 'a', 'Org'));
    expect(changesOf('a', { fixes: [one] })).toEqual([{ title: 'Apply this', text: 'xa' }]);
    expect(changesOf('a', { fixes: [choice] })).toEqual([{ title: 'Write Org', text: 'Org' }]);
    expect(changesOf('a', { fixes: [choice, one] }).map(({ title }) => title)).toEqual(['Write Org', 'Add to table T']);
  });

  it('leave out what is about another text', () => {
    expect(changesOf('b', { fixes: [fix('write `Org`', 'safe', edit([1, 1, 1, 2], 'a', 'Org'))] })).toEqual([]);
    expect(changesOf('b', {})).toEqual([]);
  });

  it('name a new table after the design', () => {
    const append = fix('add at the end of the file', 'unsafe', edit([2, 1, 2, 1], '', '\ntable Main partition PK {\n}\n'));
    expect(changesOf('model "Pet shop"\n', { fixes: [append] })[0]!.text).toMatch(/^table PetShop partition PK \{$/m);
  });
});
