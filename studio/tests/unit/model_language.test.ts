import { StringStream } from '@codemirror/language';
import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/api/model.ts';
import { choicesAt, openBlocks } from '../../src/views/model/editor/completion.ts';
import { modelParser, modelTags } from '../../src/views/model/editor/language.ts';
import { unitsOf } from '../../src/design/units_of.ts';
import { lineOfDeclaration, rangeOf } from '../../src/views/model/editor/places.ts';

// Tokens as `word:kind`, those without a kind bare, spaces left out.
function tokens(text: string): string[] {
  const state = modelParser.startState!(2);
  return text.split('\n').flatMap((line) => {
    const found: string[] = [];
    const stream = new StringStream(line, 2, 2);
    while (!stream.eol()) {
      const kind = modelParser.token(stream, state);
      expect(stream.pos, `stuck at ${stream.start} of ${line}`).toBeGreaterThan(stream.start);
      if (kind) expect(Object.keys(modelTags)).toContain(kind);
      const word = stream.current();
      if (word.trim() !== '') found.push(kind ? `${word}:${kind}` : word);
      stream.start = stream.pos;
    }
    return found;
  });
}

describe('language', () => {
  it('tells statements, names, types, flags and numbers', () => {
    expect(tokens('entity Student {')).toEqual(['entity:statement', 'Student:name', '{']);
    expect(tokens('  id text(~20, max 200) key')).toEqual([
      'id', 'text:valueType', '(', '~20:number', ',', 'max:word', '200:number', ')', 'key:word',
    ]);
    expect(tokens('  count 20_000')).toEqual(['count:statement', '20_000:number']);
    expect(tokens('  rate 5/s')).toEqual(['rate:statement', '5/s:number']);
    expect(tokens('relationship R: A one-to-many B')).toEqual([
      'relationship:statement', 'R:name', ':', 'A', 'one-to-many:word', 'B',
    ]);
  });

  it('knows every word of the language', () => {
    expect(tokens('  ttl expires kept 90')[0]).toBe('ttl:statement');
    expect(tokens('  a text distinct 5 zipf 1 hottest 2 grows spread').filter((one) => one.endsWith(':word'))).toEqual(['distinct:word', 'zipf:word', 'hottest:word', 'grows:word', 'spread:word']);
    expect(tokens('  scan allowed because "x"').slice(0, 3)).toEqual(['scan:statement', 'allowed:word', 'because:word']);
    expect(tokens('  put A times 3')).toEqual(['put:statement', 'A', 'times:word', '3:number']);
    expect(tokens('  rate 2/s peak 3/s')).toEqual(['rate:statement', '2/s:number', 'peak:word', '3/s:number']);
  });

  it('sees the values in a key template', () => {
    expect(tokens('PK = "STU#{id}#x{n pad 6}"')).toEqual([
      'PK', '=', '"STU#:text', '{id}:hole', '#x:text', '{n pad 6}:hole', '":text',
    ]);
    expect(tokens('PK = "{id}"')).toEqual(['PK', '=', '":text', '{id}:hole', '":text']);
  });

  it('takes an attribute called like a word of the language as what it is', () => {
    expect(tokens('  type text')[0]).toBe('type:statement');
    expect(tokens('  key text')).toEqual(['key', 'text:valueType']);
  });

  it('knows parameters, comments and escaped quotes', () => {
    expect(tokens('find A where b = :c // note')).toEqual(['find:statement', 'A', 'where:word', 'b', '=', ':c:parameter', '// note:comment']);
    expect(tokens(String.raw`model "a \" b" x`)).toEqual(['model:statement', String.raw`"a \" b":text`, 'x']);
  });

  it('ends a text with its line, however broken', () => {
    expect(tokens('PK = "STU#{id\nSK = 1')).toEqual(['PK', '=', '"STU#:text', '{id:hole', 'SK', '=', '1:number']);
    expect(tokens('"{"{"\\')).toEqual(['":text', '{:hole', '":text', '{', '"\\:text']);
  });

  it('counts the blocks that are open', () => {
    const state = modelParser.startState!(2);
    for (const line of ['table T partition PK {', '  item A {', '    PK = "{id}"', '  }']) {
      const stream = new StringStream(line, 2, 2);
      while (!stream.eol()) {
        modelParser.token(stream, state);
        stream.start = stream.pos;
      }
    }
    expect(state.depth).toBe(1);
  });
});

