import { describe, expect, it } from 'vitest';
import type { Draft, Leaf, UpdateAction } from '../../../src/requests/draft.ts';
import type { TableSchema } from '../../../src/requests/schema.ts';
import { keyTestsFor, problemsOf, rightTypes, testsFor, valueProblem } from '../../../src/requests/legal.ts';
import { education } from './education.ts';
import { rosterQuery } from './awkward.ts';

const errors = (draft: Draft) => problemsOf(draft, education).filter(({ warning }) => !warning).map(({ message }) => message);
const query: Draft = { operation: 'Query', table: 'Education', key: [{ name: 'PK', test: '=', values: [{ S: 'x' }] }] };
const filtered = (leaf: Leaf): Draft => ({ ...query, filter: { join: 'AND', parts: [leaf] } });
const update = (...actions: UpdateAction[]): Draft => ({
  operation: 'UpdateItem', table: 'Education', update: actions,
  key: [{ name: 'PK', test: '=', values: [{ S: 'x' }] }, { name: 'SK', test: '=', values: [{ S: 'y' }] }],
});

describe('legal choices', () => {
  it('follow the type', () => {
    expect(testsFor('N')).not.toContain('begins_with');
    expect(testsFor('BOOL')).toEqual(['=', '<>', 'in', 'attribute_exists', 'attribute_not_exists', 'attribute_type']);
    expect(testsFor('SS')).toContain('contains');
    expect(testsFor(undefined)).toHaveLength(13);
    expect(rightTypes('contains', 'NS')).toEqual(['N']);
    expect(rightTypes('<', undefined)).toEqual(['S', 'N', 'B']);
    expect(keyTestsFor({ name: 'k', type: 'N', kind: 'RANGE' })).not.toContain('begins_with');
    expect(keyTestsFor({ name: 'k', type: 'S', kind: 'HASH' })).toEqual(['=']);
  });
});

describe('problems of a key condition', () => {
  const withKey = (...key: Draft['key']): Draft => ({ ...query, key });

  it('are none for a sound query', () => {
    expect(errors(query)).toEqual([]);
    expect(errors(rosterQuery)).toEqual([]);
  });

  it('name what is missing or of the wrong kind', () => {
    expect(errors(withKey())).toEqual(['PK needs a value.']);
    expect(errors(withKey({ name: 'Name', test: '=', values: [{ S: 'x' }] }))).toEqual([expect.stringContaining('Name is not a key attribute'), 'PK needs a value.']);
    expect(errors(withKey({ name: 'PK', test: 'begins_with', values: [{ S: 'x' }] }))).toEqual([expect.stringContaining('only = is possible')]);
    expect(errors(withKey({ name: 'PK', test: '=', values: [{ N: '1' }] }))).toEqual([expect.stringContaining('not number')]);
    expect(errors(withKey({ name: 'PK', test: '=', values: [{ S: '' }] }))).toEqual([expect.stringContaining('cannot be empty')]);
    expect(errors({ ...query, operation: 'GetItem' })).toEqual(['SK needs a value.']);
  });

  it('know the limits of keys', () => {
    const pk = (bytes: number) => errors(withKey({ name: 'PK', test: '=', values: [{ S: 'é'.repeat(bytes / 2) + (bytes % 2 ? 'a' : '') }] }));
    expect(pk(2047)).toEqual([]);
    expect(pk(2048)).toEqual([]);
    expect(pk(2049)).toEqual([expect.stringContaining('2049 bytes')]);
    const sk = (bytes: number) => errors(withKey(...query.key, { name: 'SK', test: '=', values: [{ S: 'a'.repeat(bytes) }] }));
    expect(sk(1024)).toEqual([]);
    expect(sk(1025)).toHaveLength(1);
  });

  it('order several sort attributes', () => {
    const base = [{ name: 'tournament', test: '=' as const, values: [{ S: 't' }] }, { name: 'region', test: '=' as const, values: [{ S: 'r' }] }];
    const byRound = (...more: Draft['key']): Draft => ({ ...query, index: 'ByRound', key: [...base, ...more] });
    const round = (test: '=' | '<') => ({ name: 'round', test, values: [{ N: '1' }] });
    const court = { name: 'court', test: 'begins_with' as const, values: [{ S: 'c' }] };
    expect(errors(byRound(round('='), court))).toEqual([]);
    expect(errors(byRound(round('<'), court))).toEqual([expect.stringContaining('court can be used only')]);
    expect(errors(byRound(court))).toEqual([expect.stringContaining('court can be used only')]);
    expect(errors({ ...byRound(), key: base.slice(0, 1) })).toEqual(['region needs a value.']);
  });

  it('refuse bounds the wrong way round', () => {
    const between = (low: string, high: string) => errors(withKey(...query.key, { name: 'SK', test: 'between', values: [{ S: low }, { S: high }] }));
    expect(between('a', 'b')).toEqual([]);
    expect(between('a', 'a')).toEqual([]);
    expect(between('b', 'a')).toHaveLength(1);
    expect(between('\u{1f680}', '\uffee')).toHaveLength(1); // UTF-8 order, not UTF-16 order.
  });
});

