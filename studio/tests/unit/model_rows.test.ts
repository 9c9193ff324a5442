import { describe, expect, it } from 'vitest';
import type { Advice, Cost, Model, Plan, PlannedPattern } from '../../src/api/model.ts';
import { describeKey, keysFor } from '../../src/design/key_reasons.ts';
import { keyTemplate } from '../../src/design/key_template.ts';
import { freeName } from '../../src/design/own_designs.ts';
import { bytes, count, money, often, ordinal, percent, plural, rate } from '../../src/parts/numbers.ts';
import { alternativeRows } from '../../src/views/model/advise/alternatives.ts';
import { chartOf } from '../../src/views/model/chart/chart_rows.ts';
import { scaleAt, scaleSteps, stepAt } from '../../src/app/scale.tsx';
import { fanOuts, heatRows } from '../../src/views/model/cost/cost_rows.ts';
import { attributeTexts } from '../../src/views/model/er/picture.ts';
import { consistencyOf, coverageOf, itemsQuery, patternRows } from '../../src/views/model/patterns/pattern_rows.ts';

const attribute = (name: string) => ({ name, type: 'text', averageBytes: 1, maximumBytes: 1 });
const template = (name: string, text: string) => ({ name, kind: 'template', template: text });

const model: Model = {
  title: 'School',
  entities: [
    { name: 'Student', line: 3, attributes: [attribute('id'), attribute('name')] },
    { name: 'Enrollment', line: 9, attributes: [attribute('s'), attribute('term')] },
  ],
  relationships: [],
  patterns: [
    { name: 'A1', title: 'Student', line: 20, ratePerSecond: 2, fresh: 'strong', parameters: ['student'], find: [], examples: [] },
  ],
  writes: [{ name: 'Enrol', title: 'Enrol once', ratePerSecond: 1, together: false, steps: [] }],
  tables: [
    {
      name: 'School', partition: 'PK', sort: 'SK', typeAttribute: '',
      indexes: [
        { name: 'GSI1', local: false, partition: ['GSI1PK'], sort: ['GSI1SK'], projection: 'all', include: [] },
        { name: 'ByTerm', local: true, partition: [], sort: ['term'], projection: 'keys', include: [] },
      ],
      items: [
        { entity: 'Student', attributes: [template('PK', 'STU#{id}'), template('SK', 'PROFILE')], without: ['id'] },
        {
          entity: 'Enrollment',
          attributes: [
            template('PK', 'STU#{s}'), template('SK', 'CRS#{c}'), template('GSI1PK', 'CRS#{c}'), template('GSI1SK', 'STU#{s}'),
            { name: 'StudentName', kind: 'copy', of: 'Student.name', keptBy: 'stream' },
            { name: 'Marks', kind: 'map', of: 'Mark', by: 'label', members: ['a', 'b'] },
          ],
          without: ['s'],
        },
      ],
    },
  ],
  samples: [],
};

const planned = (of: Partial<PlannedPattern>): PlannedPattern => ({
  name: 'A1', title: 'Student', served: true, strong: true, readUnits: 0.5, requests: 1, plan: ['GetItem School'], steps: [],
  parameters: [], examples: [], thrownAway: [], ...of,
});
const step = (operation: string, index: string | null, consistent = false) => ({ operation, table: 'School', index, consistent });

const onTable = (name: string, index: string | null = null) => ({ name, steps: [{ operation: 'Query', table: 'T', index, consistent: false }] });
const keyedDesign = {
  keyed: { tables: [{ name: 'T', partition: 'PK', sort: 'SK', indexes: [{ name: 'G', local: false, partition: ['GPK'], sort: ['GSK'] }] }] } as unknown as Model,
  plan: { patterns: [onTable('A1'), onTable('A2'), onTable('A10'), onTable('A11'), onTable('A3', 'G')], keys: [] } as unknown as Plan,
};

