import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/attribute_value.ts';
import type { TableDescription } from '../../src/api/dynamodb.ts';
import { matches } from '../../src/views/items/find.ts';
import { idParts, rowId, Side, sideKeys, unpackKey } from '../../src/views/items/side.ts';

const table: TableDescription = {
  TableName: 'T',
  TableStatus: 'ACTIVE',
  KeySchema: [
    { AttributeName: 'SK', KeyType: 'RANGE' },
    { AttributeName: 'PK', KeyType: 'HASH' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'S' },
    { AttributeName: 'G', AttributeType: 'S' },
    { AttributeName: 'n', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'GSI1',
      KeySchema: [
        { AttributeName: 'G', KeyType: 'HASH' },
        { AttributeName: 'n', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
};

function item(partition: string, sort: string, more: Item = {}): Item {
  return { PK: { S: partition }, SK: { S: sort }, ...more };
}

function picture(side: Side): string[] {
  return side.collections.map(({ partition, rows }) => `${partition}: ${rows.map((row) => row.sort).join(' ')}`);
}

describe('a side', () => {
  it('keeps collections and rows in order, however the pages come', () => {
    const side = new Side(sideKeys(table, null));
    side.add([item('b', '2'), item('b', '1'), item('d', '1')]);
    side.add([item('a', '1'), item('c', '1'), item('b', '3'), item('e', '1')]);
    expect(picture(side)).toEqual(['a: 1', 'b: 1 2 3', 'c: 1', 'd: 1', 'e: 1']);
    expect(side.count).toBe(7);
  });

  it('sorts an index by its own keys and types, and leaves out items without them', () => {
    const side = new Side(sideKeys(table, 'GSI1'));
    side.add([
      item('a', '1', { G: { S: 'g' }, n: { N: '10' } }),
      item('a', '2', { G: { S: 'g' }, n: { N: '9' } }),
      item('a', '3', { G: { S: 'g' } }),
      item('a', '4'),
    ]);
    expect(picture(side)).toEqual(['g: 9 10']);
  });

  it('keeps index entries with the same keys apart', () => {
    const side = new Side(sideKeys(table, 'GSI1'));
    const twins = ['x', 'y', 'z'].map((sort) => item('a', sort, { G: { S: 'g' }, n: { N: '1' } }));
    side.add(twins);
    expect(side.count).toBe(3);
    const id = rowId(twins[1]!, side.keys.table);
    expect(side.find(id, twins[1]!)).toEqual({ collection: 0, row: 1 });
    expect(side.remove(id, twins[1]!)).toBe(true);
    expect(side.find(id, twins[1]!)).toBeNull();
    expect(side.count).toBe(2);
  });

  it('sorts by every attribute of an index key that has several, each by its type', () => {
    const many: TableDescription = {
      ...table,
      GlobalSecondaryIndexes: [
        {
          IndexName: 'ByRound',
          KeySchema: [
            { AttributeName: 'G', KeyType: 'HASH' },
            { AttributeName: 'PK', KeyType: 'HASH' },
            { AttributeName: 'n', KeyType: 'RANGE' },
            { AttributeName: 'SK', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    };
    const side = new Side(sideKeys(many, 'ByRound'));
    const match = (region: string, round: string, id: string) => item(region, id, { G: { S: 'open' }, n: { N: round } });
    side.add([match('EU', '10', 'a'), match('US', '1', 'b'), match('EU', '2', 'd'), match('EU', '2', 'c')]);
    expect(side.collections.map(({ partition }) => unpackKey(partition, side.keys.partition))).toEqual([['open', 'EU'], ['open', 'US']]);
    expect(side.collections[0]!.rows.map((row) => unpackKey(row.sort, side.keys.sort))).toEqual([['2', 'c'], ['2', 'd'], ['10', 'a']]);
    const wanted = match('EU', '2', 'd');
    expect(side.find(rowId(wanted, side.keys.table), wanted)).toEqual({ collection: 0, row: 1 });
  });

  it('replaces an item of the same key and counts its bytes once', () => {
    const side = new Side(sideKeys(table, null));
    side.add([item('a', '1', { x: { S: 'long text' } })]);
    side.add([item('a', '1', { x: { S: 'short' } })]);
    expect(side.count).toBe(1);
    expect(side.bytes).toBe(2 + 1 + 2 + 1 + 1 + 5);
    expect(side.collections[0]!.bytes).toBe(side.bytes);
  });

  it('forgets a collection with its last item', () => {
    const side = new Side(sideKeys(table, null));
    side.add([item('a', '1'), item('b', '1')]);
    side.remove(rowId(item('a', '1'), ['PK', 'SK']), item('a', '1'));
    expect(picture(side)).toEqual(['b: 1']);
    expect(side.remove('nothing', item('a', '1'))).toBe(false);
  });

  it('agrees with sorting everything at once', () => {
    let seed = 7;
    const random = (limit: number) => (seed = (seed * 48271) % 2147483647) % limit;
    const side = new Side(sideKeys(table, null));
    const all = new Set<string>();
    for (let page = 0; page < 40; ++page) {
      const items = Array.from({ length: 25 }, () => item(`p${random(60)}`, `s${random(40)}`));
      items.forEach((one) => all.add(rowId(one, ['PK', 'SK'])));
      side.add(items);
    }
    const got = side.collections.flatMap(({ partition, rows }) => rows.map((row) => `${partition} ${row.sort}`));
    const expected = [...all].map((id) => `${idParts(id).partition} ${idParts(id).sort}`);
    expect(got).toEqual(expected.sort((a, b) => {
      const [p, q] = [a.split(' '), b.split(' ')];
      return p[0]! === q[0]! ? (p[1]! < q[1]! ? -1 : 1) : p[0]! < q[0]! ? -1 : 1;
    }));
    expect(side.count).toBe(all.size);
  });

  it('finds collections by the beginning of their key first', () => {
    const side = new Side(sideKeys(table, null));
    side.add([item('COURSE#S1', 'x'), item('S10', 'x'), item('S1', 'x')]);
    expect(matches(side, 's1')).toEqual([1, 2, 0]);
  });
});

describe('row ids', () => {
  it('differ for keys that look alike when joined', () => {
    const keys = ['PK', 'SK'];
    expect(rowId(item('ab', 'c'), keys)).not.toBe(rowId(item('a', 'bc'), keys));
    expect(idParts(rowId(item('a:b', '1:2'), keys))).toEqual({ partition: 'a:b', sort: '1:2' });
  });
});