describe('other problems', () => {
  it('are strong reads on a global index', () => {
    expect(errors({ ...rosterQuery, consistent: true })).toEqual([expect.stringContaining('has no strongly consistent reads')]);
    expect(errors({ ...query, consistent: true })).toEqual([]);
  });

  it('are keys in a filter', () => {
    expect(errors(filtered({ left: { path: ['SK'] }, test: 'attribute_exists', right: [] }))).toEqual([expect.stringContaining('cannot name SK')]);
    expect(errors({ ...filtered({ left: { path: ['SK'] }, test: 'attribute_exists', right: [] }), operation: 'Scan' })).toEqual([]);
  });

  it('are attributes that an index does not hold', () => {
    expect(errors({ ...rosterQuery, projection: [['Name']] })).toEqual([expect.stringContaining('does not hold Name')]);
    const draft = { ...rosterQuery, filter: { join: 'AND' as const, parts: [{ left: { path: ['Name'] }, test: 'attribute_exists' as const, right: [] }] } };
    expect(problemsOf(draft, education)).toEqual([{ section: 'filter', message: expect.stringContaining('never sees it'), warning: true }]);
  });

  it('are tests that cannot match', () => {
    expect(errors(filtered({ left: { path: ['Credits'] }, test: 'begins_with', right: [{ value: { S: '3' } }] }))).not.toEqual([]);
    expect(errors(filtered({ left: { path: ['Credits'] }, test: '=', right: [{ value: { S: '3' } }] }))).toEqual([expect.stringContaining('never match a text')]);
    expect(errors(filtered({ left: { size: ['Name'] }, test: '>', right: [{ value: { N: '3' } }] }))).toEqual([]);
    expect(errors(filtered({ left: { path: ['Credits'] }, test: 'in', right: [] }))).toEqual(['IN takes from 1 to 100 values.']);
    const many = (count: number) => errors(filtered({ left: { path: ['Credits'] }, test: 'in', right: Array.from({ length: count }, (_, at) => ({ value: { N: String(at) } })) }));
    expect(many(100)).toEqual([]);
    expect(many(101)).toHaveLength(1);
  });

  it('are changes of keys, wrong types and places named twice', () => {
    const value = { value: { S: 'x' } };
    expect(errors(update({ action: 'SET', path: ['PK'], form: 'value', operand: value }))).toEqual([expect.stringContaining('cannot be changed')]);
    expect(errors(update({ action: 'SET', path: ['GSI1-PK'], form: 'value', operand: { value: { N: '1' } } }))).toEqual([expect.stringContaining('key of GSI1')]);
    expect(errors(update({ action: 'ADD', path: ['Name'], value: { S: 'x' } }))).toEqual([expect.stringContaining('a number or a set')]);
    expect(errors(update({ action: 'ADD', path: ['Credits'], value: { SS: ['x'] } }))).toEqual([expect.stringContaining('fails')]);
    expect(errors(update({ action: 'DELETE', path: ['Tags'], value: { N: '1' } }))).toHaveLength(2);
    expect(errors(update({ action: 'SET', path: ['m', 'a'], form: 'value', operand: value }, { action: 'REMOVE', path: ['m'] }))).toEqual([expect.stringContaining('overlap')]);
    expect(errors(update({ action: 'SET', path: ['m', 'a'], form: 'value', operand: value }, { action: 'REMOVE', path: ['m', 'ab'] }))).toEqual([]);
    expect(errors(update({ action: 'SET', path: ['l'], form: 'append', operand: value }))).toEqual([expect.stringContaining('joins lists')]);
    expect(errors(update({ action: 'SET', path: ['n'], form: 'plus', operand: value }))).toEqual([expect.stringContaining('only numbers')]);
  });

  it('are items without their key', () => {
    expect(errors({ operation: 'PutItem', table: 'Education', key: [], item: { PK: { S: 'a' }, SK: { N: '1' } } })).toEqual([expect.stringContaining('SK is a text in the key')]);
  });
});