describe('entity chart', () => {
  const [chart] = chartOf(model);

  it('has a column for each key of the table and its indexes', () => {
    expect(chart!.columns.map((column) => `${column.view}.${column.attribute} ${column.role}`)).toEqual([
      'School.PK partition', 'School.SK sort', 'GSI1.GSI1PK partition', 'GSI1.GSI1SK sort', 'ByTerm.term sort',
    ]);
  });

  it('has the templates, and null where an item has no such key', () => {
    expect(chart!.rows.map((row) => row.cells)).toEqual([
      ['STU#{id}', 'PROFILE', null, null, null],
      ['STU#{s}', 'CRS#{c}', 'CRS#{c}', 'STU#{s}', '{term}'],
    ]);
    expect(chart!.rows[1]).toMatchObject({ line: 9, colour: 1 });
  });

  it('has a row for each lock item', () => {
    const table = { ...model.tables[0]!, items: [{ ...model.tables[0]!.items[0]!, uniqueByLock: ['email'] }] };
    const [locked] = chartOf({ ...model, tables: [table] });
    expect(locked!.rows.map((row) => [row.lock, row.cells.slice(0, 3)])).toEqual([
      [undefined, ['STU#{id}', 'PROFILE', null]],
      ['email', ['UNIQUE#Student#email#{email}', 'UNIQUE#Student#email#{email}', null]],
    ]);
  });

  it('says what else the item holds', () => {
    expect(chart!.rows[1]!.other).toEqual([
      { name: 'StudentName', text: 'copy of Student.name kept by stream' },
      { name: 'Marks', text: 'map of Mark by label (a, b)' },
    ]);
  });

  it('takes a key called like an attribute for that attribute', () => {
    const layout = { entity: 'Student', attributes: [{ name: 'Key', kind: 'attribute', template: 'name' }], without: ['id'] };
    expect(keyTemplate(model, layout, 'Key')).toBe('{name}');
    expect(keyTemplate(model, layout, 'name')).toBe('{name}');
    expect(keyTemplate(model, layout, 'id')).toBeNull();
  });
});

describe('access patterns', () => {
  it('join plan, rate and money', () => {
    const plan: Plan = { patterns: [planned({ steps: [step('GetItem', null)] })], keys: [] };
    const cost = { patterns: [{ name: 'A1', moneyPerMonth: 3.24 }] } as Cost;
    expect(patternRows(model, plan, cost)[0]).toMatchObject({ line: 20, ratePerSecond: 2, moneyPerMonth: 3.24, units: 0.5 });
    expect(patternRows(model, plan, null)[0]).toMatchObject({ moneyPerMonth: null });
  });

  it('name what is fetched for the answers', () => {
    const steps = [step('Query', 'GSI1'), { ...step('BatchGetItem', null), because: ['Name'] }];
    const plan: Plan = { patterns: [planned({ plan: ['Query School.GSI1'], steps })], keys: [] };
    expect(patternRows(model, plan, null)[0]!.plan).toEqual(['Query School.GSI1', 'then BatchGetItem School for Name']);
  });

  it('say how fresh they are', () => {
    expect(consistencyOf(planned({ steps: [step('Query', null, true)] }))).toBe('strong');
    expect(consistencyOf(planned({ steps: [step('Query', null)] }))).toBe('eventual; strong possible');
    expect(consistencyOf(planned({ steps: [step('Query', 'GSI1')], strong: false }))).toBe('eventual only');
    expect(consistencyOf(planned({ served: false }))).toBe('');
  });

  it('link to the items with table, index and the first example', () => {
    const pattern = planned({ name: 'A17', steps: [step('Query', 'GSI1')], examples: [{ course: 'C1', year: 2 }, { course: 'C2' }] });
    expect(itemsQuery(pattern)).toEqual({ pattern: 'A17', table: 'School', index: 'GSI1', 'p.course': 'C1', 'p.year': '2' });
    expect(itemsQuery(planned({ steps: [step('GetItem', null)] }))).toEqual({ pattern: 'A1', table: 'School' });
  });

  it('cover tables and indexes', () => {
    const plan: Plan = {
      patterns: [planned({ steps: [step('Query', 'GSI1'), step('BatchGetItem', null), step('BatchGetItem', null)] }), planned({ name: 'A2', served: false })],
      keys: [],
    };
    const coverage = coverageOf(model, plan);
    expect(coverage.views.map((view) => [view.index, view.idle])).toEqual([[null, false], ['GSI1', false], ['ByTerm', true]]);
    expect(coverage.rows.map((row) => row.cells)).toEqual([['BatchGetItem', 'Query', ''], ['', '', '']]);
  });

  it('give keys their reason', () => {
    const use = { table: 'T', attribute: 'PK', lost: [], depend: [], dearer: [] };
    const { keyed, plan } = keyedDesign;
    expect(describeKey(keyed, plan, { ...use, lost: ['A1', 'A2'] })[0]).toMatch(/^Without it A1.*, A2.* would take a Scan/);
    expect(describeKey(keyed, plan, { ...use, depend: ['A1'], dearer: ['A2 (x2)'] })).toEqual([
      'A1 needs it for the right rows or their order.', 'Without it these cost more: A2 (x2).',
    ]);
    expect(describeKey(keyed, plan, use)[0]).toMatch(/^No access pattern needs it/);
    // A pattern of an index does not read the table's own key.
    expect(describeKey(keyed, plan, { ...use, lost: ['A3'] })[0]).toMatch(/^No access pattern needs it/);
    expect(describeKey(keyed, plan, { ...use, attribute: 'GPK', lost: ['A3'] })[0]).toMatch(/^Without it A3/);
  });
});

