import { describe, expect, it } from 'vitest';
import { readPath, showPath, type Condition, type Draft, type Group } from '../../../src/requests/draft.ts';
import { compile } from '../../../src/requests/request.ts';
import { isReserved, reservedWordCount } from '../../../src/requests/reserved_words.ts';
import { gradeUpdate, rosterQuery } from './awkward.ts';

const scan = (filter: Group): Draft => ({ operation: 'Scan', table: 'T', key: [], filter });
const is = (name: string, value: string, not = false): Condition => ({
  left: { path: [name] }, test: '=', right: [{ value: { S: value } }], ...(not ? { not } : {}),
});
const filterOf = (filter: Group) => compile(scan(filter)).request['FilterExpression'];

describe('a compiled request', () => {
  it('reads an index', () => {
    expect(compile(rosterQuery).request).toEqual({
      TableName: 'Education',
      IndexName: 'GSI1',
      KeyConditionExpression: '#GSI1_PK = :GSI1_PK AND begins_with(#GSI1_SK, :GSI1_SK)',
      FilterExpression: 'Grade = :Grade OR attribute_not_exists(Grade)',
      ProjectionExpression: '#GSI1_SK, Grade',
      ExpressionAttributeNames: { '#GSI1_PK': 'GSI1-PK', '#GSI1_SK': 'GSI1-SK' },
      ExpressionAttributeValues: { ':GSI1_PK': { S: 'COURSE#C1' }, ':GSI1_SK': { S: 'STUDENT#' }, ':Grade': { S: 'A' } },
      ScanIndexForward: false,
      Limit: 20,
    });
  });

  it('updates, one clause of each kind', () => {
    expect(compile(gradeUpdate).request).toEqual({
      TableName: 'Education',
      Key: { PK: { S: 'STUDENT#S1' }, SK: { S: 'COURSE#C1' } },
      UpdateExpression:
        'SET Grade = :Grade, #Count = if_not_exists(#Count, :start) + :Count, Notes.#list = list_append(Notes.#list, :list)' +
        ' REMOVE Draft[2].#a_b ADD Tags :Tags DELETE OldTags :OldTags',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeNames: { '#Count': 'Count', '#list': 'list', '#a_b': 'a.b' },
      ExpressionAttributeValues: {
        ':Grade': { S: 'A+' }, ':start': { N: '0' }, ':Count': { N: '1' }, ':list': { L: [{ S: 'x' }] },
        ':Tags': { SS: ['new'] }, ':OldTags': { SS: ['gone'] },
      },
      ReturnValues: 'ALL_NEW',
    });
  });

  it('asks only for return values that the operation has', () => {
    expect(compile({ ...gradeUpdate, operation: 'DeleteItem', returns: 'ALL_NEW' }).request).not.toHaveProperty('ReturnValues');
    expect(compile({ ...gradeUpdate, operation: 'DeleteItem', returns: 'ALL_OLD' }).request).toHaveProperty('ReturnValues', 'ALL_OLD');
    expect(compile({ ...rosterQuery, returns: 'ALL_OLD' }).request).not.toHaveProperty('ReturnValues');
  });

  it('writes every form of SET', () => {
    const set = (form: 'value' | 'plus' | 'minus' | 'if_not_exists' | 'append' | 'prepend') =>
      compile({ ...gradeUpdate, update: [{ action: 'SET', path: ['a'], form, from: ['b'], operand: { path: ['c'] } }] }).request['UpdateExpression'];
    expect(set('value')).toBe('SET a = c');
    expect(set('plus')).toBe('SET a = b + c');
    expect(set('minus')).toBe('SET a = b - c');
    expect(set('if_not_exists')).toBe('SET a = if_not_exists(b, c)');
    expect(set('append')).toBe('SET a = list_append(b, c)');
    expect(set('prepend')).toBe('SET a = list_append(c, b)');
  });

  it('puts groups in parentheses and leaves out empty ones', () => {
    expect(filterOf({ join: 'AND', parts: [is('a', 'x'), { join: 'OR', parts: [is('b', 'y'), is('c', 'z')] }] })).toBe('a = :a AND (b = :b OR c = :c)');
    expect(filterOf({ join: 'AND', parts: [is('a', 'x'), { join: 'OR', parts: [] }] })).toBe('a = :a');
    expect(filterOf({ join: 'AND', parts: [] })).toBeUndefined();
    expect(filterOf({ join: 'OR', not: true, parts: [is('a', 'x'), is('b', 'y')] })).toBe('NOT (a = :a OR b = :b)');
    expect(filterOf({ join: 'AND', parts: [{ join: 'OR', not: true, parts: [is('a', 'x', true)] }, is('b', 'y')] })).toBe('NOT (NOT a = :a) AND b = :b');
  });

  it('writes every test', () => {
    const of = (test: never, right: unknown[] = []) =>
      filterOf({ join: 'AND', parts: [{ left: { path: ['a'] }, test, right: right as never[] }] });
    const one = { value: { N: '1' } };
    const two = { value: { N: '2' } };
    expect(of('between' as never, [one, two])).toBe('a BETWEEN :a AND :a_2');
    expect(of('in' as never, [one, two, one])).toBe('a IN (:a, :a_2, :a)');
    expect(of('contains' as never, [one])).toBe('contains(a, :a)');
    expect(of('attribute_type' as never, [{ value: { S: 'SS' } }])).toBe('attribute_type(a, :a)');
    expect(of('<>' as never, [{ path: ['b', 0] }])).toBe('a <> b[0]');
    expect(of('>' as never, [{ size: ['b'] }])).toBe('a > size(b)');
  });

  it('keeps placeholders of like names apart', () => {
    const { request } = compile(scan({ join: 'AND', parts: [is('a-b', '1'), is('a.b', '2'), is('é', '3'), is('ü', '4')] }));
    expect(request['FilterExpression']).toBe('#a_b = :a_b AND #a_b_2 = :a_b_2 AND #n = :v AND #n_2 = :v_2');
    expect(request['ExpressionAttributeNames']).toEqual({ '#a_b': 'a-b', '#a_b_2': 'a.b', '#n': 'é', '#n_2': 'ü' });
  });

  it('replaces reserved words in any case, and names that begin with a digit', () => {
    expect(reservedWordCount).toBe(573);
    expect(isReserved('stAtus')).toBe(true);
    expect(isReserved('Grade')).toBe(false);
    expect(compile({ operation: 'GetItem', table: 'T', key: [], projection: [['name'], ['Zone'], ['1st'], ['ok_1']] }).request['ProjectionExpression']).toBe('#name, #Zone, #1st, ok_1');
  });
});

describe('paths', () => {
  it('come back as they went', () => {
    for (const path of [['a'], ['a', 'b', 0, 'c'], ['a.b', 1, 2, 'x[y]'], ['"', ''], ['é', 'a b']]) expect(readPath(showPath(path))).toEqual(path);
  });

  it('say where they break', () => {
    for (const [text, at] of [['', 1], ['a.', 3], ['a[x]', 2], ['a[1', 2], ['a]', 2], ['"a', 1]] as const) {
      expect(() => readPath(text)).toThrow(`at character ${at}.`);
    }
  });
});
