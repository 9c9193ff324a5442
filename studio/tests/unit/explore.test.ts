import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/attribute_value.ts';
import { csvTypes, kindOf, readItems, writeItems } from '../../src/views/explore/item_files.ts';
import { attributeTypes } from '../../src/views/explore/attribute_types.ts';
import { fittingIndex, missingKey, sourceOf } from '../../src/views/explore/scan_check.ts';
import { compareCells, columnsOf, editText, readCell } from '../../src/parts/cell_text.ts';
import { sorted } from '../../src/parts/grid_head.tsx';
import { awkwardItem } from './requests/awkward.ts';

const item: Item = { PK: { S: 'a' }, SK: { S: 'b' }, n: { N: '1' }, old: { S: 'x' }, set: { SS: ['p', 'q'] } };

describe('files', () => {
  it('of DynamoDB JSON lines lose nothing', () => {
    expect(readItems(writeItems([awkwardItem, item], 'lines', ['PK']), 'lines', {})).toEqual([awkwardItem, item]);
    expect(readItems('{"a": {"S": "b"}}\n\n{"Item": {"S": "bare"}}\n{"Item": {"M": {"S": "x"}}}', 'lines', {})).toEqual([
      { a: { S: 'b' } }, { Item: { S: 'bare' } }, { M: { S: 'x' } },
    ]);
  });

  it('of plain JSON keep numbers whole', () => {
    const items: Item[] = [{ a: { N: '12345678901234567890123456789012345678' }, b: { M: { c: { L: [{ NULL: true }] } } } }, { a: { S: '2' } }];
    expect(readItems(writeItems(items, 'json', []), 'json', {})).toEqual(items);
    expect(readItems('{"a": 1}', 'json', {})).toEqual([{ a: { N: '1' } }]);
  });

  it('of CSV come back with the types that are known', () => {
    const items: Item[] = [
      { PK: { S: 'a,"b"\nc' }, n: { N: '5' }, s: { SS: ['x', 'y'] }, empty: { S: '' }, ok: { BOOL: true } },
      { PK: { S: ' spaced ' }, m: { M: { k: { N: '1' } } } },
    ];
    const text = writeItems(items, 'csv', ['PK']);
    expect(text.split('\r\n')[0]).toBe('PK,empty,m,n,ok,s');
    expect(readItems(text, 'csv', { n: 'N', s: 'SS', m: 'M', ok: 'BOOL' })).toEqual(items);
    expect(readItems('\ufeffa,b\n1,\n', 'csv', {})).toEqual([{ a: { S: '1' } }]);
    expect(readItems('', 'csv', {})).toEqual([]);
  });

  it('of CSV suggest the types of their columns', () => {
    const types = (text: string) => ({ ...csvTypes(text) });
    expect(types('price,zip,paid,mixed,gaps\n1.50,01234,true,1,\n-3,99999,false,x,7\n')).toEqual({ price: 'N', zip: 'S', paid: 'BOOL', mixed: 'S', gaps: 'N' });
    expect(types(`n\n${'1'.repeat(38)}\n`)).toEqual({ n: 'N' });
    expect(types(`n\n${'1'.repeat(39)}\n`)).toEqual({ n: 'S' });
    expect(types('empty,said\n,"12"\n')).toEqual({ empty: 'S', said: 'S' });
    expect(types('"all","quoted"\n"12","x"\n')).toEqual({ all: 'N', quoted: 'S' });
    const items: Item[] = [{ PK: { S: '12' }, text: { S: 'true' }, n: { N: '7' }, ok: { BOOL: false } }];
    const text = writeItems(items, 'csv', ['PK']);
    expect(readItems(text, 'csv', csvTypes(text))).toEqual(items);
  });

  it('say the line of what is wrong', () => {
    expect(() => readItems('{"a": {"S": "b"}}\n{"a": 1}', 'lines', {})).toThrow('Line 2: A value names its type');
    expect(() => readItems('[\n{"a": 1},\n{"a": x}]', 'json', {})).toThrow('Line 3:');
    expect(() => readItems('a,n\n"x\ny",1\nz,two', 'csv', { n: 'N' })).toThrow('Line 4: n must be a number');
    expect(() => readItems('a\n"x', 'csv', {})).toThrow('Line 2: A quote is not closed');
    expect(() => readItems('a\nx,y', 'csv', {})).toThrow('2 cells, but 1 columns');
    expect(() => readItems('a\n"x"y', 'csv', {})).toThrow('follows a closing quote');
  });

  it('are known by their ending or their beginning', () => {
    expect(kindOf('a.CSV', '')).toBe('csv');
    expect(kindOf('a.jsonl', '[')).toBe('lines');
    expect(kindOf('a.json', ' [{}]')).toBe('json');
    expect(kindOf('a.json', '{"Item": {}}')).toBe('lines');
  });
});