describe('cost', () => {
  it('has a slider from 1 to 1,000 with round figures', () => {
    expect([0, 4, 8, 12].map(scaleAt)).toEqual([1, 10, 100, 1000]);
    expect(stepAt(19)).toBe(stepAt(20));
    expect(new Set(Array.from({ length: scaleSteps + 1 }, (_, at) => scaleAt(at))).size).toBe(scaleSteps + 1);
    for (let at = 0; at <= scaleSteps; ++at) expect(scaleAt(stepAt(scaleAt(at)))).toBe(scaleAt(at));
    expect(stepAt(0)).toBe(0);
    expect(stepAt(1e9)).toBe(scaleSteps);
  });

  const heat = (readUnitsPerSecond: number, writeUnitsPerSecond: number) => ({
    view: 'T', key: '"A#{id}"', utilisation: readUnitsPerSecond / 3000 + writeUnitsPerSecond / 1000, readUnitsPerSecond, writeUnitsPerSecond,
  });

  it('names the limit that a key passes, and only past it', () => {
    const cost = { heat: [heat(3000, 0), heat(3001, 0), heat(0, 1000), heat(0, 1001), heat(2000, 900)] } as Cost;
    expect(heatRows(cost).map((row) => row.passed)).toEqual([
      null, 'more than 3,000 read units a second on one key', null, 'more than 1,000 write units a second on one key',
      'reads and writes together exceed one partition’s limit',
    ]);
    expect(heatRows(cost)[0]!.key).toBe('A#{id}');
  });

  it('shows where a write goes, the table first', () => {
    const cost = { writes: [{ name: 'Enrol', writeUnits: 4, copies: 0, unitsPerSecond: 4, moneyPerMonth: 1, units: { GSI2: 0, GSI1: 2, copies: 1, table: 1 } }] } as unknown as Cost;
    expect(fanOuts(model, cost)[0]).toMatchObject({
      title: 'Enrol once',
      parts: [{ name: 'table', share: 0.25 }, { name: 'copies', units: 1 }, { name: 'GSI1', share: 0.5 }],
    });
  });
});

describe('advice', () => {
  it('puts what fits first, cheapest first, then what is advised only with a partner', () => {
    const one = (strategy: string, legal: boolean, moneyPerMonth: number) => ({
      strategy, legal, switchable: legal, moneyPerMonth, readUnitsPerSecond: 1, writeUnitsPerSecond: 1, roundTrips: 1, reason: '',
    });
    const advice: Advice = {
      relationship: 'R', recommended: ['adjacency-list', 'inverted-index'], inUse: ['adjacency-list'], wholeDesign: true, deferred: false, path: [], flips: [],
      alternatives: [one('write-sharding', false, 1), one('references', true, 8), one('adjacency-list', false, 2), one('inverted-index', true, 4)],
    };
    expect(alternativeRows(advice).map((row) => [row.strategy, row.share, row.partner])).toEqual([
      ['inverted-index', 0.5, null], ['references', 1, null], ['adjacency-list', 0, 'inverted-index'], ['write-sharding', 0, null],
    ]);
  });
});