describe('values', () => {
  it('keep to the limits of numbers', () => {
    expect(valueProblem({ N: '9'.repeat(37) })).toBeNull();
    expect(valueProblem({ N: '9'.repeat(38) })).toBeNull();
    expect(valueProblem({ N: '9'.repeat(39) })).toContain('39');
    expect(valueProblem({ N: `1${'0'.repeat(60)}` })).toBeNull();
    expect(valueProblem({ N: '1E125' })).toBeNull();
    expect(valueProblem({ N: '1E126' })).toContain('too large');
    expect(valueProblem({ N: '1E-130' })).toBeNull();
    expect(valueProblem({ N: '1E-131' })).toContain('too small');
    expect(valueProblem({ N: '0E999' })).toBeNull();
    for (const text of ['', 'x', '1e', '--1', '0x10', 'NaN', '1 ']) expect(valueProblem({ N: text })).not.toBeNull();
  });

  it('are refused wherever they are nested', () => {
    expect(valueProblem({ SS: [] })).toContain('empty');
    expect(valueProblem({ SS: ['a', 'a'] })).toContain('once');
    expect(valueProblem({ M: { a: { L: [{ B: 'a' }] } } })).toContain('base64');
    expect(valueProblem({ B: 'AA==' })).toBeNull();
    expect(valueProblem({ NS: ['1', 'x'] })).toContain('no number');
  });
});

describe('a prefix', () => {
  const places: TableSchema = {
    name: 'Stores', stored: true, indexes: [], fields: [],
    keys: [{ name: 'Country', type: 'S', kind: 'HASH' }, { name: 'Place', type: 'S', kind: 'RANGE' }],
    layouts: [{ entity: 'Store', attributes: [], templates: { Country: '{Country}', Place: '{State}#{City}#{Zip}' } }],
  };
  const said = (prefix: string) =>
    problemsOf(
      { operation: 'Query', table: 'Stores', key: [{ name: 'Country', test: '=', values: [{ S: 'USA' }] }, { name: 'Place', test: 'begins_with', values: [{ S: prefix }] }] },
      places,
    ).map(({ message, warning }) => [message.slice(0, 48), warning]);

  it('that ends inside a value is warned about, and one that ends with the delimiter is not', () => {
    expect(said('NY#NEW')).toEqual([['Place: this prefix ends inside City of Store, so', true]]);
    expect(said('N')).toEqual([['Place: this prefix ends inside State of Store, s', true]]);
    for (const whole of ['NY#', 'NY#NEWYORK#', 'NY#NEWYORK#10']) expect(said(whole)).toEqual([]);
  });
});
