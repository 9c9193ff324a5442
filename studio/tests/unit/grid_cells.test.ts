import { describe, expect, it } from 'vitest';
import { asRows, clearedCells, covers, pasteOver, rangeOf, readRows } from '../../src/parts/grid_cells.ts';

const item = (id: string, rest = {}) => ({ PK: { S: id }, ...rest });
const rows = [item('a', { n: { N: '1' }, note: { S: 'x' } }), item('b', { n: { N: '2' } })];
const sheet = { rows, columns: ['PK', 'n', 'note'], keys: ['PK'], typeOfNew: (name: string) => (name === 'n' ? ('N' as const) : ('S' as const)) };
const at = (row: number, column: number) => rangeOf({ row, column }, { row, column });

describe('rows of a spreadsheet', () => {
  it('are read as they were written, whatever the values hold', () => {
    const hostile = [item('tab\there', { note: { S: 'line\nbreak "quoted"' } }), item('🚀', { n: { N: '-0.5' } })];
    const text = asRows(hostile, ['PK', 'n', 'note']);
    expect(readRows(text)).toEqual([['tab\there', '', 'line\nbreak "quoted"'], ['🚀', '-0.5', '']]);
  });

  it('end with a line end or without, in the ways of every system', () => {
    expect(readRows('a\tb\r\nc\td\r\n')).toEqual([['a', 'b'], ['c', 'd']]);
    expect(readRows('one')).toEqual([['one']]);
    expect(readRows('')).toEqual([['']]);
    expect(readRows('a\t\n\tb')).toEqual([['a', ''], ['', 'b']]);
    expect(readRows('5" pipe\t"')).toEqual([['5" pipe', '"']]);
  });
});

describe('a paste', () => {
  it('changes what differs, with the types that are there', () => {
    const { edits, added } = pasteOver(sheet, at(0, 1), [['1', 'y'], ['7', '']]);
    expect(edits).toEqual([
      { item: rows[0], changes: [{ name: 'note', before: { S: 'x' }, after: { S: 'y' } }] },
      { item: rows[1], changes: [{ name: 'n', before: { N: '2' }, after: { N: '7' } }] },
    ]);
    expect(added).toEqual([]);
  });

  it('of one cell fills the selection, and an empty one clears it', () => {
    const range = rangeOf({ row: 1, column: 1 }, { row: 0, column: 1 });
    expect(pasteOver(sheet, range, [['9']]).edits.map(({ changes }) => changes[0]!.after)).toEqual([{ N: '9' }, { N: '9' }]);
    expect(clearedCells(sheet, rangeOf({ row: 0, column: 2 }, { row: 1, column: 2 }))).toEqual([{ item: rows[0], changes: [{ name: 'note', before: { S: 'x' } }] }]);
  });

  it('behind the last row makes items, if the key is among its columns', () => {
    expect(pasteOver(sheet, at(1, 0), [['b', '2', ''], ['c', '3', 'new']]).added).toEqual([{ PK: { S: 'c' }, n: { N: '3' }, note: { S: 'new' } }]);
    expect(() => pasteOver(sheet, at(1, 1), [['2'], ['3']])).toThrow(/lack PK/);
  });

  it('that does not fit changes nothing and says why', () => {
    expect(() => pasteOver(sheet, at(0, 0), [['other']])).toThrow('PK is part of the key and cannot change.');
    expect(() => pasteOver(sheet, at(0, 1), [['word']])).toThrow(/is a number/);
    expect(() => pasteOver(sheet, at(0, 1), [['1', 'x', 'more']])).toThrow(/3 columns, but only 2/);
    expect(() => pasteOver({ ...sheet, locked: () => 'Not here.' }, at(0, 1), [['5']])).toThrow('Not here.');
  });
});

describe('a selection', () => {
  it('is the same from either corner', () => {
    const range = rangeOf({ row: 3, column: 0 }, { row: 1, column: 2 });
    expect(range).toEqual({ top: 1, left: 0, bottom: 3, right: 2 });
    expect(covers(range, { row: 2, column: 1 })).toBe(true);
    expect(covers(range, { row: 0, column: 1 })).toBe(false);
  });
});