describe('places', () => {
  it('count bytes', () => {
    expect(unitsOf('Opéra', 3)).toBe(2);
    expect(unitsOf('Opéra', 4)).toBe(3);
    expect(unitsOf('a😀b', 5)).toBe(3);
    expect(unitsOf('short', 99)).toBe(5);
    expect(unitsOf('', 3)).toBe(0);
  });

  const text = ['first', '  "Opéra" Zip'];
  const lineAt = (line: number) => ({ from: line === 1 ? 0 : 6, text: text[line - 1]! });

  it('become positions', () => {
    expect(rangeOf({ line: 2, column: 12, length: 3 }, 2, lineAt)).toEqual({ from: 16, to: 19 });
    expect(rangeOf({ line: 1, column: 1, length: 5 }, 2, lineAt)).toEqual({ from: 0, to: 5 });
  });

  it('stay inside the text', () => {
    expect(rangeOf({ line: 0, column: 1, length: 1 }, 2, lineAt)).toEqual({ from: 0, to: 5 });
    expect(rangeOf({ line: 9, column: 80, length: 4 }, 2, lineAt)).toEqual({ from: 19, to: 19 });
    expect(rangeOf({ line: 1, column: 3, length: 99 }, 2, lineAt)).toEqual({ from: 2, to: 5 });
  });

  it('of declarations are found by whole names', () => {
    const source = 'relationship OrgUsers: A one-to-many B\n  relationship Org: …\nhierarchy Places: S';
    expect(lineOfDeclaration(source, 'relationship', 'Org')).toBe(2);
    expect(lineOfDeclaration(source, 'hierarchy', 'Places')).toBe(3);
    expect(lineOfDeclaration(source, 'entity', 'Places')).toBeNull();
    expect(lineOfDeclaration('entity A-B {', 'entity', 'A')).toBeNull();
  });
});

describe('completion', () => {
  const attribute = (name: string) => ({ name, type: 'text', averageBytes: 1, maximumBytes: 1 });
  const model = {
    entities: [{ name: 'Student', line: 1, attributes: [attribute('id'), attribute('name')] }],
    relationships: [{ name: 'Enrolments' }],
    tables: [{ partition: 'PK', sort: 'SK', indexes: [{ partition: ['GSI1PK'], sort: [] }] }],
  } as unknown as Model;
  const labels = (before: string) => choicesAt(before, model).map((choice) => choice.label);

  it('knows the blocks around the place', () => {
    expect(openBlocks('table T {\n  item A {\n    PK = "x{"\n  }\n  // item B {\n')).toEqual(['table T']);
  });

  it('offers what may begin a line', () => {
    expect(labels('ent')).toContain('entity');
    expect(labels('pattern A "a" {\n  ')).toEqual(['find', 'count', 'sum', 'rate', 'returns', 'fresh', 'example', 'scan', 'one', 'allow']);
    expect(labels('table T partition PK {\n  item Student {\n    ')).toContain('GSI1PK');
  });

  it('offers entities, attributes and types where they belong', () => {
    expect(labels('pattern A "a" {\n  find ')).toEqual(['Student']);
    expect(labels('pattern A "a" {\n  find Student where ')).toContain('name');
    expect(labels('x references Student.')).toEqual(['id', 'name']);
    expect(labels('entity A {\n  id ')).toContain('text-set');
    expect(labels('entity A {\n  id text ')).toContain('key');
    expect(labels('strategy ')).toEqual(['Enrolments']);
    expect(labels('strategy Enrolments = ')).toContain('adjacency-list');
  });

  it('offers every word of the language where it may stand', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['items', 'tenant']));
    expect(labels('entity A {\n  ')).toEqual(['count', 'kept', 'ttl', 'together', 'allow']);
    expect(labels('entity A {\n  id text ')).toEqual(expect.arrayContaining(['zipf', 'hottest', 'grows', 'spread', 'distinct']));
    expect(labels('pattern A {\n  find Student ')).toEqual(expect.arrayContaining(['returns', 'exists']));
    expect(labels('pattern A {\n  rate 5/s ')).toEqual(['peak', 'from', 'to']);
    expect(labels('pattern A {\n  scan ')).toEqual(['because', 'allowed']);
    expect(labels('write A {\n  put Student ')).toEqual(expect.arrayContaining(['times', 'remove', 'each']));
    expect(labels('allow PJ101 ')).toEqual(['because']);
  });

  it('offers attributes in a template, nothing in other texts and comments', () => {
    expect(labels('table T {\n  item Student {\n    PK = "STU#{')).toEqual(['id', 'name']);
    expect(labels('model "ent')).toEqual([]);
    expect(labels('// ent')).toEqual([]);
  });

  it('bears that there is no model yet', () => {
    expect(choicesAt('pattern A "a" {\n  find ', null)).toEqual([]);
  });
});
