// Values and names that break code which quotes carelessly.
import type { Item } from '../../../src/api/attribute_value.ts';
import type { Draft } from '../../../src/requests/draft.ts';

export const awkwardItem: Item = {
  PK: { S: `it's "quoted" \\ back\\u0041slash $HOME \`cmd\` %s {x}` },
  SK: { S: 'line one\nline two\ttab\r\u0001\u2028end' },
  'GSI1-PK': { S: 'Ωλ 東京 🚀 é' },
  'a.b': { N: '12345678901234567890123456789012345678' },
  "it's": { N: '-1.5E-100' },
  Bytes: { B: 'AP8QgA==' },
  ByteSet: { BS: ['AA==', '/w=='] },
  Words: { SS: ["'", '"', '\\'] },
  Numbers: { NS: ['1', '99999999999999999999999999999999999999'] },
  Yes: { BOOL: true },
  No: { BOOL: false },
  Nothing: { NULL: true },
  Empty: { S: '' },
  __proto__x: { S: 'fine' },
  Nested: { M: { "k'ey": { L: [{ S: 'a' }, { M: { deep: { N: '1' } } }, { L: [] }] }, empty: { M: {} }, S: { S: 'S' } } },
};

export const awkwardPut: Draft = {
  operation: 'PutItem',
  table: 'My.Table-1',
  key: [],
  item: awkwardItem,
  condition: { join: 'AND', parts: [{ left: { path: ['PK'] }, test: 'attribute_not_exists', right: [] }] },
};

export const rosterQuery: Draft = {
  operation: 'Query',
  table: 'Education',
  index: 'GSI1',
  key: [
    { name: 'GSI1-PK', test: '=', values: [{ S: 'COURSE#C1' }] },
    { name: 'GSI1-SK', test: 'begins_with', values: [{ S: 'STUDENT#' }] },
  ],
  filter: { join: 'OR', parts: [{ left: { path: ['Grade'] }, test: '=', right: [{ value: { S: 'A' } }] }, { left: { path: ['Grade'] }, test: 'attribute_not_exists', right: [] }] },
  projection: [['GSI1-SK'], ['Grade']],
  descending: true,
  limit: 20,
};

export const gradeUpdate: Draft = {
  operation: 'UpdateItem',
  table: 'Education',
  key: [
    { name: 'PK', test: '=', values: [{ S: 'STUDENT#S1' }] },
    { name: 'SK', test: '=', values: [{ S: 'COURSE#C1' }] },
  ],
  update: [
    { action: 'SET', path: ['Grade'], form: 'value', operand: { value: { S: 'A+' } } },
    { action: 'SET', path: ['Count'], form: 'plus', fallback: { N: '0' }, operand: { value: { N: '1' } } },
    { action: 'SET', path: ['Notes', 'list'], form: 'append', operand: { value: { L: [{ S: 'x' }] } } },
    { action: 'REMOVE', path: ['Draft', 2, 'a.b'] },
    { action: 'ADD', path: ['Tags'], value: { SS: ['new'] } },
    { action: 'DELETE', path: ['OldTags'], value: { SS: ['gone'] } },
  ],
  condition: { join: 'AND', parts: [{ left: { path: ['PK'] }, test: 'attribute_exists', right: [] }] },
  returns: 'ALL_NEW',
};
