import { describe, expect, it } from 'vitest';
import type { Draft, UpdateAction } from '../../../src/requests/draft.ts';
import { emitPartiql } from '../../../src/requests/emit/emit_partiql.ts';
import { compile } from '../../../src/requests/request.ts';
import { awkwardPut, gradeUpdate, rosterQuery } from './awkward.ts';
import { education } from './education.ts';

const emit = (draft: Draft) => emitPartiql(draft, compile(draft), { region: 'us-east-1', table: education });
const refusal = (draft: Draft) => {
  const emitted = emit(draft);
  return 'refused' in emitted ? emitted.refused : `not refused: ${emitted.code}`;
};
const code = (draft: Draft) => {
  const emitted = emit(draft);
  if ('refused' in emitted) throw new Error(emitted.refused);
  return emitted.code;
};
const update = (...actions: UpdateAction[]): Draft => ({ ...gradeUpdate, update: actions });

describe('PartiQL', () => {
  it('selects from an index, newest first', () => {
    expect(code({ ...rosterQuery, limit: 5 })).toBe(`SELECT "GSI1-SK", "Grade"
FROM "Education"."GSI1"
WHERE "GSI1-PK" = 'COURSE#C1'
  AND begins_with("GSI1-SK", 'STUDENT#')
  AND ("Grade" = 'A' OR "Grade" IS MISSING)
ORDER BY "GSI1-SK" DESC`);
    expect(emit({ ...rosterQuery, limit: 5 })).toMatchObject({ notes: [expect.stringContaining('Limit 5')] });
  });

  it('updates', () => {
    expect(code(update(
      { action: 'SET', path: ['Grade'], form: 'value', operand: { value: { S: "it's" } } },
      { action: 'SET', path: ['n'], form: 'minus', operand: { value: { N: '2' } } },
      { action: 'SET', path: ['l'], form: 'prepend', operand: { value: { L: [{ S: 'x' }] } } },
      { action: 'REMOVE', path: ['a', 1, 'b"c'] },
      { action: 'ADD', path: ['Tags'], value: { SS: ['p', 'q'] } },
      { action: 'DELETE', path: ['Old'], value: { NS: ['1'] } },
    ))).toBe(`UPDATE "Education"
SET "Grade" = 'it''s'
SET "n" = "n" - 2
SET "l" = list_append(['x'], "l")
REMOVE "a"[1]."b""c"
SET "Tags" = set_add("Tags", <<'p', 'q'>>)
SET "Old" = set_delete("Old", <<1>>)
WHERE "PK" = 'STUDENT#S1'
  AND "SK" = 'COURSE#C1'
  AND "PK" IS NOT MISSING
RETURNING ALL NEW *`);
  });

  it('inserts only what a put with attribute_not_exists would', () => {
    const emitted = emit(awkwardPut);
    if ('refused' in emitted) throw new Error(emitted.refused);
    expect(emitted.code).toContain(`VALUE {'PK': 'it''s "quoted" \\ back`);
    expect(emitted.code).toContain(`'a.b': 12345678901234567890123456789012345678, 'it''s': -1.5E-100, 'Bytes': ?, 'ByteSet': ?`);
    expect(emitted.notes.join()).toContain('[{"B":"AP8QgA=="},{"BS":["AA==","/w=="]}]');
    expect(refusal({ ...awkwardPut, condition: { join: 'AND', parts: [] } })).toContain('not exist yet');
    expect(refusal({ ...awkwardPut, returns: 'ALL_OLD' })).toContain('returns nothing');
    const other = { left: { path: ['Grade'] }, test: 'attribute_not_exists' as const, right: [] };
    expect(refusal({ ...awkwardPut, condition: { join: 'AND', parts: [other] } })).toContain('takes no condition');
  });

  it('says what it cannot express', () => {
    expect(refusal(gradeUpdate)).toContain('no if_not_exists');
    expect(refusal(update({ action: 'ADD', path: ['n'], value: { N: '1' } }))).toContain('no ADD for numbers');
    expect(refusal(update())).toContain('needs something to SET');
    expect(refusal({ ...rosterQuery, projection: [['a', 'x'], ['b', 'x']] })).toContain('both be called “x”');
  });

  it('deletes with a condition', () => {
    expect(code({ ...gradeUpdate, operation: 'DeleteItem', returns: 'ALL_OLD' })).toContain('DELETE FROM "Education"\nWHERE "PK" = \'STUDENT#S1\'\n  AND "SK"');
  });
});