describe('types of a table', () => {
  async function* paged(...pages: Item[][]) {
    for (const [at, Items] of pages.entries()) yield at + 1 < pages.length ? { Items, LastEvaluatedKey: { PK: { S: 'x' } } } : { Items };
  }
  const table = { AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' as const }, { AttributeName: 'GSI1SK', AttributeType: 'N' as const }] };
  const filler = Array.from({ length: 600 }, (_, at): Item => ({ PK: { S: `a${at}` } }));

  it('come from items that are far behind the first page', async () => {
    const known = await attributeTypes(['PK', 'total', 'tags', 'GSI1SK'], table, [], paged(filler, filler, [{ PK: { S: 'z' }, total: { N: '5' }, tags: { SS: ['x'] } }]));
    expect(known.types).toMatchObject({ PK: 'S', GSI1SK: 'N', total: 'N', tags: 'SS' });
    expect(known).toMatchObject({ itemsRead: 1201, all: true, mixed: {} });
    expect(readItems('PK,total,tags,GSI1SK\nb,7,"[""p""]",3\n', 'csv', known.types)).toEqual([{ PK: { S: 'b' }, total: { N: '7' }, tags: { SS: ['p'] }, GSI1SK: { N: '3' } }]);
  });

  it('come from the model where no item tells', async () => {
    const { types } = await attributeTypes(['total'], table, [{ name: 'total', type: 'N', entities: ['Order'] }], paged(filler));
    expect(types['total']).toBe('N');
  });

  it('that differ are told, unless the model decides or one is nothing', async () => {
    const items: Item[] = [{ PK: { S: 'a' }, code: { N: '1' }, gone: { NULL: true } }, { PK: { S: 'b' }, code: { S: 'x' }, gone: { BOOL: true } }];
    const open = await attributeTypes(['code'], table, [], paged(items));
    expect(open.mixed).toEqual({ code: ['N', 'S'] });
    expect(open.types['gone']).toBe('BOOL');
    const modelled = await attributeTypes(['code'], table, [{ name: 'code', type: 'S', entities: ['X'] }], paged(items));
    expect(modelled).toMatchObject({ mixed: {}, types: { code: 'S' } });
  });

  it('are looked for in a bounded number of items', async () => {
    async function* endless() {
      for (;;) yield { Items: filler, LastEvaluatedKey: { PK: { S: 'x' } } };
    }
    expect(await attributeTypes(['PK'], table, [], endless())).toMatchObject({ itemsRead: 1200, all: false });
    expect(await attributeTypes(['PK', 'rare'], table, [], endless())).toMatchObject({ itemsRead: 10_200, all: false });
  });

  it('decide how a new value of a cell is read', () => {
    expect(readCell('123', undefined, 'S')).toEqual({ S: '123' });
    expect(readCell('123', undefined)).toEqual({ N: '123' });
    expect(() => readCell('x', undefined, 'N')).toThrow('number');
  });
});

describe('a SELECT', () => {
  const where = (text: string) => missingKey(`SELECT * FROM "T" WHERE ${text}`, ['PK']);

  it.each([
    `PK = 'a'`, `"PK" = 'a' AND x > 1`, `x = 1 AND PK IN ['a', 'b']`, `'a' = PK`, `(PK = 'a')`, `PK = 'a' OR PK = 'b'`,
    `(PK = 'a' AND x = 1) OR (PK = 'b')`, `x BETWEEN 1 AND 2 AND PK = 'a'`, `pk = 1 AND PK = ? ORDER BY SK DESC`,
  ])('is a query: %s', (text) => expect(where(text)).toBeNull());

  it.each([
    `x = 1`, `pk = 'a'`, `PK > 'a'`, `begins_with(PK, 'a')`, `PK = 'a' OR x = 1`, `NOT PK = 'a'`, `x = 'PK = 1'`, `PK BETWEEN 'a' AND 'b'`, `NOT (PK = 'a')`,
  ])('is a scan: %s', (text) => expect(where(text)).toBe('PK'));

  it('without WHERE is a scan, and other statements are none', () => {
    expect(missingKey('SELECT * FROM T', ['PK'])).toBe('PK');
    expect(missingKey(`UPDATE T SET x = 1 WHERE PK = 'a'`, ['PK'])).toBeNull();
    expect(missingKey(`SELECT * FROM T WHERE a = 1`, ['a', 'b'])).toBe('b');
  });

  it('knows the index that would make it a query', () => {
    const indexes = [{ name: 'ByDate', hashKeys: ['Date'] }, { name: 'GSI1', hashKeys: ['GSI1-PK'] }, { name: 'Two', hashKeys: ['a', 'b'] }];
    expect(fittingIndex(`SELECT * FROM T WHERE "GSI1-PK" = 'x'`, indexes)).toBe('GSI1');
    expect(fittingIndex(`SELECT * FROM T WHERE "GSI1-PK" > 'x'`, indexes)).toBeNull();
    expect(fittingIndex(`SELECT * FROM T WHERE a = 1`, indexes)).toBeNull();
    expect(fittingIndex(`SELECT * FROM T WHERE a = 1 AND b = 2`, indexes)).toBe('Two');
    expect(fittingIndex('SELECT * FROM T', indexes)).toBeNull();
  });

  it('names where it reads', () => {
    expect(sourceOf('select a from "My Table"."GSI1" where x = 1')).toEqual({ table: 'My Table', index: 'GSI1' });
    expect(sourceOf('SELECT * FROM Music')).toEqual({ table: 'Music' });
    expect(sourceOf('DELETE FROM Music')).toBeNull();
  });
});

describe('cells', () => {
  it('keep their type', () => {
    expect(readCell('5', { S: 'x' })).toEqual({ S: '5' });
    expect(readCell(' 5 ', { N: '1' })).toEqual({ N: '5' });
    expect(() => readCell('x', { N: '1' })).toThrow('number');
    expect(readCell('["b"]', { SS: ['a'] })).toEqual({ SS: ['b'] });
    expect(() => readCell('5', { BOOL: true })).toThrow('changes the type');
    expect(readCell('5', undefined)).toEqual({ N: '5' });
    expect(readCell('hello', undefined)).toEqual({ S: 'hello' });
    expect(editText({ M: { a: { N: '1' } } })).toBe('{ "a": 1 }');
  });

  it('sort by value, and what is missing last', () => {
    const items: Item[] = [{ n: { N: '10' } }, {}, { n: { N: '9' } }];
    expect(sorted(items, { column: 'n', down: false })).toEqual([items[2], items[0], items[1]]);
    expect(sorted(items, { column: 'n', down: true })).toEqual([items[0], items[2], items[1]]);
    expect(compareCells({ S: 'a' }, { S: 'b' })).toBeLessThan(0);
    expect(columnsOf([{ b: { S: '' }, PK: { S: '' } }, { a: { S: '' } }], ['PK'])).toEqual(['PK', 'a', 'b']);
  });
});