describe('figures', () => {
  it('are short', () => {
    expect([count(0), count(1234.567), count(0.00123456)]).toEqual(['0', '1,234.57', '0.00123']);
    expect([money(0), money(0.0029), money(3.24), money(12862.9)]).toEqual(['$0', 'under a cent', '$3.24', '$12,863']);
    expect([bytes(1023), bytes(1024), bytes(5 * 1024 ** 3)]).toEqual(['1,023 bytes', '1 KB', '5 GB']);
    expect([percent(0), percent(0.00001), percent(0.034), percent(1.36)]).toEqual(['0 %', '< 0.1 %', '3.4 %', '136 %']);
    expect([plural(1, 'item'), plural(2, 'item')]).toEqual(['1 item', '2 items']);
    expect([rate(0), rate(5), rate(10 / 60), rate(10 / 3600), rate(1 / 86_400)]).toEqual(['0', '5/s', '10/min', '10/hour', '1/day']);
  });
});

describe('names', () => {
  it('of own designs are not taken twice', () => {
    expect(freeName('Shop', [])).toBe('own:Shop');
    expect(freeName('Shop', ['own:Shop', 'own:Shop 2'])).toBe('own:Shop 3');
    expect(freeName('  ', [])).toBe('own:My design');
  });

  it('of attributes leave room for their type', () => {
    expect(attributeTexts({ ...attribute('id'), key: true })).toEqual({ left: 'id', right: 'text · key' });
    expect(attributeTexts({ ...attribute('email'), unique: true }).right).toBe('text · unique');
    expect(attributeTexts({ ...attribute('s'), references: 'Student.id' }).right).toBe('→ Student');
    const long = attributeTexts({ ...attribute('aVeryLongAttributeName'), key: true, references: 'AnEntityWithALongName.id' });
    expect(long.left.length).toBe(18);
    expect(long.right.length).toBeLessThan(10);
  });
});

describe('figures in words', () => {
  it('counts in order', () => {
    expect([1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 101, 111, 112].map(ordinal)).toEqual([
      '1st', '2nd', '3rd', '4th', '10th', '11th', '12th', '13th', '21st', '22nd', '101st', '111th', '112th',
    ]);
  });

  it('says what is rare by the time between', () => {
    expect(often(12, 'read')).toBe('12 reads a second');
    expect(often(1, 'read')).toBe('1 read a second');
    expect(often(0, 'write')).toBe('no writes');
    expect(often(3.7037e-7, 'write')).toBe('1 write a month');
    expect(often(1 / 3600, 'write')).toBe('1 write an hour');
    expect(often(0.05, 'write')).toBe('3 writes a minute');
  });
});

describe('keys that a pattern needs', () => {
  const use = { table: 'T', attribute: 'PK', lost: [], depend: [], dearer: [] };
  const { keyed, plan } = keyedDesign;

  it('are said with what it would lose', () => {
    const keys = [{ ...use, lost: ['A1'] }, { ...use, attribute: 'SK', depend: ['A1'] }];
    expect(keysFor(keyed, { ...plan, keys }, 'A1')).toEqual([
      'Without PK of T it would take a Scan.',
      'It needs SK of T for the right rows or their order.',
    ]);
    expect(keysFor(keyed, { ...plan, keys: [{ ...use, attribute: 'GSK', dearer: ['A3 (x2)'] }] }, 'A3')).toEqual(['Without GSK of T it would cost more (x2).']);
  });

  it('are not those of a pattern with a longer name', () => {
    expect(keysFor(keyed, { ...plan, keys: [{ ...use, lost: ['A10'], dearer: ['A11 (x2)'] }] }, 'A1')).toEqual([]);
  });
});
