import { afterEach, describe, expect, it, vi } from 'vitest';
import { batches, describeReport, loadDesign, resetDesign, type Put } from '../../src/design/load.ts';

const schema = [
  { AttributeName: 'PK', KeyType: 'HASH' as const },
  { AttributeName: 'SK', KeyType: 'RANGE' as const },
];
const put = (key: string, name = key): Put => ({
  table: 'T',
  item: { PK: { S: key }, SK: { S: 'x' }, name: { S: name } },
});

// An engine with just enough of the API: which tables there are, and what was written.
function engine(there: string[], options: { unprocessedOnce?: boolean } = {}) {
  const tables = new Set(there);
  const written: string[] = [];
  const operations: string[] = [];
  let unprocessed = options.unprocessedOnce ?? false;
  const answers: Record<string, (request: any) => [number, unknown]> = {
    ListTables: () => [200, { TableNames: [...tables] }],
    CreateTable: (request) => (tables.add(request.TableName), [200, {}]),
    DeleteTable: (request) => (tables.delete(request.TableName), [200, {}]),
    DescribeTable: (request) => [200, { Table: { TableName: request.TableName, TableStatus: 'ACTIVE' } }],
    BatchWriteItem: (request) => {
      if (unprocessed) {
        unprocessed = false;
        return [200, { UnprocessedItems: request.RequestItems }];
      }
      for (const one of request.RequestItems.T) written.push(one.PutRequest.Item.name.S);
      return [200, { UnprocessedItems: {} }];
    },
  };
  const fetch = vi.fn(async (path: string, init: any) => {
    if (path === '/remote') return { ok: true, json: async () => ({ url: null }) };
    if (path === '/model/tables') {
      const design = {
        tables: [{ TableName: 'T', KeySchema: schema }],
        items: [put('a'), put('b')].map((one) => ({ ...one, entity: 'E' })),
      };
      return { ok: true, json: async () => design };
    }
    const operation = init.headers['X-Amz-Target'].split('.')[1];
    operations.push(operation);
    const [status, body] = answers[operation]!(JSON.parse(init.body));
    return { ok: status === 200, json: async () => body };
  });
  vi.stubGlobal('fetch', fetch);
  return { tables, written, operations };
}

afterEach(() => void vi.unstubAllGlobals());

describe('batches', () => {
  it('hold 25 items', () => {
    const puts = Array.from({ length: 51 }, (_, i) => put(String(i)));
    expect(batches(puts, { T: schema }).map((batch) => batch.length)).toEqual([25, 25, 1]);
  });

  it('hold no key twice, and keep the order', () => {
    const puts = [put('a', '1'), put('b', '2'), put('a', '3')];
    expect(batches(puts, { T: schema })).toEqual([[puts[0], puts[1]], [puts[2]]]);
  });

  it('are none for no items', () => expect(batches([], {})).toEqual([]));
});

describe('loading', () => {
  it('creates the table and writes the sample', async () => {
    const { written } = engine([]);
    const seen: string[] = [];
    const report = await loadDesign('model', (progress) => void seen.push(progress.text));
    expect(report).toEqual({ created: ['T'], skipped: [], items: 2 });
    expect(written).toEqual(['a', 'b']);
    expect(seen).toEqual(['Creating T', 'Writing the sample']);
    expect(describeReport(report)).toBe('Created T and wrote 2 items.');
  });

  it('leaves a table that is there as it is', async () => {
    const { written, operations } = engine(['T']);
    const report = await loadDesign('model');
    expect(report).toEqual({ created: [], skipped: ['T'], items: 0 });
    expect(written).toEqual([]);
    expect(operations).toEqual(['ListTables']);
    expect(describeReport(report)).toBe('T was there already and was left unchanged.');
  });

  it('sends again what was not processed', async () => {
    const { written } = engine([], { unprocessedOnce: true });
    await loadDesign('model');
    expect(written).toEqual(['a', 'b']);
  });

  it('deletes before it loads again', async () => {
    const { operations } = engine(['T', 'Other']);
    const report = await resetDesign('model');
    expect(report.created).toEqual(['T']);
    expect(operations.filter((name) => /^(Delete|Create)/.test(name))).toEqual(['DeleteTable', 'CreateTable']);
  });
});
