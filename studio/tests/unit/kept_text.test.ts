import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/api/model.ts';
import { inPlace, withOldWords } from '../../src/design/kept_text.ts';

const before = `model "School"

// What there is.
entity Student {
  id text(~8) key
}

// How it is stored.
table School partition PK sort SK {
  item Student {
    PK = "STU#{id}"
  }
}

sample Student (id) {
  "a"
}
`;
// As the search writes it: tables at the end.
const after = before.replace(/table [^]*?\n}\n\n/, '').trimEnd() + '\n\ntable School partition PK {\n  item Student {\n    PK = "STUDENT#{id}"\n  }\n}\n';

describe('a design that was found', () => {
  it('stands where the tables stood, below their comment', () => {
    const text = inPlace(before, after);
    expect(text).toContain('// How it is stored.\ntable School partition PK {');
    expect(text.trimEnd().endsWith('sample Student (id) {\n  "a"\n}')).toBe(true);
    expect(text.match(/^table /gm)).toHaveLength(1);
  });

  it('stays as it is where the text had no tables, or is another', () => {
    const logical = before.replace(/\/\/ How[^]*?\n}\n\n/, '');
    expect(inPlace(logical, after)).toBe(after);
    expect(inPlace(before.replace('What there is', 'Else'), after)).toBe(after);
  });

  const model = {
    entities: [{ name: 'Student', attributes: [{ name: 'id', key: true }] }, { name: 'Course', attributes: [{ name: 'id', key: true }] }],
    tables: [{ items: [{ entity: 'Student', attributes: [{ name: 'PK', kind: 'template', template: 'STU#{id}' }], without: [] }] }],
  } as unknown as Model;

  it('keeps the words of the keys', () => {
    expect(withOldWords('table School {\n  PK = "STUDENT#{id}"\n  SK = "COURSE#{id}"\n}', model)).toBe('table School {\n  PK = "STU#{id}"\n  SK = "COURSE#{id}"\n}');
  });

  it('takes no word that means something else already', () => {
    const text = 'table School {\n  PK = "STUDENT#{id}"\n  SK = "STU#{other}"\n}';
    expect(withOldWords(text, model)).toBe(text);
  });
});
