import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/attribute_value.ts';
import { TextError } from '../../src/parts/json_text.ts';
import { printItem, readItem, readPlainValue, type Form } from '../../src/parts/item_text.ts';
import { awkwardItem } from './requests/awkward.ts';

const errorOf = (text: string, form: Form = 'dynamodb') => {
  try {
    return readItem(text, form);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    return { message: error.message, line: error.place.line, column: error.place.column };
  }
};

describe('items as text', () => {
  it('come back as they went, in both forms', () => {
    expect(readItem(printItem(awkwardItem, 'dynamodb'), 'dynamodb')).toEqual(awkwardItem);
    expect(readItem(printItem(awkwardItem, 'plain'), 'plain', awkwardItem)).toEqual(awkwardItem);
  });

  it('keep every digit in plain JSON', () => {
    expect(readItem('{"n": 12345678901234567890123456789012345678}', 'plain')).toEqual({ n: { N: '12345678901234567890123456789012345678' } });
  });

  it('keep sets and binary values only where they were', () => {
    const hint: Item = { tags: { SS: ['a'] }, list: { L: [{ S: 'a' }] }, bytes: { B: 'AA==' } };
    expect(readItem('{"tags": ["b", "c"], "list": ["b"], "bytes": "AQ==", "new": ["x"]}', 'plain', hint)).toEqual({
      tags: { SS: ['b', 'c'] }, list: { L: [{ S: 'b' }] }, bytes: { B: 'AQ==' }, new: { L: [{ S: 'x' }] },
    });
    expect(readItem('{"tags": ["b", 1], "bytes": "not base64"}', 'plain', hint)).toEqual({ tags: { L: [{ S: 'b' }, { N: '1' }] }, bytes: { S: 'not base64' } });
    expect(readItem('{"tags": []}', 'plain', hint)).toEqual({ tags: { L: [] } });
  });

  it('take attributes with the names of object members', () => {
    expect(readItem('{"constructor": 1, "toString": "x"}', 'plain', { a: { S: '' } })).toEqual({ constructor: { N: '1' }, toString: { S: 'x' } });
  });

  it.each([
    ['{\n  "a": {"S": 1}\n}', 'Text needs double quotes', 2, 14],
    ['{"a": {"X": "b"}}', 'There is no type “X”', 1, 8],
    ['{"a": {"N": "1x"}}', 'no number', 1, 13],
    ['{"a": {"N": 1}}', 'double quotes', 1, 13],
    ['{"a": "b"}', 'names its type', 1, 7],
    ['{"a": {"S": "b", "N": "1"}}', 'names its type', 1, 7],
    ['{"a": {"SS": []}}', 'cannot be empty', 1, 14],
    ['{"a": {"BOOL": "true"}}', 'true or false', 1, 16],
    ['{"a": {"B": "?"}}', 'base64', 1, 13],
    ['[1]', 'An item is an object', 1, 1],
  ])('say what is wrong and where: %s', (text, message, line, column) => {
    expect(errorOf(text)).toEqual({ message: expect.stringContaining(message), line, column });
  });

  it.each([
    ['{"a": 1,}', 'name in double quotes', 1, 9],
    ['{"a": 1\n "b": 2}', 'comma or }', 2, 2],
    ["{'a': 1}", 'name in double quotes', 1, 2],
    ['{"a": \'x\'}', 'Text needs double quotes', 1, 7],
    ['{"a": "x}', 'not closed', 1, 7],
    ['{"a": 1} x', 'Nothing may follow', 1, 10],
    ['{"a": 1, "a": 2}', 'there twice', 1, 10],
    ['{"a": 01}', 'comma or }', 1, 8],
    ['{"a": "\\x"}', 'escape', 1, 7],
    ['{"a":', 'ends too early', 1, 6],
    ['', 'ends too early', 1, 1],
    [`{"a": ${'['.repeat(170)}`, 'too deep', 1, 167],
  ])('say where JSON breaks: %s', (text, message, line, column) => {
    expect(errorOf(text, 'plain')).toEqual({ message: expect.stringContaining(message), line, column });
  });

  it('read single values', () => {
    expect(readPlainValue('["x"]', { SS: ['y'] })).toEqual({ SS: ['x'] });
    expect(readPlainValue('null')).toEqual({ NULL: true });
  });
});
