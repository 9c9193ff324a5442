import { describe, expect, it } from 'vitest';
import { functionsOf, neededBy } from '../../src/views/model/code/functions.ts';

describe('the functions of a generated file', () => {
  it('are found with their comment, in languages with braces', () => {
    const text = 'import x;\n\nexport interface A {\n  a: string;\n}\n\n/**\n * The books.\n */\nexport async function booksOf(\n  client: Client,\n): Promise<A> {\n  if (x) {\n    y();\n  }\n}\n\n// Go on.\nexport async function* allOf() {\n}\n';
    expect(functionsOf(text)).toMatchObject([
      { name: 'booksOf', text: '/**\n * The books.\n */\nexport async function booksOf(\n  client: Client,\n): Promise<A> {\n  if (x) {\n    y();\n  }\n}\n' },
      { name: 'allOf', text: '// Go on.\nexport async function* allOf() {\n}\n' },
    ]);
  });

  it('are found by indentation, and moved to the left', () => {
    const text = 'class Books:\n    @staticmethod\n    def one(a,\n            b):\n        """It."""\n\n        return a\n\n    def _hidden(self):\n        pass\n\ndef last():\n    return 1\n';
    expect(functionsOf(text)).toMatchObject([
      { name: 'one', text: '@staticmethod\ndef one(a,\n        b):\n    """It."""\n\n    return a\n' },
      { name: 'last', text: 'def last():\n    return 1\n' },
    ]);
  });

  it('say where they begin, and what they need of other files', () => {
    const text = 'import x\n\ndef one(a):\n    return to_bike(query_all(a))\n\ndef two():\n    return one(1)\n';
    const [one, two] = functionsOf(text);
    expect(text.slice(one!.at)).toMatch(/^def one/);
    expect(text.slice(two!.at)).toMatch(/^def two/);
    const files = [{ path: 'patterns.py', text }, { path: 'reading.py', text: 'def query_all(a):\n    pass\n' }, { path: 'entities.py', text: 'def to_bike(a):\n    pass\n\ndef other():\n    pass\n' }];
    expect(neededBy(one!, files)).toEqual([{ name: 'query_all', path: 'reading.py' }, { name: 'to_bike', path: 'entities.py' }]);
    expect(neededBy(two!, files)).toEqual([{ name: 'one', path: 'patterns.py' }]);
  });

  it('are none where there are none', () => {
    expect(functionsOf('{"Resources": {}}')).toEqual([]);
    expect(functionsOf('')).toEqual([]);
  });
});
